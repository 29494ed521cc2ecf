"""Notes to oneself about a match: whoever has a seat there writes them, and nobody else ever reads them.

Each change names the version that it changes, so that of two devices none overwrites what the other has written.
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
