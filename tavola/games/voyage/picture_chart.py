"""What never moves: the sheet, the chart with the backs of its tiles, the turn counters, the summary of the roles."""

from functools import lru_cache

from markupsafe import Markup

from tavola.games.voyage import components
from tavola.games.voyage.components import (
    CELL_COUNT,
    CHART_CROSSES,
    CHART_ISLANDS,
    COAST,
    EMENDED,
    FOG,
    RANDOM,
    ROLES,
    START,
    TURNS,
)
from tavola.games.voyage.picture_shapes import definitions
from tavola.games.voyage.picture_tiles import COASTS
from tavola.games.voyage.words.titles import LAID, back_title, role_way
from tavola.games.voyage.words.vocabulary import ROLE
from tavola.show.prints import Place, box, drawn, rough, use
from tavola.show.speech import Say
from tavola.show.svg import tag

WIDTH, HEIGHT = 720, 1096
CELL, LEFT, TOP = 74, 27, 36
RIGHT, BOTTOM = LEFT + CELL * components.WIDTH, TOP + CELL * components.HEIGHT
TRACK_TOP, TRACK_WIDTH, TRACK_HEIGHT = 574, (RIGHT - LEFT) / 10, 34
DESK_TOP, DESK_HEIGHT, DESK_WIDTH = 656, 108, 326
TEXT_X = 142
"""How far into a half of the desk its words begin."""
SEATS_TOP, SEATS_BOTTOM = 774, 938
HEADING_TOP, HEADING_HEIGHT = 946, 56
SUMMARY_TOP, SUMMARY_WIDTH, SUMMARY_HEIGHT = 1009, 222, 39
ONES = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
NUMERALS = (*ONES[1:], "X", *(f"X{one}" for one in ONES[1:]), "XX")

SIGNS = (
    (("avalon", "5"), ("island", "≤4"), ("", "3")),
    (("island", "1"), ("avalon", "2")),
    (("cross", "2"), ("avalon", "1")),
    (("no-avalon", "5"), ("island", "≥5"), ("", "3")),
    (("border", ""), ("border", "1"), ("fog", "1"), ("avalon", "3")),
    (("sea", "2"),),
)
"""The ways to points of each role in signs: what it counts, and how much it is worth."""
EMENDED_SIGNS = (("sea", ""), ("sea", "1"))


def cell_middle(cell: int) -> Place:
    """The middle of a cell of the chart."""
    row, column = divmod(cell, components.WIDTH)
    return LEFT + CELL * (column + 0.5), TOP + CELL * (row + 0.5)


def turn_box(turn: int) -> Place:
    """The top left corner of a turn's box, 1 to 20."""
    line, column = divmod(turn - 1, 10)
    return LEFT + TRACK_WIDTH * column, TRACK_TOP + TRACK_HEIGHT * line


def desk_side(ballot: int) -> Place:
    """The top left corner of the half of the desk for white (0) or black (1)."""
    return LEFT + (RIGHT - LEFT - DESK_WIDTH) * ballot, DESK_TOP


@lru_cache(maxsize=256)
def chart(layout: int, sailor: int, say: Say) -> Markup:
    """The whole background, with the definitions of all shapes."""
    parts = (_sheet(), _table(), _names(say), *(_back(cell, layout, say) for cell in range(CELL_COUNT)))
    return tag(
        "g", definitions(), *parts, _track(), _desk(say), _summary(sailor, say), id="chart", class_="piece chart"
    )


def _sheet() -> Markup:
    edge = rough(box(10, SEATS_TOP, WIDTH - 10, SEATS_BOTTOM), 8)
    return tag(
        "g",
        tag("rect", class_="paper", width=WIDTH, height=HEIGHT, rx=14),
        tag("path", class_="panel", d=edge),
    )


def _table() -> Markup:
    """What the tiles lie on."""
    edge = rough(box(LEFT - 4, TOP - 4, RIGHT + 4, BOTTOM + 4), 3)
    return tag("g", tag("path", class_="table", d=edge), tag("path", class_="line", d=edge))


def _names(say: Say) -> Markup:
    """The names of columns and rows."""
    columns = (tag("text", name, class_="faded", x=cell_middle(n)[0], y=24) for n, name in enumerate("abcdefghi"))
    rows = (
        tag("text", str(row + 1), class_="faded", x=12, y=cell_middle(row * components.WIDTH)[1] + 7)
        for row in range(components.HEIGHT)
    )
    return tag("g", *columns, *rows)


def known(cell: int, layout: int) -> str:
    """What everybody knows of a tile face down: fog, coast, and on the recommended layout the sea."""
    if FOG >> cell & 1:
        return "fog"
    if COAST >> cell & 1:
        return "coast"
    if layout == RANDOM:
        return "hidden"
    if not CHART_ISLANDS >> cell & 1:
        return "open"
    return "cross" if CHART_CROSSES >> cell & 1 else "plain"


