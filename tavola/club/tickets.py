"""Tickets: secrets that are good once, for minutes, for one purpose. The database knows their digests alone."""

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


def redeem(execute: Execute, secret: str, *purposes: str) -> dict[str, Any] | None:
    """Use a ticket for one of these purposes up; return its body with its `account` and its `purpose`.

    None where there is none that is good.
    """
    return _read(execute, "DELETE FROM ticket WHERE {} RETURNING account, purpose, body", secret, purposes)


def claim(execute: Execute, secret: str, made: str, seconds: float) -> str:
    """Return what a command makes: `made`, or what it was to make when it came before."""
    known = inspect(execute, secret, "made")
    if known is None:
        issue(execute, secret, "made", seconds, made=made)
    return made if known is None else str(known["made"])


def inspect(execute: Execute, secret: str, *purposes: str) -> dict[str, Any] | None:
    """Return the same without using the ticket up."""
    return _read(execute, "SELECT account, purpose, body FROM ticket WHERE {}", secret, purposes)


def _read(execute: Execute, statement: str, secret: str, purposes: Sequence[str]) -> dict[str, Any] | None:
    good = f"digest = ? AND expires_at >= ? AND purpose IN ({', '.join('?' * len(purposes))})"
    found = execute(statement.format(good), (digest_of(secret), time.time(), *purposes))
    return None if not found else {**json.loads(found[0][2]), "account": found[0][0], "purpose": found[0][1]}
