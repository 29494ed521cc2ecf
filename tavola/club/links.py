"""Links: in e-mails to sign in or to change an address, after a passkey was shown, and to another device.

A link has one purpose. Opening it shows what it does and uses nothing up; a press does. A link that changes an account
works only in the session that requested it. A link into an account names it by data that its owner did not choose. A
guest who has something here chooses whether to bring it along.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tavola.club import tickets
from tavola.club.account_refusals import ClubRefusal, OtherBrowser
from tavola.club.directory import ACCOUNT_OF_PERSON, Guest
from tavola.club.sending import outbox
from tavola.club.sending.mail import mask_address
from tavola.store import Execute, Store

SIGN_IN, CHANGE_ADDRESS, ARRIVE, DEVICE = "sign in", "change address", "arrive", "device"
"""Purposes: sign in or open an account, change its address, continue after a passkey, use one more device."""
ENTRANCES = SIGN_IN, CHANGE_ADDRESS, ARRIVE
"""Purposes of links at `/account/link`."""
LINK_LASTS = 20 * 60.0
"""Seconds for which a link is valid."""
LETTER_LASTS = 3600.0
"""Seconds for which an e-mail with a link is useful."""
MOST_LETTERS = 3
"""Maximum e-mails with links to one address per hour."""
NOTES_OF = "SELECT room FROM notepad WHERE person = ? LIMIT 1"


class Link(NamedTuple):
    """A valid link, as its page shows it before it is used.

    `account`: the account that it opens or changes; None if it creates one, or belongs to a guest called `name`.
    `address` is masked; `since` is when the account was created. `own`: the guest who requested it opens it. `asks`:
    the visitor has something here as another guest.
    """

    purpose: str
    account: str | None
    address: str
    since: float
    name: str
    own: bool
    asks: bool = False

    @property
    def joins(self) -> bool:
        """True if a guest's seats can come along: not to another guest, who is unknown."""
        return self.purpose != DEVICE or self.account is not None

    def brings(self, said: str) -> bool | None:
        """Return whether seats come along, given the answer `bring` or `leave`; None if it is missing."""
        if self.own or (said == "bring" and self.joins):
            return True
        if self.asks:
            return False if said == "leave" else None
        return self.joins and self.account is None  # a new account belongs to a person with nothing to leave


class Links:
    """The links of a club; each change is one transaction. `ring` is called when an e-mail is queued."""

    def __init__(self, store: Store, ring: Callable[[], None]) -> None:
        self._store, self._ring = store, ring

    async def _issue(self, purpose: str, account: str | None, **body: Any) -> str:
        """Create a link and return its secret, which is written nowhere else."""
        secret = tickets.new_secret()
        await self._store.transact(lambda execute: tickets.issue(execute, secret, purpose, LINK_LASTS, account, **body))
        return secret

    async def send(self, guest: Guest, purpose: str, recipient: str, mark: str) -> None:
        """Send a link to a clean address; `mark` represents the address when e-mails are counted.

        Work and response are the same whether an account has the address or not.
        """
        body = {"purpose": purpose, "person": guest.person, "session": guest.session, "language": guest.language}

        def work(execute: Execute) -> None:
            if outbox.count_since(execute, mark, time.time() - 3600) < MOST_LETTERS:
                topic = f"link {secrets.token_hex(12)}"
                outbox.put(execute, topic, "link", recipient, mark, LETTER_LASTS, body, guest.account)

        await self._store.transact(work)
        self._ring()

    async def issue(self, queued: outbox.QueuedMessage) -> str:
        told = queued.body
        asker = {"person": told["person"], "session": told.get("session", "")}
        return await self._issue(purpose_of(queued), queued.account, address=queued.recipient, **asker)

    async def issue_arrival(self, account: str, guest: Guest) -> str:
        """Create the link by which a guest who has shown a passkey decides about their seats."""
        return await self._issue(ARRIVE, account, person=guest.person)

    async def issue_seat_link(self, guest: Guest) -> str:
        """Create a link by which a visitor uses one more device."""
        return await self._issue(DEVICE, guest.account, person=guest.person, name=guest.name)

    async def look(self, guest: Guest, secret: str, *purposes: str) -> Link | None:
        """Return what a link does, without using it up; None if it is not valid. May raise `OtherBrowser`."""
        found = await self._store.ask(lambda execute: find_link(execute, guest, secret, purposes))
        if isinstance(found, ClubRefusal):
            raise found
        if found is None or found.own or found.purpose == CHANGE_ADDRESS:
            return found
        return found._replace(asks=await self.has_something(guest))

    async def has_something(self, guest: Guest) -> bool:
        """Return whether a guest has a seat, notes or talk here."""
        if guest.account is not None:
            return False
        notes = await self._store.ask(lambda execute: execute(NOTES_OF, (guest.person,)))
        return bool(notes or await asyncio.to_thread(self._store.rooms_naming, guest.person))


def purpose_of(queued: outbox.QueuedMessage) -> str:
    """Return what the link of an e-mail is for."""
    return str(queued.body.get("purpose", SIGN_IN))


def find_link(execute: Execute, guest: Guest, secret: str, purposes: Sequence[str]) -> Link | ClubRefusal | None:
    """Return what a link does, or the refusal if it works only elsewhere; None if it is not valid."""
    if (body := tickets.inspect(execute, secret, *purposes)) is None:
        return None
    purpose, by_asker = body["purpose"], body["person"] == guest.person and guest.account is None
    in_session = guest.session and body["session"] == guest.session
    if (purpose == CHANGE_ADDRESS and not in_session) or (purpose == ARRIVE and not by_asker):
        return OtherBrowser()
    found = _account_of(execute, body)
    if found is None and purpose != SIGN_IN and (body["account"] or execute(ACCOUNT_OF_PERSON, (body["person"],))):
        return None
    account, known, since = found or (None, None, 0.0)
    address = body.get("address", known)
    masked = "" if address is None else mask_address(address)
    return Link(purpose, account, masked, since, body.get("name", ""), own=account is None and by_asker)


def _account_of(execute: Execute, body: dict[str, Any]) -> tuple[str, str | None, float] | None:
    column, value = ("address", body["address"]) if body["purpose"] == SIGN_IN else ("id", body["account"])
    found = execute(f"SELECT id, address, created_at FROM account WHERE {column} = ?", (value,))  # noqa: S608
    return tuple(found[0]) if found else None
