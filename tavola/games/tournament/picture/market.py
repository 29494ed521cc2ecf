"""The market: a table with the goods of each trader and, over it, open offers as wares, accepted with one tap.

The table shows only what is public: cards face down, and sous in coins. Each offer is one row.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from tavola.games.tournament.components import KIND_COUNT, TO_ALL, Hand, Offer, Seen, Table
from tavola.games.tournament.picture import elements as draw
from tavola.games.tournament.trading import is_addressed_to, standing_offers
from tavola.games.tournament.words import nouns
from tavola.games.tournament.words.choices import bargain_text
from tavola.show.board import Box
from tavola.show.kit import PAINTS, PieceItems, anonymous_say, fitted_text, piece, pitch
from tavola.show.speech import Say
from tavola.show.svg import group, tag

MOST_BACKS, MOST_COINS = 14, 9
"""Maximum cards and coins of a trader that are drawn, beside their number."""
NARROW = 300.0
"""Width below which a place shows only arms and numbers."""
LOWEST, TALLEST = 130.0, 236.0
"""Minimum and maximum height of a place."""
GAP = 8.0
HIGH, LAID_COIN, DIGIT = 190.0, 44.0, 21.0
"""Height of a place from which the number of sous fits below the coins; width of a coin, and of a digit."""

PLANKS = group("stall", draw.cloth(-900, -900, 2800, 2800, "tm-wd", fill="wood"), class_="through")


def places(t: Table, left: float, top: float, width: float, height: float, say: Say) -> PieceItems:
    if height < LOWEST:
        return
    rows = min(-(-t.players // 2), max(1, int(height / LOWEST)), 2 if t.players > 3 else t.players)
    tall = min(TALLEST, height / rows - GAP)
    above, most = top + (height - rows * (tall + GAP)) / 2, -(-t.players // rows)
    for seat in range(t.players):
        row, column = divmod(seat, most)
        here = min(most, t.players - row * most)
        wide = width / here - GAP
        box = left + column * (wide + GAP), above + row * (tall + GAP), wide, tall
        told = nouns.seat_text(t, seat, say)
        yield _place(seat, box, t.purse[seat], t.held[seat], bool(t.done >> seat & 1), say.name(seat), told)


@piece("place-{seat}", memory=512)
def _place(identifier: str, seat: int, box: Box, purse: int, cards: int, away: bool, name: str, told: str) -> Markup:
    x, y, wide, tall = box
    parts = [
        draw.path(f"M6 9H{wide + 6:.0f}V{tall + 9:.0f}H6Z", "tm-shade"),
        tag("g", draw.rect(0, 0, wide, tall, "cloth", 8), class_=PAINTS[seat]),
        draw.rect(0, 0, wide, tall, "", 8, "diaper"),
        draw.cloth(9, 9, wide - 18, tall - 18, "mat-bare", 5, "grain"),
    ]
    inside = _small_place if wide < NARROW else _large_place
    parts.append(tag("g", *inside(seat, wide, tall, purse, cards, name), class_="spent" if away else None))
    return group(identifier, tag("title", told), tag("g", *parts, class_="parchment"), x=x, y=y, class_="through")


def _small_place(seat: int, wide: float, tall: float, purse: int, cards: int, name: str) -> Iterator[Markup]:
    middle = wide / 2
    yield draw.arms(seat, middle - 27, 18, 54)
    yield draw.board_text(f"{purse}", middle + 4, tall - 20, "x3b end")
    yield draw.fitted_shape("sou-5", middle - 62, tall - 52, 38, 38)
    yield draw.back(-1, middle + 14, tall - 54, 26) + draw.board_text(cards, middle + 46, tall - 20, "x3b")


def _large_place(seat: int, wide: float, tall: float, purse: int, cards: int, name: str) -> Iterator[Markup]:
    size = min(74.0, (tall - 84) * 0.7)
    yield draw.arms(seat, 22, 18, 50)
    yield draw.board_text(name[:13], 86, 60, "x3b")
    yield from _purse_laid(purse, wide - 36 - 3 * size - 60, tall)
    shown = min(cards, MOST_BACKS)
    fan = pitch(shown, min(2.1 * size, wide - size - 160), 16.0)
    right = wide - 24 - size - fan * (shown - 1)
    yield from (draw.back(-1, right + fan * number, tall - size * 1.36 - 16, size) for number in range(shown))
    if cards:
        spot = wide - 24 - size / 2
        yield draw.rect(spot - 27, tall - size * 0.68 - 38, 54, 44, "lid tm-o", 8)
        yield draw.board_text(cards, spot, tall - size * 0.68 - 4, "x3b mid")


def _purse_laid(purse: int, room: float, tall: float) -> Iterator[Markup]:
    """Draw coins with their number below them, or beside them if the place is low, but never over them."""
    tight = tall < HIGH
    left = 34.0 + DIGIT * len(str(purse)) if tight else 20.0
    top, (tens, rest) = (tall - 62 if tight else tall - 118), divmod(purse, 10)
    coins = ([10] * tens + [5] * (rest // 5) + [1] * (rest % 5))[:MOST_COINS]
    step = pitch(len(coins), room - left + 20, 24.0)
    for number, sous in enumerate(coins):
        down = 0 if tight else number % 2 * 12
        yield draw.fitted_shape(f"sou-{sous}", left + step * number, top + down, LAID_COIN, LAID_COIN)
    yield draw.board_text(purse, 22 if tight else 34, tall - 28 if tight else tall - 24, "x3b")


@piece("awning", memory=256)
def sign(identifier: str, words: str, trading: int, players: int) -> Markup:
    board = draw.path("M330 4H670L650 30L670 58H330L350 30Z", "tm-vl tm-b")
    name = draw.board_text(words, 518, 44, "x3b mid")
    tag_ = draw.rect(432, 62, 136, 44, "lid tm-o", 8), tag("text", "", x=500.0, y=96.0, class_="x3b mid", data_clock="")
    time = tag("g", *tag_, class_="time")
    tent = draw.cloth(-900, -900, 2800, 906, "tm-az")  # visible on a tall stage
    shown = tag("g", board, hourglass(358, 9, trading / max(players, 1)), name, time, class_="parchment")
    return group(identifier, tent, draw.fitted_shape("awning", -300, 0, 1600, 96), shown, class_="through")


def hourglass(x: float, y: float, left: float) -> Markup:
    """Draw an hourglass 32 wide and 45 high; `left`: the fraction of its sand that is still above."""
    above, below = 20 * left, 26 * (1 - left)
    half = 10 * left
    sand = [f"M{30 - half:.1f} {42 - above:.1f}H{30 + half:.1f}L30 42Z"] if left else []
    sand += [f"M{30 - 14 * (1 - left):.1f} 71H{30 + 14 * (1 - left):.1f}L30 {71 - below:.1f}Z"] if left < 1 else []
    frame = draw.path("M8 4H52V12H8ZM8 72H52V80H8Z", "tm-wd tm-o")
    outline = "M14 12H46C46 30 34 36 34 42C34 48 46 54 46 72H14C14 54 26 48 26 42C26 36 14 30 14 12Z"
    grains = (draw.path(line, "tm-or") for line in sand)
    return draw.translate(x, y, frame, draw.path(outline, "tm-gl tm-o"), *grains, scale=0.54)


WINDOW = LEFT, TOP, WIDTH, HEIGHT = 22.0, 104.0, 952.0, 750.0
"""Area of the wares, one below the other; if there are more than fit, the page scrolls them."""
ROWS = 5
"""Wares in the area on a narrow screen; each is as high as a finger is wide, even on the lowest screen."""
PITCH = HEIGHT / ROWS
TALL = PITCH - 8


class WareColumns(NamedTuple):
    """Columns of the parts of a ware, from the left."""

    given: float
    arrows: float
    asked: float
    result: float


COLUMNS = WareColumns(172, 408, 468, 716)
DEAL_COLUMNS = WareColumns(140, 436, 530, 810)
"""Columns of the cloth on which a deal is shown, between the arms of both partners."""
CLOTH, ANSWER = 88.0, (816.0, 128.0)
"""Width of the maker's tincture; left and width of the answer."""


