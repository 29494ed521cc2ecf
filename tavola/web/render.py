"""Templates rendered to pages. All values are escaped; every sentence goes through `say`."""

import hashlib
import re
import secrets
from collections.abc import Mapping
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
from tavola.show.board import scenery
from tavola.show.cards import picture_of, words_of
from tavola.show.kit import PAINTS, SEAT_SHAPES, anonymous_say
from tavola.show.pictures import backdrops
from tavola.show.speech import KNOWN_LANGUAGES, LANGUAGES, Say, figure
from tavola.show.svg import fill_marks
from tavola.web.files import static_version
from tavola.web.requests.subpath import subpath_of
from tavola.web.requests.visitor import WEB_FOLDER, Visitor, site_say
from tavola.web.site_words import TEXT_TITLES, moment_of

THEME_SLOT, SOUND_SLOT, NAME_SLOT, SITE_SLOT = "\ue010", "\ue011", "\ue012", "\ue013"
SETTINGS_SLOT, POST_SLOT, ANNOUNCED_SLOT = Markup("\ue014"), Markup("\ue015"), Markup("\ue016")
TEXTS_SLOT = Markup("\ue017")
SLOTS = tuple(map(chr, range(0xE020, 0xE02C)))
"""Placeholders in cached pages and fragments, for a visitor's own values and the site's address, and for texts that are
too many to be cached. User input cannot contain these characters."""
UNNAMED = 'name="command_id" value=""'
ONCE = Markup('<input type="hidden" {}>').format(Markup(UNNAMED))
"""Hidden field of a form that creates something. Its value is unique to the page, so that a form sent twice is
recognised."""
WITH_COOKIES = Markup('<input type="hidden" name="with_cookies" value="yes">')
"""Hidden field of a form that can be repeated safely, but has no effect in a browser without cookies."""
ANONYMOUS = SimpleNamespace(theme=THEME_SLOT, sound=SOUND_SLOT, display_name=NAME_SLOT, account=None)
"""Anonymous visitor for whom shared pages are rendered."""
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
    """Return a template rendered as a part of a page."""
    return Markup(environment.get_template(template).render(**values).strip())


@lru_cache(maxsize=8192)
def render_cached(template: str, language: str, /, **values: Any) -> Markup:
    """Return a rendered template from a cache for all rooms; it must depend only on `values` and the language."""
    return render_fragment(template, say=site_say(language), **values)


def render_filled(template: str, language: str, filled: Mapping[str, str | None], /, **values: Any) -> Markup:
    """Return a cached template with the texts of `filled` in their places; None leaves its place empty."""
    slots = {name: slot if text is not None else "" for slot, (name, text) in zip(SLOTS, filled.items(), strict=False)}
    return fill_marks(
        render_cached(template, language, **slots, **values),
        {slots[name]: text for name, text in filled.items() if text is not None},
    )


def render_page(request: HTTPConnection, template: str, status: int = 200, /, **values: Any) -> HTMLResponse:
    """Return a whole page in the visitor's language, with a cookie if they are a new guest."""
    visitor: Visitor = request.state.visitor
    return page_response(request, render_for(visitor, page_path(request), template, **values), status)


def page_response(request: HTTPConnection, page: str | bytes, status: int = 200) -> HTMLResponse:
    """Return a page as a response, with a cookie if the visitor is a new guest."""
    visitor, named = request.state.visitor, UNNAMED.replace('""', f'"{secrets.token_hex(8)}"')
    links = texts_markup(tuple(request.app.state.site.texts), visitor.language)
    for slot, text in ((UNNAMED, named), (str(TEXTS_SLOT), str(links))):
        page = page.replace(slot, text) if isinstance(page, str) else page.replace(slot.encode(), text.encode())
    response = HTMLResponse(page, status, {"Cache-Control": "no-store", "Vary": "Cookie, Accept-Language"})
    if visitor.fresh and status == 200:
        request.app.state.site.visitors.remember(response, request, visitor.id, visitor.name)
    return response


def page_path(request: HTTPConnection) -> str:
    """Return the path and query of a request."""
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def render_for(visitor: Visitor, path: str, template: str, /, **values: Any) -> str:
    """Return a whole page for one visitor; `table_settings` among the values are those of the visitor's table."""
    return environment.get_template(template).render(
        visitor=visitor,
        say=visitor.say,
        language=visitor.language,
        settings=settings_markup(visitor, path, values.pop("table_settings", "")),
        my_games=my_games_markup(visitor),
        announced=announced_markup(visitor),
        **values,
    )


def render_shared(language: str, template: str, /, **values: Any) -> bytes:
    """Return a whole page for all readers of a language, with placeholders for each visitor's own values."""
    slots = {"visitor": ANONYMOUS, "settings": SETTINGS_SLOT, "my_games": POST_SLOT, "announced": ANNOUNCED_SLOT}
    page = environment.get_template(template).render(**slots, say=site_say(language), language=language, **values)
    return page.encode()


