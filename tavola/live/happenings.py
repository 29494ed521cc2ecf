"""Events in the making: what a command decides, before it is numbered and written. Kinds and bodies as in `fold`."""

import time
from collections.abc import Sequence
from typing import Any

from tavola.core import Game, Match
from tavola.live.draft import Draft
from tavola.live.fold import Phase
from tavola.live.people import Person, Settings
from tavola.store import Event

Happening = tuple[str, dict[str, Any]]
"""An event before it has its number: kind and body."""


def created(game: Game, options: dict[str, str], settings: Settings, host: Person) -> Happening:
    """The first event of a room."""
    return "created", {
        "game": game.name,
        "version": game.version,
        "options": options,
        "public": settings.public,
        "patience": settings.patience,
        "host": {"id": host.id, "name": host.name},
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


def returned(seat: int) -> Happening:
    """The person on a seat decides again."""
    return "returned", {"seat": seat}


def played(draft: Draft) -> list[Happening]:
    """What was tried on a draft, as events."""
    code = draft.game.actions.code
    happenings: list[Happening] = [("played", {"seat": seat, "code": code(number)}) for seat, number in draft.actions]
    result = draft.result() if draft.actions else None
    if result is not None:
        happenings.append(("over", {"points": list(result.points), "places": list(result.places)}))
    return happenings


def plays_after(phase: Phase, events: Sequence[Event]) -> bool:
    """Whether a match runs after these events: such rooms are taken up when the server starts again."""
    kinds = {event.kind for event in events}
    return "over" not in kinds and (phase == "playing" or "started" in kinds)
