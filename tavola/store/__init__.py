"""Where rooms are kept: an append-only log of events a room, on disk before anybody is told.

The store knows no game and no room: it keeps events in order, each once, and gives them back.
"""

from tavola.store.backup import backup, restore
from tavola.store.chain import Log
from tavola.store.events import Conflict, Event, RoomLine, WriteFailed
from tavola.store.keeping import Doomed, Keeping, doomed
from tavola.store.schema import (
    ENGINE,
    BadDatabase,
    BusyDatabase,
    CorruptDatabase,
    ForeignDatabase,
    NewerDatabase,
)
from tavola.store.sqlite import Store

__all__ = [
    "ENGINE",
    "BadDatabase",
    "BusyDatabase",
    "Conflict",
    "CorruptDatabase",
    "Doomed",
    "Event",
    "ForeignDatabase",
    "Keeping",
    "Log",
    "NewerDatabase",
    "RoomLine",
    "Store",
    "WriteFailed",
    "backup",
    "doomed",
    "restore",
]
