"""Tickets: secrets that are good once, for minutes, for one purpose. The database knows their digests alone."""

import hashlib
import json
import secrets
import time
from typing import Any

from tavola.store import Execute

SECRET_BYTES = 32


def new_secret() -> str:
    """Return a secret that nobody can guess, fit for an address."""
    return secrets.token_urlsafe(SECRET_BYTES)


def digest_of(secret: str) -> str:
    """Return what the database keeps of a secret. It has 256 random bits, so a plain digest tells nothing of it."""
    return hashlib.sha256(secret.encode()).hexdigest()


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


def claim(execute: Execute, secret: str, made: str, seconds: float) -> str:
    """Return what a command makes: `made`, or what it was to make when it came before."""
    known = inspect(execute, secret, "made")
    if known is None:
        issue(execute, secret, "made", seconds, made=made)
    return made if known is None else str(known["made"])


def inspect(execute: Execute, secret: str, purpose: str) -> dict[str, Any] | None:
    """Return the body of a ticket without using it up, None where there is none that is good."""
    found = execute(
        "SELECT account, body FROM ticket WHERE digest = ? AND purpose = ? AND expires_at >= ?",
        (digest_of(secret), purpose, time.time()),
    )
    return None if not found else {**json.loads(found[0][1]), "account": found[0][0]}
