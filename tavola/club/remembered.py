"""What a person remembers of matches: notes that nobody else ever reads, and up to which moment each has been seen.

Each change of notes names the version that it changes, so that of two devices none overwrites what the other has
written.
"""

from typing import Any, NamedTuple

from tavola.club.account_refusals import ClubRefusal
from tavola.core.text import mark, signs, visible
from tavola.store import Execute

LONGEST = 2000
"""Characters of the notes about one match."""
MOST_PADS = 400
"""Matches about which one person keeps notes."""
NOTES_IN = "SELECT words, version FROM notepad WHERE person = ? AND room = ?"
COUNT = "SELECT count(*) FROM notepad WHERE person = ? AND words <> ''"
WRITE = """
INSERT INTO notepad VALUES (?, ?, ?, 1, ?) ON CONFLICT (person, room) DO UPDATE SET words = excluded.words,
version = notepad.version + 1, written_at = excluded.written_at RETURNING version
"""
NOTES_OF = """
SELECT n.room, n.words, n.written_at FROM notepad n JOIN account_person p ON p.person = n.person
WHERE p.account = ? ORDER BY n.room, n.written_at
"""
BRING = """
UPDATE notepad SET person = ? WHERE person = ?
AND room NOT IN (SELECT room FROM notepad WHERE person = ?)
"""


class TooLongNotes(ClubRefusal):
    """More than a note pad has room for."""

    message = mark("Notes about a match have at most 2,000 characters: these have more.")


class TooManyPads(ClubRefusal):
    """Notes about more matches than are kept."""

    message = mark("Notes are kept about 400 matches: empty some of them first.")


class OtherNotes(ClubRefusal):
    """Notes that have been changed on another device since they were shown."""

    status, message = 409, mark("These notes were changed elsewhere meanwhile.")


class Notes(NamedTuple):
    """What somebody has noted about a match, and how often it was changed."""

    words: str = ""
    version: int = 0


def clean_notes(text: str) -> str:
    """Return notes as they are kept, lines apart; `TooLongNotes` where there are too many characters."""
    kept = visible(text.replace("\r\n", "\n").replace("\r", "\n"))
    if len(kept) > LONGEST and len(signs(kept)) > LONGEST:
        raise TooLongNotes
    return kept


def notes_in(execute: Execute, person: str, room: str) -> Notes:
    """Return what a person has noted about a match."""
    found = execute(NOTES_IN, (person, room))
    return Notes(*found[0]) if found else Notes()


def write_notes(execute: Execute, person: str, room: str, words: str, version: int, now: float) -> int | ClubRefusal:
    """Write notes in place of those of a version; return the new one, or why they are not written.

    `OtherNotes` where they are of another version by now, `TooManyPads` where one more is begun than are kept. Equal
    words change nothing.
    """
    known = notes_in(execute, person, room)
    if known.words == words:
        return known.version
    if known.version != version:
        return OtherNotes()
    if not known.words and execute(COUNT, (person,))[0][0] >= MOST_PADS:
        return TooManyPads()
    return int(execute(WRITE, (person, room, words, now))[0][0])


def bring_notes(execute: Execute, guest: str, person: str) -> None:
    """Let the notes of a guest be those of the person that he has turned out to be, where that one has none."""
    execute(BRING, (person, guest, person))


def notes_of_account(execute: Execute, account: str) -> list[dict[str, Any]]:
    """Return all notes of an account's persons, by match."""
    return [{"room": room, "text": words, "at": at} for room, words, at in execute(NOTES_OF, (account,)) if words]


# How far somebody has seen a match: kept by person, so that any device of theirs knows it. `moment` is the number of
# actions that everyone could notice. Earlier releases counted secret steps, too, so a number may be larger than the
# match is long: then all has been seen, and the next look corrects it. Of a live match `seen_at` is 0: it is none of
# those over days that its person looks after.
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
