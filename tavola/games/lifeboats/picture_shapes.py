"""The shapes of the pieces, drawn once and used by name: men, hulls, leaks, cards, and the sign of each colour.

Every colour has a sign of its own, so that nothing depends on seeing colours: a heart is red, a tree green, a diamond
violet, a star yellow, a ring blue, a cross white, a square black.
"""

import math
from functools import cache

from markupsafe import Markup

from tavola.games.lifeboats.components import COLOURS, RANKS, SEATS
from tavola.show.prints import CARD, card_back, drawn, edged, grain, painted, use
from tavola.show.svg import tag

_tips = [(math.pi / 5 * point, (10.5, 4.6)[point % 2]) for point in range(10)]
_star = "L".join(f"{radius * math.sin(turn):.1f} {0.8 - radius * math.cos(turn):.1f}" for turn, radius in _tips)
SIGNS = {
    "red": "M0 9.5C-14 0 -10 -9.5 -4.6 -8.8C-1.8 -8.4 0 -5.8 0 -4.4C0 -5.8 1.8 -8.4 4.6 -8.8C10 -9.5 14 0 0 9.5Z",
    "green": "M0 -10.5L6.8 -1.5L3.8 -1.5L8.8 6L2 6L2 10L-2 10L-2 6L-8.8 6L-3.8 -1.5L-6.8 -1.5Z",
    "violet": "M0 -11L8 0L0 11L-8 0Z",
    "yellow": f"M{_star}Z",
    "blue": "M-9.5 0A9.5 9.5 0 1 1 9.5 0A9.5 9.5 0 1 1 -9.5 0ZM-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0Z",
    "white": "M-3.2 -9.5h6.4v6.3h6.3v6.4h-6.3v6.3h-6.4v-6.3h-6.3v-6.4h6.3Z",
    "black": "M-8.2 -8.2L8.2 -8.2L8.2 8.2L-8.2 8.2Z",
}
"""The sign of each colour, about 20 units across, centred."""

PLAIN = "plain"
"""A man of nobody in particular, for the signs on the islands."""

HULL_WIDTH = 82
BOW, STERN = 45, 13
"""The parts of a boat before the first bench and behind the last, in units."""


def bench(seats: int) -> int:
    """The distance between the benches of a boat: two places a bench."""
    return 33 if seats <= 6 else 31


