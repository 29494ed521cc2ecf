"""The lists: two rows of four boxes between the tents, the riders, the rail with banners and purses, the schedule."""

from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from tavola.games.tournament.components import CORNERS, KIND_COUNT, KINDS, SEATS, TOP, Phase, Table
from tavola.games.tournament.picture.elements import (
    CARD_HEIGHT,
    CARD_WIDTH,
    arms,
    back,
    board_text,
    card,
    disc,
    fitted_shape,
    inked,
    path,
    rect,
    translate,
)
from tavola.games.tournament.words.events import box_winner
from tavola.games.tournament.words.nouns import CORNER, KIND, card_name, pairs_of, resting_seat, round_text, seat_text
from tavola.show.speech import Say
from tavola.show.svg import group, tag

SIZE = 1000
COLUMNS = (238.0, 413.0, 587.0, 762.0)
"""The middles of the four boxes, in the far row."""
ROWS = ((310.0, 114.0), (609.0, 116.0))
"""Top and width of the cards of a row: the far one is the second duellist's, the near one the first's."""
SPREAD = 0.05
"""By how much the near row is wider."""
TALLY = ((876.0, 330.0), (896.0, 614.0))
TOKENS = ((125, 232), (875, 232), (121, 916), (879, 916))
APPROACH = ((760, 20), (664, 108), (566, 196), (540, 262), (520, 330))
"""How far both riders have come when so many pairs of boxes lie open."""


class DuelStage(NamedTuple):
    """What is seen of a duel at a moment of its scene."""

    opened: int
    """Pairs of boxes that lie open."""
    counted: bool = False
    """True when winners and losers are told apart in the pair that was opened last."""


def side_row(side: int) -> int:
    """The row of a side: the first of the pair is near."""
    return 1 - side


def box_spot(side: int, box: int) -> tuple[float, float, float]:
    """Left, top and width of the card in a box."""
    row = side_row(side)
    top, width = ROWS[row]
    middle = COLUMNS[box] + (COLUMNS[box] - 500) * SPREAD * row
    return middle - width / 2, top, width


def tiltyard(t: Table, say: Say, run: DuelStage | None = None) -> dict[str, Markup]:
    """The lists as they are, or at a moment of a scene, the lowest first."""
    run = run or DuelStage(KIND_COUNT if t.duel.box == KIND_COUNT else 0, counted=True)
    drawn = {f"stand-{seat}": _stand(t, seat, say) for seat in range(t.players)}
    if is_duel_laid(t):
        drawn |= {f"card-far-{box}": _card(t, 1, box, run, say) for box in range(KIND_COUNT)}
    drawn |= _riders(t, run)
    if is_duel_laid(t):
        drawn |= {f"card-near-{box}": _card(t, 0, box, run, say) for box in range(KIND_COUNT)}
        drawn |= {f"side-{side}": _side(t, side, run, say) for side in (0, 1)}
    drawn |= {f"token-{corner}": _token(corner, say) for corner in range(len(CORNERS))}
    return {**drawn, **_tray_and_pile(t, say)}


def is_duel_laid(t: Table) -> bool:
    """Return whether a duel lies on the boxes."""
    return t.phase > Phase.TRADE and (t.phase != Phase.OVER or t.duel.box == KIND_COUNT)


# The rail: banners and purses


def _stand(t: Table, seat: int, say: Say) -> Markup:
    width = 76 if t.players < SEATS else 62
    x = 260 + 480 / t.players * (seat + 0.5) - width / 2
    fights = is_duel_laid(t) and t.phase != Phase.OVER and seat in t.duel.seats
    out = bool(t.out >> seat & 1)
    parts = _banner(seat, float(width), fights, out, t.purse[seat], t.players < SEATS)
    return group(f"stand-{seat}", tag("title", seat_text(t, seat, say)), parts, x=x, y=160)


@lru_cache(maxsize=512)
def _banner(seat: int, width: float, fights: bool, out: bool, purse: int, bag: bool) -> Markup:
    halo = path(f"M-6 -3H{width + 6:g}V{width + 2:g}L{width / 2:g} {width + 16:g}L-6 {width + 2:g}Z", "halo")
    banner = fitted_shape(f"banner-{seat}", 0, 0, width, width * 1.24, "out" if out else "")
    plate = rect(-10, 98, width + 20, 42, "tm-ik", 8) + rect(-12, 95, width + 20, 42, "lid tm-o", 8)
    if bag:
        plate += fitted_shape("purse", -10, 95, 38, 41) + board_text(purse, 52, 129, "x3b mid")
    else:
        plate += board_text(purse, width / 2 - 2, 128, "x3b mid")
    return (halo if fights else Markup()) + banner + tag("g", plate, class_="parchment")


