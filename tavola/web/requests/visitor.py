"""Visitors: guests with a signed cookie or account holders with a session, their language and settings."""

import re
import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from itsdangerous import BadSignature, Serializer, URLSafeSerializer, URLSafeTimedSerializer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from tavola.club import Club, Holder
from tavola.club.measures import ANNOUNCEMENT, DRAIN
from tavola.live import Person, Room
from tavola.live.log.occupants import FACES
from tavola.live.room_refusals import RoomRefusal
from tavola.show.speech import KNOWN_LANGUAGES, LANGUAGES, Say, mark
from tavola.store import WriteFailed

WEB_FOLDER = Path(__file__).parents[1]
THEMES = ("auto", "light", "dark")
ON_OFF = ("off", "on")
UNASKED = "unasked"
"""Setting of `sound` until the visitor has chosen."""
YEAR = 365 * 24 * 3600
LANGUAGE_COOKIE = re.compile(r"(?:^|;\s*)language=(\w+)")
WISH = re.compile(r"\s*(?P<tag>[A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9-]*)?\s*(?:;\s*[qQ]\s*=\s*(?P<weight>\d(?:\.\d*)?)\s*)?")
"""A language and its weight in Accept-Language."""
MOST_WISHES = 32
SIGNED_FOR_EVER = ("person", "session", "seat", "quiet", "program")
"""Uses of what we sign: cookies of guests and sessions, addresses that move a seat, for fewer e-mails, of programs."""
ENTRANCE = "entrance of administrators"
LASTS = {"standing": 30 * 24 * 3600, "invitation": 30 * 24 * 3600, ENTRANCE: 15 * 60, "administrator": 12 * 3600}
"""Seconds for which other uses are valid: cookies after a finished match and of administrators, and links."""
HOST_PREFIX = "__Host-"
"""Prefix of cookies on an encrypted site: no other host of the domain can set them."""
PLAYED_COOKIE = "played"
"""Cookie of visitors who have seen the end of a match: scenes are shown faster."""


@dataclass(frozen=True)
class Visitor:
    """One person, as this request knows them. `name` is empty until given; `fresh` until the cookie is set.

    `secret`: the secret of a session in the cookie. `holder`: the account holder, once looked up; None for a guest.
    `has_correspondence`: the visitor plays or watches correspondence matches. `face`: one of `FACES`, if chosen.
    `announcement`: the operator's words to everyone. `drained_until`: when matches can begin again, in seconds since
    1970; 0 if they can now.
    """

    id: str
    name: str
    language: str
    theme: str
    sound: str
    level: str
    fresh: bool
    secret: str = ""
    holder: Holder | None = None
    has_correspondence: bool = False
    face: str = ""
    announcement: str = ""
    drained_until: float = 0.0

    @property
    def account(self) -> str | None:
        return self.holder.account if self.holder is not None else None

    @property
    def say(self) -> Say:
        """The messages of the site in the visitor's language."""
        return site_say(self.language)

    @property
    def display_name(self) -> str:
        """The visitor's name, or a number that stays the same."""
        return self.name or self.say("Guest {number}", number=int(self.id[:6], 16) % 900 + 100)

    @property
    def person(self) -> Person:
        return Person(self.id, self.display_name, self.face)


class BadToken(RoomRefusal):
    """A program's token that no host of this room has issued."""

    status, message = 403, mark("this program’s address isn’t valid: ask the host of the room for a new one")


