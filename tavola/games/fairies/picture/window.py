"""King Arthur's window in the middle of the chapel, the deck and the pile."""

from markupsafe import Markup

from tavola.games.fairies.components import EVERY_PIECE, GRID, PIECES, Ending, Phase, Seen
from tavola.games.fairies.picture import layout
from tavola.games.fairies.picture.layout import edge, sizes, words
from tavola.show.kit import PieceItem, PieceItems, Spot, fitted_shape, piece, titled_group
from tavola.show.speech import Say, marks
from tavola.show.svg import tag

CARD_WIDTH, CARD_HEIGHT = 80, 120
MARK = 34
SEEN = ("ic-seen", "ic-shield")
FACE_DOWN = marks(
    "A King’s card, face down.",
    "A King’s card, face down: someone has looked at it.",
    "A King’s card, face down: a shield was put back here.",
)
"""Public knowledge about a card: none, that a player has looked at it, that it is a shield (R42)."""


def window(view: Seen, say: Say) -> PieceItems:
    yield from (pane(view, place, say) for place in range(GRID))
    yield _leads()
    yield _plaque(view.table.healed.bit_count(), say)
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
        shape += layout.frame("lit", 0, 0, layout.PANE_WIDTH, layout.PANE_HEIGHT, 4, 1)
    elif seat is not None:
        title = say("{name} is looking at this card.", name=say.name(seat))
        shape = tag("g", fitted_shape("back-king", 9, -12, CARD_WIDTH, CARD_HEIGHT), class_="growing")
    else:
        title, shape = say(FACE_DOWN[known]), _glass("pane-down")
        shape += tag("g", fitted_shape(SEEN[known - 1], 5, 5, MARK, MARK), class_="marked") if known else ""
    shape += edge(0, 0, layout.PANE_WIDTH, layout.PANE_HEIGHT, 3)
    codes = None if healed else f"turn {place + 1}|look {place + 1}"
    return titled_group(identifier, title, shape, at=layout.pane_spot(place), codes=codes)


def _glass(name: str) -> Markup:
    return fitted_shape(name, 0, 0, layout.PANE_WIDTH, layout.PANE_HEIGHT, preserveAspectRatio="none")


@piece("whole", memory=8)
def _whole(identifier: str, say: Say) -> Markup:
    """R31: the complete picture; healing then draws from the pile."""
    glow = edge(0, 0, 3 * layout.PANE_WIDTH, 3 * layout.PANE_HEIGHT, 3)
    title = say("The King is healed: healing now draws a card from the pile.")
    return titled_group(identifier, title, glow, at=layout.pane_spot(0), codes="heal")


@piece("leads", memory=1)
def _leads(identifier: str) -> Markup:
    across, down = ([k * size for k in range(4)] for size in (layout.PANE_WIDTH, layout.PANE_HEIGHT))
    lines = "".join(f"M{x} 0V{down[-1]}M0 {y}H{across[-1]}" for x, y in zip(across, down, strict=True))
    dots = [tag("circle", class_="solder", cx=x, cy=y, r=3.6) for y in down for x in across]
    bars = tag("path", class_="bar", d=lines), tag("path", class_="bar-h", d=lines)
    return titled_group(identifier, "", *bars, *dots, at=Spot(layout.WINDOW_X, layout.WINDOW_Y), class_="through")


@piece("plaque", memory=64)
def _plaque(identifier: str, count: int, say: Say) -> Markup:
    """How much of the picture is healed, on the sill, with what grows there."""
    told, middle, y = say("{count} of {all} healed", count=count, all=PIECES), layout.WIDTH / 2, layout.SILL_Y - 4
    fine = layout.frame("plaque", middle - 70, y, 140, 24, 0, 5) + words(told, middle, y + 17.5, 16.5, "tx-b mid", 128)
    coarse = layout.frame("plaque", middle - 110, y + 2, 220, 27, 0, 6)  # between lit panes and the strip
    coarse += words(told, middle, y + 24.5, layout.COARSE, "tx-b mid", 204)
    grown = tag("use", href="#vines")
    return titled_group(identifier, "", grown, tag("g", sizes(fine, coarse), data_clear=""), class_="through")


@piece("crown", memory=8)
def _crown(identifier: str, say: Say) -> Markup:
    shield = tag("g", fitted_shape("shield-king", layout.PANE_WIDTH / 2 - 56, -8, 112, 130), class_="growing")
    return titled_group(identifier, say("The King’s shield: the King has risen."), shield, at=layout.pane_spot(4))


def heaps(view: Seen, say: Say) -> PieceItems:
    """Yield the deck and the pile: on the kerb, or in the light where no player is."""
    t = view.table
    if t.players in layout.TREASURY:
        yield _treasury(t.players)
    yield _heap("deck", say.many("Deck: {count} wand card.", "Deck: {count} wand cards.", t.deck), t.deck, t.players)
    pile = say.many("Pile: {count} King’s card.", "Pile: {count} King’s cards.", t.pile)
    yield _heap("pile", pile, t.pile, t.players)


@piece("treasury", memory=4)
def _treasury(identifier: str, players: int) -> Markup:
    light, slot = layout.light_of(players), layout.TREASURY[players]
    glass = fitted_shape(light.shape, 0, 0, layout.LIGHT_WIDTH, light.high)
    return titled_group(identifier, "", glass, at=slot, class_="through")


@piece("{name}", memory=512)
def _heap(identifier: str, name: str, title: str, count: int, players: int) -> Markup:
    back, second = ("back-wand", False) if name == "deck" else ("back-king", True)
    if players in layout.TREASURY:
        slot = layout.TREASURY[players]
        x, y = slot.x + 62 + 62 * second, slot.y + (84 if players == min(layout.TREASURY) else 40)
        cards = _backs(back, x - 4, y, 50, 75, count)
        return titled_group(identifier, title, cards + words(str(count), x + 24, y + 106, 30, "tx-b pale mid"))
    x, y = 636 + 82 * second, layout.KERB_Y + 16
    cards = _backs(back, x, y, 38, 57, count)
    counted = sizes(words(str(count), x + 46, y + 36, 22, "tx-b"), words(str(count), x + 43, y + 38, 30, "tx-b"))
    return titled_group(identifier, title, cards + counted)


def _backs(back: str, x: float, y: float, wide: float, high: float, count: int) -> Markup:
    return Markup("").join(fitted_shape(back, x + 2.2 * k, y - 2 * k, wide, high) for k in range(min(3, count)))
