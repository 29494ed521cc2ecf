"""People's decisions in the match: answers to pending or earlier prompts, and plans."""

import secrets
from collections.abc import Mapping, Sequence

from tavola.core import IllegalAction, Moment, View, kernels
from tavola.core.compilation import is_interpreted
from tavola.core.plan import Plan, describe_codes, make_plan
from tavola.core.rng import stream
from tavola.core.text import mark
from tavola.core.view import Buffers
from tavola.live.commands.ballot_window import is_on, store_choice
from tavola.live.commands.commands import BotAnswer, Given
from tavola.live.commands.require import require_match, require_player, require_seat
from tavola.live.log.budgets import require_log_space
from tavola.live.log.draft import Draft, legal_in
from tavola.live.log.events import NewEvent, played_events, taken_event
from tavola.live.log.people import SHOWS, Person
from tavola.live.log.state import State
from tavola.live.protocol import ComeBack, Play, SitOut
from tavola.live.room_refusals import BadSetting, Changed, Gone, StalePrompt, TooMuch
from tavola.show.cards import words_of
from tavola.show.kit import anonymous_say

MOST_SIT_OUTS = 3
"""Maximum times per match that a person can sit out or get up and still play again."""


def decide_play(state: State, command: Play, who: Person, given: Given) -> list[NewEvent]:
    """Play all steps of a decision, and the chance outcomes that follow; a person who was away is back."""
    match = require_match(state)
    seat = require_seat(state, who)
    asked, now, steps = _require_prompt(state, seat, command.prompt_id), state.view(seat), command.steps
    if is_on(state):
        return store_choice(state, seat, steps, given)
    if seat in state.owed_seals:
        sealed, *opened = seal_answer(state, seat, steps, given)
        return [sealed, *_come_back_events(state, seat), *opened]
    if asked is not now:
        _require_unchanged(asked, now, steps)
    draft = Draft(match, given.dice, state.reactions)
    if len(steps) > 1:
        _require_plannable(now, steps)
    for code in steps:
        _play_step(draft, state, seat, code, given)
    decision, *following = played_events(draft)
    return [decision, *_come_back_events(state, seat), *following]


def decide_come_back(state: State, command: ComeBack, who: Person, given: Given) -> list[NewEvent]:
    """Give a seat back from a bot to its person."""
    return _come_back_events(state, require_player(state, who))


def decide_sit_out(state: State, command: SitOut, who: Person, given: Given) -> list[NewEvent]:
    """Let a bot decide for a person who goes on watching and keeps their seat in a rematch."""
    seat = require_player(state, who)
    if command.show not in SHOWS:
        raise BadSetting(mark("choose what to see while you sit out: {shows}"), shows=", ".join(SHOWS))
    if state.occupants[seat].sits_out == command.show:
        return []
    if not state.occupants[seat].sits_out and state.sit_outs[seat] >= MOST_SIT_OUTS:
        raise TooMuch(
            mark("you’ve already let a bot play {most} times in this match: decide yourself or leave your seat"),
            most=MOST_SIT_OUTS,
        )
    require_log_space(state, who)
    return [taken_event(seat, command.show)]


def plan_steps(state: State, person: Person, codes: Sequence[str], prompt_id: int) -> Plan:
    """Return what the person's seat would see after steps of the decision `prompt_id`, without playing them.

    They are tried on the current table, which others may have changed since. Raises `IllegalAction` if the rules, or
    what the planner can know, do not allow them.
    """
    seat = require_player(state, person)
    _require_prompt(state, seat, prompt_id)
    return make_plan(state.view(seat), codes)


def _come_back_events(state: State, seat: int) -> list[NewEvent]:
    """Return the event of a person who plays again; refuse one who has got up too often."""
    place = state.occupants[seat]
    if place.has_left and state.sit_outs[seat] > MOST_SIT_OUTS:
        raise TooMuch(mark("you’ve left your seat to a bot more than {most} times, so it plays on"), most=MOST_SIT_OUTS)
    return [("returned", {"seat": seat})] if place.taken_over else []


def _require_plannable(view: View, steps: Sequence[str]) -> None:
    """Refuse steps that cannot be planned. The last can be any action, since nothing follows it."""
    *before, last = steps
    planned, game = make_plan(view, before), view.game
    if planned.stop or game.actions.verb(game.actions.number(last)).planned:
        planned.with_step(last)


def _play_step(draft: Draft, state: State, seat: int, code: str, given: Given) -> None:
    actions, number = draft.game.actions, draft.game.actions.number(code)
    if number not in (legal := draft.legal(seat)):
        expected = describe_codes(list(map(actions.code, legal))) or "no action"
        raise IllegalAction(f"{actions.code(number)!r} is not allowed now: expected {expected}")
    reaction = given.reaction if draft.game.is_race_answer(number) else None
    timed = state.time_out(seat) if reaction is not None and reaction.too_soon else None
    if timed is None:
        draft.play(seat, number, reaction)
    else:  # too fast for a person: counts as if the time had run out
        draft.play(seat, actions.number(timed.code), reaction, meant=number)


def _require_prompt(state: State, seat: int, prompt_id: int) -> View:
    """Return what the seat saw when it was asked the decision `prompt_id`; refuse one that it can no longer answer.

    It can answer the one it owes. In an open decision it can also answer an earlier prompt of the same period of the
    game's clock, since it last acted: it has perhaps not seen what the others have done since then.
    """
    owed, earlier = state.prompt_id(seat), state.earlier_moments.get(seat, [])
    if owed is not None and owed - len(earlier) <= prompt_id <= owed:
        now = state.view(seat)
        then = now if prompt_id == owed else state.view(seat, earlier[prompt_id - owed])
        if _period(then) == _period(now):
            return then
    raise StalePrompt


