"""The shapes of the pieces, drawn once and used by name: the ship, cards, votes, roles, the signs of the summary."""

from functools import cache

from markupsafe import Markup

from tavola.games.voyage import picture_tiles
from tavola.games.voyage.components import COURSES, ROLES
from tavola.show.prints import CARD, card_back, drawn, edged, grain, painted, rose_points, use
from tavola.show.svg import tag

ARROW = "M0 -27L15 -8L6.5 -8L6.5 24L-6.5 24L-6.5 -8L-15 -8Z"
"""An arrow to the north, 51 units long."""
COCKED_HAT = "M-16 5Q-14 -10 0 -13Q14 -10 16 5Q8 0 0 0Q-8 0 -16 5Z"


@cache
def definitions() -> Markup:
    """All shapes."""
    return tag(
        "defs",
        grain(),
        *picture_tiles.definitions(),
        _ship(),
        *(_emblem(role) for role in range(len(ROLES))),
        *(_role_card(role) for role in range(len(ROLES))),
        _role_back(),
        *map(_course_card, range(len(COURSES))),
        _course_back(),
        _ballot("white", "black"),
        _ballot("black", "white"),
        card_back("ballot-back"),
        _hat(),
        *_signs(),
    )


def heading(course: int) -> int:
    """Degrees clockwise from north."""
    return 90 * course


def _ship() -> Markup:
    """A caravel under full sail, 48 units wide."""
    hull = "M-24 3L-16 3L-15 8L13 8L15 2L24 1Q23 13 16 20Q0 24 -15 20Q-22 14 -24 3Z"
    main, fore, flag = (
        "M-7 -20Q9 -22 12 -17Q15 -8 10 1Q-2 -3 -9 2Q-3 -9 -7 -20Z",
        "M13 -13Q22 -12 23 -6Q23 -1 20 2Q15 -1 12 1Q16 -5 13 -13Z",
        "M0 -31L-13 -28L0 -24Z",
    )
    return tag(
        "g",
        edged("path", 7, d=hull),
        edged("path", 6, d="M-13 -29L0 -33L12 -20L24 -7L22 4L-22 5Z"),
        drawn("M0 8L0 -31M14 5L14 -14", "ink", 2.8),
        painted("path", "cross", ink=1.8, d=flag),
        painted("path", "sail", ink=2, d=main),
        drawn("M4 -16L4 -4M-1 -10.5L9 -10.5", "cross", 3),
        painted("path", "sail", ink=2, d=fore),
        painted("path", "wood", ink=2.2, d=hull),
        drawn("M-20 11Q0 15 19 10", "ink", 1.6),
        drawn("M-26 20q4.5 -5 9 0t9 0t9 0t9 0t9 0t7 -1", "foam", 3.4),
        id="ship-shape",
    )


def _emblem(role: int) -> Markup:
    """The sign of a role, about 36 units across, printed in the colour of sails."""
    sign = (_admiral, _cabin_boy, _merchant, _traitor, _explorer, _sailor)[role]
    return tag("g", *sign(), id=f"emblem-{role}")


def _sailcloth(path: str) -> Markup:
    return tag("path", d=path, fill="var(--sail)", fill_rule="evenodd")


def _lines(path: str, width: float) -> Markup:
    return drawn(path, "sail", width)


def _admiral() -> tuple[Markup, ...]:
    """A cocked hat with a cockade."""
    return (
        _sailcloth("M-18 9Q-17 -10 0 -15Q17 -10 18 9Q9 2 0 2Q-9 2 -18 9Z"),
        tag("circle", r=4, cy=-5.5, fill="var(--gold)", stroke="var(--ink)", stroke_width=1.4),
        _lines("M-15 14Q0 6 15 14", 3),
    )


def _cabin_boy() -> tuple[Markup, ...]:
    """A bucket and a mop."""
    return (
        _sailcloth("M-15 0L5 0L2 17L-12 17Z"),
        _lines("M-14 0Q-12 -12 -5 -12Q2 -12 4 0", 2.6),
        _lines("M15 -17L9 8", 3.4),
        _sailcloth("M4 7L14 9Q17 14 14 18L2 16Q2 11 4 7Z"),
    )


def _merchant() -> tuple[Markup, ...]:
    """A purse with a cross on it."""
    return (
        _sailcloth("M-5 -9Q-17 0 -16 10Q-14 18 0 18Q14 18 16 10Q17 0 5 -9Z"),
        _sailcloth("M-5 -12L-9 -18Q0 -14 9 -18L5 -12Z"),
        drawn("M0 -3L0 13M-6 3L6 3", "cross", 3.6),
    )


def _traitor() -> tuple[Markup, ...]:
    """A dagger."""
    return (
        _sailcloth("M0 19L-5 10L-4 -4L4 -4L5 10Z"),
        _lines("M-11 -5L11 -5", 4.4),
        _lines("M0 -8L0 -14", 4.4),
        tag("circle", r=3.6, cy=-17, fill="var(--gold)"),
    )


def _explorer() -> tuple[Markup, ...]:
    """A spyglass, drawn out."""
    parts = (
        _sailcloth("M-19 -4L-8 -4L-8 4L-19 4Z"),
        _sailcloth("M-6 -6L6 -6L6 6L-6 6Z"),
        _sailcloth("M8 -8L20 -9L20 9L8 8Z"),
    )
    stars = _sailcloth("M8 -22l1.8 4.2l4.2 1.8l-4.2 1.8l-1.8 4.2l-1.8 -4.2l-4.2 -1.8l4.2 -1.8z")
    return (tag("g", *parts, transform="translate(-1 3) rotate(-32)"), tag("g", stars, transform="translate(-18 4)"))


