"""The files that commands write: one that is there is looked at first, and written over only if Tavola wrote it."""

import stat
from pathlib import Path

from tavola.core.errors import ForeignFile


def check_output(path: Path, *beginnings: str) -> None:
    """Refuse a file that does not begin as ours do, `ForeignFile`; nothing of it is touched.

    A device or a pipe keeps nothing that could be lost. `OSError` where the file cannot be read.
    """
    if not path.exists() or stat.S_ISCHR(mode := path.stat().st_mode) or stat.S_ISFIFO(mode):
        return
    if not is_ours(path, *beginnings):
        raise ForeignFile(f"{path}: expected a file that Tavola wrote, or none, found another one: choose another name")


def is_ours(path: Path, *beginnings: str) -> bool:
    """True for a file that begins as one of ours."""
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        begun = stream.read(max(len(each.encode()) for each in beginnings))
    return begun.startswith(tuple(each.encode() for each in beginnings))
