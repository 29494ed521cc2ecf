"""The end of each room's log, noted beside the database after every commit.

SQLite ends its reading of a damaged write-ahead log at the damage and takes what came before for the whole: rooms
would go back in time and nobody would know. These notes know. They are written after the commit they tell of has been
synced, and need no sync of their own: after a power cut they may tell of less than the database holds, never of more.
"""

import contextlib
import os
import re
import zlib
from collections.abc import Iterable
from pathlib import Path

from tavola.store.files import new_file_beside

LogEnds = dict[str, tuple[int, str]]
"""By room the number of the last event and its checksum in hexadecimal; number 0 for a room that was deleted."""
SUFFIX = "-heads"
REMAINS = re.compile(rb"(?:\S* )?(?:\d* )?(?:[0-9a-f]* )?[0-9a-f]*")
"""What a power cut may leave of a line: any part of it. Where nothing was written there are zeros."""
COMPACT_ABOVE = 1 << 20
"""Bytes of notes before those that later ones have overtaken are left out."""


def log_ends_path(path: Path) -> Path:
    """Return the file of notes of a database."""
    return path.with_name(path.name + SUFFIX)


def is_ours(path: Path) -> bool:
    """Return whether a line of a file is a note, or all of it is what a power cut may leave of notes."""
    return bool(read_log_ends(path)) or all(map(REMAINS.fullmatch, re.split(rb"[\n\0]+", path.read_bytes())))


def read_log_ends(path: Path) -> LogEnds:
    """Return the last note on every room; lines cut short or garbled tell nothing."""
    heads: LogEnds = {}
    with contextlib.suppress(OSError):
        for line in path.read_bytes().split(b"\n"):
            parts = line.decode("utf-8", "replace").split(" ")
            if len(parts) == 4 and parts[3] == _line_checksum(" ".join(parts[:3])) and parts[1].isdecimal():
                heads[parts[0]] = int(parts[1]), parts[2]
    return heads


class LogEndsFile:
    """The notes of a store that is open. Ends that cannot be noted are left out: the database itself comes first."""

    def __init__(self, path: Path, heads: LogEnds) -> None:
        self._path, self._ends = path, dict(heads)
        self._handle = os.open(path, os.O_WRONLY | os.O_APPEND)
        self._compact_above = COMPACT_ABOVE

    def record(self, ends: Iterable[tuple[str, int, str]], *, synced: bool = False) -> None:
        """Remember the ends of rooms: room, number, checksum."""
        fresh = {room: (seq, checksum) for room, seq, checksum in ends}
        self._ends.update(fresh)
        with contextlib.suppress(OSError):
            os.write(self._handle, _encode_lines(fresh))
            if synced:
                os.fsync(self._handle)
            if os.fstat(self._handle).st_size > self._compact_above:
                self._compact()

    def close(self, *, forget: bool) -> None:
        """Let go of the file; `forget` its notes where the database holds all of it in one file."""
        with contextlib.suppress(OSError):
            if forget:
                os.ftruncate(self._handle, 0)
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


def _encode_lines(heads: LogEnds) -> bytes:
    texts = [f"{room} {seq} {checksum}" for room, (seq, checksum) in heads.items()]
    return "".join(f"{text} {_line_checksum(text)}\n" for text in texts).encode("utf-8", "surrogatepass")


def _line_checksum(text: str) -> str:
    return f"{zlib.crc32(text.encode('utf-8', 'surrogatepass')):08x}"