class Visitors:
    """Reads and writes cookies that identify visitors. Anyone who has `secret` can impersonate any visitor."""

    def __init__(self, secret: bytes, levels: Collection[str], level: str) -> None:
        self._signers: dict[str, Serializer[str]] = {
            use: URLSafeSerializer(secret, salt=f"tavola {use}") for use in SIGNED_FOR_EVER
        }
        self._signers |= {use: URLSafeTimedSerializer(secret, salt=f"tavola {use}") for use in LASTS}
        # Cookies of one host are shared by all its ports: two sites there must not overwrite each other's.
        self.cookie = "tavola-" + blake2b(secret, digest_size=4, person=b"cookie").hexdigest()
        self.standing_cookie = f"{self.cookie}-standing"
        self.invited_cookie = f"{self.cookie}-invited"
        self.administrator_cookie = f"{self.cookie}-administrator"
        self._secret, self._levels, self._level = secret, levels, level

    def sign(self, use: str, value: Any) -> str:
        """Return a value signed for one use, a name in `SIGNED_FOR_EVER` or `LASTS`; it can be part of an address."""
        return str(self._signers[use].dumps(value))

    def new_token(self, use: str, size: int = 16) -> str:
        """Return a new token for a use in which having one is enough, with `size` random bytes."""
        return self.sign(use, secrets.token_urlsafe(size))

    def read(self, use: str, signed: str, lasts: int | None = None) -> Any:
        """Return what we have signed for a use; None if we have not, or longer than `lasts` seconds ago."""
        limits: dict[str, Any] = {"max_age": lasts or LASTS[use]} if use in LASTS else {}
        try:
            return self._signers[use].loads(signed, **limits)
        except (BadSignature, ValueError, TypeError):
            return None

    def program(self, asked: HTTPConnection, room: Room) -> Visitor | None:
        """Return the program that the request's token identifies, None without one; raise `BadToken` if invalid.

        A token is valid in the room whose host has issued it, and in rematches in which the program was given a seat.
        """
        if (token := asked.query_params.get("token")) is None:
            return None
        found = self.read("program", token)
        if found is None or (found[0] != room.id and room.state.seat_of(found[1]) is None):
            raise BadToken
        return replace(self.identify(asked), id=found[1], name=found[2])

    def seal_quiet(self, account: str, room: str) -> str:
        """Return a signed token for fewer e-mails: about one room, or about all if `room` is empty."""
        return self.sign("quiet", [account, room])

    def is_administrator(self, asked: HTTPConnection) -> bool:
        """Return whether a request has the cookie of an administrator."""
        return self.read("administrator", _signed_cookie(asked, self.administrator_cookie)) is not None

    def is_invited(self, asked: HTTPConnection) -> bool:
        """Return whether the visitor has opened an invitation with this browser."""
        return self.read("invitation", _signed_cookie(asked, self.invited_cookie), YEAR) is not None

    def mark(self, text: str) -> str:
        """Return a hash of a text that cannot be reproduced without our key."""
        return blake2b(text.encode(), key=self._secret[:64], digest_size=8, person=b"maker").hexdigest()

    def identify(self, asked: HTTPConnection) -> Visitor:
        """Return the visitor of a request or a socket, by cookies only; a forged cookie is ignored."""
        cookie = _signed_cookie(asked, self.cookie)
        known = self.read("person", cookie)
        identifier, name = known or (secrets.token_hex(16), "")
        accepted = _accepted_language(asked.headers.get("accept-language", ""))
        return Visitor(
            identifier,
            name,
            language=_one_of(KNOWN_LANGUAGES, asked.cookies.get("language"), accepted),
            theme=_one_of(THEMES, asked.cookies.get("theme"), "auto"),
            sound=_one_of(ON_OFF, asked.cookies.get("sound"), UNASKED),
            level=_one_of(self._levels, asked.cookies.get("level"), self._level),
            fresh=known is None,
            face=_one_of(FACES, asked.cookies.get("face"), ""),
            secret=(self.read("session", cookie) or "") if known is None else "",
        )

    async def look_up(self, visitor: Visitor, club: Club) -> Visitor:
        """Return the visitor as recognised, with what pages show about them."""
        measures, now = await club.directory.measures(), club.hub.settings.clock()
        announced, drained = measures.one(ANNOUNCEMENT, now), measures.one(DRAIN, now)
        words, until = announced.words if announced else "", drained.ends_at if drained else 0.0
        known = replace(await self.recognise(visitor, club), announcement=words, drained_until=until)
        if known.fresh:
            return known
        return replace(known, has_correspondence=await club.directory.has_correspondence(known.id))

    async def recognise(self, visitor: Visitor, club: Club) -> Visitor:
        """Return the visitor as the holder of their session, or as a guest; as a new guest if the session has ended.

        The cookie of a guest who has an account by now is no longer accepted: they must sign in. A guest loses a name
        that belongs to an account by now.
        """
        try:
            if visitor.secret:
                if (holder := await club.directory.holder(visitor.secret)) is not None:
                    visitor = replace(visitor, id=holder.person, name=holder.name, fresh=False, holder=holder)
                return visitor
            if not visitor.fresh and await club.directory.account_of(visitor.id) is not None:
                return replace(visitor, id=secrets.token_hex(16), name="", fresh=True)
            if visitor.name and not await club.directory.is_free(visitor.name):
                return replace(visitor, name="")
        except WriteFailed:  # not known now: the request itself will fail, and the cookie is kept
            return replace(visitor, fresh=False)
        return visitor

    def forget(self, response: Response, asked: HTTPConnection) -> Response:
        """Delete the cookies that identify the visitor."""
        for name in (self.cookie, self.standing_cookie):
            set_signed_cookie(response, asked, name, "", 0)
        return response

    def remember(self, response: Response, asked: HTTPConnection, identifier: str, name: str) -> Response:
        return set_signed_cookie(response, asked, self.cookie, self.sign("person", [identifier, name]))

    def mark_good_standing(self, response: Response, asked: HTTPConnection, identifier: str) -> None:
        """Note in a signed cookie that the visitor has finished a match."""
        set_signed_cookie(response, asked, self.standing_cookie, self.sign("standing", identifier))

    def standing(self, asked: HTTPConnection) -> str:
        """Return the id of a visitor who has finished a match, by their cookie; empty without a valid one."""
        return self.read("standing", _signed_cookie(asked, self.standing_cookie)) or ""


