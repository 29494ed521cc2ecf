"""Numbered backups: each has a name of its own, and the oldest are deleted."""

import contextlib
import fcntl
import itertools
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tavola.store.database_refusals import BadDatabase
from tavola.store.files import sync_folder, writing
from tavola.store.signing_key import signing_key_path
from tavola.store.sqlite.recognition import check_database
from tavola.store.transfer import backup

STAMPED = re.compile(r"-(\d{8}-\d{6})(?:-(\d{1,4}))?")
"""The end of a backup's name: the time in UTC, and a number from the second in the same second."""


class Rotated(NamedTuple):
    """A new backup with its number of rooms, and the older ones that it has replaced."""

    file: Path
    rooms: int
    deleted: list[Path]


def backup_and_rotate(database: Path | str, stem: Path, keep: int) -> Rotated:
    """Back up to a new file, `stem` and the time in UTC; then delete the oldest of these files, except `keep`.

    No file is overwritten, and no other file is deleted. Raise `BadDatabase` as `backup` does; then none is deleted.
    """
    with _alone_in(stem.parent):
        file = _unused_name(stem)
        rooms = backup(database, file)
        deleted = _backups(stem)[:-keep]
        with writing(stem.parent):
            for old in deleted:
                signing_key_path(old).unlink(missing_ok=True)
                old.unlink()
        sync_folder(stem.parent)
    return Rotated(file, rooms, deleted)


def _backups(stem: Path) -> list[Path]:
    """Return the backups with this stem, oldest first."""
    found = []
    for path in stem.parent.iterdir():
        stamp = STAMPED.fullmatch(path.name.removeprefix(stem.name)) if path.name.startswith(stem.name) else None
        if stamp is not None and _is_database(path):
            found.append((stamp[1], int(stamp[2] or 1), path))
    return [path for *_, path in sorted(found)]


def _is_database(path: Path) -> bool:
    with contextlib.suppress(BadDatabase):
        check_database(path)
        return True
    return False


def _unused_name(stem: Path) -> Path:
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    names = (stem.with_name(f"{stem.name}-{stamp}{ending}") for ending in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(itertools.filterfalse(lambda path: any(map(os.path.lexists, (path, signing_key_path(path)))), names))


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Let simultaneous backups take turns, so that they choose different names."""
    with writing(folder):
        handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
