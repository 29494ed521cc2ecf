"""Where rooms are kept: an append-only log of events a room, on disk before anybody is told.

The store knows no game and no room: it keeps events in order, each once, and gives them back.
"""

from tavola.store.events import Conflict, Event, RoomLine, WriteFailed
from tavola.store.schema import BadDatabase, BusyDatabase, CorruptDatabase, ForeignDatabase, NewerDatabase
from tavola.store.sqlite import Store

__all__ = [
    "BadDatabase",
    "BusyDatabase",
    "Conflict",
    "CorruptDatabase",
    "Event",
    "ForeignDatabase",
    "NewerDatabase",
    "RoomLine",
    "Store",
    "WriteFailed",
]
