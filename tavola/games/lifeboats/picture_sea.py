"""What never moves: the sea chart with its lanes and waves, the islands, the sinking Santa Timea, the harbour wall."""

import math
from functools import lru_cache
from random import Random

from markupsafe import Markup

from tavola.core.speech import Say
from tavola.core.svg import tag
from tavola.games.lifeboats.components import BOATS, FIRST_LANES, ISLANDS, LANES, OFFICER, SAILOR, VALUES
from tavola.games.lifeboats.picture_shapes import definitions, use
from tavola.games.lifeboats.picture_words import island_title

WIDTH, HEIGHT = 720, 1080
SEA_LEFT, LANE_WIDTH = 10, 92
SEA_RIGHT = SEA_LEFT + LANES * LANE_WIDTH
SEA_TOP, BEACH, START_LINE, SEA_BOTTOM = 8, 158, 698, 816
"""From top to bottom: the open sea behind the islands, where boats land, the line the start row lies on, the panel."""
DOCK_X, DOCK_TOP, DOCK_PITCH = 689, 168, 91

Place = tuple[float, float]


def lane_middle(lane: int) -> float:
    """The middle of a lane, 1 to 7."""
    return SEA_LEFT + LANE_WIDTH * (lane - 0.5)


def row_pitch(moves: int) -> float:
    """How far a boat moves at a time."""
    return (START_LINE - BEACH) / moves


def boat_place(lane: int, row: int, moves: int) -> Place:
    """The middle of a boat at sea after `row` moves."""
    return lane_middle(lane), START_LINE - row_pitch(moves) * (row + 0.5)


def dock_place(arrival: int) -> Place:
    """The middle of a boat at the harbour wall; the first to arrive lies on top."""
    return DOCK_X, DOCK_TOP + DOCK_PITCH * (arrival - 0.5) + 9


def island_span(islands: int, island: int) -> Place:
    """The left and the right edge of an island, by the option `islands`."""
    first = [1, *map(int, FIRST_LANES[islands]), LANES + 1]
    return SEA_LEFT + LANE_WIDTH * (first[island] - 1), SEA_LEFT + LANE_WIDTH * (first[island + 1] - 1)


@lru_cache(maxsize=256)
def chart(seats: int, moves: int, islands: int, say: Say) -> Markup:
    """The whole background, with the definitions of all shapes."""
    parts = (_paper(), _sea(moves), _ship(), *(_island(islands, island, say) for island in range(3)), _dock(say))
    return tag("g", definitions(seats), *parts, _compass(), id="chart", class_="chart")


def _paper() -> Markup:
    """The sheet, and the panel below the sea where the players have their cards."""
    return tag(
        "g",
        tag("rect", class_="paper", width=WIDTH, height=HEIGHT, rx=14),
        tag("path", class_="panel", d=f"M10 {SEA_BOTTOM + 52}L710 {SEA_BOTTOM + 50}L708 {HEIGHT - 8}L12 {HEIGHT - 9}Z"),
    )


def _sea(moves: int) -> Markup:
    """The water grows shallow and bright towards the islands, a wave's crest at a time."""
    pitch = row_pitch(moves)
    crests = [START_LINE - pitch * row for row in range(moves + 1)]
    lanes = "".join(
        f"M{SEA_LEFT + LANE_WIDTH * lane} {BEACH + 12}L{SEA_LEFT + LANE_WIDTH * lane} {START_LINE + 6}"
        for lane in range(1, LANES)
    )
    edge = _rough(
        [(SEA_LEFT - 4, SEA_TOP), (SEA_RIGHT + 4, SEA_TOP), (SEA_RIGHT + 4, SEA_BOTTOM), (SEA_LEFT - 4, SEA_BOTTOM)], 3
    )
    return tag(
        "g",
        tag("path", class_="sea", d=edge),
        *(tag("path", class_="shoal", d=_band(y)) for y in crests),
        tag("path", class_="strokes", d=_strokes(moves)),
        tag("path", class_="lanes", d=lanes),
        *(tag("path", class_="swell", d=_crest(y + 5)) for y in crests),
        *(tag("path", class_="crest", d=_crest(y)) for y in crests),
        tag("path", d=edge, fill="url(#grain)"),
        tag("path", class_="line", d=edge),
    )


