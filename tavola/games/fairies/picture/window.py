"""King Arthur's window with the lamps of the phases; beside it the shields, the deck and the pile."""

from markupsafe import Markup

from tavola.games.fairies.components import EVERY_PIECE, GRID, SEATS, SHIELDS, TURN_PHASES, Ending, Phase, Seen
from tavola.games.fairies.picture import layout
from tavola.games.fairies.picture.garden import seat_disc
from tavola.games.fairies.words.nouns import SHIELD, SHIELD_DOES, SHIELD_RULE, shield_owner
from tavola.show.kit import (
    PAINTS,
    PieceItem,
    PieceItems,
    Spot,
    fitted_shape,
    fitted_text,
    piece,
    titled_group,
    two_lines,
)
from tavola.show.speech import Say, marks
from tavola.show.svg import tag

CARD_WIDTH, CARD_HEIGHT = 84, 126
MARK = 34
SEEN = ("ic-seen", "ic-shield")
FACE_DOWN = marks(
    "A King’s card, face down.",
    "A King’s card, face down: someone has looked at it.",
    "A King’s card, face down: a shield was put back here.",
)
"""Public knowledge about a card: none, that a player has looked at it, that it is a shield (R42)."""
LAMP = ("power", "energy", "heal", "wake")


def window(view: Seen, say: Say) -> PieceItems:
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
    """Return one place of the picture: healed, face down, or being looked at."""
    t = view.table
    looked = lifted or (t.phase == Phase.CHOOSE and t.place == place + 1)
    known = (t.looked >> place & 1) + (t.shielded >> place & 1)
    return _pane(place, bool(t.healed >> place & 1), t.seat if looked else None, known, say)


@piece("pane-{place}")
def _pane(identifier: str, place: int, healed: bool, seat: int | None, known: int, say: Say) -> Markup:
    """`seat`: the seat that is looking at the card; `known`: what is public about it (R42)."""
    if healed:
        title = say("Piece {number} of the picture, in its place.", number=place + 1)
        shape = tag("g", _glass(f"king-{place // 3 + 1}{place % 3 + 1}"), class_="lighting")
    elif seat is not None:
        title = say("{name} is looking at this card.", name=say.name(seat))
        shape = tag("g", fitted_shape("back-king", 14, -14, CARD_WIDTH, CARD_HEIGHT), class_="growing")
    else:
        title, shape = say(FACE_DOWN[known]), _glass("pane-down")
        shape += tag("g", fitted_shape(SEEN[known - 1], 5, 5, MARK, MARK), class_="marked") if known else ""
    shape += layout.edge(layout.PANE_WIDTH, layout.PANE_HEIGHT, 3)
    codes = None if healed else f"turn {place + 1}|look {place + 1}"
    return titled_group(identifier, title, shape, at=layout.pane_spot(place), codes=codes)


def _glass(name: str) -> Markup:
    return fitted_shape(name, 0, 0, layout.PANE_WIDTH, layout.PANE_HEIGHT, preserveAspectRatio="none")


@piece("whole", memory=8)
def _whole(identifier: str, say: Say) -> Markup:
    """R31: the complete picture; healing then draws from the pile."""
    glow = layout.edge(3 * layout.PANE_WIDTH, 3 * layout.PANE_HEIGHT, 3)
    title = say("The King is healed: healing now draws a card from the pile.")
    return titled_group(identifier, title, glow, at=layout.pane_spot(0), codes="heal")


@piece("lamp-{phase}", memory=len(LAMP))
def _lit_lamp(identifier: str, phase: int) -> Markup:
    shown = fitted_shape("lamp", -34, -34, 68, 68), fitted_shape(f"ic-{LAMP[phase]}", -13, -13, 26, 26)
    return titled_group(identifier, "", *shown, at=Spot(*layout.LAMPS[phase]), class_="through lamp")


@piece("leads", memory=1)
def _leads(identifier: str) -> Markup:
    across, down = ([k * size for k in range(4)] for size in (layout.PANE_WIDTH, layout.PANE_HEIGHT))
    lines = "".join(f"M{x} 0V{down[-1]}M0 {y}H{across[-1]}" for x, y in zip(across, down, strict=True))
    dots = [tag("circle", class_="solder", cx=x, cy=y, r=4) for y in down for x in across]
    bars = tag("path", class_="bar", d=lines), tag("path", class_="bar-h", d=lines)
    return titled_group(identifier, "", *bars, *dots, at=Spot(layout.WINDOW_X, layout.WINDOW_Y), class_="through")


