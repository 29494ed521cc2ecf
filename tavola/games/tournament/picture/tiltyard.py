"""The lists: two rows of four boxes between the tents, the riders, the rail with banners and purses, the schedule."""

from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from tavola.games.tournament.components import CORNERS, KIND_COUNT, KINDS, SEATS, TOP, Phase, Table
from tavola.games.tournament.picture import elements as draw
from tavola.games.tournament.words import nouns
from tavola.games.tournament.words.events import box_winner
from tavola.show.kit import PieceItem, PieceItems, piece, row
from tavola.show.speech import Say
from tavola.show.svg import group, tag

SIZE = 1000
COLUMNS = (238.0, 413.0, 587.0, 762.0)
"""Middles of the four boxes, in the far row."""
ROWS = ((310.0, 114.0), (609.0, 116.0))
"""Top and card width of each row: the far row is the second duellist's, the near one the first's."""
SPREAD = 0.05
"""Fraction by which the near row is wider."""
CRESTS, TALLY = ((97, 344), (74, 640)), ((876.0, 330.0), (896.0, 614.0))
"""Places of the arms and the rings, in the far row and the near one."""
TOKENS = ((125, 232), (875, 232), (121, 916), (879, 916))
APPROACH = ((760, 20), (664, 108), (566, 196), (540, 262), (520, 330))
"""Places of both riders, by the number of pairs of boxes that are face up."""
RIGHT_OF_STAR = ((2.5, -3.4), (9.5, -3.1), (4, 1.3), (5.9, 8.1))
STAR = ((0, -10), *RIGHT_OF_STAR, (0, 4.2), *((-x, y) for x, y in reversed(RIGHT_OF_STAR)))
BOX_CODES = ["|".join(f"equip {kind} {value}" for value in ("joker", *range(1, TOP + 1))) for kind in KINDS]


class DuelStage(NamedTuple):
    """State of a duel at a moment of its scene."""

    opened: int
    """Pairs of boxes that are face up."""
    counted: bool = False
    """Whether the pair opened last shows its winner and loser."""


def box_spot(side: int, box: int) -> tuple[float, float, float]:
    """Return left, top and width of the card in a box."""
    row = 1 - side  # the first of the pair is near
    top, width = ROWS[row]
    middle = COLUMNS[box] + (COLUMNS[box] - 500) * SPREAD * row
    return middle - width / 2, top, width


def tiltyard(t: Table, say: Say, run: DuelStage | None = None) -> PieceItems:
    """Draw the lists; `run`: a moment of the scene, by default the position itself."""
    run = run or DuelStage(KIND_COUNT if t.duel.box == KIND_COUNT else 0, counted=True)
    far, near = APPROACH[run.opened]
    yield from (_stand(t, seat, say) for seat in range(t.players))
    if is_duel_laid(t):
        yield from (_box(t, 1, box, run, say) for box in range(KIND_COUNT))
        rider = tag("g", _galloping(t.duel.seats[1], 236, 124, run), transform="translate(236 0) scale(-1 1)")
        yield "rider-far", group("rider-far", rider, x=far, y=442, class_="rider through")
    yield "barrier", _BARRIER
    if is_duel_laid(t):
        rider = _galloping(t.duel.seats[0], 256, 134, run)
        yield "rider-near", group("rider-near", rider, x=near, y=490, class_="rider through")
        yield from (_box(t, 0, box, run, say) for box in range(KIND_COUNT))
        yield from (_side(t, side, run, say) for side in (0, 1))
    yield from (_token(corner, say) for corner in range(len(CORNERS)))
    yield _schedule(t, say)
    yield _pile(t.pile, say)
    yield _tray(tray_faces(t), say)


def _galloping(seat: int, width: float, height: float, run: DuelStage) -> Markup:
    """Draw a rider, nearer with every pair; the class alternates, so that each animation starts."""
    return tag("g", draw.fitted_shape(f"knight-{seat}", 0, 0, width, height), class_=f"gallop-{run.opened % 2}")


_BARRIER = group("barrier", draw.fitted_shape("barrier", 0, 500, 1000, 100), class_="through")


def is_duel_laid(t: Table) -> bool:
    return t.phase > Phase.TRADE and (t.phase != Phase.OVER or t.duel.box == KIND_COUNT)


# The rail: banners and purses


