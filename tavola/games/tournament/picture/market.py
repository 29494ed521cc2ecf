"""The market: a stall where standing offers lie as wares, each a row one reads at a glance and answers with one tap."""

from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from tavola.games.tournament.components import KIND_COUNT, SORT_COUNT, TO_ALL, Offer, Phase, Seen, Table
from tavola.games.tournament.offers import is_addressed_to, standing_offers
from tavola.games.tournament.picture.elements import (
    CARD_HEIGHT,
    CARD_WIDTH,
    arms,
    back,
    board_text,
    card,
    cloth,
    coin,
    emblems,
    face,
    fitted_shape,
    inked,
    outline,
    path,
    rect,
)
from tavola.games.tournament.words.choices import bargain_text
from tavola.games.tournament.words.nouns import (
    addressee_name,
    answering_cards,
    cards_of,
    cost_of_offer,
    offer_side_text,
    sort_of,
    sous_text,
    value_of,
)
from tavola.show.kit import PAINTS, pitch
from tavola.show.speech import Say
from tavola.show.svg import group, tag

WINDOW = LEFT, TOP, WIDTH, HEIGHT = 22.0, 104.0, 952.0, 750.0
"""Where wares lie, one below the other; of more than fit the page moves the list."""
ROWS = 5
"""So many lie in the window of a narrow screen; there they are as high as a finger is broad, however low it is."""
PITCH = HEIGHT / ROWS
TALL = PITCH - 8


class WareColumns(NamedTuple):
    """Where the parts of a ware stand: columns from the left."""

    given: float
    arrows: float
    asked: float
    result: float


COLUMNS = WareColumns(172, 408, 468, 716)
DEAL_COLUMNS = WareColumns(140, 436, 530, 810)
"""Of the cloth on which a deal is shown, between the arms of both."""
CLOTH, ANSWER = 88.0, (816.0, 128.0)
"""How broad the maker's tincture is; left and width of what answers."""


def market(view: Seen, say: Say) -> dict[str, Markup]:
    """The stall with all that stands, as everybody sees it."""
    t = view.table
    standing = standing_offers(t)
    drawn = {"stall": _STALL, "window": _WINDOW}
    for row, (maker, number, offer) in enumerate(standing):
        drawn[f"ware-{maker}-{number}"] = _ware(maker, number, offer, row, say)
    if not standing:
        drawn["no-ware"] = _empty_stall(say)
    awning = _awning(len(standing), say)
    return {**drawn, "awning": awning, **{f"trader-{seat}": _trader(t, seat, say) for seat in range(t.players)}}


_STALL = group("stall", cloth(-900, -900, 2800, 2800, "tm-wd", fill="wood"), class_="through")


_WINDOW = group(
    "window",
    tag("g", rect(980, TOP, 14, HEIGHT - 8, "track", 7), rect(980, TOP, 14, HEIGHT - 8, "thumb", 7)),
    class_="through",
    data_rows=ROWS,
    data_window=" ".join(f"{part:g}" for part in WINDOW),
)


@lru_cache(maxsize=64)
def _awning(count: int, say: Say) -> Markup:
    """Draw what stands above the stall: its name, or how many offers there are where not all may be in sight."""
    words = say("The market") if count <= ROWS else say.many("{count} offer", "{count} offers", count)
    board = path("M330 4H670L650 30L670 58H330L350 30Z", "tm-vl tm-b")
    name = tag("g", board, board_text(words, 500, 46, "x2 mid"), class_="parchment")
    tent = cloth(-900, -900, 2800, 906, "tm-az")  # on a tall stage
    return group("awning", tent, fitted_shape("awning", -300, 0, 1600, 96), name, class_="through")


@lru_cache(maxsize=8)
def _empty_stall(say: Say) -> Markup:
    board = rect(180, 190, 640, 110, "mat", 10)
    words = board_text(say("Nothing lies on the stall yet."), 500, 257, "x3 mid italic")
    return group("no-ware", tag("g", board, words, class_="parchment"), class_="through")


