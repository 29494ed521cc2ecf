"""Actions in words, their steps and sliders, and the consequences of a choice."""

from collections import Counter
from collections.abc import Hashable, Mapping
from functools import lru_cache, partial

from tavola.games.tournament.components import (
    CARDS,
    JOKER_SORT,
    KIND_COUNT,
    KINDS,
    MOST_PAID,
    TO_ALL,
    TOP,
    VALUED_COUNT,
    VALUES,
    Draft,
    First,
    Phase,
    Seen,
    Table,
)
from tavola.games.tournament.trading import is_addressed_to
from tavola.games.tournament.words import nouns
from tavola.show.kit import anonymous_say
from tavola.show.speech import Say, capitalized, mark
from tavola.show.words import ActionMessage, Consequence, Foreseen, Indices, Part, Scale, phases_of, told_by_last_word


def bargain_text(view: Seen, maker: int, number: int, say: Say) -> Mapping[str, str]:
    """Return what an offer's maker gives and asks for, as far as the view's seat knows."""
    offer, terms = view.table.offers[maker][number], nouns.known_terms(view, maker, number)
    if terms is None:
        return nouns.offer_parts(offer, say)
    given = nouns.terms_side_text(terms.given, offer.pay, False, say)
    return {"given": given, "asked": nouns.terms_side_text(terms.asked, offer.charge, True, say)}


def _cost_text(view: Seen, maker: int, number: int, say: Say) -> str:
    """Return the cost of an offer to the view's seat, its cards by name; empty if it does not hold them."""
    offer = view.table.offers[maker][number]
    if view.hand is None or view.seat is None or not is_addressed_to(offer, view.seat):
        return ""
    asked = nouns.cost_of_offer(view.hand, offer, maker, number)
    paid = nouns.answering_cards(nouns.cards_of(view.hand), asked)
    items = [nouns.card_name(card, say) for card in sorted(paid)]
    if offer.charge:
        items.append(nouns.sous_text(offer.charge, say))
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
    return say("An offer to everyone") if to_all else say("An offer to {name}", name=say.name(places[0]))


def _publish(view: Seen, places: Indices, say: Say) -> str:
    to = view.hand.draft.to if view.hand is not None else 0
    return say("Announce") if to == TO_ALL or not to else say("Whisper to {name}", name=say.name(to - 1))


def _equip(view: Seen, places: Indices, say: Say) -> str:
    kind = format(nouns.KIND(places[0], say), "short")
    if places[1]:
        return say("{kind} {value}", kind=kind, value=places[1])
    return say("{kind}: a joker, worth 0", kind=kind)


def _throw(view: Seen, places: Indices, say: Say) -> str:
    # Each of the three small tokens has one symbol and the next on its faces.
    symbols = say.listing([str(nouns.CORNER((token + face) % 3, say)) for token, face in enumerate(places[:3])])
    if places[3]:
        return say("The throw: {symbols}, two dots", symbols=symbols)
    return say("The throw: {symbols}, one dot", symbols=symbols)


_ACTIONS: dict[str, ActionMessage] = {
    "deal": mark("Deal {card}"),
    "draw": mark("Draw {card}"),
    "throw": _throw,
    "first": lambda view, places, say: say("First: {name}", name=nouns.racer_name(places[0], say)),
    "offer": _offer,
    "give": mark("Give {card}"),
    "ask": lambda view, places, say: say("Ask for {card}", card=nouns.asked_name(places[0], say)),
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
    "buy": lambda view, places, say: say("Buy a card for {sous}", sous=nouns.sous_text(view.table.price, say)),
    "pass": mark("Buy nothing"),
}
action = partial(nouns.VOCABULARY.action_sentence, _ACTIONS)


def choices_key(view: Seen) -> Hashable:
    """Return what else a label depends on: the draft's addressee, the price, and the offers within reach."""
    t, hand, deals = view.table, nouns.own_hand(view), list[Hashable]()
    for verb, places in map(view.game.actions.action, view.legal):
        if verb in ("accept", "withdraw"):
            maker, number = places if len(places) == 2 else (view.seat or 0, *places)
            deals.append((t.offers[maker][number], nouns.known_terms(view, maker, number)))
    return t.phase, t.price, t.duel.box, hand.draft.to, tuple(deals), tuple(nouns.cards_of(hand)) if deals else ()


