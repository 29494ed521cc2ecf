"""The whole position as one row, for a critic that sees more than a seat: the table once, then every hand."""

import numpy as np

from tavola.core.encoding import Encoder

HAND = "hand."


class CentralRows:
    """Rows of the table and of all hands; `shape`, `names`, `low` and `high` as in an encoder."""

    def __init__(self, encoder: Encoder, players: int) -> None:
        self.encoder, self.players = encoder, players
        seen = encoder.names[: encoder.seen_columns]
        first = next((place for place, name in enumerate(seen) if name.startswith(HAND)), len(seen))
        self.table, self.hand = slice(encoder.seats, first), slice(first, len(seen))
        hands = [f"hands.{seat}.{name.removeprefix(HAND)}" for seat in range(players) for name in seen[self.hand]]
        self.names = (*seen[self.table], *hands)
        self.shape = (len(self.names),)
        self.low, self.high = (
            np.concatenate([bounds[self.table], *[bounds[self.hand]] * players])
            for bounds in (encoder.low, encoder.high)
        )

    def encode(self, states: np.ndarray) -> np.ndarray:
        """Return the rows of full states: float32[states, columns]."""
        encoder, count = self.encoder, len(states)
        heard = np.full((count, encoder.recall, 2), -1, np.int32) if encoder.recall else None
        row, parts = np.empty((count, *encoder.shape), np.float32), []
        for seat in range(self.players):
            encoder.encode(states, np.full(count, seat), row, heard)
            parts += [row[:, self.table].copy()] if not seat else []
            parts.append(row[:, self.hand].copy())
        return np.concatenate(parts, axis=1)