def _stand(t: Table, seat: int, say: Say) -> PieceItem:
    fights = is_duel_laid(t) and t.phase != Phase.OVER and seat in t.duel.seats
    purse = None if t.phase == Phase.OVER else t.purse[seat]  # the final roll shows it
    return _banner(seat, t.players, fights, bool(t.out >> seat & 1), purse, nouns.seat_text(t, seat, say))


@piece("stand-{seat}", memory=512)
def _banner(identifier: str, seat: int, players: int, fights: bool, out: bool, purse: int | None, told: str) -> Markup:
    x, bag = 260 + 480 / players * (seat + 0.5), players < SEATS
    width = 76.0 if bag else 62.0
    halo = draw.path(f"M-6 -3H{width + 6:g}V{width + 2:g}L{width / 2:g} {width + 16:g}L-6 {width + 2:g}Z", "halo")
    banner = draw.fitted_shape(f"banner-{seat}", 0, 0, width, width * 1.24, "out" if out else "")
    plate = Markup() if purse is None else _purse_plate(purse, width, bag)
    drawn = (halo if fights else Markup()) + banner + plate
    return group(identifier, tag("title", told), drawn, x=x - width / 2, y=160)


def _purse_plate(purse: int, width: float, bag: bool) -> Markup:
    plate = draw.rect(-10, 98, width + 20, 42, "tm-ik", 8) + draw.rect(-12, 95, width + 20, 42, "lid tm-o", 8)
    if bag:
        plate += draw.fitted_shape("purse", -10, 95, 38, 41) + draw.board_text(purse, 52, 129, "x3b mid")
    else:
        plate += draw.board_text(purse, width / 2 - 2, 128, "x3b mid")
    return tag("g", plate, class_="parchment")


# The boxes


def _box(t: Table, side: int, box: int, run: DuelStage, say: Say) -> PieceItem:
    duel, seat = t.duel, t.duel.seats[side]
    identifier = f"card-{'far' if side else 'near'}-{box}"
    x, y, width = box_spot(side, box)
    open_ = duel.boxes[side][box] if duel.box == KIND_COUNT and box < run.opened else 0
    laid = duel.box > box or (duel.box == box and bool(duel.chosen >> seat & 1) and t.phase == Phase.ARMING)
    parts = {"name": say.name(seat), "kind": nouns.KIND(box, say)}
    if open_:
        won = box_winner(duel, box) if run.counted or box < run.opened - 1 else -1
        told = say("{name}’s card in {kind:the} box: {card}.", card=nouns.card_name(open_ - 1, say), **parts)
        inside = _open_card(open_ - 1, width, None if won < 0 else won == side, side)
    elif laid:
        told = say("{name}’s card in {kind:the} box: face down.", **parts)
        inside = tag("g", draw.back(seat, 0, 0, width), class_="laid")
    else:
        told, inside = say("{name}’s box for {kind:the}.", **parts), ground(width)
    return identifier, group(identifier, tag("title", told), inside, x=x, y=y, class_="box")


def ground(width: float) -> Markup:
    return draw.rect(4, 4, width - 8, width * draw.CARD_HEIGHT / draw.CARD_WIDTH - 8, "edge", 8)


@lru_cache(maxsize=512)
def _open_card(number: int, width: float, won: bool | None, side: int) -> Markup:
    """Draw a card that has turned: haloed and laurelled if it wins, tilted and split if it loses.

    It stays in one group, so that the page keeps the element and it turns only once.
    """
    height = width * draw.CARD_HEIGHT / draw.CARD_WIDTH
    drawn = draw.card(number, 0, 0, width, "turn")
    if won is None:
        return tag("g", drawn)
    if won:
        edge = f"M0 0h{width:g}v{height:.0f}h{-width:g}Z"
        laurel = draw.fitted_shape("laurel", width / 2 - 42, height - 26, 84, 42)
        return tag("g", draw.inked(edge, "halo"), drawn, laurel)
    turned = f"rotate({5 if side else -5} {width / 2:g} {height / 2:.0f})"
    return tag("g", drawn, draw.fitted_shape("crack", 0, 0, width, height), transform=turned, class_="beaten")


def _side(t: Table, side: int, run: DuelStage, say: Say) -> PieceItem:
    turned = run.opened - (not run.counted) if t.duel.box == KIND_COUNT else 0
    points = sum(box_winner(t.duel, box) == side for box in range(turned))
    return _rings(side, t.duel.seats[side], points, say.name(t.duel.seats[side]), say)


