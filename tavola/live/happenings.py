"""Events in the making: what a command decides, before it is numbered and written. Kinds and bodies as in `fold`."""

import time
from collections.abc import Sequence
from typing import Any

from tavola.core import Game, Match
from tavola.live.cast import Member
from tavola.live.draft import Draft
from tavola.live.fold import State
from tavola.live.people import Person, Settings
from tavola.store import Event

Happening = tuple[str, dict[str, Any]]
"""An event before it has its number: kind and body."""


def created(game: Game, options: dict[str, str], settings: Settings, host: Person, *, again: bool = False) -> Happening:
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


def started(game: Game, options: dict[str, str]) -> list[Happening]:
    """The match begins, chance first where it owes something."""
    return [("started", {}), *played(Draft(Match(game, options)))]


def numbered(happenings: Sequence[Happening], first: int, key: str | None) -> list[Event]:
    """Events with their numbers and the time; the first one carries the command's id."""
    now = time.time()
    return [
        Event(seq, kind, body, key if seq == first else None, now) for seq, (kind, body) in enumerate(happenings, first)
    ]


def joined(seat: int, person: Person) -> Happening:
    """Somebody sits down."""
    return "joined", {"seat": seat, "id": person.id, "name": person.name}


def seated_bot(seat: int, level: str, member: Member) -> Happening:
    """A bot sits down."""
    return "bot", {"seat": seat, "level": level, **member._asdict()}


def taken_over(seat: int) -> Happening:
    """A bot decides for the person on a seat."""
    return "taken", {"seat": seat}


def returned(seat: int) -> Happening:
    """The person on a seat decides again."""
    return "returned", {"seat": seat}


def played(draft: Draft) -> list[Happening]:
    """What was tried on a draft, as events."""
    code = draft.game.actions.code
    happenings: list[Happening] = [
        ("played", {"seat": seat, "code": code(number), **draft.extra.get(place, {})})
        for place, (seat, number) in enumerate(draft.actions)
    ]
    result = draft.result() if draft.actions else None
    if result is not None:
        happenings.append(("over", {"points": list(result.points), "places": list(result.places)}))
    return happenings


def awaits(state: State | None, events: Sequence[Event]) -> bool:
    """Whether something is awaited in a room (None: a new one) after these events.

    Such rooms are taken up when the server starts again: a match runs, or a rematch is about to begin.
    """
    kinds = {event.kind for event in events}
    if "over" in kinds or (state is not None and state.phase == "over"):
        return False
    again = state.again or state.begins if state is not None else bool(events[0].body.get("again"))
    return again or bool(kinds & {"started", "begins"}) or (state is not None and state.phase == "playing")
