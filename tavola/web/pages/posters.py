"""Pictures of games: posters for each game and language, previews of links, small boards.

Previews of links need a photograph: each game may have one beside its poster, which `scripts/previews.py` draws.
"""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from tavola.core import Game, View
from tavola.show.board import scenery, used_shapes
from tavola.show.cards import picture_of
from tavola.show.pictures import all_pieces
from tavola.show.poster import HEIGHT, WIDTH, poster
from tavola.show.speech import Say
from tavola.show.svg import tag
from tavola.web.files import FOLDER, static_version
from tavola.web.render import backdrop_url, game_say

FONT = FOLDER / "fonts" / "alegreya-latin-700-normal.woff2"
"""Typeface of titles: an image cannot request another file, so each poster contains it."""

PREVIEW, PREVIEW_SIZE = Path("picture", "preview.jpg"), (1200, 630)
"""Picture for link previews in the folder of a game, with its width and height."""
SITE_PREVIEW, SITE_PREVIEW_SIZE = "icons/icon-512.png", (512, 512)
"""Static file for previews of games that have none, with its width and height."""


@cache
def poster_file(game: Game, language: str) -> bytes:
    """Return a poster as a file; empty if the game has none."""
    return str(poster(game, game_say(game, language), font_style()) or "").encode()


@cache
def font_style() -> str:
    """Return a style that contains the typeface of titles."""
    data = base64.b64encode(FONT.read_bytes()).decode()
    return f'@font-face{{font-family:"Alegreya";font-weight:700;src:url(data:font/woff2;base64,{data})}}'


@cache
def poster_markup(game: Game, language: str) -> Markup | None:
    """Return the poster as an image of a page, None if the game has none. Pages name the game beside it."""
    made = poster_file(game, language)
    if not made:
        return None
    address = f"/games/{game.name}/poster/{language}.svg?{hashlib.blake2s(made, digest_size=8).hexdigest()}"
    image = Markup('<img class="poster" src="{}" width="{}" height="{}" alt="">')
    return image.format(address, WIDTH, HEIGHT)


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
