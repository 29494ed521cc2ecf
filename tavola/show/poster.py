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


def poster_art(module: str) -> Markup:
    """Read `poster.svg` beside `module` (`__file__`)."""
    return read_shapes(Path(module).with_name("poster.svg"))


def poster_title(text: str, y: float, size: float, room: float, fill: str, edge: str = "") -> Markup:
    """Return text in the middle of a poster, on one line of at most `room` units; `edge` is an outline colour."""
    outline: dict[str, object] = {}
    if edge:
        outline = {"stroke": edge, "stroke_width": size / 7, "stroke_linejoin": "round"}
    return fitted_text(text, WIDTH / 2, y, size, room, "poster-title", style=f"fill:{fill}", **outline)


def titled_poster(
    module: str, title: str, y: float, size: float, room: float, fill: str, edge: str = ""
) -> Callable[[Say], Markup]:
    """Return the poster of a game: `poster.svg` beside `module` (`__file__`), and over it the marked `title`.

    The other arguments are those of `poster_title`.
    """
    return partial(_titled, poster_art(module), title, (y, size, room, fill, edge))


def _titled(art: Markup, title: str, style: tuple[float, float, float, str, str], say: Say) -> Markup:
    return art + poster_title(say(title), *style)


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
