"""Barter as a seat sees it: open offers, answers that stay valid meanwhile, and what is played when time is up."""

from tavola.core import TimeOut
from tavola.games.tournament.components import TO_ALL, Offer, Phase, Seen, Table

BARTER_PATIENCES = 3.0
"""Maximum length of a barter as a multiple of the room's patience: three minutes if that is one minute (R13)."""
POINTING_PATIENCES = 0.25
"""Maximum time for pointing, as a multiple of the room's patience (R25)."""


def standing_offers(t: Table) -> list[tuple[int, int, Offer]]:
    """Return all open offers: maker, number from 0, and the public part."""
    return [
        (maker, number, offer) for maker in range(t.players) for number, offer in enumerate(t.offers[maker]) if offer.to
    ]


def is_addressed_to(offer: Offer, seat: int) -> bool:
    """Return whether another's offer is for a seat: announced, or whispered to it."""
    return offer.to in (TO_ALL, seat + 1)


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


def clock(view: Seen) -> TimeOut | None:
    """Return the action and time limit of the view's seat; None for the ballot, the boxes and purchases."""
    t = view.table
    if t.phase == Phase.TRADE:
        return TimeOut("done", BARTER_PATIENCES, t.begun)
    if t.phase == Phase.POINTING:
        # R23: the corner of all three is right when three symbols differ, and only then.
        differ = len(set(t.duel.tokens)) == len(t.duel.tokens)
        return TimeOut("point crown" if differ else "point all", POINTING_PATIENCES)
    return None
