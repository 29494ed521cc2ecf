"""Recipients who have refused messages, until one arrives there again.

After a few permanent refusals nothing more is sent there, and the site shows this to the account's owner.
"""

from typing import NamedTuple

from tavola.store import Execute

MOST = 3
"""Maximum refusals in a row before nothing more is sent."""
NOTE = """
INSERT INTO refused VALUES (?, ?, ?, ?, ?) ON CONFLICT (recipient) DO UPDATE SET account = excluded.account,
times = refused.times + excluded.times, refused_at = excluded.refused_at RETURNING times
"""


class Stopped(NamedTuple):
    """A recipient to whom nothing is sent any more: `way` is `mail` or `push`, `since` in seconds since 1970."""

    way: str
    recipient: str
    since: float


def note(execute: Execute, account: str, way: str, recipient: str, now: float, times: int = 1) -> bool:
    """Record a permanent refusal by a recipient; return whether nothing more is sent there from now on."""
    return int(execute(NOTE, (recipient, account, way, times, now))[0][0]) >= MOST


def forget(execute: Execute, recipient: str) -> None:
    """Delete a recipient's refusals: a message has arrived there."""
    execute("DELETE FROM refused WHERE recipient = ?", (recipient,))


def is_stopped(execute: Execute, recipient: str) -> bool:
    """Return whether nothing is sent to a recipient any more."""
    return bool(execute("SELECT 1 FROM refused WHERE recipient = ? AND times >= ?", (recipient, MOST)))


def of_account(execute: Execute, account: str) -> list[Stopped]:
    """Return an account's recipients to whom nothing is sent any more."""
    query = "SELECT way, recipient, refused_at FROM refused WHERE account = ? AND times >= ? ORDER BY way, refused_at"
    return [Stopped(*row) for row in execute(query, (account, MOST))]


def try_again(execute: Execute, account: str, way: str) -> None:
    """Delete the refusals of an account's recipients, so that messages are sent there again."""
    execute("DELETE FROM refused WHERE account = ? AND way = ?", (account, way))
