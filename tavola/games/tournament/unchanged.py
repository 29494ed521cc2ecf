"""What an answer means to who trades: it counts though others have acted since he was asked, if it is the same."""

from collections.abc import Iterator

from tavola.games.tournament.components import TO_ALL, Offer, Seen


def unchanged(then: Seen, now: Seen, number: int) -> bool:
    """Whether an action of a barter comes to the same in two views of one seat (R9, R11, R13).

    Numbers of offers are never used again in a round (R10). A bargain is what it was as long as one holds the same:
    what is asked for may cost another card otherwise. Who has done has seen all that is offered to him.
    """
    verb = now.game.actions.verb(number).name
    assert then.hand is not None
    assert now.hand is not None
    if verb == "accept":
        return _holds(then) == _holds(now)
    if verb == "publish":
        return then.hand.draft == now.hand.draft
    if verb == "done":
        return set(_offered(now)) <= set(_offered(then))
    return True


def _holds(view: Seen) -> tuple[int, int, int]:
    """What a deal is judged by: cards, jokers, sous."""
    assert view.seat is not None
    assert view.hand is not None
    return view.hand.cards, view.hand.jokers, view.table.purse[view.seat]


def _offered(view: Seen) -> Iterator[tuple[int, int]]:
    """The offers that stand for the seat, by maker and number."""
    assert view.seat is not None
    for maker in range(view.table.players):
        for number, offer in enumerate(view.table.offers[maker]):
            if maker != view.seat and _for(offer, view.seat):
                yield maker, number


def _for(offer: Offer, seat: int) -> bool:
    return offer.to in (TO_ALL, seat + 1)
