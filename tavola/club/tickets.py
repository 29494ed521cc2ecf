"""Tickets: secrets valid once, for minutes, for one purpose. The database stores only their digests."""

import hashlib
import json
import secrets
import time
from collections.abc import Sequence
from typing import Any

from itsdangerous import BadSignature, URLSafeTimedSerializer
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from tavola.store import Execute

SECRET_BYTES = 32


def new_secret() -> str:
    """Return an unguessable secret that can be part of a URL."""
    return secrets.token_urlsafe(SECRET_BYTES)


def digest_of(secret: str) -> str:
    """Return the digest stored for a secret. It has 256 random bits, so a plain digest is safe."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Challenges:
    """Signed secrets that anyone may request at no cost: the database stores only used ones."""

    def __init__(self, key: bytes, seconds: int) -> None:
        self._signer = URLSafeTimedSerializer(key, salt="tavola challenge")
        self._seconds = seconds

    def issue(self) -> str:
        """Return a new challenge in base64url."""
        return bytes_to_base64url(self._signer.dumps(secrets.token_urlsafe(SECRET_BYTES)).encode())

    def is_good(self, challenge: str) -> bool:
        try:
            self._signer.loads(base64url_to_bytes(challenge), max_age=self._seconds)
        except (BadSignature, ValueError):
            return False
        return True

    def use(self, execute: Execute, challenge: str) -> None:
        """Mark a challenge as used; the second time raises `Conflict`."""
        issue(execute, challenge, "used", self._seconds)


def issue(execute: Execute, secret: str, purpose: str, seconds: float, account: str | None = None, **body: Any) -> None:
    """Store a secret for a purpose, valid for `seconds`; delete expired tickets."""
    now = time.time()
    execute("DELETE FROM ticket WHERE expires_at < ?", (now,))
    text = json.dumps(body, ensure_ascii=False)
    execute("INSERT INTO ticket VALUES (?, ?, ?, ?, ?)", (digest_of(secret), purpose, account, text, now + seconds))


def redeem(execute: Execute, secret: str, *purposes: str) -> dict[str, Any] | None:
    """Use up a ticket for one of these purposes; return its body, `account` and `purpose`, None if it is not valid."""
    return _read(execute, "DELETE FROM ticket WHERE {} RETURNING account, purpose, body", secret, purposes)


def claim(execute: Execute, secret: str, made: str, seconds: float) -> str:
    """Return `made`, or what the same command made before."""
    known = inspect(execute, secret, "made")
    if known is None:
        issue(execute, secret, "made", seconds, made=made)
    return made if known is None else str(known["made"])


def inspect(execute: Execute, secret: str, *purposes: str) -> dict[str, Any] | None:
    """Return the same as `redeem` without using the ticket up."""
    return _read(execute, "SELECT account, purpose, body FROM ticket WHERE {}", secret, purposes)


def _read(execute: Execute, statement: str, secret: str, purposes: Sequence[str]) -> dict[str, Any] | None:
    good = f"digest = ? AND expires_at >= ? AND purpose IN ({', '.join('?' * len(purposes))})"
    found = execute(statement.format(good), (digest_of(secret), time.time(), *purposes))
    return None if not found else {**json.loads(found[0][2]), "account": found[0][0], "purpose": found[0][1]}
