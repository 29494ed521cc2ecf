"""Lines of chat that people have left in a room. Only memory knows: a restart gives everybody all of them."""

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from tavola.live.log.people import CHAT_LINES, CHAT_WINDOW


class LineAllowance:
    """The lines that each person has spent lately."""

    def __init__(self) -> None:
        self._spent_at: dict[str, deque[float]] = {}

    @contextmanager
    def spend(self, person_id: str) -> Iterator[bool]:
        """Spend a line on what is carried out inside, False where none is left. What is not carried out costs none."""
        spent, now = self._spent_at.setdefault(person_id, deque(maxlen=CHAT_LINES)), time.monotonic()
        has_line = len(spent) < CHAT_LINES or now - spent[0] >= CHAT_WINDOW
        if has_line:
            spent.append(now)
        try:
            yield has_line
        except Exception:
            if has_line:
                spent.pop()
            raise
