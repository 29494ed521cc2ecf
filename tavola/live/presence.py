"""The presence of people: counted by person, told a little later, so that a page that reloads does not flicker.

Connections are to this worker; of those who are connected to others it is known a moment later that they are there.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial

from tavola.live.log.people import CHAT_LINES, CHAT_WINDOW, Person

SETTLING = 1.0
"""Seconds between a change of who is there and telling it."""
MOST_SEEN = 1000
"""People of whom it is remembered when they were here."""

Notify = Callable[[int], None]
Prepare = Callable[[], Callable[[], None]]
"""Makes all that has to be sent ready, and returns the call that sends it."""


class Presence:
    """The connections of one room. `comings` counts how often somebody came or went.

    `changed` is called when others should be told who is there now.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self.changes = 0
        self._on_change = changed
        self._connections: dict[object, tuple[str | None, Notify, Prepare | None]] = {}
        self._people: Counter[str] = Counter()
        self._programs: set[object] = set()  # connections that are shown no pictures
        self._elsewhere: frozenset[str] = frozenset()
        self._began = time.monotonic()
        self._seen_at: dict[str, float] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __contains__(self, person_id: object) -> bool:
        return person_id in self._people or person_id in self._elsewhere

    def __len__(self) -> int:
        return len(self._connections) + len(self._elsewhere)

    @property
    def people(self) -> list[str]:
        """Return the people who are connected here."""
        return list(self._people)

    @property
    def only_programs(self) -> bool:
        """True when programs are connected, and nobody else here or to another worker."""
        return bool(self._programs) and len(self._programs) == len(self._connections) and not self._elsewhere

    def has_only(self, people: Collection[str]) -> bool:
        """True when nobody is connected but some of these people."""
        connected = {person_id for person_id, _, _ in self._connections.values()} | self._elsewhere
        return connected <= {*people}

    def set_elsewhere(self, elsewhere: frozenset[str]) -> None:
        """These are connected to other workers now."""
        if elsewhere != self._elsewhere:
            gone, self._elsewhere = self._elsewhere - elsewhere, elsewhere
            for person_id in gone:
                self.mark_seen(person_id)
            self._schedule_notice()

    def mark_seen(self, person_id: str) -> None:
        """Somebody is here now, perhaps without a connection that stays."""
        self._seen_at[person_id] = time.monotonic()
        if len(self._seen_at) > MOST_SEEN:
            del self._seen_at[next(iter(self._seen_at))]

    def seconds_away(self, person_id: str) -> float:
        """For how many seconds somebody has not been here; since this began, where he never was."""
        return 0.0 if person_id in self else time.monotonic() - self._seen_at.get(person_id, self._began)

    def connect(
        self, person: Person | None, notify: Notify, prepare: Prepare | None = None, *, program: bool = False
    ) -> Callable[[], None]:
        """Count a connection of somebody (None: nobody known), or of his program; the call returned ends it, once."""
        key = object()
        if program:
            self._programs.add(key)
        self._connections[key] = (person.id if person is not None else None, notify, prepare)
        if person is not None:
            self._people[person.id] += 1
            self._schedule_notice()

        def disconnect() -> None:
            self._programs.discard(key)
            if self._connections.pop(key, None) is not None and person is not None:
                self._disconnect(person.id)

        return disconnect

    def tell(self, seq: int, only: str | None = None) -> None:
        """Notify every connection, or those of one person only."""
        for person_id, notify, _ in list(self._connections.values()):
            if only in (None, person_id):
                notify(seq)

    def tell_at_once(self, seq: int) -> float:
        """Notify every connection at the same instant: all is made ready before anything is sent.

        The instant, by `time.monotonic`.
        """
        connected = list(self._connections.values())
        send = [partial(notify, seq) if prepare is None else prepare() for _, notify, prepare in connected]
        instant = time.monotonic()
        for each in send:
            each()
        return instant

    def close(self) -> None:
        """Tell nobody any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _disconnect(self, person_id: str) -> None:
        self._people[person_id] -= 1
        self.mark_seen(person_id)
        if not self._people[person_id]:
            del self._people[person_id]
        self._schedule_notice()

    def _schedule_notice(self) -> None:
        self.changes += 1
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SETTLING, self._notify_settled)

    def _notify_settled(self) -> None:
        self._timer = None
        # Whoever came and went in between may have been shown so meanwhile. Where nothing differs, nothing is sent.
        self._on_change()


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
