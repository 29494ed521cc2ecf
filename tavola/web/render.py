"""Templates to pages. Everything is escaped; every sentence goes through `say`."""

import hashlib
import re
import secrets
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse

from tavola.core import Game
from tavola.core.text import isolated
from tavola.show.board import backdrops, scenery
from tavola.show.kit import PAINTS, SEAT_SHAPES, anonymous_say
from tavola.show.speech import KNOWN_LANGUAGES, LANGUAGES, Say, figure
from tavola.show.svg import fill_marks
from tavola.web.door.visitor import WEB_FOLDER, Visitor, site_say
from tavola.web.files import static_version

THEME_SLOT, SOUND_SLOT, SETTINGS_SLOT, TABLE_SLOT = "\ue010", "\ue011", Markup("\ue012"), Markup("\ue016")
PATH_SLOT, NAME_SLOT, SITE_SLOT, POST_SLOT = "\ue013", "\ue014", "\ue015", Markup("\ue017")
"""Marks for what is a visitor's own in pages that are kept for all, and for the address of the site: nobody can write
these characters."""
UNNAMED = 'name="command_id" value=""'
ONCE = Markup('<input type="hidden" {}>').format(Markup(UNNAMED))
"""The field of a form that makes something: by its value, the page's own, a form that is sent twice is known."""
WITH_COOKIES = Markup('<input type="hidden" name="with_cookies" value="yes">')
"""The field of a form that may be carried out again, but does nothing in a browser without cookies."""
EVERYBODY = SimpleNamespace(theme=THEME_SLOT, sound=SOUND_SLOT, display_name=NAME_SLOT, account=None)
"""The visitor of whom a shared page knows nothing."""
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
    return page_response(request, render_for(visitor, page_path(request), template, **values), status)


def page_response(request: HTTPConnection, page: str | bytes, status: int = 200) -> HTMLResponse:
    """A page as an answer, with the cookie of a guest seen for the first time."""
    visitor, named = request.state.visitor, UNNAMED.replace('""', f'"{secrets.token_hex(8)}"')
    page = page.replace(UNNAMED, named) if isinstance(page, str) else page.replace(UNNAMED.encode(), named.encode())
    response = HTMLResponse(page, status, {"Cache-Control": "no-store", "Vary": "Cookie, Accept-Language"})
    if visitor.fresh and status == 200:
        request.app.state.site.visitors.remember(response, request, visitor.id, visitor.name)
    return response


def page_path(request: HTTPConnection) -> str:
    """The address of the page that was asked for, without the host."""
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def render_for(visitor: Visitor, path: str, template: str, /, **values: Any) -> str:
    """A whole page for one visitor; `table_settings` among the values: those of the table that he sits at."""
    return environment.get_template(template).render(
        visitor=visitor,
        say=visitor.say,
        language=visitor.language,
        settings=settings_markup(visitor, path, values.pop("table_settings", "")),
        my_games=my_games_markup(visitor),
        **values,
    )


def render_shared(language: str, template: str, /, **values: Any) -> bytes:
    """A whole page as all read it who read this language: with slots for what is each visitor's own."""
    slots = {"visitor": EVERYBODY, "settings": SETTINGS_SLOT, "my_games": POST_SLOT}
    page = environment.get_template(template).render(**slots, say=site_say(language), language=language, **values)
    return page.encode()


def fill_page(request: HTTPConnection, page: bytes, **more: str) -> bytes:
    """A shared page with what is the visitor's own; `more`: texts by slot that this page has besides."""
    visitor: Visitor = request.state.visitor
    settings = settings_markup(visitor, page_path(request))
    texts = {
        THEME_SLOT: visitor.theme,
        SOUND_SLOT: visitor.sound,
        NAME_SLOT: visitor.display_name,
        SETTINGS_SLOT: settings,
        POST_SLOT: my_games_markup(visitor),
        **more,
    }
    for slot, text in texts.items():
        page = page.replace(slot.encode(), str(escape(text)).encode())
    return page


def settings_markup(visitor: Visitor, path: str, table: str = "") -> Markup:
    """The menu with a visitor's settings, those of his table first; after a change he comes back to `path`."""
    menu = _settings_menu(visitor.language, visitor.theme, visitor.sound)
    return fill_marks(menu, {PATH_SLOT: path, NAME_SLOT: visitor.display_name, TABLE_SLOT: table})


@cache
def _settings_menu(language: str, theme: str, sound: str) -> Markup:
    languages = {**LANGUAGES, language: KNOWN_LANGUAGES[language]}
    chosen = {"theme": theme, "sound": sound, "language": language, "languages": languages}
    slots = {"path": PATH_SLOT, "name": NAME_SLOT, "table": TABLE_SLOT}
    return render_fragment("settings.html", say=site_say(language), **slots, **chosen)


def my_games_markup(visitor: Visitor) -> Markup:
    """The way to one's own matches over days, for who has some."""
    return render_cached("my_games.html", visitor.language) if visitor.has_post else Markup("")


def game_say(game: Game, language: str, names: tuple[str, ...] = ()) -> Say:
    """A game's own sentences; those without names are the same for every room."""
    return Say.of(game, language, names) if names else anonymous_say(game, language)


def game_title(game: Game, language: str) -> str:
    """The game's title, translated where its catalogue does so."""
    return Say.of(game, language)(game.title)


def game_line(game: Game, language: str) -> str:
    """What a game is, in one sentence."""
    say = game_say(game, language)
    return game.words.shelf(say).line if game.words.shelf is not None else game.words.about(say)


def link_citations(sentence: str, game: Game) -> Markup:
    """A sentence in which every paragraph cited is a link into the rules: `R14`."""
    linked = CITATION.sub(rf'<a href="/games/{game.name}/rules#r\1">R\1</a>', str(escape(sentence)))
    return Markup(linked)


def absolute_url(request: Request, path: str) -> str:
    """An address that can be given to somebody else."""
    return f"{site_address(request)}{path}"


def site_address(request: Request) -> str:
    """The address of the site as the visitor typed it."""
    return f"{request.url.scheme}://{request.url.netloc}"


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


environment.filters |= {"cited": link_citations, "figure": figure, "isolated": isolated}
environment.globals |= {
    "once": ONCE,
    "with_cookies": WITH_COOKIES,
    "static": f"/static/{static_version()}",
    "title": game_title,
    "scenery": scenery,
    "backdrop": backdrop_url,
    "art": shape_defs,
    "seals": seal_symbols,
}
