"""Answers of traders: valid although others have acted since, if their meaning is the same."""

from tavola.games.tournament.components import Seen
from tavola.games.tournament.offers import is_addressed_to, standing_offers


def unchanged(then: Seen, now: Seen, number: int) -> bool:
    """Return whether an action of a barter means the same in two views of one seat (R9, R11, R13).

    Numbers of offers are never reused in a round (R10). Accepting means the same while the seat holds the same cards
    and sous, as a request may otherwise cost another card. `done` does if the seat has seen all offers to it.
    """
    verb = now.game.actions.verb(number).name
    assert then.hand is not None
    assert now.hand is not None
    if verb == "accept":
        return _holdings(then) == _holdings(now)
    if verb == "publish":
        return then.hand.draft == now.hand.draft
    if verb == "done":
        return _offers_to_seat(now) <= _offers_to_seat(then)
    return True


def _holdings(view: Seen) -> tuple[int, int, int]:
    assert view.seat is not None
    assert view.hand is not None
    return view.hand.cards, view.hand.jokers, view.table.purse[view.seat]


def _offers_to_seat(view: Seen) -> set[tuple[int, int]]:
    seat = view.seat
    assert seat is not None
    return {
        (maker, number)
        for maker, number, offer in standing_offers(view.table)
        if maker != seat and is_addressed_to(offer, seat)
    }
