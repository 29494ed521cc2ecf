"""Events in the making: what a command decides, before it is numbered and written. Kinds and bodies as in `fold`."""

from collections.abc import Sequence
from typing import Any

from tavola.core import Game, Match
from tavola.live.log.dice import Dice
from tavola.live.log.draft import Draft
from tavola.live.log.occupants import Member
from tavola.live.log.people import Person
from tavola.live.log.room_settings import Settings, settings_body
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
        **settings_body(settings),
        "host": {"id": host.id, "name": host.name},
        "again": again,
    }


def started_events(game: Game, options: dict[str, str], dice: Dice) -> list[NewEvent]:
    """The match begins, chance first where it owes something."""
    return [("started", {}), *played_events(Draft(Match(game, options), dice))]


def begin_events(state: State, dice: Dice) -> list[NewEvent]:
    """The match begins; bots decide for those who were waited for in vain."""
    return [*started_events(state.game, state.options, dice), *map(taken_event, state.unready_seats())]


def ready_events(state: State, seat: int, dice: Dice) -> list[NewEvent]:
    """Somebody is ready for a rematch; when he was the last one, and all seats are taken, it begins."""
    last = set(state.free_seats) <= {seat} and set(state.unready_seats()) <= {seat}
    return [("ready", {"seat": seat}), *(begin_events(state, dice) if last else [])]


def number_events(happenings: Sequence[NewEvent], first: int, key: str | None, at: float) -> list[Event]:
    """Events with their numbers and their time, in seconds since 1970; the first one carries the command's id."""
    return [
        Event(seq, kind, body, key if seq == first else None, at) for seq, (kind, body) in enumerate(happenings, first)
    ]


def joined_event(seat: int, person: Person, origin: str = "") -> NewEvent:
    """Somebody sits down; `origin`: a mark of the address that he comes from, where that is known."""
    body = {"seat": seat, "id": person.id, "name": person.name}
    return "joined", {**body, "origin": origin} if origin else body


def bot_event(seat: int, level: str, member: Member) -> NewEvent:
    """A bot sits down."""
    return "bot", {"seat": seat, "level": level, **member._asdict()}


def bot_events(state: State, seats: Sequence[int], level: str, dice: Dice) -> list[NewEvent]:
    """Bots of a level sit down, no two of the cast alike."""
    names, happenings = list(state.names), []
    for seat in seats:
        member = dice.draw_member(names)
        names.append(member.name)
        happenings.append(bot_event(seat, level, member))
    return happenings


def taken_event(seat: int, show: str = "") -> NewEvent:
    """A bot decides for the person on a seat; `show`: by his own wish, and what he wants to be shown."""
    return "taken", {"seat": seat, **({"show": show} if show else {})}


def returned_event(seat: int) -> NewEvent:
    """The person on a seat decides again."""
    return "returned", {"seat": seat}


def played_events(draft: Draft) -> list[NewEvent]:
    """Return what was tried on a draft, as events."""
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
    """True when something is awaited in a room (None: a new one) after these events.

    Such rooms are taken up when the server starts again: a match runs, or a rematch is about to begin.
    """
    kinds = {event.kind for event in events}
    if "over" in kinds or (state is not None and state.phase == "over"):
        return False
    again = state.is_rematch or state.start_pending if state is not None else bool(events[0].body.get("again"))
    return again or bool(kinds & {"started", "begins"}) or (state is not None and state.phase == "playing")
