"""The market: a stall where standing offers lie as wares, each a row one reads at a glance and answers with one tap."""

from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from tavola.games.tournament.components import (
    JOKER,
    JOKER_SORT,
    KIND_COUNT,
    SORT_COUNT,
    TO_ALL,
    TRADE,
    Hand,
    Offer,
    Seen,
    Table,
)
from tavola.games.tournament.picture.pieces import (
    CARD_HEIGHT,
    CARD_WIDTH,
    arms,
    back,
    card,
    codes,
    coin,
    emblems,
    face,
    outline,
    path,
    place,
    rect,
    shape,
    text,
)
from tavola.games.tournament.words.actions import bargain
from tavola.games.tournament.words.nouns import (
    cards_of,
    offers_standing,
    served,
    side,
    sort_of,
    sous_named,
    to_whom,
    value_of,
)
from tavola.show.kit import PAINTS
from tavola.show.speech import Say
from tavola.show.svg import group, tag

TOP, BOTTOM = 106.0, 866.0
"""Where wares lie, when no offer is being built."""
MOST_ROWS = 5
"""So many wares lie one below the other; more lie in two columns."""
TALLEST = 150.0


class Slot(NamedTuple):
    """Where a ware lies, and how large it is."""

    x: float
    y: float
    width: float
    height: float

    @property
    def wide(self) -> bool:
        """Whether it has the whole breadth of the stall."""
        return self.width > 600


