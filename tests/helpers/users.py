"""Users of the system, for tests that run as root: what one writes, another cannot read."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

SERVICE, STRANGER = 12345, 12346
IS_ROOT = os.geteuid() == 0
NEEDS_ROOT = "only root can act as other users"


@contextlib.contextmanager
def acting_as(user: int) -> Iterator[None]:
    """Have the rights of a user and a group of the same number; modules must be imported before."""
    groups = os.getgroups()
    os.setgroups([])
    os.setegid(user)
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)


@contextlib.contextmanager
def common_folder() -> Iterator[Path]:
    """Yield an empty folder that every user can enter; those of pytest only one can."""
    folder = Path(tempfile.mkdtemp(prefix="tavola-users-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