def _crest(y: float) -> str:
    """A line of waves across the sea."""
    waves = "q11.5 -17 23 0" * (LANES * 4)
    return f"M{SEA_LEFT} {y:.0f}{waves}"


def _band(y: float) -> str:
    """All the water above a line of waves."""
    return f"{_crest(y)}L{SEA_RIGHT} {SEA_TOP}L{SEA_LEFT} {SEA_TOP}Z"


def _strokes(moves: int) -> str:
    """The cuts of the gouge: short waves strewn over the water, thinned out near the crests."""
    random = Random(moves)
    spots = [(x, y) for y in range(BEACH + 20, SEA_BOTTOM - 8, 22) for x in range(SEA_LEFT + 12, SEA_RIGHT - 30, 46)]
    cuts = []
    for x, y in spots:
        across, down, length = x + random.random() * 26, y + random.random() * 14, 7 + random.random() * 7
        if random.random() < 0.6:
            cuts.append(f"M{across:.0f} {down:.0f}q{length / 2:.1f} -5 {length:.1f} 0t{length:.1f} 0")
    return "".join(cuts)


def _rough(corners: list[Place], seed: int) -> str:
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


def _blob(middle: Place, radii: Place, seed: int, points: int = 18) -> str:
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
    return _smooth(coast)


def _smooth(points: list[Place]) -> str:
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


def _island(islands: int, island: int, say: Say) -> Markup:
    left, right = island_span(islands, island)
    middle, half = ((left + right) / 2, 85), (right - left) / 2
    return tag(
        "g",
        tag("title", island_title(island, say)),
        tag("path", class_="surf", d=_blob(middle, (half + 1, 79), island)),
        tag("path", class_="sand", d=_blob(middle, (half - 5, 72), island)),
        tag("path", class_="grass", d=_blob((middle[0] + 2, 80), (half - 17, 58), island + 9)),
        _palms(middle[0] - half + 24, island),
        _palms(middle[0] + half - 24, island + 3),
        tag("path", d=_blob(middle, (half - 5, 72), island), fill="url(#grain)"),
        tag("path", class_="line", d=_blob((middle[0] - 1.5, 84), (half - 5, 72), island)),
        _worth(middle[0], island),
        class_=f"island {ISLANDS[island]}",
    )


def _palms(x: float, seed: int) -> Markup:
    """A palm at the edge of an island."""
    lean = 7 if seed < 3 else -7
    frond = "M0 0Q10 -12 24 -4Q12 -4 0 2Z"
    crown = (
        tag("path", class_="leaf inked", d=frond, transform=f"rotate({angle})") for angle in (-150, -95, -40, 15, 150)
    )
    trunk = tag("path", class_="trunk", d=f"M0 0Q{lean} -18 {lean} -34")
    tree = tag("g", *crown, transform=f"translate({lean} -34) scale(.8)")
    return tag("g", trunk, tree, transform=f"translate({x:.0f} 66)")


def _worth(x: float, island: int) -> Markup:
    """The sign with the points for an officer and for a sailor (R31)."""
    board = _rough([(-58, -19), (58, -20), (59, 19), (-57, 20)], island + 20)
    return tag(
        "g",
        tag("path", class_="trunk", d="M-40 16L-40 34M40 16L40 34"),
        tag("path", class_="board inked", d=board),
        use("officer-plain", transform="translate(-38 1) scale(.86)"),
        tag("text", str(VALUES[island][OFFICER]), class_="big on-card", x=-10, y=10),
        use("sailor-plain", transform="translate(18 0) scale(.86)"),
        tag("text", str(VALUES[island][SAILOR]), class_="big on-card", x=44, y=10),
        transform=f"translate({x:.0f} 34)",
    )


