"""Compilation: one decorator for rules and kernels, and a disk cache that can never be stale.

Numba stores what it compiled on disk but does not notice when a function *called* by a cached one was edited.
So the cache lives in a folder named by the hash of every source that can be compiled: an edit opens a new folder.
With `NUMBA_DISABLE_JIT=1` everything runs as plain Python and gives the same bytes.
"""

import fcntl
import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from platformdirs import user_cache_path

config: Any = numba.core.config
F = TypeVar("F", bound=Callable[..., Any])
PACKAGE = Path(__file__).resolve().parent.parent
ENTRY_POINTS = "tavola.games"
COMPILING = ("core", "games", "bots")
NEVER_COMPILED = (
    "words*.py",
    "words/*.py",
    "picture*.py",
    "picture/*.py",
    "test_*.py",
    "shelf.py",
)
HASH_DIGITS = 20
MONTH = 30 * 24 * 3600  # seconds
UNCOMPILED = bool(config.DISABLE_JIT)


def compiled(function: F) -> F:
    """Compile `function` on its first call, keep the result on disk, release the interpreter lock while it runs.

    Only this decoration uses Tavola's cache folder: other Numba code in the process keeps its own.
    """
    before, config.CACHE_DIR = config.CACHE_DIR, str(cache_folder())
    try:
        dispatcher = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        config.CACHE_DIR = before
    if not UNCOMPILED:
        _save_one_at_a_time(dispatcher)
    return cast(F, dispatcher)


def _save_one_at_a_time(dispatcher: Any) -> None:
    """Let one process at a time write to the cache.

    Numba reads its index, adds a number and writes it back without a lock: two processes that compile a kernel for two
    games at once would take the same number, and one game would later be given the other's code.
    """
    save = dispatcher._cache.save_overload

    def save_alone(signature: Any, data: Any) -> None:
        with (cache_folder() / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            save(signature, data)

    dispatcher._cache.save_overload = save_alone


@cache
def cache_folder() -> Path:
    """The folder of compiled code for exactly these sources: `TAVOLA_CACHE` or the user's cache, then a hash."""
    root = Path(os.environ["TAVOLA_CACHE"]) if "TAVOLA_CACHE" in os.environ else user_cache_path("tavola")
    folder = root / sources_hash(compiled_sources())
    if not folder.is_dir():
        forget_old(root)
        folder.mkdir(parents=True, exist_ok=True)
    with suppress(OSError):  # a cache that may only be read serves as well
        os.utime(folder)
    return folder


def forget_old(root: Path) -> None:
    """Remove what was compiled from sources that nobody has used for a month."""
    for folder in root.glob("[0-9a-f]" * HASH_DIGITS):
        with suppress(FileNotFoundError):  # another process may be at it
            if time.time() - folder.stat().st_mtime > MONTH:
                shutil.rmtree(folder, ignore_errors=True)


def compiled_sources() -> list[Path]:
    """Every Python file whose functions may be compiled: ours, and those of games installed from elsewhere."""
    folders = [PACKAGE / name for name in COMPILING]
    for entry in importlib.metadata.entry_points(group=ENTRY_POINTS):
        spec = importlib.util.find_spec(entry.module)
        folders += [Path(spec.origin).parent] if spec and spec.origin else []
    paths = (path for folder in folders for path in sorted(folder.rglob("*.py")))
    return [path for path in paths if not any(path.match(pattern) for pattern in NEVER_COMPILED)]


def sources_hash(paths: list[Path]) -> str:
    """A name for the contents of `paths` under this Python, Numba and NumPy: 20 hexadecimal digits."""
    versions = f"{sys.version} {numba.__version__} {np.__version__}"
    digest = hashlib.sha256(versions.encode())
    for path in paths:
        digest.update(str(path).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:HASH_DIGITS]
