"""Where rooms are kept: an append-only log of events a room, on disk before anybody is told.

The store knows no game and no room: it keeps events in order, each once, and gives them back. In a file of SQLite,
which one process has for itself, or in PostgreSQL, where many workers share it.
"""

from tavola.store.chain import Log
from tavola.store.contract import EVERYTHING, LOG, Present, Reading, Store, Together
from tavola.store.copying import backup, move, restore
from tavola.store.events import Batch, Conflict, Event, Lease, RoomLine, Stale, Unsure, WriteFailed
from tavola.store.keeping import Doomed, Keeping
from tavola.store.messages import fitting
from tavola.store.opening import MissingEngine, is_address, open_alone, open_reading, open_store
from tavola.store.refusals import (
    BadDatabase,
    BadSecret,
    BusyDatabase,
    CorruptDatabase,
    ForeignDatabase,
    NewerDatabase,
)
from tavola.store.sqlite import SqliteStore

__all__ = [
    "EVERYTHING",
    "LOG",
    "BadDatabase",
    "BadSecret",
    "Batch",
    "BusyDatabase",
    "Conflict",
    "CorruptDatabase",
    "Doomed",
    "Event",
    "ForeignDatabase",
    "Keeping",
    "Lease",
    "Log",
    "MissingEngine",
    "NewerDatabase",
    "Present",
    "Reading",
    "RoomLine",
    "SqliteStore",
    "Stale",
    "Store",
    "Together",
    "Unsure",
    "WriteFailed",
    "backup",
    "fitting",
    "is_address",
    "move",
    "open_alone",
    "open_reading",
    "open_store",
    "restore",
]
