"""Public rooms with free seats, and people looking for a seat, here and at other workers."""

import time
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, NamedTuple

import msgspec
from cachetools import FIFOCache

from tavola.live.log.state import State

MOST_ROOMS = 40
"""Maximum rooms in an announcement, the newest."""
NEWS_VALID = 5.0
"""Seconds for which an announcement of another worker is valid."""
REPEAT_INTERVAL = 2.0
"""Seconds after which an unchanged announcement is repeated."""
LOOKS_FOR = 60.0
"""Seconds for which a person who has looked for a seat counts as a seeker."""
MOST_SEEKERS = 1000
"""Maximum remembered addresses of seekers."""
MOST_SEEKERS_TOLD = 50
"""Maximum addresses of seekers in an announcement."""


class OpenRoom(NamedTuple):
    """A room in the list of open rooms; `opened` in seconds since 1970.

    `origins`: marks of the addresses of seated people, as far as known.
    """

    code: str
    game: str
    host: str
    taken: int
    seats: int
    opened: float
    origins: tuple[str, ...] = ()


class Lobby:
    """Open rooms and seekers by address, as announced by other workers and to them."""

    def __init__(self) -> None:
        self._elsewhere: FIFOCache[str, tuple[float, list[OpenRoom]]] = FIFOCache(MOST_ROOMS)  # by worker: time, rooms
        self._last_news: list[OpenRoom] = []
        self._last_news_at = 0.0
        self._seekers: dict[str, float] = {}  # by mark of an address: when a person there last looked
        self._untold_seekers: set[str] = set()

    def open_rooms(self, states: Mapping[str, State]) -> list[OpenRoom]:
        """Return all open rooms, newest first; `states`: of the rooms here, by code."""
        since = time.monotonic() - NEWS_VALID
        told = {table.code: table for at, tables in self._elsewhere.values() if at > since for table in tables}
        return newest_first((told | {table.code: table for table in list_open_rooms(states)}).values())

    def news(self, states: Mapping[str, State]) -> dict[str, Any]:
        """Return the announcement of the open rooms here; empty if the same was sent a moment ago."""
        tables, now = newest_first(list_open_rooms(states))[:MOST_ROOMS], time.monotonic()
        if tables == self._last_news and now - self._last_news_at < REPEAT_INTERVAL:
            return {}
        self._last_news, self._last_news_at = tables, now
        return {"tables": tables}

    def receive(self, worker: str, told: dict[str, Any]) -> None:
        """Store the announcement of another worker."""
        self._elsewhere[worker] = time.monotonic(), msgspec.convert(told["tables"], list[OpenRoom])

    def note_seeker(self, origin: str, *, told: bool = False) -> None:
        """Note that a person at an address looks for a public seat. `told`: the notice is from another worker."""
        self._seekers.pop(origin, None)
        self._seekers[origin] = time.monotonic()
        if len(self._seekers) > MOST_SEEKERS:
            del self._seekers[next(iter(self._seekers))]
        if not told and len(self._untold_seekers) < MOST_SEEKERS_TOLD:
            self._untold_seekers.add(origin)

    def others_look(self, origin: str) -> bool:
        """Return whether a person at another address has recently looked for a seat."""
        since = time.monotonic() - LOOKS_FOR
        latest = islice(reversed(self._seekers.items()), 2)  # of two addresses, at least one is another
        return any(other != origin and at > since for other, at in latest)

    def seeker_news(self) -> dict[str, Any]:
        """Return the seekers here since the last announcement."""
        told, self._untold_seekers = dict.fromkeys(self._untold_seekers, 1), set()
        return told

    def receive_seekers(self, worker: str, told: dict[str, Any]) -> None:
        """Note seekers that another worker has announced."""
        for origin in told:
            self.note_seeker(origin, told=True)


def newest_first(tables: Iterable[OpenRoom]) -> list[OpenRoom]:
    """Return the rooms, newest first."""
    return sorted(tables, key=lambda table: table.opened, reverse=True)


def list_open_rooms(states: Mapping[str, State]) -> list[OpenRoom]:
    """Return the public rooms that are gathering and have at least one person seated."""
    tables = []
    for code, state in states.items():
        is_open = state.settings.public and not state.shut and state.phase == "gathering"
        if is_open and any(place.person for place in state.occupants):
            origins = tuple(sorted({place.origin for place in state.occupants if place.origin}))
            seats, free = len(state.occupants), len(state.free_seats)
            game, host = state.game.name, state.host.name
            tables.append(OpenRoom(code, game, host, seats - free, seats, state.created_at, origins))
    return tables
