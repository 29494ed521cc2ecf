"""Public tables that wait for people, and who looks for a seat: what is known here, and what other workers tell of."""

import time
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from tavola.live.log.state import State

MOST_ROOMS = 40
"""Tables told of, the newest."""
NEWS_VALID = 5.0
"""Seconds for which it is believed what a worker has told."""
REPEAT_INTERVAL = 2.0
"""Seconds after which it is told again what has not changed."""
LOOKS_FOR = 60.0
"""Seconds for which somebody who has looked for a seat is supposed to look for one."""
MOST_SEEKERS = 1000
"""Addresses of which it is remembered that somebody looks for a seat."""
MOST_SEEKERS_TOLD = 50
"""Addresses told of at once."""


class OpenRoom(NamedTuple):
    """A room as the list of open rooms shows it; `opened` in seconds since 1970.

    `origins`: marks of the addresses whose people sit there, as far as they are known.
    """

    code: str
    game: str
    host: str
    taken: int
    seats: int
    opened: float
    origins: tuple[str, ...] = ()


class Lobby:
    """The open rooms that other workers have told of, and those told to them; who looks for a seat, by address."""

    def __init__(self) -> None:
        self._elsewhere: dict[str, tuple[float, list[OpenRoom]]] = {}  # by worker: when, and what
        self._last_news: list[OpenRoom] = []
        self._last_news_at = 0.0
        self._seekers: dict[str, float] = {}  # marks of addresses: when somebody there looked for a seat
        self._untold_seekers: set[str] = set()

    def open_rooms(self, states: Mapping[str, State]) -> list[OpenRoom]:
        """Return all tables, the newest first; `states` are those of the rooms here, by code."""
        since = time.monotonic() - NEWS_VALID
        told = {table.code: table for at, tables in self._elsewhere.values() if at > since for table in tables}
        return newest_first([*(told | {table.code: table for table in list_open_rooms(states)}).values()])

    def news(self, states: Mapping[str, State]) -> dict[str, Any]:
        """Return what is to be told now of the rooms here; nothing where it was told a moment ago."""
        tables, now = newest_first(list_open_rooms(states))[:MOST_ROOMS], time.monotonic()
        if tables == self._last_news and now - self._last_news_at < REPEAT_INTERVAL:
            return {}
        self._last_news, self._last_news_at = tables, now
        return {"tables": tables}

    def receive(self, worker: str, told: dict[str, Any]) -> None:
        """Take up what a worker has told."""
        self._elsewhere[worker] = time.monotonic(), [_read_table(table) for table in told["tables"]]
        if len(self._elsewhere) > MOST_ROOMS:
            del self._elsewhere[next(iter(self._elsewhere))]

    def note_seeker(self, origin: str, *, told: bool = False) -> None:
        """Somebody of an address looks for a seat at a public table. `told`: another worker says so."""
        self._seekers.pop(origin, None)
        self._seekers[origin] = time.monotonic()
        if len(self._seekers) > MOST_SEEKERS:
            del self._seekers[next(iter(self._seekers))]
        if not told and len(self._untold_seekers) < MOST_SEEKERS_TOLD:
            self._untold_seekers.add(origin)

    def others_look(self, origin: str) -> bool:
        """True when somebody of another address has looked for a seat a moment ago."""
        since = time.monotonic() - LOOKS_FOR
        latest = islice(reversed(self._seekers.items()), 2)  # of any two one is another
        return any(other != origin and at > since for other, at in latest)

    def seeker_news(self) -> dict[str, Any]:
        """Return who has looked here since others were told."""
        told, self._untold_seekers = dict.fromkeys(self._untold_seekers, 1), set()
        return told

    def receive_seekers(self, worker: str, told: dict[str, Any]) -> None:
        """Take up who looks elsewhere."""
        for origin in told:
            self.note_seeker(origin, told=True)


def _read_table(told: Sequence[Any]) -> OpenRoom:
    return OpenRoom._make((*told[:-1], tuple(told[-1])))


def newest_first(tables: list[OpenRoom]) -> list[OpenRoom]:
    """Return the tables, the newest first."""
    return sorted(tables, key=lambda table: table.opened, reverse=True)


def list_open_rooms(states: Mapping[str, State]) -> list[OpenRoom]:
    """Return the public rooms that are gathering, where somebody sits."""
    return [_open_room(code, state) for code, state in states.items() if _is_open(state)]


def _is_open(state: State) -> bool:
    gathers = state.settings.public and state.phase == "gathering"
    return gathers and any(place.person for place in state.occupants)


def _open_room(code: str, state: State) -> OpenRoom:
    seats = len(state.occupants)
    taken = seats - len(state.free_seats)
    origins = tuple(sorted({place.origin for place in state.occupants if place.origin}))
    return OpenRoom(code, state.game.name, state.host.name, taken, seats, state.created_at, origins)
