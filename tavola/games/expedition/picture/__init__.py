"""The pictures of Expedition: an explorer's atlas of about 1900. See `tavola.show.board`.

`map.svg` is the plate, `shapes.svg` and `picture.css` are the art, `layout.json` tells where things lie on the
plate. All but `picture.css` and `shapes.svg` is made by `python -m scripts.atlas`. Every piece is drawn by a cached
function of the few things it shows, so a turn costs what it changed.
"""

from collections.abc import Mapping
from functools import lru_cache

from markupsafe import Markup

from tavola.core.actions import PlayedAction
from tavola.games.expedition.components import Seen
from tavola.games.expedition.picture import hand as held
from tavola.games.expedition.picture import routes, side
from tavola.games.expedition.picture import scene as scenes
from tavola.games.expedition.picture.geometry import HEIGHT, WIDTH
from tavola.games.expedition.picture.lesson import lesson
from tavola.games.expedition.picture.map_labels import map_labels
from tavola.games.expedition.picture.overview import overview
from tavola.games.expedition.picture.poster import poster
from tavola.games.expedition.picture.sounds import SOUNDS
from tavola.show.board import Board, Frame, Pieces
from tavola.show.cards import Picture
from tavola.show.kit import anonymous_say, art
from tavola.show.speech import Say

BOARDS = {
    "main": Board((WIDTH, HEIGHT), backdrop="map.svg", zoom=True, rows=2),
    "overview": Board((WIDTH, HEIGHT)),
    "side": Board((side.WIDTH, side.HEIGHT)),
    "hand": Board((held.WIDTH, held.HEIGHT), phone=held.STRIP),
}
STYLE, SHAPES = art(__file__)


def pieces(view: Seen, say: Say) -> Pieces:
    return _draw_boards(view, say, {})


def _draw_boards(view: Seen, say: Say, over: Mapping[str, Markup]) -> Pieces:
    drawn = _draw_position(view, say)
    return {**drawn, "main": {**drawn["main"], **over}} if over else drawn


@lru_cache(maxsize=64)
def _draw_position(view: Seen, say: Say) -> Pieces:
    table, bare = view.table, anonymous_say(view.game, say.language)
    main = (
        *routes.glows(table),
        *routes.fresh_arrows(table),
        *routes.routes(table, bare),
        *routes.points(table, bare),
        map_labels(bare(view.game.title), bare),
        routes.distance_titles(table, bare),
        *routes.retraced(table),
        *routes.goals_and_tokens(table, say),
        *routes.route_heads(table, bare),
    )
    return {"main": dict(main), "overview": dict(overview(table)), "side": dict(side.side(view, say, bare))}


def own_pieces(view: Seen, say: Say) -> Pieces:
    if view.seat is None:
        return {}
    bare = anonymous_say(view.game, say.language)
    main = *routes.own_marks(view), *routes.step_lines(view, bare)
    return {"main": dict(main), "hand": dict(held.hand(view, bare))}


def plan_pieces(before: Seen, after: Seen, say: Say) -> dict[str, dict[str, Markup]]:
    return {"main": dict(routes.plan_arrows(before.table, after.table))}


def scene(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[Frame]:
    bare = anonymous_say(before.game, say.language)
    return scenes.scene(before, after, played, say, bare, lambda view, over: _draw_boards(view, say, over))


PICTURE = Picture(
    boards=BOARDS,
    style=STYLE,
    shapes=SHAPES,
    pieces=pieces,
    own_pieces=own_pieces,
    lesson=lesson,
    poster=poster,
    scene=scene,
    sounds=SOUNDS,
    plan_pieces=plan_pieces,
)
