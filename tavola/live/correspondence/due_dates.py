"""Deadlines of correspondence matches: when decisions are due, warnings, reminders, and decisions by bots."""

import math
from collections.abc import Mapping

from tavola.live.commands.commands import Given, ServerCommand
from tavola.live.commands.server_commands import RunOut
from tavola.live.correspondence.hours import AT_HOME, DAY, GRACE, Due, Hours, due_at, warn_at
from tavola.live.log.events import NewEvent, taken_event
from tavola.live.log.state import State


class UpdateDeadlines(ServerCommand, frozen=True):
    """An update of the deadlines of a correspondence game, with the `hours` of each person who has set some.

    It sets deadlines, warns and reminds players, runs their time banks, or lets the game's clock or a bot decide after
    that. It also records holidays, which everyone in the room may see.
    """

    hours: Mapping[str, Hours]

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        if state.phase != "playing" or not state.settings.days:
            return []
        people = (place.person for place in state.occupants)
        hours = [self.hours.get(person.id, AT_HOME) if person is not None else AT_HOME for person in people]
        new_events, late = _holidays(state, hours, given.now), dict[int, int]()
        for seat, prompt in awaited_prompts(state).items():
            due, word = state.dues.get(seat), _word(state, seat, prompt, hours[seat], given.now)
            if word is not None:
                new_events.append(word)
            elif due is not None and due.reminded and due.until <= given.now:
                late[seat] = prompt
        return [*new_events, *_end(state, late, given)]


def awaited_prompts(state: State) -> dict[int, int]:
    """Return the numbers of the decisions that people, not bots, owe, by seat."""
    return {seat: state.decision_counts[seat] for seat in state.deciding_people}


def open_dues(state: State) -> dict[int, Due]:
    """Return the deadlines of the decisions that people owe, by seat, as far as they are set."""
    return {seat: state.dues[seat] for seat in awaited_prompts(state) if seat in state.dues} if state.dues else {}


def due_of(state: State, seat: int | None) -> float | None:
    """Return when a seat's decision is due: infinity if that is not set yet, None if it owes none."""
    if seat is None or seat not in awaited_prompts(state):
        return None
    due = open_dues(state).get(seat)
    return due.until if due is not None else math.inf


def bank_left(state: State, seat: int) -> float:
    """Return the seconds of its time bank that a seat can still use for a decision, by the log; none in a barter."""
    return 0.0 if state.match is None or state.match.open else state.bank_left(seat)


def stage_seconds(state: State, seat: int, due: Due) -> float:
    """Return the seconds of what runs now: the decision's own time, the time bank, or the last hours."""
    return {"": state.settings.days * DAY, "banked": bank_left(state, seat), "reminded": GRACE}[due.stage]


def bot_decides_at(state: State, seat: int, due: Due) -> float:
    """Return when a bot will decide for a seat, in seconds since 1970, without the nights and holidays to come."""
    return due.until + {"": bank_left(state, seat) + GRACE, "banked": GRACE, "reminded": 0.0}[due.stage]


def bank_used(state: State, now: float) -> dict[int, float]:
    """Return the seconds of its time bank that each open decision has used. The last seconds before its end count.

    If a night or a holiday has postponed the end, the time before that is free.
    """
    left = {seat: (state.bank_left(seat), due.until - now) for seat, due in open_dues(state).items() if due.banked}
    used = {seat: min(bank, round(max(0.0, bank - rest), 3)) for seat, (bank, rest) in left.items()}
    return {seat: seconds for seat, seconds in used.items() if seconds}


def _holidays(state: State, hours_by_seat: list[Hours], now: float) -> list[NewEvent]:
    new_events = list[NewEvent]()
    for seat, (place, hours) in enumerate(zip(state.occupants, hours_by_seat, strict=True)):
        until = hours.away_until if hours.is_away(now) and not place.has_left else None
        if until != state.away_until(seat, now):
            ends = {"until": 0.0} if until is None else {"until": until, "day": hours.back_on}
            new_events.append(("away", {"seat": seat, **ends}))
    return new_events


def _word(state: State, seat: int, prompt: int, hours: Hours, now: float) -> NewEvent | None:
    """Return the next event for a decision's deadline, or None. A deadline never becomes earlier."""
    due, whole = state.dues.get(seat), state.settings.days * DAY
    if due is None:
        left = _barter_end(state) - now
        until = now + left if left > 0 else due_at(now, whole, hours)
        return _due_event("due", seat, prompt, now, until, warn_at(now, until, whole, hours))
    until = due_at(due.since, stage_seconds(state, seat, due), hours)
    if until > due.until:
        warn = None if due.stage else warn_at(due.since, until, whole, hours)
        return _due_event(due.stage or "due", seat, prompt, due.since, until, warn)
    if due.until <= now and not due.reminded:
        bank = 0.0 if due.banked else bank_left(state, seat)
        kind, seconds = ("banked", bank) if bank else ("reminded", GRACE)
        return _due_event(kind, seat, prompt, now, due_at(now, seconds, hours))
    is_near = due.warn <= now and not (due.warned or due.stage)
    return ("warned", {"seat": seat, "prompt": prompt}) if is_near else None


def _barter_end(state: State) -> float:
    """Return when the open barter ends for everyone; 0 if that is not known, or none is open."""
    on = state.match is not None and state.match.open
    return max((due.until for due in state.dues.values()), default=0.0) if on else 0.0


def _due_event(kind: str, seat: int, prompt: int, since: float, until: float, warn: float | None = None) -> NewEvent:
    body = {"seat": seat, "prompt": prompt, "since": since, "until": until}
    return kind, body if warn is None else {**body, "warn": warn}


def _end(state: State, late: dict[int, int], given: Given) -> list[NewEvent]:
    """Play the game's time-out actions; for other seats bots make this decision, or all if it is one too many.

    A barter ends for everyone at once, when all deadlines have passed.
    """
    clocks = {seat: clock for seat in late if (clock := state.time_out(seat)) is not None}
    period = next((clock.period for clock in clocks.values()), None)
    if period is not None and late.keys() < awaited_prompts(state).keys():
        clocks, late = {}, {seat: prompt for seat, prompt in late.items() if seat not in clocks}
    missed: list[NewEvent] = [("missed", {"seat": seat, "prompt": prompt}) for seat, prompt in late.items()]
    kept = [taken_event(seat) for seat in late if state.occupants[seat].misses + 1 >= state.settings.misses]
    timed = {seat: prompt for seat, prompt in late.items() if seat in clocks}
    return [*missed, *kept, *(RunOut(timed, period).decide(state, given) if timed else [])]


def needs_look(state: State, now: float) -> bool:
    """Return whether a deadline must be set, or has passed."""
    return awaited_prompts(state).keys() != open_dues(state).keys() or (next_look(state) or math.inf) <= now


def next_look(state: State) -> float | None:
    """Return the time of the next check in seconds since 1970, or None.

    In a barter, a seat that has been reminded waits for the last deadline.
    """
    last, times = _barter_end(state), list[float]()
    for due in open_dues(state).values():
        coming = due.until if due.warned else min(due.warn, due.until)
        times.append(max(due.until, last) if due.reminded else coming)
    return min(times, default=None)


def next_due(state: State) -> Due | None:
    """Return the earliest deadline, or None."""
    return min(open_dues(state).values(), key=lambda due: due.until, default=None)
