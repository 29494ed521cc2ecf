"""Private files, replaced atomically: after a power cut either the old or the new version is there, whole.

A new version is written under an unused name and then renamed.
"""

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tavola.store.database_refusals import BadDatabase

PRIVATE_MODE = 0o600


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise `BadDatabase` in place of errors of the system."""
    try:
        yield
    except OSError as error:
        raise BadDatabase(f"{path}: expected a file that can be written: {error.strerror}") from error


def make_private(path: Path) -> None:
    """Restrict one of our files to its owner."""
    if path.stat().st_mode & 0o077:
        path.chmod(PRIVATE_MODE)


def create_private(path: Path, like: Path) -> None:
    """Create an empty private file unless there is one; it belongs to the owner of `like`, as `owner_of` finds it."""
    with contextlib.suppress(FileExistsError):
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, PRIVATE_MODE)
        _give_to_owner_of(handle, like)
        os.close(handle)


def new_file_beside(path: Path, like: Path | None = None) -> Path:
    """Return a new empty private file beside the one that it will replace; its owner is that of `like`."""
    handle, name = tempfile.mkstemp("-new", f"{path.name}-", path.parent)
    _give_to_owner_of(handle, like or path)
    os.close(handle)
    return Path(name)


def _give_to_owner_of(handle: int, like: Path) -> None:
    """Give an open file to the owner of `like`, if we have permission: root may run our tools."""
    owner, ours = owner_of(like), os.fstat(handle)
    if owner is not None and owner != (ours.st_uid, ours.st_gid):
        with contextlib.suppress(PermissionError):
            os.fchown(handle, *owner)


def owner_of(path: Path) -> tuple[int, int] | None:
    """Return the numbers of the user and the group that own a file, or if it is missing, of those that own its folder.

    None if it is missing from a folder that all users can write to: its owner may be anyone.
    """
    try:
        found = path.stat()
    except (FileNotFoundError, PermissionError):
        found = path.parent.stat()
        if found.st_mode & stat.S_IWOTH:
            return None
    return found.st_uid, found.st_gid


def replace_durably(fresh: Path, path: Path) -> None:
    """Sync a new file and rename it to `path`, replacing the file there durably."""
    with fresh.open("rb+") as stream:
        os.fsync(stream.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder, if the system supports it."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_private(path: Path, content: bytes, like: Path) -> None:
    """Write a private file; it belongs to the owner of `like` if we have permission."""
    fresh = new_file_beside(path, like)
    fresh.write_bytes(content)
    replace_durably(fresh, path)
