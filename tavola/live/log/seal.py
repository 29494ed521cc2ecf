"""Answers are sealed by people and bots; with the last one what chance holds falls, and all are opened."""

from collections.abc import Mapping, Sequence

from tavola.core import IllegalAction
from tavola.live.log.commands import BotAnswer, Given
from tavola.live.log.draft import Draft
from tavola.live.log.events import NewEvent, played_events
from tavola.live.log.state import State


def seal_answer(state: State, seat: int, steps: Sequence[str], given: Given) -> list[NewEvent]:
    """Somebody seals the answer that he owes; `IllegalAction` for anything else."""
    number = state.game.actions.number(steps[0])
    if len(steps) != 1 or number not in state.owed_seals[seat]:
        expected = ", ".join(map(state.game.actions.code, state.owed_seals[seat]))
        raise IllegalAction(f"{steps[0]!r} is not allowed now: expected one of {expected}")
    return _seal(state, {seat: number}, given)


def seal_for_bots(state: State, answers: Mapping[int, BotAnswer], given: Given) -> list[NewEvent]:
    """Bots seal theirs."""
    owed = state.owed_seals
    return _seal(
        state, {seat: one.turn[0] for seat, one in answers.items() if one.turn[0] in owed.get(seat, ())}, given
    )


def _seal(state: State, numbers: Mapping[int, int], given: Given) -> list[NewEvent]:
    events: list[NewEvent] = [
        ("sealed", {"seat": seat, "code": state.game.actions.code(number)}) for seat, number in numbers.items()
    ]
    if not state.owed_seals.keys() <= numbers.keys():
        return events
    assert state.match is not None
    draft = Draft(state.match, given.dice)
    known = {seat: state.game.actions.number(code) for seat, code in state.sealed.items()}
    draft.open_seals({**known, **numbers})
    return [*events, *played_events(draft)]
