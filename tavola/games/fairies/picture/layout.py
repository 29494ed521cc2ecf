"""Where things lie on the board of Fairies, in its own units: gardens by seat, the window, the shields below it; and
the two elements that all of them have, words and edges.

Three columns: the window and the roll of shields in the middle, gardens on both sides, the turn clockwise round them.
On a phone 360 pixels wide a tile is 40 pixels wide, which a finger finds.
"""

from markupsafe import Markup

from tavola.show.kit import Spot
from tavola.show.svg import tag

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


LEFT, RIGHT = 0, 2 * GARDEN_WIDTH
TOP, HALFWAY, BOTTOM = 0, GARDEN_HEIGHT / 2, GARDEN_HEIGHT
GARDEN_CORNERS = {
    2: (Spot(LEFT, HALFWAY), Spot(RIGHT, HALFWAY)),
    3: (Spot(LEFT, BOTTOM), Spot(LEFT, TOP), Spot(RIGHT, HALFWAY)),
    4: (Spot(LEFT, BOTTOM), Spot(LEFT, TOP), Spot(RIGHT, TOP), Spot(RIGHT, BOTTOM)),
}
"""The upper left corners of the gardens, by number of players and seat."""


def garden_spot(players: int, seat: int, x: float = 0, y: float = 0) -> Spot:
    """A place in a seat's garden, seen from its upper left corner."""
    corner = GARDEN_CORNERS[players][seat]
    return Spot(corner.x + x, corner.y + y)


def pane_spot(place: int) -> Spot:
    """The upper left corner of a pane, from 0."""
    return Spot(WINDOW_X + PANE_WIDTH * (place % 3), WINDOW_Y + PANE_HEIGHT * (place // 3))


def shield_spot(place: int) -> Spot:
    """The upper left corner of a place in the roll of shields, from 0."""
    return Spot(ROLL_X + TILE * (place % 3), ROLL_Y + TILE * (place // 3))


def edge(width: float, height: float, rx: float) -> Markup:
    """The edge of what can be chosen, which glows."""
    return tag("rect", class_="edge", width=width, height=height, rx=rx)


def board_text(words: str, x: float, y: float, class_: str) -> Markup:
    """Words on the board."""
    return tag("text", words, x=float(x), y=float(y), class_=f"tx {class_}")
