"""What the operator of a site can do, on the administration page and by `tavola admin`; each is one method.

A person is named as `ROOM/NAME`, by a room and the name that they have there, or by the name of their account.
"""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

from tavola.club import hours, measures, names, tickets
from tavola.club.account_refusals import ClubRefusal, UsedTicket
from tavola.club.club import Club
from tavola.club.directory import MEASURES
from tavola.club.measures import ANNOUNCEMENT, BAN, DONE, DRAIN, FOREVER, Measure
from tavola.core.text import mark, visible
from tavola.live import Person, Room
from tavola.live.commands.server_commands import Shut
from tavola.live.log.people import clean_name, looks
from tavola.store import Conflict, Execute, RoomLine
from tavola.store.reports import StoredReport

LONGEST_ANNOUNCEMENT = 500
"""Maximum characters of an announcement; more are cut off."""
MOST_ROOMS = 30
"""Maximum rooms on the page."""
MOST_REPORTS = 100
"""Maximum reports on the page, the newest."""
ACCOUNT_NAMED = "SELECT a.person, a.name FROM account a JOIN account_name n ON n.account = a.id WHERE n.look = ?"
PRESENT_PERSON = "SELECT a.person FROM account a JOIN account_person p ON p.account = a.id WHERE p.person = ?"


class UnknownPerson(ClubRefusal):
    """A text that names no person, or several."""

    status = 404
    message = mark("“{named}” isn’t one person here. Write ROOM/NAME, or the name of an account.")


class BadDay(ClubRefusal):
    """A day that is none, or is past."""

    message = mark("“{day}” is past or isn’t a date. Write a later one, such as 2030-12-31 or 2030-12-31T22:00.")


class BadReport(ClubRefusal):
    """A text that names no report."""

    message = mark("There’s no report “{named}”. Write ROOM/NUMBER.")


