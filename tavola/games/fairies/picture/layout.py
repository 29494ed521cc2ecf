"""Layout of the board of Fairies in its own units: the chapel, one's own garden before it, the kerb. Also what its
parts share: a garden's two drawings, the edge that glows round a choice, and text.

The King's window is in the middle. The other players are behind the dark glass of the lights beside it, clockwise
from the left; a player's own garden lies before it, about twice as large. Pieces are the same for all viewers: each
part of a garden is drawn in the light and in front, and CSS shows one of the two (`seat_styles`). On a phone 360 pixels
wide, a half of one's own wand or a pane is 44 pixels wide; a light is one target, drawn with larger figures.
"""

from itertools import product
from typing import NamedTuple

from markupsafe import Markup

from tavola.show.kit import PAINTS, Spot, fitted_text, sign, titled_group
from tavola.show.svg import tag

WIDTH, HEIGHT = 800, 780
PANE_WIDTH, PANE_HEIGHT = 98, 116
WINDOW_X, WINDOW_Y = 253, 78
SILL_Y, STRIP_Y, FRONT_Y, KERB_Y = 428, 452, 482, 682
LIGHT_WIDTH, COLUMN = 232, 72
"""Width of a light, and the distance between the middles of its fairies."""
LEFT, RIGHT = 4, 564
FRONT_TILE, FRONT_FAIRY, FRONT_PITCH = 98, 138, 263
"""Width of a half and of a fairy in front, and the distance between two fairies."""
COARSE = 30.0
"""Least size of text on a phone: 11 pixels, also if it is turned."""


class Light(NamedTuple):
    """Places in the light of a rival, from its upper left corner; `high` is its height."""

    shape: str
    high: int
    banner: int
    banner_high: int
    fairy: int
    fairy_y: int
    tile: int
    wand_y: int
    foot: int


TALL = Light("light-tall", 426, 70, 34, 70, 112, 62, 190, 322)
HALF = Light("light-half", 211, 6, 30, 52, 38, 47, 95, 190)
LOWER = SILL_Y - HALF.high
SLOTS = {
    2: (Spot(LEFT, 2),),
    3: (Spot(LEFT, 2), Spot(RIGHT, 2)),
    4: (Spot(LEFT, LOWER), Spot(LEFT, 2), Spot(RIGHT, LOWER)),
}
"""Slots of the other gardens by number of players, clockwise: the upper left corners of their lights."""
TREASURY = {2: Spot(RIGHT, 2), 4: Spot(RIGHT, 2)}
"""The light where no player is: deck and pile."""


def light_of(players: int) -> Light:
    return HALF if players == max(SLOTS) else TALL


def column_x(column: int) -> int:
    """Return the middle of a fairy's column in a light, from its left."""
    return LIGHT_WIDTH // 2 + COLUMN * (column - 1)


def front_x(column: int) -> int:
    """Return the left edge of a fairy in front."""
    return 10 + FRONT_PITCH * column


def wand_x(column: int) -> int:
    """Return the left edge of a wand in front."""
    return front_x(column) + FRONT_FAIRY + 4


def slot_seen(players: int, me: int, seat: int) -> Spot | None:
    """Return the slot in which seat `me` sees the garden of `seat`; None in front."""
    turn = (seat - me) % players
    return SLOTS[players][turn - 1] if turn else None


def garden_class(players: int, seat: int) -> str:
    return f"of{players}-s{seat}"


def garden_piece(
    identifier: str,
    title: str,
    light: Markup,
    front: Markup,
    players: int,
    seat: int,
    *,
    class_: str = "",
    codes: str | None = None,
    codes_of_light: str | None = None,
) -> Markup:
    """Return a part of a garden in its two drawings: from the corner of its light, and in front.

    `codes_of_light` are what only its drawing in the light can mean.
    """
    both = ((light, "light", codes_of_light), (front, "front", None))
    drawn = (tag("g", inside, class_=name, codes=meant) for inside, name, meant in both if inside)
    classes = f"{class_} {garden_class(players, seat)}".strip()
    return titled_group(identifier, title, *drawn, class_=classes, codes=codes)


def seat_styles() -> str:
    """Return the CSS that shows each player their own garden in front and the others in their lights."""
    rules = []
    for players in SLOTS:
        for me, seat in product(range(players), repeat=2):
            shown, where = "--light:none;--front:inline", f'[data-me="{me}"] ' if me else ""
            if slot := slot_seen(players, me, seat):
                shown = f"--slot:{slot.x}px {slot.y}px;--light:inline;--front:none"
            rules.append(f"{where}.fairies .{garden_class(players, seat)}{{{shown}}}")
    return "\n".join(rules)


def pane_spot(place: int) -> Spot:
    """Return the upper left corner of a pane, from 0."""
    return Spot(WINDOW_X + PANE_WIDTH * (place % 3), WINDOW_Y + PANE_HEIGHT * (place // 3))


def frame(class_: str, x: float, y: float, width: float, height: float, inset: float, rx: float) -> Markup:
    """Return a rectangle that is `inset` smaller than its box on every side."""
    size = {"x": x + inset, "y": y + inset, "width": width - 2 * inset, "height": height - 2 * inset}
    return tag("rect", class_=class_, **size, rx=rx)


def edge(x: float, y: float, width: float, height: float, rx: float = 8) -> Markup:
    """Return the edge that glows round a choice."""
    return tag("rect", class_="edge", x=x, y=y, width=width, height=height, rx=rx)


def words(text: str, x: float, y: float, size: float, class_: str = "", room: float = 0, short: str = "") -> Markup:
    """Return text. A page measures it: wider than `room`, it is condensed, or replaced by `short`."""
    if not room:
        return tag("text", text, x=float(x), y=float(y), font_size=float(size), class_=f"tx {class_}".rstrip())
    return fitted_text(text, x, y, size, room, f"tx {class_}".rstrip(), data_room=room, data_short=short or None)


def roundel(x: float, y: float, radius: float, value: int | str, class_: str = "sum", size: float = 0) -> Markup:
    """Return a number in a disc."""
    disc, size = tag("circle", class_=class_, cx=float(x), cy=float(y), r=float(radius)), size or round(radius * 1.24)
    return disc + words(str(value), x, y + size * 0.34, size, "num")


def seal(seat: int, x: float, y: float, radius: float) -> Markup:
    """Return a seat's sign on a disc of its paint."""
    disc = tag("circle", class_="seal", cx=float(x), cy=float(y), r=float(radius))
    return tag("g", disc, sign(PAINTS[seat], x, y, round(radius / 15, 2)), class_=PAINTS[seat])


def scroll(class_: str, x: float, y: float, width: float, height: float) -> Markup:
    """Return a ribbon whose ends fold back."""
    fold, end = height * 0.3, height * 0.82
    tails = (
        f"M{left:g} {y + fold:g}h{way * fold * 2:g}v{end:g}h{-way * fold * 2:g}l{way * fold * 0.8:g} {-end / 2:g}Z"
        for left, way in ((x - fold, 1), (x + width + fold, -1))
    )
    band = tag("rect", x=x, y=y, width=width, height=height, rx=3)
    return tag("g", tag("path", d="".join(tails)), band, class_=f"scroll {class_}")


def sizes(fine: Markup, coarse: Markup) -> Markup:
    """Return the two drawings of a thing: for wide screens, and with larger figures for a phone."""
    return tag("g", fine, class_="fine") + tag("g", coarse, class_="coarse")
