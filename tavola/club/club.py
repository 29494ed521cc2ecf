"""Accounts, the ways to sign in, and sessions. Each change is one transaction.

An account has one person, to whom its seats belong in every browser. A guest who opens an account remains the same
person; a guest who signs in to an existing account can bring their seats to it.
"""

import asyncio
import contextlib
import secrets
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple, TypeVar

from tavola.club import hours, memory, names, notices, passkeys, tickets
from tavola.club.account_refusals import (
    AddressTaken,
    BadPasskey,
    ClubRefusal,
    LastWay,
    NameTaken,
    ProveAgain,
    UsedTicket,
)
from tavola.club.directory import MEASURES, SEEN_EVERY, Directory, Guest, Holder
from tavola.club.export import room_export
from tavola.club.links import CHANGE_ADDRESS, DEVICE, ENTRANCES, Link, Links, find_link
from tavola.club.memory import IS_OWN, Memory
from tavola.club.passkeys import Origin, Passkey
from tavola.club.sending import outbox, push
from tavola.club.sending.mailer import Mailer
from tavola.club.sending.reach import origin_of
from tavola.live import Hub, Person
from tavola.live.correspondence.hours import Hours
from tavola.store import Conflict, Execute, WriteFailed

CHANGED_LASTS = 3 * 24 * 3600.0
"""Seconds for which an e-mail about changed ways to sign in is useful."""
SESSION_LASTS = 365 * 24 * 3600.0
"""Seconds after which an unused session ends."""
PROOF_LASTS = 3600.0
"""Seconds after signing in during which the account may be changed or deleted."""
T = TypeVar("T")


class Entry(NamedTuple):
    """A sign-in: the account, its person and name, and the secret of the new session, for a cookie."""

    account: str
    person: str
    name: str
    secret: str


class Device(NamedTuple):
    """A passkey or a session, as its owner sees it; `key` identifies it in forms."""

    key: str
    device: str
    created_at: float
    seen_at: float


class Overview(NamedTuple):
    """The data of an account's page."""

    name: str
    address: str | None
    created_at: float
    passkeys: list[Device]
    sessions: list[Device]


