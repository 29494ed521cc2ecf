"""Tickets: secrets that are good once, for minutes, for one purpose. The database knows their digests alone."""

import hashlib
import json
import secrets
import time
from typing import Any

from itsdangerous import BadSignature, URLSafeTimedSerializer
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from tavola.store import Execute

SECRET_BYTES = 32


def new_secret() -> str:
    """Return a secret that nobody can guess, fit for an address."""
    return secrets.token_urlsafe(SECRET_BYTES)


def digest_of(secret: str) -> str:
    """Return what the database keeps of a secret. It has 256 random bits, so a plain digest tells nothing of it."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Challenges:
    """Secrets that anyone may ask for at no cost: they are signed, and the database learns only of those used."""

    def __init__(self, key: bytes, seconds: int) -> None:
        self._signer = URLSafeTimedSerializer(key, salt="tavola challenge")
        self._seconds = seconds

    def issue(self) -> str:
        """Return a new one, in the letters of base64url."""
        return bytes_to_base64url(self._signer.dumps(secrets.token_urlsafe(SECRET_BYTES)).encode())

    def is_good(self, challenge: str) -> bool:
        """True for one that was issued not long ago."""
        try:
            self._signer.loads(base64url_to_bytes(challenge), max_age=self._seconds)
        except (BadSignature, ValueError):
            return False
        return True

    def use(self, execute: Execute, challenge: str) -> None:
        """Note that it was used; the second time that is a `Conflict`."""
        issue(execute, challenge, "used", self._seconds)


def issue(execute: Execute, secret: str, purpose: str, seconds: float, account: str | None = None, **body: Any) -> None:
    """Make a secret good for a purpose, for so many seconds; tickets that are too old go."""
    now = time.time()
    execute("DELETE FROM ticket WHERE expires_at < ?", (now,))
    text = json.dumps(body, ensure_ascii=False)
    execute("INSERT INTO ticket VALUES (?, ?, ?, ?, ?)", (digest_of(secret), purpose, account, text, now + seconds))


def redeem(execute: Execute, secret: str, purpose: str) -> dict[str, Any] | None:
    """Use a ticket up; return its body with its `account`, None where there is none that is good."""
    found = execute(
        "DELETE FROM ticket WHERE digest = ? AND purpose = ? AND expires_at >= ? RETURNING account, body",
        (digest_of(secret), purpose, time.time()),
    )
    return None if not found else {**json.loads(found[0][1]), "account": found[0][0]}


def inspect(execute: Execute, secret: str, purpose: str) -> dict[str, Any] | None:
    """Return the body of a ticket without using it up, None where there is none that is good."""
    found = execute(
        "SELECT account, body FROM ticket WHERE digest = ? AND purpose = ? AND expires_at >= ?",
        (digest_of(secret), purpose, time.time()),
    )
    return None if not found else {**json.loads(found[0][1]), "account": found[0][0]}
