"""What is chosen on a slider while an offer is built: the sous, and how high the last card asked for must be."""

from tavola.games.tournament.components import CARDS, MOST_PAID, TO_ALL, VALUED_COUNT, Draft, Phase, Seen, Table
from tavola.games.tournament.words.nouns import asked_name, sort_of, sous_text, top_value
from tavola.show.speech import Say
from tavola.show.words import Scale


def sliders(view: Seen, say: Say) -> list[Scale]:
    if view.hand is None or view.table.phase != Phase.TRADE or not view.hand.draft.to:
        return []
    draft = view.hand.draft
    asked = [card - 1 for card in draft.asked if card]
    shown = [_sous_slider(view, draft, say)]
    if asked and draft.to != TO_ALL and asked[-1] < VALUED_COUNT:
        shown.append(_value_slider(view.table, asked, say))
    return shown


def most_charged(t: Table, seat: int, to: int) -> int:
    """The most sous that the richest addressee could pay (R8)."""
    others = [place for place in range(t.players) if place != seat] if to == TO_ALL else [to - 1]
    return min(MOST_PAID, max(t.purse[place] for place in others))


def _sous_slider(view: Seen, draft: Draft, say: Say) -> Scale:
    assert view.seat is not None
    t = view.table
    pays, gets = min(MOST_PAID, t.purse[view.seat]), most_charged(t, view.seat, draft.to)
    stops = [(f"pay {sous}", say("you pay {sous}", sous=sous_text(sous, say))) for sous in range(pays, 0, -1)]
    stops.append(("", say("no sous")))
    stops += [(f"charge {sous}", say("you get {sous}", sous=sous_text(sous, say))) for sous in range(1, gets + 1)]
    return Scale("sous", say("Sous"), tuple(stops), pays - draft.pay + draft.charge, ("pay", "charge"))


def _value_slider(t: Table, asked: list[int], say: Say) -> Scale:
    """From any of the kind to its highest; other cards of the kind that are asked for stay what they are."""
    card, top = asked[-1], top_value(t)
    first = 15 * sort_of(card)
    below = max((other for other in asked[:-1] if sort_of(other) == sort_of(card)), default=first)
    stops = tuple((f"ask {CARDS[number]}", asked_name(number, say)) for number in range(below, first + top))
    return Scale("least", say("At least"), stops, card - below, (f"ask {CARDS[card]}",))
