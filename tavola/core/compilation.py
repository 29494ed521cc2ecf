"""Compilation: a decorator for rules and kernels, and a disk cache that is never stale.

Numba caches compiled functions on disk but does not notice an edit of a function that they *call*. So the cache folder
is named by the hash of every source that the code can depend on, and an edit selects another folder. Code for a game
depends on the core, the bots and the game's own folder; other code depends on the core and the bots only. So editing
one game leaves the others compiled. Packages above the games may have kernels too; only their own code depends on them.

With `NUMBA_DISABLE_JIT=1` everything runs as plain Python, with the same results to the byte. A game that is
`interpreted` runs as plain Python until its machine code is ready, so players need not wait for the compiler.
"""

import atexit
import fcntl
import functools
import hashlib
import inspect
import os
import pickle
import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import types
from numba.core.caching import FunctionCache
from platformdirs import user_cache_path

config: Any = numba.core.config
F = TypeVar("F", bound=Callable[..., Any])
PACKAGE = Path(__file__).resolve().parent.parent
ENTRY_POINTS = "tavola.games"
COMMON_FOLDERS = ("core", "bots")
UPPER_FOLDERS = ("rl",)
NEVER_COMPILED = (
    "words*.py", "words/*.py", "picture*.py", "picture/*.py", "test_*.py", "registry.py", "faults.py", "symmetry.py",
    "outside/*.py", "fixtures.py", "reference_model.py", "rl/gymnasium.py", "rl/pettingzoo.py", "rl/openspiel.py",
    "core/match.py", "core/matchfile.py", "core/plan.py", "core/text.py",
)  # fmt: skip
"""Files without compiled functions, on which no compiled code depends, such as words, tests and environments."""
RULESETS = "rulesets/*.py"
"""Files with the rules of earlier versions; the current rules do not depend on them."""
HASH_DIGITS = 20
COMPILED_FILE = re.compile(r"^lock$|\.(?:nbi|nbc|compiling|played|all)(?:\.tmp\.\w+)?$")
"""Names of files in the cache: Numba's, the lock, and the marks of games that are compiled."""
UNREADABLE = (EOFError, pickle.UnpicklingError, ImportError, AttributeError)
"""Errors of a file that a power failure left half written, or that names a module that has been removed."""
MONTH = 30 * 24 * 3600  # seconds
UNCOMPILED = bool(config.DISABLE_JIT)


source_folders: dict[Any, Path] = {}
"""Folder of each game by the Numba type and the dtype of its state. Kernels called with either depend on it."""

_interpreted_folders: set[Path] = set()
_thread = threading.local()


def compiled(function: F) -> F:
    """Compile `function` on its first call and cache the result on disk. The GIL is released while it runs.

    Raises `TypeError` in a file whose edits the cache would not notice. Other Numba code in the process keeps its own
    cache folder.
    """
    return compile_in(source_folder_of(Path(function.__code__.co_filename)), function)


def inlined(function: F) -> F:
    """Compile `function` into every compiled function that calls it, where a call would cost more than its work."""
    home = source_folder_of(Path(function.__code__.co_filename))
    return compile_in(home, function, inline=True)


def brief(function: F) -> F:
    """Compile a function that takes less time than the GIL's release would: the GIL is held while it runs."""
    return compile_in(source_folder_of(Path(function.__code__.co_filename)), function, nogil=False)


def compile_in(home: Path | None, function: F, *, inline: bool = False, nogil: bool = True) -> F:
    """Compile `function` for the game in `home`: its folder, or the file of an earlier version. See `compiled`."""
    if UNCOMPILED:
        return function
    dispatcher: Any = numba.njit(nogil=nogil, error_model="numpy", forceinline=inline)(function)
    dispatcher.targetoptions["no_cfunc_wrapper"] = True  # no C code calls it, and the wrapper takes time to compile
    dispatcher._cache = KernelCache(function, home)
    return cast(F, Kernel(function, dispatcher, home))


