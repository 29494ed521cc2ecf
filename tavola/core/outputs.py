"""Output files of commands: an existing file is overwritten only if Tavola wrote it."""

import stat
from pathlib import Path

from tavola.core.errors import ForeignFile


def check_output(path: Path, *beginnings: str) -> None:
    """Raise `ForeignFile` if a file exists and begins with none of `beginnings`. Devices and pipes are accepted.

    Raises `OSError` if the file cannot be read.
    """
    if not path.exists() or stat.S_ISCHR(mode := path.stat().st_mode) or stat.S_ISFIFO(mode):
        return
    if not is_ours(path, *beginnings):
        raise ForeignFile(f"{path}: expected no file, or one written by Tavola; choose another name")


def is_ours(path: Path, *beginnings: str) -> bool:
    """Return whether a file begins with one of `beginnings`."""
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        begun = stream.read(max(len(each.encode()) for each in beginnings))
    return begun.startswith(tuple(each.encode() for each in beginnings))
