"""King Arthur's window in the middle: nine panes of one picture, what is face down, and the lamps of the phases."""

from markupsafe import Markup

from tavola.games.fairies.components import EVERY_PIECE, GRID, TURN_PHASES, Ending, Phase, Seen
from tavola.games.fairies.picture.layout import LAMPS, PANE_HEIGHT, PANE_WIDTH, WINDOW_X, WINDOW_Y, edge, pane_spot
from tavola.show.kit import PieceItem, PieceItems, Spot, fitted_shape, piece, titled_group
from tavola.show.speech import Say, marks
from tavola.show.svg import tag

CARD_WIDTH, CARD_HEIGHT = 84, 126
MARK = 34
SEEN = ("ic-seen", "ic-shield")
FACE_DOWN = marks(
    "A card of the King, face down.",
    "A card of the King, face down: somebody has looked at it.",
    "A card of the King, face down: a shield was put back here.",
)
"""What everybody saw of a card: nothing, that somebody looked at it, that it is a shield (R42)."""
LAMP = ("power", "energy", "heal", "wake")
"""The sign of each phase."""


def window(view: Seen, say: Say) -> PieceItems:
    """The panes, the leads over them, and the lamp of the phase."""
    for place in range(GRID):
        yield pane(view, place, say)
    yield _leads()
    for number, phases in enumerate(TURN_PHASES):
        if view.table.phase in phases:
            yield _lit_lamp(number)
    if view.table.healed == EVERY_PIECE:
        yield _whole(say)
    if view.table.ending == Ending.CROWNED:
        yield _crown(say)


def pane(view: Seen, place: int, say: Say, lifted: bool = False) -> PieceItem:
    """One place of the picture: healed, face down, or looked at just now."""
    t = view.table
    looked = lifted or (t.phase == Phase.CHOOSE and t.place == place + 1)
    known = (t.looked >> place & 1) + (t.shielded >> place & 1)
    return _pane(place, bool(t.healed >> place & 1), t.seat if looked else None, known, say)


@piece("pane-{place}")
def _pane(identifier: str, place: int, healed: bool, seat: int | None, known: int, say: Say) -> Markup:
    """The same; `seat` is who looks at it, `known` what everybody saw of it (R42)."""
    codes: str | None = f"turn {place + 1}|look {place + 1}"
    shape = fitted_shape("pane-down", 0, 0, PANE_WIDTH, PANE_HEIGHT, preserveAspectRatio="none")
    if healed:
        title, codes = say("Piece {number} of the picture, in its place.", number=place + 1), None
        part = f"king-{place // 3 + 1}{place % 3 + 1}"
        lit = fitted_shape(part, 0, 0, PANE_WIDTH, PANE_HEIGHT, preserveAspectRatio="none")
        shape = tag("g", lit, class_="lighting")
    elif seat is not None:
        title = say("{name} looks at this card.", name=say.name(seat))
        shape = tag("g", fitted_shape("back-king", 14, -14, CARD_WIDTH, CARD_HEIGHT), class_="growing")
    else:
        title = say(FACE_DOWN[known])
        shape += tag("g", fitted_shape(SEEN[known - 1], 5, 5, MARK, MARK), class_="marked") if known else ""
    shape += edge(PANE_WIDTH, PANE_HEIGHT, 3)
    return titled_group(identifier, title, shape, at=pane_spot(place), codes=codes)


@piece("whole", memory=8)
def _whole(identifier: str, say: Say) -> Markup:
    """R31: the whole picture, in place of whose pieces one draws from the pile."""
    glow = edge(3 * PANE_WIDTH, 3 * PANE_HEIGHT, 3)
    title = say("The King is whole: healing draws a card from the pile.")
    return titled_group(identifier, title, glow, at=pane_spot(0), codes="heal")


@piece("lamp-{phase}", memory=len(LAMP))
def _lit_lamp(identifier: str, phase: int) -> Markup:
    """The phase of the turn, lit in the glass above the window."""
    shown = fitted_shape("lamp", -34, -34, 68, 68), fitted_shape(f"ic-{LAMP[phase]}", -13, -13, 26, 26)
    return titled_group(identifier, "", *shown, at=Spot(*LAMPS[phase]), class_="through lamp")


@piece("leads", memory=1)
def _leads(identifier: str) -> Markup:
    """The leads between the panes, with their solder."""
    width, height = 3 * PANE_WIDTH, 3 * PANE_HEIGHT
    lines = "".join(f"M{k * PANE_WIDTH} 0V{height}M0 {k * PANE_HEIGHT}H{width}" for k in range(4))
    dots = [
        tag("circle", class_="solder", cx=column * PANE_WIDTH, cy=row * PANE_HEIGHT, r=4)
        for row in range(4)
        for column in range(4)
    ]
    bars = tag("path", class_="bar", d=lines), tag("path", class_="bar-h", d=lines)
    return titled_group(identifier, "", *bars, *dots, at=Spot(WINDOW_X, WINDOW_Y), class_="through")


@piece("crown", memory=8)
def _crown(identifier: str, say: Say) -> Markup:
    """The King's shield on the middle of the picture."""
    shield = tag("g", fitted_shape("shield-king", PANE_WIDTH / 2 - 62, -8, 124, 144), class_="growing")
    return titled_group(identifier, say("The King's shield: the King has risen."), shield, at=pane_spot(4))
