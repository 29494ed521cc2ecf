"""Push subscriptions: the browsers in which a player asked to be notified of turns.

A subscription belongs to an account and lasts as long as the session in which it was made. Signing out of a browser, or
ending its session from another one, ends it. The table contains an endpoint and the browser's keys, which do not
identify a person.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes

from tavola.club import refused
from tavola.club.outbox import PUSH
from tavola.club.reach import BadEndpoint, Reach
from tavola.store import Execute

MOST = 8
"""Maximum browsers notified per account; the oldest is replaced."""
AUTH_BYTES, POINT_BYTES = 16, 65
LONGEST_KEY = 128
STORE = """
INSERT INTO subscription VALUES (?, ?, ?, ?) ON CONFLICT (endpoint) DO UPDATE SET account = excluded.account,
keys = excluded.keys, made_at = excluded.made_at
"""
OF_ACCOUNT = "SELECT endpoint, keys, made_at FROM subscription WHERE account = ? ORDER BY made_at DESC, endpoint"
SESSIONS = "SELECT digest FROM session WHERE account = ?"


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
        return hashlib.sha256(self.endpoint.encode()).hexdigest()[:20]


def read_subscription(document: Mapping[str, Any], reach: Reach) -> Subscription:
    """Parse `PushSubscription.toJSON()` of a browser; raise `BadEndpoint` for an invalid endpoint or keys."""
    endpoint, keys = document.get("endpoint"), document.get("keys")
    if not isinstance(endpoint, str) or not isinstance(keys, dict):
        raise BadEndpoint
    reach.check(endpoint)
    point, auth = _bytes(keys.get("p256dh")), _bytes(keys.get("auth"))
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError as error:
        raise BadEndpoint from error
    if len(point) != POINT_BYTES or len(auth) != AUTH_BYTES:
        raise BadEndpoint
    return Subscription(endpoint, point, auth)


def _bytes(text: object) -> bytes:
    if not isinstance(text, str) or len(text) > LONGEST_KEY:
        raise BadEndpoint
    try:
        return base64url_to_bytes(text.rstrip("="))
    except ValueError as error:
        raise BadEndpoint from error


def keep(execute: Execute, account: str, session: str, asked: Subscription, now: float) -> None:
    """Notify an account in one more browser, which no longer notifies its former account."""
    keys = {"p256dh": asked.point.hex(), "auth": asked.auth.hex(), "session": session, "site": asked.site_key}
    execute(STORE, (asked.endpoint, account, json.dumps(keys), now))
    kept = {each.endpoint for each in of_account(execute, account)[:MOST]}
    for endpoint, *_ in execute(OF_ACCOUNT, (account,)):
        if endpoint not in kept:
            forget(execute, endpoint)


def of_account(execute: Execute, account: str) -> list[Subscription]:
    """Return an account's subscriptions whose sessions have not ended, newest first."""
    sessions = {str(digest) for (digest,) in execute(SESSIONS, (account,))}
    found = [_read(*row) for row in execute(OF_ACCOUNT, (account,))]
    return [each for each in found if each is not None and each.session in sessions]


def _read(endpoint: str, keys: str, made_at: float) -> Subscription | None:
    try:
        kept = json.loads(keys)
        point, auth = bytes.fromhex(kept["p256dh"]), bytes.fromhex(kept["auth"])
        return Subscription(endpoint, point, auth, kept["session"], made_at, kept.get("site", ""))
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def stop_other_keys(execute: Execute, site_key: str, now: float) -> None:
    """Delete subscriptions made for another key of the site, which push services refuse, and mark them as refused."""
    for account, *row in execute("SELECT account, endpoint, keys, made_at FROM subscription"):
        known = _read(*row)
        if known is not None and known.site_key not in ("", site_key):
            forget(execute, known.endpoint)
            refused.note(execute, account, PUSH, known.endpoint, now, refused.MOST)


def forget(execute: Execute, endpoint: str) -> None:
    """Delete the subscription of an endpoint."""
    execute("DELETE FROM subscription WHERE endpoint = ?", (endpoint,))


def forget_one(execute: Execute, account: str, endpoint: str) -> bool:
    """Delete an account's subscription; False if the endpoint is not its own."""
    query = "DELETE FROM subscription WHERE endpoint = ? AND account = ? RETURNING endpoint"
    return bool(execute(query, (endpoint, account)))


def follow(execute: Execute, account: str, before: str, session: str) -> None:
    """Move subscriptions to the new session of the same browser."""
    for each in of_account(execute, account):
        if each.session == before:
            keep(execute, account, session, each, each.made_at)
