"""A queue of outgoing messages in the database, which survives its workers.

A topic is used once, so a message that is queued twice is sent once. A worker leases one message at a time; if it dies,
another takes the message when the lease ends. A worker that dies between sending and recording that causes at most one
duplicate. Failed messages are retried, later each time, until they expire. An ended message keeps its topic for a while
and nothing about its recipient.

Mail and push are independent queues; `kind` decides which one a message is in.
"""

import json
import secrets
import time
from typing import Any, NamedTuple

from tavola.store import Execute

TAKEN_FOR = 120.0
"""Seconds of a worker's lease on a message: longer than a mail server may take."""
DELAYS = (30.0, 120.0, 600.0, 1800.0, 7200.0, 21600.0)
"""Seconds before a retry, after each attempt; the last one applies from there on."""
LONGEST_DELAY = DELAYS[-1]
"""Maximum seconds for which a recipient's server can postpone a retry."""
TOPIC_KEPT = 30 * 24 * 3600.0
"""Seconds for which the topic of an ended message is kept."""
MAIL, PUSH = "mail", "push"
"""The two ways; the second is also the kind of pushed messages; all other kinds go by mail."""


class QueuedMessage(NamedTuple):
    """A queued message. `kind` selects the function that writes it from `body`; `mark` represents its recipient.

    `recipient`: an e-mail address, or the endpoint of a subscription if `kind` is `PUSH`.
    """

    id: str
    topic: str
    kind: str
    account: str | None
    recipient: str
    mark: str
    body: dict[str, Any]
    expires_at: float
    attempts: int


class Undeliverable(Exception):
    """A message was refused permanently. `counts`: its recipient refused it, and may do so again."""

    def __init__(self, reason: str, *, counts: bool = True) -> None:
        super().__init__(reason)
        self.counts = counts


class NotNow(Exception):
    """A delivery failed and may be retried, after at least `after` seconds."""

    def __init__(self, reason: str, after: float = 0.0) -> None:
        super().__init__(reason)
        self.after = after


class TooEarly(Exception):
    """A message that could soon be needless: its reader could do what it asks for within `after` seconds."""

    def __init__(self, after: float) -> None:
        super().__init__(f"in {after:.0f} seconds")
        self.after = after


PUT = "INSERT INTO outbox VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '', '') ON CONFLICT (topic) DO NOTHING RETURNING id"


def put(
    execute: Execute,
    topic: str,
    kind: str,
    recipient: str,
    mark: str,
    lasts: float,
    body: dict[str, Any],
    account: str | None = None,
    wait: float = 0.0,
) -> bool:
    """Queue a message that is due in `wait` seconds and useful for `lasts`; False if its topic was used before."""
    now = time.time()
    text = json.dumps(body, ensure_ascii=False)
    values = secrets.token_hex(12), topic, kind, account, recipient, mark, text, now, now + wait, now + lasts
    return bool(execute(PUT, values))


def count_since(execute: Execute, mark: str, since: float) -> int:
    """Return the number of messages queued for one recipient since then."""
    query = "SELECT count(*) FROM outbox WHERE mark = ? AND created_at > ? AND created_at <= ?"
    return int(execute(query, (mark, since, time.time()))[0][0])


ENDED = "ended = ?, recipient = '', body = '', account = NULL"
PUT_OFF = "UPDATE outbox SET due_at = ?, taken_by = '', attempts = attempts - ? WHERE id = ? AND taken_by = ?"
SHORT, SKEW = 3600.0, 60.0
"""Seconds: a first wait below `SHORT` is skipped if the clock was set back by more than `SKEW` during it."""
DUE_AT = f"CASE WHEN attempts = 0 AND created_at > ? AND due_at - created_at < {SHORT} THEN 0 ELSE due_at END"
TAKE = f"""
UPDATE outbox SET taken_by = ?, due_at = ?, attempts = attempts + 1 WHERE id = (
    SELECT id FROM outbox WHERE ended = '' AND {DUE_AT} <= ? AND CASE kind WHEN 'push' THEN 'push' ELSE 'mail' END = ?
    ORDER BY due_at, id LIMIT 1
) AND ended = '' AND {DUE_AT} <= ?
RETURNING id, topic, kind, account, recipient, mark, body, expires_at, attempts
"""  # noqa: S608 - its parts are constants
"""The condition is repeated: of two workers that find the same message, the second sees that it is taken."""
NEXT_DUE = f"""
SELECT min({DUE_AT}) FROM outbox WHERE ended = '' AND CASE kind WHEN 'push' THEN 'push' ELSE 'mail' END = ?
"""  # noqa: S608 - its parts are constants


