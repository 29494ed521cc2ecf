"""Beams: a power on its way, from a fairy along the foot of the chapel to whom it is used on.

They never cross the King's picture or cover a number. More than colour distinguishes them: on each travels the
plant of its fairy, and green is ribbed, blue dotted, red plain; all three together carry the trefoil. As every viewer
has another garden in front, a beam has a route for each, and CSS shows one.
"""

import math
from itertools import pairwise

from markupsafe import Markup

from tavola.games.fairies.components import Fairy
from tavola.games.fairies.picture import layout
from tavola.games.fairies.picture.garden import COLOUR
from tavola.show.kit import fitted_shape, titled_group
from tavola.show.svg import tag

ALL_THREE = 3
"""Column of the power of all three fairies."""
STREAM_Y = (layout.STRIP_Y + layout.FRONT_Y) / 2
"""Between the sill and one's own garden."""
GAP_X = layout.LIGHT_WIDTH + 2
"""Between a light and the window, from the left of the light."""
BEAD, APART = 12.5, 58.0

Point = tuple[float, float]


def beam(players: int, actor: int, victim: int, power: int, strengths: tuple[int, int]) -> Markup:
    """Return a beam and, in its middle, the strengths that are compared (R13, R17)."""
    beams = (_beam(route(players, me, actor, victim, power), power) for me in range(players))
    routes = (tag("g", drawn, class_=f"for-{me}") for me, drawn in enumerate(beams))
    return titled_group("beam", "", *routes, _versus(actor, victim, strengths), class_="through")


def route(players: int, me: int, actor: int, victim: int, power: int) -> list[Point]:
    """Return the corners of a route as seat `me` sees it."""
    column = Fairy.BLUE if power == ALL_THREE else power
    leaves, arrives = (_way(players, me, seat, column) for seat in (actor, victim))
    return [*leaves, *reversed(arrives)]


def _way(players: int, me: int, seat: int, column: int) -> list[Point]:
    """Return the way from a fairy's wand to the stream."""
    slot, light = layout.slot_seen(players, me, seat), layout.light_of(players)
    if slot is None:
        x = layout.front_x(column) + layout.FRONT_FAIRY / 2
        return [(x, layout.FRONT_Y + 20), (x, STREAM_Y)]
    x, foot = slot.x + layout.column_x(column), slot.y + light.wand_y + 2 * light.tile - 8
    if slot.y + light.high >= layout.SILL_Y - 1:
        return [(x, foot), (x, STREAM_Y)]
    aside, turn = slot.x + (GAP_X if slot.x == layout.LEFT else -2), foot + 20
    return [(x, foot), (x, turn), (aside, turn), (aside, STREAM_Y)]


def _beam(corners: list[Point], power: int) -> Markup:
    line = "M" + "L".join(f"{x:g} {y:g}" for x, y in corners)
    kind = "all" if power == ALL_THREE else COLOUR[power]
    paths = (tag("path", class_=f"ray ray-{part}", d=line, pathLength=100) for part in ("rim", "light"))
    texture = tag("path", class_="ray ray-texture", d=line)
    return tag("g", *paths, texture, *_beads(corners, power), class_=f"beam beam-{kind}")


def _beads(corners: list[Point], power: int) -> list[Markup]:
    """Return the plant of the fairy at equal distances along a route."""
    shape, beads, left = "pw-3" if power == ALL_THREE else f"sign-{COLOUR[power]}", [], APART / 2
    for (x, y), (to_x, to_y) in pairwise(corners):
        long = math.hypot(to_x - x, to_y - y)
        while left < long:
            at_x, at_y = x + (to_x - x) * left / long, y + (to_y - y) * left / long
            sign = fitted_shape(shape, at_x - 9.5, at_y - 9.5, 19, 19, "bead-sign")
            beads.append(tag("circle", class_="bead", cx=at_x, cy=at_y, r=BEAD) + sign)
            left += APART
        left -= long
    return beads


def _versus(actor: int, victim: int, strengths: tuple[int, int]) -> Markup:
    middle, y = layout.WIDTH / 2, STREAM_Y
    plate = layout.frame("versus", middle - 76, y - 19, 152, 38, 0, 19)
    mine, theirs = (
        layout.words(str(value), x, y + 10, layout.COARSE, "num")
        for value, x in zip(strengths, (middle - 26, middle + 26), strict=True)
    )
    seals = layout.seal(actor, middle - 56, y, 13) + layout.seal(victim, middle + 56, y, 13)
    return tag("g", plate, mine, layout.words("›", middle, y + 9, 28, "num"), theirs, seals, class_="growing")
