"""The pictures of Expedition: an explorer's atlas of about 1900. See `tavola.show.board`.

`map.svg` is the plate, `shapes.svg` and `picture.css` are the art, `layout.json` has the coordinates on the plate. All
except `picture.css` and `shapes.svg` are made by `python -m scripts.atlas`. Every piece is drawn by a cached function
of the few values it shows, so a turn only costs what it changed.
"""

from collections.abc import Mapping
from functools import lru_cache, partial

from markupsafe import Markup

from tavola.core.actions import PlayedAction
from tavola.games.expedition.atlas import POINTS
from tavola.games.expedition.components import Phase, Seen, Table
from tavola.games.expedition.gazetteer import place_name, region_name
from tavola.games.expedition.network import PLACE_COUNT
from tavola.games.expedition.picture import hand as held
from tavola.games.expedition.picture import routes, side
from tavola.games.expedition.picture.elements import code_of, sheet_shape
from tavola.games.expedition.picture.geometry import HEIGHT, SPOTS, WIDTH
from tavola.games.expedition.picture.hand import postmark
from tavola.games.expedition.picture.lesson import lesson
from tavola.games.expedition.picture.map_labels import map_labels
from tavola.games.expedition.picture.routes import head_spot, overview
from tavola.games.expedition.words.nouns import heads
from tavola.show.board import Board, Frame, Pieces
from tavola.show.cards import Picture, words_of
from tavola.show.kit import anonymous_say, art, fitted_shape, fitted_text, seat_disc, use
from tavola.show.poster import titled_poster
from tavola.show.sound import Palette, bell, breath, chord, common_sounds, knock, tone
from tavola.show.speech import Say, mark
from tavola.show.svg import group, tag

BOARDS = {
    "main": Board((WIDTH, HEIGHT), backdrop="map.svg", zoom=True, rows=2),
    "overview": Board((WIDTH, HEIGHT)),
    "side": Board((side.WIDTH, side.HEIGHT)),
    "strip": Board(side.STRIP),
    "hand": Board((held.WIDTH, held.HEIGHT), phone=held.STRIP),
}
STYLE, _DRAWN = art(__file__)
SHAPES = Markup("\n").join((_DRAWN, *held.SHAPES, *side.SHAPES, sheet_shape("claim", 260, 268, 5)))
SOUNDS: Palette = {
    **common_sounds(330, "triangle"),
    "route-0": (breath(3_600, 2_400, 420, rise=60, loudness=0.028), breath(2_600, 3_400, 240, after=400)),
    "route-1": tuple(breath(3_000, 2_400, 110, after=150 * k, rise=15, loudness=0.03) for k in range(4)),
    "route-2": tuple(part for k in range(5) for part in knock(520, after=110 * k, loudness=0.018)),
    "rubbed": tuple(breath(1_500, 2_100, 150, after=170 * k, rise=60, loudness=0.03) for k in range(3)),
    "pinned": (*knock(420), tone(880, 120, after=20)),
    "stamped": (breath(1_800, 900, 300, rise=200, loudness=0.02), *knock(110, after=850, loudness=0.08)),
    "home": (*chord(165, (1, 1.5), lasts=1_200, source="triangle"), *bell(660, 1_400)),
}
LAID, LIFTED, PLACED = 1_000, 800, 500
CLAIMED, CLAIMED_AT_LEAST = 2_600, 2_400  # it is stamped after 850, and must then stay long enough to be read
THE_END, THE_END_AT_LEAST = 2_400, 1_500
"""Milliseconds."""


def pieces(view: Seen, say: Say, over: Mapping[str, Markup] | None = None) -> Pieces:
    """Return the public pieces, with those that a scene lays over them."""
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
        routes.distance_titles(tuple(heads(table)), bare),
        *routes.retraced(table),
        *routes.goals_and_tokens(table, say),
        map_labels(bare(view.game.title), bare),
        *routes.route_heads(table, "head-of", bare),
    )
    small = {"overview": overview(table), "side": side.side(view, say, bare), "strip": side.strip(table, bare)}
    return {"main": dict(main), **{name: dict(items) for name, items in small.items()}}


def own_pieces(view: Seen, say: Say) -> Pieces:
    if view.seat is None:
        return {}
    bare = anonymous_say(view.game, say.language)
    main = *routes.own_marks(view), *routes.step_lines(view, bare)
    return {"main": dict(main), "hand": dict(held.hand(view, bare))}


