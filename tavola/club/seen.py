"""The matches over days that somebody has looked at, and the moment up to which he has seen each."""

from tavola.store import Execute

SEEN = "SELECT room FROM seen WHERE person = ? ORDER BY seen_at DESC LIMIT ?"
NOTE_SEEN = """
INSERT INTO seen VALUES (?, ?, ?, ?)
ON CONFLICT (person, room) DO UPDATE SET moment = excluded.moment, seen_at = excluded.seen_at
"""


def note(execute: Execute, person: str, room: str, moment: int, now: float) -> None:
    """Remember that somebody has seen a match up to a moment."""
    execute(NOTE_SEEN, (person, room, moment, now))


def rooms(execute: Execute, person: str, most: int) -> list[str]:
    """Return the rooms that somebody has looked at, the last one first."""
    return [str(room) for (room,) in execute(SEEN, (person, most))]
