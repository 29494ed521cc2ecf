"""Cached look-ups of sessions and persons, needed by every page.

Answers are cached for some seconds. A change is broadcast to all workers at once; if the message is lost, the cached
answer expires.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from cachetools import LRUCache

from tavola.club import memory, names
from tavola.club.measures import Measures, in_force
from tavola.club.tickets import digest_of
from tavola.live.cluster.peers import Peers
from tavola.store import BadDatabase, Store, WriteFailed

KEPT_FOR = 10.0
"""Seconds for which an answer is cached."""
ANSWER_WITHIN = 1.0
"""Maximum seconds that a page waits for an answer."""
AWAY_FOR = 2.0
"""Seconds without queries after the database has not answered."""
MOST_KEPT = 20_000
SEEN_EVERY = 3600.0
"""Seconds between two updates of when a session was seen."""
TOPIC = "club"
MEASURES = "measures"
"""The key of the answer about the operator's measures."""

HOLDER = """
SELECT a.id, a.person, a.name, s.digest, s.seen_at, s.proved_at
FROM session s JOIN account a ON a.id = s.account WHERE s.digest = ?
"""
ACCOUNT_OF_PERSON = "SELECT account FROM account_person WHERE person = ?"


class Holder(NamedTuple):
    """The holder of an account in one session; seats belong to `person`.

    `session` is its digest; `seen_at` and `proved_at` are in seconds since 1970.
    """

    account: str
    person: str
    name: str
    session: str
    seen_at: float
    proved_at: float


@dataclass(frozen=True)
class Guest:
    """A visitor: their person, name (empty without one), device and language.

    `account`: the account they are signed in to, if any; `session` is the digest of its session.
    """

    person: str
    name: str
    device: str
    language: str
    account: str | None = None
    session: str = ""


class Directory:
    """The cached answers of one worker."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: LRUCache[str, tuple[float | None, Any]] = LRUCache(MOST_KEPT)
        self._watchers: dict[str, set[Callable[[], None]]] = {}
        self._peers: Peers | None = None
        self._changes = 0
        self._away_until = 0.0

    def join(self, peers: Peers) -> None:
        """Exchange changes with the other workers."""
        self._peers = peers
        peers.add_topic(TOPIC, dict, lambda worker, told: self._forget(*told))

    async def holder(self, secret: str) -> Holder | None:
        """Return the holder of a session, by its secret; None if it has ended or never existed."""
        digest, rows = digest_of(secret), self._store.rows
        found = await self._ask(f"session {digest}", lambda: rows(HOLDER, (digest,)))
        return Holder(*found[0]) if found else None

    async def account_of(self, person_id: str) -> str | None:
        """Return the account to which a guest's seats belong now; None if they are still a guest."""
        found = await self._ask(f"person {person_id}", lambda: self._store.rows(ACCOUNT_OF_PERSON, (person_id,)))
        return str(found[0][0]) if found else None

    async def is_free(self, name: str, *, fresh: bool = False) -> bool:
        """True if a name is not reserved and no other name looks like it; `fresh` bypasses the cache."""
        if names.is_reserved(name):
            return False
        if fresh:
            self._known.pop(f"name {name}", None)
        return bool(await self._ask(f"name {name}", lambda: names.is_free(self._store.rows, name)))

    async def measures(self) -> Measures:
        """Return the measures in force; none while the database has never answered."""
        with contextlib.suppress(WriteFailed):
            found: Measures = await self._ask(MEASURES, lambda: in_force(self._store.rows))
            return found
        return Measures(())

    async def has_correspondence(self, person: str) -> bool:
        """True if a person has, or watches, a correspondence match; False while the database does not answer."""
        with contextlib.suppress(WriteFailed):
            return bool(await self._ask(f"post {person}", lambda: memory.rooms(self._store.rows, person, 1)))
        return False

    def note_correspondence(self, person: str) -> None:
        """Record that a person has viewed a correspondence match."""
        if not self._known.get(f"post {person}", (None, None))[1]:
            self.forget(f"post {person}", broadcast=False)

    async def _ask(self, key: str, find: Callable[[], Any]) -> Any:
        """Return a cached or new answer; if the database is away, an expired one, or raise `WriteFailed`."""
        at, answer = self._known.get(key, (None, None))
        if at is not None and time.monotonic() - at <= KEPT_FOR:
            return answer
        changes = self._changes
        try:
            answer = await self._find(find)
        except WriteFailed:
            if at is None:
                raise
            return answer
        if changes == self._changes:  # an answer read during a change may be outdated
            self._known[key] = time.monotonic(), answer
        return answer

    async def _find(self, find: Callable[[], Any]) -> Any:
        """Query the database; raise `WriteFailed` if it is slow, then at once for a while, so that pages stay fast."""
        if time.monotonic() < self._away_until:
            raise WriteFailed("the database did not respond a moment ago")
        try:
            return await asyncio.wait_for(asyncio.to_thread(find), ANSWER_WITHIN)
        except (TimeoutError, WriteFailed, BadDatabase) as error:
            self._away_until = time.monotonic() + AWAY_FOR
            raise WriteFailed("the database does not respond") from error

    def forget(self, *keys: str, broadcast: bool = True) -> None:
        """Drop cached answers about `session DIGEST`, `person ID`, `guest ID` or measures, everywhere if `broadcast`.

        `guest ID` changes when a browser continues as another person than that guest.
        """
        self._forget(*keys)
        if self._peers is not None and keys and broadcast:
            self._peers.broadcast_soon(TOPIC, dict.fromkeys(keys, 1))

    def _forget(self, *keys: str) -> None:
        self._changes += 1
        for key in keys:
            self._known.pop(key, None)
            for changed in list(self._watchers.get(key, ())):
                changed()

    def watch(self, key: str, changed: Callable[[], None]) -> Callable[[], None]:
        """Call `changed` whenever answers about `key` are dropped at any worker; return the call that ends it."""
        self._watchers.setdefault(key, set()).add(changed)

        def leave() -> None:
            self._watchers[key].discard(changed)
            if not self._watchers[key]:
                del self._watchers[key]

        return leave