def market(t: Table, say: Say) -> PieceItems:
    standing = standing_offers(t)
    yield "stall", PLANKS
    filled = PITCH * max(1, len(standing))
    yield from places(t, LEFT, TOP + filled, WIDTH, HEIGHT - filled, say)
    yield "window", _WINDOW
    for row, (maker, number, offer) in enumerate(standing):
        told = nouns.offer_text(maker, offer, nouns.offer_parts(offer, say), say)
        yield _ware(maker, number, row, public_offer(offer), told)
    if not standing:
        yield _empty_stall(say)
    words = say.many("{count} offer", "{count} offers", len(standing)) if len(standing) > ROWS else say("The market")
    yield sign(words, t.players - t.done.bit_count(), t.players)
    for seat in range(t.players):
        yield _trader(seat, t.players, t.purse[seat], t.held[seat], bool(t.done >> seat & 1), say.name(seat), say)


_BAR = tag("g", *(draw.rect(980, TOP, 14, HEIGHT - 8, class_, 7) for class_ in ("track", "thumb")))
_EDGES = " ".join(f"{part:g}" for part in WINDOW)
_WINDOW = group("window", _BAR, class_="through", data_rows=ROWS, data_window=_EDGES)


@piece("no-ware", memory=8)
def _empty_stall(identifier: str, say: Say) -> Markup:
    board = draw.rect(180, TOP + 26, 640, 96, "mat", 10)
    words = draw.board_text(say("No offers yet."), 500, TOP + 86, "x3 mid italic")
    return group(identifier, tag("g", board, words, class_="parchment"), class_="through")


