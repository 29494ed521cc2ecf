"""Push notifications, encrypted for one browser (RFC 8291) and signed by the site (RFC 8292).

The browser maker's push service delivers them. It sees that this site notifies this browser, when, and for how long the
message is useful; not the text nor the match. The text is encrypted and padded, and the topic by which a later
notification replaces an earlier one is a keyed digest.
"""

import asyncio
import json
import re
import time
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from hashlib import blake2b, sha256
from typing import Any, NamedTuple

import http_ece
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from tavola.club.sending.outbox import MOST_REFUSALS, PUSH, NotNow, QueuedMessage, Undeliverable, note_refusal
from tavola.club.sending.reach import BadEndpoint, NotPublic, Reach, origin_of
from tavola.store import Execute, Store

ORDER = 0xFFFFFFFF_00000000_FFFFFFFF_FFFFFFFF_BCE6FAAD_A7179E84_F3B9CAC2_FC632551
"""The order of P-256: a private key is between 1 and this, exclusive."""
SIGNED_FOR = 12 * 3600
"""Seconds for which a signature is valid; RFC 8292 allows at most a day."""
LONGEST_KEPT = 28 * 24 * 3600
"""Seconds for which a push service is asked to keep a message: none keeps one for longer."""
PADDED_TO = 512
"""The text is padded to a multiple of this number of bytes, so that its length reveals nothing."""
NOT_NOW = (408, 425, 429)
GONE = (404, 410)
NO_CONTACT, PORT = "https://localhost", re.compile(r":\d+$")
"""The contact of a site without one; and a port, which push services reject in a contact."""


class PushNotice(NamedTuple):
    """What a browser shows, in the language of its reader.

    `tag`: a later notification with the same one replaces it. `path`: the page of this site that it opens. `lasts`:
    seconds for which it is useful.
    """

    title: str
    body: str
    language: str
    tag: str
    path: str
    lasts: float


WriteNotice = Callable[[QueuedMessage], Awaitable[PushNotice | None]]
"""Writes a notification; None if there is nothing to send any more."""


class PushKey:
    """The key by which push services recognise the site.

    It is derived from the site's secret: the same at every worker, after every start and in every copy of the database.
    With another secret, browsers must subscribe again. `contact`: where an operator of a push service reaches the
    site's, `https://…` or `mailto:…`.
    """

    def __init__(self, secret: bytes, contact: str = "") -> None:
        made = HKDF(hashes.SHA256(), 48, salt=None, info=b"tavola web push").derive(secret)
        self._private = ec.derive_private_key(int.from_bytes(made) % (ORDER - 1) + 1, ec.SECP256R1())
        self._secret = HKDF(hashes.SHA256(), 32, salt=None, info=b"tavola web push topics").derive(secret)
        self._contact = PORT.sub("", contact if contact.startswith(("https://", "mailto:")) else NO_CONTACT)

    @cached_property
    def public(self) -> str:
        """The `applicationServerKey` of pages: 65 bytes in base64url."""
        point = self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return bytes_to_base64url(point)

    def authorization(self, endpoint: str, now: float) -> str:
        """Return the header that identifies the sender to a push service."""
        claims = {"aud": origin_of(endpoint), "exp": int(now) + SIGNED_FOR, "sub": self._contact}
        return str(Vapid02(self._private).sign(claims)["Authorization"])

    def topic(self, *parts: str) -> str:
        """Return an opaque name of 24 characters for the subject of a notification."""
        digest = blake2b("\n".join(parts).encode(), key=self._secret, digest_size=18)
        return urlsafe_b64encode(digest.digest()).decode()


# A subscription belongs to an account and lasts as long as the session in which it was made. Signing out of a browser,
# or ending its session from another one, ends it. The table contains an endpoint and the browser's keys, which do not
# identify a person.

MOST_BROWSERS = 8
"""Maximum browsers notified per account; the oldest is replaced."""
AUTH_BYTES, POINT_BYTES = 16, 65
LONGEST_PART = 128
STORE_SUBSCRIPTION = """
INSERT INTO subscription VALUES (?, ?, ?, ?) ON CONFLICT (endpoint) DO UPDATE SET account = excluded.account,
keys = excluded.keys, made_at = excluded.made_at
"""
OF_ACCOUNT = "SELECT endpoint, keys, made_at FROM subscription WHERE account = ? ORDER BY made_at DESC, endpoint"


class Subscription(NamedTuple):
    """An endpoint of a push service, and the keys that encrypt notifications for the browser behind it.

    `point`: its public key on P-256, 65 bytes; `auth`: a shared secret of 16 bytes. `session`: the digest of the
    session in which it was made; `made_at`: seconds since 1970; `site_key`: the key of the site that the browser was
    given, empty if an earlier release did not store it.
    """

    endpoint: str
    point: bytes
    auth: bytes
    session: str = ""
    made_at: float = 0.0
    site_key: str = ""

    @property
    def mark(self) -> str:
        """A digest of the endpoint, by which a browser recognises it and topics differ."""
        return sha256(self.endpoint.encode()).hexdigest()[:20]


def read_subscription(document: Mapping[str, Any], reach: Reach) -> Subscription:
    """Parse `PushSubscription.toJSON()` of a browser; raise `BadEndpoint` for an invalid endpoint or keys."""
    endpoint, keys = document.get("endpoint"), document.get("keys")
    if not isinstance(endpoint, str) or not isinstance(keys, dict):
        raise BadEndpoint
    reach.check(endpoint)
    try:
        point, auth = _part(keys.get("p256dh")), _part(keys.get("auth"))
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError as error:
        raise BadEndpoint from error
    if len(point) != POINT_BYTES or len(auth) != AUTH_BYTES:
        raise BadEndpoint
    return Subscription(endpoint, point, auth)