# Steps of an action

VERB_LABELS = {
    "offer": mark("New offer"),
    "accept": mark("Accept"),
    "withdraw": mark("Withdraw"),
    "give": mark("Give"),
    "ask": mark("Ask for"),
    "pay": mark("Pay sous"),
    "charge": mark("Charge sous"),
    "point": mark("Which corner?"),
    "first": mark("Who was first?"),
    "throw": mark("What does the throw show?"),
}
"""Name of a verb: a button beside others, and the question after it."""


def argument_label(view: Seen, verb: str, argument: str, place: int, say: Say) -> str:
    if argument == "value":
        return str(place) if place else say("Joker")
    if verb == "ask" and view.hand is not None and view.hand.draft.to == TO_ALL:
        return format(nouns.KIND(nouns.sort_of(place), say), "short")
    if verb == "ask" and nouns.value_of(place):  # the buttons begin alike, so that the page can ask for the kind first
        kind = format(nouns.KIND(nouns.sort_of(place), say), "short")
        return capitalized(say("{kind} {value}+", kind=kind, value=nouns.value_of(place)))
    if argument == "sous":
        return str(place + 1)
    if argument in ("first", "second", "third"):
        token = ("first", "second", "third").index(argument)
        return format(nouns.CORNER((token + place) % 3, say), "short")
    return nouns.VOCABULARY.value_label(view, verb, argument, place, say)[:24]


def ask(view: Seen, verb: str, argument: str, chosen: Indices, say: Say) -> str:
    if argument in {"box", "value"}:
        box = chosen[0] if chosen else min(view.table.duel.box, len(KINDS) - 1)
        return say("Which card for {kind:the} box?", kind=nouns.KIND(box, say))
    if argument == "number" and verb == "accept":
        return say("Which offer?")
    if view.table.phase == Phase.THROW:
        return say("Which corner will be right? Choose it in secret before the throw.")
    return say(VERB_LABELS[verb]) if verb in VERB_LABELS else say("Which card?")


def foreseen(view: Seen) -> Foreseen | None:
    """Return the boxes still to be filled: none turns up before the last, so they can be filled in advance (R18)."""
    if view.table.phase != Phase.ARMING or view.hand is None or view.seat not in view.to_act:
        return None
    held = Counter(nouns.cards_of(view.hand))
    boxes = [
        {
            First.EQUIP + VALUES * box + nouns.value_of(card): CARDS[card]
            for card in sorted(held, key=nouns.value_of)
            if nouns.sort_of(card) in (box, JOKER_SORT)
        }
        for box in range(view.table.duel.box, KIND_COUNT)
    ]
    return Foreseen(boxes, {CARDS[card]: many for card, many in held.items()})


ROUND = (
    Part(mark("Trade"), (Phase.TRADE,)),
    Part(mark("Duels"), (Phase.BALLOT, Phase.ARMING)),
    Part(mark("Judgement"), (Phase.THROW, Phase.POINTING, Phase.RACE)),
    Part(mark("Purchase"), (Phase.PURCHASE, Phase.DRAW)),
)
BEFORE = (Part(mark("Dealing"), (Phase.DEAL,)),)
END = (Part(mark("The end"), (Phase.OVER,)),)
phases = phases_of(BEFORE, ROUND, END)


def chapter(view: Seen, say: Say) -> str:
    t = view.table
    if t.phase == Phase.OVER:
        return say("The end")
    return say("Round {number}", number=t.begun) if t.begun else say("Before the first round")


def _done(view: Seen, seat: int, places: Indices, say: Say) -> Consequence | None:
    """R13, R15: a new offer brings a seat back; without a full set at its duel it is out for good, unless it rests."""
    t, gaps = view.table, nouns.missing_kinds(nouns.cards_of(nouns.own_hand(view)))
    if t.out >> seat & 1 or not gaps:
        told = say("A new offer to you or to everyone brings you back.")
        return Consequence(say("a new offer brings you back"), told)
    if not any(seat in pair for pair in nouns.pairs_of(t, max(1, t.begun))):
        return Consequence(say("you rest: no set needed yet"))
    kind = nouns.KIND(gaps[0], say)
    told = say("You’re missing {kind:a}. Without a full set you’re out of the duels for good.", kind=kind)
    return Consequence(say("out of the duels for good"), told, "grave")


