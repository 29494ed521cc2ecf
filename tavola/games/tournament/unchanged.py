"""What an answer means to who trades: it counts though others have acted since he was asked, if it is the same."""

from tavola.games.tournament.components import Seen
from tavola.games.tournament.offers import is_addressed_to, standing_offers


def unchanged(then: Seen, now: Seen, number: int) -> bool:
    """Return whether an action of a barter comes to the same in two views of one seat (R9, R11, R13).

    Numbers of offers are never used again in a round (R10). A bargain is what it was as long as one holds the same:
    what is asked for may cost another card otherwise. Who has done has seen all that is offered to him.
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
