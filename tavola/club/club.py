"""The club: accounts, the ways in, sessions, and what becomes of them. Every change is one transaction.

An account is a person who is known again: his seats are his person's, whichever browser he comes with. A guest who
keeps himself goes on as the person that he was; a guest who turns out to be somebody brings him his seats.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeVar

from tavola.club import hours, names, notepad, notices, outbox, passkeys, seen, subscriptions, tickets
from tavola.club.addresses import clean_address
from tavola.club.directory import SEEN_EVERY, Directory, Holder
from tavola.club.export import room_export
from tavola.club.memory import Memory
from tavola.club.passkeys import Origin, Passkey
from tavola.club.postman import Postman
from tavola.club.push import Pusher, device_rows
from tavola.club.refusals import BadPasskey, LastWay, NameTaken, ProveAgain, UsedTicket
from tavola.live import Hub, Person
from tavola.live.time.correspondence import Hours
from tavola.store import Execute, WriteFailed
from tavola.store.events import Conflict

LINK_LASTS = 20 * 60.0
"""Seconds for which a link in a letter, or one to another device, is good."""
LETTER_LASTS = 3600.0
"""Seconds in which a letter with a link is of use."""
MOVED_LASTS = 3 * 24 * 3600.0
"""Seconds in which somebody should hear that his address was changed."""
MOST_LETTERS = 3
"""Letters with links to one address in an hour."""
SESSION_LASTS = 365 * 24 * 3600.0
"""Seconds after which a session ends that nobody has used."""
PROOF_LASTS = 3600.0
"""Seconds after coming in, in which the ways in may be changed and all be deleted."""
T = TypeVar("T")


class Entry(NamedTuple):
    """Somebody has come in: who he is, and the secret of his new session, for his cookie."""

    account: str
    person: str
    name: str
    secret: str


class Device(NamedTuple):
    """A passkey or a session, as its owner sees it: `key` names it in forms."""

    key: str
    device: str
    created_at: float
    seen_at: float


@dataclass(frozen=True)
class Guest:
    """Who comes: his person, the name he goes by (empty without one), his device and his language.

    `account`: that whose session he has, if he has one.
    """

    person: str
    name: str
    device: str
    language: str
    account: str | None = None


class Overview(NamedTuple):
    """All that an account's page shows."""

    name: str
    address: str | None
    created_at: float
    passkeys: list[Device]
    sessions: list[Device]