@piece("trader-{seat}", memory=512)
def _trader(identifier: str, seat: int, players: int, purse: int, held: int, done: bool, name: str, say: Say) -> Markup:
    values = {"name": name, "sous": nouns.sous_text(purse, say), "cards": held}
    told = say("{name} is trading: {sous}, {cards} cards.", **values)
    if done:
        told = say("{name} is done trading: {sous}, {cards} cards.", **values)
    parts = [draw.rect(0, 0, 100, 62, "lid tm-o", 9), draw.arms(seat, 6, 7, 40, "spent" if done else "")]
    parts.append(draw.board_text(purse, 72, 42, "x3b mid"))
    if done:
        parts.append(draw.inked("M12 32l11 13l23 -31", "tick"))
    x = 14 + 104 * seat if seat < (players + 1) // 2 else 986 - 104 * (players - seat)
    return group(identifier, tag("title", told), tag("g", *parts, class_="parchment"), x=x, y=6)


# Wares


@piece("ware-{maker}-{number}")
def _ware(identifier: str, maker: int, number: int, row: int, shown: "DrawnOffer", told: str) -> Markup:
    counted = draw.board_text(number + 1, CLOTH + 12, 36, "x4 tx soft")
    parts, y = (tag("title", told), ware(maker, shown), counted), TOP + PITCH * row
    return group(identifier, *parts, x=LEFT, y=y, class_="ware parchment", data_row=row)


class DrawnOffer(NamedTuple):
    """An offer as drawn: cards by number, sorts from 100, -1 for a back."""

    to: int
    given: tuple[int, ...]
    asked: tuple[int, ...]
    pay: int
    charge: int


SORTS_FROM = 100
HIDDEN = -1


def public_offer(offer: Offer) -> DrawnOffer:
    given, asked = (HIDDEN,) * offer.given, (HIDDEN,) * offer.asked
    if offer.to == TO_ALL:
        given = tuple(SORTS_FROM + sort for sort, count in enumerate(offer.gives) for _ in range(count))
        asked = tuple(nouns.lowest_cards(offer.asks))
    return DrawnOffer(offer.to, given, asked, offer.pay, offer.charge)


