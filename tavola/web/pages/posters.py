"""Pictures: posters of games in each language, previews of links, small boards, and finished matches for sharing.

Previews of links need a photograph: each game may have one beside its poster, which `scripts/previews.py` draws.
"""

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from tavola.core import Game, View
from tavola.show import poster
from tavola.show.board import scenery, used_shapes
from tavola.show.cards import picture_of, words_of
from tavola.show.kit import SEAT_STYLE, fitted_text
from tavola.show.pictures import all_pieces, drawing
from tavola.show.speech import Say
from tavola.show.svg import tag
from tavola.web.files import FOLDER, static_version
from tavola.web.render import backdrop_url, game_say, game_title, seal_symbols
from tavola.web.table import story as stories

FONT = FOLDER / "fonts" / "alegreya-latin-700-normal.woff2"
"""Typeface of titles: an image cannot request another file, so each poster contains it."""

WIDTH, HEIGHT = PREVIEW_SIZE = 1200, 630
"""Size in pixels that other sites expect of a page's preview picture."""
PREVIEW = Path("picture", "preview.jpg")
"""Picture for link previews in the folder of a game."""
SITE_PREVIEW, SITE_PREVIEW_SIZE = "icons/icon-512.png", (512, 512)
"""Static file for previews of games that have none, with its width and height."""


@cache
def poster_file(game: Game, language: str) -> bytes:
    """Return a poster as a file; empty if the game has none."""
    return str(poster.poster(game, game_say(game, language), font_style()) or "").encode()


@cache
def font_style() -> str:
    """Return a style that contains the typeface of titles."""
    data = base64.b64encode(FONT.read_bytes()).decode()
    return f'@font-face{{font-family:"Alegreya";font-weight:700;src:url(data:font/woff2;base64,{data})}}'


@cache
def poster_markup(game: Game, language: str) -> Markup | None:
    """Return the poster as an image of a page, None if the game has none. Pages name the game beside it."""
    if not (made := poster_file(game, language)):
        return None
    address = f"/games/{game.name}/poster/{language}.svg?{hashlib.blake2s(made, digest_size=8).hexdigest()}"
    image = Markup('<img class="poster" src="{}" width="{}" height="{}" alt="">')
    return image.format(address, poster.WIDTH, poster.HEIGHT)


class Preview(NamedTuple):
    """The picture in a link's preview: its address on this site, and its size."""

    path: str
    width: int
    height: int


@cache
def preview_of(game: Game) -> Preview:
    """Return the picture that previews of links to a game show."""
    file = game.folder / PREVIEW
    if not file.exists():
        return Preview(f"/static/{static_version()}/{SITE_PREVIEW}", *SITE_PREVIEW_SIZE)
    digest = hashlib.blake2s(file.read_bytes(), digest_size=8).hexdigest()
    return Preview(f"/games/{game.name}/preview.jpg?{digest}", *PREVIEW_SIZE)


SHAPE_NAMES = re.compile(r'(\sid="|href="#|url\(#)')
SHAPE, TOP = 0.7, 0.4
"""Visible part of a tall picture: height for each unit of width, and the share of the rest above it."""


def small_board(view: View, say: Say, prefix: str) -> Markup:
    """Return the main board as a seat sees it, cropped. Its ids begin with `prefix`: they are unique on the page."""
    picture = picture_of(view.game)
    board, pieces = picture.boards["main"], "".join(all_pieces(view, say)["main"].values())
    parts = f"{tag('defs', used_shapes(picture.shapes, pieces))}{pieces}"
    own = scenery(board, backdrop_url(view.game, board.backdrop)) if board.backdrop else Markup()
    own += Markup(SHAPE_NAMES.sub(rf"\1{prefix}-", parts))
    width, height = board.size
    shown = min(height, round(width * SHAPE))
    svg = Markup(
        '<svg class="picture {}" viewBox="0 {} {} {}" preserveAspectRatio="xMidYMid slice" aria-hidden="true">{}</svg>'
    )
    return svg.format(view.game.name, round((height - shown) * TOP), width, shown, own)


BOARD = 660
"""Width of the board's part; title, result and curve use the rest."""
MARGIN = 36
STYLE = (FOLDER / "css" / "story.css").read_text(encoding="utf-8")
PAPER = """
:root { color-scheme: light; --ink: #241f1c; --ink-2: #5a4e42; --line: #d9c9aa; --print: #241f1c; --alarm: #a5331a }
svg { --serif: Alegreya, Georgia, serif } text { font-family: var(--serif) }
.paper { fill: #f3e9d4 } .frame { fill: #e7d8ba } .rule { fill: #241f1c }
.head { font-weight: 700; fill: #5a4e42 } .said { font-weight: 700; fill: #241f1c }
.house { font-size: 22px; fill: #5a4e42 }
* { animation: none !important; transition: none !important }
"""


def shared_picture(
    last: View, story: stories.Story, names: Sequence[str], settled: str, say: Say, site: Say, font: str
) -> Markup:
    """Draw the picture: `last` is the public view at the end, `settled` the part that settled it, `font` a style."""
    game = last.game
    seals, room = seal_symbols(game), WIDTH - BOARD - 2 * MARGIN
    drawn = stories.curve(story, names, site("The points of all"), settled)
    tall = room * stories.HEIGHT / stories.WIDTH
    return tag(
        "svg",
        tag("style", Markup(font + PAPER + SEAT_STYLE + STYLE)),
        tag("defs", seals, used_shapes(picture_of(game).shapes, seals)),
        tag("rect", width=WIDTH, height=HEIGHT, class_="paper"),
        tag("rect", width=BOARD, height=HEIGHT, class_="frame"),
        _placed(drawing(last, say), 0, 0, BOARD, HEIGHT),
        tag("rect", x=BOARD, width=3, height=HEIGHT, class_="rule"),
        fitted_text(game_title(game, site.language), BOARD + MARGIN, 74, 30, room, "head"),
        *_wrapped(words_of(game).prompt(last, say), BOARD + MARGIN, 136, room),
        _placed(drawn, BOARD + MARGIN, HEIGHT - tall - 90, room, tall),
        tag("text", "Tavola", x=BOARD + MARGIN, y=HEIGHT - 36, class_="house"),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
    )


def _placed(svg: Markup, x: float, y: float, width: float, height: float) -> Markup:
    box = f'<svg x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return Markup(str(svg).replace("<svg", box, 1))


def _wrapped(sentence: str, x: float, y: float, room: float) -> list[Markup]:
    letters, lines = int(room / 19), [""]
    for word in sentence.split():
        if lines[-1] and len(lines[-1]) + len(word) + 1 > letters and len(lines) < 3:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [fitted_text(line, x, y + 48 * number, 40, room, "said") for number, line in enumerate(lines)]
