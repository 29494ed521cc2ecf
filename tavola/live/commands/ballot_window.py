"""The talk window of a ballot: choices can be changed while it is open, and then all are played at once.

A ballot is a secret decision of several seats at the same time. Open decisions have no window: a market is talk, and
offers in it can be withdrawn. Choices are secret, even that there is one; that a seat has talked enough is public.
"""

from collections.abc import Sequence
from typing import Any

from tavola.core import IllegalAction
from tavola.live.commands.commands import Given, ServerCommand
from tavola.live.commands.require import require_player
from tavola.live.log.draft import Draft
from tavola.live.log.events import NewEvent, played_events
from tavola.live.log.people import Person
from tavola.live.log.state import State, TalkWindow
from tavola.live.protocol import Enough
from tavola.live.room_refusals import StalePrompt


def is_due(state: State) -> bool:
    """Return whether a ballot in which a person decides has opened, and its window has not."""
    match = state.match
    if not state.settings.window or match is None or match.over or match.open or state.window is not None:
        return False
    opened, now = state.open_decisions, state.moment
    fresh = len(opened) > 1 and state.window_moment != now and all(moment == now for moment in opened.values())
    if not fresh or not state.deciding_people:
        return False
    verbs = (state.game.actions.verb(number) for seat in opened for number in match.legal_numbers(seat))
    return all(verb.secret and not verb.planned for verb in verbs)


def is_on(state: State) -> bool:
    """Return whether a ballot's choices can still be changed."""
    return state.window is not None or is_due(state)


def store_choice(state: State, seat: int, steps: Sequence[str], given: Given, **more: Any) -> list[NewEvent]:
    """Store a person's choice, or replace it; refuse what the rules do not allow. `more`: fields of its event."""
    code = steps[0]
    if len(steps) != 1 or state.game.actions.number(code) not in state.view(seat).legal:
        raise IllegalAction(f"{code!r} is not allowed now: expected a single action of this ballot")
    back: list[NewEvent] = [("returned", {"seat": seat})] if state.occupants[seat].taken_over else []
    known = state.window.chosen.get(seat) if state.window is not None else None
    chosen: list[NewEvent] = [("chosen", {"seat": seat, "code": code, **more})] if code != known else []
    return [*_opening(state, given), *chosen, *back]


def end_talk(state: State, command: Enough, who: Person, given: Given) -> list[NewEvent]:
    """Note that a seat has talked enough; close the window once all people who decide have said so."""
    seat = require_player(state, who)
    if not is_on(state) or seat not in state.open_decisions:
        raise StalePrompt
    said = state.window.enough if state.window is not None else set[int]()
    if seat in said:
        return []
    events = [*_opening(state, given), ("enough", {"seat": seat})]
    return [*events, *_closing(state, given)] if said | {seat} >= {*state.deciding_people} else events


class OpenWindow(ServerCommand, frozen=True):
    """The opening of a ballot's talk window, if one is due, for as long as the room's settings say."""

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        return _opening(state, given)


class CloseWindow(ServerCommand, frozen=True):
    """The closing of the talk window that was to be open `until` then; its choices are played."""

    until: float

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        return _closing(state, given) if state.window is not None and state.window.until == self.until else []


def _opening(state: State, given: Given) -> list[NewEvent]:
    return [("window", {"until": max(given.now, given.scene_end) + state.settings.window})] if is_due(state) else []


def _closing(state: State, given: Given) -> list[NewEvent]:
    """Close the window and play all choices; seats without one decide from now on."""
    assert state.match is not None
    draft, window = Draft(state.match, given.dice), state.window or TalkWindow(0)
    for seat in sorted(set(window.chosen) & set(state.deciding_people)):
        number = state.game.actions.number(window.chosen[seat])
        if number in draft.legal(seat):
            if seat in window.ahead:
                draft.extra_fields[len(draft.actions)] = {"ahead": window.ahead[seat]}
            draft.play(seat, number)
    return [("closed", {}), *played_events(draft)]
