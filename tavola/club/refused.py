"""What carriers report back: who has refused what was sent, until something arrives there again.

After a few refusals for good nothing more is sent there, and its owner is told on the site.
"""

from typing import NamedTuple

from tavola.store import Execute

MOST = 3
"""Refusals in a row after which nothing more is sent."""
NOTE = """
INSERT INTO refused VALUES (?, ?, ?, ?, ?) ON CONFLICT (recipient) DO UPDATE SET account = excluded.account,
times = refused.times + excluded.times, refused_at = excluded.refused_at RETURNING times
"""


class Stopped(NamedTuple):
    """A recipient to whom nothing is sent any more: `way` is `mail` or `push`, since when in seconds since 1970."""

    way: str
    recipient: str
    since: float


def note(execute: Execute, account: str, way: str, recipient: str, now: float, times: int = 1) -> bool:
    """Note that a recipient has refused something for good; return whether nothing more is sent there from now on."""
    return int(execute(NOTE, (recipient, account, way, times, now))[0][0]) >= MOST


def forget(execute: Execute, recipient: str) -> None:
    """Something has arrived there."""
    execute("DELETE FROM refused WHERE recipient = ?", (recipient,))


def is_stopped(execute: Execute, recipient: str) -> bool:
    """Return whether nothing is sent to a recipient any more."""
    return bool(execute("SELECT 1 FROM refused WHERE recipient = ? AND times >= ?", (recipient, MOST)))


def of_account(execute: Execute, account: str) -> list[Stopped]:
    """Return where nothing is sent any more of what an account has asked for."""
    query = "SELECT way, recipient, refused_at FROM refused WHERE account = ? AND times >= ? ORDER BY way, refused_at"
    return [Stopped(*row) for row in execute(query, (account, MOST))]


def try_again(execute: Execute, account: str, way: str) -> None:
    """Forget what an account's recipients have refused, so that something is sent there again."""
    execute("DELETE FROM refused WHERE account = ? AND way = ?", (account, way))
