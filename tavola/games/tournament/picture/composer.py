"""The stall on which one makes one's own offer: to whom, what is given, what is asked for, the sous, the set after it.

Nothing of it is sent before it is cried or whispered: cards in the hand and kinds here are touched, a coin is moved.
"""

from functools import lru_cache
from typing import Any

from markupsafe import Markup

from tavola.games.tournament.components import (
    CARDS,
    JOKER,
    JOKER_SORT,
    KIND_COUNT,
    MOST_CARDS,
    MOST_PAID,
    SORT_COUNT,
    SORTS,
    TO_ALL,
    Draft,
    Hand,
    Phase,
    Seen,
)
from tavola.games.tournament.components import TOP as TOP_OF_ALL
from tavola.games.tournament.picture.elements import (
    arms,
    board_text,
    card,
    cloth,
    coin,
    face,
    fitted_shape,
    outline,
    rect,
    translate,
)
from tavola.games.tournament.words.nouns import (
    KIND,
    addressee_name,
    asked_name,
    card_name,
    cards_of,
    kinds_without_cards,
    missing_kinds,
    sort_of,
    sous_text,
    value_of,
)
from tavola.show.speech import Say
from tavola.show.svg import group, tag

HEAD = 865.0
"""Top of the strip with those whom one may make an offer; while one is built the stall is higher."""
RAISED = 378.0
FINGER = 129.0
"""What is touched is so broad and high at least: 40 pixels on the lowest screen."""
PITCH = FINGER + 2
ROW_SIDES, ROW_KINDS, ROW_SET = 554.0, 736.0, 870.0
GIVEN, ASKED, COIN = 8.0, 601.0, 500.0
"""Where the cards of both sides begin, and the coin between them."""
SLOT_HEIGHT = 175.0
TILE = 192.0


def composer(view: Seen, say: Say) -> dict[str, Markup]:
    """The own stall: closed to a strip of arms until an offer is begun."""
    t = view.table
    if t.phase != Phase.TRADE or view.hand is None or view.seat is None:
        return {}
    draft = view.hand.draft
    if t.done >> view.seat & 1 or (t.published[view.seat] >= t.offer_limit and not draft.to):
        return {}
    top = RAISED if draft.to else HEAD
    others = [seat for seat in range(t.players) if seat != view.seat]
    drawn = {"counter": _counter(bool(draft.to), say)}
    for number, to in enumerate((TO_ALL - 1, *others)):
        drawn[f"to-{to}"] = _addressees(number, to, top, draft, t.players, say)
    if draft.to:
        drawn |= _draft_pieces(view, view.hand, draft, say)
    return drawn


def _stall_piece(identifier: str, told: str, *parts: str, tap: bool = True, class_: str = "", **more: Any) -> Markup:
    """Draw a piece of the stall with what it says of itself; `tap`: it can be touched."""
    class_ = "of-market parchment" + (" tap" if tap else "") + class_
    return group(identifier, tag("title", told), *parts, class_=class_, **more)


@lru_cache(maxsize=16)
def _counter(raised: bool, say: Say) -> Markup:
    top = RAISED if raised else HEAD
    ground = cloth(-900, top - 6, 2800, 1500, "tm-az")
    edge = rect(-900, top - 10, 2800, 10, "tm-wd tm-o")
    sheet = cloth(2, top + 1, 996, 998 - top, "mat", 10, "grain")
    label = Markup() if raised else board_text(say("Offer to:"), 20, top + 78, "x4 italic soft")
    return group("counter", ground, edge, tag("g", sheet, label, class_="parchment"), class_="of-market")


@lru_cache(maxsize=1024)
def _addressees(number: int, to: int, top: float, draft: Draft, players: int, say: Say) -> Markup:
    """The horn for all, or the arms of one."""
    x = (8 if draft.to else 996 - PITCH * players) + PITCH * number
    chosen = draft.to == to + 1
    name = "all" if to == TO_ALL - 1 else str(to)
    told = say("An offer to all: everybody hears its kinds, and who accepts first has it.")
    if to != TO_ALL - 1:
        told = say("An offer to {name} alone: only you two know its cards.", name=addressee_name(to, say))
    changes = draft.to and not chosen
    return _stall_piece(
        f"to-{to}",
        told,
        translate(x, top + 2, _crest(to, chosen)),
        codes=f"offer {name}",
        class_=" spent" if changes else "",
        data_adds=f"offer {name}" if changes else None,
        data_instead=_replaced_steps(draft, to) if changes else None,
    )


