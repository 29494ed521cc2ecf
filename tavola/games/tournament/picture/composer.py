"""The stall on which the player builds an offer: addressee, cards given and asked for, sous, the resulting set.

Nothing is sent before the offer is announced or whispered. Players touch cards in the hand and kinds here, and move a
coin.
"""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from tavola.games.tournament.components import (
    CARDS,
    JOKER,
    JOKER_SORT,
    KIND_COUNT,
    MOST_PAID,
    SORT_COUNT,
    SORTS,
    TO_ALL,
    Draft,
    Hand,
    Table,
)
from tavola.games.tournament.picture import elements as draw
from tavola.games.tournament.words import nouns
from tavola.show.kit import PieceItems, fitted_text, piece
from tavola.show.speech import Say, mark
from tavola.show.svg import group, tag

HEAD = 865.0
"""Top of the strip of addressees; `RAISED` while an offer is being built."""
RAISED = 378.0
FINGER = 129.0
"""Minimum width and height of what can be touched: 40 pixels on the lowest screen."""
PITCH = FINGER + 2
ROW_SIDES, ROW_KINDS, ROW_SET = 554.0, 736.0, 870.0
GIVEN, ASKED, COIN = 8.0, 601.0, 500.0
"""Left edges of the cards of both sides, and the middle of the coin between them."""
SLOT_HEIGHT = 175.0
HOLES = {"give": mark("Choose a card from your hand to give."), "ask": mark("Choose a kind below to ask for.")}
TILE = 192.0
SOUS_CODES = "|".join(f"{verb} {sous}" for verb in ("pay", "charge") for sous in range(1, MOST_PAID + 1))


def composer(t: Table, seat: int, hand: Hand, say: Say) -> PieceItems:
    draft = hand.draft
    if not nouns.can_offer(t, seat, draft):
        return
    yield _counter(bool(draft.to), say)
    others = [other for other in range(t.players) if other != seat]
    for number, to in enumerate((TO_ALL - 1, *others)):
        replaced = _only_whispered(draft) if to == TO_ALL - 1 else ()
        yield _addressee(to, number, bool(draft.to), draft.to == to + 1, replaced, t.players, say)
    if draft.to:
        yield _labels(t.published[seat] + 1, t.offer_limit, say)
        yield from (_side_card(held, "give", number, say) for number, held in enumerate(draft.given))
        yield from (_side_card(wanted, "ask", number, say) for number, wanted in enumerate(draft.asked))
        yield _sous_coin(draft.pay, draft.charge, say)
        yield from (_kind_button(sort, all(draft.asked), say) for sort in range(SORT_COUNT))
        yield _set_after(tuple(nouns.cards_of(hand)), draft.given, draft.asked, say)
        yield _publish_button(draft, say)


def _only_whispered(draft: Draft) -> tuple[str, ...]:
    """Return the requests that an offer to everyone cannot contain: of all, only kinds can be asked."""
    return tuple(f"ask {CARDS[asked]}" for asked in nouns.listed(draft.asked) if nouns.value_of(asked) > 1)


def _stall_piece(identifier: str, told: str, *parts: str, tap: bool = True, class_: str = "", **more: Any) -> Markup:
    """Draw a piece of the stall with its title; `tap`: it can be touched."""
    class_ = "of-market parchment" + (" tap" if tap else "") + class_
    return group(identifier, tag("title", told), *parts, class_=class_, **more)


@piece("counter", memory=16)
def _counter(identifier: str, raised: bool, say: Say) -> Markup:
    top = RAISED if raised else HEAD
    sheet = draw.cloth(2, top + 1, 996, 998 - top, "mat", 10, "grain")
    if not raised:
        sheet += draw.board_text(say("Offer to:"), 20, top + 78, "x4 italic soft")
    ground, edge = draw.cloth(-900, top - 6, 2800, 1500, "tm-az"), draw.rect(-900, top - 10, 2800, 10, "tm-wd tm-o")
    return group(identifier, ground, edge, tag("g", sheet, class_="parchment"), class_="of-market")


@piece("to-{to}")
def _addressee(
    identifier: str,
    to: int,
    number: int,
    raised: bool,
    chosen: bool,
    replaced: tuple[str, ...],
    players: int,
    say: Say,
) -> Markup:
    """Draw an addressee; `replaced`: steps of a plan that are given up with the addressee chosen so far."""
    x = (8 if raised else 996 - PITCH * players) + PITCH * number
    code, told = "offer all", say("An offer to everyone: they all hear the kinds, and the first to accept gets it.")
    if to != TO_ALL - 1:
        code, told = f"offer {to}", say("An offer only to {name}: no one else sees which cards.", name=say.name(to))
    crest = draw.rect(0, 0, FINGER, FINGER, "edge", 10)
    for class_ in ("pick-ink", "pick") if chosen else ():
        crest += draw.rect(4, 4, FINGER - 8, FINGER - 8, class_, 10)
    crest += draw.fitted_shape("horn", 10, 10, 107, 107) if to == TO_ALL - 1 else draw.arms(to, 20, 12, 87)
    placed = draw.translate(x, (RAISED if raised else HEAD) + 2, crest)
    changes = raised and not chosen
    class_, adds, instead = (" spent", code, "|".join(["offer", *replaced])) if changes else ("", None, None)
    return _stall_piece(identifier, told, placed, codes=code, class_=class_, data_adds=adds, data_instead=instead)


@piece("sides", memory=64)
def _labels(identifier: str, number: int, most: int, say: Say) -> Markup:
    told = say("offer {number} of {most}", number=number, most=most)
    count = draw.board_text(f"{number} / {most}", 972, RAISED + 76, "x4 italic soft end")
    give = draw.board_text(say("you give"), GIVEN + 8, ROW_SIDES - 10, "x4 italic soft")
    ask = draw.board_text(say("you ask for"), ASKED, ROW_SIDES - 10, "x4 italic soft")
    return _stall_piece(identifier, told, count, give, ask, tap=False, class_=" through")


