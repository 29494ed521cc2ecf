"""Requirements that commands ask first: each function returns what it was asked for, or refuses."""

from collections.abc import Collection
from math import ceil

from tavola.bots import LEVELS
from tavola.core import Game, Match
from tavola.core.text import isolated, mark
from tavola.live.log.commands import Given
from tavola.live.log.occupants import CAST, Member
from tavola.live.log.people import CHAT_LINES, CHAT_WINDOW, Person
from tavola.live.log.room_settings import Settings
from tavola.live.log.state import READY_WITHIN, State
from tavola.live.room_refusals import (
    BadSetting,
    FullRoom,
    NotGathering,
    NotHost,
    NotOver,
    NotPlaying,
    NotReady,
    NotSeated,
    NotWelcome,
    OneSeat,
    TooFast,
)

REMOVED_FOR = 600.0
"""Seconds that somebody whom the host removed does not sit down again."""


def require_gathering(state: State) -> None:
    """Refuse once the match has begun."""
    if state.phase != "gathering":
        raise NotGathering


def require_time_for_races(game: Game, settings: Settings) -> None:
    """Refuse days for a decision where speed decides and nothing is held before, so that answers could be sealed."""
    if settings.days and game.races and not game.suspense:
        raise BadSetting(mark("{game}: speed decides there, expected 0 days for a decision"), game=game.title)


def require_match(state: State) -> Match:
    """Return the match, which must be going on."""
    if state.match is None or state.phase != "playing":
        raise NotPlaying
    return state.match


def require_over(state: State) -> None:
    """Refuse a rematch before the end."""
    if state.phase != "over":
        raise NotOver(mark("a rematch begins when the match is over"))


def require_host(state: State, person: Person) -> None:
    """Refuse anybody but the host, and anything once the match has begun."""
    if person.id != state.host.id:
        raise NotHost(host=state.host.name)
    require_gathering(state)


def require_not_removed(state: State, person: Person, now: float) -> None:
    """Refuse who has just been taken off this table."""
    left = state.removed_at.get(person.id, 0.0) + REMOVED_FOR - now
    if 0 < left <= REMOVED_FOR:  # more where the clock has been set
        raise NotWelcome(minutes=ceil(left / 60))


def require_room_for_others(state: State, given: Given) -> None:
    """Refuse a second seat at public tables to one address while others look for one."""
    if state.settings.public and given.crowds:
        raise OneSeat


def require_all_ready(state: State, now: float) -> None:
    """Refuse while a rematch still waits for somebody."""
    awaited = state.unready_seats()
    if awaited and 0 < state.ready_until - now <= READY_WITHIN:  # more where the clock has been set
        raise NotReady(names=", ".join(isolated(state.names[seat]) for seat in awaited))


def require_seat(state: State, person: Person) -> int:
    """Return the seat of a person, who must have one."""
    seat = state.seat_of(person.id)
    if seat is None:
        raise NotSeated(mark("you have no seat here"))
    return seat


def require_free_seat(state: State, seat: int | None) -> int:
    """Return the seat asked for, or the first free one."""
    count, free = len(state.occupants), state.free_seats
    if seat is None:
        if not free:
            raise FullRoom(mark("all {count} seats are taken"), count=count)
        return free[0]
    if not 0 <= seat < count:
        raise NotSeated(mark("there are seats 1 to {count}"), count=count)
    if seat not in free:
        raise FullRoom(mark("seat {seat} is taken"), seat=seat + 1)
    return seat


def require_level(level: str, outside: Collection[str] = ()) -> str:
    """Return a level of bots, or the name of one from outside that whoever runs the site has allowed; or refuse."""
    if level not in LEVELS and level not in outside:
        raise BadSetting(mark("a bot's level is one of {levels}"), levels=", ".join((*LEVELS, *outside)))
    return level


def require_member(name: str) -> Member:
    """Return who of the cast has that name, or refuse."""
    for member in CAST:
        if member.name == name:
            return member
    raise BadSetting(mark("one of the house is {names}"), names=", ".join(member.name for member in CAST))


def require_line(given: Given) -> None:
    """Refuse who has no line left to say."""
    if not given.may_speak:
        raise TooFast(mark("at most {lines} lines in {seconds} seconds"), lines=CHAT_LINES, seconds=int(CHAT_WINDOW))


def require_speaker(state: State, speaker: int) -> None:
    """Refuse what concerns a speaker whom nobody has heard here."""
    if not 1 <= speaker <= len(state.speakers):
        raise NotSeated(mark("nobody of that number has spoken here"))