def _sailor() -> tuple[Markup, ...]:
    """An anchor."""
    return (
        tag("circle", r=4, cy=-14, fill="none", stroke="var(--sail)", stroke_width=3),
        _lines("M0 -10L0 16M-9 -5L9 -5M-15 4Q-14 16 0 17Q14 16 15 4", 3.8),
        _sailcloth("M-20 8L-15 0L-9 7ZM20 8L15 0L9 7Z"),
    )


def _role_card(role: int) -> Markup:
    """The face of a role card: the emblem on the role's ground."""
    return tag(
        "g",
        painted("path", "cardboard", d=CARD),
        painted("rect", "own", ink=0, x=-21, y=-34, width=42, height=68, rx=3),
        drawn("M-16 -28Q0 -33 16 -28M-16 27Q0 33 16 27", "sail", 1.8),
        use(f"emblem-{role}", transform="translate(0 -9)"),
        id=f"role-card-{role}",
    )


def _role_back() -> Markup:
    """A cloud of fog with a question in it."""
    return tag(
        "g",
        painted("path", "cardboard", d=CARD),
        painted("rect", "dusk", ink=0, x=-21, y=-34, width=42, height=68, rx=3),
        drawn("M-15 -22a5 5 0 1 1 10 0a7 7 0 1 1 -13 3M6 22a5 5 0 1 1 10 0a7 7 0 1 1 -13 3", "fairy", 2.6),
        id="role-back",
    )


def _course_card(course: int) -> Markup:
    """The face of a course card: an arrow over a wind rose."""
    return tag(
        "g",
        painted("path", "cardboard", d=CARD),
        tag("path", d=rose_points(30, 19, 6), fill="var(--waves)", opacity=0.5, transform="scale(.8)"),
        painted("path", "cross", ink=2, d=ARROW, transform=f"rotate({heading(course)}) scale(.8)"),
        id=f"course-{course}",
    )


def _course_back() -> Markup:
    """The back of the course cards: the wind rose."""
    return tag(
        "g",
        painted("path", "cardboard", d=CARD),
        painted("rect", "navy", ink=0, x=-21, y=-34, width=42, height=68, rx=3),
        tag("circle", r=14, fill="none", stroke="var(--waves)", stroke_width=1.6),
        tag("path", d=rose_points(30, 17, 5), fill="var(--waves)", transform="scale(.62)"),
        drawn("M-15 -27L15 -27M-15 27L15 27", "waves", 2.2),
        id="course-back",
    )


def _ballot(colour: str, ground: str) -> Markup:
    """The face of a vote: a disc on the ground of the other colour; the white one is a ring, the black one full."""
    shine = drawn("M-9 -4A10 10 0 0 1 -3 -10", "waves", 2.4)
    return tag(
        "g",
        painted("path", "cardboard", d=CARD),
        painted("rect", "navy" if colour == "white" else "sand", ink=1, x=-21, y=-34, width=42, height=68, rx=3),
        painted("circle", colour, ink=2.4, r=15),
        drawn("M-7 0L-2 6L8 -6", "black", 4) if colour == "white" else shine,
        id=f"ballot-{colour}-shape",
    )


def _hat() -> Markup:
    """The captain's hat, 34 units wide."""
    return tag(
        "g",
        edged("path", 5, d=COCKED_HAT),
        painted("path", "navy", ink=2, d=COCKED_HAT),
        drawn("M-14 3Q-7 -2.5 0 -2.5Q7 -2.5 14 3", "gold", 2.6),
        tag("circle", r=2.8, cy=-8, fill="var(--gold)"),
        id="hat",
    )


def _signs() -> tuple[Markup, ...]:
    """What brings points, small enough for the summary: about 26 units across."""
    island = painted("path", "sand", ink=1.8, d="M-13 7Q-11 -5 0 -6Q11 -5 13 7Q0 11 -13 7Z")
    tower = "M-4 5L-4 -7L-6 -7L-6 -12L6 -12L6 -7L4 -7L4 5Z"
    halo = tag("circle", r=13, fill="var(--glow)", stroke="var(--ink)", stroke_width=1.8)
    avalon = (halo, painted("path", "halo", ink=1.6, d=tower), painted("path", "leaf", ink=1.6, d="M-10 8Q0 -1 10 8Z"))
    square = "M-11 -11L11 -11L11 11L-11 11Z"
    sea = painted("path", "sea", ink=1.8, d=square)
    cross = "M-2.5 -10h5v5.5h5v5h-5v8h-5v-8h-5v-5h5z"
    return (
        tag(
            "g",
            island,
            painted("path", "leaf", ink=1.4, d="M-1 -5Q-9 -12 -12 -5Q-5 -8 0 -4Q6 -9 12 -4Q9 -13 -1 -5Z"),
            id="sign-island",
        ),
        tag("g", island, painted("path", "cross", ink=1.4, d=cross), id="sign-cross"),
        tag("g", *avalon, id="sign-avalon"),
        tag(
            "g", *avalon, drawn("M-14 14L14 -14", "ink", 6), drawn("M-14 14L14 -14", "alarm", 3.4), id="sign-no-avalon"
        ),
        tag("g", sea, drawn("M-8 -3q4 -5 8 0t8 0M-8 5q4 -5 8 0t8 0", "foam", 2), id="sign-sea"),
        tag(
            "g",
            painted("path", "mist", ink=1.8, d=square),
            drawn("M-7 3a4 4 0 1 1 8 0a5 5 0 1 1 -9 2", "wisp", 2.6),
            id="sign-fog",
        ),
        tag(
            "g",
            painted("path", "parchment", ink=1.8, d=square),
            drawn("M-7 11L-7 -7L11 -7", "cross", 3.6),
            id="sign-border",
        ),
    )