class Kernel:
    """A compiled function as Python calls it: machine code, or plain Python while its game is interpreted.

    In compiled code it is its dispatcher, which Numba finds by `_numba_type_`.
    """

    def __init__(self, function: Callable[..., Any], dispatcher: Any, home: Path | None) -> None:
        functools.update_wrapper(self, function)
        self.function, self.dispatcher, self.source_folder = function, dispatcher, home

    def __repr__(self) -> str:
        return f"Kernel({self.function.__module__}.{self.function.__qualname__})"

    def __call__(self, *arguments: Any) -> Any:
        if _interpreted_folders and self._must_interpret(arguments):
            return self.function(*map(_as_recarray, arguments))
        return self.dispatcher(*arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.dispatcher, name)

    def __reduce__(self) -> str:
        return self.function.__qualname__

    def _must_interpret(self, arguments: tuple[Any, ...]) -> bool:
        """Return whether its game is interpreted; if its game is unknown, whether any is."""
        home = self.source_folder or _source_folder_among(arguments)
        return not _compiles_here() and (home is None or home in _interpreted_folders)


def interpret(home: Path) -> None:
    """Run the game in `home` as plain Python in this process, until `use_machine_code` is called."""
    if not UNCOMPILED:
        _interpreted_folders.add(home)


def use_machine_code(home: Path) -> None:
    """Run the game in `home` as machine code again. Matches that began as plain Python continue so."""
    _interpreted_folders.discard(home)


def is_interpreted(home: Path) -> bool:
    """Return whether the game in `home` runs as plain Python in this thread."""
    # Most often there are none, and a path takes long to hash.
    return UNCOMPILED or bool(_interpreted_folders and home in _interpreted_folders and not _compiles_here())


@contextmanager
def machine_code() -> Iterator[None]:
    """Compile every game and run it as machine code in this thread, for the length of a block."""
    _thread.compiles = True
    try:
        yield
    finally:
        _thread.compiles = False


def _compiles_here() -> bool:
    return getattr(_thread, "compiles", False)


def _source_folder_among(arguments: tuple[Any, ...]) -> Path | None:
    """Return the folder of the game whose states are in the arguments: in arrays, records or tuples of them."""
    for argument in arguments:
        if isinstance(argument, tuple):
            home = _source_folder_among(argument)
        elif isinstance(argument, np.ndarray | np.void) and argument.dtype.names:
            home = source_folders.get(np.dtype((np.void, argument.dtype)))
        else:
            continue
        if home is not None:
            return home
    return None


def _as_recarray(argument: Any) -> Any:
    plain = type(argument) is np.ndarray and argument.dtype.names
    return as_records(argument) if plain else argument


def as_records(states: np.ndarray) -> np.ndarray:
    """Return a view of the same memory for plain Python: fields as attributes, integers as int64, as in compiled code.

    NumPy alone would compute 6 * 25 in an int8 field as -106.
    """
    return states.view(np.ndarray).view(np.dtype((WideRecord, states.dtype))).view(WideRecords)


_DTYPE_OF: Any = cast(Any, np.void.dtype).__get__
"""Called directly, because attribute access on NumPy's records raises and catches an error for every field."""


class WideRecords(np.recarray):
    """An array of records whose integers are read as int64."""

    def __array_finalize__(self, made_of: Any) -> None:
        pass


class WideRecord(np.record):  # type: ignore[misc]
    """A record whose integers are read as int64."""

    def __getattribute__(self, name: str) -> Any:
        field = _DTYPE_OF(self).fields.get(name)
        if field is None:
            return super().__getattribute__(name)
        found = np.void.getfield(self, *field[:2])
        if isinstance(found, np.integer):
            return np.int64(found)
        if found.dtype.names is not None:
            return found.view((WideRecord, found.dtype))
        return found.view(WideArray) if type(found) is np.ndarray else found


class WideArray(np.ndarray):
    """An array of a record whose integers are read as int64."""

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return np.int64(found) if isinstance(found, np.integer) else found

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(len(self)))


