"""Layout of the board of Fairies in its own units: gardens by seat, the window, the shields. Also text and edges, the
two elements that all of them share.

The window is in the middle. The other players' gardens are its wings, and the player's own garden is the larger step
before it; turns go clockwise. The pieces are the same for all viewers, drawn as for seat 0: CSS rotates the gardens for
the other seats (`seat_styles`). On a phone 360 pixels wide, a tile of a wing is 40 pixels wide, large enough for a
finger.
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
"""The middle of each fairy and of her wand."""
HEAD_Y, FAIRY_HEIGHT, STAR_Y = 64, 112, 177
PANE_WIDTH, PANE_HEIGHT = TILE, 130
WINDOW_X, WINDOW_Y = GARDEN_WIDTH, 10
SHIELD_HEIGHT, ROLL_HEIGHT = 108, 151
"""Height of a shield's place beside the step, and of one with room for the text of its effect."""
LAMPS = ((407, -17), (466, -26), (524, -26), (583, -17))
"""The four phases in the glass above the window; hidden on a low screen."""
STEP_X, STEP_Y, STEP_SCALE = GARDEN_WIDTH, 432.0, 1.28
"""Corner of the step, and the scale of the garden on it."""
STEP_WIDTH, STEP_HEIGHT = 2 * GARDEN_WIDTH / STEP_SCALE, (HEIGHT - STEP_Y) / STEP_SCALE
"""Size of the step, in units of its garden."""
STEP_TOP = HEAD_Y - 3
"""Top of the step within a garden; what a wing shows above this line is on the sill of the window instead."""
SILL = Spot(WINDOW_X + 10, 394)
"""Corner of the plaque on the sill, which sums up the player's own garden."""


class Slot(NamedTuple):
    """A garden's place: its upper left corner and its scale."""

    x: float
    y: float
    scale: float = 1


class Plot(NamedTuple):
    """A point in a seat's garden, at a table of `players`."""

    players: int
    seat: int
    x: float = 0
    y: float = 0


def fairy_plot(players: int, seat: int, fairy: int) -> Plot:
    return Plot(players, seat, FAIRY_X[fairy] - TILE / 2, HEAD_Y)


def _step(players: int) -> Slot:
    """Return the slot on the step: centred, or beside the shields if four gardens leave no other room."""
    aside = 4.0 if players == SEATS else (2 - STEP_SCALE) * GARDEN_WIDTH / 2
    return Slot(STEP_X + aside, STEP_Y - STEP_TOP * STEP_SCALE, STEP_SCALE)


RIGHT = 2 * GARDEN_WIDTH
SLOTS = {
    2: (_step(2), Slot(0, 0)),
    3: (_step(3), Slot(0, 0), Slot(RIGHT, 0)),
    4: (_step(4), Slot(0, GARDEN_HEIGHT), Slot(0, 0), Slot(RIGHT, 0)),
}
"""Slots of the gardens by number of players: the player's own, then the others clockwise."""


def step_left(players: int) -> float:
    """Return the left edge of the step, in the units of its garden."""
    return round((STEP_X - SLOTS[players][0].x) / STEP_SCALE, 2)


def garden_class(players: int, seat: int) -> str:
    return f"of{players}-at{seat}"


def garden_piece(
    identifier: str, title: str, *children: str, plot: Plot, class_: str = "", codes: str | None = None
) -> Markup:
    slot = SLOTS[plot.players][plot.seat]
    at = Spot(round(slot.x + plot.x * slot.scale, 2), round(slot.y + plot.y * slot.scale, 2))
    classes = f"{class_} {garden_class(plot.players, plot.seat)}".strip()
    return titled_group(identifier, title, *children, at=at, scale=slot.scale, class_=classes, codes=codes)


def seat_styles() -> str:
    """Return the CSS that shows each player their own garden on the step and the others clockwise round it."""
    return "\n".join(
        _seat_style(players, me, seat) for players in SLOTS for me in range(1, players) for seat in range(players)
    )


def _seat_style(players: int, me: int, seat: int) -> str:
    """Return the rule that moves a garden from where it is drawn to where seat `me` sees it."""
    drawn, seen = SLOTS[players][seat], SLOTS[players][(seat - me) % players]
    scale = seen.scale / drawn.scale
    x, y = seen.x - scale * drawn.x, seen.y - scale * drawn.y
    wing, step = ("none", "inline") if seat == me else ("inline", "none")
    where = f'[data-me="{me}"] .fairies .{garden_class(players, seat)}'
    return f"{where}{{translate:{x:.1f}px {y:.1f}px;scale:{scale:.4f};--wing:{wing};--step:{step}}}"


def pane_spot(place: int) -> Spot:
    """Return the upper left corner of a pane, from 0."""
    return Spot(WINDOW_X + PANE_WIDTH * (place % 3), WINDOW_Y + PANE_HEIGHT * (place // 3))


def shield_spot(players: int, place: int) -> Spot:
    """Return the upper left corner of a shield's place, from 0: beside the step, or below a wing if there is room."""
    if players == SEATS:
        return Spot(WIDTH - 2 * TILE + TILE * (place % 2), HEIGHT - 4 * SHIELD_HEIGHT + SHIELD_HEIGHT * (place // 2))
    return Spot(TILE * (place % 3), GARDEN_HEIGHT + 12 + ROLL_HEIGHT * (place // 3))


def deck_spot(players: int) -> Spot:
    """Return the upper left corner of the deck; the pile is next to it."""
    if players == SEATS:
        return Spot(14, 2 * GARDEN_HEIGHT + 6)
    return Spot(2 * TILE + 4, GARDEN_HEIGHT + 16 + 2 * ROLL_HEIGHT)


def frame(class_: str, x: float, y: float, width: float, height: float, inset: float, rx: float) -> Markup:
    """Return a rectangle that is `inset` smaller than its box on every side."""
    size = {"x": x + inset, "y": y + inset, "width": width - 2 * inset, "height": height - 2 * inset}
    return tag("rect", class_=class_, **size, rx=rx)


def edge(width: float, height: float, rx: float) -> Markup:
    """Return the edge that glows round a choice."""
    return tag("rect", class_="edge", width=width, height=height, rx=rx)


def board_text(words: str, x: float, y: float, class_: str) -> Markup:
    return tag("text", words, x=float(x), y=float(y), class_=f"tx {class_}")
