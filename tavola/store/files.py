"""Files that only their owner may read, written so that a power cut leaves the old one or the new one, whole."""

import contextlib
import os
from pathlib import Path

PRIVATE_MODE = 0o600


def make_private(path: Path) -> None:
    """Make the file if it is not there, and let nobody but its owner read or write it."""
    # A file that is there is not opened: closing it again would give up the locks that this process has on it.
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_MODE))
    if path.stat().st_mode & 0o077:
        path.chmod(PRIVATE_MODE)


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


def write_private(path: Path, content: bytes) -> None:
    """Write a whole file of its owner's alone."""
    fresh = path.with_name(path.name + "-new")
    with contextlib.suppress(FileNotFoundError):
        fresh.unlink()
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_MODE)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
    replace_durably(fresh, path)
