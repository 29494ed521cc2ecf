"""A small picture of a board, as somebody sees it; several may stand on one page."""

import re

from markupsafe import Markup

from tavola.core import View
from tavola.show.board import scenery, used_shapes
from tavola.show.cards import picture_of
from tavola.show.pictures import all_pieces
from tavola.show.speech import Say
from tavola.show.svg import tag
from tavola.web.render import backdrop_url

SHAPE_NAMES = re.compile(r'(\sid="|href="#|url\(#)')


def small_board(view: View, say: Say, prefix: str, shape: float, top: float) -> Markup:
    """Return the main board as a seat sees it. Its names begin with `prefix`, so that they are its own on the page.

    Of a tall picture it shows a part: `shape` is the height for each unit of width, `top` what of the rest is above.
    """
    picture = picture_of(view.game)
    board, pieces = picture.boards["main"], "".join(all_pieces(view, say)["main"].values())
    parts = f"{tag('defs', used_shapes(picture.shapes, pieces))}{pieces}"
    own = scenery(board, backdrop_url(view.game, board.backdrop)) if board.backdrop else Markup()
    own += Markup(SHAPE_NAMES.sub(rf"\1{prefix}-", parts))
    width, height = board.size
    shown = min(height, round(width * shape))
    svg = Markup(
        '<svg class="picture {}" viewBox="0 {} {} {}" preserveAspectRatio="xMidYMid slice" aria-hidden="true">{}</svg>'
    )
    return svg.format(view.game.name, round((height - shown) * top), width, shown, own)