def known_offer(view: Seen, maker: int, number: int) -> DrawnOffer | None:
    """Return the offer with the cards that the view's seat knows: its own, or whispered to it; None for others."""
    offer, terms = view.table.offers[maker][number], nouns.known_terms(view, maker, number)
    if terms is None:
        return None
    given, asked = tuple(nouns.listed(terms.given)), tuple(nouns.listed(terms.asked))
    return DrawnOffer(offer.to, given, asked, offer.pay, offer.charge)


@lru_cache(maxsize=1024)
def ware(maker: int, shown: DrawnOffer) -> Markup:
    mat = draw.path(f"M6 9H{WIDTH + 6:g}V{TALL + 9:.0f}H6Z", "tm-shade")
    mat += draw.cloth(0, 0, WIDTH, TALL, "mat", 6, "grain")
    mat += tag("g", draw.rect(0, 0, CLOTH, TALL, "cloth", 6), class_=PAINTS[maker])
    crest = draw.rect(0, 0, CLOTH, TALL, "", 6, "diaper") + draw.arms(maker, 10, TALL / 2 - 41, 68)
    return mat + crest + _addressee(shown.to) + goods(shown, COLUMNS, TALL, maker)


def _addressee(to: int) -> Markup:
    middle = TALL / 2
    arrow = draw.path(f"M{CLOTH + 4:g} {middle - 9:g}h9v-9l17 18l-17 18v-9h-9Z", "tm-or tm-o")
    if to == TO_ALL:
        return arrow + draw.fitted_shape("horn", CLOTH + 26, middle - 34, 58, 58)
    return arrow + draw.arms(to - 1, CLOTH + 33, middle - 27, 45)


@lru_cache(maxsize=2048)
def goods(shown: DrawnOffer, at: WareColumns, height: float, maker: int) -> Markup:
    arrows = draw.fitted_shape("arrows", at.arrows, height / 2 - 18, 54, 36)
    given = _cards_in_row(shown.given, shown.pay, at.given, at.arrows - 6, height, maker, False)
    return given + arrows + _cards_in_row(shown.asked, shown.charge, at.asked, at.result - 8, height, -1, True)


LARGEST, SMALLEST, COIN = 88.0, 54.0, 30.0


def _cards_in_row(
    cards: tuple[int, ...], sous: int, left: float, right: float, height: float, owner: int, asked: bool
) -> Markup:
    room, count = right - left - (2 * COIN + 6 if sous else 0), len(cards)
    size = min(LARGEST, max(SMALLEST, (room + 4) / max(count, 1) - 4))
    step = pitch(count, room - size, size + 4)
    top = height / 2 - size * draw.CARD_HEIGHT / draw.CARD_WIDTH / 2
    parts = [_goods_item(number, left + step * k, top, size, owner, asked) for k, number in enumerate(cards)]
    if sous:
        parts.append(draw.coin(sous, left + (step * (count - 1) + size + 6 if cards else 0) + COIN, height / 2, COIN))
    return Markup("").join(parts)


def _goods_item(number: int, x: float, y: float, size: float, owner: int, asked: bool) -> Markup:
    if number == HIDDEN:
        return draw.back(owner, x, y, size)
    if asked:
        return draw.outline(nouns.sort_of(number), draw.least_value(number), x, y, size)
    if number >= SORTS_FROM:
        return draw.face(number - SORTS_FROM, "?", x, y, size)
    return draw.card(number, x, y, size)


# What only the seat sees: cards of whispers, the resulting set, the answer


CAN, CANNOT, OWN, OTHERS = range(4)
"""Order of wares on a page: those that the seat can accept first."""


