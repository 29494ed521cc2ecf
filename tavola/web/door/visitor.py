"""Who is asking: a guest with a signed cookie, in a language, with settings. Nothing else is kept about anybody."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from tavola.live import Person
from tavola.show.speech import LANGUAGES, Say

WEB_FOLDER = Path(__file__).parents[1]
THEMES = ("auto", "light", "dark")
ON_OFF = ("off", "on")
YEAR = 365 * 24 * 3600
WON_COOKIE = "won"
"""The cookie of who has won a match: he is asked how strong his bots shall be."""
PLAYED_COOKIE = "played"
"""The cookie of who has seen the end of a match: what happens is shown more briskly."""


@dataclass(frozen=True)
class Visitor:
    """One guest as this request knows him. `name` is empty until he has given one; `fresh` until the cookie is set."""

    id: str
    name: str
    language: str
    theme: str
    sound: str
    level: str
    fresh: bool

    @property
    def say(self) -> Say:
        """The site's own sentences in his language."""
        return site_say(self.language)

    @property
    def display_name(self) -> str:
        """His name, or a modest one that stays the same."""
        return self.name or self.say("Guest {number}", number=int(self.id[:6], 16) % 900 + 100)

    @property
    def person(self) -> Person:
        """Who he is at a table."""
        return Person(self.id, self.display_name)


class Visitors:
    """Reads and writes the cookie that says who somebody is. `secret` signs it: who has it can be anybody."""

    def __init__(self, secret: bytes, levels: tuple[str, ...], level: str) -> None:
        self._signer = URLSafeSerializer(secret, salt="tavola person")
        # Cookies of one host are shared by all its ports: two sites there must not overwrite each other's.
        self.cookie = "tavola-" + blake2b(secret, digest_size=4, person=b"cookie").hexdigest()
        self._levels, self._level = levels, level

    def identify(self, asked: HTTPConnection) -> Visitor:
        """The visitor behind a request or a socket; a cookie that was tampered with is as good as none."""
        known = self._read(asked.cookies.get(self.cookie, ""))
        identifier, name = known or (secrets.token_hex(16), "")
        return Visitor(
            identifier,
            name,
            language=_one_of(LANGUAGES, asked.cookies.get("language"), _accepted_language(asked)),
            theme=_one_of(THEMES, asked.cookies.get("theme"), "auto"),
            sound=_one_of(ON_OFF, asked.cookies.get("sound"), "off"),
            level=_one_of(self._levels, asked.cookies.get("level"), self._level),
            fresh=known is None,
        )

    def remember(self, response: Response, asked: HTTPConnection, identifier: str, name: str) -> None:
        """Set the signed cookie on a response."""
        set_cookie(response, asked, self.cookie, str(self._signer.dumps([identifier, name])))

    def _read(self, cookie: str) -> tuple[str, str] | None:
        try:
            identifier, name = self._signer.loads(cookie)
        except (BadSignature, ValueError, TypeError):
            return None
        return str(identifier), str(name)


def set_cookie(response: Response, asked: HTTPConnection, name: str, value: str) -> None:
    """A cookie for a year that no script and no other site's form can use, and only encrypted where the page is."""
    secure = asked.url.scheme in ("https", "wss")
    response.set_cookie(name, value, max_age=YEAR, httponly=True, samesite="lax", secure=secure, path="/")


@cache
def site_say(language: str) -> Say:
    """The site's own sentences in a language."""
    return Say(WEB_FOLDER, language)


def _one_of(known: Iterable[str], asked: str | None, otherwise: str) -> str:
    return asked if asked is not None and asked in known else otherwise


def _accepted_language(asked: HTTPConnection) -> str:
    """The best of our languages by the browser's Accept-Language."""
    wishes = []
    for place, part in enumerate(asked.headers.get("accept-language", "")[:200].split(",")):
        tag, _, weight = part.strip().partition(";q=")
        wishes.append((-_weight(weight), place, tag.partition("-")[0].lower()))
    return next((tag for _, _, tag in sorted(wishes) if tag in LANGUAGES), "en")


def _weight(text: str) -> float:
    try:
        return float(text or "1")
    except ValueError:
        return 0.0
