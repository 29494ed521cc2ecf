"""Public tables that wait for people: those in memory here, and those that other workers tell of."""

import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from tavola.live.log.state import State

MOST_ROOMS = 40
"""Tables told of, the newest."""
NEWS_VALID = 5.0
"""Seconds for which it is believed what a worker has told."""
REPEAT_INTERVAL = 2.0
"""Seconds after which it is told again what has not changed."""


class OpenRoom(NamedTuple):
    """A room as the list of open rooms shows it; `opened` in seconds since 1970."""

    code: str
    game: str
    host: str
    taken: int
    seats: int
    opened: float


class Lobby:
    """The open rooms that other workers have told of, and those told to them."""

    def __init__(self) -> None:
        self._elsewhere: dict[str, tuple[float, list[OpenRoom]]] = {}  # by worker: when, and what
        self._last_news: list[OpenRoom] = []
        self._last_news_at = 0.0

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
        self._elsewhere[worker] = time.monotonic(), [OpenRoom(*table) for table in told["tables"]]
        if len(self._elsewhere) > MOST_ROOMS:
            del self._elsewhere[next(iter(self._elsewhere))]


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
    return OpenRoom(code, state.game.name, state.host.name, taken, seats, state.created_at)
