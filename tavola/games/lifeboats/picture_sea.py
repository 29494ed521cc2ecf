"""What never moves: the sea chart with its lanes and waves, the islands, the sinking Santa Timea, the harbour wall."""

from functools import lru_cache
from random import Random

from markupsafe import Markup

from tavola.games.lifeboats.components import BOATS, FIRST_LANES, ISLANDS, LANES, OFFICER, SAILOR, VALUES
from tavola.games.lifeboats.picture_shapes import definitions
from tavola.games.lifeboats.words.titles import island_title
from tavola.show.prints import Place, blob, box, rose_points, rough, use
from tavola.show.speech import Say
from tavola.show.svg import tag

WIDTH, HEIGHT = 720, 1080
SEA_LEFT, LANE_WIDTH = 10, 92
SEA_RIGHT = SEA_LEFT + LANES * LANE_WIDTH
SEA_TOP, BEACH, START_LINE, SEA_BOTTOM = 8, 158, 698, 816
"""From top to bottom: the open sea behind the islands, where boats land, the line the start row lies on, the panel."""
DOCK_X, DOCK_TOP, DOCK_PITCH = 689, 168, 91


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
    return DOCK_X, DOCK_TOP + DOCK_PITCH * (arrival - 0.5) + 14


def island_span(islands: int, island: int) -> Place:
    """The left and the right edge of an island, by the option `islands`."""
    first = [1, *map(int, FIRST_LANES[islands]), LANES + 1]
    return SEA_LEFT + LANE_WIDTH * (first[island] - 1), SEA_LEFT + LANE_WIDTH * (first[island + 1] - 1)


@lru_cache(maxsize=256)
def chart(seats: int, moves: int, islands: int, say: Say) -> Markup:
    """The whole background, with the definitions of all shapes."""
    parts = (_paper(), _sea(moves), _ship(), *(_island(islands, island, say) for island in range(3)), _dock(say))
    edge = tag("path", class_="line", d=rough(box(SEA_LEFT - 4, SEA_TOP, SEA_RIGHT + 4, SEA_BOTTOM), 3))
    return tag("g", definitions(seats), *parts, edge, _compass(), id="chart", class_="piece chart")


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
    edge = rough(box(SEA_LEFT - 4, SEA_TOP, SEA_RIGHT + 4, SEA_BOTTOM), 3)
    return tag(
        "g",
        tag("clipPath", tag("path", d=edge), id="sea-edge"),
        tag("path", class_="sea", d=edge),
        *(tag("path", class_="shoal", d=_band(y)) for y in crests),
        tag("path", class_="strokes", d=_strokes(moves)),
        tag("path", class_="lanes", d=lanes),
        *_creatures(pitch),
        *(tag("path", class_="swell", d=_crest(y + 5)) for y in crests),
        *(tag("path", class_="crest", d=_crest(y)) for y in crests),
        tag("path", d=edge, fill="url(#grain)"),
        clip_path="url(#sea-edge)",
    )


def _crest(y: float) -> str:
    """A line of waves across the sea."""
    waves = "q11.5 -17 23 0" * (LANES * 4 + 1)
    return f"M{SEA_LEFT - 4} {y:.0f}{waves}"


def _band(y: float) -> str:
    """All the water above a line of waves."""
    return f"{_crest(y)}L{SEA_RIGHT} {SEA_TOP}L{SEA_LEFT} {SEA_TOP}Z"


def _strokes(moves: int) -> str:
    """The cuts of the gouge: short waves strewn over the water, thinned out near the crests."""
    random = Random(moves)
    spots = [(x, y) for y in range(BEACH + 20, SEA_BOTTOM - 8, 22) for x in range(SEA_LEFT + 12, SEA_RIGHT - 50, 46)]
    cuts = []
    for x, y in spots:
        across, down, length = x + random.random() * 26, y + random.random() * 14, 7 + random.random() * 7
        if random.random() < 0.6:
            cuts.append(f"M{across:.0f} {down:.0f}q{length / 2:.1f} -5 {length:.1f} 0t{length:.1f} 0")
    return "".join(cuts)


