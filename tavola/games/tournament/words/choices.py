"""What a seat does by an action, and how it is chosen a step at a time."""

from collections import Counter

from tavola.games.tournament.components import (
    CARDS,
    JOKER,
    KIND_COUNT,
    KINDS,
    TO_ALL,
    VALUES,
    First,
    Hand,
    Offer,
    Phase,
    Seen,
)
from tavola.games.tournament.offers import is_addressed_to
from tavola.games.tournament.words.nouns import (
    CORNER,
    KIND,
    VOCABULARY,
    addressee_name,
    answering_cards,
    asked_name,
    button_value,
    capitalized,
    card_name,
    cards_of,
    cost_of_offer,
    offer_parts,
    racer_name,
    sort_of,
    sous_text,
    terms_side_text,
    value_of,
)
from tavola.show.speech import Say, mark
from tavola.show.words import ActionMessage, Foreseen, Indices, Part, phase_strip


def action(view: Seen, action: int, say: Say) -> str:
    return VOCABULARY.action_sentence(_ACTIONS, view, action, say)


def bargain_text(view: Seen, maker: int, number: int, say: Say) -> dict[str, str]:
    """Return what an offer's maker gives and asks, as the view's seat knows it."""
    offer: Offer = view.table.offers[maker][number]
    hand: Hand | None = view.hand
    if hand is not None and (maker == view.seat or offer.to == (view.seat or 0) + 1):
        terms = hand.terms[maker][number]
        given = terms_side_text(terms.given, offer.pay, False, say)
        return {"given": given, "asked": terms_side_text(terms.asked, offer.charge, True, say)}
    return offer_parts(offer, say)


def _cost_text(view: Seen, maker: int, number: int, say: Say) -> str:
    """Return what an offer would cost the view's seat: its own cards by name; empty where it does not hold them."""
    offer: Offer = view.table.offers[maker][number]
    if view.hand is None or view.seat is None or not is_addressed_to(offer, view.seat):
        return ""
    asked = cost_of_offer(view.hand, offer, maker, number)
    paid = answering_cards(cards_of(view.hand), asked)
    items = [card_name(card, say) for card in sorted(paid)] + ([sous_text(offer.charge, say)] if offer.charge else [])
    return say.listing(items) if len(paid) == len(asked) and items else ""


def _accept(view: Seen, places: Indices, say: Say) -> str:
    maker, number = places
    parts = {"name": say.name(maker), "number": number + 1, **bargain_text(view, maker, number, say)}
    if paid := _cost_text(view, maker, number, say):
        parts["asked"] = paid
    return say("Deal with {name}, offer {number}: you get {given} for {asked}", **parts)


def _withdraw(view: Seen, places: Indices, say: Say) -> str:
    if view.seat is None:
        return say("Withdraw offer {number}", number=places[0] + 1)
    parts = bargain_text(view, view.seat, places[0], say)
    return say("Withdraw offer {number}: {given} for {asked}", number=places[0] + 1, **parts)


def _offer(view: Seen, places: Indices, say: Say) -> str:
    to_all = places[0] == TO_ALL - 1
    return say("An offer to all") if to_all else say("An offer to {name}", name=say.name(places[0]))


def _publish(view: Seen, places: Indices, say: Say) -> str:
    to = view.hand.draft.to if view.hand is not None else 0
    if to == TO_ALL or not to:
        return say("Cry it")
    return say("Whisper it to {name}", name=say.name(to - 1))


def _equip(view: Seen, places: Indices, say: Say) -> str:
    kind = format(KIND(places[0], say), "short")
    return (
        say("{kind} {value}", kind=kind, value=places[1])
        if places[1]
        else say("{kind}: a joker, which counts 0", kind=kind)
    )


def _throw(view: Seen, places: Indices, say: Say) -> str:
    # Each of the three small tokens has one symbol and the next on its faces.
    symbols = say.listing([str(CORNER((token + face) % 3, say)) for token, face in enumerate(places[:3])])
    if places[3]:
        return say("The throw: {symbols}, two dots", symbols=symbols)
    return say("The throw: {symbols}, one dot", symbols=symbols)