def fill_page(request: HTTPConnection, page: bytes, **more: str) -> bytes:
    """Return a shared page with the visitor's own values filled in; `more`: further texts by placeholder."""
    visitor: Visitor = request.state.visitor
    settings = settings_markup(visitor, page_path(request))
    texts = {
        THEME_SLOT: visitor.theme,
        SOUND_SLOT: visitor.sound,
        NAME_SLOT: visitor.display_name,
        SETTINGS_SLOT: settings,
        POST_SLOT: my_games_markup(visitor),
        ANNOUNCED_SLOT: announced_markup(visitor),
        **more,
    }
    for slot, text in texts.items():
        page = page.replace(slot.encode(), str(escape(text)).encode())
    return page


def settings_markup(visitor: Visitor, path: str, table: str = "") -> Markup:
    """Return the menu with a visitor's settings, those of their table first; changes lead back to `path`."""
    languages = tuple({**LANGUAGES, visitor.language: KNOWN_LANGUAGES[visitor.language]}.items())
    chosen = {"theme": visitor.theme, "sound": visitor.sound, "language": visitor.language, "languages": languages}
    filled = {"path": path, "name": visitor.display_name, "table": table}
    return render_filled("settings.html", visitor.language, filled, **chosen)


def my_games_markup(visitor: Visitor) -> Markup:
    """Return the link to the visitor's correspondence matches, empty if they have none."""
    return render_cached("my_games.html", visitor.language) if visitor.has_correspondence else Markup("")


def announced_markup(visitor: Visitor) -> Markup:
    """Return what the operator shows on every page: words, and until when no match can begin."""
    moment = moment_of(visitor.drained_until, visitor.language) if visitor.drained_until else ""
    return render_cached("announced.html", visitor.language, words=visitor.announcement, moment=moment)


@cache
def texts_markup(names: tuple[str, ...], language: str) -> Markup:
    """Return the links to the operator's own texts, for the footer; empty if there are none."""
    say, link = site_say(language), Markup('<a href="/{}">{}</a>')
    links = Markup(" · ").join(link.format(name, say(TEXT_TITLES[name])) for name in names)
    return Markup('<p class="texts">{}</p>').format(links) if names else Markup("")


def game_say(game: Game, language: str, names: tuple[str, ...] = ()) -> Say:
    """Return a game's translator; without names it is the same for every room."""
    return Say.of(game, language, names) if names else anonymous_say(game, language)


def game_title(game: Game, language: str) -> str:
    """Return the game's title, translated if its catalogue does so."""
    return Say.of(game, language)(game.title)


def game_line(game: Game, language: str) -> str:
    """Return a description of a game in one sentence."""
    say, words = game_say(game, language), words_of(game)
    return words.shelf(say).line if words.shelf is not None else words.about(say)


def link_citations(sentence: str, game: Game) -> Markup:
    """Return a sentence in which every cited paragraph, such as `R14`, is a link to the rules."""
    linked = CITATION.sub(rf'<a href="/games/{game.reference}/rules#r\1">R\1</a>', str(escape(sentence)))
    return Markup(linked)


def absolute_url(request: Request, path: str) -> str:
    """Return the absolute URL of a path, for sharing."""
    return f"{site_address(request)}{subpath_of(request)}{path}"


def site_address(request: Request) -> str:
    """Return the scheme and host with which the visitor addressed the site."""
    return f"{request.url.scheme}://{request.url.netloc}"


@cache
def backdrop_url(game: Game, name: str) -> str:
    """Return the URL of a file with scenery. It changes with the file, so that browsers can cache it."""
    digest = hashlib.blake2s(backdrops(game)[name].read_bytes(), digest_size=8).hexdigest()
    return f"/games/{game.name}/picture/{name}?{digest}"


@lru_cache(maxsize=256)
def qr_code(address: str) -> Markup:
    """Return an address as a QR code: inline SVG without styles."""
    return Markup(segno.make(address, error="m").svg_inline(border=2, omitsize=True))


@cache
def shape_defs(name: str) -> Markup:
    """Return Tavola's own shapes for the inside of `<defs>`, such as `icons` or `faces`."""
    return Markup((WEB_FOLDER / "art" / f"{name}.svg").read_text(encoding="utf-8"))


@cache
def seal_symbols(game: Game | None = None) -> Markup:
    """Return the seats' signs as symbols, `seal-red` and so on; those of the game if it has its own."""
    own = picture_of(game).seals if game is not None else ()
    if game is not None and own:
        use = '<g class="{}"><use href="#{}" width="100" height="120"/></g>'
        seal = Markup('<symbol id="seal-{}" viewBox="0 0 100 120">' + use + "</symbol>")
        return Markup("\n").join(
            seal.format(paint, game.name, shape) for paint, shape in zip(PAINTS, own, strict=False)
        )
    drawn = re.findall(r'<path id="sign-(\w+)"(.+?/>)', SEAT_SHAPES)
    seal = Markup('<symbol id="seal-{}" viewBox="-12 -12 24 24"><path{}</symbol>')
    return Markup("\n").join(seal.format(paint, Markup(shape)) for paint, shape in drawn)


environment.filters |= {"cited": link_citations, "figure": figure, "isolated": isolated}
environment.globals |= {
    "once": ONCE,
    "texts": TEXTS_SLOT,
    "with_cookies": WITH_COOKIES,
    "static": f"/static/{static_version()}",
    "title": game_title,
    "scenery": scenery,
    "backdrop": backdrop_url,
    "art": shape_defs,
    "seals": seal_symbols,
    "words_of": words_of,
    "picture_of": picture_of,
}