def _creatures(pitch: float) -> tuple[Markup, ...]:
    """What old charts say is in the deep: a whale, a shoal of fish, a serpent."""
    whale = (
        "M-46 8Q-40 -18 -6 -18Q26 -18 40 0Q50 -2 56 -14Q60 -2 66 -4Q60 10 44 12Q20 20 -20 18Q-42 18 -46 8Z"
        "M-30 0h.1M-44 8Q-30 12 -18 8M-20 -24q-2 -12 -12 -12M-18 -24q2 -12 12 -12"
    )
    fish = "M-14 0Q-4 -9 8 0Q-4 9 -14 0L-20 -6L-20 6ZM3 -1h.1"
    serpent = (
        "M-60 12Q-52 -20 -38 12M-26 12Q-14 -26 -2 12M10 12Q22 -20 32 12"
        "M44 12Q44 -22 60 -24Q74 -24 70 -14L56 -14Q54 0 54 12M64 -19h.1"
    )
    spots = ((whale, 562, 0.5), (serpent, 236, 1.5), (fish, 118, 0.35), (fish, 154, 0.5), (fish, 108, 0.62))
    return tuple(
        tag("path", class_="creature", d=path, transform=f"translate({x} {BEACH + 14 + pitch * down:.0f})")
        for path, x, down in spots
    )


def _island(islands: int, island: int, say: Say) -> Markup:
    left, right = island_span(islands, island)
    middle, half = ((left + right) / 2, 85), (right - left) / 2
    return tag(
        "g",
        tag("title", island_title(island, say)),
        tag("path", class_="surf", d=blob(middle, (half + 1, 79), island)),
        tag("path", class_="sand", d=blob(middle, (half - 5, 72), island)),
        tag("path", class_="grass", d=blob((middle[0] + 2, 80), (half - 17, 58), island + 9)),
        _palm(middle[0] - half + 19, island),
        _palm(middle[0] + half - 19, island + 3),
        tag("path", d=blob(middle, (half - 5, 72), island), fill="url(#grain)"),
        tag("path", class_="line", d=blob((middle[0] - 1.5, 84), (half - 5, 72), island)),
        _worth(middle[0], island),
        class_=f"island {ISLANDS[island]}",
    )


def _palm(x: float, seed: int) -> Markup:
    """A palm at the edge of an island."""
    lean = 7 if seed < 3 else -7
    frond = "M0 0Q10 -12 24 -4Q12 -4 0 2Z"
    crown = (
        tag("path", class_="leaf inked", d=frond, transform=f"rotate({angle})") for angle in (-150, -95, -40, 15, 150)
    )
    trunk = tag("path", class_="trunk", d=f"M0 0Q{lean} -18 {lean} -34")
    tree = tag("g", *crown, transform=f"translate({lean} -34) scale(.72)")
    return tag("g", trunk, tree, transform=f"translate({x:.0f} 80)")


def _worth(x: float, island: int) -> Markup:
    """The sign with the points for an officer and for a sailor (R31)."""
    board = rough([(-58, -19), (58, -20), (59, 19), (-57, 20)], island + 20)
    return tag(
        "g",
        tag("path", class_="trunk", d="M-40 16L-40 34M40 16L40 34"),
        tag("path", class_="board inked", d=board),
        use("officer-plain", class_="plain", transform="translate(-38 1) scale(.86)"),
        tag("text", str(VALUES[island][OFFICER]), class_="big on-card", x=-10, y=10),
        use("sailor-plain", class_="plain", transform="translate(18 0) scale(.86)"),
        tag("text", str(VALUES[island][SAILOR]), class_="big on-card", x=44, y=10),
        transform=f"translate({x:.0f} 34)",
    )