def _forfeit(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    told = say("You won’t fight again in this match. You can keep trading, and the richest player wins.")
    return Consequence(say("out of the duels for good"), told, "grave")


def _deal_outcome(view: Seen, seat: int, places: Indices, say: Say) -> Consequence | None:
    """Return what a deal does to the seat's set, as far as it knows the cards it gets."""
    (maker, number), hand = places, nouns.own_hand(view)
    if view.table.out >> seat & 1:
        return None
    left = nouns.cards_after_deal(hand, view.table.offers[maker][number], maker, number)
    before, after = nouns.missing_kinds(nouns.cards_of(hand)), nouns.missing_kinds(left)
    if before and not after:
        return Consequence(say("completes your set"), tone="good")
    if after and not before:
        return Consequence(say("you’ll lack {kind:a}", kind=nouns.KIND(after[0], say)), tone="grave")
    return None


def _cry(view: Seen, seat: int, places: Indices, say: Say) -> Consequence | None:
    """R9: a request for a kind gets the lowest card of it that the other holds."""
    draft = nouns.own_hand(view).draft
    asked = [*places] if places else nouns.listed(draft.asked)
    if draft.to != TO_ALL or all(card // TOP >= JOKER_SORT for card in asked):
        return None
    told = say("The player who accepts gives their lowest card of that kind. Whisper to ask for a better one.")
    return Consequence(say("you get their lowest"), told)


consequence = told_by_last_word(
    {"done": _done, "forfeit": _forfeit, "accept": _deal_outcome, "ask": _cry, "publish": _cry}
)


def sliders(view: Seen, say: Say) -> list[Scale]:
    if view.hand is None or view.table.phase != Phase.TRADE or not view.hand.draft.to:
        return []
    draft = view.hand.draft
    asked = nouns.listed(draft.asked)
    shown = [_sous_slider(view, draft, say)]
    if asked and draft.to != TO_ALL and asked[-1] < VALUED_COUNT:
        shown.append(_value_slider(view.table, asked, anonymous_say(view.game, say.language)))
    return shown


def most_charged(t: Table, seat: int, to: int) -> int:
    """Return the most sous that the richest addressee could pay (R8)."""
    others = [place for place in range(t.players) if place != seat] if to == TO_ALL else [to - 1]
    return min(MOST_PAID, max(t.purse[place] for place in others))


def _sous_slider(view: Seen, draft: Draft, say: Say) -> Scale:
    assert view.seat is not None
    t = view.table
    pays, most = min(MOST_PAID, t.purse[view.seat]), most_charged(t, view.seat, draft.to)
    # A draft keeps what it charges when others trade and no one has as much any more.
    kept = draft.charge if draft.charge > most else 0
    stops = _sous_stops(pays, most, kept, anonymous_say(view.game, say.language))
    now = len(stops) - 1 if kept else pays - draft.pay + draft.charge
    return Scale("sous", say("Sous"), stops, now, ("pay", "charge"))


@lru_cache(maxsize=512)
def _sous_stops(pays: int, most: int, kept: int, say: Say) -> tuple[tuple[str, str], ...]:
    gets = [*range(1, most + 1), *([kept] if kept else [])]
    return (
        *((f"pay {sous}", say("you pay {sous}", sous=nouns.sous_text(sous, say))) for sous in range(pays, 0, -1)),
        ("", say("no sous")),
        *((f"charge {sous}", say("you get {sous}", sous=nouns.sous_text(sous, say))) for sous in gets),
    )


def _value_slider(t: Table, asked: list[int], say: Say) -> Scale:
    """Return stops from any card of the kind to its highest; other requests for the kind stay as they are."""
    card, top = asked[-1], nouns.top_value(t)
    first = TOP * nouns.sort_of(card)
    below = max((other for other in asked[:-1] if nouns.sort_of(other) == nouns.sort_of(card)), default=first)
    stops = _value_stops(below, first + top, say)
    return Scale("least", say("At least"), stops, card - below, (f"ask {CARDS[card]}",))


@lru_cache(maxsize=512)
def _value_stops(lowest: int, end: int, say: Say) -> tuple[tuple[str, str], ...]:
    return tuple((f"ask {CARDS[number]}", nouns.asked_name(number, say)) for number in range(lowest, end))
