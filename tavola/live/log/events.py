"""New events, before they are numbered and stored. `fold` lists their kinds and bodies."""

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
"""The kind and body of an event without a number."""


def created_event(
    game: Game, options: dict[str, str], settings: Settings, host: Person, *, again: bool = False
) -> NewEvent:
    """Return the first event of a room; `again`: it is a rematch, which begins when all are ready."""
    return "created", {
        "game": game.name,
        "version": game.version,
        "options": options,
        **settings_body(settings),
        "host": {"id": host.id, "name": host.name},
        "again": again,
    }


def started_events(game: Game, options: dict[str, str], dice: Dice) -> list[NewEvent]:
    """Return the events that start a match, with the chance outcomes at its beginning."""
    return [("started", {}), *played_events(Draft(Match(game, options), dice))]


def begin_events(state: State, dice: Dice) -> list[NewEvent]:
    """Return the events that start the match; bots decide for people who are not ready."""
    return [*started_events(state.game, state.options, dice), *map(taken_event, state.unready_seats())]


def ready_events(state: State, seat: int, dice: Dice) -> list[NewEvent]:
    """Return the events of a person who is ready for a rematch; the last one starts it, if all seats are taken."""
    last = set(state.free_seats) <= {seat} and set(state.unready_seats()) <= {seat}
    return [("ready", {"seat": seat}), *(begin_events(state, dice) if last else [])]


def number_events(new_events: Sequence[NewEvent], first: int, key: str | None, at: float) -> list[Event]:
    """Return events with numbers and times, in seconds since 1970; the first has the command's id, `key`."""
    return [Event(seq, *new, key if seq == first else None, at) for seq, new in enumerate(new_events, first)]


def joined_event(seat: int, person: Person, origin: str = "") -> NewEvent:
    """Return the event of a person who takes a seat; `origin`: their anonymised address, if known."""
    body = {"seat": seat, "id": person.id, "name": person.name, **({"face": person.face} if person.face else {})}
    return "joined", {**body, "origin": origin} if origin else body


def bot_event(seat: int, level: str, member: Member) -> NewEvent:
    """Return the event of a bot that takes a seat."""
    return "bot", {"seat": seat, "level": level, **member._asdict()}


def bot_events(state: State, seats: Sequence[int], level: str, dice: Dice) -> list[NewEvent]:
    """Return the events of bots that take seats, each a different member of the cast."""
    names, new_events = list(state.names), []
    for seat in seats:
        member = dice.draw_member(names)
        names.append(member.name)
        new_events.append(bot_event(seat, level, member))
    return new_events


def taken_event(seat: int, show: str = "") -> NewEvent:
    """Return the event of a bot that decides for a person; `show`: what a person who sits out wants to see."""
    return "taken", {"seat": seat, **({"show": show} if show else {})}


def played_events(draft: Draft) -> list[NewEvent]:
    """Return the actions tried on a draft as events."""
    code = draft.game.actions.code
    new_events: list[NewEvent] = [
        ("played", {"seat": seat, "code": code(number), **draft.extra_fields.get(place, {})})
        for place, (seat, number) in enumerate(draft.actions)
    ]
    result = draft.result() if draft.actions else None
    if result is not None:
        new_events.append(("over", {"points": list(result.points), "places": list(result.ranks)}))
    return new_events


def stays_awake(state: State | None, events: Sequence[Event]) -> bool:
    """Return whether something is pending in a room (None: a new one) after these events.

    Such rooms are loaded when the server restarts: a match is running, or a rematch is about to begin.
    """
    kinds = {event.kind for event in events}
    if kinds & {"over", "shut"} or (state is not None and (state.phase == "over" or state.shut)):
        return False
    again = state.is_rematch or state.start_pending if state is not None else bool(events[0].body.get("again"))
    return again or bool(kinds & {"started", "begins"}) or (state is not None and state.phase == "playing")
