"""The pictures of Expedition: an explorer's atlas of about 1900. See `tavola.show.board`.

`map.svg` is the plate, `shapes.svg` and `picture.css` are the art, `layout.json` tells where things lie on the
plate. All but `picture.css` and `shapes.svg` is made by `python -m scripts.atlas`. Every piece is drawn by a cached
function of the few things it shows, so a turn costs what it changed.
"""

from collections.abc import Mapping
from functools import lru_cache

from markupsafe import Markup

from tavola.core.actions import Played
from tavola.games.expedition.components import Seen
from tavola.games.expedition.picture import hand as held
from tavola.games.expedition.picture import scene as scenes
from tavola.games.expedition.picture.geometry import HEIGHT, WIDTH
from tavola.games.expedition.picture.lesson import lesson
from tavola.games.expedition.picture.overview import overview
from tavola.games.expedition.picture.printed import printed
from tavola.games.expedition.picture.routes import (
    glows,
    marks,
    news,
    own_marks,
    pencilled,
    points,
    reach,
    routes,
    steps,
    travellers,
)
from tavola.games.expedition.picture.side import HEIGHT as SIDE_HEIGHT
from tavola.games.expedition.picture.side import WIDTH as SIDE_WIDTH
from tavola.games.expedition.picture.side import side
from tavola.show.board import Board, Frame
from tavola.show.kit import art, wordless
from tavola.show.speech import Say

__all__ = ["BOARDS", "SHAPES", "STYLE", "lesson", "own", "pieces", "planned", "scene"]

BOARDS = {
    "main": Board((WIDTH, HEIGHT), backdrop="map.svg", zoom=True, rows=2),
    "overview": Board((WIDTH, HEIGHT)),
    "side": Board((SIDE_WIDTH, SIDE_HEIGHT)),
    "hand": Board((held.WIDTH, held.HEIGHT), phone=held.STRIP),
}
STYLE, SHAPES = art(__file__)

Boards = dict[str, dict[str, Markup]]


def pieces(view: Seen, say: Say) -> Boards:
    """Everything that can change and that all may see, the lowest first."""
    return _drawn(view, say, {})


def _drawn(view: Seen, say: Say, over: Mapping[str, Markup]) -> Boards:
    """The same, with what a scene lays over it."""
    drawn = _still(view, say)
    return {**drawn, "main": {**drawn["main"], **over}} if over else drawn


@lru_cache(maxsize=64)
def _still(view: Seen, say: Say) -> Boards:
    """A position: the frames of a scene show it more than once."""
    table, bare = view.table, wordless(view.game, say.language)
    main = {
        **dict(glows(table)),
        **dict(news(table)),
        **dict(routes(table, bare)),
        **dict(points(table, bare)),
        "printed": printed(bare(view.game.title), bare),
        "reach": reach(table, bare),
        **dict(marks(table, say)),
        **dict(travellers(table, bare)),
    }
    return {"main": main, "overview": dict(overview(table)), "side": dict(side(view, say, bare))}


def own(view: Seen, say: Say) -> Boards:
    """What the view's seat alone sees: its goals on the map, the lines that it may take, its hand."""
    if view.seat is None:
        return {}
    bare = wordless(view.game, say.language)
    main = {**dict(own_marks(view)), **dict(steps(view, bare))}
    return {"main": main, "hand": dict(held.hand(view, bare))}


def planned(before: Seen, after: Seen, say: Say) -> dict[str, dict[str, Markup]]:
    """What marks a plan as one: arrows in pencil."""
    return {"main": dict(pencilled(before.table, after.table))}


def scene(before: Seen, after: Seen, played: Played | None, say: Say) -> list[Frame]:
    """The pictures between two public views one action apart."""
    bare = wordless(before.game, say.language)
    return scenes.scene(before, after, played, say, bare, lambda view, over: _drawn(view, say, over))