class Administration:
    """The operations on one site. Every change is in the database before it returns, and reaches all workers."""

    def __init__(self, club: Club) -> None:
        self._club, self._hub, self._store, self._directory = club, club.hub, club.store, club.directory

    async def use_entrance(self, token: str, seconds: float) -> None:
        """Use up a link to the administration page; raise `UsedTicket` the second time."""
        try:
            await self._store.transact(lambda execute: tickets.issue(execute, token, "used", seconds))
        except Conflict as error:
            raise UsedTicket from error

    async def reports(self) -> list[StoredReport]:
        """Return the reports, open ones first, then the newest first."""
        return sorted(await asyncio.to_thread(self._store.reports, MOST_REPORTS), key=lambda report: report.done)

    async def done(self, report: str, *, done: bool = True) -> None:
        """Mark a report, `ROOM/NUMBER`, as done or as open."""
        room, _, number = report.partition("/")
        logged = await asyncio.to_thread(self._store.events, room)
        if not any(event.kind == "reported" and str(event.seq) == number for event in logged):
            raise BadReport(named=report[:60])
        await self._set(DONE, report, "", FOREVER if done else None)

    async def rooms(self) -> list[RoomLine]:
        """Return the rooms that have changed last, the latest first."""
        return (await asyncio.to_thread(self._store.rooms))[:MOST_ROOMS]

    async def close_room(self, code: str) -> None:
        """Close a room: nothing more can be done there, and only administrators can see it. Its log stays."""
        await (await self._hub.room(code)).execute_internal(Shut())

    def people(self, room: Room) -> list[str]:
        """Return the names of the people of a room by which other operations find them, players first."""
        seated = [place.person.name for place in room.state.occupants if place.person is not None]
        return list(dict.fromkeys(seated + [line.name for line in room.state.chat_log if line.speaker]))

    async def bans(self) -> list[Measure]:
        """Return the bans in force, the oldest first."""
        known = (await self._directory.measures()).all
        return [each for each in known if each.kind == BAN and each.ends_at > self._now]

    async def ban(self, who: str, until: str, *, address: bool = False) -> None:
        """Exclude a person or a network until a day, in UTC; bots play on for them.

        `address`: also exclude everyone at the address from which the person took their seat.
        """
        ends_at, network = self._start_of(until), measures.network_in(who)
        if network is not None:
            await self._set(BAN, str(network), str(network), ends_at)
            return
        person, origin = await self._find(who)
        await self._set(BAN, person.id, who.strip(), ends_at)
        if address and origin:
            await self._set(BAN, origin, who.strip(), ends_at)
        await self._hub.persons.leave_seats(person.id)

    async def lift(self, who: str) -> None:
        """End the bans on a subject, or on everything that was banned under these words, if there are any."""
        query = "DELETE FROM measure WHERE kind = ? AND (subject = ? OR words = ?)"
        await self._change(lambda execute: execute(query, (BAN, who.strip(), who.strip())))

    async def announce(self, words: str, until: str = "") -> None:
        """Show words on every page, until a moment in UTC if one is given; empty words end that."""
        words, ends_at = visible(words).strip()[:LONGEST_ANNOUNCEMENT], self._start_of(until) if until else FOREVER
        await self._set(ANNOUNCEMENT, "", words, ends_at if words else None)

    async def drain(self, until: str) -> None:
        """Let no match begin until a moment in UTC, before a restart; those that are running go on. Empty ends that."""
        await self._set(DRAIN, "", "", self._start_of(until) if until else None)

    async def rename(self, who: str, name: str) -> None:
        """Give a person another name, in rooms and for their account; raise `NameTaken`, `ReservedName` or `BadName`.

        A guest's browser keeps the old name and can use it in other rooms.
        """
        (person, _), name = await self._find(who), clean_name(name)
        owner, sessions = await self._store.ask(lambda execute: _owner_of(execute, person.id))
        if owner == person.id:
            await self._club.require_free_name(name)
        else:
            names.require_unreserved(name)
            await self._club.hold_name(owner, name)
            self._directory.forget(*(f"session {digest}" for digest in sessions))
        await self._hub.persons.rename(Person(person.id, name))

    async def forget(self, who: str) -> None:
        """Delete a person's account, or everything of a guest; their moves stay, anonymous."""
        person, _ = await self._find(who)
        owner, _ = await self._store.ask(lambda execute: _owner_of(execute, person.id))
        await self._club.delete(owner)

    async def _find(self, who: str) -> tuple[Person, str]:
        """Return a person, and the mark of the address at which they took their seat, empty if it is not known."""
        code, slash, name = who.strip().partition("/")
        if slash:
            person, origin = person_in(await self._hub.room(code), name)
            present = await self._store.ask(lambda execute: execute(PRESENT_PERSON, (person.id,)))
            return (Person(present[0][0], person.name), origin) if present else (person, origin)
        look = next(iter(sorted(looks(code))), "")
        found = await self._store.ask(lambda execute: execute(ACCOUNT_NAMED, (look,)))
        if len(found) != 1:
            raise UnknownPerson(named=who[:60])
        return Person(*found[0]), ""

    @property
    def _now(self) -> float:
        return self._hub.settings.clock()

    def _start_of(self, day: str) -> float:
        """Return when a day to come begins in UTC; raise `BadDay` for any other text."""
        try:
            begins = datetime.fromisoformat(day.strip()).replace(tzinfo=UTC).timestamp()
        except (ValueError, OverflowError) as error:
            raise BadDay(day=day[:60]) from error
        if begins <= self._now:
            raise BadDay(day=day[:60])
        return begins

    async def _set(self, kind: str, subject: str, words: str, ends_at: float | None) -> None:
        """Store a measure; lift it if it has no end."""
        if ends_at is None:
            await self._change(lambda execute: measures.lift(execute, kind, subject))
        else:
            measure = Measure(kind, subject, words, self._now, ends_at)
            await self._change(lambda execute: measures.keep(execute, measure))

    async def _change(self, work: Callable[[Execute], object]) -> None:
        await self._store.transact(work)
        self._directory.forget(MEASURES)


def _owner_of(execute: Execute, person: str) -> tuple[str, list[str]]:
    """Return the account of a person, or the person if they are a guest, and the digests of the sessions."""
    owner = hours.owner_of(execute, person)
    return owner, [str(digest) for (digest,) in execute("SELECT digest FROM session WHERE account = ?", (owner,))]


def person_in(room: Room, name: str) -> tuple[Person, str]:
    """Return the one person who has this name at a seat or in the talk of a room, and the mark of their address.

    Raise `UnknownPerson` unless there is exactly one.
    """
    state = room.state
    seated = {
        place.person.id: place.origin
        for shown, place in zip(room.names, state.occupants, strict=True)
        if place.person is not None and name in (shown, place.person.name)
    }
    numbers = {line.speaker for line in state.chat_log if line.name == name}
    spoke = {person: seated.get(person, "") for person, number in state.speakers.items() if number in numbers}
    found = {**spoke, **seated}
    if len(found) != 1:
        raise UnknownPerson(named=f"{room.id}/{name}"[:60])
    ((person, origin),) = found.items()
    return Person(person, name), origin