def _signed_cookie(asked: HTTPConnection, name: str) -> str:
    return asked.cookies.get(HOST_PREFIX + name) or asked.cookies.get(name, "")


def set_signed_cookie(response: Response, asked: HTTPConnection, name: str, value: str, lasts: int = YEAR) -> Response:
    """Set one of our signed cookies for `lasts` seconds, 0 deletes it; return the response."""
    return set_cookie(response, asked, f"{HOST_PREFIX if is_encrypted(asked) else ''}{name}", value, lasts)


def set_cookie(response: Response, asked: HTTPConnection, name: str, value: str, lasts: int = YEAR) -> Response:
    """Set a cookie that neither scripts nor forms of other sites can use, `lasts` in seconds; return the response."""
    secure = is_encrypted(asked)
    response.set_cookie(name, value, max_age=lasts, httponly=True, samesite="lax", secure=secure, path="/")
    return response


def is_encrypted(asked: HTTPConnection) -> bool:
    """Return whether the visitor's connection to the site is encrypted."""
    return asked.url.scheme in ("https", "wss")


@cache
def site_say(language: str) -> Say:
    """Return the messages of the site in a language."""
    return Say(WEB_FOLDER, language)


def _one_of(known: Iterable[str], asked: str | None, default: str) -> str:
    return asked if asked is not None and asked in known else default


@lru_cache(maxsize=1024)
def asked_language(cookie: str, accepted: str) -> str:
    """Return the language of an unknown visitor by two headers: `Cookie` and `Accept-Language`."""
    chosen = LANGUAGE_COOKIE.search(cookie)
    return _one_of(KNOWN_LANGUAGES, chosen[1] if chosen is not None else None, _accepted_language(accepted))


@lru_cache(maxsize=1024)
def _accepted_language(accepted: str) -> str:
    """Return our best language by RFC 9110, 12.5.4: never one of weight 0."""
    wishes: dict[str, tuple[float, int]] = {}
    for place, part in enumerate(accepted.split(",")[:MOST_WISHES]):
        if (wish := WISH.fullmatch(part)) is not None:
            tag, best = wish["tag"].lower(), wishes.get(wish["tag"].lower(), (0.0, 0))
            wishes[tag] = max(best, (min(1.0, float(wish["weight"] or 1)), -place))
    others = wishes.get("*", (0.0, -MOST_WISHES))
    known = {language: wishes.get(language, others) for language in LANGUAGES}
    wanted = max(known, key=lambda language: known[language])
    return wanted if known[wanted][0] else next((each for each in LANGUAGES if each not in wishes), "en")