# The boxes


def _card(t: Table, side: int, box: int, run: DuelStage, say: Say) -> Markup:
    """A box: empty, a card face down, or one that has turned."""
    duel, seat = t.duel, t.duel.seats[side]
    identifier = f"card-{'near' if side_row(side) else 'far'}-{box}"
    x, y, width = box_spot(side, box)
    open_ = duel.boxes[side][box] if duel.box == KIND_COUNT and box < run.opened else 0
    laid = duel.box > box or (duel.box == box and bool(duel.chosen >> seat & 1) and t.phase == Phase.ARMING)
    parts = {"name": say.name(seat), "kind": KIND(box, say)}
    meant = None
    if open_:
        won = box_winner(duel, box) if run.counted or box < run.opened - 1 else -2
        told = say("{kind:The} of {name}: {card}.", card=card_name(open_ - 1, say), **parts)
        inside = _open_card(open_ - 1, width, 1 if won == side else -1 if won in (0, 1) else 0, side)
    elif laid:
        told = say("{kind:The} of {name}, face down.", **parts)
        inside = tag("g", back(seat, 0, 0, width), class_="laid")
    else:
        told = say("The box of {name} for {kind:the}.", **parts)
        inside = rect(4, 4, width - 8, width * CARD_HEIGHT / CARD_WIDTH - 8, "edge", 8)
        meant = _box_codes(box)
    return group(identifier, tag("title", told), inside, x=x, y=y, class_="box", codes=meant)


@lru_cache(maxsize=KIND_COUNT)
def _box_codes(box: int) -> str:
    """Whatever may be laid into a box."""
    return "|".join(f"equip {KINDS[box]} {value}" for value in ("joker", *range(1, TOP + 1)))


@lru_cache(maxsize=512)
def _open_card(number: int, width: float, won: int, side: int) -> Markup:
    """A card that has turned: haloed and laurelled where it wins, tilted and split where it loses."""
    height = width * CARD_HEIGHT / CARD_WIDTH
    drawn = card(number, 0, 0, width, "turn")
    if won > 0:
        edge = f"M0 0h{width:g}v{height:.0f}h{-width:g}Z"
        return inked(edge, "halo") + drawn + fitted_shape("laurel", width / 2 - 42, height - 26, 84, 42)
    if won < 0:
        split = fitted_shape("crack", 0, 0, width, height)
        turned = f"rotate({5 if side else -5} {width / 2:g} {height / 2:.0f})"
        return tag("g", drawn, split, transform=turned, class_="beaten")
    return drawn


def _riders(t: Table, run: DuelStage) -> dict[str, Markup]:
    """Both ride towards each other, one box nearer with every pair that turns; the barrier stands between them."""
    drawn = {}
    far, near = APPROACH[run.opened]
    if is_duel_laid(t):
        rider = tag(
            "g", fitted_shape(f"knight-{t.duel.seats[1]}", 0, 0, 236, 124), transform="translate(236 0) scale(-1 1)"
        )
        drawn["rider-far"] = group("rider-far", rider, x=far, y=442, class_="rider through")
    drawn["barrier"] = group("barrier", fitted_shape("barrier", 0, 500, 1000, 100), class_="through")
    if is_duel_laid(t):
        rider = fitted_shape(f"knight-{t.duel.seats[0]}", 0, 0, 256, 134)
        drawn["rider-near"] = group("rider-near", rider, x=near, y=490, class_="rider through")
    return drawn


def _side(t: Table, side: int, run: DuelStage, say: Say) -> Markup:
    """Draw whose row it is, and the rings won on the lance: three win the duel."""
    duel, seat = t.duel, t.duel.seats[side]
    seen = run.opened - (0 if run.counted else 1)
    points = sum(box_winner(duel, box) == side for box in range(max(0, seen))) if duel.box == KIND_COUNT else 0
    told = tag("title", say("{name}: {points} of 4 boxes.", name=say.name(seat), points=points))
    row = side_row(side)
    x, y = TALLY[row]
    drawn = arms(seat, 97 if not row else 74, 344 if not row else 640, 64)
    return group(f"side-{side}", told, drawn, translate(x, y, _rings(points)))


@lru_cache(maxsize=8)
def _rings(count: int) -> Markup:
    parts = []
    for ring in range(KIND_COUNT):
        y = 33 * ring
        if ring < count:
            parts += [disc(0, y + 2.5, 14, "tm-ik"), disc(0, y, 14, "tm-or tm-o"), path(_star(y), "tm-ik")]
        else:
            parts.append(disc(0, y, 12, "ring"))
    return Markup("").join(parts)