def plan_pieces(before: Seen, after: Seen, say: Say) -> dict[str, dict[str, Markup]]:
    return {"main": dict(routes.plan_arrows(before.table, after.table))}


def scene(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[Frame]:
    lines = len(words_of(before.game).events(before, after, played, say))
    frames, draw = [], partial(pieces, after, say)
    counts = [(was.count, now.count) for was, now in zip(before.table.expedition, after.table.expedition, strict=True)]
    if (colour := next((number for number, (was, now) in enumerate(counts) if was != now), None)) is not None:
        laid = counts[colour][0] < counts[colour][1]
        shown = {"moved": _head_glance(after.table, colour)}
        sound = f"route-{colour}" if laid else "rubbed"
        frames.append(Frame(partial(draw, shown), LAID if laid else LIFTED, 0, min(lines, 1), sound=sound))
    elif before.table.phase == Phase.TOKENS and before.table.token != after.table.token:
        frames.append(Frame(draw, PLACED, 0, min(lines, 1), sound="pinned"))
    for place, seat in _reached_goals(before.table, after.table):
        shown = {"claim": _claim(place, seat, say.name(seat), anonymous_say(before.game, say.language))}
        frames.append(Frame(partial(draw, shown), CLAIMED, CLAIMED_AT_LEAST, lines, sound="stamped"))
    if after.table.phase == Phase.OVER != before.table.phase:
        frames.append(Frame(draw, THE_END, THE_END_AT_LEAST, lines, sound="home"))
    return frames


def _head_glance(table: Table, colour: int) -> Markup:
    """Where an expedition has arrived: a small screen moves the map there."""
    x, y = SPOTS[head_spot(table, colour)]
    seen = tag("rect", x=-80, y=-100, width=160, height=150, fill="none", data_glance="")
    return group("moved", seen, x=x, y=y, class_="through")


def _reached_goals(before: Table, after: Table) -> list[tuple[int, int]]:
    return [
        (place, after.laid[place] - 1)
        for place in range(PLACE_COUNT)
        if after.laid[place] and not before.laid[place] and after.phase > Phase.TOKENS
    ]


def _claim(place: int, seat: int, name: str, say: Say) -> Markup:
    x, y = SPOTS[place + 1]
    left = min(max(x + (60 if x < WIDTH / 2 else -320), 60), WIDTH - 320)
    top = min(max(y - 150, 60), HEIGHT - 330)
    region = POINTS[place + 1].region
    stamp = tag("g", postmark(place, 27, say), transform="scale(1.7) rotate(-12)")
    claimer = seat_disc(seat, 10, -7, 14, 0.85, class_="edged") + fitted_text(name, 32, 0, 22, 190, "b")
    card = (
        use("sheet-claim", 5, 7, class_="cast"),
        use("sheet-claim", class_="sheet"),
        tag("path", d="M14 14H246V170H14z", fill=f"var(--{region}-land)"),
        fitted_shape(f"place-{code_of(place)}", 52, 18, 150, 150),
        tag("path", d="M14 14H246V170H14z", class_="frame"),
        use(f"point-{region}", 36, 36, 1.7),
        fitted_text(place_name(place + 1, say), 130, 202, 31, 228, "b mid"),
        fitted_text(region_name(region, say), 130, 224, 20, 220, "i mid soft"),
        tag("g", claimer, transform="translate(18 250)"),
        tag("g", stamp, class_="stamping", transform="translate(200 62)"),
    )
    told = say("{name} has reached {place}.", name=name, place=place_name(place + 1, say))
    rising = tag("g", *card, class_="rising")
    pointer = tag("path", d=f"M{x - left:g} {y - top:g}L{60 if x < left else 200} 134", class_="pointer")
    seen = tag("rect", width=265, height=275, fill="none", data_glance="whole")
    return group("claim", tag("title", told), pointer, rising, seen, x=left, y=top, class_="through")


PICTURE = Picture(
    boards=BOARDS,
    style=STYLE,
    shapes=SHAPES,
    pieces=pieces,
    own_pieces=own_pieces,
    lesson=lesson,
    poster=titled_poster(__file__, mark("Expedition"), 904, 96, 520, "var(--ink)"),
    scene=scene,
    sounds=SOUNDS,
    plan_pieces=plan_pieces,
)
