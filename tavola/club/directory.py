"""Who is behind a session, and which guests' names of old belong to an account: asked with every page.

The answers are kept for some seconds. Whatever changes them is told to all workers at once; where the word is lost,
the seconds pass.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from cachetools import LRUCache

from tavola.club import names, remembered
from tavola.club.tickets import digest_of
from tavola.store import BadDatabase, Store, WriteFailed

if TYPE_CHECKING:
    from tavola.live.cluster.peers import Peers

KEPT_FOR = 10.0
"""Seconds for which an answer is believed."""
ANSWER_WITHIN = 1.0
"""Seconds that a page waits for an answer."""
AWAY_FOR = 2.0
"""Seconds for which nobody asks a database that has not answered."""
MOST_KEPT = 20_000
SEEN_EVERY = 3600.0
"""Seconds between two notes of when a session was seen."""
TOPIC = "club"

HOLDER = """
SELECT a.id, a.person, a.name, s.digest, s.seen_at, s.proved_at
FROM session s JOIN account a ON a.id = s.account WHERE s.digest = ?
"""
ACCOUNT_OF_PERSON = "SELECT account FROM account_person WHERE person = ?"


class Holder(NamedTuple):
    """The holder of an account in one of his sessions: `person` is whom seats belong to.

    `session` is its digest; it was seen, and proved, at these times.
    """

    account: str
    person: str
    name: str
    session: str
    seen_at: float
    proved_at: float


class Directory:
    """The known answers of one worker."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: LRUCache[str, tuple[float | None, Any]] = LRUCache(MOST_KEPT)
        self._watchers: dict[str, set[Callable[[], None]]] = {}
        self._peers: Peers | None = None
        self._changes = 0
        self._away_until = 0.0

    def join(self, peers: "Peers") -> None:
        """There are other workers: tell them, and hear them."""
        self._peers = peers
        peers.add_topic(TOPIC, dict, lambda worker, told: self._forget(*told))

    async def holder(self, secret: str) -> Holder | None:
        """Return who is behind a session, by its secret; None where it has ended, or never was."""
        digest = digest_of(secret)
        found: Holder | None = await self._ask(f"session {digest}", lambda: self._find_holder(digest))
        return found

    async def account_of(self, person_id: str) -> str | None:
        """Return the account to which a guest's seats belong by now; None where he is a guest still."""
        rows = self._store.rows
        found = await self._ask(f"person {person_id}", lambda: rows(ACCOUNT_OF_PERSON, (person_id,)))
        return str(found[0][0]) if found else None

    async def is_free(self, name: str, *, anew: bool = False) -> bool:
        """True where nobody keeps a name that looks like that one, and it is not reserved; `anew`: as it is now."""
        if names.is_reserved(name):
            return False
        if anew:
            self._known.pop(f"name {name}", None)
        return bool(await self._ask(f"name {name}", lambda: names.is_free(self._store.rows, name)))

    async def has_post(self, person: str) -> bool:
        """True for who has, or watches, a match over days; False while the database is away."""
        with contextlib.suppress(WriteFailed):
            return bool(await self._ask(f"post {person}", lambda: remembered.rooms(self._store.rows, person, 1)))
        return False

    def note_post(self, person: str) -> None:
        """Somebody has looked at a match over days."""
        if not self._known.get(f"post {person}", (None, None))[1]:
            self.forget(f"post {person}", aloud=False)

    def _find_holder(self, digest: str) -> Holder | None:
        found = self._store.rows(HOLDER, (digest,))
        return Holder(*found[0]) if found else None

    async def _ask(self, key: str, find: Callable[[], Any]) -> Any:
        """Return an answer that is known, or found now; the last one where the database is away, else `WriteFailed`."""
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
        if changes == self._changes:  # what was read while something changed may be of before
            self._known[key] = time.monotonic(), answer
        return answer

    async def _find(self, find: Callable[[], Any]) -> Any:
        """Ask the database; `WriteFailed` where it does not answer soon. Then nobody asks for a while: pages go on."""
        if time.monotonic() < self._away_until:
            raise WriteFailed("the database has not answered a moment ago")
        try:
            return await asyncio.wait_for(asyncio.to_thread(find), ANSWER_WITHIN)
        except (TimeoutError, WriteFailed, BadDatabase) as error:
            self._away_until = time.monotonic() + AWAY_FOR
            raise WriteFailed("the database does not answer") from error

    def forget(self, *keys: str, aloud: bool = True) -> None:
        """Something has changed: `session DIGEST`, `person ID`; this worker asks anew, and all if it is said aloud.

        `guest ID`: a browser goes on as somebody else than that guest.
        """
        self._forget(*keys)
        if self._peers is not None and keys and aloud:
            self._peers.broadcast_soon(TOPIC, dict.fromkeys(keys, 1))

    def _forget(self, *keys: str) -> None:
        self._changes += 1
        for key in keys:
            self._known.pop(key, None)
            for changed in list(self._watchers.get(key, ())):
                changed()

    def watch(self, key: str, changed: Callable[[], None]) -> Callable[[], None]:
        """Call `changed` when what a key of `forget` stands for may be otherwise, here or at another worker.

        The call returned ends it.
        """
        self._watchers.setdefault(key, set()).add(changed)

        def leave() -> None:
            self._watchers[key].discard(changed)
            if not self._watchers[key]:
                del self._watchers[key]

        return leave
