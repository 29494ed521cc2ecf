"""Fixtures and helpers of the store tests."""

import contextlib
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from tavola.store import Store, is_postgres_url
from tavola.store.postgres.connections import DatabaseAddress
from tests.helpers import PATIENCE
from tests.helpers.rooms import wait_until


def asked(url: str, query: str, *values: Any) -> list[Any]:
    """Run a statement beside the store; return its rows."""
    with DatabaseAddress(url, "test").connect("test") as connection:
        found = connection.execute(query, values)
        return found.fetchall() if found.description else []


def change(database: Path | str, script: str) -> None:
    """Change a database behind the store's back."""
    if is_postgres_url(database):
        asked(str(database), script)
        return
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.executescript(script)


@contextlib.asynccontextmanager
async def held_up(store: Store, count: int) -> AsyncIterator[list[int]]:
    """Hold commits up until `count` appends queue; yield a list of the sizes of groups committed from now on."""
    groups, commit, gate = list[int](), store._commit, threading.Event()
    store._commit = lambda group: (groups.append(len(group)), gate.wait(PATIENCE), commit(group))[2]
    try:
        yield groups
        await wait_until(lambda: groups and groups[0] + store._queue.qsize() == count)
    finally:
        gate.set()
