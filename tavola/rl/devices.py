"""What runs the kernels of a batch, and where its arrays are: on processors here, on a GPU in `tavola.rl.gpu`."""

from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from typing import Any

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
    """Runs kernels over the rows of a batch, and holds its arrays: NumPy's, in the memory of this process."""

    @abstractmethod
    def run(self, work: Any, rows: Rows, *more: Any) -> None:
        """Run a kernel, `work(rows, scratch, *more, first, last)`, for all rows."""

    def place(self, arrays: Any) -> Any:
        """Return a named tuple of arrays where the kernels are: the same, or copies."""
        return arrays

    def octets(self, states: Any) -> Any:
        """Return the bytes of states, int8[states, size of one]: the same memory."""
        return octets(states)

    def empty(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """Return a new array for callers, with anything in it."""
        return np.empty(shape, dtype)

    def read_out(self, out: Any, shape: tuple[int, ...]) -> Any:
        """Return a caller's array, to be filled by a kernel; raise `BadArray` if it cannot be."""
        check_rows(out, shape[0], shape[1], "out")
        return out

    def read_array(self, given: Any) -> Any:
        """Return a caller's array or sequence as an array for kernels."""
        return np.asarray(given)

    def as_integers(self, numbers: Any) -> Any:
        """Return integers of any size as int64."""
        return numbers.astype(np.int64)

    def to_host(self, array: Any) -> np.ndarray:
        """Return a copy of an array in the memory of this process."""
        return np.array(array)

    def fill(self, array: Any, values: Any) -> None:
        """Overwrite an array with values in the memory of this process."""
        array[:] = values

    def shared(self, array: Any) -> Any:
        """Return an array as callers get it."""
        return array


class Processors(Device):
    """Threads of this process, each with a share of the rows."""

    def __init__(self, game: Game, n: int, seats: int, threads: int) -> None:
        count = max(1, min(threads, n // LEAST_SHARE))
        self.game, self.shares = game, [(k * n // count, (k + 1) * n // count) for k in range(count)]
        self._scratch = [new_scratch(game, seats) for _ in self.shares]
        self._pool = ThreadPoolExecutor(count) if count > 1 else None

    def run(self, work: Any, rows: Rows, *more: Any) -> None:
        interpreted = is_interpreted(self.game.source_folder)
        if interpreted:
            rows = rows._replace(**{name: as_records(getattr(rows, name)) for name in ("states", "blank", "final")})
        shares = [(rows, mine, *more, *share) for mine, share in zip(self._scratch, self.shares, strict=True)]
        if self._pool is None or interpreted:
            for each in shares:
                work(*each)
        else:
            for done in [self._pool.submit(work, *each) for each in shares]:
                done.result()
