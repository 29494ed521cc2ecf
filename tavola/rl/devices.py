"""What runs the kernels of a batch, and where its arrays are: on processors here, on a GPU in `tavola.rl.gpu`."""

from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import numpy as np

from tavola.core import Game
from tavola.core.compilation import as_records, is_interpreted
from tavola.core.encoding import check_rows, octets
from tavola.core.view import Buffers
from tavola.rl.kernels import Rows, Scratch

LEAST_SHARE = 256
"""Minimum matches per thread."""


def new_scratch(game: Game, seats: int) -> Scratch:
    """Return the arrays of one thread."""
    buffers = Buffers(game)
    scores, points, places = np.zeros(len(game.actions)), np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    return Scratch(buffers.actions, buffers.weights, scores, points, places)


class Device(ABC):
    """Runs kernels over the rows of a batch, and holds its arrays."""

    @abstractmethod
    def place(self, arrays: Any) -> Any:
        """Return a named tuple of arrays where the kernels are: the same, or copies."""

    @abstractmethod
    def octets(self, states: Any) -> Any:
        """Return the bytes of states, int8[states, size of one]: the same memory."""

    @abstractmethod
    def run(self, work: Any, rows: Rows, *more: Any) -> None:
        """Run a kernel, `work(rows, scratch, *more, first, last)`, for all rows."""

    @abstractmethod
    def empty(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """Return a new array for callers, with anything in it."""

    @abstractmethod
    def read_out(self, out: Any, shape: tuple[int, ...]) -> Any:
        """Return a caller's array, to be filled by a kernel; raise `BadArray` if it cannot be."""

    @abstractmethod
    def read_array(self, given: Any) -> Any:
        """Return a caller's array or sequence as an array for kernels."""

    @abstractmethod
    def as_integers(self, numbers: Any) -> Any:
        """Return integers of any size as int64."""

    @abstractmethod
    def to_host(self, array: Any) -> np.ndarray:
        """Return a copy of an array in the memory of this process."""

    @abstractmethod
    def fill(self, array: Any, values: Any) -> None:
        """Overwrite an array with values in the memory of this process."""

    @abstractmethod
    def shared(self, array: Any) -> Any:
        """Return an array as callers get it."""


class Processors(Device):
    """Threads of this process, each with a share of the rows."""

    def __init__(self, game: Game, n: int, seats: int, threads: int) -> None:
        self.game, self.shares = game, _shares(n, threads)
        self._scratch = [new_scratch(game, seats) for _ in self.shares]
        self._pool = ThreadPoolExecutor(len(self.shares)) if len(self.shares) > 1 else None

    def place(self, arrays: Any) -> Any:
        return arrays

    def octets(self, states: Any) -> np.ndarray:
        return octets(states)

    def run(self, work: Any, rows: Rows, *more: Any) -> None:
        interpreted = is_interpreted(self.game.source_folder)
        arrays = _plain(rows) if interpreted else rows
        shares = [(arrays, mine, *more, *share) for mine, share in zip(self._scratch, self.shares, strict=True)]
        if self._pool is None or interpreted:
            for each in shares:
                work(*each)
        else:
            for done in [self._pool.submit(work, *each) for each in shares]:
                done.result()

    def empty(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        return np.empty(shape, dtype)

    def read_out(self, out: Any, shape: tuple[int, ...]) -> Any:
        check_rows(out, shape[0], shape[1], "out")
        return out

    def read_array(self, given: Any) -> np.ndarray:
        return np.asarray(given)

    def as_integers(self, numbers: Any) -> np.ndarray:
        return cast(np.ndarray, numbers.astype(np.int64))

    def to_host(self, array: Any) -> np.ndarray:
        return np.array(array)

    def fill(self, array: Any, values: Any) -> None:
        array[:] = values

    def shared(self, array: Any) -> np.ndarray:
        return cast(np.ndarray, array)


def _plain(rows: Rows) -> Rows:
    """Return views of the same memory for plain Python."""
    return rows._replace(**{name: as_records(getattr(rows, name)) for name in ("states", "blank", "final")})


def _shares(n: int, threads: int) -> list[tuple[int, int]]:
    count = max(1, min(threads, n // LEAST_SHARE))
    return [(k * n // count, (k + 1) * n // count) for k in range(count)]
