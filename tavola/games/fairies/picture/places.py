"""Where things lie on the board of Fairies, in its own units: gardens by seat, the window, shields, deck and pile."""

from typing import NamedTuple

WIDTH, HEIGHT = 1000, 1120
GARDEN_WIDTH, GARDEN_HEIGHT = 486, 361
PANE_WIDTH, PANE_HEIGHT = 111, 126
WINDOW_X, WINDOW_Y = 333.5, 371
TILE = 112
FAIRY_X = (84, 243, 402)
HEAD_Y, STAR_Y = 40, 133
SHIELD = 92

LEFT, MIDDLE, RIGHT = 2, 257, 512
TOP, BOTTOM = 2, HEIGHT - GARDEN_HEIGHT - 2
LEFT_FLANK, RIGHT_FLANK, UPPER, LOWER = 6, 676, 374, 650


class Slot(NamedTuple):
    """Where a seat's garden lies, and where its shields do."""

    x: float
    y: float
    shields_x: float
    shields_y: float


SLOTS = {
    2: (Slot(MIDDLE, BOTTOM, RIGHT_FLANK, LOWER), Slot(MIDDLE, TOP, RIGHT_FLANK, UPPER)),
    3: (
        Slot(MIDDLE, BOTTOM, RIGHT_FLANK, LOWER),
        Slot(LEFT, TOP, LEFT_FLANK, UPPER),
        Slot(RIGHT, TOP, RIGHT_FLANK, UPPER),
    ),
    4: (
        Slot(LEFT, BOTTOM, LEFT_FLANK, LOWER),
        Slot(LEFT, TOP, LEFT_FLANK, UPPER),
        Slot(RIGHT, TOP, RIGHT_FLANK, UPPER),
        Slot(RIGHT, BOTTOM, RIGHT_FLANK, LOWER),
    ),
}
"""By number of players; the turn goes clockwise round the window."""
DECK = (LEFT_FLANK + 90, 508)
PILE = (RIGHT_FLANK + 150, 508)


def half_place(players: int, seat: int, half: int) -> tuple[float, float]:
    """The upper left corner of a half."""
    slot = SLOTS[players][seat]
    return slot.x + FAIRY_X[half // 2] - TILE / 2, slot.y + STAR_Y + TILE * (half % 2)


def pane_place(place: int) -> tuple[float, float]:
    """The upper left corner of a pane, from 0."""
    return WINDOW_X + PANE_WIDTH * (place % 3), WINDOW_Y + PANE_HEIGHT * (place // 3)
