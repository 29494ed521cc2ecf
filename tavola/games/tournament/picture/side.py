"""Side board: purses, hands and victories of all seats, cards that they certainly hold, and the schedule."""

from markupsafe import Markup

from tavola.games.tournament.components import CYCLE, JOKER, Phase, Seen, Table
from tavola.games.tournament.picture.elements import arms, board_text, card, fitted_shape, rect, translate
from tavola.games.tournament.words.nouns import Pairs, cards_text, pairs_of, round_text, seat_text
from tavola.show.kit import PieceItems, piece, pitch
from tavola.show.seat_sheet import Column, Print, SeatSheet
from tavola.show.speech import Say
from tavola.show.svg import group, tag
from tavola.show.words import members_of

WIDTH, HEIGHT = 460, 300
FEW = 4
ROWS, TIGHT_ROWS = (46, 54), (34, 44)
"""Heights of a seat's row and of a round's, for up to four seats and for more; either fills the board."""
ROUNDS_AHEAD = 4
SHEET = SeatSheet(
    Print(48, 30, "s1"),
    11,
    (
        Column(Print(190, 30, "s1b"), fitted_shape("purse", 158, 8, 27, 29)),
        Column(Print(252, 30, "s1"), fitted_shape("card-back", 226, 8, 21, 29)),
        Column(Print(398, 30, "s1b end"), fitted_shape("laurel", 404, 12, 34, 17)),
    ),
)


def side(view: Seen, say: Say) -> dict[str, Markup]:
    return dict([*_rows(view.table, say), *_rounds(view.table, say)])


def _rows(t: Table, say: Say) -> PieceItems:
    for seat in range(t.players):
        numbers = t.purse[seat], t.held[seat], t.won[seat] or None
        height = heights(t)[0]
        yield _row(seat, say.name(seat), numbers, bool(t.out >> seat & 1), height, seat_text(t, seat, say))


def heights(t: Table) -> tuple[int, int]:
    return ROWS if t.players <= FEW else TIGHT_ROWS


@piece("row-{seat}", memory=512)
def _row(
    identifier: str, seat: int, name: str, numbers: tuple[int | None, ...], out: bool, height: int, told: str
) -> Markup:
    crest = arms(seat, 10, 22 - 0.6 * (height - 15), height - 15, "out" if out else "")
    row = SHEET.row(crest, name, numbers, "struck-out" if out else "")
    drawn = rect(4, height - 1, WIDTH - 8, 1.5, "rule"), translate(0, (height - ROWS[0]) / 2, row)
    return group(identifier, tag("title", told), tag("g", *drawn), y=height * seat)


def _rounds(t: Table, say: Say) -> PieceItems:
    if t.phase == Phase.OVER or not t.begun:
        return
    for step in range(min(ROUNDS_AHEAD, int(CYCLE[t.players]), t.rounds - t.begun + 1)):
        begun = t.begun + step
        pairs = pairs_of(t, begun)
        fought = t.fought if not step and t.phase != Phase.TRADE else 0
        row, tall = heights(t)
        yield _round(step, begun, pairs, fought, row * t.players + 8, tall, round_text(begun, pairs, say))


@piece("round-{step}", memory=256)
def _round(identifier: str, step: int, begun: int, pairs: Pairs, fought: int, top: int, tall: int, told: str) -> Markup:
    now, middle = not step, tall / 2 - 3
    parts = [
        rect(0, 0, 222, 2 * middle, "lid tm-o" if now else "later", 8),
        board_text(begun, 24, middle + 7, "s1b mid printed-if-now" if now else "s1b mid"),
    ]
    for number, (one, other) in enumerate(pairs):
        x = 46.0 + 60 * number
        pair = arms(one, x, middle - 15, 25) + arms(other, x + 27, middle - 15, 25)
        parts.append(tag("g", pair, class_="spent" if number < fought else None))
    drawn = tag("g", *parts, class_="parchment" if now else None)
    return group(identifier, tag("title", told), drawn, x=4 + 228 * (step % 2), y=top + tall * (step // 2))


def sure_cards(view: Seen, say: Say) -> PieceItems:
    if view.hand is None or view.table.phase == Phase.OVER:
        return
    for seat, known in enumerate(view.hand.known[: view.table.players]):
        if numbers := (*members_of(known.cards), *[JOKER] * known.jokers):
            told = say("Only you know: {name} holds {cards}.", name=say.name(seat), cards=cards_text(numbers, say))
            yield _sure(seat, numbers, heights(view.table)[0], told)


@piece("sure-{seat}", memory=256)
def _sure(identifier: str, seat: int, numbers: tuple[int, ...], height: int, told: str) -> Markup:
    size = (height - 4) * 0.72
    step = pitch(len(numbers), 82, size + 3)
    faces = [card(number, step * k, 0, size) for k, number in enumerate(numbers)]
    return group(identifier, tag("title", told), tag("g", *faces, class_="parchment"), x=282, y=height * seat + 1)