def _replaced_steps(draft: Draft, to: int) -> str:
    """List what a change of the addressee takes out: of all one can ask for kinds only."""
    named = [CARDS[asked - 1] for asked in draft.asked if asked and value_of(asked - 1) > 1]
    return "|".join(["offer", *(f"ask {name}" for name in named)] if to == TO_ALL - 1 else ["offer"])


@lru_cache(maxsize=64)
def _crest(to: int, chosen: bool) -> Markup:
    parts = [rect(0, 0, FINGER, FINGER, "edge", 10)]
    if chosen:
        parts += [rect(4, 4, FINGER - 8, FINGER - 8, sort, 10) for sort in ("pick-ink", "pick")]
    parts.append(fitted_shape("horn", 10, 10, 107, 107) if to == TO_ALL - 1 else arms(to, 20, 12, 87))
    return Markup("").join(parts)


def _draft_pieces(view: Seen, hand: Hand, draft: Draft, say: Say) -> dict[str, Markup]:
    drawn = {
        "sides": _labels(view.table.published[view.seat or 0] + 1, view.table.offer_limit, say),
        **_side_cards(draft.given, "give", GIVEN, draft, say),
        **_side_cards(draft.asked, "ask", ASKED, draft, say),
        "coin": _sous_coin(draft.pay, draft.charge, say),
    }
    full = all(draft.asked)
    drawn |= {f"want-{sort}": _kind_button(sort, full, say) for sort in range(SORT_COUNT)}
    return {**drawn, "after": _set_after(hand, draft, say), "send": _publish_button(draft, say)}


@lru_cache(maxsize=64)
def _labels(number: int, most: int, say: Say) -> Markup:
    told = say("offer {number} of {most}", number=number, most=most)
    count = board_text(f"{number} / {most}", 972, RAISED + 76, "x4 italic soft end")
    give = board_text(say("you give"), GIVEN + 8, ROW_SIDES - 10, "x4 italic soft")
    ask = board_text(say("you ask for"), ASKED, ROW_SIDES - 10, "x4 italic soft")
    return _stall_piece("sides", told, count, give, ask, tap=False, class_=" through")


def _side_cards(cards: tuple[int, ...], verb: str, left: float, draft: Draft, say: Say) -> dict[str, Markup]:
    """The cards of one side; a touch takes one back. Cards that are given are touched in the hand."""
    drawn = {}
    for number in range(MOST_CARDS):
        identifier, held = f"{verb}-{number}", cards[number]
        x = left + PITCH * number
        if not held:
            hole = rect(4, 4, FINGER - 8, SLOT_HEIGHT - 8, "hole", 6)
            told = say("Touch a kind below to ask for it.")
            if verb == "give":
                told = say("Touch a card of your hand to give it.")
            drawn[identifier] = _stall_piece(identifier, told, hole, x=x, y=ROW_SIDES, tap=False)
        else:
            drawn[identifier] = _side_card(identifier, held - 1, verb, x, draft.to == TO_ALL, say)
    return drawn


def _side_card(identifier: str, number: int, verb: str, x: float, cried: bool, say: Say) -> Markup:
    if verb == "give":
        told = say("You give {card}: touch it to take it back.", card=card_name(number, say))
        shown = card(number, 2, 2, FINGER - 4)
    else:
        told = say("You ask for {card}: touch it to take that back.", card=asked_name(number, say))
        value = value_of(number)
        shown = outline(sort_of(number), "" if cried or value < 2 else f"{value}+", 2, 2, FINGER - 4)
    edge = rect(0, 0, FINGER, SLOT_HEIGHT, "edge", 7)
    return _stall_piece(identifier, told, shown, edge, x=x, y=ROW_SIDES, data_removes=f"{verb} {CARDS[number]}")


