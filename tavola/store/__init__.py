"""Storage of rooms: an append-only log of events for each room, on disk before it is acknowledged.

The store knows nothing of games and rooms: it keeps events in order, each once. It is an SQLite file for one process,
or PostgreSQL, which many workers share.
"""

from tavola.store.backends import (
    MissingBackend,
    check_usable,
    is_postgres_url,
    open_exclusive,
    open_reader,
    open_store,
    stored_key,
)
from tavola.store.checksums import Log
from tavola.store.database_refusals import (
    BadDatabase,
    BadSigningKey,
    BusyDatabase,
    CorruptDatabase,
    ForeignDatabase,
    NewerDatabase,
    WrongUser,
)
from tavola.store.group_commit import Store, StoreReader
from tavola.store.interface import (
    LOG_TOPIC,
    RESYNC_TOPIC,
    Cluster,
    Conflict,
    Event,
    Execute,
    Lease,
    RoomLine,
    Stale,
    Unsure,
    WriteFailed,
    split_by_size,
)
from tavola.store.retention import Retention
from tavola.store.sqlite.backup import Verified, verify_backup
from tavola.store.sqlite.store import SqliteStore
from tavola.store.transfer import backup, backup_and_rotate, move, restore

__all__ = [
    "LOG_TOPIC",
    "RESYNC_TOPIC",
    "BadDatabase",
    "BadSigningKey",
    "BusyDatabase",
    "Cluster",
    "Conflict",
    "CorruptDatabase",
    "Event",
    "Execute",
    "ForeignDatabase",
    "Lease",
    "Log",
    "MissingBackend",
    "NewerDatabase",
    "Retention",
    "RoomLine",
    "SqliteStore",
    "Stale",
    "Store",
    "StoreReader",
    "Unsure",
    "Verified",
    "WriteFailed",
    "WrongUser",
    "backup",
    "backup_and_rotate",
    "check_usable",
    "is_postgres_url",
    "move",
    "open_exclusive",
    "open_reader",
    "open_store",
    "restore",
    "split_by_size",
    "stored_key",
    "verify_backup",
]