def specialize(kernel: F, *examples: object) -> F:
    """Return a kernel's machine code for arguments of the types of `examples`, without type dispatch on each call.

    Dispatch costs more than most rules do. The types of arguments are no longer checked, so they must always be these.
    A game that is interpreted has no machine code yet; the kernel itself is returned.
    """
    home = _source_folder_among(examples)
    if UNCOMPILED or (home is not None and is_interpreted(home)):
        return kernel
    return cast(F, cast(Any, kernel).compile(tuple(map(numba.typeof, examples))))


def source_folder_of(path: Path) -> Path | None:
    """Return the folder of the game that a source belongs to, or None for the core, the bots and `UPPER_FOLDERS`.

    Outside Tavola's package it is the outermost package around the source, or the folder of a source that is in no
    package. Raises `TypeError` for any other source.
    """
    if any(path.match(pattern) for pattern in NEVER_COMPILED):
        raise TypeError(f"{path}: expected no compiled functions in files like {', '.join(NEVER_COMPILED)}")
    home = path.resolve().parent
    if not home.is_relative_to(PACKAGE):
        while (home.parent / "__init__.py").exists():
            home = home.parent
        return home
    part, *inner = (*home.relative_to(PACKAGE).parts, "")
    if part in (*COMMON_FOLDERS, *UPPER_FOLDERS):
        return None
    if part != "games" or not inner[0]:
        places = ", ".join((*COMMON_FOLDERS, *UPPER_FOLDERS))
        raise TypeError(f"{path}: expected compiled functions only in {places} and the folders of games")
    return PACKAGE / "games" / inner[0]


class KernelCache:
    """Disk cache of one function, used instead of Numba's own. It chooses the folder of the game at hand."""

    def __init__(self, function: Callable[..., Any], home: Path | None) -> None:
        self.function, self.source_folder = function, home
        source = Path(function.__code__.co_filename).resolve()
        self.upper = next((name for name in UPPER_FOLDERS if source.is_relative_to(PACKAGE / name)), "")
        self._caches: dict[Path, FunctionCache] = {}

    @property
    def cache_path(self) -> str:
        """Return the path of the function's own folder."""
        return str(cache_folder(self.source_folder, self.upper))

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the machine code compiled for these argument types, or None."""
        folder = self._folder(signature)
        try:
            return self._cache_in(folder).load_overload(signature, target)
        except UNREADABLE:
            with suppress(PermissionError), _locked(folder):
                self._cache_in(folder).flush()
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Save compiled code, one process at a time.

        Numba updates its index without a lock. Two processes that compile a kernel for two types at once would use the
        same number, and one would later load the other's code.
        """
        folder = self._folder(signature)
        with suppress(PermissionError), _locked(folder):
            self._cache_in(folder).save_overload(signature, data)

    def flush(self) -> None:
        """Remove this process's compiled code from its folders."""
        for part in self._caches.values():
            part.flush()

    def _folder(self, signature: Any) -> Path:
        kinds = _kinds(getattr(signature, "args", signature))
        home = self.source_folder or next(filter(None, map(_source_folder_of_kind, kinds)), None)
        return cache_folder(home, self.upper)

    def _cache_in(self, folder: Path) -> FunctionCache:
        """Return Numba's own cache for a folder; Numba reads the folder from its configuration only once."""
        if folder not in self._caches:
            before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
            try:
                self._caches[folder] = FunctionCache(self.function)
            finally:
                config.CACHE_DIR = before
        return self._caches[folder]


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let no other process write to a folder meanwhile."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _source_folder_of_kind(kind: Any) -> Path | None:
    """Return the folder of the game whose state or enumeration a Numba type is.

    The index of a folder cannot be read where a module that it names is missing. So kernels that are called with a
    game's enumerations are cached with that game, which may be removed.
    """
    if isinstance(kind, types.IntEnumMember):
        return source_folder_of(Path(inspect.getfile(kind.instance_class)))
    return source_folders.get(kind)


