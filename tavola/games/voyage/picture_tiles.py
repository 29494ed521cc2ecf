"""The tiles of the chart: their backs of parchment, with what is pencilled there, and their printed faces."""

import math
from random import Random

from markupsafe import Markup

from tavola.show.prints import drawn, painted, rose_points, smooth, use
from tavola.show.svg import tag

TILE = "M-31 -35L31 -35Q35 -35 35 -31L35 31Q35 35 31 35L-31 35Q-35 35 -35 31L-35 -31Q-35 -35 -31 -35Z"
"""The outline of a tile, 70 units square, centred."""
SHORE = smooth(
    [(-27, 9), (-22, -3), (-12, -9), (-3, -19), (9, -17), (14, -8), (25, -4), (28, 8), (16, 19), (1, 16), (-14, 21)]
)
SURF = smooth(
    [
        (-32, 10),
        (-26, -7),
        (-14, -14),
        (-4, -25),
        (12, -23),
        (18, -13),
        (30, -8),
        (33, 10),
        (19, 25),
        (1, 21),
        (-16, 27),
    ]
)
MEADOW = smooth(
    [(-19, 7), (-15, -1), (-7, -5), (0, -12), (7, -11), (10, -4), (19, 0), (20, 7), (11, 12), (1, 10), (-10, 14)]
)
"""An island: its shore, the surf around it, and the green within."""
SEAS, COASTS = (0, 3, 0, 1, 3, 0, 3, 4, 0, 3, 2), 3
"""The open seas as they are strewn over the chart, mostly empty ones; how many kinds of coast there are."""


def definitions() -> tuple[Markup, ...]:
    """Backs, pencil marks and faces, by name."""
    backs = (_parchment(), _fog_back())
    pencilled = (_pencilled_island("plain"), _pencilled_island("cross"), *map(_pencilled_coast, range(COASTS)))
    seas, coasts = map(_open_sea, range(5)), map(_coast, range(COASTS))
    edge = tag("clipPath", tag("path", d=TILE), id="tile-edge")
    return (edge, *backs, *pencilled, *seas, *coasts, _plain(), _cross(), _start(), _avalon(), _glory(), _mist())


def _named(name: str, *parts: Markup) -> Markup:
    return tag("g", *parts, id=name)


def _frame() -> Markup:
    return tag("path", d=TILE, fill="none", stroke="var(--ink)", stroke_width=2)


# Backs


def _parchment() -> Markup:
    """The back of sea and coast: a corner of a chart nobody has filled in."""
    lines = "M-35 -12L35 -24M-35 17L35 29M-18 -35L-27 35M21 -35L13 35"
    return _named(
        "back-sea",
        tag("path", d=TILE, fill="var(--parchment)"),
        drawn(lines, "hatch", 1.5),
        tag("path", d=TILE, fill="url(#grain)"),
        _frame(),
    )


def _fog_back() -> Markup:
    """The back of a tile of fog: bank behind bank."""
    bank = "a8 8 0 0 1 15 -3a10 10 0 0 1 18 -1a9 9 0 0 1 17 2a9 9 0 0 1 20 2L35 35L-35 35Z"
    banks = (
        tag("path", d=f"M-35 {top}{bank}", fill="var(--wisp)", opacity=0.55, transform=f"scale({side} 1)")
        for top, side in ((-14, 1), (3, -1), (21, 1))
    )
    lines = "M-22 -8a6 6 0 0 1 11 -2M8 9a7 7 0 0 1 13 1M-24 24a7 7 0 0 1 13 0M10 -22q6 -5 12 0t9 -1M-30 -25q5 -4 10 0"
    return _named(
        "back-fog",
        tag("path", d=TILE, fill="var(--mist)"),
        tag("g", *banks, clip_path="url(#tile-edge)"),
        drawn(lines, "haze", 2.2),
        tag("path", d=TILE, fill="url(#grain)"),
        _frame(),
    )


def _pencilled_island(kind: str) -> Markup:
    """An island of the layout that everybody knows, lightly on the back; its cross in red pencil."""
    shore = "M-24 9Q-25 3 -17 2Q-14 -4 -9 -5Q-5 -13 1 -12Q7 -12 10 -4Q16 -4 18 2Q25 4 24 9Q12 13 0 12Q-13 13 -24 9Z"
    hatching = "M-16 8l5 -5M-8 9l6 -6M1 9l6 -6M10 8l5 -5M-29 15q5 -4 10 0t10 0M4 17q5 -4 10 0t10 0"
    cross = (drawn("M0 -27L0 -6M-7 -20L7 -20", "rubric", 4),) if kind == "cross" else ()
    return _named(f"pencil-{kind}", drawn(shore, "pencil", 2), drawn(hatching, "pencil", 1.2), *cross)