def _ship() -> Markup:
    """The Santa Timea, her stern already under: hull, deck, funnel and masts, on the rock that broke her."""
    hull = "M-215 -6L-196 42Q-190 52 -176 52L170 52Q196 50 214 -22L176 -14L-160 -14Z"
    stripe = "M-206 12L-203 21L199 21L203 11Z"
    keel = "M-199 36Q-192 52 -176 52L170 52Q190 51 202 28L-199 33Z"
    cabins = "M-120 -14L-120 -36L-40 -36L-40 -48L40 -48L40 -36L112 -36L112 -14Z"
    windows = "".join(f"M{x} -25h9v6h-9z" for x in range(-108, 100, 20))
    rigging = "M-150 -14L-150 -86M150 -14L150 -92M-150 -82L-20 -48M150 -88L30 -48M-150 -82L-208 -8M150 -88L208 -18"
    return tag(
        "g",
        tag("path", class_="rock inked", d="M318 790L344 752L362 768L384 726L412 764L430 748L462 800Z"),
        tag(
            "g",
            tag("path", class_="line", d=rigging),
            tag("path", class_="pennant inked", d="M150 -92L178 -86L150 -79Z"),
            tag("path", class_="rust inked", d="M-18 -48L-14 -82L16 -82L20 -48Z"),
            tag("path", class_="steam", d="M2 -86Q14 -100 2 -108Q-12 -118 8 -130Q26 -138 16 -150"),
            tag("path", class_="cardboard inked", d=cabins),
            tag("path", class_="navy", d=windows),
            tag("path", class_="hull inked", d=hull),
            tag("path", class_="stripe", d=stripe),
            tag("path", class_="rust", d=keel),
            tag("text", "SANTA TIMEA", class_="ship", x=0, y=9),
            transform="translate(292 764) rotate(-7)",
        ),
        tag("path", class_="flood", d=_flood()),
        tag("path", class_="crest", d="M40 800q11.5 -15 23 0" + "q11.5 -15 23 0" * 20),
        class_="wreck",
    )


def _flood() -> str:
    """The sea that covers the ship's keel."""
    return f"M{SEA_LEFT} 800" + "q11.5 -15 23 0" * (LANES * 4) + f"L{SEA_RIGHT} {SEA_BOTTOM}L{SEA_LEFT} {SEA_BOTTOM}Z"


def _dock(say: Say) -> Markup:
    """The harbour wall: a place for each arrival, 1 to 7 (R24)."""
    wall = _rough(
        [(DOCK_X - 25, DOCK_TOP), (DOCK_X + 25, DOCK_TOP), (DOCK_X + 25, SEA_BOTTOM), (DOCK_X - 25, SEA_BOTTOM)], 5
    )
    bottom = DOCK_TOP + DOCK_PITCH * BOATS
    lines = "".join(f"M{DOCK_X - 24} {y:.0f}L{DOCK_X + 24} {y:.0f}" for y in range(DOCK_TOP, bottom, DOCK_PITCH))
    numbers = (
        tag("text", str(arrival), x=DOCK_X, y=DOCK_TOP + DOCK_PITCH * (arrival - 1) + 21, class_="on-wood")
        for arrival in range(1, BOATS + 1)
    )
    return tag(
        "g",
        tag("title", say("Harbour: boats in the order of their arrival")),
        tag("path", class_="plank", d=wall),
        tag("path", class_="line thin", d=lines),
        tag("path", d=wall, fill="url(#grain)"),
        tag("path", class_="line", d=wall),
        *numbers,
        class_="dock",
    )


def _compass() -> Markup:
    """A compass rose beside the islands."""
    points = "".join(
        f"M0 0L{5 * math.cos(a - 0.78):.1f} {5 * math.sin(a - 0.78):.1f}L{r * math.cos(a):.1f} {r * math.sin(a):.1f}"
        f"L{5 * math.cos(a + 0.78):.1f} {5 * math.sin(a + 0.78):.1f}Z"
        for a, r in ((point * math.pi / 4, 24 if point % 2 == 0 else 15) for point in range(8))
    )
    north = "M0 0L-5 -5L0 -24Z"
    return tag(
        "g",
        tag("circle", class_="ring", r=17),
        tag("path", class_="rose", d=points),
        tag("path", class_="rust", d=north),
        transform=f"translate({DOCK_X} 92)",
    )
