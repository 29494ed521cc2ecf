"""Who is asking: a guest with a signed cookie, in a language, with settings. Nothing else is kept about anybody."""

import os
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from tavola.live import Person
from tavola.show.speech import LANGUAGES, Say

WEB = Path(__file__).parent
THEMES = ("auto", "light", "dark")
SWITCHES = ("off", "on")
YEAR = 365 * 24 * 3600
COOKIE = "tavola"
SECRET_BYTES = 32


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
    def called(self) -> str:
        """His name, or a modest one that stays the same."""
        return self.name or self.say("Guest {number}", number=int(self.id[:6], 16) % 900 + 100)

    @property
    def person(self) -> Person:
        """Who he is at a table."""
        return Person(self.id, self.called)


class Visitors:
    """Reads and writes the cookie that says who somebody is. `secret` signs it: who has it can be anybody."""

    def __init__(self, secret: bytes, levels: tuple[str, ...], level: str) -> None:
        self._signer = URLSafeSerializer(secret, salt="tavola person")
        self._levels, self._level = levels, level

    def of(self, asked: HTTPConnection) -> Visitor:
        """The visitor behind a request or a socket; a cookie that was tampered with is as good as none."""
        known = self._read(asked.cookies.get(COOKIE, ""))
        identifier, name = known or (secrets.token_hex(16), "")
        return Visitor(
            identifier,
            name,
            language=_one_of(LANGUAGES, asked.cookies.get("language"), _accepted(asked)),
            theme=_one_of(THEMES, asked.cookies.get("theme"), "auto"),
            sound=_one_of(SWITCHES, asked.cookies.get("sound"), "off"),
            level=_one_of(self._levels, asked.cookies.get("level"), self._level),
            fresh=known is None,
        )

    def remember(self, response: Response, asked: HTTPConnection, identifier: str, name: str) -> None:
        """Set the signed cookie on a response."""
        set_cookie(response, asked, COOKIE, str(self._signer.dumps([identifier, name])))

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


def site_say(language: str) -> Say:
    """The site's own sentences in a language."""
    return Say(WEB, language)


def secret_beside(database: Path) -> bytes:
    """The secret that signs cookies: a file beside the database, for its owner alone, made when first needed."""
    path = database.with_name(database.name + ".secret")
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_bytes()
    with os.fdopen(handle, "wb") as stream:
        stream.write(secrets.token_bytes(SECRET_BYTES))
    return path.read_bytes()


def _one_of(known: Iterable[str], asked: str | None, otherwise: str) -> str:
    return asked if asked is not None and asked in known else otherwise


def _accepted(asked: HTTPConnection) -> str:
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
