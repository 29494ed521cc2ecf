"""Where things lie on the board of Fairies, in its own units: gardens by seat, the window, the shields; and the two
elements that all of them have, words and edges.

The window stands in the middle, the gardens of the others are its wings, the own garden is the step before it, larger
than they; the turn goes clockwise round them. The pieces are the same for everybody, drawn as for seat 0: style moves
the gardens of a table round for who sits elsewhere (`seat_styles`). On a phone 360 pixels wide a tile of the others is
40 pixels wide, which a finger finds.
"""

from typing import NamedTuple

from markupsafe import Markup

from tavola.games.fairies.components import SEATS
from tavola.show.kit import Spot, titled_group
from tavola.show.svg import tag

WIDTH, HEIGHT = 990, 865
TILE = 110
GARDEN_WIDTH, GARDEN_HEIGHT = 3 * TILE, 400
FAIRY_X = (TILE // 2, 3 * TILE // 2, 5 * TILE // 2)
"""The middle of each fairy, and of her wand."""
HEAD_Y, FAIRY_HEIGHT, STAR_Y = 64, 112, 177
PANE_WIDTH, PANE_HEIGHT = TILE, 130
WINDOW_X, WINDOW_Y = GARDEN_WIDTH, 10
SHIELD_HEIGHT, ROLL_HEIGHT = 108, 151
"""The height of a place for a shield beside the step, and of one with room for what the shield does."""
LAMPS = ((407, -17), (466, -26), (524, -26), (583, -17))
"""The four phases in the glass above the window; on a low screen they are out of sight."""
STEP_X, STEP_Y, STEP_SCALE = GARDEN_WIDTH, 432.0, 1.28
"""The corner of the step, and how much larger the garden on it is."""
STEP_WIDTH, STEP_HEIGHT = 2 * GARDEN_WIDTH / STEP_SCALE, (HEIGHT - STEP_Y) / STEP_SCALE
"""The step, in units of its garden."""
STEP_TOP = HEAD_Y - 3
"""Where the step begins in a garden: what stands above it there has its place on the sill of the window."""
SILL = Spot(WINDOW_X + 10, 394)
"""The corner of the plaque on the sill, which tells of the own garden."""


class Slot(NamedTuple):
    """The place of a garden: its upper left corner, and how large it is."""

    x: float
    y: float
    scale: float = 1


class Plot(NamedTuple):
    """A place in the garden of a seat, at a table of so many."""

    players: int
    seat: int
    x: float = 0
    y: float = 0


def _step(players: int) -> Slot:
    """The place of the garden on the step: in its middle, or beside the shields where four gardens leave no other."""
    aside = 4.0 if players == SEATS else (2 - STEP_SCALE) * GARDEN_WIDTH / 2
    return Slot(STEP_X + aside, STEP_Y - STEP_TOP * STEP_SCALE, STEP_SCALE)


RIGHT = 2 * GARDEN_WIDTH
SLOTS = {
    2: (_step(2), Slot(0, 0)),
    3: (_step(3), Slot(0, 0), Slot(RIGHT, 0)),
    4: (_step(4), Slot(0, GARDEN_HEIGHT), Slot(0, 0), Slot(RIGHT, 0)),
}
"""The places of the gardens by number of players: the own, then clockwise those of the others."""


def garden_spot(players: int, seat: int, x: float = 0, y: float = 0) -> Spot:
    """A place in a seat's garden, seen from its upper left corner."""
    slot = SLOTS[players][seat]
    return Spot(round(slot.x + x * slot.scale, 2), round(slot.y + y * slot.scale, 2))


def step_left(players: int) -> float:
    """The left edge of the step, in the units of its garden."""
    return round((STEP_X - SLOTS[players][0].x) / STEP_SCALE, 2)


def garden_class(players: int, seat: int) -> str:
    """The class of everything that belongs to a seat's garden."""
    return f"of{players}-at{seat}"


def garden_piece(
    identifier: str,
    title: str,
    *children: str,
    plot: Plot,
    class_: str = "",
    codes: str | None = None,
) -> Markup:
    """A piece that belongs to a seat's garden, at a place in it."""
    at, scale = garden_spot(*plot), SLOTS[plot.players][plot.seat].scale
    classes = f"{class_} {garden_class(plot.players, plot.seat)}".strip()
    return titled_group(identifier, title, *children, at=at, scale=scale, class_=classes, codes=codes)


def seat_styles() -> str:
    """The style by which everybody sees his own garden on the step, and those of the others clockwise round it."""
    return "\n".join(
        _seat_style(players, me, seat) for players in SLOTS for me in range(1, players) for seat in range(players)
    )


def _seat_style(players: int, me: int, seat: int) -> str:
    """From the place where a garden is drawn to the one where who sits on seat `me` sees it."""
    drawn, seen = SLOTS[players][seat], SLOTS[players][(seat - me) % players]
    scale = seen.scale / drawn.scale
    x, y = seen.x - scale * drawn.x, seen.y - scale * drawn.y
    wing, step = ("none", "inline") if seat == me else ("inline", "none")
    where = f'[data-me="{me}"] .fairies .{garden_class(players, seat)}'
    return f"{where}{{translate:{x:.1f}px {y:.1f}px;scale:{scale:.4f};--wing:{wing};--step:{step}}}"


def pane_spot(place: int) -> Spot:
    """The upper left corner of a pane, from 0."""
    return Spot(WINDOW_X + PANE_WIDTH * (place % 3), WINDOW_Y + PANE_HEIGHT * (place // 3))


def shield_spot(players: int, place: int) -> Spot:
    """The upper left corner of a place for a shield, from 0: beside the step, or where there is room below a wing."""
    if players == SEATS:
        return Spot(WIDTH - 2 * TILE + TILE * (place % 2), HEIGHT - 4 * SHIELD_HEIGHT + SHIELD_HEIGHT * (place // 2))
    return Spot(TILE * (place % 3), GARDEN_HEIGHT + 12 + ROLL_HEIGHT * (place // 3))


def deck_spot(players: int) -> Spot:
    """The upper left corner of the deck; the pile lies beside it."""
    return (
        Spot(14, 2 * GARDEN_HEIGHT + 6)
        if players == SEATS
        else Spot(2 * TILE + 4, GARDEN_HEIGHT + 16 + 2 * ROLL_HEIGHT)
    )


def edge(width: float, height: float, rx: float) -> Markup:
    """The edge of what can be chosen, which glows."""
    return tag("rect", class_="edge", width=width, height=height, rx=rx)


def board_text(words: str, x: float, y: float, class_: str) -> Markup:
    """Words on the board."""
    return tag("text", words, x=float(x), y=float(y), class_=f"tx {class_}")