def _pencilled_coast(number: int) -> Markup:
    """Coast on the back of its tile: hills."""
    hills = (
        "M-27 12Q-17 -15 -6 6M-11 -1Q3 -23 15 8M10 0Q20 -10 27 12",
        "M-26 8Q-13 -22 0 10M-5 -2Q10 -18 26 10",
        "M-27 10Q-20 -6 -12 6M-16 2Q-2 -26 10 8M5 -4Q16 -14 26 10",
    )[number]
    return _named(
        f"pencil-coast-{number}",
        drawn(hills, "pencil", 2),
        drawn("M-22 19L-14 14M-10 20L0 14M3 20L12 14M15 20L23 15", "pencil", 1.3),
    )


# Faces


def _water(*parts: Markup) -> tuple[Markup, ...]:
    """A tile of sea with what lies in it."""
    return (
        tag("path", d=TILE, fill="var(--sea)"),
        *parts,
        tag("path", d=TILE, fill="url(#grain)"),
        _frame(),
    )


def _open_sea(number: int) -> Markup:
    """Waves, and now and then what old charts say is in the deep."""
    creature = (
        "",
        "M-14 2Q-8 -4 -1 2Q-8 8 -14 2L-18 -2L-18 6ZM-5 1h.1M2 18Q8 12 15 18Q8 24 2 18L-2 14L-2 22Z",
        "M-20 16Q-18 -2 2 -2Q18 -2 20 8Q25 6 27 0M-20 16Q2 22 16 16L20 8M-13 11h.1M-6 -7q-1 -7 -7 -7M-5 -7q1 -7 7 -7",
        "",
        "M-27 14Q-23 0 -16 14M-11 14Q-5 -6 1 14M6 14Q6 -8 14 -9Q21 -9 19 -3L12 -4Q11 4 11 14M15 -6h.1",
    )[number]
    random = Random(number)
    strokes = []
    for y in range(-24, 20, 13):
        for x in range(-30, 20, 19):
            across, down, length = x + random.random() * 5, y + random.random() * 6, 5 + random.random() * 3
            if not (random.random() < 0.15 or (creature and abs(x + 11) < 22 and y > -18)):
                strokes.append(f"M{across:.0f} {down:.0f}q{length / 2:.1f} -5 {length:.1f} 0t{length:.1f} 0")
    return _named(
        f"face-open-{number}",
        *_water(drawn("".join(strokes), "foam", 2), drawn(creature, "deep", 2.2)),
    )


def _island(kind: str, *parts: Markup) -> Markup:
    """Land in the surf."""
    return _named(
        f"face-{kind}",
        *_water(
            tag("path", d=SURF, fill="var(--shallow)"),
            painted("path", "sand", ink=2.2, d=SHORE),
            tag("path", d=MEADOW, fill="var(--grass)"),
            *parts,
        ),
    )


def _plain() -> Markup:
    """An island without a cross: two palms."""
    return _island("plain", _palm(-7, 8, 1), _palm(12, 5, 0.82))


def _palm(x: float, y: float, scale: float) -> Markup:
    frond = "M0 0Q10 -12 22 -3Q12 -4 0 2Z"
    crown = (
        painted("path", "leaf", ink=1.8, d=frond, transform=f"translate(4 -23) rotate({angle})")
        for angle in (-165, -120, -60, -10, 35)
    )
    return tag("g", drawn("M0 0Q4 -11 4 -22", "ink", 4), *crown, transform=f"translate({x} {y}) scale({scale})")


def _cross() -> Markup:
    """An island with the red cross."""
    arms = "M-5.5 -23h11v12.5h11v11h-11v19h-11v-19h-11v-11h11z"
    return _island(
        "cross",
        tag("path", d=arms, fill="var(--halo)", stroke="var(--halo)", stroke_width=6, stroke_linejoin="round"),
        painted("path", "cross", ink=2, d=arms),
    )


def _coast(number: int) -> Markup:
    """The coast: a beach, and mountains, a lighthouse or a town above it."""
    inland = (
        (
            painted("path", "rock", ink=2, d="M-32 10L-17 -20L-6 -2L6 -25L24 10Z"),
            tag("path", d="M-17 -20L-22 -9L-16 -12L-12 -10ZM6 -25L-1 -13L6 -16L12 -13Z", fill="var(--halo)"),
        ),
        (
            painted("path", "rock", ink=2, d="M-16 12L-7 -2L10 -3L20 12Z"),
            painted("path", "halo", ink=2, d="M-5 4L-2.5 -22L6.5 -22L9 4Z"),
            tag("path", d="M-3.2 -12L7 -12L7.8 -4L-4 -4Z", fill="var(--cross)"),
            painted("path", "glow", ink=2, d="M-4 -22L-4 -29L8 -29L8 -22Z"),
            drawn("M-10 -26L-22 -29M14 -26L26 -29M-10 -22L-20 -20M14 -22L24 -20", "glow", 2.6),
        ),
        (
            painted(
                "path", "halo", ink=1.8, d="M-25 9L-25 -8L-9 -8L-9 9ZM-4 9L-4 -14L9 -14L9 9ZM12 9L12 -4L26 -4L26 9Z"
            ),
            painted("path", "cross", ink=1.8, d="M-28 -8L-17 -20L-6 -8ZM-7 -14L2.5 -27L12 -14ZM9 -4L19 -14L29 -4Z"),
            tag("path", d="M-20 -2h5v11h-5zM0 -7h5v6h-5zM17 2h4v7h-4z", fill="var(--ink)"),
        ),
    )[number]
    return _named(
        f"face-coast-{number}",
        *_water(
            tag("path", d="M-35 -35L35 -35L35 20Q22 29 6 25Q-14 19 -35 28Z", fill="var(--shallow)"),
            painted("path", "sand", ink=2, d="M-35 -35L35 -35L35 14Q22 22 6 18Q-14 12 -35 21Z"),
            tag("path", d="M-35 -35L35 -35L35 8Q20 13 4 10Q-14 7 -35 13Z", fill="var(--grass)"),
            *inland,
        ),
    )