def hull_length(seats: int) -> int:
    """The length of a boat with `seats` places, in units."""
    return BOW + bench(seats) * ((seats + 1) // 2) + STERN


def places(seats: int) -> list[tuple[float, float]]:
    """Where the places of a boat are, seen from its middle, the foremost first; an odd one lies astern."""
    first = BOW + bench(seats) / 2 - hull_length(seats) / 2
    spots = [(-17.0 if place % 2 == 0 else 17.0, first + bench(seats) * (place // 2)) for place in range(seats)]
    return spots if seats % 2 == 0 else [*spots[:-1], (0.0, spots[-1][1])]


def face(card: str, **attributes: object) -> Markup:
    """The face of a voting card: a colour's, or `captain`."""
    return use(f"card-{card}", class_=None if card == "captain" else card, **attributes)


@cache
def definitions(seats: int) -> Markup:
    """All shapes, for boats with `seats` places."""
    signs = (tag("path", id=f"sign-{colour}", fill="var(--mark)", d=path) for colour, path in SIGNS.items())
    men = (_man(rank, colour) for rank in RANKS for colour in (*COLOURS[:SEATS], PLAIN))
    cards = (_card(colour) for colour in COLOURS)
    return tag(
        "defs", *signs, *men, _hull(seats), _leak(), *cards, _captain_card(), card_back("card-back"), _cap(), grain()
    )


def _man(rank: str, colour: str) -> Markup:
    """A man from above, in a cap with the sign of his colour."""
    sign = use(f"sign-{colour}", transform="translate(0 .5) scale(.74)") if colour != PLAIN else Markup("")
    return tag("g", *(_sailor() if rank == "sailor" else _officer()), sign, id=f"{rank}-{colour}")


def _sailor() -> tuple[Markup, ...]:
    """Shoulders and a round cap."""
    return (
        edged("ellipse", 4, rx=16, ry=9.5, cy=3.5),
        painted("ellipse", "own", ink=1.8, rx=16, ry=9.5, cy=3.5),
        painted("circle", "own", ink=1.8, r=11.8, cy=-0.5),
    )


def _officer() -> tuple[Markup, ...]:
    """Larger, with gold on his shoulders and round his cap, and a visor."""
    return (
        edged("path", 4, d="M0 -15.5A15.5 15.5 0 0 1 15 -2L18 1L18 11L-18 11L-18 1L-15 -2A15.5 15.5 0 0 1 0 -15.5Z"),
        painted("path", "own", ink=1.8, d="M-14 -2L14 -2L18 2L18 11Q0 18 -18 11L-18 2Z"),
        painted("path", "gold", ink=1.6, d="M-18.4 3L-9 1L-9 12L-18.4 12ZM18.4 3L9 1L9 12L18.4 12Z"),
        painted("circle", "gold", ink=1.8, r=14.2),
        painted("path", "navy", ink=1.4, d="M-12.4 -7Q0 -22 12.4 -7Q0 -14.5 -12.4 -7Z"),
        painted("circle", "own", ink=1.3, r=10.4, cy=1),
    )


def _hull(seats: int) -> Markup:
    """A boat from above, its bow to the islands, with a bench under every place."""
    half = hull_length(seats) / 2
    outline = _hull_path(half, 41)
    floor = (
        f"M-33 {half - 13}L-33 {64 - half}Q-31 {50 - half} -24 {42 - half}L24 {42 - half}Q31 {50 - half} 33 {64 - half}"
        f"L33 {half - 13}Q33 {half - 8} 27 {half - 8}L-27 {half - 8}Q-33 {half - 8} -33 {half - 13}Z"
    )
    seams = f"M-30 {41 - half}Q0 {34 - half} 30 {41 - half}M0 {3 - half}L0 {12 - half}"
    spots = (
        painted("rect", "plank", ink=1, x=x - 14.5, y=y - 13.5, width=29, height=27, rx=8) for x, y in places(seats)
    )
    return tag(
        "g",
        edged("path", 7, d=outline),
        painted("path", "own", d=outline),
        tag("g", drawn(_hull_path(half - 4, 37), "mark", 1.3), opacity=0.55),
        painted("path", "wood", ink=1.8, d=floor),
        drawn(seams, "ink", 1.5),
        *spots,
        drawn(outline, "ink", 2.6),
        id="hull",
    )


def _hull_path(half: float, side: float) -> str:
    """The outline of a boat: pointed bow, straight sides, round stern."""
    bow, shoulder, waist, corner = -half, 34 - half, 66 - half, half - 22
    return (
        f"M0 {bow}C{side * 0.55:g} {bow + 10} {side:g} {shoulder} {side:g} {waist}"
        f"L{side:g} {corner}Q{side:g} {half} {side - 16:g} {half}"
        f"L{16 - side:g} {half}Q{-side:g} {half} {-side:g} {corner}"
        f"L{-side:g} {waist}C{-side:g} {shoulder} {-side * 0.55:g} {bow + 10} 0 {bow}Z"
    )


def _leak() -> Markup:
    """Water in a place: blue, with a drop."""
    return tag(
        "g",
        painted("rect", "water", x=-15.5, y=-14.5, width=31, height=29, rx=9),
        drawn("M-11 9q3.6 -4 7.2 0t7.2 0t7.2 0", "drop", 2),
        painted("path", "drop", d="M0 -11.5C6 -4 7.6 -1 7.6 2A7.6 7.6 0 0 1 -7.6 2C-7.6 -1 -6 -4 0 -11.5Z"),
        id="leak",
    )


def _card(colour: str) -> Markup:
    """The face of a voting card: its colour, with the sign large in the middle and small in two corners."""
    return tag(
        "g",
        painted("path", "cardboard", d=CARD),
        painted("rect", "own", ink=0, x=-21, y=-34, width=42, height=68, rx=3),
        use(f"sign-{colour}", transform="scale(1.6)"),
        use(f"sign-{colour}", transform="translate(-13 -26) scale(.55)"),
        use(f"sign-{colour}", transform="translate(13 26) rotate(180) scale(.55)"),
        id=f"card-{colour}",
    )


def _captain_card() -> Markup:
    """The captain's card: his cap over gold stripes."""
    stripes = "M-21 18L21 18M-21 25L21 25M-21 32L21 32M-21 -30L21 -30"
    return tag(
        "g",
        painted("path", "cardboard", d=CARD),
        drawn(stripes, "gold", 3.4),
        use("cap", transform="translate(0 -4) scale(1.45)"),
        id="card-captain",
    )


def _cap() -> Markup:
    """A captain's cap, 28 units wide."""
    return tag(
        "g",
        edged("path", 4.5, d="M-14 -3Q-15 -12 0 -12Q15 -12 14 -3L11 7Q8 12 0 12Q-8 12 -11 7Z"),
        painted("path", "cardboard", d="M-14 -3Q-15 -12 0 -12Q15 -12 14 -3L10 2L-10 2Z"),
        painted("path", "navy", d="M-10 1L10 1L10 7Q0 4 -10 7Z"),
        painted("path", "gold", d="M-11 7Q0 3 11 7Q8 12 0 12Q-8 12 -11 7Z"),
        painted("circle", "gold", ink=0, r=2.8, cy=-3.5),
        id="cap",
    )
