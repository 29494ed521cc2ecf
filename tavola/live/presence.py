"""Presence of people, counted by person and announced with a delay, so that a page that reloads does not flicker.

Connections are those of this worker. People who are connected to other workers are known a moment later.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial

from cachetools import FIFOCache

from tavola.live.log.people import CHAT_LINES, CHAT_WINDOW, Person

SETTLING = 1.0
"""Seconds between a change of presence and its announcement."""
NOT_LOOKING = 20.0
"""Seconds after which others see that all pages of a person are hidden."""
MOST_SEEN = 1000
"""Maximum people whose last visit is remembered."""

Notify = Callable[[int], None]
Prepare = Callable[[], Callable[[], None]]
"""Function that prepares a message and returns the function that sends it."""


class Presence:
    """The connections of one room. `changes` counts changes of presence; `changed` is called to announce them."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.changes = 0
        self._on_change = changed
        self._connections: dict[object, tuple[str | None, Notify, Prepare | None]] = {}
        self._people: Counter[str] = Counter()
        self._programs: set[object] = set()  # connections that are sent no scenes
        self._elsewhere: frozenset[str] = frozenset()
        self._began = time.monotonic()
        self._seen_at: FIFOCache[str, float] = FIFOCache(MOST_SEEN)
        self._hidden: dict[object, tuple[str, float, asyncio.TimerHandle]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __contains__(self, person_id: object) -> bool:
        return person_id in self._people or person_id in self._elsewhere

    def __len__(self) -> int:
        return len(self._connections) + len(self._elsewhere)

    @property
    def people(self) -> list[str]:
        """The ids of the people who are connected to this worker."""
        return list(self._people)

    @property
    def only_programs(self) -> bool:
        """Whether programs are connected, and no one else, here or to another worker."""
        return bool(self._programs) and len(self._programs) == len(self._connections) and not self._elsewhere

    def has_only(self, people: Collection[str]) -> bool:
        """Return whether only these people are connected; true also if no one is."""
        connected = {person_id for person_id, _, _ in self._connections.values()} | self._elsewhere
        return connected <= {*people}

    def set_elsewhere(self, elsewhere: frozenset[str]) -> None:
        """Set the people who are connected to other workers."""
        if elsewhere != self._elsewhere:
            gone, self._elsewhere = self._elsewhere - elsewhere, elsewhere
            for person_id in gone:
                self.mark_seen(person_id)
            self._schedule_notice()

    def mark_seen(self, person_id: str) -> None:
        """Note that a person is here now, with or without a connection."""
        self._seen_at[person_id] = time.monotonic()

    def seconds_away(self, person_id: str) -> float:
        """Return for how many seconds a person has been away; since the room was loaded if they were never seen."""
        return 0.0 if person_id in self else time.monotonic() - self._seen_at.get(person_id, self._began)

    def set_hidden(self, connection: object, person_id: str, *, hidden: bool) -> None:
        """Note whether the page of an open connection is hidden. Call it with False before the connection ends."""
        if hidden and connection not in self._hidden:
            timer = asyncio.get_running_loop().call_later(NOT_LOOKING, self._schedule_notice)
            self._hidden[connection] = person_id, time.monotonic(), timer
        elif not hidden and connection in self._hidden:
            looked = self.is_looking(person_id)
            self._hidden.pop(connection)[2].cancel()
            if not looked:
                self._schedule_notice()

    def is_looking(self, person_id: str) -> bool:
        """Return whether a page of a connected person was visible in the last `NOT_LOOKING` seconds."""
        now = time.monotonic()
        hidden = sum(who == person_id and now - since >= NOT_LOOKING for who, since, _ in self._hidden.values())
        return person_id in self._elsewhere or not hidden or hidden < self._people[person_id]

    def connect(
        self, person: Person | None, notify: Notify, prepare: Prepare | None = None, *, program: bool = False
    ) -> Callable[[], None]:
        """Add a connection of a person (None: unknown) or of their program; return the function that ends it."""
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

    def notify(self, seq: int, only: str | None = None) -> None:
        """Notify every connection, or those of one person only."""
        for person_id, notify, _ in list(self._connections.values()):
            if only in (None, person_id):
                notify(seq)

    def notify_at_once(self, seq: int) -> float:
        """Notify every connection at the same instant, after preparing all; return the instant by `time.monotonic`."""
        connected = list(self._connections.values())
        send = [partial(notify, seq) if prepare is None else prepare() for _, notify, prepare in connected]
        instant = time.monotonic()
        for each in send:
            each()
        return instant

    def close(self) -> None:
        """Stop announcing changes."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for _, _, timer in self._hidden.values():
            timer.cancel()

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
        # A short absence may have been shown meanwhile, so notify in any case; if nothing differs, nothing is sent.
        self._on_change()


class LineAllowance:
    """Chat lines that each person has sent recently, limited to `CHAT_LINES` per `CHAT_WINDOW` seconds."""

    def __init__(self) -> None:
        self._spent_at: dict[str, deque[float]] = {}

    @contextmanager
    def spend(self, person_id: str) -> Iterator[bool]:
        """Spend a line on the work inside; yield False if none is left. Work that raises an error costs nothing."""
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
