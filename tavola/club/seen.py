"""How much of a match somebody has seen: kept by person, so that any device of theirs knows it.

`moment` is the number of actions that everyone could notice. Earlier releases counted secret steps, too, so a number
may be larger than the match is long: then all has been seen, and the next look puts it right.
Of a live match `seen_at` is 0: it is none of those over days that he looks after.
"""

from typing import Any

from tavola.store import Execute

VISIT = """
INSERT INTO seen VALUES (?, ?, ?, ?)
ON CONFLICT (person, room) DO UPDATE SET seen_at = excluded.seen_at RETURNING moment
"""
SEE = """
INSERT INTO seen VALUES (?, ?, ?, ?)
ON CONFLICT (person, room) DO UPDATE SET seen_at = excluded.seen_at, moment = excluded.moment
"""
ROOMS = "SELECT room FROM seen WHERE person = ? AND seen_at > 0 ORDER BY seen_at DESC LIMIT ?"
SEEN_OF_ACCOUNT = """
SELECT room, max(moment), max(seen_at) FROM seen WHERE person IN (SELECT person FROM account_person WHERE account = ?)
GROUP BY room ORDER BY room
"""
SEEN_OF = "SELECT moment FROM seen WHERE person = ? AND room = ?"


def note_visit(execute: Execute, person: str, room: str, moment: int, now: float) -> int:
    """Note that somebody looks at a match at a moment; return the one up to which he had seen it, at first this one."""
    return int(execute(VISIT, (person, room, moment, now))[0][0])


def note_seen(execute: Execute, person: str, room: str, moment: int, now: float) -> None:
    """Note that somebody has seen a match up to a moment."""
    execute(SEE, (person, room, moment, now))


def moment_seen(execute: Execute, person: str, room: str) -> int | None:
    """Return the moment up to which somebody has seen a match, None where that is not known."""
    found = execute(SEEN_OF, (person, room))
    return int(found[0][0]) if found else None


def rooms(execute: Execute, person: str, most: int) -> list[str]:
    """Return the matches over days that somebody has looked at, the last one first."""
    return [str(room) for (room,) in execute(ROOMS, (person, most))]


def seen_of_account(execute: Execute, account: str) -> list[dict[str, Any]]:
    """Return how far an account has seen which matches: `room`, `moment`, `at` when, 0 of live ones."""
    return [dict(zip(("room", "moment", "at"), row, strict=True)) for row in execute(SEEN_OF_ACCOUNT, (account,))]
