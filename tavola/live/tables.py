"""Public tables that wait for people: those in memory here, and those that other workers tell of."""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tavola.live.room import Room

MOST = 40
"""Tables told of, the newest."""
HOLDS = 5.0
"""Seconds for which it is believed what a worker has told."""
EVERY = 2.0
"""Seconds after which it is told again what has not changed."""


class Table(NamedTuple):
    """A room as the list of open rooms shows it; `opened` in seconds since 1970."""

    code: str
    game: str
    host: str
    taken: int
    seats: int
    opened: float


class Tables:
    """What others have told, and what they were told."""

    def __init__(self) -> None:
        self._elsewhere: dict[str, tuple[float, list[Table]]] = {}  # by worker: when, and what
        self._told: list[Table] = []
        self._told_at = 0.0

    def with_these(self, rooms: "Iterable[Room]") -> list[Table]:
        """All tables, the newest first."""
        since = time.monotonic() - HOLDS
        told = {table.code: table for at, tables in self._elsewhere.values() if at > since for table in tables}
        return newest([*(told | {table.code: table for table in listed(rooms)}).values()])

    def news(self, rooms: "Iterable[Room]") -> dict[str, Any]:
        """What is to be told now of the rooms here; nothing where it was told a moment ago."""
        tables, now = newest(listed(rooms))[:MOST], time.monotonic()
        if tables == self._told and now - self._told_at < EVERY:
            return {}
        self._told, self._told_at = tables, now
        return {"tables": tables}

    def hear(self, worker: str, told: dict[str, Any]) -> None:
        """What a worker has told."""
        self._elsewhere[worker] = time.monotonic(), [Table(*table) for table in told["tables"]]
        if len(self._elsewhere) > MOST:
            del self._elsewhere[next(iter(self._elsewhere))]


def newest(tables: list[Table]) -> list[Table]:
    """The newest first."""
    return sorted(tables, key=lambda table: table.opened, reverse=True)


def listed(rooms: "Iterable[Room]") -> list[Table]:
    """The public rooms that are gathering, where somebody sits."""
    states = [(room.id, room.state) for room in rooms]
    open_ = [(code, state) for code, state in states if state.settings.public and state.phase == "gathering"]
    return [
        Table(code, state.game.name, state.host.name, taken, len(state.places), state.created)
        for code, state in open_
        if any(place.person for place in state.places)
        for taken in (sum(not place.free for place in state.places),)
    ]