def answers(view: Seen, say: Say) -> PieceItems:
    if view.hand is None or view.seat is None:
        return
    for row, (maker, number, offer) in enumerate(standing_offers(view.table)):
        known = known_offer(view, maker, number)
        cards = _known_cards(known, maker) if known else Markup()
        parts = {"number": number + 1, "name": say.name(maker), **bargain_text(view, maker, number, say)}
        if maker == view.seat:
            told = say("Your offer {number}: {given} for {asked}. Choose it to withdraw it.", **parts)
            rank, meant, drawn = OWN, f"withdraw {number + 1}", _CROSS
        elif is_addressed_to(offer, view.seat):
            told = say("Deal with {name}: you get {given} for {asked}.", **parts)
            rank, drawn = _bargain(view.table, view.seat, view.hand, maker, number, say)
            meant = f"accept {maker} {number + 1}"
            if offer.to != TO_ALL:
                drawn += _to_you(anonymous_say(view.game, say.language))
        else:
            told = say("Whispered to {name}: only those two know the cards.", name=say.name(offer.to - 1))
            rank, meant, drawn = OTHERS, "", _EYE
        yield _answer(maker, number, row, rank, meant, cards + drawn, told)


@piece("answer-{maker}-{number}")
def _answer(
    identifier: str, maker: int, number: int, row: int, rank: int, meant: str, drawn: Markup, told: str
) -> Markup:
    confirm = "" if rank == OWN else None
    parts = tag("title", told), drawn, draw.rect(0, 0, WIDTH, TALL, "edge", 6)
    data: dict[str, Any] = {"codes": meant or None, "data_row": row, "data_rank": rank, "data_confirm": confirm}
    return group(identifier, *parts, x=LEFT, y=TOP + PITCH * row, class_="answer of-market parchment", **data)


def _bargain(t: Table, seat: int, hand: Hand, maker: int, number: int, say: Say) -> tuple[int, Markup]:
    """R9: draw the resulting set; a seat can accept if it has the cards and the sous, and is not done."""
    offer, cards = t.offers[maker][number], nouns.cards_of(hand)
    asked = nouns.cost_of_offer(hand, offer, maker, number)
    answered = len(nouns.answering_cards(cards, asked)) == len(asked)
    able = answered and offer.charge <= t.purse[seat] and not t.done >> seat & 1
    had = {nouns.sort_of(card) for card in cards}
    after = {nouns.sort_of(card) for card in nouns.cards_after_deal(hand, offer, maker, number)}
    held = tuple(kind in after for kind in range(KIND_COUNT))
    new = tuple(kind in after - had for kind in range(KIND_COUNT))
    drawn = draw.emblems(held, new, COLUMNS.result, TALL / 2 - 48, 34)
    return CAN if able else CANNOT, drawn + _clasp(able, say)


@lru_cache(maxsize=512)
def _known_cards(known: DrawnOffer, maker: int) -> Markup:
    place = COLUMNS.given - 4, 3, COLUMNS.result - COLUMNS.given, TALL - 6
    return draw.cloth(*place, "mat-bare", fill="grain") + goods(known, COLUMNS, TALL, maker)


_X, _WIDE = ANSWER
_EYE = tag("g", draw.fitted_shape("eye", _X + 24, TALL / 2 - 27, 80, 54), class_="spent")
_CROSS = draw.rect(_X, 9, _WIDE, TALL - 20, "quiet-button", 12)
_CROSS += draw.path(f"M{_X + _WIDE / 2 - 20:g} {TALL / 2 - 20:g}l40 40m0 -40l-40 40", "tm-n tm-b")


@lru_cache(maxsize=16)
def _to_you(say: Say) -> Markup:
    middle = CLOTH + 43
    words = fitted_text(say("to you"), middle - 2, TALL - 14, 34, 72, "x4b mid")
    return draw.rect(middle - 41, TALL - 44, 78, 38, "lit", 7) + words


@lru_cache(maxsize=16)
def _clasp(able: bool, say: Say) -> Markup:
    drawn = (
        draw.rect(_X, 15, _WIDE, TALL - 22, "tm-ik", 12),
        draw.rect(_X, 8, _WIDE, TALL - 22, "deal-button", 12),
        draw.fitted_shape("clasp", _X + _WIDE / 2 - 36, 12, 72, 72),
        fitted_text(say("Deal"), _X + _WIDE / 2, TALL - 28, 36, _WIDE - 12, "x3b mid pale"),
    )
    return tag("g", *drawn, class_=None if able else "unable")
