"""What a person keeps about matches: private notes, and the moment up to which they have seen each.

A change of notes names the version that it replaces, so that no device overwrites another's text.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from tavola.club.account_refusals import ClubRefusal
from tavola.core.text import mark, signs, visible
from tavola.live import Hub
from tavola.store import Execute

LONGEST = 2000
"""Maximum characters of the notes on one match."""
MOST_PADS = 400
"""Maximum matches with notes per person."""
COUNT = "SELECT count(*) FROM notepad WHERE person = ? AND words <> ''"
WRITE = """
INSERT INTO notepad VALUES (?, ?, ?, 1, ?) ON CONFLICT (person, room) DO UPDATE SET words = excluded.words,
version = notepad.version + 1, written_at = excluded.written_at RETURNING version
"""
IS_OWN = "({0} = ? OR {0} IN (SELECT person FROM account_person WHERE account = ?))"
"""Condition that a column has a person of an account, or the guest themselves; both values are the owner."""
NOTES_OF = f"SELECT room, words, written_at FROM notepad WHERE {IS_OWN.format('person')} ORDER BY room, written_at"  # noqa: S608 - constants
BRING = "UPDATE notepad SET person = ? WHERE person = ? AND room NOT IN (SELECT room FROM notepad WHERE person = ?)"
"""Moves the notes of a guest to the person they sign in as, except where that person has some."""


class TooLongNotes(ClubRefusal):
    """Notes beyond the maximum length."""

    message = mark("Notes on a match can have up to 2,000 characters. Please shorten yours.")


class TooManyPads(ClubRefusal):
    """Notes on more matches than the maximum."""

    message = mark("You can keep notes on up to 400 matches. Delete some of them first.")


class OtherNotes(ClubRefusal):
    """Notes that another device has changed since they were shown."""

    status, message = 409, mark("These notes have been changed elsewhere in the meantime.")


class Notes(NamedTuple):
    """A person's notes on a match, and how often they were changed."""

    words: str = ""
    version: int = 0


def notes_in(execute: Execute, person: str, room: str) -> Notes:
    """Return a person's notes on a match."""
    found = execute("SELECT words, version FROM notepad WHERE person = ? AND room = ?", (person, room))
    return Notes(*found[0]) if found else Notes()


def notes_of_owner(execute: Execute, owner: str) -> list[dict[str, Any]]:
    """Return all notes of an account's persons, or of a guest, by match."""
    return [{"room": room, "text": words, "at": at} for room, words, at in execute(NOTES_OF, (owner, owner)) if words]


# How far a person has seen a match, on any device. `moment` is the number of actions that everyone could notice.
# Earlier releases counted secret steps, too: a number larger than the match is long means that all has been seen, and
# the next look corrects it. `seen_at` is 0 for live matches, which are not listed among a person's correspondence
# matches.
VISIT = """
INSERT INTO seen VALUES (?, ?, ?, ?)
ON CONFLICT (person, room) DO UPDATE SET seen_at = excluded.seen_at RETURNING moment
"""
SEE = """
INSERT INTO seen VALUES (?, ?, ?, ?)
ON CONFLICT (person, room) DO UPDATE SET seen_at = excluded.seen_at, moment = excluded.moment
"""
ROOMS = "SELECT room FROM seen WHERE person = ? AND seen_at > 0 ORDER BY seen_at DESC LIMIT ?"
SEEN_OF_OWNER = (
    f"SELECT room, max(moment), max(seen_at) FROM seen WHERE {IS_OWN.format('person')} GROUP BY room ORDER BY room"  # noqa: S608 - constants
)
SEEN_OF = "SELECT moment FROM seen WHERE person = ? AND room = ?"


def rooms(execute: Execute, person: str, most: int) -> list[str]:
    """Return the correspondence matches that a person has viewed, most recent first."""
    return [str(room) for (room,) in execute(ROOMS, (person, most))]


def seen_of_owner(execute: Execute, owner: str) -> list[dict[str, Any]]:
    """Return how far an account, or a guest, has seen which matches: `room`, `moment`, and `at`, 0 for live ones."""
    return [dict(zip(("room", "moment", "at"), row, strict=True)) for row in execute(SEEN_OF_OWNER, (owner, owner))]


class Memory:
    """Notes and seen moments of persons, guests included; each change is one transaction.

    `visited` is called with each person who views a correspondence match.
    """

    def __init__(self, hub: Hub, visited: Callable[[str], None]) -> None:
        self._hub, self._store, self._visited = hub, hub.store, visited

    async def note_visit(self, person: str, room: str, moment: int) -> int:
        """Record that a person views a correspondence match; return the moment seen before, or this one."""
        values = person, room, moment, self._hub.settings.clock()
        rows = await self._store.transact(lambda execute: execute(VISIT, values))
        self._visited(person)
        return int(rows[0][0])

    async def note_seen(self, person: str, room: str, moment: int, *, live: bool) -> None:
        values = person, room, moment, 0.0 if live else self._hub.settings.clock()
        await self._store.transact(lambda execute: execute(SEE, values))

    async def moment_seen(self, person: str, room: str) -> int | None:
        """Return the moment up to which a person has seen a match, None if not known."""
        found = await self._store.ask(lambda execute: execute(SEEN_OF, (person, room)))
        return int(found[0][0]) if found else None

    async def rooms_seen(self, person: str, most: int) -> list[str]:
        """Return the rooms of correspondence matches that a person has viewed, most recent first."""
        return await self._store.ask(lambda execute: rooms(execute, person, most))

    async def notes(self, person: str, room: str) -> Notes:
        return await self._store.ask(lambda execute: notes_in(execute, person, room))

    async def write_notes(self, person: str, room: str, text: str, version: int) -> int:
        """Replace notes of a `version`; return the new version. Equal words change nothing.

        Raise `TooLongNotes`, `OtherNotes` if the stored version is another one, `TooManyPads` if a new match exceeds
        the maximum.
        """
        words, now = visible(text.replace("\r\n", "\n").replace("\r", "\n")), self._hub.settings.clock()
        if len(words) > LONGEST and len(signs(words)) > LONGEST:
            raise TooLongNotes

        def work(execute: Execute) -> int | ClubRefusal:
            known = notes_in(execute, person, room)
            if known.words == words:
                return known.version
            if known.version != version:
                return OtherNotes()
            if not known.words and execute(COUNT, (person,))[0][0] >= MOST_PADS:
                return TooManyPads()
            return int(execute(WRITE, (person, room, words, now))[0][0])

        made = await self._store.transact(work)
        if isinstance(made, ClubRefusal):
            raise made
        return made
