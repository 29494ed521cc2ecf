"""King Arthur's window in the middle: nine panes of one picture, what is face down, and the lamps of the phases."""

from functools import lru_cache

from markupsafe import Markup

from tavola.games.fairies.components import GRID, TURN_PHASES, Ending, Phase, Seen
from tavola.games.fairies.picture.layout import (
    LAMPS,
    PANE_HEIGHT,
    PANE_WIDTH,
    WINDOW_X,
    WINDOW_Y,
    pane_spot,
)
from tavola.show.kit import fitted_shape
from tavola.show.speech import Say, mark
from tavola.show.svg import group, tag

CARD_WIDTH, CARD_HEIGHT = 84, 126
MARK = 34
SEEN = ("ic-seen", "ic-shield")
FACE_DOWN = (
    mark("A card of the King, face down."),
    mark("A card of the King, face down: somebody has looked at it."),
    mark("A card of the King, face down: a shield was put back here."),
)
"""What everybody saw of a card: nothing, that somebody looked at it, that it is a shield (R42)."""
LAMP = ("power", "energy", "heal", "wake")
"""The sign of each phase."""


def window(view: Seen, say: Say) -> dict[str, Markup]:
    """The panes, the leads over them, and the lamp of the phase, by id."""
    drawn = {f"pane-{place}": pane(view, place, say) for place in range(GRID)}
    drawn["leads"] = _leads()
    drawn |= _lamp(view)
    if view.table.ending == Ending.CROWNED:
        drawn["crown"] = crown(say)
    return drawn


def pane(view: Seen, place: int, say: Say, lifted: bool = False) -> Markup:
    """One place of the picture: healed, face down, or looked at just now."""
    t = view.table
    looked = lifted or (t.phase == Phase.CHOOSE and t.place == place + 1)
    known = (t.looked >> place & 1) + (t.shielded >> place & 1)
    return _pane_piece(place, bool(t.healed >> place & 1), t.seat if looked else None, known, say)


@lru_cache(maxsize=1024)
def _pane_piece(place: int, healed: bool, seat: int | None, known: int, say: Say) -> Markup:
    """The same; `seat` is who looks at it, `known` what everybody saw of it (R42)."""
    x, y = pane_spot(place)
    if healed:
        told = say("Piece {number} of the picture, in its place.", number=place + 1)
    elif seat is not None:
        told = say("{name} looks at this card.", name=say.name(seat))
    else:
        told = say(FACE_DOWN[known])
    codes = None if healed else f"turn {place + 1}|look {place + 1}"
    shape = _pane(place, healed, seat is not None, known)
    return group(f"pane-{place}", tag("title", told), shape, x=x, y=y, codes=codes)


@lru_cache(maxsize=128)
def _pane(place: int, healed: bool, looked: bool, known: int) -> Markup:
    edge = tag("rect", class_="edge", width=PANE_WIDTH, height=PANE_HEIGHT, rx=3)
    if healed:
        row, column = divmod(place, 3)
        lit = fitted_shape(f"king-{row + 1}{column + 1}", 0, 0, PANE_WIDTH, PANE_HEIGHT, preserveAspectRatio="none")
        return tag("g", lit, class_="lighting") + edge
    down = fitted_shape("pane-down", 0, 0, PANE_WIDTH, PANE_HEIGHT, preserveAspectRatio="none")
    if looked:
        return tag("g", fitted_shape("back-king", 14, -14, CARD_WIDTH, CARD_HEIGHT), class_="growing") + edge
    sign = tag("g", fitted_shape(SEEN[known - 1], 5, 5, MARK, MARK), class_="marked") if known else Markup()
    return down + sign + edge


def _lamp(view: Seen) -> dict[str, Markup]:
    """The phase of the turn, lit in the glass above the window."""
    lit = next((number for number, phases in enumerate(TURN_PHASES) if view.table.phase in phases), None)
    if lit is None:
        return {}
    return {f"lamp-{lit}": _lit_lamp(lit)}


@lru_cache(maxsize=len(LAMP))
def _lit_lamp(phase: int) -> Markup:
    x, y = LAMPS[phase]
    shown = fitted_shape("lamp", -34, -34, 68, 68), fitted_shape(f"ic-{LAMP[phase]}", -13, -13, 26, 26)
    return group(f"lamp-{phase}", *shown, class_="through lamp", x=x, y=y)


@lru_cache(maxsize=1)
def _leads() -> Markup:
    """The leads between the panes, with their solder."""
    width, height = 3 * PANE_WIDTH, 3 * PANE_HEIGHT
    lines = "".join(f"M{k * PANE_WIDTH} 0V{height}M0 {k * PANE_HEIGHT}H{width}" for k in range(4))
    dots = [
        tag("circle", class_="solder", cx=column * PANE_WIDTH, cy=row * PANE_HEIGHT, r=4)
        for row in range(4)
        for column in range(4)
    ]
    bars = tag("path", class_="bar", d=lines), tag("path", class_="bar-h", d=lines)
    return group("leads", *bars, *dots, class_="through", x=WINDOW_X, y=WINDOW_Y)


def crown(say: Say) -> Markup:
    """The King's shield on the middle of the picture."""
    x, y = pane_spot(4)
    shield = fitted_shape("shield-king", PANE_WIDTH / 2 - 62, -8, 124, 144)
    told = tag("title", say("The King's shield: the King has risen."))
    return group("crown", told, tag("g", shield, class_="growing"), x=x, y=y)
