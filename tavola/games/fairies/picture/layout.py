"""Where things lie on the board of Fairies, in its own units: gardens by seat, the window, the shields below it.

Three columns: the window and the roll of shields in the middle, gardens on both sides, the turn clockwise round them.
On a phone 360 pixels wide a tile is 40 pixels wide, which a finger finds.
"""

from typing import NamedTuple

WIDTH, HEIGHT = 990, 800
TILE = 110
GARDEN_WIDTH, GARDEN_HEIGHT = 3 * TILE, 400
FAIRY_X = (TILE // 2, 3 * TILE // 2, 5 * TILE // 2)
"""The middle of each fairy, and of her wand."""
HEAD_Y, FAIRY_HEIGHT, STAR_Y = 64, 112, 177
PANE_WIDTH, PANE_HEIGHT = TILE, 130
WINDOW_X, WINDOW_Y = GARDEN_WIDTH, 10
ROLL_X, ROLL_Y = GARDEN_WIDTH, 468
PILE_SPOT = 8
"""The place in the roll, after the eight shields, where the pile lies."""
DECK = (ROLL_X + 92, ROLL_Y - 40)
LAMPS = ((407, -17), (466, -26), (524, -26), (583, -17))
"""The four phases in the glass above the window; on a low screen they are out of sight."""


class GardenCorner(NamedTuple):
    """The upper left corner of a seat's garden."""

    x: float
    y: float


LEFT, RIGHT = 0, 2 * GARDEN_WIDTH
TOP, HALFWAY, BOTTOM = 0, GARDEN_HEIGHT / 2, GARDEN_HEIGHT
GARDEN_CORNERS = {
    2: (GardenCorner(LEFT, HALFWAY), GardenCorner(RIGHT, HALFWAY)),
    3: (GardenCorner(LEFT, BOTTOM), GardenCorner(LEFT, TOP), GardenCorner(RIGHT, HALFWAY)),
    4: (GardenCorner(LEFT, BOTTOM), GardenCorner(LEFT, TOP), GardenCorner(RIGHT, TOP), GardenCorner(RIGHT, BOTTOM)),
}
"""By number of players."""


def half_spot(players: int, seat: int, half: int) -> tuple[float, float]:
    """The upper left corner of a half."""
    slot = GARDEN_CORNERS[players][seat]
    return slot.x + TILE * (half // 2), slot.y + STAR_Y + TILE * (half % 2)


def pane_spot(place: int) -> tuple[float, float]:
    """The upper left corner of a pane, from 0."""
    return WINDOW_X + PANE_WIDTH * (place % 3), WINDOW_Y + PANE_HEIGHT * (place // 3)


def shield_spot(place: int) -> tuple[float, float]:
    """The upper left corner of a place in the roll of shields, from 0."""
    return ROLL_X + TILE * (place % 3), ROLL_Y + TILE * (place // 3)