@piece("crown", memory=8)
def _crown(identifier: str, say: Say) -> Markup:
    shield = tag("g", fitted_shape("shield-king", layout.PANE_WIDTH / 2 - 62, -8, 124, 144), class_="growing")
    return titled_group(identifier, say("The King’s shield: the King has risen."), shield, at=layout.pane_spot(4))


EMBLEMS = (*SHIELDS, "king")
PHASES_OF = (("power",), ("power",), ("energy",), ("energy",), ("heal",), ("heal",), LAMP[:3], ("energy",), ("heal",))
"""Signs of the phases in which each shield can be used (R20 to R27, R34)."""
CAPTION = 17
"""Size of the text of a shield's effect; a phone has no room for it."""


def shields(view: Seen, say: Say) -> PieceItems:
    """Yield the eight shields, the deck and the pile."""
    t = view.table
    for shield in range(len(SHIELDS)):
        seat = shield_owner(t, shield)
        yield _shield(t.players, shield, seat, bool(t.used >> shield & 1) and seat == t.seat, say)
    spot = layout.deck_spot(t.players)
    yield _heap("deck", say.many("Deck: {count} wand card.", "Deck: {count} wand cards.", t.deck), t.deck, spot)
    at = Spot(spot.x + 150, spot.y) if t.players == SEATS else Spot(spot.x, spot.y + 72)
    yield _heap("pile", say.many("Pile: {count} King’s card.", "Pile: {count} King’s cards.", t.pile), t.pile, at)


@piece("shield-{shield}")
def _shield(identifier: str, players: int, shield: int, seat: int | None, used: bool, say: Say) -> Markup:
    rule = f"{SHIELD(shield, say):The}. {say(SHIELD_RULE[shield])}"
    where = say("No one has played it yet.") if seat is None else say("It’s in front of {name}.", name=say.name(seat))
    codes = None if seat is None else f"use {SHIELDS[shield]}|red {SHIELDS[shield]}"
    if players == SEATS:
        face = _face(shield, seat, used, layout.SHIELD_HEIGHT, Markup())
    else:
        told = what_it_does(shield, layout.TILE / 2, 112, layout.TILE - 12, say)
        face = _face(shield, seat, used, layout.ROLL_HEIGHT, told)
    return titled_group(identifier, f"{rule} {where}", face, at=layout.shield_spot(players, shield), codes=codes)


def what_it_does(shield: int, x: float, y: float, room: float, say: Say, size: float = CAPTION) -> Markup:
    """Return a shield's effect in two lines centred on `x`, the first at `y`."""
    lines = two_lines(say(SHIELD_DOES[shield]))
    told = (fitted_text(line, x, y + (size + 1) * row, size, room, "tx mid") for row, line in enumerate(lines))
    return tag("g", *told, class_="big")


def _face(shield: int, seat: int | None, used: bool, height: int, told: Markup) -> Markup:
    ground = layout.frame("niche" if seat is None else "laid", 0, 0, layout.TILE, height, 4, 10)
    top = layout.TILE - 30
    phases = [fitted_shape(f"ic-{sign}", 8 + 22 * k, top, 20, 20) for k, sign in enumerate(PHASES_OF[shield])]
    drawn = fitted_shape(f"shield-{SHIELDS[shield]}", 17, 6, 76, 88) + tag("g", *phases, class_="ico")
    if seat is None:
        return ground + tag("g", drawn, class_="unlaid") + told
    laid = tag("g", ground, class_=PAINTS[seat]) + tag("g", drawn, class_="faint" if used else None)
    disc = seat_disc(seat, layout.TILE - 20, layout.TILE - 26)
    return laid + told + disc + layout.edge(layout.TILE, height, 10)


@piece("{name}", memory=512)
def _heap(identifier: str, name: str, title: str, count: int, at: Spot) -> Markup:
    back = "back-wand" if name == "deck" else "back-king"
    cards = [fitted_shape(back, 4 * k, 6 - 2 * k, 34, 51) for k in range(min(4, count))]
    return titled_group(identifier, title, *cards, layout.board_text(str(count), 56, 44, "name tx-b"), at=at)