def take(execute: Execute, worker: str, way: str, seconds: float = TAKEN_FOR) -> QueuedMessage | None:
    """Take the message that is due longest for `seconds`; None if none of that `way` is due."""
    now = time.time()
    execute(f"UPDATE outbox SET {ENDED} WHERE ended = '' AND expires_at < ?", ("expired", now))  # noqa: S608
    execute("DELETE FROM outbox WHERE ended <> '' AND created_at < ?", (now - TOPIC_KEPT,))
    found = execute(TAKE, (worker, now + seconds, now + SKEW, now, way, now + SKEW, now))
    if not found:
        return None
    number, topic, kind, account, recipient, mark, body, expires_at, attempts = found[0]
    return QueuedMessage(number, topic, kind, account, recipient, mark, json.loads(body), expires_at, attempts)


def end(execute: Execute, queued: QueuedMessage, worker: str, how: str) -> None:
    """Record that a message was `sent`, or has `failed` for good."""
    execute(f"UPDATE outbox SET {ENDED} WHERE id = ? AND taken_by = ?", (how, queued.id, worker))  # noqa: S608


def put_off(execute: Execute, queued: QueuedMessage, worker: str, after: float = 0.0) -> None:
    """Schedule a retry, later after each attempt, in `after` seconds at the earliest."""
    delay = max(DELAYS[min(queued.attempts, len(DELAYS)) - 1], min(after, LONGEST_DELAY))
    execute(PUT_OFF, (time.time() + delay, 0, queued.id, worker))


def postpone(execute: Execute, queued: QueuedMessage, worker: str, after: float) -> None:
    """Put a message back, due in `after` seconds, as if it had not been taken."""
    execute(PUT_OFF, (time.time() + after, 1, queued.id, worker))


def next_due(execute: Execute, way: str) -> float | None:
    """Return when the next message of a way is due, in seconds since 1970; None if there is none."""
    due = execute(NEXT_DUE, (time.time() + SKEW, way))[0][0]
    return None if due is None else float(due)


# Recipients who have refused messages, until one arrives there again. After a few permanent refusals nothing more is
# sent there, and the site shows this to the account's owner.

MOST_REFUSALS = 3
"""Maximum refusals in a row before nothing more is sent."""
NOTE_REFUSAL = """
INSERT INTO refused VALUES (?, ?, ?, ?, ?) ON CONFLICT (recipient) DO UPDATE SET account = excluded.account,
times = refused.times + excluded.times, refused_at = excluded.refused_at RETURNING times
"""
STOPPED = "SELECT way, recipient, refused_at FROM refused WHERE account = ? AND times >= ? ORDER BY way, refused_at"


class Stopped(NamedTuple):
    """A recipient to whom nothing is sent any more: `way` is `mail` or `push`, `since` in seconds since 1970."""

    way: str
    recipient: str
    since: float


def note_refusal(execute: Execute, account: str, way: str, recipient: str, times: int = 1) -> bool:
    """Record permanent refusals by a recipient; return whether nothing more is sent there from now on."""
    return int(execute(NOTE_REFUSAL, (recipient, account, way, times, time.time()))[0][0]) >= MOST_REFUSALS


def forget_refusals(execute: Execute, recipient: str) -> None:
    """Delete a recipient's refusals: a message has arrived there."""
    execute("DELETE FROM refused WHERE recipient = ?", (recipient,))


def is_stopped(execute: Execute, recipient: str) -> bool:
    """Return whether nothing is sent to a recipient any more."""
    return bool(execute("SELECT 1 FROM refused WHERE recipient = ? AND times >= ?", (recipient, MOST_REFUSALS)))


def stopped_of(execute: Execute, account: str) -> list[Stopped]:
    """Return an account's recipients to whom nothing is sent any more."""
    return [Stopped(*row) for row in execute(STOPPED, (account, MOST_REFUSALS))]


def try_again(execute: Execute, account: str, way: str) -> None:
    """Delete the refusals of an account's recipients, so that messages are sent there again."""
    execute("DELETE FROM refused WHERE account = ? AND way = ?", (account, way))