def _period(view: View) -> int | None:
    timed = view.game.clock(view) if view.game.clock is not None else None
    return timed.period if timed is not None else None


def _require_unchanged(then: View, now: View, steps: Sequence[str]) -> None:
    """Refuse an answer to the view `then` that does not mean the same, step by step, on the view `now`."""
    game = now.game
    if game.unchanged is None:
        raise StalePrompt(mark("someone got there first: look again and choose"))
    before, after = make_plan(then, ()), make_plan(now, ())
    for place, number in enumerate(map(game.actions.number, steps)):
        if place:
            before, after = (planned.with_step(steps[place - 1]) for planned in (before, after))
        known, legal = number in before.view.legal, number in after.view.legal
        if known and not legal:
            raise Gone
        if legal and not (known and game.unchanged(before.view, after.view, number)):
            raise Changed


# Sealed answers of people and bots: the last one releases the held outcome, and all are opened.


def seal_answer(state: State, seat: int, steps: Sequence[str], given: Given) -> list[NewEvent]:
    """Seal the answer that a person owes; raise `IllegalAction` for anything else."""
    number = state.game.actions.number(steps[0])
    if len(steps) != 1 or number not in state.owed_seals[seat]:
        expected = ", ".join(map(state.game.actions.code, state.owed_seals[seat]))
        raise IllegalAction(f"{steps[0]!r} is not allowed now: expected one of {expected}")
    return _seal(state, {seat: number}, given)


def seal_for_bots(state: State, answers: Mapping[int, BotAnswer], given: Given) -> list[NewEvent]:
    """Seal the answers that bots owe."""
    owed, chosen = state.owed_seals, {seat: answer.turn[0] for seat, answer in answers.items()}
    return _seal(state, {seat: number for seat, number in chosen.items() if number in owed.get(seat, ())}, given)


def _seal(state: State, numbers: Mapping[int, int], given: Given) -> list[NewEvent]:
    code = state.game.actions.code
    events: list[NewEvent] = [("sealed", {"seat": seat, "code": code(number)}) for seat, number in numbers.items()]
    if not state.owed_seals.keys() <= numbers.keys():
        return events
    assert state.match is not None
    draft = Draft(state.match, given.dice)
    known = {seat: state.game.actions.number(code) for seat, code in state.sealed.items()}
    draft.open_seals({**known, **numbers})
    return [*events, *played_events(draft)]


# A single legal action can play itself. That reveals that it was the only one, which is harmless if all others see that
# already or are bots, which ignore clocks.


def stays_done(state: State, seat: int) -> bool:
    """Return whether an eliminated player has left the present barter: new offers do not call them back.

    What they play when the time is up ends their part of it.
    """
    match = state.match
    if match is None or not match.open or seat not in state.open_decisions or state.occupants[seat].bot_decides:
        return False
    view, timed = state.view(seat), state.time_out(seat)
    place = next((at for at in range(len(match.history) - 1, -1, -1) if match.history[at][0] == seat), None)
    if timed is None or place is None or state.game.actions.code(match.history[place][1]) != timed.code:
        return False
    is_out = words_of(state.game).eliminated(view, anonymous_say(state.game, "en"))
    return bool(is_out) and _period(state.view(seat, Moment(place))) == timed.period


WORLDS = 32
"""Redeals tried for each other seat."""


def has_only_answer(state: State, seat: int) -> bool:
    """Return whether a person has only one legal action, in a decision that is neither open nor a race."""
    match = state.match
    if match is None or match.open or seat not in state.open_decisions or state.occupants[seat].bot_decides:
        return False
    return len(state.view(seat).legal) == 1 and not state.is_racing(seat)


def is_forced(state: State) -> bool:
    """Return whether all seats that decide at the same time have one legal action each, as everyone can see."""
    match = state.match
    if match is None or match.open or len(state.open_decisions) < 2 or state.in_suspense or state.undo_request:
        return False
    seats = sorted(state.open_decisions)
    only = all(len(match.legal_numbers(seat)) == 1 and not state.is_racing(seat) for seat in seats)
    return only and all(is_evident(state, seat) and _is_public(state, seat) for seat in seats)


def _is_public(state: State, seat: int) -> bool:
    """Return whether a spectator, who sees no hand, finds the same legal actions of a seat."""
    return legal_in(state.view(None).states, seat, Buffers(state.game)) == list(state.view(seat).legal)


def is_evident(state: State, seat: int) -> bool:
    """Return whether each other seat knows that this is the only legal action of a seat.

    It is tried on redeals of what each of them sees. Return False for an interpreted game, where that would take too
    long.
    """
    if (match := state.match) is None or is_interpreted(state.game.source_folder):
        return False
    return all(_knows(state, other, seat) for other in range(match.players) if other != seat)


def _knows(state: State, other: int, seat: int) -> bool:
    seen, own, buffers = state.view(other), list(state.view(seat).legal), Buffers(state.game)
    for _ in range(WORLDS):
        states = state.game.copy_states(seen.states)
        kernels.redeal_at(states, 0, other, stream(secrets.randbits(63)))
        if legal_in(states, seat, buffers) != own:
            return False
    return True