class Club:
    """The accounts of a site. `postman` carries its letters; without one there are passkeys alone.

    `pusher` knows the way to browsers in which somebody is notified; None where nothing is sent at all.
    """

    def __init__(self, hub: Hub) -> None:
        self.hub, self.store = hub, hub.store
        self.directory = Directory(hub.store)
        self._signed_challenges: tickets.Challenges | None = None
        self.postman: Postman | None = None
        self.pusher: Pusher | None = None
        self._carriers: list[Postman] = []
        self.notices = notices.Notices(self)
        self.memory = Memory(hub, self.directory)
        if hub.peers is not None:
            self.directory.join(hub.peers)

    def carry(self, postman: Postman | None, pusher: Pusher, pushing: Sequence[Postman]) -> None:
        """Have letters carried by this worker, and what is pushed; and have people told of their turns."""
        self.postman, self.pusher = postman, pusher
        self._carriers = [*pushing, *([postman] if postman is not None else [])]
        for carrier in self._carriers:
            self.hub.spawn(carrier.run())
        self.hub.watch_decisions(self.notices)

    def ring(self) -> None:
        """Tell whoever carries letters that there is one."""
        for carrier in self._carriers:
            carrier.ring()

    async def _ask(self, work: Callable[[Execute], T]) -> T:
        return await asyncio.to_thread(work, self.store.rows)

    # Names

    async def require_free_name(self, name: str) -> None:
        """`NameTaken` where somebody keeps a name that looks like that one; nothing while the database is away."""
        with contextlib.suppress(WriteFailed):
            if not await self.directory.is_free(name, anew=True):
                raise NameTaken

    async def rename(self, holder: Holder, name: str) -> None:
        """Keep another name; `NameTaken` where it is not to be had."""
        try:
            done = await self.store.transact(lambda execute: names.hold(execute, holder.account, name))
        except Conflict as error:
            raise NameTaken from error
        if not done:
            raise NameTaken
        self.directory.forget(f"session {holder.session}")

    def require_proof(self, holder: Holder) -> None:
        """`ProveAgain` unless somebody came in by this session not long ago: a browser left open is not its owner."""
        if not self.is_proven(holder):
            raise ProveAgain

    def is_proven(self, holder: Holder) -> bool:
        """True where somebody came in by this session not long ago."""
        return time.time() - holder.proved_at <= PROOF_LASTS

    # Passkeys

    async def passkey_options(self, origin: Origin, guest: Guest, shown: str) -> dict[str, Any]:
        """Return what the browser of a guest needs to make a passkey, for his account or for one that is to be."""
        challenge = tickets.new_secret()
        account = guest.account or secrets.token_hex(16)

        def work(execute: Execute) -> list[str]:
            tickets.issue(execute, challenge, "make a passkey", passkeys.TIMEOUT, account, person=guest.person)
            return [str(key) for (key,) in execute("SELECT id FROM passkey WHERE account = ?", (account,))]

        known = await self.store.transact(work)
        return passkeys.creation_options(origin, account, shown, challenge, known)

    async def add_passkey(self, origin: Origin, guest: Guest, answer: dict[str, Any]) -> Entry | None:
        """A passkey has been made: one more of an account, or the first of a new one, which then is entered.

        `UsedTicket` where nobody asked for it, `BadPasskey` where it does not verify.
        """
        challenge = passkeys.challenge_of(answer)
        body = await self.store.transact(lambda execute: tickets.redeem(execute, challenge, "make a passkey"))
        if body is None or body["person"] != guest.person:
            raise UsedTicket
        made, account, now = passkeys.verify_creation(origin, answer, challenge), body["account"], time.time()
        if guest.account is not None and guest.account != account:
            raise UsedTicket

        def work(execute: Execute) -> Entry | None:
            entry = None if guest.account else self._create(execute, account, guest, None)
            values = made.id, account, made.public_key, made.sign_count, guest.device, now, now
            execute("INSERT INTO passkey VALUES (?, ?, ?, ?, ?, ?, ?)", values)
            return entry

        try:
            entry = await self.store.transact(work)
        except Conflict as error:
            raise BadPasskey from error
        self._forget_person(guest.person)
        return entry

    async def _challenges(self) -> tickets.Challenges:
        """Return what signs the challenges of this site, whichever worker is asked."""
        if self._signed_challenges is None:
            key = await asyncio.to_thread(self.store.signing_key)
            self._signed_challenges = tickets.Challenges(key, passkeys.TIMEOUT)
        return self._signed_challenges

    async def request_options(self, origin: Origin) -> dict[str, Any]:
        """Return what a browser needs to show a passkey of this site."""
        return passkeys.request_options(origin, (await self._challenges()).issue())

    async def enter_by_passkey(self, origin: Origin, guest: Guest, answer: dict[str, Any]) -> Entry:
        """Somebody shows a passkey: he comes in, and what he has as a guest becomes his."""
        challenge = passkeys.challenge_of(answer)
        known = await self._known_passkey(answer)
        challenges = await self._challenges()
        if not challenges.is_good(challenge):
            raise UsedTicket
        if known is None:
            raise BadPasskey
        account, passkey = known
        shown = passkeys.verify_request(origin, answer, challenge, passkey)

        def work(execute: Execute) -> Entry | None:
            challenges.use(execute, challenge)
            values = shown.sign_count, time.time(), shown.id
            execute("UPDATE passkey SET sign_count = ?, used_at = ? WHERE id = ?", values)
            return self._enter(execute, account, guest)

        return await self._come_in(work, guest)

    async def _known_passkey(self, answer: dict[str, Any]) -> tuple[str, Passkey] | None:
        key = answer.get("id")
        query = "SELECT account, id, public_key, sign_count FROM passkey WHERE id = ?"
        found = await self._ask(lambda execute: execute(query, (str(key)[:1400],)))
        return (str(found[0][0]), Passkey(*found[0][1:])) if found else None

    # Links

    async def send_link(self, guest: Guest, address: str, site: str, mark: str) -> None:
        """Send a link to an address: to come in, to keep oneself, or to have that address from now on.

        What happens here is the same whether anybody has the address or not, and so is what is answered.
        """
        recipient = clean_address(address)
        body = {"site": site, "person": guest.person, "name": guest.name, "language": guest.language}

        def work(execute: Execute) -> None:
            if outbox.count_since(execute, mark, time.time() - 3600) < MOST_LETTERS:
                topic = f"link {secrets.token_hex(12)}"
                outbox.put(execute, topic, "link", recipient, mark, LETTER_LASTS, body, guest.account)

        await self.store.transact(work)
        self.ring()

    async def issue_link(self, letter: outbox.Letter) -> str:
        """Make the link of a letter that is about to be sent, and return its secret: nowhere else is it written."""
        secret = tickets.new_secret()
        body = {"address": letter.recipient, **{key: letter.body[key] for key in ("person", "name", "site")}}
        await self.store.transact(
            lambda execute: tickets.issue(execute, secret, "link", LINK_LASTS, letter.account, **body)
        )
        return secret

    async def look_at_link(self, secret: str) -> dict[str, Any] | None:
        """Return what a link is for, without using it up; None where it is not good."""
        return await self._ask(lambda execute: tickets.inspect(execute, secret, "link"))

    async def enter_by_link(self, guest: Guest, secret: str) -> Entry:
        """Use a link up. Whoever has the address comes in; where nobody has, the one who asked for it is kept."""

        def work(execute: Execute) -> Entry | None:
            body = tickets.redeem(execute, secret, "link")
            if body is None:
                return None
            found = execute("SELECT id FROM account WHERE address = ?", (body["address"],))
            if found:
                return self._enter(execute, str(found[0][0]), guest)
            if body["account"] is not None:
                self._tell_old_address(execute, body["account"], body["site"])
                execute("UPDATE account SET address = ? WHERE id = ?", (body["address"], body["account"]))
                return self._enter(execute, body["account"], guest)
            asked, account = Guest(body["person"], body["name"], guest.device, guest.language), secrets.token_hex(16)
            entry = self._create(execute, account, asked, body["address"])
            if guest.account is None:
                execute(NOTE_PERSON, (guest.person, account))
            return entry

        entry = await self._come_in(work, guest)
        self.ring()
        return entry

    def _tell_old_address(self, execute: Execute, account: str, site: str) -> None:
        """Write to the address that an account had until now: whoever reads it there hears that it was changed."""
        for address, language in execute("SELECT address, language FROM account WHERE id = ?", (account,)):
            if address is not None:
                topic, body = f"moved {secrets.token_hex(12)}", {"site": site, "language": language}
                outbox.put(execute, topic, "moved", address, "", MOVED_LASTS, body)

    # Another device

    async def issue_seat_link(self, guest: Guest) -> str:
        """Make a link by which a guest is himself on one more device; return its secret."""
        secret, body = tickets.new_secret(), {"person": guest.person, "name": guest.name}
        await self.store.transact(
            lambda execute: tickets.issue(execute, secret, "device", LINK_LASTS, guest.account, **body)
        )
        return secret

    async def look_at_seat_link(self, secret: str) -> dict[str, Any] | None:
        """Return who a link to a device is of, without using it up; None where it is not good."""
        return await self._ask(lambda execute: tickets.inspect(execute, secret, "device"))

    async def use_seat_link(self, guest: Guest, secret: str) -> Entry | Guest:
        """Use such a link up: the device is a session of an account, or the guest that asked for it."""

        def work(execute: Execute) -> Entry | Guest | None:
            body = tickets.redeem(execute, secret, "device")
            if body is None:
                return None
            if body["account"] is not None:
                return self._enter(execute, body["account"], guest)
            return Guest(body["person"], body["name"], guest.device, guest.language)

        made = await self.store.transact(work)
        if made is None or (isinstance(made, Guest) and await self.directory.account_of(made.person) is not None):
            raise UsedTicket
        if isinstance(made, Entry):
            await self._bring_seats(made, guest)
        return made

    # Coming in

    def _create(self, execute: Execute, account: str, guest: Guest, address: str | None) -> Entry | None:
        """Keep a guest: he goes on as the person that he is, under his name if it is to be had."""
        taken = execute("SELECT account FROM account_person WHERE person = ?", (guest.person,))
        person = secrets.token_hex(16) if taken else guest.person
        values = account, person, "", address, guest.language, time.time()
        execute("INSERT INTO account VALUES (?, ?, ?, ?, ?, ?)", values)
        execute("INSERT INTO account_person VALUES (?, ?)", (person, account))
        if guest.name:
            names.hold(execute, account, guest.name)
        return self._enter(execute, account, guest)

    def _enter(self, execute: Execute, account: str, guest: Guest) -> Entry | None:
        """Begin a session; what the guest is besides is noted to be this account's, unless it is another's."""
        found = execute("SELECT person, name FROM account WHERE id = ?", (account,))
        if not found:
            return None
        secret, now = tickets.new_secret(), time.time()
        values = tickets.digest_of(secret), account, guest.device, now, now, now
        execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)", values)
        execute("DELETE FROM session WHERE seen_at < ?", (now - SESSION_LASTS,))
        if guest.account is None:
            execute(NOTE_PERSON, (guest.person, account))
        ((person, name),) = found
        if guest.account is None and guest.person != person:
            notepad.bring_notes(execute, guest.person, person)
        return Entry(account, person, name, secret)

    async def _come_in(self, work: Callable[[Execute], Entry | None], guest: Guest) -> Entry:
        try:
            entry = await self.store.transact(work)
        except Conflict as error:
            raise UsedTicket from error
        if entry is None:
            raise UsedTicket
        await self._bring_seats(entry, guest)
        return entry

    async def _bring_seats(self, entry: Entry, guest: Guest) -> None:
        """A guest who has come in brings his seats."""
        self._forget_person(guest.person)
        if guest.account is None and guest.person != entry.person:
            name = entry.name or guest.name
            if name:
                await self.hub.adopt(guest.person, Person(entry.person, name))

    def _forget_person(self, person: str) -> None:
        self.directory.forget(f"person {person}")

    # The account's own page

    async def overview(self, account: str) -> Overview | None:
        """Return all that an account's page shows; None where there is no such account any more."""

        def work(execute: Execute) -> Overview | None:
            found = execute("SELECT name, address, created_at FROM account WHERE id = ?", (account,))
            keys = execute("SELECT id, device, created_at, used_at FROM passkey WHERE account = ?", (account,))
            query = "SELECT digest, device, created_at, seen_at FROM session WHERE account = ? ORDER BY seen_at DESC"
            sessions = [Device(*row) for row in execute(query, (account,))]
            if not found:
                return None
            ((name, address, created_at),) = found
            return Overview(name, address, created_at, [Device(*row) for row in keys], sessions)

        return await self._ask(work)

    async def end_sessions(self, account: str, keep: str = "", only: str = "") -> None:
        """End an account's sessions: all but `keep`, or `only` one."""

        def work(execute: Execute) -> list[Any]:
            query = "DELETE FROM session WHERE account = ? AND digest <> ? AND (digest = ? OR ? = '') RETURNING digest"
            return execute(query, (account, keep, only, only))

        ended = await self.store.transact(work)
        self.directory.forget(*(f"session {digest}" for (digest,) in ended))

    async def note_seen(self, holder: Holder) -> None:
        """Note, once an hour at most, that a session is in use."""
        now = time.time()
        if now - holder.seen_at < SEEN_EVERY:
            return
        self.directory.forget(f"session {holder.session}", aloud=False)
        query = "UPDATE session SET seen_at = ? WHERE digest = ? AND seen_at < ?"
        await self.store.transact(lambda execute: execute(query, (now, holder.session, now - SEEN_EVERY)))

    async def remove_passkey(self, account: str, key: str) -> None:
        """Take a passkey away; `LastWay` where nothing else leads in."""
        await self._remove_way(account, "DELETE FROM passkey WHERE account = ? AND id = ?", key)

    async def remove_address(self, account: str) -> None:
        """Forget an address; `LastWay` where nothing else leads in."""
        await self._remove_way(account, "UPDATE account SET address = NULL WHERE id = ? AND id = ?", account)

    async def _remove_way(self, account: str, statement: str, key: str) -> None:
        ways = """
        SELECT (SELECT count(*) FROM passkey WHERE account = a.id) + CASE WHEN address IS NULL THEN 0 ELSE 1 END
        FROM account a WHERE id = ?
        """

        def work(execute: Execute) -> bool:
            execute("UPDATE account SET id = id WHERE id = ?", (account,))  # two who remove at once take turns
            if execute(ways, (account,))[0][0] < 2:
                return False
            execute(statement, (account, key))
            return True

        if not await self.store.transact(work):
            raise LastWay

    async def persons_of(self, account: str) -> list[str]:
        """Return all persons that an account is or was as a guest, the one whose seats are its own first."""
        query = """
        SELECT p.person FROM account_person p JOIN account a ON a.id = p.account WHERE a.id = ?
        ORDER BY p.person <> a.person, p.person
        """
        return [str(person) for (person,) in await self._ask(lambda execute: execute(query, (account,)))]

    # Hours

    async def hours_of(self, persons: Collection[str]) -> dict[str, Hours]:
        """Return the hours of persons who keep themselves."""
        return await self._ask(lambda execute: hours.hours_of_persons(execute, persons))

    async def hours(self, account: str) -> Hours:
        """Return the hours of an account."""
        return await self._ask(lambda execute: hours.hours_of_account(execute, account))

    async def go_away(self, holder: Holder, until: float, zone: str) -> None:
        """Be away until then, or back where that is past; `TooLongAway` where the season has not so many days left."""
        now = self.hub.settings.clock()
        if not await self.store.transact(lambda execute: hours.go_away(execute, holder.account, until, zone, now)):
            raise hours.TooLongAway
        await self.hub.look_at_hours(holder.person)

    async def keep_night(self, holder: Holder, begins: int, ends: int, zone: str) -> None:
        """Keep at which hours somebody's night begins and ends, by which clock; `BadNight` where that is none."""
        night = hours.clean_night(begins, ends, zone)
        await self.store.transact(lambda execute: hours.keep_night(execute, holder.account, *night))
        await self.hub.look_at_hours(holder.person)

    # Word of turns

    async def manner(self, account: str) -> str:
        """Return how an account wants to hear of its turns."""
        return await self._ask(lambda execute: notices.manner_of(execute, account))

    async def keep_manner(self, account: str, manner: str, room: str = "") -> None:
        """Remember how an account wants to hear of its turns; `BadManner` for a way that there is not."""
        notices.require_manner(manner)
        await self.store.transact(lambda execute: notices.keep_manner(execute, account, manner, room))

    async def hush_letters(self, account: str) -> None:
        """Remember that an account wants no letters about its turns."""
        await self.store.transact(lambda execute: notices.hush_letters(execute, account))

    async def subscribe(self, holder: Holder, document: dict[str, Any]) -> None:
        """Notify somebody in the browser that says so; `BadEndpoint` for an address that is not used here.

        `replaces` among what it says: an address of before, which must be his. Then nobody has asked, and where it is
        not his, nothing is done: he who had asked is not there any more.
        """
        assert self.pusher is not None, "pages ask where something is sent"
        asked, now = subscriptions.read_subscription(document, self.pusher.reach), time.time()
        before = document.get("replaces")

        def work(execute: Execute) -> None:
            if before is not None and not subscriptions.forget_one(execute, holder.account, str(before)):
                return
            subscriptions.keep(execute, holder.account, holder.session, asked, now)
            if before is None:
                notices.hear_again(execute, holder.account)

        await self.store.transact(work)

    async def unsubscribe(self, account: str, endpoint: str) -> None:
        """Notify somebody there no more."""
        await self.store.transact(lambda execute: subscriptions.forget_one(execute, account, endpoint))

    async def browsers(self, account: str) -> list[subscriptions.Subscription]:
        """Return where an account is notified."""
        return await self._ask(lambda execute: subscriptions.of_account(execute, account))

    async def go_on(self, before: Holder, entry: Entry) -> None:
        """A browser has another session of the same account: what was asked for in the one before holds."""
        if before.account == entry.account:
            session = tickets.digest_of(entry.secret)
            await self.store.transact(
                lambda execute: subscriptions.follow(execute, entry.account, before.session, session)
            )

    async def export(self, account: str) -> dict[str, Any]:
        """Return everything that is known of an account, and nothing of anybody else."""
        known, persons = await self.overview(account), await self.persons_of(account)
        assert known is not None, "somebody has this account"

        def rooms() -> list[dict[str, Any]]:
            codes = sorted({code for person in persons for code in self.store.rooms_naming(person)})
            logs = ((code, self.store.read(code).events) for code in codes)
            return [room_export(code, events, persons) for code, events in logs if events]

        times = [{"device": each.device, "since": each.created_at, "used": each.seen_at} for each in known.passkeys]
        sessions = [{"device": each.device, "since": each.created_at, "seen": each.seen_at} for each in known.sessions]
        return {
            "name": known.name,
            "address": known.address,
            "since": known.created_at,
            "passkeys": times,
            "sessions": sessions,
            "hours": asdict(await self.hours(account)),
            "notices": dict(await self._ask(lambda execute: execute(MANNERS_OF, (account,)))),
            "pushes": device_rows(await self.browsers(account)),
            "notes": await self._ask(lambda execute: notepad.notes_of_account(execute, account)),
            "seen": await self._ask(lambda execute: seen.seen_of_account(execute, account)),
            "rooms": await asyncio.to_thread(rooms),
        }

    async def delete(self, account: str) -> None:
        """Forget somebody: what he played stays, as nobody's. What is cut short is done when he asks again.

        Rooms come first: while the account is there somebody can ask again.
        """
        persons = await self.persons_of(account)
        await self.hub.erase(persons)

        def work(execute: Execute) -> list[Any]:
            ended = execute("DELETE FROM session WHERE account = ? RETURNING digest", (account,))
            for statement in FORGET:
                execute(statement, (account,))
            return ended

        ended = await self.store.transact(work)
        self.directory.forget(*(f"session {digest}" for (digest,) in ended), *(f"person {each}" for each in persons))


MANNERS_OF = "SELECT room, manner FROM notice WHERE account = ? ORDER BY room"
NOTE_PERSON = "INSERT INTO account_person VALUES (?, ?) ON CONFLICT (person) DO NOTHING"
FORGET = (
    "DELETE FROM seen WHERE person IN (SELECT person FROM account_person WHERE account = ?)",
    "DELETE FROM notepad WHERE person IN (SELECT person FROM account_person WHERE account = ?)",
    "DELETE FROM hours WHERE account = ?",
    "DELETE FROM notice WHERE account = ?",
    "DELETE FROM subscription WHERE account = ?",
    "DELETE FROM passkey WHERE account = ?",
    "DELETE FROM account_name WHERE account = ?",
    "DELETE FROM account_person WHERE account = ?",
    "DELETE FROM ticket WHERE account = ?",
    "DELETE FROM outbox WHERE account = ?",
    "DELETE FROM account WHERE id = ?",
)