def _kinds(arguments: Any) -> Iterator[Any]:
    for kind in arguments:
        yield kind
        if isinstance(kind, types.Array):
            yield kind.dtype
        elif isinstance(kind, types.BaseTuple):
            yield from _kinds(kind)


@cache
def cache_folder(home: Path | None = None, upper: str = "") -> Path:
    """Return the cache folder for the game in `home`, or for code without a game, named by the hash of its sources.

    `upper` is the package above the games that the kernels belong to, if any. The folder is in `TAVOLA_CACHE` or in the
    user's cache.
    """
    named = os.environ.get("TAVOLA_CACHE")
    root = Path(named) if named else user_cache_path("tavola")
    folder = root / sources_hash(compiled_sources(home, upper))
    try:
        if not folder.is_dir():
            forget_old(root)
            folder.mkdir(parents=True, exist_ok=True)
        elif not os.access(folder, os.W_OK):
            _warn(folder, "code that is not cached yet is compiled again each time")
    except OSError as error:
        _warn(folder, f"{(error.strerror or 'unavailable').lower()}: code is cached only until this process ends")
        folder = _temporary_root() / folder.name
        folder.mkdir()
    with suppress(OSError):  # a read-only cache works as well
        os.utime(folder)
    return folder


def _warn(folder: Path, what: str) -> None:
    print(f"tavola: {folder}: expected a writable folder for compiled code; {what}", file=sys.stderr)


def _temporary_root() -> Path:
    """Return a folder for this process and its children, removed at exit."""
    root = tempfile.mkdtemp(prefix="tavola-")
    os.environ["TAVOLA_CACHE"] = root
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    return Path(root)


def forget_old(root: Path) -> None:
    """Remove cache folders that have not been used for a month."""
    for folder in root.glob("[0-9a-f]" * HASH_DIGITS):
        with suppress(FileNotFoundError):  # another process may remove it too
            if time.time() - folder.stat().st_mtime > MONTH and _holds_only_compiled(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _holds_only_compiled(folder: Path) -> bool:
    """Return whether a folder has only files of this cache, since `TAVOLA_CACHE` may be used for other things."""
    files = [path for path in folder.rglob("*") if not path.is_dir()]
    return bool(files) and all(COMPILED_FILE.search(path.name) for path in files)


def compiled_sources(home: Path | None = None, upper: str = "") -> list[Path]:
    """Return every Python file that code compiled for the game in `home`, or for none, may depend on.

    If `home` is the file of an earlier version, these are the game's files, those of later versions and `home` itself.
    """
    if home is not None and home.match(RULESETS):
        # The version's own file is last: no other version has its list.
        files = sorted(home.parent.glob("*.py"), key=lambda path: (path == home, path))
        return [*compiled_sources(home.parent.parent, upper), *files]
    folders = (*COMMON_FOLDERS, upper) if upper else COMMON_FOLDERS
    paths = [path for name in folders for path in sorted((PACKAGE / name).rglob("*.py"))]
    if home is not None:
        inside = home.rglob("*.py") if (home / "__init__.py").exists() else home.glob("*.py")
        paths += sorted(inside)
    return [path for path in paths if not any(path.match(pattern) for pattern in (*NEVER_COMPILED, RULESETS))]


def sources_hash(paths: list[Path]) -> str:
    """Return a hash of the contents of `paths` and the versions of Python, Numba and NumPy: 20 hexadecimal digits."""
    versions = f"{sys.version} {numba.__version__} {np.__version__}"
    digest = hashlib.sha256(versions.encode())
    for path in paths:
        digest.update(str(path).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:HASH_DIGITS]


def count_processors() -> int:
    """Return the number of processor cores that this process may use, at least 1."""
    allowed = getattr(os, "sched_getaffinity", None)  # only on Linux
    return len(allowed(0)) if allowed is not None else os.cpu_count() or 1