class Club:
    """The accounts of a site. `mailer` delivers e-mails; without it, only passkeys are offered.

    `pusher` delivers notifications to browsers; None if nothing is sent at all.
    """

    def __init__(self, hub: Hub) -> None:
        self.hub, self.store = hub, hub.store
        self.directory = Directory(hub.store)
        self._signed_challenges: tickets.Challenges | None = None
        self.mailer: Mailer | None = None
        self.pusher: push.Pusher | None = None
        self._carriers: list[Mailer] = []
        self.notices = notices.Notices(self)
        self.memory = Memory(hub, self.directory.note_correspondence)
        self.links = Links(hub.store, self.ring)
        if hub.peers is not None:
            self.directory.join(hub.peers)

    def carry(self, mailer: Mailer | None, pusher: push.Pusher, pushing: Sequence[Mailer]) -> None:
        """Let this worker deliver e-mails and pushes, and queue turn notifications."""
        self.mailer, self.pusher = mailer, pusher
        self._carriers = [*pushing, *([mailer] if mailer is not None else [])]
        for carrier in self._carriers:
            self.hub.tasks.spawn(carrier.run())
        self.hub.watch_decisions(self.notices)
        self.hub.tasks.spawn(self._stop_other_keys(pusher.key.public))

    async def _stop_other_keys(self, key: str) -> None:
        with contextlib.suppress(WriteFailed):
            await self.store.transact(lambda execute: push.stop_other_keys(execute, key))

    def failed_emails(self) -> dict[str, int]:
        """Return the number of messages refused permanently since this worker started, by way; only counts above 0."""
        failed: Counter[str] = Counter()
        for carrier in self._carriers:
            failed[carrier.way] += carrier.ended["failed"]
        return {way: count for way, count in failed.items() if count}

    def ring(self) -> None:
        """Notify the carriers of this worker that a message is queued."""
        for carrier in self._carriers:
            carrier.ring()

    # Names

    async def require_free_name(self, name: str) -> None:
        """Raise `NameTaken` if another name looks like this one, `ReservedName` if it is reserved.

        While the database does not answer, every unreserved name is accepted.
        """
        names.require_unreserved(name)
        with contextlib.suppress(WriteFailed):
            if not await self.directory.is_free(name, fresh=True):
                raise NameTaken

    async def rename(self, holder: Holder, name: str) -> None:
        """Change an account's name; raise `NameTaken` or `ReservedName` if it is not available."""
        names.require_unreserved(name)
        await self.hold_name(holder.account, name)
        self.directory.forget(f"session {holder.session}")

    async def hold_name(self, account: str, name: str) -> None:
        """Register a name for an account; raise `NameTaken` if it is not available."""
        try:
            done = await self.store.transact(lambda execute: names.hold(execute, account, name))
        except Conflict as error:
            raise NameTaken from error
        if not done:
            raise NameTaken

    def require_proof(self, holder: Holder) -> None:
        """Raise `ProveAgain` unless this session began recently: a browser left open may be used by others."""
        if not self.is_proven(holder):
            raise ProveAgain

    def is_proven(self, holder: Holder) -> bool:
        """True if the holder signed in with this session recently."""
        return abs(time.time() - holder.proved_at) <= PROOF_LASTS

    # Passkeys

    async def passkey_options(self, origin: Origin, guest: Guest, shown: str) -> dict[str, Any]:
        """Return what a guest's browser needs to create a passkey, for their account or a new one."""
        challenge = tickets.new_secret()
        account = guest.account or secrets.token_hex(16)

        def work(execute: Execute) -> list[str]:
            tickets.issue(execute, challenge, "make a passkey", passkeys.TIMEOUT, account, person=guest.person)
            return [str(key) for (key,) in execute("SELECT id FROM passkey WHERE account = ?", (account,))]

        return passkeys.creation_options(origin, account, shown, challenge, await self.store.transact(work))

    async def add_passkey(self, origin: Origin, guest: Guest, answer: dict[str, Any]) -> Entry | None:
        """Store a new passkey of an account, or create an account with it; return the entry to a new one.

        Raise `UsedTicket` if it was not requested, `BadPasskey` if it does not verify.
        """
        challenge = passkeys.challenge_of(answer)
        body = await self.store.transact(lambda execute: tickets.redeem(execute, challenge, "make a passkey"))
        if body is None or body["person"] != guest.person:
            raise UsedTicket
        made, account, now = passkeys.verify_creation(origin, answer, challenge), body["account"], time.time()
        if guest.account is not None and guest.account != account:
            raise UsedTicket

        def work(execute: Execute) -> Entry | None:
            entry = None if guest.account else self.create(execute, account, guest, None)
            values = made.id, account, made.public_key, made.sign_count, guest.device, now, now
            execute("INSERT INTO passkey VALUES (?, ?, ?, ?, ?, ?, ?)", values)
            if entry is None:
                self._tell_owner(execute, account, "passkey")
            return entry

        try:
            entry = await self.store.transact(work)
        except Conflict as error:
            raise BadPasskey from error
        self.directory.forget(f"person {guest.person}")
        self.ring()
        return entry

    async def _challenges(self) -> tickets.Challenges:
        if self._signed_challenges is None:
            key = await asyncio.to_thread(self.store.signing_key)
            self._signed_challenges = tickets.Challenges(key, passkeys.TIMEOUT)
        return self._signed_challenges

    async def request_options(self, origin: Origin) -> dict[str, Any]:
        """Return what a browser needs to show a passkey of this site."""
        return passkeys.request_options(origin, (await self._challenges()).issue())

    async def enter_by_passkey(self, origin: Origin, guest: Guest, answer: dict[str, Any]) -> Entry | str:
        """Sign in with a passkey; for a guest who has something here, return the secret of a link that asks first."""
        challenge = passkeys.challenge_of(answer)
        known = await self._known_passkey(answer)
        challenges = await self._challenges()
        if not challenges.is_good(challenge):
            raise UsedTicket
        if known is None:
            raise BadPasskey
        account, passkey = known
        shown = passkeys.verify_request(origin, answer, challenge, passkey)
        asks = await self.links.has_something(guest)

        def work(execute: Execute) -> Entry | ClubRefusal | None:
            challenges.use(execute, challenge)
            values = shown.sign_count, time.time(), shown.id
            execute("UPDATE passkey SET sign_count = ?, used_at = ? WHERE id = ?", values)
            return None if asks else self.enter(execute, account, guest, brings=False)

        entry = await self.sign_in(work, guest)
        return await self.links.issue_arrival(account, guest) if entry is None else entry

    async def _known_passkey(self, answer: dict[str, Any]) -> tuple[str, Passkey] | None:
        query = "SELECT account, id, public_key, sign_count FROM passkey WHERE id = ?"
        found = await self.store.ask(lambda execute: execute(query, (str(answer.get("id"))[:1400],)))
        return (str(found[0][0]), Passkey(*found[0][1:])) if found else None

    # Signing in

    async def leave_seats(self, guest: Guest) -> None:
        """Let bots play on for a guest who signs in without bringing seats; close the guest's connections."""
        if guest.account is None:
            await self.hub.persons.leave_seats(guest.person)
            self.directory.forget(f"guest {guest.person}", f"person {guest.person}")

    def create(self, execute: Execute, account: str, guest: Guest, address: str | None) -> Entry:
        """Create an account: a guest remains the same person, with their name if it is free."""
        taken = execute("SELECT account FROM account_person WHERE person = ?", (guest.person,))
        person = secrets.token_hex(16) if taken else guest.person
        values = account, person, "", address, guest.language, time.time()
        execute("INSERT INTO account VALUES (?, ?, ?, ?, ?, ?)", values)
        execute("INSERT INTO account_person VALUES (?, ?)", (person, account))
        hours.bring_hours(execute, guest.person, account)
        held = bool(guest.name) and names.hold(execute, account, guest.name)
        return _begin_session(execute, account, person, guest.name if held else "", guest.device)

    def enter(self, execute: Execute, account: str, guest: Guest, *, brings: bool) -> Entry | ClubRefusal:
        """Begin a session; what a guest `brings` is assigned to this account, unless it is another's."""
        found = execute("SELECT person, name FROM account WHERE id = ?", (account,))
        if not found:
            return UsedTicket()
        ((person, name),) = found
        if brings and guest.account is None and guest.person != person:
            execute(NOTE_PERSON, (guest.person, account))
            execute(memory.BRING, (person, guest.person, person))
            hours.bring_hours(execute, guest.person, account)
        return _begin_session(execute, account, person, name, guest.device)

    async def sign_in(self, work: Callable[[Execute], T | ClubRefusal], guest: Guest) -> T:
        """Run a transaction that signs a guest in; raise the refusal that it returns."""
        try:
            made = await self.store.transact(work)
        except Conflict as error:
            raise UsedTicket from error
        if isinstance(made, ClubRefusal):
            raise made
        if isinstance(made, Entry):
            self.directory.forget(f"person {guest.person}")
            person = Person(made.person, made.name or guest.name)
            for former in await self.persons_of(made.account):  # also those that an earlier failure left behind
                if former != made.person:
                    await self.hub.persons.adopt(former, person, everywhere=former == guest.person)
        self.ring()
        return made

    async def use_link(self, guest: Guest, secret: str, *, brings: bool) -> Entry | None:
        """Use up a link of `ENTRANCES`; return who has signed in, None if an address was changed.

        `brings`: a guest brings their seats and notes.
        """

        def work(execute: Execute) -> Entry | ClubRefusal | None:
            link = find_link(execute, guest, secret, ENTRANCES)
            if not isinstance(link, Link):
                return link or UsedTicket()
            body = tickets.redeem(execute, secret, link.purpose)
            assert body is not None, "the link was checked in this transaction"
            if link.purpose == CHANGE_ADDRESS:
                return self.change_address(execute, body["account"], body["address"])
            if link.account is not None:
                return self.enter(execute, link.account, guest, brings=brings)
            kept = guest if brings else replace(guest, person=secrets.token_hex(16), name="")
            return self.create(execute, secrets.token_hex(16), kept, body["address"])

        return await self.sign_in(work, guest)

    async def use_seat_link(self, guest: Guest, secret: str, *, brings: bool) -> Entry | Guest:
        """Use up a link to another device; return a session of an account, or the guest who requested the link."""

        def work(execute: Execute) -> Entry | Guest | ClubRefusal | None:
            link = find_link(execute, guest, secret, (DEVICE,))
            body = tickets.redeem(execute, secret, DEVICE)
            if link is None or body is None:
                return UsedTicket()
            if body["account"] is not None:
                return self.enter(execute, body["account"], guest, brings=brings)
            return replace(guest, person=body["person"], name=body["name"], account=None, session="")

        made = await self.sign_in(work, guest)
        assert made is not None, "device links do not change addresses"
        return made

    def change_address(self, execute: Execute, account: str, address: str) -> ClubRefusal | None:
        """Change an account's address and notify the former one."""
        if found := execute("SELECT id FROM account WHERE address = ?", (address,)):
            return None if found[0][0] == account else AddressTaken()
        self._tell_owner(execute, account, "address")
        execute("UPDATE account SET address = ? WHERE id = ?", (address, account))
        return None

    def _tell_owner(self, execute: Execute, account: str, what: str) -> None:
        """E-mail the current address about a change, before the address itself changes."""
        for address, language in execute("SELECT address, language FROM account WHERE id = ?", (account,)):
            if address is not None:
                topic, body = f"changed {secrets.token_hex(12)}", {"what": what, "language": language}
                outbox.put(execute, topic, "changed", address, "", CHANGED_LASTS, body, account)

    # The account's own page

    async def overview(self, account: str) -> Overview | None:
        """Return the data of an account's page; None if the account does not exist any more."""

        def work(execute: Execute) -> Overview | None:
            found = execute("SELECT name, address, created_at FROM account WHERE id = ?", (account,))
            keys = execute("SELECT id, device, created_at, used_at FROM passkey WHERE account = ?", (account,))
            query = "SELECT digest, device, created_at, seen_at FROM session WHERE account = ? ORDER BY seen_at DESC"
            sessions = [Device(*row) for row in execute(query, (account,))]
            if not found:
                return None
            ((name, address, created_at),) = found
            return Overview(name, address, created_at, [Device(*row) for row in keys], sessions)

        return await self.store.ask(work)

    async def end_sessions(self, account: str, keep: str = "", only: str = "") -> None:
        """End an account's sessions: all but `keep`, or `only` one."""
        query = "DELETE FROM session WHERE account = ? AND digest <> ? AND (digest = ? OR ? = '') RETURNING digest"
        ended = await self.store.transact(lambda execute: execute(query, (account, keep, only, only)))
        self.directory.forget(*(f"session {digest}" for (digest,) in ended))

    async def note_seen(self, holder: Holder) -> None:
        """Record, at most once an hour, that a session is in use."""
        now = time.time()
        if now - holder.seen_at < SEEN_EVERY:
            return
        self.directory.forget(f"session {holder.session}", broadcast=False)
        query = "UPDATE session SET seen_at = ? WHERE digest = ? AND seen_at < ?"
        await self.store.transact(lambda execute: execute(query, (now, holder.session, now - SEEN_EVERY)))

    async def remove_passkey(self, account: str, key: str) -> None:
        """Remove a passkey; raise `LastWay` if it is the only way to sign in."""
        await self._remove_way(account, "DELETE FROM passkey WHERE account = ? AND id = ?", key, "no passkey")

    async def remove_address(self, account: str) -> None:
        """Remove an e-mail address; raise `LastWay` if it is the only way to sign in."""
        query = "UPDATE account SET address = NULL WHERE id = ? AND id = ?"
        await self._remove_way(account, query, account, "no address")

    async def _remove_way(self, account: str, statement: str, key: str, what: str) -> None:
        ways = """
        SELECT (SELECT count(*) FROM passkey WHERE account = a.id) + CASE WHEN address IS NULL THEN 0 ELSE 1 END
        FROM account a WHERE id = ?
        """

        def work(execute: Execute) -> bool:
            execute("UPDATE account SET id = id WHERE id = ?", (account,))  # serialise two removals at once
            if execute(ways, (account,))[0][0] < 2:
                return False
            self._tell_owner(execute, account, what)
            execute(statement, (account, key))
            return True

        if not await self.store.transact(work):
            raise LastWay
        self.ring()

    async def persons_of(self, account: str) -> list[str]:
        """Return all persons that an account is or was as a guest, the current one first."""
        query = """
        SELECT p.person FROM account_person p JOIN account a ON a.id = p.account WHERE a.id = ?
        ORDER BY p.person <> a.person, p.person
        """
        return [str(person) for (person,) in await self.store.ask(lambda execute: execute(query, (account,)))]

    # Hours

    async def hours_of(self, persons: Collection[str]) -> dict[str, Hours]:
        """Return the hours of persons, who may be guests."""
        known = hours.hours_of_account
        return await self.store.ask(
            lambda execute: {person: known(execute, hours.owner_of(execute, person)) for person in persons}
        )

    async def hours(self, person: str) -> Hours:
        """Return the hours of a person, who may be a guest."""
        return (await self.hours_of([person]))[person]

    async def go_away(self, person: str, until: float, zone: str) -> None:
        """Set a person's holiday, or end it if `until` is past; raise `TooLongAway` if too few days are left."""
        now = self.hub.settings.clock()
        if not await self._change_hours(person, lambda execute, owner: hours.go_away(execute, owner, until, zone, now)):
            raise hours.TooLongAway

    async def keep_night(self, person: str, begins: int, ends: int, zone: str) -> None:
        """Set the whole hours and the zone of a person's night, equal ones for none; raise `BadNight` if invalid."""
        known = hours.clean_zone(zone)
        if not (0 <= begins < 24 and 0 <= ends < 24 and known):
            raise hours.BadNight
        await self._change_hours(person, lambda execute, owner: hours.keep_night(execute, owner, begins, ends, known))

    async def keep_zone(self, person: str, zone: str) -> None:
        """Store the time zone of a person's browser when they take a seat in correspondence, unless one is known."""
        await self._change_hours(person, lambda execute, owner: hours.keep_zone(execute, owner, zone))

    async def _change_hours(self, person: str, change: Callable[[Execute, str], bool]) -> bool:
        """Change the hours of a person's account, or of a guest; if `change` returns True, recompute deadlines."""
        changed = await self.store.transact(lambda execute: change(execute, hours.owner_of(execute, person)))
        if changed:
            await self.hub.persons.look_at_hours(person)
        return changed

    # Turn notifications

    async def preference(self, account: str) -> str:
        return await self.store.ask(lambda execute: notices.preference_of(execute, account))

    async def set_preference(self, account: str, preference: str, room: str = "") -> None:
        """Store an account's notification setting; raise `BadManner` for an unknown one."""
        if preference not in notices.PREFERENCES:
            raise notices.BadManner
        await self.store.transact(lambda execute: notices.set_preference(execute, account, preference, room))

    async def stop_emails(self, account: str) -> None:
        """Stop e-mails about turns; subscribed browsers are still notified."""

        def work(execute: Execute) -> None:
            notices.set_preference(execute, account, "push" if push.subscriptions_of(execute, account) else "none")

        await self.store.transact(work)

    async def reachable(self, persons: Collection[str]) -> set[str]:
        """Return those of some persons who have allowed messages, by e-mail if there are any, or in a browser."""
        kind, by_mail = notices.INVITATION, self.mailer is not None
        return await self.store.ask(
            lambda execute: {each for each in persons if notices.ways_to(execute, each, kind, by_mail=by_mail).ways}
        )

    async def invited(self, persons: Collection[str], room: str) -> set[str]:
        """Return those of some persons who have been invited to a room."""
        return await self.store.ask(
            lambda execute: {person for person in persons if notices.is_invited(execute, person, room)}
        )

    async def invite(self, person: str, room: str, seat: int) -> None:
        """Invite a person to a room in the name of a seat; refusals as in `invitations`."""
        now, by_mail = self.hub.settings.clock(), self.mailer is not None
        refusal = await self.store.transact(
            lambda execute: notices.invite(execute, person, room, seat, now, by_mail=by_mail)
        )
        if refusal is not None:
            raise refusal
        self.ring()

    async def subscribe(self, holder: Holder, document: dict[str, Any]) -> None:
        """Subscribe the browser that sends `document`; raise `BadEndpoint` for an endpoint that is not accepted.

        `replaces` in `document` names a former endpoint of the holder. Then the player has not asked again, and nothing
        happens if the endpoint is not theirs any more.
        """
        assert self.pusher is not None, "pages offer this only if notifications are enabled"
        asked, now = push.read_subscription(document, self.pusher.reach), time.time()
        asked = asked._replace(site_key=self.pusher.key.public)
        before = document.get("replaces")

        def work(execute: Execute) -> None:
            if before is not None and not push.forget_own_subscription(execute, holder.account, str(before)):
                return
            push.keep_subscription(execute, holder.account, holder.session, asked, now)
            outbox.try_again(execute, holder.account, outbox.PUSH)
            if before is None and notices.preference_of(execute, holder.account) == "none":
                notices.set_preference(execute, holder.account, "push")

        await self.store.transact(work)

    async def unsubscribe(self, account: str, endpoint: str) -> None:
        await self.store.transact(lambda execute: push.forget_own_subscription(execute, account, endpoint))

    async def browsers(self, account: str) -> list[push.Subscription]:
        return await self.store.ask(lambda execute: push.subscriptions_of(execute, account))

    async def go_on(self, before: Holder, entry: Entry) -> None:
        """Move subscriptions to the new session of a browser if its account is the same."""
        if before.account == entry.account:
            session = tickets.digest_of(entry.secret)
            await self.store.transact(
                lambda execute: push.follow_session(execute, entry.account, before.session, session)
            )

    async def export(self, owner: str) -> dict[str, Any]:
        """Return everything that is known of an account, or of a guest by their person, without data of others."""
        known, persons = await self.overview(owner), await self.persons_of(owner) or [owner]

        def rooms() -> list[dict[str, Any]]:
            codes = sorted({code for person in persons for code in self.store.rooms_naming(person)})
            logs = ((code, self.store.read(code).events) for code in codes)
            return [room_export(code, events, persons) for code, events in logs if events]

        account = {} if known is None else await self._export_account(owner, known)
        return {
            **account,
            "hours": asdict(await self.store.ask(lambda execute: hours.hours_of_account(execute, owner))),
            "notes": await self.store.ask(lambda execute: memory.notes_of_owner(execute, owner)),
            "seen": await self.store.ask(lambda execute: memory.seen_of_owner(execute, owner)),
            "rooms": await asyncio.to_thread(rooms),
        }

    async def _export_account(self, account: str, known: Overview) -> dict[str, Any]:
        times = [{"device": each.device, "since": each.created_at, "used": each.seen_at} for each in known.passkeys]
        sessions = [{"device": each.device, "since": each.created_at, "seen": each.seen_at} for each in known.sessions]
        # Without endpoints, which are addresses of devices.
        pushes = [{"service": origin_of(each.endpoint), "since": each.made_at} for each in await self.browsers(account)]
        return {
            "name": known.name,
            "address": known.address,
            "since": known.created_at,
            "passkeys": times,
            "sessions": sessions,
            "notices": dict(await self.store.ask(lambda execute: execute(PREFERENCES_OF, (account,)))),
            "pushes": pushes,
            "refused": [{"way": each.way, "since": each.since} for each in await self.notices.stopped(account)],
        }

    async def delete(self, owner: str) -> None:
        """Delete an account, or a guest by their person, and keep the games anonymised.

        If interrupted, a second call completes the deletion.

        Rooms come first: as long as the account exists, its owner can repeat the call.
        """
        persons = await self.persons_of(owner) or [owner]
        await self.hub.persons.erase(persons)

        def work(execute: Execute) -> list[Any]:
            ended = execute("DELETE FROM session WHERE account = ? RETURNING digest", (owner,))
            for statement in FORGET:
                execute(statement, (owner,) * statement.count("?"))
            return ended

        ended = await self.store.transact(work)
        changed = [f"{kind} {each}" for each in persons for kind in ("person", "guest")]
        self.directory.forget(*(f"session {digest}" for (digest,) in ended), *changed, MEASURES)