@piece("side-{side}", memory=64)
def _rings(identifier: str, side: int, seat: int, points: int, name: str, say: Say) -> Markup:
    told = say("{name}: {points} of 4 boxes.", name=name, points=points)
    rings = *map(_won_ring, range(points)), *(draw.disc(0, 33 * k, 12, "ring") for k in range(points, KIND_COUNT))
    near = 1 - side
    tally = draw.translate(*TALLY[near], *rings)
    return group(identifier, tag("title", told), draw.arms(seat, *CRESTS[near], 64), tally)


def _won_ring(number: int) -> Markup:
    y = 33 * number
    star = draw.path("M" + "L".join(f"{x:g} {y + down:g}" for x, down in STAR) + "Z", "tm-ik")
    return draw.disc(0, y + 2.5, 14, "tm-ik") + draw.disc(0, y, 14, "tm-or tm-o") + star


@piece("token-{corner}", memory=32)
def _token(identifier: str, corner: int, say: Say) -> Markup:
    x, y = TOKENS[corner]
    told = tag("title", say("{corner:The}: a corner to point at when God judges.", corner=nouns.CORNER(corner, say)))
    drawn = draw.fitted_shape(f"tok-{CORNERS[corner]}", -66, -66, 132, 132)
    return group(identifier, told, tag("ellipse", cx=0, cy=64, rx=58, ry=10, class_="tm-shade"), drawn, x=x, y=y)


# Below the boxes: the schedule, the pile, the small tokens


def _schedule(t: Table, say: Say) -> PieceItem:
    begun = max(1, t.begun)
    pairs = nouns.pairs_of(t, begun)
    opposed = {seat for pair in pairs for seat in pair}
    rests = next((seat for seat in range(t.players) if seat not in opposed), None)  # R14
    told = nouns.round_text(begun, pairs, say)
    if rests is not None:
        told = f"{told} {say('{name} {name:rests|rest} this round.', name=say.name(rests))}"
    fought = t.fought if t.phase != Phase.TRADE else 0
    return _ribbon(pairs, fought, t.phase not in (Phase.TRADE, Phase.DEAL, Phase.OVER), rests, told)


@piece("schedule", memory=256)
def _ribbon(identifier: str, pairs: nouns.Pairs, fought: int, running: bool, rests: int | None, told: str) -> Markup:
    parts = [draw.fitted_shape("ribbon", 0, 0, 512, 88)]
    slots = len(pairs) + (rests is not None)
    middles = [spot.x for spot in row(slots, 256, 0, 470 / max(slots, 2))]
    for number, ((one, other), middle) in enumerate(zip(pairs, middles, strict=False)):
        if now := running and number == fought:
            parts.append(draw.rect(middle - 62, -8, 124, 84, "now", 6))
        width = 46 if now else 38
        pair = draw.arms(one, middle - width - 3, 8, width) + draw.arms(other, middle + 3, 8, width)
        parts.append(tag("g", pair, class_="spent" if number < fought else None))
    if rests is not None:
        parts.append(tag("g", draw.arms(rests, middles[-1] - 18, 10, 36), class_="spent"))
        parts.append(draw.board_text("z", middles[-1] + 22, 26, "x4 italic"))
    return group(identifier, tag("title", told), *parts, x=244, y=790, class_="parchment")


@piece("pile", memory=128)
def _pile(identifier: str, count: int, say: Say) -> Markup:
    told = say.many("Discard pile: {count} card.", "Discard pile: {count} cards.", count)
    cards = [draw.back(-1, 16 - 2.5 * layer, -4 * layer, 76) for layer in range(min(count, 4))]
    shown = cards or [draw.rect(16, 0, 76, 104, "hole", 6)]
    rest = draw.rect(6, -14, 92, 122, "edge", 8), draw.board_text(count, 108, 64, "x2")
    return group(identifier, tag("title", told), *shown, *rest, x=252, y=872, codes="buy", class_="pile")


@piece("tray", memory=128)
def _tray(identifier: str, faces: tuple[str, ...], say: Say) -> Markup:
    told = tag("title", say("The four tokens that are thrown when God judges."))
    coins = [draw.fitted_shape(f"coin-{face}", 28 + 67 * number, 12, 56, 56) for number, face in enumerate(faces)]
    return group(identifier, told, draw.fitted_shape("tray", 0, 0, 312, 78), *coins, x=432, y=884)


def tray_faces(t: Table) -> tuple[str, ...]:
    if not t.duel.dots or not is_duel_laid(t):
        return ("crown", "chalice", "globe", "2")
    return (*(CORNERS[token - 1] for token in t.duel.tokens), str(t.duel.dots))