def _part(text: object) -> bytes:
    if not isinstance(text, str) or len(text) > LONGEST_PART:
        raise BadEndpoint
    return base64url_to_bytes(text.rstrip("="))


def keep_subscription(execute: Execute, account: str, session: str, asked: Subscription, now: float) -> None:
    """Notify an account in one more browser, which no longer notifies its former account."""
    keys = {"p256dh": asked.point.hex(), "auth": asked.auth.hex(), "session": session, "site": asked.site_key}
    execute(STORE_SUBSCRIPTION, (asked.endpoint, account, json.dumps(keys), now))
    kept = {each.endpoint for each in subscriptions_of(execute, account)[:MOST_BROWSERS]}
    for endpoint, *_ in execute(OF_ACCOUNT, (account,)):
        if endpoint not in kept:
            forget_subscription(execute, endpoint)


def subscriptions_of(execute: Execute, account: str) -> list[Subscription]:
    """Return an account's subscriptions whose sessions have not ended, newest first."""
    sessions = {str(digest) for (digest,) in execute("SELECT digest FROM session WHERE account = ?", (account,))}
    found = [_read(*row) for row in execute(OF_ACCOUNT, (account,))]
    return [each for each in found if each is not None and each.session in sessions]


def _read(endpoint: str, keys: str, made_at: float) -> Subscription | None:
    try:
        kept = json.loads(keys)
        point, auth = bytes.fromhex(kept["p256dh"]), bytes.fromhex(kept["auth"])
        return Subscription(endpoint, point, auth, kept["session"], made_at, kept.get("site", ""))
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def stop_other_keys(execute: Execute, site_key: str) -> None:
    """Delete subscriptions made for another key of the site, which push services refuse, and mark them as refused."""
    for account, *row in execute("SELECT account, endpoint, keys, made_at FROM subscription"):
        if (known := _read(*row)) is not None and known.site_key not in ("", site_key):
            forget_subscription(execute, known.endpoint)
            note_refusal(execute, account, PUSH, known.endpoint, MOST_REFUSALS)


def forget_subscription(execute: Execute, endpoint: str) -> None:
    """Delete the subscription of an endpoint."""
    execute("DELETE FROM subscription WHERE endpoint = ?", (endpoint,))


def forget_own_subscription(execute: Execute, account: str, endpoint: str) -> bool:
    """Delete an account's subscription; False if the endpoint is not its own."""
    query = "DELETE FROM subscription WHERE endpoint = ? AND account = ? RETURNING endpoint"
    return bool(execute(query, (endpoint, account)))


def follow_session(execute: Execute, account: str, before: str, session: str) -> None:
    """Move subscriptions to the new session of the same browser."""
    for each in subscriptions_of(execute, account):
        if each.session == before:
            keep_subscription(execute, account, session, each, each.made_at)


def encrypt(notice: PushNotice, subscription: Subscription) -> bytes:
    """Return a notification encrypted for one browser by a key that is used once."""
    told = {name: value for name, value in notice._asdict().items() if name != "lasts"}
    text = json.dumps(told, ensure_ascii=False).encode()
    padded = text + b" " * (-len(text) % PADDED_TO)
    once = ec.generate_private_key(ec.SECP256R1())
    return bytes(http_ece.encrypt(padded, private_key=once, dh=subscription.point, auth_secret=subscription.auth))


class Pusher:
    """A carrier of notifications to push services, with the site's key and its `reach`."""

    def __init__(self, store: Store, key: PushKey, reach: Reach, write: WriteNotice) -> None:
        self.key, self.reach, self._store, self._write = key, reach, store, write

    async def carry(self, queued: QueuedMessage) -> bool:
        """Push a notification; False if it is not needed any more or the subscription is gone.

        Raise `NotNow` if a retry may help, else `Undeliverable`.
        """
        subscription, notice = await self._find(queued), await self._write(queued)
        if subscription is None or notice is None:
            return False
        try:
            answer = await self.reach.post(subscription.endpoint, *self._sealed(notice, subscription, queued))
        except (BadEndpoint, NotPublic) as error:
            await self._forget(subscription)
            raise Undeliverable("the push service is on a private network", counts=False) from error
        if answer.status in GONE:
            await self._forget(subscription)
            raise Undeliverable("the browser's subscription is gone", counts=False)
        if answer.status in NOT_NOW or answer.status >= 500:
            raise NotNow(f"a push service answered {answer.status}", answer.retry_after)
        if not 200 <= answer.status < 300:
            raise Undeliverable(f"a push service answered {answer.status}")
        return True

    def _sealed(self, notice: PushNotice, to: Subscription, queued: QueuedMessage) -> tuple[dict[str, str], bytes]:
        """Return headers and body for a push service; `TTL` makes it drop a late notification."""
        headers = {
            "TTL": str(int(min(max(0.0, notice.lasts), LONGEST_KEPT))),
            "Topic": self.key.topic(str(queued.account), notice.tag),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "Authorization": self.key.authorization(to.endpoint, time.time()),
        }
        return headers, encrypt(notice, to)

    async def _find(self, queued: QueuedMessage) -> Subscription | None:
        known = await asyncio.to_thread(subscriptions_of, self._store.rows, queued.account or "")
        return next((each for each in known if each.endpoint == queued.recipient), None)

    async def _forget(self, subscription: Subscription) -> None:
        await self._store.transact(lambda execute: forget_subscription(execute, subscription.endpoint))