def _star(y: float) -> str:
    points = (
        (0, -10),
        (2.5, -3.4),
        (9.5, -3.1),
        (4, 1.3),
        (5.9, 8.1),
        (0, 4.2),
        (-5.9, 8.1),
        (-4, 1.3),
        (-9.5, -3.1),
        (-2.5, -3.4),
    )
    return "M" + "L".join(f"{x:g} {y + down:g}" for x, down in points) + "Z"


@lru_cache(maxsize=32)
def _token(corner: int, say: Say) -> Markup:
    """A big token on its tent."""
    x, y = TOKENS[corner]
    told = tag("title", say("{corner:The}: to be pointed at when God judges.", corner=CORNER(corner, say)))
    drawn = fitted_shape(f"tok-{CORNERS[corner]}", -66, -66, 132, 132)
    return group(f"token-{corner}", told, tag("ellipse", cx=0, cy=64, rx=58, ry=10, class_="tm-shade"), drawn, x=x, y=y)


# Below the boxes: the schedule, the pile, the small tokens


def _tray_and_pile(t: Table, say: Say) -> dict[str, Markup]:
    return {"schedule": schedule(t, say), "pile": _pile(t, say), "tray": _tray(t, say)}


def schedule(t: Table, say: Say) -> Markup:
    """The duels of this round on a ribbon, those that are over pale, the present one lit."""
    begun = max(1, t.begun)
    pairs, rests = pairs_of(t, begun), resting_seat(t, begun)
    told = round_text(begun, pairs, say)
    if rests is not None:
        told = f"{told} {say('{name} rests in this round.', name=say.name(rests))}"
    drawn = _ribbon(
        tuple(pairs),
        t.fought if t.phase != Phase.TRADE else 0,
        t.phase not in (Phase.TRADE, Phase.DEAL, Phase.OVER),
        rests,
    )
    return group("schedule", tag("title", told), drawn, x=244, y=790, class_="parchment")


@lru_cache(maxsize=256)
def _ribbon(pairs: tuple[tuple[int, int], ...], fought: int, running: bool, rests: int | None) -> Markup:
    parts = [fitted_shape("ribbon", 0, 0, 512, 88)]
    slots = len(pairs) + (rests is not None)
    pitch = 470 / max(slots, 2)
    for number, (one, other) in enumerate(pairs):
        middle = 256 + pitch * (number - (slots - 1) / 2)
        now = running and number == fought
        if now:
            parts.append(rect(middle - 62, -8, 124, 84, "now", 6))
        width = 46 if now else 38
        pair = arms(one, middle - width - 3, 8, width) + arms(other, middle + 3, 8, width)
        parts.append(tag("g", pair, class_="spent" if number < fought else None))
    if rests is not None:
        middle = 256 + pitch * (slots - 1) / 2
        parts.append(tag("g", arms(rests, middle - 18, 10, 36), class_="spent"))
        parts.append(board_text("z", middle + 22, 26, "x4 italic"))
    return Markup("").join(parts)


def _pile(t: Table, say: Say) -> Markup:
    count = t.pile
    told = say.many("The pile: {count} card.", "The pile: {count} cards.", count)
    return group("pile", tag("title", told), _heap(min(count, 4), count), x=252, y=872, codes="buy", class_="pile")


@lru_cache(maxsize=128)
def _heap(shown: int, count: int) -> Markup:
    cards = [back(-1, 16 - 2.5 * layer, -4 * layer, 76) for layer in range(shown)]
    if not shown:
        cards = [rect(16, 0, 76, 104, "hole", 6)]
    return Markup("").join(cards) + rect(6, -14, 92, 122, "edge", 8) + board_text(count, 108, 64, "x2")


def _tray(t: Table, say: Say) -> Markup:
    """The small tokens, as they lie since the last throw."""
    faces = tray_faces(t)
    return group(
        "tray", tag("title", say("The four tokens that are tossed when God judges.")), _tokens(faces), x=432, y=884
    )


def tray_faces(t: Table) -> tuple[str, ...]:
    """Name what the four tokens show."""
    if not t.duel.dots or not is_duel_laid(t):
        return ("crown", "chalice", "globe", "2")
    return (*(CORNERS[token - 1] for token in t.duel.tokens), str(t.duel.dots))


@lru_cache(maxsize=32)
def _tokens(faces: tuple[str, ...]) -> Markup:
    coins = [fitted_shape(f"coin-{face}", 28 + 67 * number, 12, 56, 56) for number, face in enumerate(faces)]
    return fitted_shape("tray", 0, 0, 312, 78) + Markup("").join(coins)