def slots(count: int) -> list[Slot]:
    """The places of so many wares."""
    columns = 1 if count <= MOST_ROWS else 2
    rows = -(-count // columns)
    pitch = min(TALLEST + 14, (BOTTOM - TOP) / max(rows, MOST_ROWS - 1))
    width = 956.0 if columns == 1 else 470.0
    return [
        Slot(22 + 486 * (number % columns), TOP + pitch * (number // columns), width, pitch - 12)
        for number in range(count)
    ]


class Places(NamedTuple):
    """Where the parts of a ware stand: columns from the left."""

    arms: float
    maker: float
    addressee: float
    given: float
    arrows: float
    asked: float
    result: float
    answer: float
    answer_width: float


WIDE = Places(104, 72, 132, 232, 452, 536, 716, 816, 132)
SLIM = Places(62, 46, 68, 116, 228, 256, 0, 376, 90)
CROSSING = Places(120, 90, 0, 140, 436, 530, 810, 0, 0)
"""Of the cloth on which a deal is shown, between the arms of both."""


def market(view: Seen, say: Say) -> dict[str, Markup]:
    """The stall with all that stands, as everybody sees it."""
    t = view.table
    standing = offers_standing(t)
    drawn = {"stall": _STALL}
    for (maker, number, offer), slot in zip(standing, slots(len(standing)), strict=True):
        drawn[f"ware-{maker}-{number}"] = _ware(t, maker, number, offer, slot, say)
    if not standing:
        drawn["no-ware"] = _nothing(say)
    return {**drawn, "awning": _awning(say), **{f"trader-{seat}": _trader(t, seat, say) for seat in range(t.players)}}


_STALL = group(
    "stall",
    rect(-900, -900, 2800, 2800, "tm-wd"),
    rect(-900, -900, 2800, 2800, "", fill="wood"),
    class_="through",
)


@lru_cache(maxsize=8)
def _awning(say: Say) -> Markup:
    board = path("M330 4H670L650 30L670 58H330L350 30Z", "tm-vl tm-b")
    name = tag("g", board, text(say("The market"), 500, 46, "x2 mid"), class_="parchment")
    return group("awning", shape("awning", -300, 0, 1600, 96), name, class_="through")


@lru_cache(maxsize=8)
def _nothing(say: Say) -> Markup:
    board = rect(180, 190, 640, 110, "mat", 10)
    words = text(say("Nothing lies on the stall yet."), 500, 257, "x3 mid italic")
    return group("no-ware", tag("g", board, words, class_="parchment"), class_="through")


def _trader(t: Table, seat: int, say: Say) -> Markup:
    """Who trades, with the purse; a tick for who has done."""
    done = bool(t.done >> seat & 1)
    parts = {"name": say.name(seat), "sous": sous_named(int(t.purse[seat]), say), "cards": int(t.held[seat])}
    told = say("{name} has done with trading: {sous}, {cards} cards.", **parts)
    if not done:
        told = say("{name} is trading: {sous}, {cards} cards.", **parts)
    left = seat < -(-t.players // 2)
    index = seat if left else seat - -(-t.players // 2)
    x = 14 + 104 * index if left else 986 - 104 * (t.players - seat)
    return group(f"trader-{seat}", tag("title", told), _plate(seat, int(t.purse[seat]), done), x=x, y=6)


@lru_cache(maxsize=512)
def _plate(seat: int, purse: int, done: bool) -> Markup:
    ground = rect(0, 0, 100, 62, "lid tm-o", 9)
    parts = [ground, arms(seat, 6, 7, 40, "spent" if done else ""), text(purse, 72, 42, "x3b mid")]
    if done:
        tick = "M12 32l11 13l23 -31"
        parts += [path(tick, "tick-ink"), path(tick, "tick")]
    return tag("g", *parts, class_="parchment")


# Wares


def _ware(t: Table, maker: int, number: int, offer: Offer, slot: Slot, say: Say) -> Markup:
    """One offer: its maker, for whom it is, what is given for what; its cards only as far as everybody knows them."""
    parts = {"name": say.name(maker), "given": side(offer, False, say), "asked": side(offer, True, say)}
    if offer.to == TO_ALL:
        told = say("{name} cries: {given} for {asked}!", **parts)
    else:
        told = say("{name} whispers to {other}: {given} for {asked}.", other=to_whom(offer.to - 1, say), **parts)
    drawn = ware(maker, shown_of(offer), slot.width, slot.height)
    return group(f"ware-{maker}-{number}", tag("title", told), drawn, x=slot.x, y=slot.y, class_="ware parchment")


class Shown(NamedTuple):
    """What is drawn of an offer: cards by number, sorts from 100, -1 for a back."""

    to: int
    given: tuple[int, ...]
    asked: tuple[int, ...]
    pay: int
    charge: int


SORTS_FROM = 100
HIDDEN = -1


def shown_of(offer: Offer) -> Shown:
    """What everybody may see."""
    if offer.to == TO_ALL:
        given, asked = (
            tuple(SORTS_FROM + sort for sort in range(SORT_COUNT) for _ in range(counts[sort]))
            for counts in (offer.gives, offer.asks)
        )
    else:
        given, asked = (HIDDEN,) * int(offer.given), (HIDDEN,) * int(offer.asked)
    return Shown(int(offer.to), given, asked, int(offer.pay), int(offer.charge))


def known_of(view: Seen, maker: int, number: int) -> Shown | None:
    """What the view's seat knows beyond that: cards of its own offer, or of one whispered to it."""
    hand, offer = view.hand, view.table.offers[maker][number]
    if hand is None or view.seat is None or (maker != view.seat and offer.to != view.seat + 1):
        return None
    terms = hand.terms[maker][number]
    given, asked = (tuple(held - 1 for held in cards if held) for cards in (terms.given, terms.asked))
    if offer.to == TO_ALL:
        asked = tuple(SORTS_FROM + sort_of(wanted) for wanted in asked)
    return Shown(int(offer.to), given, asked, int(offer.pay), int(offer.charge))


@lru_cache(maxsize=1024)
def ware(maker: int, shown: Shown, width: float, height: float) -> Markup:
    """The cloth with its goods."""
    at = WIDE if width > 600 else SLIM
    scale = min(1.0, height / 112)
    cloth = path(f"M6 9H{width + 6:g}V{height + 9:.0f}H6Z", "tm-shade") + rect(0, 0, width, height, "mat", 6)
    cloth += rect(0, 0, width, height, "", 6, "grain") + tag(
        "g", rect(0, 0, at.arms, height, "cloth", 6), class_=PAINTS[maker]
    )
    cloth += rect(0, 0, at.arms, height, "", 6, "diaper")
    crest = at.maker * scale
    cloth += arms(maker, (at.arms - crest) / 2, (height - crest * 1.2) / 2, crest)
    return cloth + _whom(at, shown.to, height, width > 600) + goods(shown, at, height, maker)


def _whom(at: Places, to: int, height: float, wide: bool) -> Markup:
    """For whom it is: arms, or the horn for all."""
    middle = height / 2
    size = 48 if wide else 36
    arrow = (
        path(f"M{at.addressee - 20:g} {middle - 10:g}h14v-10l20 20l-20 20v-10h-14Z", "tm-or tm-o") if wide else Markup()
    )
    x = at.addressee + (20 if wide else 2)
    if to == TO_ALL:
        return arrow + shape("horn", x - 6, middle - size * 0.66, size + 12, size + 12)
    return arrow + arms(to - 1, x, middle - size * 0.6, size)


@lru_cache(maxsize=2048)
def goods(shown: Shown, at: Places, height: float, maker: int) -> Markup:
    """What is given, the arrows, what is asked for; coins lie on the side that pays."""
    wide = at is not SLIM
    size = min(height - 12, 108.0) * CARD_WIDTH / CARD_HEIGHT if wide else min(54.0, (height - 12) * 0.72)
    tall, middle = size * CARD_HEIGHT / CARD_WIDTH, height / 2
    arrows = shape("arrows", at.arrows, middle - (22 if wide else 9), 68 if wide else 26, 44 if wide else 18)
    given = _pile_of(
        shown.given, shown.pay, at.given, at.arrows - at.given - 8, size, middle - tall / 2, maker, False, wide
    )
    end = (at.result if wide else at.answer) - at.asked - 10
    to = shown.to - 1 if shown.to != TO_ALL else -1
    return given + arrows + _pile_of(shown.asked, shown.charge, at.asked, end, size, middle - tall / 2, to, True, wide)


def _pile_of(
    cards: tuple[int, ...],
    sous: int,
    left: float,
    room: float,
    size: float,
    top: float,
    owner: int,
    asked: bool,
    wide: bool,
) -> Markup:
    radius = 30 if wide else 21
    free = room - (2 * radius + 6 if sous else 0)
    step = min(size + 8, (free - size) / max(1, len(cards) - 1)) if cards else 0.0
    parts = [_good(number, left + step * k, top, size, owner, asked) for k, number in enumerate(cards)]
    if sous:
        after = left + (step * (len(cards) - 1) + size + 8 if cards else 0) + radius
        parts.append(coin(sous, after, top + size * CARD_HEIGHT / CARD_WIDTH / 2, radius))
    return Markup("").join(parts)


def _good(number: int, x: float, y: float, size: float, owner: int, asked: bool) -> Markup:
    if number == HIDDEN:
        return back(owner if not asked else -1, x, y, size)
    if number >= SORTS_FROM:
        return outline(number - SORTS_FROM, "", x, y, size) if asked else face(number - SORTS_FROM, "?", x, y, size)
    if asked:
        return outline(sort_of(number), f"{value_of(number)}+" if value_of(number) > 1 else "", x, y, size)
    return card(number, x, y, size)


# What only the seat sees: cards of whispers, the set as it would be, the answer


def answers(view: Seen, say: Say) -> dict[str, Markup]:
    """Over each ware what it means to the seat: the cards it knows, its set afterwards, and how to answer."""
    t = view.table
    if t.phase != TRADE or view.hand is None:
        return {}
    standing = offers_standing(t)
    return {
        f"answer-{maker}-{number}": _answer(view, view.hand, maker, number, slot, say)
        for (maker, number, _), slot in zip(standing, slots(len(standing)), strict=True)
    }


def _answer(view: Seen, hand: Hand, maker: int, number: int, slot: Slot, say: Say) -> Markup:
    offer = view.table.offers[maker][number]
    known = known_of(view, maker, number)
    parts = [_over(known, slot, maker)] if known else []
    identifier = f"answer-{maker}-{number}"
    at = WIDE if slot.wide else SLIM
    middle, told, meant = slot.height / 2, "", None
    bargained = bargain(view, maker, number, say)
    if maker == view.seat:
        told = say("Your offer {number}: {given} for {asked}. Touch it to withdraw it.", number=number + 1, **bargained)
        meant = codes(f"withdraw {number + 1}")
        parts.append(_button("withdraw", at, slot, say("Withdraw")))
    elif offer.to in (TO_ALL, view.seat + 1 if view.seat is not None else 0):
        code = f"accept {maker} {number + 1}"
        told = say("Deal with {name}: you get {given} for {asked}.", name=say.name(maker), **bargained)
        meant = codes(code)
        able = _able(view, hand, offer, known)
        if slot.wide:
            parts.append(_result(hand, offer, known, at, middle))
        parts.append(_button("deal" if able else "unable", at, slot, say("Deal")))
    else:
        told = say("Whispered to {name}: only they know the cards.", name=to_whom(offer.to - 1, say))
        parts.append(_eye(at, slot))
    return group(
        identifier, tag("title", told), *parts, x=slot.x, y=slot.y, class_="answer of-market parchment", codes=meant
    )


def _over(known: Shown, slot: Slot, maker: int) -> Markup:
    """The cards as the seat knows them, over what everybody sees."""
    at = WIDE if slot.wide else SLIM
    place_ = at.given - 6, 3, (at.result or at.answer) - at.given, slot.height - 6
    ground = rect(*place_, "mat-bare") + rect(*place_, "", fill="grain")
    return ground + goods(known, at, slot.height, maker)


def _able(view: Seen, hand: Hand, offer: Offer, known: Shown | None) -> bool:
    """R9: whether the seat has the cards and the sous, were it its turn to answer."""
    if view.seat is None or offer.charge > view.table.purse[view.seat]:
        return False
    asked = wanted(offer, known)
    return len(served(cards_of(hand), asked)) == len(asked)


def wanted(offer: Offer, known: Shown | None) -> list[int]:
    """The cards asked for, as the lowest ones that would do."""
    if known is not None and offer.to != TO_ALL:
        return list(known.asked)
    return [JOKER if sort == JOKER_SORT else 15 * sort for sort in range(SORT_COUNT) for _ in range(offer.asks[sort])]


def _result(hand: Hand, offer: Offer, known: Shown | None, at: Places, middle: float) -> Markup:
    """The own set after the bargain: what is new lit, what lacks struck out."""
    now = cards_of(hand)
    left = list(now)
    for gone in served(now, wanted(offer, known)):
        left.remove(gone)
    given = known.given if known is not None and offer.to != TO_ALL else shown_of(offer).given
    sorts = {number - SORTS_FROM if number >= SORTS_FROM else sort_of(number) for number in given}
    had = {sort_of(number) for number in now}
    after = {sort_of(number) for number in left} | sorts
    held = tuple(kind in after for kind in range(KIND_COUNT))
    new = tuple(kind in after and kind not in had for kind in range(KIND_COUNT))
    return emblems(held, new, at.result, middle - 48, 34)


@lru_cache(maxsize=128)
def _button(kind: str, at: Places, slot: Slot, word: str) -> Markup:
    """What is touched to answer: as high as the ware."""
    x, width, high = at.answer, at.answer_width, slot.height - 22
    middle = x + width / 2
    if kind == "withdraw":
        cross = path(f"M{middle - 16:g} {slot.height / 2 - 16:g}l32 32m0 -32l-32 32", "tm-n tm-b")
        return rect(x, 10, width, high, "quiet-button edge", 12) + cross
    low = slot.height - 24
    size = min(72.0, high * 0.62)
    parts = (
        rect(x, 16, width, high, "tm-ik", 12),
        rect(x, 9, width, high, "deal-button edge", 12),
        shape("clasp", middle - size / 2, 8 + (high - size - 30) / 2, size, size),
        text(word, middle, low, "x3b mid pale" if width > 100 else "x4b mid pale"),
    )
    return tag("g", *parts, class_="unable" if kind == "unable" else None)


@lru_cache(maxsize=64)
def _eye(at: Places, slot: Slot) -> Markup:
    middle = at.answer + at.answer_width / 2
    return tag("g", shape("eye", middle - 40, slot.height / 2 - 27, 80, 54), class_="spent")


__all__ = ["Places", "answers", "known_of", "market", "place", "shown_of", "slots", "ware"]
