"""The file into which results are streamed, so that an interrupted run can be resumed.

Lines of JSON. The first is the header, which identifies the run. Each other line is a completed chunk, in the order in
which they were ready:

    {"results":"arena","tavola":"0.1.0","sources":"…","game":"lifeboats","options":{…},"seed":1,"entries":[…]}
    {"chunk":3,"result":[…]}

An incomplete last line of a killed run is dropped, and its chunk is repeated. The header omits the number of matches,
so that a run can be extended.
"""

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar

import msgspec

import tavola.bargain
import tavola.talk
from tavola import __version__
from tavola.core import Game, Refusal
from tavola.core.compilation import HASH_DIGITS, compiled_sources
from tavola.core.fields import short_repr
from tavola.lab.work import Engine, Work

LONGEST_HEAD = 1_000_000
"""Maximum bytes of the first line."""
T = TypeVar("T")
Header = Mapping[str, Any]


class BadResults(Refusal):
    """A file of results that cannot be read, or belongs to another run."""


class Results(Generic[T]):
    """The locked file of results of one run. `finished`: its results by chunk."""

    def __init__(self, path: Path, head: Header, kind: Any) -> None:
        self.path, self.finished = path, dict[int, T]()
        self._line: Any = msgspec.defstruct("Line", [("chunk", int), ("result", kind)], forbid_unknown_fields=True)
        encoded = msgspec.json.encode(head) + b"\n"
        self._file = self._open_locked(encoded)
        try:
            self._load(encoded)
        except BaseException:
            self.close()
            raise

    def add(self, chunk: int, result: T) -> None:
        """Write a completed chunk; flushed to the system on return."""
        self._write(msgspec.json.encode({"chunk": chunk, "result": result}) + b"\n")

    def _write(self, line: bytes) -> None:
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as error:
            raise BadResults(f"{self.path}: expected disk space for a result, {error.strerror}") from error

    def close(self) -> None:
        """Close and unlock the file."""
        self._file.close()

    def _open_locked(self, head: bytes) -> BinaryIO:
        """Open the file for writing, created if missing; another run's file is not changed."""
        try:
            if os.path.lexists(self.path):
                self._recognise(head)
            file = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644), "r+b")
        except OSError as error:
            raise BadResults(f"{self.path}: expected a file that can be written, {error.strerror}") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.close()
            raise BadResults(f"{self.path}: expected a file that no other run is writing") from error
        return file

    def _load(self, head: bytes) -> None:
        text = self._file.read()
        if head.startswith(text):  # empty, or an incomplete header
            text = head
            self._file.seek(0)
            self._write(head)
        first, *lines = text.splitlines(keepends=True)
        self._check_header(first, head)
        size = len(first) + sum(self._load_line(place, line, place > len(lines)) for place, line in enumerate(lines, 2))
        self._file.truncate(size)
        self._file.seek(size)

    def _recognise(self, head: bytes) -> None:
        """Raise `BadResults` unless an existing file begins with the header of this run, possibly truncated."""
        if not self.path.is_file() or not self.path.stat().st_size:
            raise BadResults(f"{self.path}: expected a file of results, or none, found an empty or special file")
        with self.path.open("rb") as stream:
            first = stream.readline(LONGEST_HEAD)
        if not head.startswith(first):
            self._check_header(first, head)

    def _check_header(self, line: bytes, head: bytes) -> None:
        try:
            found = msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadResults(f"{self.path}: expected a file of results, or none") from error
        for key, value in msgspec.json.decode(head).items():
            if found.get(key) != value:
                expected = f"expected {key} {short_repr(value)}, found {short_repr(found.get(key))}"
                raise BadResults(f"{self.path} belongs to another run: {expected}")

    def _load_line(self, place: int, text: bytes, last: bool) -> int:
        """Record the chunk in a line; return its bytes, 0 if it is incomplete."""
        try:
            if not text.endswith(b"\n"):
                return 0
            line = msgspec.json.decode(text, type=self._line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            if last:
                return 0
            raise BadResults(f"{self.path}, line {place}: expected a chunk and its result: {error}") from error
        self.finished[line.chunk] = line.result
        return len(text)


def open_results(path: Path | None, head: Header, kind: Any) -> AbstractContextManager[Results[Any] | None]:
    """Return a context of the file of results of a run, of None without one; see `Results`."""
    return nullcontext() if path is None else closing(Results[Any](path, head, kind))


def run_chunks(
    engine: Engine,
    work: Work[T],
    chunks: Iterable[int],
    results: Results[T] | None = None,
    fits: Callable[[int, T], bool] = lambda chunk, result: True,
) -> Iterator[tuple[int, T]]:
    """Yield chunks with results, in any order: first those in the file that fit, then new ones, added to it."""
    kept = {} if results is None else {c: found for c, found in results.finished.items() if fits(c, found)}
    yield from kept.items()
    missing = (chunk for chunk in chunks if chunk not in kept)
    for first in missing:  # start an engine only if a chunk is missing
        for chunk, result in engine.run(work, chain((first,), missing)):
            if results is not None:
                results.add(chunk, result)
            yield chunk, result


def source_hash(game: Game) -> str:
    """Return a hexadecimal hash of everything that decides a game's matches: its rules, the core and the bots."""
    return _hash_of(compiled_sources(game.source_folder))


def talk_hash() -> str:
    """Return a hexadecimal hash of everything that decides what bots say."""
    folders = (Path(package.__path__[0]) for package in (tavola.bargain, tavola.talk))
    return _hash_of(path for folder in folders for path in sorted(folder.glob("*.py")))


def _hash_of(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"{path.parent.name}/{path.name}".encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:HASH_DIGITS]


def results_header(kind: str, game: Game, options: object, seed: int) -> dict[str, object]:
    """Return the header of a file of results: the run, and the hash of its sources."""
    return {
        "results": kind,
        "tavola": __version__,
        "game": game.name,
        "version": game.version,
        "sources": source_hash(game),
        "options": options,
        "seed": seed,
    }
