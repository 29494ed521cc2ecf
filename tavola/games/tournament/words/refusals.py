"""Reasons why an action is not allowed, with the paragraph of RULES.md."""

from tavola.games.tournament.components import JOKER, KINDS, MOST_CARDS, TO_ALL, TOP, Hand, Phase, Seen, Table
from tavola.games.tournament.trading import is_addressed_to
from tavola.games.tournament.words import nouns
from tavola.games.tournament.words.choices import most_charged
from tavola.show.speech import Say, mark
from tavola.show.words import Indices, Refusals, Why, names_of

TRADE_CLOSED = mark("You can make offers only while the market is open (R7).")
WHEN = {
    **dict.fromkeys(("offer", "give", "ask", "pay", "charge", "publish"), ((Phase.TRADE,), TRADE_CLOSED)),
    "accept": ((Phase.TRADE,), mark("You can accept offers only while the market is open (R7).")),
    "withdraw": ((Phase.TRADE,), mark("All offers expire when the market closes (R13).")),
    "done": ((Phase.TRADE,), mark("The market isn’t open now (R7).")),
    "fight": ((Phase.BALLOT,), mark("You can choose to fight only before a duel (R16).")),
    "forfeit": ((Phase.BALLOT,), mark("You can forfeit only before a duel (R16).")),
    "equip": ((Phase.ARMING,), mark("You can play cards into the boxes only when both players fight (R18).")),
    "point": ((Phase.POINTING,), mark("You can point at a corner only after the tokens are thrown (R24).")),
    "buy": ((Phase.PURCHASE,), mark("You can buy from the discard pile only after a duel (R30).")),
    "pass": ((Phase.PURCHASE,), mark("You can buy from the discard pile only after a duel (R30).")),
}

_DECIDED = {Phase.BALLOT: "R16", Phase.ARMING: "R18", Phase.THROW: "R25", Phase.POINTING: "R24", Phase.PURCHASE: "R30"}
"""Paragraph that says who decides, by phase."""


def _not_to_act(view: Seen, say: Say) -> str:
    if view.table.phase == Phase.TRADE:
        return say("You’re done trading until someone makes you an offer (R13).")
    if view.seat is not None and view.table.duel.chosen >> view.seat & 1:
        return ""
    names, rule = names_of(view.to_act, say), _DECIDED[Phase(view.table.phase)]
    return say("This isn’t your decision: it’s up to {names} ({rule}).", names=names, rule=rule)


# Trade


def _no_offer(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if hand.draft.to:
        return say("You’re already building an offer (R8).")
    if t.published[seat] >= t.offer_limit:
        return say("You’ve made all your offers this round (R10).")
    if places[0] == seat:
        return say("You can’t make yourself an offer (R8).")
    return say("No one sits there (R8).")


def _no_draft(hand: Hand, say: Say, side: tuple[int, ...] = (0,)) -> str:
    if not hand.draft.to:
        return say("First choose who the offer is for (R8).")
    if hand.draft.pay or hand.draft.charge:
        return say("Add the sous last (R8).")
    return say("An offer can have at most {count} cards on each side (R8).", count=MOST_CARDS) if all(side) else ""


def _no_give(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    draft = hand.draft
    if places[0] not in nouns.cards_of(hand):
        return say("You don’t have {card} (R8).", card=nouns.card_name(places[0], say))
    if unbuilt := _no_draft(hand, say, draft.given):
        return unbuilt
    if any(draft.asked):
        return say("Choose the cards you give before those you ask for (R8).")
    if places[0] == JOKER:
        return say("You don’t have another joker (R8).")
    return say("Name the cards in ascending order, each only once (R8).")


def _no_ask(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    draft, card = hand.draft, places[0]
    if nouns.value_of(card) > nouns.top_value(t):
        return say("There’s no {card} in this match (R3).", card=nouns.card_name(card, say))
    if unbuilt := _no_draft(hand, say, draft.asked):
        return unbuilt
    if draft.to == TO_ALL and nouns.value_of(card) > 1:
        kind = nouns.KIND(nouns.sort_of(card), say)
        return say("An offer to everyone can only ask for a kind: {kind:a} (R9).", kind=kind)
    if card == JOKER:
        return say("This match doesn’t have that many jokers (R3).")
    return say("Name the cards in ascending order (R8).")


def _no_pay(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    return _no_draft(hand, say) or say("You have only {sous} (R8).", sous=nouns.sous_text(t.purse[seat], say))


def _no_charge(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    richest = nouns.sous_text(most_charged(t, seat, hand.draft.to), say)
    return _no_draft(hand, say) or say("No one you’re asking has more than {sous} (R8).", sous=richest)


def _no_publish(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    empty = mark("An offer must give or ask for something (R8).")
    return say(empty if hand.draft.to else mark("You aren’t building an offer (R8)."))


def _no_deal(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    maker, number = places
    offer = t.offers[maker][number]
    if not offer.to:
        return _offer_gone(t, seat, maker, number, say)
    if maker == seat:
        return say("That’s your own offer (R9).")
    if hand.draft.to:
        return say("First publish the offer you’re building, or drop it (R8).")
    if not is_addressed_to(offer, seat):
        return say("That offer was whispered to {name} (R9).", name=say.name(offer.to - 1))
    if offer.charge > t.purse[seat]:
        return say("You don’t have {sous} (R9).", sous=nouns.sous_text(offer.charge, say))
    return say("You don’t have what the offer asks for (R9).")


def _offer_gone(t: Table, seat: int, maker: int, number: int, say: Say) -> str:
    if (t.sale.maker, t.sale.number) == (maker + 1, number + 1):
        if t.sale.taker == seat + 1:
            return say("This deal is done: everything has changed hands (R11).")
        return say("{name} was faster: this offer is taken (R11).", name=say.name(t.sale.taker - 1))
    if number < t.published[maker]:
        return say("This offer is gone: it was accepted or withdrawn, or it can’t be honoured any more (R10).")
    return say("There’s no such offer (R10).")


def _no_withdrawal(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if hand.draft.to:
        return say("First publish the offer you’re building, or drop it (R8).")
    return say("You have no open offer with that number (R10).")


# Duels


def _no_card(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    box, value = places
    if t.duel.chosen >> seat & 1:
        return say("You’ve already played your card. Wait for the other player (R18).")
    if box != t.duel.box:
        return say("Fill {kind:the} box now (R18).", kind=nouns.KIND(min(t.duel.box, len(KINDS) - 1), say))
    if not value and hand.jokers:
        return say("You need your jokers for later boxes (R18).")
    if not value:
        return say("You have no joker (R18).")
    card = nouns.card_name(TOP * box + value - 1, say)
    if value > nouns.top_value(t):
        return say("There’s no {card} in this match (R3).", card=card)
    return say("You don’t have {card} (R18).", card=card)


_REASONS: dict[str, Why] = {
    "offer": _no_offer,
    "give": _no_give,
    "ask": _no_ask,
    "pay": _no_pay,
    "charge": _no_charge,
    "publish": _no_publish,
    "accept": _no_deal,
    "withdraw": _no_withdrawal,
    "equip": _no_card,
    "point": mark("You’ve already pointed. Wait for the other player (R24)."),
}

refusal = Refusals(
    chance=dict.fromkeys(
        ("deal", "draw", "throw", "first"), mark("Only chance deals, throws and draws (R5, R22, R31).")
    ),
    over=lambda view, say: say("The match is over (R36)."),
    over_phase=Phase.OVER,
    when=WHEN,
    others=_not_to_act,
    why=dict.fromkeys(WHEN, mark("You’ve already decided. Wait for the other player (R16).")) | _REASONS,
)
