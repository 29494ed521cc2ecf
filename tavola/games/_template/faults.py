"""Faults of positions in Template, in words: for position documents, and for tests at every step."""

from collections.abc import Iterator

from tavola.core import Faults
from tavola.core.game import ballot_faults
from tavola.games._template.components import DECK, Phase, State, Table


def faults(state: State) -> list[str]:
    """Return every fault of a state given in named tuples; a state that a match can reach has none."""
    t = state.table
    voters = (1 << t.players) - 1 if t.phase == Phase.BID else 0
    bids = ballot_faults(t.played, voters, [hand.bid for hand in state.hand], "played", "bid")
    return [*_cards(state), *_phase(t), *bids]


def _cards(state: State) -> Iterator[str]:
    t = state.table
    held = [[*_bits(hand.cards), *([hand.bid] if hand.bid else [])] for hand in state.hand]
    spent = _bits(t.spent)
    for seat, cards in enumerate(held):
        due = (t.dealt - seat + t.players - 1) // t.players - t.rounds if seat < t.players else 0
        if len(cards) != due:
            yield f"hands.{seat}.cards: expected {due} cards, including the bid, found {len(cards)}"
    every = [card for cards in (*held, spent) for card in cards]
    if len(set(every)) < len(every):
        yield "hands: expected each card in only one place"
    if len(spent) != t.rounds * t.players:
        yield f"spent: expected {t.rounds * t.players} cards, found {len(spent)}"


def _phase(t: Table) -> Iterator[str]:
    if (t.phase == Phase.DEAL) != (t.dealt < t.players * t.cards) or t.dealt > t.players * t.cards:
        yield "dealt: expected fewer than all cards during the deal, and all of them afterwards"
    if (t.phase == Phase.OVER) != (t.rounds == t.cards):
        yield "rounds: expected one round per card when the match is over, and fewer before"
    if (t.phase == Phase.BID) != (t.template_prize > 0):
        yield "template_prize: expected a prize while seats bid, and none otherwise"
    if any(t.shown[t.players :]) or any(t.points[t.players :]):
        yield "points: expected none for a seat without a player"


def _bits(mask: int) -> list[int]:
    return [card for card in range(1, DECK + 1) if mask >> (card - 1) & 1]


FAULTS = Faults(pieces=faults)