def _back(cell: int, layout: int, say: Say) -> Markup:
    """A tile face down; the start lies open, and its piece covers it."""
    if START >> cell & 1:
        return Markup("")
    x, y = cell_middle(cell)
    return tag(
        "g",
        tag("title", back_title(cell, known(cell, layout), say)),
        *back(cell, layout),
        transform=f"translate({x:g} {y:g})",
    )


def back(cell: int, layout: int) -> tuple[Markup, ...]:
    """The back of a tile with what is pencilled on it."""
    kind = known(cell, layout)
    if kind == "fog":
        return (use("back-fog", transform="scale(-1 1)" if cell % 2 else None),)
    paper = use("back-sea", transform="rotate(180)" if cell % 2 else None)
    if kind == "coast":
        return paper, use(f"pencil-coast-{coast_number(cell)}")
    return (paper, use(f"pencil-{kind}")) if kind in ("cross", "plain") else (paper,)


def coast_number(cell: int) -> int:
    """Which of the coasts is printed on a cell."""
    return (cell % components.WIDTH + cell // components.WIDTH) % COASTS


def _track() -> Markup:
    """The two turn counters, I to X and XI to XX."""
    height = TRACK_HEIGHT * 2
    edge = rough(box(LEFT, TRACK_TOP, RIGHT, TRACK_TOP + height), 4)
    lines = "".join(f"M{LEFT + TRACK_WIDTH * n:.1f} {TRACK_TOP}v{height}" for n in range(1, 10))
    across = f"M{LEFT} {TRACK_TOP + TRACK_HEIGHT}H{RIGHT}"
    numerals = (_numeral(turn) for turn in range(1, TURNS + 1))
    return tag(
        "g",
        tag("path", class_="panel", d=edge),
        tag("path", class_="rule", d=lines + across),
        tag("path", class_="line", d=edge),
        *numerals,
    )


def _numeral(turn: int) -> Markup:
    x, y = turn_box(turn)
    name = NUMERALS[turn - 1]
    fitted = {"textLength": 30, "lengthAdjust": "spacingAndGlyphs"} if len(name) > 2 or name in {"XV", "XX"} else {}
    return tag("text", name, class_="title faded left", x=x + 8, y=y + 24, **fitted)


def _desk(say: Say) -> Markup:
    """Where the captain lays his courses: the preferred one to the white vote, the alternative to the black."""
    return tag("g", *(_desk_half(ballot, say) for ballot in range(2)))


def _desk_half(ballot: int, say: Say) -> Markup:
    x, y = desk_side(ballot)
    edge = rough(box(x, y, x + DESK_WIDTH, y + DESK_HEIGHT), 11 + ballot)
    slot = tag("rect", class_="empty idle", x=x + 80, y=y + 16, width=50, height=76, rx=6)
    caption = tag("text", say(LAID[ballot]), class_="left faded light", x=x + TEXT_X, y=y + 32)
    return tag("g", tag("path", class_="panel", d=edge), slot, caption)


def _summary(sailor: int, say: Say) -> Markup:
    """The card every player has: what brings points to whom."""
    heading = tag(
        "text", say("Six secret roles, and what brings them points"), class_="title", x=360, y=HEADING_TOP + 35
    )
    return tag("g", heading, *(_summed(role, sailor, say) for role in range(len(ROLES))))


def summary_place(role: int) -> Place:
    """The top left corner of a role in the summary."""
    line, column = divmod(role, 3)
    return LEFT + SUMMARY_WIDTH * column, SUMMARY_TOP + (SUMMARY_HEIGHT + 4) * line


def _summed(role: int, sailor: int, say: Say) -> Markup:
    x, y = summary_place(role)
    title = say("{role}: {way}", role=say(ROLE[role]), way=role_way(role, sailor, say))
    emended = role == len(ROLES) - 1 and sailor == EMENDED
    return tag(
        "g",
        tag("title", title),
        tag("rect", class_="panel", width=SUMMARY_WIDTH - 6, height=SUMMARY_HEIGHT, rx=8),
        tag("rect", class_="own inked", x=0, y=0, width=44, height=SUMMARY_HEIGHT, rx=8),
        use(f"emblem-{role}", transform=f"translate(22 {SUMMARY_HEIGHT / 2}) scale(.86)"),
        *_signs(EMENDED_SIGNS if emended else SIGNS[role]),
        class_=f"role-{role}",
        transform=f"translate({x:g} {y:g})",
    )


def _signs(signs: tuple[tuple[str, str], ...]) -> list[Markup]:
    middle, x, parts = SUMMARY_HEIGHT / 2, 62, []
    for name, worth in signs:
        if name:
            parts.append(use(f"sign-{name}", transform=f"translate({x} {middle:g})"))
            x += 16 if worth else 9
        else:
            parts.append(drawn(f"M{x - 14} {middle:g}h11m-4 -4l4 4l-4 4", "print", 2.2))
            x += 3
        parts.append(tag("text", worth, class_="left", x=x, y=middle + 7))
        x += 15 * len(worth) + (18 if worth else 13)
    return parts


assert len(SIGNS) == len(ROLES)
