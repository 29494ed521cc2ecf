"""Templates to pages. Everything is escaped; every sentence goes through `say`."""

import hashlib
import re
from functools import cache, lru_cache
from typing import Any

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse

from tavola.core import Game
from tavola.show.board import backdrops, scenery
from tavola.show.kit import PAINTS, SEAT_SHAPES, anonymous_say
from tavola.show.speech import LANGUAGES, Say
from tavola.web.door.visitor import WEB_FOLDER, Visitor, site_say

CITATION = re.compile(r"\bR(\d{1,3})\b")

environment = Environment(
    loader=FileSystemLoader(WEB_FOLDER / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    auto_reload=False,
    trim_blocks=True,
    lstrip_blocks=True,
)


def render_fragment(template: str, /, **values: Any) -> Markup:
    """One template as a piece of a page."""
    return Markup(environment.get_template(template).render(**values).strip())


@lru_cache(maxsize=8192)
def render_cached(template: str, language: str, /, **values: Any) -> Markup:
    """The same, where the values are all it depends on: made once for every room."""
    return render_fragment(template, say=site_say(language), **values)


def render_page(request: HTTPConnection, template: str, status: int = 200, /, **values: Any) -> HTMLResponse:
    """A whole page in the visitor's language; a guest seen for the first time gets his cookie."""
    visitor: Visitor = request.state.visitor
    text = environment.get_template(template).render(
        visitor=visitor,
        say=visitor.say,
        language=visitor.language,
        languages=LANGUAGES,
        path=request.url.path + (f"?{request.url.query}" if request.url.query else ""),
        **values,
    )
    response = HTMLResponse(text, status, {"Cache-Control": "no-store", "Vary": "Cookie, Accept-Language"})
    if visitor.fresh and status == 200:
        request.app.state.site.visitors.remember(response, request, visitor.id, visitor.name)
    return response


def game_say(game: Game, language: str, names: tuple[str, ...] = ()) -> Say:
    """A game's own sentences; those without names are the same for every room."""
    return Say.of(game, language, names) if names else anonymous_say(game, language)


def game_title(game: Game, language: str) -> str:
    """The game's title, translated where its catalogue does so."""
    return Say.of(game, language)(game.title)


def link_citations(sentence: str, game: Game) -> Markup:
    """A sentence in which every paragraph cited is a link into the rules: `R14`."""
    linked = CITATION.sub(rf'<a href="/games/{game.name}/rules#r\1">R\1</a>', str(escape(sentence)))
    return Markup(linked)


def absolute_url(request: Request, path: str) -> str:
    """An address that can be given to somebody else."""
    return f"{request.url.scheme}://{request.url.netloc}{path}"


@cache
def backdrop_url(game: Game, name: str) -> str:
    """The address of a file with scenery: it changes with the file, so that browsers may keep what they have."""
    digest = hashlib.blake2s(backdrops(game)[name].read_bytes(), digest_size=8).hexdigest()
    return f"/games/{game.name}/picture/{name}?{digest}"


@lru_cache(maxsize=256)
def qr_code(address: str) -> Markup:
    """The address as a QR code: inline SVG, without styles."""
    return Markup(segno.make(address, error="m").svg_inline(border=2, omitsize=True))


@cache
def shape_defs(name: str) -> Markup:
    """Shapes of the house, for the inside of `<defs>`: `icons`, `faces`."""
    return Markup((WEB_FOLDER / "art" / f"{name}.svg").read_text(encoding="utf-8"))


@cache
def seal_symbols(game: Game | None = None) -> Markup:
    """The signs of the seats as symbols, `seal-red` and so on; at the table of a game that has its own, those."""
    own = game.picture.seals if game is not None else ()
    if game is not None and own:
        return Markup("\n").join(_own_seal(game, *seal) for seal in zip(PAINTS, own, strict=False))
    drawn = re.findall(r'<path id="sign-(\w+)"(.+?/>)', SEAT_SHAPES)
    seal = Markup('<symbol id="seal-{}" viewBox="-12 -12 24 24"><path{}</symbol>')
    return Markup("\n").join(seal.format(paint, Markup(shape)) for paint, shape in drawn)


def _own_seal(game: Game, paint: str, shape: str) -> Markup:
    drawn = '<g class="{}"><use href="#{}" width="100" height="120"/></g>'
    return Markup('<symbol id="seal-{}" viewBox="0 0 100 120">' + drawn + "</symbol>").format(paint, game.name, shape)


environment.filters["cited"] = link_citations
environment.globals |= {
    "title": game_title,
    "scenery": scenery,
    "backdrop": backdrop_url,
    "art": shape_defs,
    "seals": seal_symbols,
}
