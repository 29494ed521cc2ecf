"""Posters: the picture of a game on the home page, composed from the game's own shapes. A print, not a board.

A poster is 800 units wide and 1000 high. The art is data, `poster.svg` beside the picture of the game. The title is
drawn over it in the reader's language. A page shows a poster as an image: a document of its own, with its style.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from markupsafe import Markup

from tavola.core.game import Game
from tavola.show.board import used_shapes
from tavola.show.cards import picture_of
from tavola.show.kit import fitted_text, read_shapes
from tavola.show.speech import Say
from tavola.show.svg import tag

WIDTH, HEIGHT = 800, 1000
SCHEME = "svg{color-scheme:light dark}"
PRINT = """
.poster-title{font-family:"Alegreya",Georgia,"Palatino Linotype","DejaVu Serif",serif;font-weight:700;
text-anchor:middle;paint-order:stroke}
"""


def titled_poster(
    module: str, title: str, y: float, size: float, room: float, fill: str, edge: str = ""
) -> Callable[[Say], Markup]:
    """Return the poster of a game: `poster.svg` beside `module` (`__file__`), and over it the marked `title`.

    The title is in the middle, on one line of at most `room` units; `edge` is an outline colour.
    """
    style: dict[str, object] = {"style": f"fill:{fill}"}
    if edge:
        style |= {"stroke": edge, "stroke_width": size / 7, "stroke_linejoin": "round"}
    return partial(_titled, read_shapes(Path(module).with_name("poster.svg")), title, (y, size, room), style)


def _titled(art: Markup, title: str, place: tuple[float, float, float], style: dict[str, object], say: Say) -> Markup:
    y, size, room = place
    return art + fitted_text(say(title), WIDTH / 2, y, size, room, "poster-title", **style)


def poster(game: Game, say: Say, style: str = "") -> Markup | None:
    """Return a game's poster as an SVG document; None if there is none. `style` is added, for a typeface."""
    picture = picture_of(game)
    if picture.poster is None:
        return None
    inside = picture.poster(say)
    return tag(
        "svg",
        tag("style", Markup(SCHEME + picture.style + PRINT + style)),
        tag("defs", used_shapes(picture.shapes, inside)),
        inside,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        class_=f"picture {game.name}",
    )
