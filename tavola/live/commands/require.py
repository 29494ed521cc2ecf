"""Preconditions of commands: each function returns what it is asked for, or refuses."""

from collections.abc import Collection
from math import ceil

from tavola.bots import LEVELS
from tavola.core import Game, Match
from tavola.core.text import isolated, mark
from tavola.live.commands.commands import Given
from tavola.live.log.people import CHAT_LINES, CHAT_WINDOW, Person
from tavola.live.log.room_settings import Settings
from tavola.live.log.state import READY_WITHIN, State
from tavola.live.room_refusals import (
    BadSetting,
    FullRoom,
    NotGathering,
    NotHost,
    NotPlaying,
    NotReady,
    NotSeated,
    NotWelcome,
    TooFast,
)

REMOVED_FOR = 600.0
"""Seconds for which a person removed by the host cannot take a seat again."""


def require_gathering(state: State) -> None:
    """Refuse once the match has begun."""
    if state.phase != "gathering":
        raise NotGathering


def require_time_for_races(game: Game, settings: Settings) -> None:
    """Refuse correspondence for a game with races but no suspense, in which answers cannot be sealed."""
    if settings.days and game.races and not game.suspense:
        raise BadSetting(mark("{game} is a game of speed: it can’t be played by correspondence"), game=game.title)


def require_match(state: State) -> Match:
    """Return the match; refuse if none is being played."""
    if state.match is None or state.phase != "playing":
        raise NotPlaying
    return state.match


def require_host(state: State, person: Person) -> None:
    """Refuse anyone except the host, and anything once the match has begun."""
    if person.id != state.host.id:
        raise NotHost(host=state.host.name)
    require_gathering(state)


def require_not_removed(state: State, person: Person, now: float) -> None:
    """Refuse a person whom the host has just removed."""
    left = state.removed_at.get(person.id, 0.0) + REMOVED_FOR - now
    if 0 < left <= REMOVED_FOR:  # more if the clock was set back
        raise NotWelcome(minutes=ceil(left / 60))


def require_all_ready(state: State, now: float) -> None:
    """Refuse while a rematch still waits for players."""
    awaited = state.unready_seats()
    if awaited and 0 < state.ready_until - now <= READY_WITHIN:  # more if the clock was set back
        raise NotReady(names=", ".join(isolated(state.names[seat]) for seat in awaited))


def require_seat(state: State, person: Person) -> int:
    """Return the seat of a person; refuse a person without one."""
    if (seat := state.seat_of(person.id)) is None:
        raise NotSeated(mark("you don’t have a seat here"))
    return seat


def require_player(state: State, person: Person) -> int:
    """Return the seat of a person; refuse a person without one, and everyone while no match is being played."""
    require_match(state)
    return require_seat(state, person)


def require_free_seat(state: State, seat: int | None) -> int:
    """Return the requested seat, or the first free one; refuse if it is taken."""
    count, free = len(state.occupants), state.free_seats
    if seat is None:
        if not free:
            raise FullRoom(mark("all {count} seats are taken"), count=count)
        return free[0]
    if not 0 <= seat < count:
        raise NotSeated(mark("seats are numbered 1 to {count}"), count=count)
    if seat not in free:
        raise FullRoom(mark("seat {seat} is taken"), seat=seat + 1)
    return seat


def require_level(level: str, outside: Collection[str] = ()) -> str:
    """Return a level of bots, or the name of an outside bot that the operator has allowed; refuse others."""
    if level not in LEVELS and level not in outside:
        raise BadSetting(mark("choose a bot level: {levels}"), levels=", ".join((*LEVELS, *outside)))
    return level


def require_line(given: Given) -> None:
    """Refuse a sender who has no line of chat left."""
    if not given.may_speak:
        raise TooFast(
            mark("not so fast: at most {lines} lines in {seconds} seconds"), lines=CHAT_LINES, seconds=int(CHAT_WINDOW)
        )


def require_speaker(state: State, speaker: int) -> None:
    """Refuse a number that no speaker in this room has."""
    if not 1 <= speaker <= len(state.speakers):
        raise NotSeated(mark("no one with that number has spoken here"))
