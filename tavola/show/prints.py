"""The hand of the pictures: shapes printed in ink and paint, outlines cut by hand, names that keep to their plates.

Shapes are defined once and shown with `use`, where style sheets do not reach: their paint is in attributes that name
the custom properties of the game's palette. Every palette has `ink` for outlines and `halo` for pale edges.
"""

import math
from functools import lru_cache
from random import Random

from markupsafe import Markup

from tavola.core.game import Game
from tavola.show.speech import Say
from tavola.show.svg import tag

Place = tuple[float, float]

CARD = "M-20 -39L20 -39Q26 -39 26 -33L26 33Q26 39 20 39L-20 39Q-26 39 -26 33L-26 -33Q-26 -39 -20 -39Z"
"""The outline of a card, 52 units wide and 78 high, centred."""

PRINTED = """\
.NAME{font-family:"Trebuchet MS","Gill Sans","Gill Sans MT",Candara,"DejaVu Sans",sans-serif}
.NAME text{font-size:20px;font-weight:700;fill:var(--print);text-anchor:middle}
.NAME text.left{text-anchor:start}
.NAME text.right{text-anchor:end}
.NAME text.on-card{fill:var(--ink)}
.NAME .own{fill:var(--own)}
.NAME .inked{stroke:var(--ink);stroke-width:2.4;stroke-linejoin:round}
.NAME .gold{fill:var(--gold)}
.NAME .cardboard{fill:var(--cardboard)}
.NAME .paper{fill:var(--paper)}
.NAME .panel{fill:var(--panel);stroke:var(--faint);stroke-width:1.6;stroke-opacity:.5}
.NAME .empty.idle{stroke-opacity:.35}
.NAME .turn{fill:var(--print)}
.NAME .medal{stroke:var(--ink);stroke-width:2.4;fill:var(--cardboard)}
.NAME .medal.first{fill:var(--gold)}
.NAME .empty{fill:none;stroke:var(--faint);stroke-width:2.4;stroke-dasharray:6 6}
.NAME .back,.NAME .face{transform-box:fill-box;transform-origin:center}
"""
"""What every printed picture looks like; NAME is the game's."""


def printed(name: str) -> str:
    """The common part of the style sheet of a printed picture, for a game of this name."""
    return PRINTED.replace("NAME", name)


@lru_cache(maxsize=64)
def wordless(game: Game, language: str) -> Say:
    """The language alone: what it says is the same for every table, so its drawings are shared by all."""
    return Say.of(game, language)


def short(name: str, longest: int) -> str:
    """A name of at most `longest` letters."""
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def use(name: str, **attributes: object) -> Markup:
    """A shape from the definitions."""
    return tag("use", href=f"#{name}", **attributes)


def painted(name: str, fill: str, *, ink: float = 2.4, **attributes: object) -> Markup:
    """An element printed in a colour of the palette, with an outline `ink` units wide."""
    return tag(
        name, fill=f"var(--{fill})", stroke="var(--ink)", stroke_width=ink, stroke_linejoin="round", **attributes
    )


def drawn(path: str, colour: str, width: float, **attributes: object) -> Markup:
    """Lines without a filling."""
    paint = {"fill": "none", "stroke": f"var(--{colour})", "stroke_width": width, "stroke_linecap": "round"}
    return tag("path", d=path, **paint, **attributes)


def edged(name: str, width: float, **attributes: object) -> Markup:
    """The pale edge around a piece, which glows where the piece can be clicked."""
    paint = {"fill": "var(--edge,var(--halo))", "stroke": "var(--edge,var(--halo))", "stroke_linejoin": "round"}
    return tag(name, **paint, stroke_width=f"var(--edge-width,{width})", **attributes)


def card_back(name: str) -> Markup:
    """The back of a card: waves on a dark ground. The palette has `cardboard`, `navy` and `waves`."""
    waves = "".join(f"M-20 {y}q5 -7 10 0t10 0t10 0t10 0" for y in (-22, -8, 6, 20))
    return tag(
        "g",
        painted("path", "cardboard", d=CARD),
        painted("rect", "navy", ink=0, x=-21, y=-34, width=42, height=68, rx=3),
        drawn(waves, "waves", 2.6),
        id=name,
    )


def grain() -> Markup:
    """The pattern `grain`: the paper that shines through where the roller left no ink."""
    flecks = (
        "M3 7h2v1h-2zM19 3h1v2h-1zM33 12h3v1h-3zM47 5h1v1h-1zM12 24h1v1h-1zM27 30h2v2h-2zM52 22h2v1h-2zM6 43h3v1h-3z"
        "M22 49h1v2h-1zM39 41h1v1h-1zM44 55h2v1h-2zM56 38h1v2h-1zM15 57h2v1h-2zM31 20h1v1h-1z"
    )
    return tag(
        "pattern",
        tag("path", d=flecks, fill="var(--halo)", opacity=0.34),
        id="grain",
        width=60,
        height=60,
        patternUnits="userSpaceOnUse",
    )


def box(left: float, top: float, right: float, bottom: float) -> list[Place]:
    """The corners of a rectangle."""
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def rough(corners: list[Place], seed: int) -> str:
    """A polygon cut by hand: its long sides waver by a unit or two."""
    random = Random(seed)
    points = []
    for (x, y), (to_x, to_y) in zip(corners, [*corners[1:], corners[0]], strict=True):
        steps = max(1, int(math.hypot(to_x - x, to_y - y) / 70))
        for step in range(steps):
            part = step / steps
            wavers = 0 if step == 0 else 2.4
            across = x + (to_x - x) * part + (random.random() - 0.5) * wavers
            points.append((across, y + (to_y - y) * part + (random.random() - 0.5) * wavers))
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"


def blob(middle: Place, radii: Place, seed: int, points: int = 18) -> str:
    """A coast: a rounded box with bays, smooth all round."""
    random = Random(seed)
    coast = []
    for point in range(points):
        angle = 2 * math.pi * point / points
        bay = 1 - 0.11 * random.random()
        cos, sin = math.cos(angle), math.sin(angle)
        coast.append(
            (
                middle[0] + radii[0] * bay * math.copysign(abs(cos) ** 0.62, cos),
                middle[1] + radii[1] * bay * math.copysign(abs(sin) ** 0.62, sin),
            )
        )
    return smooth(coast)


def smooth(points: list[Place]) -> str:
    """A closed curve through points (Catmull and Rom's spline, written as Bézier curves)."""
    count = len(points)
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for place in range(count):
        before, here, there, beyond = (points[(place + step) % count] for step in (-1, 0, 1, 2))
        first = here[0] + (there[0] - before[0]) / 6, here[1] + (there[1] - before[1]) / 6
        second = there[0] - (beyond[0] - here[0]) / 6, there[1] - (beyond[1] - here[1]) / 6
        numbers = " ".join(f"{number:.1f}" for number in (*first, *second, *there))
        parts.append(f"C{numbers}")
    return "".join(parts) + "Z"


def rose_points(long: float, small: float, waist: float = 5) -> str:
    """The eight points of a wind rose: four long ones, north first, and four short ones between them."""
    spikes = ((point * math.pi / 4, long if point % 2 == 0 else small) for point in range(8))
    return "".join(
        f"M0 0L{waist * math.cos(a - 0.78):.1f} {waist * math.sin(a - 0.78):.1f}"
        f"L{r * math.cos(a):.1f} {r * math.sin(a):.1f}"
        f"L{waist * math.cos(a + 0.78):.1f} {waist * math.sin(a + 0.78):.1f}Z"
        for a, r in spikes
    )
