"""By correspondence: when decisions are due, who is reminded, and for whom a bot decides."""

import math

from tavola.live.correspondence.hours import AT_HOME, DAY, GRACE, Due, Hours, due_at
from tavola.live.log.commands import Given, LookAtDues, RunOut, TakeOver
from tavola.live.log.events import NewEvent
from tavola.live.log.house import run_out, take_over
from tavola.live.log.state import State


def look_at_dues(state: State, command: LookAtDues, given: Given) -> list[NewEvent]:
    """Say when what is owed is due. Who has let it pass is reminded; after that the game's clock, or a bot, decides."""
    if state.phase != "playing" or not state.settings.days:
        return []
    happenings, late = list[NewEvent](), dict[int, int]()
    for seat, prompt in awaited_prompts(state).items():
        due, hours = state.dues.get(seat), _hours(state, seat, command)
        word = _word(state, seat, prompt, hours, given.now)
        if word is not None:
            happenings.append(word)
        elif due is not None and due.reminded and due.until <= given.now:
            late[seat] = prompt
    return [*happenings, *_end(state, late, given)]


def awaited_prompts(state: State) -> dict[int, int]:
    """Return the decisions that people owe themselves: numbers by seat."""
    owed = (seat for seat in state.open_decisions if not state.occupants[seat].bot_decides)
    return {seat: state.decision_counts[seat] for seat in owed}


def open_dues(state: State) -> dict[int, Due]:
    """Return the times of what people owe themselves, by seat, as far as they have been told."""
    return {seat: state.dues[seat] for seat in awaited_prompts(state) if seat in state.dues}


def due_of(state: State, seat: int | None) -> float | None:
    """Return when what a seat owes is due, infinite where that is not told yet; None where it owes nothing."""
    if seat is None or seat not in awaited_prompts(state):
        return None
    due = open_dues(state).get(seat)
    return due.until if due is not None else math.inf


def _hours(state: State, seat: int, command: LookAtDues) -> Hours:
    person = state.occupants[seat].person
    return command.hours.get(person.id, AT_HOME) if person is not None else AT_HOME


def _word(state: State, seat: int, prompt: int, hours: Hours, now: float) -> NewEvent | None:
    """Return what is to be said of a decision's time; None where all has been said.

    A time that was told is never made shorter.
    """
    due, whole = state.dues.get(seat), state.settings.days * DAY
    if due is None:
        left = _barter_end(state) - now
        return _due_event("due", seat, prompt, now, now + left if left > 0 else due_at(now, whole, hours))
    until = due_at(due.since, GRACE if due.reminded else whole, hours)
    if until > due.until:
        return _due_event("reminded" if due.reminded else "due", seat, prompt, due.since, until)
    if due.until <= now and not due.reminded:
        return _due_event("reminded", seat, prompt, now, due_at(now, GRACE, hours))
    return None


def _barter_end(state: State) -> float:
    """Return when the barter that is on ends for all, as far as that is known: 0 where it is not, or none is on."""
    on = state.match is not None and state.match.open
    return max((due.until for due in state.dues.values()), default=0.0) if on else 0.0


def _due_event(kind: str, seat: int, prompt: int, since: float, until: float) -> NewEvent:
    return kind, {"seat": seat, "prompt": prompt, "since": since, "until": until}


def _end(state: State, late: dict[int, int], given: Given) -> list[NewEvent]:
    """Play what running out of time plays where the game tells; else bots decide, and can be sent away again.

    A barter ends for all at once, when everybody's time is over.
    """
    clocks = {seat: clock for seat in late if (clock := state.time_out(seat)) is not None}
    timed = {seat: prompt for seat, prompt in late.items() if seat in clocks}
    left = {seat: prompt for seat, prompt in late.items() if seat not in clocks}
    period = next((clock.period for clock in clocks.values()), None)
    if period is not None and late.keys() < awaited_prompts(state).keys():
        timed = {}
    played = run_out(state, RunOut(timed, period), given) if timed else []
    return [*take_over(state, TakeOver(left), given), *played]


def needs_look(state: State, now: float) -> bool:
    """True when something is to be said of somebody's time."""
    return awaited_prompts(state).keys() != open_dues(state).keys() or (next_look(state) or math.inf) <= now


def next_look(state: State) -> float | None:
    """Return when something is to be said of somebody's time, in seconds since 1970; None where nothing is.

    In a barter who has been reminded waits for the last one's time.
    """
    dues, last = open_dues(state).values(), _barter_end(state)
    return min((max(due.until, last) if due.reminded else due.until for due in dues), default=None)


def next_due(state: State) -> Due | None:
    """Return the time that ends first, None where none does."""
    return min(open_dues(state).values(), key=lambda due: due.until, default=None)