@piece("{verb}-{number}")
def _side_card(identifier: str, held: int, verb: str, number: int, say: Say) -> Markup:
    x = (GIVEN if verb == "give" else ASKED) + PITCH * number
    if not held:
        hole = draw.rect(4, 4, FINGER - 8, SLOT_HEIGHT - 8, "hole", 6)
        return _stall_piece(identifier, say(HOLES[verb]), hole, x=x, y=ROW_SIDES, tap=False)
    if verb == "give":
        told = say("You’re giving {card}. Choose it to take it back.", card=nouns.card_name(held - 1, say))
        shown = draw.card(held - 1, 2, 2, FINGER - 4)
    else:
        told = say("You’re asking for {card}. Choose it to undo.", card=nouns.asked_name(held - 1, say))
        shown = draw.outline(nouns.sort_of(held - 1), draw.least_value(held - 1), 2, 2, FINGER - 4)
    edge = draw.rect(0, 0, FINGER, SLOT_HEIGHT, "edge", 7)
    return _stall_piece(identifier, told, shown, edge, x=x, y=ROW_SIDES, data_removes=f"{verb} {CARDS[held - 1]}")


@piece("coin")
def _sous_coin(identifier: str, pay: int, charge: int, say: Say) -> Markup:
    told = say("You get {sous}.", sous=nouns.sous_text(charge, say))
    if pay or not charge:
        told = say("You pay {sous}.", sous=nouns.sous_text(pay, say))
    side = 45.0 * (bool(charge) - bool(pay))
    parts = (
        tag("circle", cx=0.0, cy=6.0, r=30.0, class_="hole"),
        draw.fitted_shape("arrows", -32, -84, 64, 43),
        draw.coin(pay or charge, side, 6, 46) if side else Markup(),
        draw.rect(-95, -SLOT_HEIGHT / 2, 190, SLOT_HEIGHT, "edge", 12),
    )
    return _stall_piece(identifier, told, *parts, x=COIN, y=ROW_SIDES + SLOT_HEIGHT / 2, codes=SOUS_CODES)


@piece("want-{sort}", memory=128)
def _kind_button(identifier: str, sort: int, full: bool, say: Say) -> Markup:
    meant = [f"ask {name}" for name in CARDS if name.startswith(SORTS[sort])]
    told, codes = say("Ask for {kind:a}.", kind=nouns.KIND(sort, say)), "|".join(meant)
    button, edge = (draw.rect(0, 0, TILE, FINGER, class_, 8) for class_ in ("kind-button", "edge"))
    parts, x = (button, draw.face(sort, "", TILE / 2 - 41, 7, 82), edge), 8 + (TILE + 6) * sort
    class_, adds = (" spent", None) if full else ("", meant[0])
    return _stall_piece(identifier, told, *parts, x=x, y=ROW_KINDS, codes=codes, class_=class_, data_adds=adds)


@piece("after", memory=512)
def _set_after(identifier: str, held: tuple[int, ...], give: Sequence[int], ask: Sequence[int], say: Say) -> Markup:
    cards, asked = [*held], nouns.listed(ask)
    for gone in nouns.listed(give):
        cards.remove(gone)
    after = [*cards, *asked]
    gaps, jokers = nouns.kinds_without_cards(after), after.count(JOKER)
    parts = [_best_of_kind(kind, cards, asked, kind in gaps[:jokers], 14 + 84.0 * kind) for kind in range(KIND_COUNT)]
    if nouns.missing_kinds(after):
        parts.append(fitted_text(say("incomplete set"), 545, ROW_SET + 78, 39, 216, "x4 italic mid lack"))
    else:
        parts.append(draw.fitted_shape("laurel", 470, ROW_SET + 6, 150, 75))
        parts.append(fitted_text(say("complete set"), 545, ROW_SET + 108, 39, 216, "x4 italic mid"))
    return _stall_piece(identifier, say("Your set after this deal."), *parts, tap=False)


def _best_of_kind(kind: int, cards: list[int], asked: list[int], joker: bool, x: float) -> Markup:
    own, coming = ([number for number in some if nouns.sort_of(number) == kind] for some in (cards, asked))
    y = ROW_SET + 13
    if coming and (not own or coming[-1] > own[-1]):
        lit = draw.rect(x - 3, y - 3, 80, 108, "lit", 8)
        return lit + draw.outline(kind, draw.least_value(coming[-1]) or "?", x, y, 74)
    if own:
        return draw.card(own[-1], x, y, 74)
    return draw.face(JOKER_SORT, "0", x, y, 74) if joker else draw.outline(kind, "", x, y, 74)


@piece("send")
def _publish_button(identifier: str, draft: Draft, say: Say) -> Markup:
    told, word = say("Whisper: only the two of you know the cards."), say("Whisper")
    sign = draw.arms(draft.to - 1, 30, 18, 66)
    if draft.to == TO_ALL:
        told, word = say("Announce: everyone hears it at once."), say("Announce")
        sign = draw.fitted_shape("horn", 24, 24, 70, 70)
    edges = draw.rect(0, 5, 330, FINGER, "tm-ik", 14), draw.rect(0, 0, 330, FINGER, "send-button edge", 14)
    empty = not (draft.given[0] or draft.asked[0] or draft.pay or draft.charge)
    button = tag("g", *edges, sign, draw.board_text(word, 110, 72, "x3b pale"), class_="unable" if empty else None)
    return _stall_piece(identifier, told, button, x=662, y=ROW_SET, codes="publish")