def _start() -> Markup:
    """The tile the voyage starts from: the wind rose."""
    return _named(
        "face-start",
        *_water(
            tag("circle", r=29, fill="var(--cardboard)", stroke="var(--ink)", stroke_width=2),
            tag("circle", r=20, fill="none", stroke="var(--ink)", stroke_width=1.4),
            tag("path", d=rose_points(28, 18, 6), fill="var(--navy)", transform="rotate(45) scale(.72)"),
            painted("path", "navy", ink=1, d=rose_points(28, 1, 5)),
            painted("path", "cross", ink=1, d="M0 0L-4.5 -4.5L0 -28L4.5 -4.5Z"),
        ),
    )


def _avalon() -> Markup:
    """Avalon: the fairies' island, its tower and apple trees in a light of its own."""
    rays = "".join(_ray(math.pi / 8 * ray) for ray in range(16))
    apple = ((-15, 5), (-21, 9), (16, 6), (21, 10))
    tower = "M-6 8L-6 -13L-9 -13L-9 -19L-5 -19L-5 -16L-2 -16L-2 -19L2 -19L2 -16L5 -16L5 -19L9 -19L9 -13L6 -13L6 8Z"
    sparks = "".join(
        f"M{x} {y - 5}L{x + 1.4} {y - 1.4}L{x + 5} {y}L{x + 1.4} {y + 1.4}L{x} {y + 5}L{x - 1.4} {y + 1.4}L{x - 5} {y}"
        f"L{x - 1.4} {y - 1.4}Z"
        for x, y in ((-24, -18), (23, -22), (-14, -28), (27, -4), (-29, -2))
    )
    return _named(
        "face-avalon",
        tag("path", d=TILE, fill="var(--dusk)"),
        tag("path", d=rays, fill="var(--glow)", opacity=0.5, clip_path="url(#tile-edge)"),
        tag("circle", r=23, cy=-4, fill="var(--glow)", opacity=0.75),
        painted("path", "leaf", ink=2, d="M-31 21Q-25 3 -8 7Q0 1 10 6Q25 3 31 21Q16 27 0 25Q-18 27 -31 21Z"),
        painted("path", "halo", ink=2, d=tower),
        painted("path", "fairy", ink=2, d="M-2.5 8L-2.5 0Q0 -4 2.5 0L2.5 8Z"),
        drawn("M0 -19L0 -31", "ink", 2),
        painted("path", "fairy", ink=1.4, d="M0 -31L11 -28L0 -24Z"),
        *(painted("circle", "grass", ink=1.4, r=5.5, cx=x, cy=y) for x, y in ((-18, 6), (18, 7))),
        *(tag("circle", r=1.9, cx=x, cy=y, fill="var(--cross)") for x, y in apple),
        tag("path", d=sparks, fill="var(--halo)"),
        tag("path", d="M-35 26q9 -6 18 0t18 0t18 0t16 -3L35 31Q35 35 31 35L-31 35Q-35 35 -35 31Z", fill="var(--wisp)"),
        _frame(),
    )


def _glory() -> Markup:
    """The light around Avalon once it is found."""
    beams = "".join(_ray(math.pi / 12 * beam) for beam in range(24))
    return _named(
        "light",
        tag("circle", r=57, fill="var(--glow)", opacity=0.4),
        tag("path", d=beams, fill="var(--glow)", opacity=0.7, transform="translate(0 5) scale(1.2)"),
    )


def _ray(angle: float) -> str:
    """A ray of the light of Avalon, from its middle beyond the edge of the tile."""
    spread = ((13.0, 0.0), (54.0, -0.09), (54.0, 0.09))
    points = ((r * math.cos(angle + turn), r * math.sin(angle + turn) - 4) for r, turn in spread)
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"


def _mist() -> Markup:
    """What stays of the fog on its tiles once they are turned: wisps at the edges."""
    wisp = "M-34 -34L-4 -34Q-2 -27 -9 -26Q-16 -27 -17 -22Q-20 -17 -25 -19Q-24 -11 -29 -9Q-32 -8 -34 -10Z"
    corners = (tag("path", d=wisp, fill="var(--wisp)", transform=f"rotate({turn})") for turn in (0, 90, 180, 270))
    return _named("mist", tag("g", *corners, opacity=0.94), _frame())


def face(name: str, **attributes: object) -> Markup:
    """The face of a tile by name."""
    return use(f"face-{name}", **attributes)