def _sous_coin(pay: int, charge: int, say: Say) -> Markup:
    """The coin, on the side that pays it; it is moved by the slider, to which a touch leads."""
    meant = [f"{verb} {sous}" for verb in ("pay", "charge") for sous in range(1, MOST_PAID + 1)]
    told = say("You get {sous}.", sous=sous_text(charge, say))
    if pay or not charge:
        told = say("You pay {sous}.", sous=sous_text(pay, say))
    side = 45.0 * (bool(charge) - bool(pay))
    shown = coin(pay or charge, side, 6, 46) if side else Markup()
    hole = tag("circle", cx=0.0, cy=6.0, r=30.0, class_="hole"), fitted_shape("arrows", -32, -84, 64, 43)
    edge = rect(-95, -SLOT_HEIGHT / 2, 190, SLOT_HEIGHT, "edge", 12)
    y = ROW_SIDES + SLOT_HEIGHT / 2
    return _stall_piece("coin", told, *hole, shown, edge, x=COIN, y=y, codes="|".join(meant))


@lru_cache(maxsize=128)
def _kind_button(sort: int, full: bool, say: Say) -> Markup:
    """A kind to be asked for."""
    least = "joker" if sort == JOKER_SORT else f"{SORTS[sort]}-1"
    meant = ["ask joker"] if sort == JOKER_SORT else [f"ask {CARDS[15 * sort + value]}" for value in range(TOP_OF_ALL)]
    told = say("Ask for {kind:a}.", kind=KIND(sort, say))
    return _stall_piece(
        f"want-{sort}",
        told,
        rect(0, 0, TILE, FINGER, "kind-button", 8),
        face(sort, "", TILE / 2 - 41, 7, 82),
        rect(0, 0, TILE, FINGER, "edge", 8),
        x=8 + (TILE + 6) * sort,
        y=ROW_KINDS,
        codes="|".join(meant),
        class_=" spent" if full else "",
        data_adds=None if full else f"ask {least}",
    )


def _set_after(hand: Hand, draft: Draft, say: Say) -> Markup:
    """The own set as it would be: the best of each kind, what comes lit, what lacks an outline."""
    cards = cards_of(hand)
    for gone in draft.given:
        if gone:
            cards.remove(gone - 1)
    asked = [wanted - 1 for wanted in draft.asked if wanted]
    after = [*cards, *asked]
    gaps, jokers = kinds_without_cards(after), after.count(JOKER)
    parts = [_best_of_kind(kind, cards, asked, kind in gaps[:jokers], 14 + 84.0 * kind) for kind in range(KIND_COUNT)]
    if missing_kinds(after):
        parts.append(board_text(say("then no full set"), 508, ROW_SET + 78, "x4 italic mid lack"))
    else:
        parts.append(fitted_shape("laurel", 433, ROW_SET + 6, 150, 75))
        parts.append(board_text(say("then a full set"), 508, ROW_SET + 108, "x4 italic mid"))
    return _stall_piece("after", say("Your set after this bargain."), *parts, tap=False)


def _best_of_kind(kind: int, cards: list[int], asked: list[int], joker: bool, x: float) -> Markup:
    """Draw what would be best of a kind: what comes, what is there, a joker, or nothing."""
    own, coming = ([number for number in some if sort_of(number) == kind] for some in (cards, asked))
    y = ROW_SET + 13
    if coming and (not own or coming[-1] > own[-1]):
        least = value_of(coming[-1])
        lit = rect(x - 3, y - 3, 80, 108, "lit", 8)
        return lit + outline(kind, f"{least}+" if least > 1 else "?", x, y, 74)
    if own:
        return card(own[-1], x, y, 74)
    return face(JOKER_SORT, "0", x, y, 74) if joker else outline(kind, "", x, y, 74)


def _publish_button(draft: Draft, say: Say) -> Markup:
    """The button that publishes: the only touch that anybody else hears of."""
    cried = draft.to == TO_ALL
    empty = not (draft.given[0] or draft.asked[0] or draft.pay or draft.charge)
    told = say("Cry it: everybody hears it at once.") if cried else say("Whisper it: only you two know its cards.")
    sign = fitted_shape("horn", 24, 24, 70, 70) if cried else arms(draft.to - 1, 30, 18, 66)
    word = board_text(say("Cry it") if cried else say("Whisper"), 110, 72, "x3b pale")
    drawn = rect(0, 5, 330, FINGER, "tm-ik", 14), rect(0, 0, 330, FINGER, "send-button edge", 14), sign, word
    button = tag("g", *drawn, class_="unable" if empty else None)
    return _stall_piece("send", told, button, x=662, y=ROW_SET, codes="publish")
