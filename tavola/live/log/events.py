"""Events in the making: what a command decides, before it is numbered and written. Kinds and bodies as in `fold`."""

import time
from collections.abc import Sequence
from typing import Any

from tavola.core import Game, Match
from tavola.live.log.cast import Member
from tavola.live.log.draft import Draft
from tavola.live.log.people import Person, Settings
from tavola.live.log.state import State
from tavola.store import Event

NewEvent = tuple[str, dict[str, Any]]
"""An event before it has its number: kind and body."""


def created_event(
    game: Game, options: dict[str, str], settings: Settings, host: Person, *, again: bool = False
) -> NewEvent:
    """The first event of a room; `again`: it is a rematch, which begins when everybody is ready."""
    return "created", {
        "game": game.name,
        "version": game.version,
        "options": options,
        "public": settings.public,
        "patience": settings.patience,
        "pace": settings.pace,
        "host": {"id": host.id, "name": host.name},
        "again": again,
    }


def started_events(game: Game, options: dict[str, str]) -> list[NewEvent]:
    """The match begins, chance first where it owes something."""
    return [("started", {}), *played_events(Draft(Match(game, options)))]


def number_events(happenings: Sequence[NewEvent], first: int, key: str | None) -> list[Event]:
    """Events with their numbers and the time; the first one carries the command's id."""
    now = time.time()
    return [
        Event(seq, kind, body, key if seq == first else None, now) for seq, (kind, body) in enumerate(happenings, first)
    ]


def joined_event(seat: int, person: Person) -> NewEvent:
    """Somebody sits down."""
    return "joined", {"seat": seat, "id": person.id, "name": person.name}


def bot_event(seat: int, level: str, member: Member) -> NewEvent:
    """A bot sits down."""
    return "bot", {"seat": seat, "level": level, **member._asdict()}


def taken_event(seat: int) -> NewEvent:
    """A bot decides for the person on a seat."""
    return "taken", {"seat": seat}


def returned_event(seat: int) -> NewEvent:
    """The person on a seat decides again."""
    return "returned", {"seat": seat}


def played_events(draft: Draft) -> list[NewEvent]:
    """What was tried on a draft, as events."""
    code = draft.game.actions.code
    happenings: list[NewEvent] = [
        ("played", {"seat": seat, "code": code(number), **draft.extra_fields.get(place, {})})
        for place, (seat, number) in enumerate(draft.actions)
    ]
    result = draft.result() if draft.actions else None
    if result is not None:
        happenings.append(("over", {"points": list(result.points), "places": list(result.ranks)}))
    return happenings


def stays_awake(state: State | None, events: Sequence[Event]) -> bool:
    """Whether something is awaited in a room (None: a new one) after these events.

    Such rooms are taken up when the server starts again: a match runs, or a rematch is about to begin.
    """
    kinds = {event.kind for event in events}
    if "over" in kinds or (state is not None and state.phase == "over"):
        return False
    again = state.is_rematch or state.start_pending if state is not None else bool(events[0].body.get("again"))
    return again or bool(kinds & {"started", "begins"}) or (state is not None and state.phase == "playing")