def _ship() -> Markup:
    """The Santa Timea, her stern already under: hull, cabins, funnel and masts, on the rock that broke her."""
    return tag(
        "g",
        tag("path", class_="rock inked", d="M470 812L486 770L502 782L520 744L541 770L552 758L580 812Z"),
        tag("path", class_="facet", d="M486 770L494 812L470 812ZM520 744L528 812L508 812ZM552 758L556 812L544 812Z"),
        tag("g", *_rigging(), *_hull(), transform="translate(290 738) rotate(-9)"),
        tag("path", class_="flood", d=_flood(790)),
        tag("path", class_="swell", d=_crest(795)),
        tag("path", class_="crest", d=_crest(790)),
        class_="wreck",
        clip_path="url(#sea-edge)",
    )


def _rigging() -> tuple[Markup, ...]:
    """Two masts, their stays, a pennant, and the funnel with the last of the steam."""
    stays = "M-150 -14L-150 -82M150 -14L150 -88M-150 -80L-20 -46M150 -86L30 -46M-150 -80L-210 -4M150 -86L214 -20"
    return (
        tag("path", class_="steam", d="M4 -84Q18 -96 6 -104Q-8 -113 12 -122Q28 -128 24 -138"),
        tag("path", class_="line", d=stays),
        tag("path", class_="pennant inked", d="M150 -90L182 -83L150 -75Z"),
        tag("path", class_="rust inked", d="M-18 -46L-14 -82L16 -82L20 -46Z"),
        tag("path", class_="hull", d="M-14.5 -78L16 -78L17 -70L-15 -70Z"),
    )


def _hull() -> tuple[Markup, ...]:
    windows = "".join(f"M{x} -26h9v7h-9z" for x in range(-110, 104, 20))
    bridge = "".join(f"M{x} -43h8v6h-8z" for x in (-32, -18, -4, 10, 24))
    portholes = "".join(f"M{x} 30a3.4 3.4 0 1 1 6.8 0a3.4 3.4 0 1 1 -6.8 0z" for x in range(-150, 180, 30))
    return (
        tag("path", class_="cardboard inked", d="M-122 -14L-120 -34L-40 -34L-40 -48L42 -48L40 -34L114 -34L116 -14Z"),
        tag("path", class_="navy", d=windows + bridge),
        tag("path", class_="hull inked", d="M-218 -10L-198 46Q-190 58 -176 58L172 58Q198 54 222 -24L178 -14L-160 -12Z"),
        tag("path", class_="rust", d="M-198 46Q-190 58 -176 58L172 58Q190 55 201 40L-196 41Z"),
        tag("path", class_="rail", d="M-212 -2L-160 -4L178 -6L217 -14"),
        tag("path", class_="porthole", d=portholes),
        tag("path", class_="gash", d="M132 58L146 30L140 22L158 8L154 26L166 30L160 57Z"),
        tag("text", "SANTA TIMEA", class_="ship", x=-8, y=19),
    )


def _flood(y: float) -> str:
    """The sea that covers the ship's keel."""
    return f"{_crest(y)}L{SEA_RIGHT + 8} {SEA_BOTTOM + 8}L{SEA_LEFT - 8} {SEA_BOTTOM + 8}Z"


def _dock(say: Say) -> Markup:
    """The harbour wall: a place for each arrival, 1 to 7 (R24)."""
    wall = rough(box(DOCK_X - 25, DOCK_TOP, DOCK_X + 25, SEA_BOTTOM), 5)
    bottom = DOCK_TOP + DOCK_PITCH * BOATS
    lines = "".join(f"M{DOCK_X - 24} {y:.0f}L{DOCK_X + 24} {y:.0f}" for y in range(DOCK_TOP, bottom, DOCK_PITCH))
    numbers = (
        tag("text", str(arrival), x=DOCK_X, y=DOCK_TOP + DOCK_PITCH * (arrival - 1) + 23, class_="on-wood")
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
    north = "M0 0L-5 -5L0 -24Z"
    return tag(
        "g",
        tag("circle", class_="ring", r=17),
        tag("path", class_="rose", d=rose_points(24, 15)),
        tag("path", class_="rust", d=north),
        transform=f"translate({DOCK_X} 92)",
    )