def _begin_session(execute: Execute, account: str, person: str, name: str, device: str) -> Entry:
    secret, now = tickets.new_secret(), time.time()
    values = tickets.digest_of(secret), account, device, now, now, now
    execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)", values)
    execute("DELETE FROM session WHERE seen_at < ?", (now - SESSION_LASTS,))
    return Entry(account, person, name, secret)


PREFERENCES_OF = "SELECT room, manner FROM notice WHERE account = ? ORDER BY room"
NOTE_PERSON = "INSERT INTO account_person VALUES (?, ?) ON CONFLICT (person) DO NOTHING"
ACCOUNT_TABLES = (
    *("hours", "notice", "subscription", "refused", "passkey"),
    *("account_name", "account_person", "ticket", "outbox"),
)
"""Tables with rows of an account, which are deleted with it."""
FORGET = (
    f"UPDATE measure SET words = subject WHERE words IN (SELECT words FROM measure WHERE {IS_OWN.format('subject')})",  # noqa: S608 - constants
    f"DELETE FROM measure WHERE {IS_OWN.format('subject')}",  # noqa: S608 - constants
    *(f"DELETE FROM {table} WHERE {IS_OWN.format('person')}" for table in ("seen", "notepad")),  # noqa: S608 - constants
    *(f"DELETE FROM {table} WHERE account = ?" for table in ACCOUNT_TABLES),  # noqa: S608 - constants
    "DELETE FROM account WHERE id = ?",
)
