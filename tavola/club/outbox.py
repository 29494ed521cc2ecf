"""What is to be sent lies in the database until it is: a queue that survives whoever works on it.

A letter has a topic, and a topic is written to once: so nothing is told twice, however often it is put in. A worker
takes one letter at a time, for so many seconds; when he dies, another takes it after them. Who dies between sending and
noting that it was sent so doubles one letter at most. What could not be sent is tried again, later each time, until it
is of no use any more. A letter that has ended keeps its topic for a while and nothing of whom it was for.

There are two ways, mail and push, and who carries one does not wait for the other: `kind` says by which a letter goes.
"""

import json
import secrets
import time
from typing import Any, NamedTuple

from tavola.store import Execute

TAKEN_FOR = 120.0
"""Seconds for which a letter is a worker's: longer than a mail server may take."""
DELAYS = (30.0, 120.0, 600.0, 1800.0, 7200.0, 21600.0)
"""Seconds until a letter is tried again, after each attempt; the last one holds from there on."""
LONGEST_DELAY = DELAYS[-1]
"""Seconds that whoever is to be told later may ask for."""
TOPIC_KEPT = 30 * 24 * 3600.0
"""Seconds for which the topic of a letter that has ended is known."""


MAIL, PUSH = "mail", "push"
"""The two ways; the second is also the kind of letters that are pushed; all others go by mail."""


class Letter(NamedTuple):
    """A letter that waits. `kind` says who writes it, `body` with what; `mark` stands for its recipient.

    `recipient`: an e-mail address, or the endpoint of a subscription where `kind` is `PUSH`.
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


PUT = """
INSERT INTO outbox VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '', '') ON CONFLICT (topic) DO NOTHING RETURNING id
"""


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
    """Queue a letter that is due in `wait` seconds and of use for `lasts`.

    False where its topic has been written to already.
    """
    now = time.time()
    text = json.dumps(body, ensure_ascii=False)
    values = secrets.token_hex(12), topic, kind, account, recipient, mark, text, now, now + wait, now + lasts
    return bool(execute(PUT, values))


def count_since(execute: Execute, mark: str, since: float) -> int:
    """Return how many letters one recipient was to be sent from then until now."""
    query = "SELECT count(*) FROM outbox WHERE mark = ? AND created_at > ? AND created_at <= ?"
    return int(execute(query, (mark, since, time.time()))[0][0])


EXPIRE = """
UPDATE outbox SET ended = 'expired', recipient = '', body = '', account = NULL WHERE ended = '' AND expires_at < ?
"""
SHORT, SKEW = 3600.0, 60.0
"""Seconds: a first wait below `SHORT` ends at once for a letter whose creation lies more than `SKEW` ahead. The clock
has been set back since, and nobody can tell how long it has waited."""
DUE_AT = f"CASE WHEN attempts = 0 AND created_at > ? AND due_at - created_at < {SHORT} THEN 0 ELSE due_at END"
TAKE = f"""
UPDATE outbox SET taken_by = ?, due_at = ?, attempts = attempts + 1 WHERE id = (
    SELECT id FROM outbox WHERE ended = '' AND {DUE_AT} <= ? AND CASE kind WHEN 'push' THEN 'push' ELSE 'mail' END = ?
    ORDER BY due_at, id LIMIT 1
) AND ended = '' AND {DUE_AT} <= ?
RETURNING id, topic, kind, account, recipient, mark, body, expires_at, attempts
"""  # noqa: S608 - its parts are constants
"""The condition stands twice: of two workers who find the same letter, the second sees that it is taken."""
NEXT_DUE = f"""
SELECT min({DUE_AT}) FROM outbox WHERE ended = '' AND CASE kind WHEN 'push' THEN 'push' ELSE 'mail' END = ?
"""  # noqa: S608 - its parts are constants


def take(execute: Execute, worker: str, way: str, seconds: float = TAKEN_FOR) -> Letter | None:
    """Take the letter that has waited longest, for so many seconds; None where none is due that `way`."""
    now = time.time()
    execute(EXPIRE, (now,))
    execute("DELETE FROM outbox WHERE ended <> '' AND created_at < ?", (now - TOPIC_KEPT,))
    found = execute(TAKE, (worker, now + seconds, now + SKEW, now, way, now + SKEW, now))
    if not found:
        return None
    number, topic, kind, account, recipient, mark, body, expires_at, attempts = found[0]
    return Letter(number, topic, kind, account, recipient, mark, json.loads(body), expires_at, attempts)


def end(execute: Execute, letter: Letter, worker: str, how: str) -> None:
    """A letter was `sent`, or has `failed` for good."""
    execute(
        "UPDATE outbox SET ended = ?, recipient = '', body = '', account = NULL WHERE id = ? AND taken_by = ?",
        (how, letter.id, worker),
    )


def put_off(execute: Execute, letter: Letter, worker: str, after: float = 0.0) -> None:
    """A letter could not be sent now: it is tried again, later after each attempt, `after` seconds at the earliest."""
    delay = max(DELAYS[min(letter.attempts, len(DELAYS)) - 1], min(after, LONGEST_DELAY))
    execute(
        "UPDATE outbox SET due_at = ?, taken_by = '' WHERE id = ? AND taken_by = ?",
        (time.time() + delay, letter.id, worker),
    )


def next_due(execute: Execute, way: str) -> float | None:
    """Return when the next letter is due that way, in seconds since 1970; None where none waits."""
    due = execute(NEXT_DUE, (time.time() + SKEW, way))[0][0]
    return None if due is None else float(due)