def _trader(t: Table, seat: int, say: Say) -> Markup:
    """Draw who trades, with the purse; a tick for who has done."""
    done = bool(t.done >> seat & 1)
    parts = {"name": say.name(seat), "sous": sous_text(t.purse[seat], say), "cards": t.held[seat]}
    told = say("{name} has done with trading: {sous}, {cards} cards.", **parts)
    if not done:
        told = say("{name} is trading: {sous}, {cards} cards.", **parts)
    left = seat < -(-t.players // 2)
    index = seat if left else seat - -(-t.players // 2)
    x = 14 + 104 * index if left else 986 - 104 * (t.players - seat)
    return group(f"trader-{seat}", tag("title", told), _plate(seat, t.purse[seat], done), x=x, y=6)


@lru_cache(maxsize=512)
def _plate(seat: int, purse: int, done: bool) -> Markup:
    ground = rect(0, 0, 100, 62, "lid tm-o", 9)
    parts = [ground, arms(seat, 6, 7, 40, "spent" if done else ""), board_text(purse, 72, 42, "x3b mid")]
    if done:
        parts.append(inked("M12 32l11 13l23 -31", "tick"))
    return tag("g", *parts, class_="parchment")


# Wares


def _ware(maker: int, number: int, offer: Offer, row: int, say: Say) -> Markup:
    """One offer: its maker, for whom it is, what is given for what; its cards only as far as everybody knows them."""
    parts = {
        "name": say.name(maker),
        "given": offer_side_text(offer, False, say),
        "asked": offer_side_text(offer, True, say),
    }
    if offer.to == TO_ALL:
        told = say("{name} cries: {given} for {asked}!", **parts)
    else:
        told = say("{name} whispers to {other}: {given} for {asked}.", other=addressee_name(offer.to - 1, say), **parts)
    y = TOP + PITCH * row
    drawn = tag("title", told), ware(maker, public_offer(offer))
    return group(f"ware-{maker}-{number}", *drawn, x=LEFT, y=y, class_="ware parchment", data_row=row)


class DrawnOffer(NamedTuple):
    """What is drawn of an offer: cards by number, sorts from 100, -1 for a back."""

    to: int
    given: tuple[int, ...]
    asked: tuple[int, ...]
    pay: int
    charge: int


SORTS_FROM = 100
HIDDEN = -1


def public_offer(offer: Offer) -> DrawnOffer:
    """Return what everybody may see of an offer."""
    if offer.to == TO_ALL:
        given, asked = (
            tuple(SORTS_FROM + sort for sort in range(SORT_COUNT) for _ in range(counts[sort]))
            for counts in (offer.gives, offer.asks)
        )
    else:
        given, asked = (HIDDEN,) * offer.given, (HIDDEN,) * offer.asked
    return DrawnOffer(offer.to, given, asked, offer.pay, offer.charge)


def known_offer(view: Seen, maker: int, number: int) -> DrawnOffer | None:
    """Return what the view's seat knows beyond that: cards of its own offer, or of one whispered to it."""
    hand, offer = view.hand, view.table.offers[maker][number]
    if hand is None or view.seat is None or (maker != view.seat and offer.to != view.seat + 1):
        return None
    terms = hand.terms[maker][number]
    given, asked = (tuple(held - 1 for held in cards if held) for cards in (terms.given, terms.asked))
    if offer.to == TO_ALL:
        asked = tuple(SORTS_FROM + sort_of(wanted) for wanted in asked)
    return DrawnOffer(offer.to, given, asked, offer.pay, offer.charge)


@lru_cache(maxsize=1024)
def ware(maker: int, shown: DrawnOffer) -> Markup:
    """The cloth with its goods."""
    mat = path(f"M6 9H{WIDTH + 6:g}V{TALL + 9:.0f}H6Z", "tm-shade") + cloth(0, 0, WIDTH, TALL, "mat", 6, "grain")
    mat += tag("g", rect(0, 0, CLOTH, TALL, "cloth", 6), class_=PAINTS[maker])
    crest = rect(0, 0, CLOTH, TALL, "", 6, "diaper") + arms(maker, 10, TALL / 2 - 41, 68)
    return mat + crest + _addressee(shown.to) + goods(shown, COLUMNS, TALL, maker)


def _addressee(to: int) -> Markup:
    """Draw for whom it is: arms, or the horn for all."""
    middle = TALL / 2
    arrow = path(f"M{CLOTH + 4:g} {middle - 9:g}h9v-9l17 18l-17 18v-9h-9Z", "tm-or tm-o")
    if to == TO_ALL:
        return arrow + fitted_shape("horn", CLOTH + 26, middle - 34, 58, 58)
    return arrow + arms(to - 1, CLOTH + 33, middle - 27, 45)


@lru_cache(maxsize=2048)
def goods(shown: DrawnOffer, at: WareColumns, height: float, maker: int) -> Markup:
    """Draw what is given, the arrows, what is asked for; coins lie on the side that pays."""
    arrows = fitted_shape("arrows", at.arrows, height / 2 - 18, 54, 36)
    given = _cards_in_row(shown.given, shown.pay, at.given, at.arrows - 6, height, maker, False)
    to = shown.to - 1 if shown.to != TO_ALL else -1
    return given + arrows + _cards_in_row(shown.asked, shown.charge, at.asked, at.result - 8, height, to, True)


LARGEST, SMALLEST, COIN = 88.0, 54.0, 30.0


def _cards_in_row(
    cards: tuple[int, ...], sous: int, left: float, right: float, height: float, owner: int, asked: bool
) -> Markup:
    """Cards side by side, as large as there is room for, and after them the coin."""
    room, count = right - left - (2 * COIN + 6 if sous else 0), len(cards)
    size = min(LARGEST, max(SMALLEST, (room + 4) / max(count, 1) - 4))
    step = pitch(count, room - size, size + 4)
    top = height / 2 - size * CARD_HEIGHT / CARD_WIDTH / 2
    parts = [_goods_item(number, left + step * k, top, size, owner, asked) for k, number in enumerate(cards)]
    if sous:
        parts.append(coin(sous, left + (step * (count - 1) + size + 6 if cards else 0) + COIN, height / 2, COIN))
    return Markup("").join(parts)


def _goods_item(number: int, x: float, y: float, size: float, owner: int, asked: bool) -> Markup:
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
    if t.phase != Phase.TRADE or view.hand is None:
        return {}
    standing = enumerate(standing_offers(t))
    return {f"answer-{maker}-{number}": _answer(view, maker, number, row, say) for row, (maker, number, _) in standing}


CAN, CANNOT, OWN, OTHERS = range(4)
"""In which order a page shows wares: those that the seat can answer first."""


def _answer(view: Seen, maker: int, number: int, row: int, say: Say) -> Markup:
    """The whole ware is what one touches."""
    offer, known = view.table.offers[maker][number], known_offer(view, maker, number)
    parts = {"number": number + 1, "name": say.name(maker), **bargain_text(view, maker, number, say)}
    if maker == view.seat:
        rank, meant, drawn = OWN, f"withdraw {number + 1}", _cross()
        told = say("Your offer {number}: {given} for {asked}. Touch it to withdraw it.", **parts)
    elif view.seat is not None and is_addressed_to(offer, view.seat):
        rank = CAN if _can_accept(view, maker, number) else CANNOT
        meant, drawn = f"accept {maker} {number + 1}", _result(view, maker, number) + _clasp(rank == CAN, say)
        told = say("Deal with {name}: you get {given} for {asked}.", **parts)
    else:
        rank, meant, drawn = OTHERS, None, _EYE
        told = say("Whispered to {name}: only they know the cards.", name=addressee_name(offer.to - 1, say))
    inside = tag("title", told), _known_cards(known, maker) if known else Markup(), drawn, _WHOLE
    return group(
        f"answer-{maker}-{number}",
        *inside,
        x=LEFT,
        y=TOP + PITCH * row,
        class_="answer of-market parchment",
        codes=meant,
        data_row=row,
        data_rank=rank,
        data_confirm="" if rank == OWN else None,
    )


_WHOLE = rect(0, 0, WIDTH, TALL, "edge", 6)


@lru_cache(maxsize=512)
def _known_cards(known: DrawnOffer, maker: int) -> Markup:
    """The cards as the seat knows them, over what everybody sees."""
    place = COLUMNS.given - 4, 3, COLUMNS.result - COLUMNS.given, TALL - 6
    return cloth(*place, "mat-bare", fill="grain") + goods(known, COLUMNS, TALL, maker)


def _can_accept(view: Seen, maker: int, number: int) -> bool:
    """R9: whether the seat has the cards and the sous, and has not done."""
    assert view.seat is not None
    assert view.hand is not None
    offer = view.table.offers[maker][number]
    asked = cost_of_offer(view, maker, number)
    if view.table.done >> view.seat & 1 or offer.charge > view.table.purse[view.seat]:
        return False
    return len(answering_cards(cards_of(view.hand), asked)) == len(asked)


def _result(view: Seen, maker: int, number: int) -> Markup:
    """The own set after the bargain: what is new lit, what lacks struck out."""
    assert view.hand is not None
    offer, known = view.table.offers[maker][number], known_offer(view, maker, number)
    now = cards_of(view.hand)
    left = list(now)
    for gone in answering_cards(now, cost_of_offer(view, maker, number)):
        left.remove(gone)
    given = known.given if known is not None and offer.to != TO_ALL else public_offer(offer).given
    sorts = {number - SORTS_FROM if number >= SORTS_FROM else sort_of(number) for number in given}
    had = {sort_of(number) for number in now}
    after = {sort_of(number) for number in left} | sorts
    held = tuple(kind in after for kind in range(KIND_COUNT))
    new = tuple(kind in after and kind not in had for kind in range(KIND_COUNT))
    return emblems(held, new, COLUMNS.result, TALL / 2 - 48, 34)


@lru_cache(maxsize=1)
def _cross() -> Markup:
    """Draw the cross by which one's own offer is withdrawn."""
    (x, width), middle = ANSWER, TALL / 2
    cross = path(f"M{x + width / 2 - 20:g} {middle - 20:g}l40 40m0 -40l-40 40", "tm-n tm-b")
    return rect(x, 9, width, TALL - 20, "quiet-button", 12) + cross


@lru_cache(maxsize=16)
def _clasp(able: bool, say: Say) -> Markup:
    """Draw the clasp by which a deal is made."""
    (x, width), high = ANSWER, TALL - 22
    drawn = (
        rect(x, 15, width, high, "tm-ik", 12),
        rect(x, 8, width, high, "deal-button", 12),
        fitted_shape("clasp", x + width / 2 - 36, 12, 72, 72),
        board_text(say("Deal"), x + width / 2, TALL - 28, "x3b mid pale"),
    )
    return tag("g", *drawn, class_=None if able else "unable")


_EYE = tag("g", fitted_shape("eye", ANSWER[0] + 24, TALL / 2 - 27, 80, 54), class_="spent")
