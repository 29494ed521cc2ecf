"""The end of each room's log, recorded beside the database after every commit.

SQLite reads a damaged write-ahead log only up to the damage and takes that for the whole. Rooms would silently go back
in time; these records reveal it. They are written after the commit they describe has been synced and need no sync of
their own: after a power cut they may describe less than the database contains, never more.

A server that ends cleanly leaves one line instead: the size and the time of the database, which is then complete in one
file. As long as both are the same, nothing has changed the file, and the next server need not read all of it.
"""

import contextlib
import os
import re
import zlib
from collections.abc import Iterable
from pathlib import Path

from tavola.store.files import new_file_beside

LogEnds = dict[str, tuple[int, str]]
"""By room the number of the last event and its checksum in hexadecimal; number 0 for a deleted room."""
SUFFIX = "-heads"
REMAINS = re.compile(rb"(?:\S* )?(?:\d* )?(?:[0-9a-f]* )?[0-9a-f]*")
"""What a power cut may leave of a line: any part of it, or zeros."""
COMPACT_ABOVE = 1 << 20
"""Bytes of records above which superseded ones are removed."""


def log_ends_path(path: Path) -> Path:
    """Return the file of log ends of a database."""
    return path.with_name(path.name + SUFFIX)


def is_ours(path: Path) -> bool:
    """Return whether a file contains log ends, or only what a power cut may leave of them."""
    return bool(read_log_ends(path)) or all(map(REMAINS.fullmatch, re.split(rb"[\n\0]+", path.read_bytes())))


def is_as_closed(database: Path) -> bool:
    """Return whether a database is complete in one file and unchanged since a server closed it."""
    try:
        left = log_ends_path(database).read_bytes() == _closing_line(database)
    except OSError:
        return False
    return left and not database.with_name(f"{database.name}-wal").exists()


def read_log_ends(path: Path) -> LogEnds:
    """Return the last log end of every room; incomplete or corrupted lines are ignored."""
    heads: LogEnds = {}
    with contextlib.suppress(OSError):
        for line in path.read_bytes().split(b"\n"):
            parts = line.decode("utf-8", "replace").split(" ")
            if len(parts) == 4 and parts[3] == _line_checksum(" ".join(parts[:3])) and parts[1].isdecimal():
                heads[parts[0]] = int(parts[1]), parts[2]
    return heads


class LogEndsFile:
    """The log ends of an open store. Write errors are ignored: the database has priority."""

    def __init__(self, path: Path, heads: LogEnds) -> None:
        self._path, self._ends = path, dict(heads)
        self._handle = os.open(path, os.O_WRONLY | os.O_APPEND)
        self._compact_above = COMPACT_ABOVE

    def record(self, ends: Iterable[tuple[str, int, str]], *, synced: bool = False) -> None:
        """Record the ends of rooms: room, number, checksum."""
        fresh = {room: (seq, checksum) for room, seq, checksum in ends}
        self._ends.update(fresh)
        with contextlib.suppress(OSError):
            os.write(self._handle, _encode_lines(fresh))
            if synced:
                os.fsync(self._handle)
            if os.fstat(self._handle).st_size > self._compact_above:
                self._compact()

    def close(self, complete: Path | None) -> None:
        """Close the file; if the database is `complete` in one file, its size and time replace the records."""
        with contextlib.suppress(OSError):
            if complete:
                os.ftruncate(self._handle, 0)
                os.write(self._handle, _closing_line(complete))
            os.close(self._handle)

    def _compact(self) -> None:
        self._ends = {room: head for room, head in self._ends.items() if head[0]}
        fresh = new_file_beside(self._path)
        handle = os.open(fresh, os.O_WRONLY | os.O_APPEND)
        os.write(handle, _encode_lines(self._ends))
        fresh.replace(self._path)
        os.close(self._handle)
        self._handle = handle
        self._compact_above = max(COMPACT_ABOVE, 2 * os.fstat(handle).st_size)


def _closing_line(database: Path) -> bytes:
    """Return a line that releases before it ignore."""
    status = database.stat()
    return f"closed {status.st_size} {status.st_mtime_ns:x}\n".encode()


def _encode_lines(heads: LogEnds) -> bytes:
    texts = [f"{room} {seq} {checksum}" for room, (seq, checksum) in heads.items()]
    return "".join(f"{text} {_line_checksum(text)}\n" for text in texts).encode("utf-8", "surrogatepass")


def _line_checksum(text: str) -> str:
    return f"{zlib.crc32(text.encode('utf-8', 'surrogatepass')):08x}"
