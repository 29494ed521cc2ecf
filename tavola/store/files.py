"""Files that only their owner may read, written so that a power cut leaves the old one or the new one, whole.

A file is written aside, under a name that no file has, and then takes its name; so nothing is written over on the way.
"""

import contextlib
import os
import tempfile
from pathlib import Path

PRIVATE_MODE = 0o600


def make_private(path: Path) -> None:
    """Let nobody but its owner read or write a file that is known to be ours."""
    if path.stat().st_mode & 0o077:
        path.chmod(PRIVATE_MODE)


def create_private(path: Path, like: Path) -> None:
    """Make an empty file of its owner's alone unless there is one; it belongs to the owner of `like`."""
    with contextlib.suppress(FileExistsError):
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, PRIVATE_MODE)
        _give_to_owner_of(handle, like)
        os.close(handle)


def new_file_beside(path: Path, like: Path | None = None) -> Path:
    """Return a new empty private file, beside the one that it will replace; its owner is that of `like`."""
    handle, name = tempfile.mkstemp("-new", f"{path.name}-", path.parent)
    _give_to_owner_of(handle, like or path)
    os.close(handle)
    return Path(name)


def _give_to_owner_of(handle: int, like: Path) -> None:
    """Give an open file to the owner of another, where there is one and we may: root looks after a service's files."""
    with contextlib.suppress(FileNotFoundError, PermissionError):
        owner, ours = like.stat(), os.fstat(handle)
        if (owner.st_uid, owner.st_gid) != (ours.st_uid, ours.st_gid):
            os.fchown(handle, owner.st_uid, owner.st_gid)


def replace_durably(fresh: Path, path: Path) -> None:
    """Sync a file that was written aside, and give it its name: it replaces what had it, at once and for good."""
    with fresh.open("rb+") as stream:
        os.fsync(stream.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system has a way to."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_private(path: Path, content: bytes, like: Path) -> None:
    """Write a whole file of its owner's alone, that of `like` where we may."""
    fresh = new_file_beside(path, like)
    fresh.write_bytes(content)
    replace_durably(fresh, path)