_ACTIONS: dict[str, ActionMessage] = {
    "deal": mark("Deal {card}"),
    "draw": mark("Draw {card}"),
    "throw": _throw,
    "first": lambda view, places, say: say("First: {name}", name=racer_name(places[0], say)),
    "offer": _offer,
    "give": mark("Give {card}"),
    "ask": lambda view, places, say: say("Ask for {card}", card=asked_name(places[0], say)),
    "pay": mark("Pay {sous}"),
    "charge": mark("Charge {sous}"),
    "publish": _publish,
    "accept": _accept,
    "withdraw": _withdraw,
    "done": mark("Done trading"),
    "fight": mark("Fight"),
    "forfeit": mark("Forfeit"),
    "equip": _equip,
    "point": mark("Point {corner:at}"),
    "buy": lambda view, places, say: say("Buy a card for {sous}", sous=sous_text(view.table.price, say)),
    "pass": mark("Buy nothing"),
}

# A step at a time

VERB_LABELS = {
    "offer": mark("New offer"),
    "accept": mark("Accept"),
    "withdraw": mark("Withdraw"),
    "give": mark("Give"),
    "ask": mark("Ask for"),
    "pay": mark("Pay sous"),
    "charge": mark("Charge sous"),
    "point": mark("Point at which corner?"),
    "first": mark("Who was first?"),
    "throw": mark("What does the throw show?"),
}
"""What begins with a verb: as a button beside the others, and as the question after it."""


def argument_label(view: Seen, verb: str, argument: str, place: int, say: Say) -> str:
    if argument == "value":
        return button_value(place, say)
    if verb == "ask":
        cried = view.hand is not None and view.hand.draft.to == TO_ALL
        return format(KIND(sort_of(place), say), "short") if cried else capitalized(_asked_card_label(place, say))
    if argument == "card":
        return capitalized(card_name(place, say))
    if argument == "to":
        return addressee_name(place, say)[:24]
    if argument == "sous":
        return str(place + 1)
    if argument in ("first", "second", "third"):
        token = ("first", "second", "third").index(argument)
        return format(CORNER((token + place) % 3, say), "short")
    return VOCABULARY.value_label(view, verb, argument, place, say)[:24]


def _asked_card_label(card: int, say: Say) -> str:
    """`Sword 1+`: for buttons that begin alike, so that they can be asked for by kind first."""
    if not value_of(card):
        return card_name(card, say)
    return say("{kind} {value}+", kind=format(KIND(sort_of(card), say), "short"), value=value_of(card))


def ask(view: Seen, verb: str, argument: str, chosen: Indices, say: Say) -> str:
    if argument in {"box", "value"}:
        box = chosen[0] if chosen else min(view.table.duel.box, len(KINDS) - 1)
        return say("Into the box of {kind:the}", kind=KIND(box, say))
    if argument == "seat" and verb == "accept":
        return say(VERB_LABELS["accept"])
    if argument == "number" and verb == "accept":
        return say("Which offer?")
    if argument == "to":
        return say(VERB_LABELS["offer"])
    if view.table.phase == Phase.THROW:
        return say("Which corner will be right? Seal it before the throw.")
    return say(VERB_LABELS[verb]) if verb in VERB_LABELS else say("Which card?")


def foreseen(view: Seen) -> Foreseen | None:
    """The boxes that are still to be filled: nothing turns before the last, so one may choose for all of them (R18)."""
    if view.table.phase != Phase.ARMING or view.hand is None or view.seat not in view.to_act:
        return None
    held = Counter(cards_of(view.hand))
    boxes = [
        {
            First.EQUIP + VALUES * box + value_of(card): CARDS[card]
            for card in held
            if card == JOKER or sort_of(card) == box
        }
        for box in range(view.table.duel.box, KIND_COUNT)
    ]
    return Foreseen(
        [{number: box[number] for number in sorted(box)} for box in boxes],
        {CARDS[card]: many for card, many in held.items()},
    )


ROUND = (
    Part(mark("Trade"), (Phase.TRADE,)),
    Part(mark("Duels"), (Phase.BALLOT, Phase.ARMING)),
    Part(mark("Judgement"), (Phase.THROW, Phase.POINTING, Phase.RACE)),
    Part(mark("Purchase"), (Phase.PURCHASE, Phase.DRAW)),
)
BEFORE = (Part(mark("Dealing"), (Phase.DEAL,)),)
END = (Part(mark("The end"), (Phase.OVER,)),)


def phases(view: Seen, say: Say) -> list[tuple[str, bool]]:
    phase = view.table.phase
    return phase_strip(BEFORE if phase == Phase.DEAL else END if phase == Phase.OVER else ROUND, phase, say)


def chapter(view: Seen, say: Say) -> str:
    t = view.table
    if t.phase == Phase.OVER:
        return say("The end")
    return say("Round {number}", number=t.begun) if t.begun else say("Before the first round")
