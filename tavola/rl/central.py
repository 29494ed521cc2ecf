"""The whole position as one row, for a critic that sees more than a seat: the table once, then every hand."""

import numpy as np

from tavola.core.encoding import Encoder, Run, octets
from tavola.rl.kernels import encode_positions

HAND = "hand."


class CentralRows:
    """Rows of the table and of all hands; `shape`, `names`, `low` and `high` as in an encoder.

    `program`: its runs, int64[runs, 6], whose bytes count from the beginning of the state.
    """

    def __init__(self, encoder: Encoder, players: int) -> None:
        seen = encoder.names[: encoder.seen_columns]
        first = next((place for place, name in enumerate(seen) if name.startswith(HAND)), len(seen))
        table, hand = slice(encoder.seats, first), slice(first, len(seen))
        hands = [f"hands.{seat}.{name.removeprefix(HAND)}" for seat in range(players) for name in seen[hand]]
        self.names = (*seen[table], *hands)
        self.shape = (len(self.names),)
        self.low, self.high = (
            np.concatenate([bounds[table], *[bounds[hand]] * players]) for bounds in (encoder.low, encoder.high)
        )
        runs, table_at, hands_at, size = encoder.layout.tolist()
        moved = [_moved(run, table_at, -encoder.seats) for run in encoder.program[:runs]]
        for seat in range(players):
            columns = seat * (len(seen) - first) - encoder.seats
            moved += [_moved(run, hands_at + seat * size, columns) for run in encoder.program[runs:]]
        self.program = np.array(moved, np.int64).reshape(-1, len(Run._fields))

    def encode(self, states: np.ndarray) -> np.ndarray:
        """Return the rows of full states: float32[states, columns]."""
        out = np.empty((len(states), *self.shape), np.float32)
        encode_positions(octets(states), self.program, out, 0, len(states))
        return out


def _moved(run: np.ndarray, source: int, column: int) -> Run:
    known = Run(*run.tolist())
    return known._replace(source=known.source + source, column=known.column + column)
