"""Public parts of open offers, and whom each is for."""

from tavola.games.tournament.components import TO_ALL, Offer, Table


def standing_offers(t: Table) -> list[tuple[int, int, Offer]]:
    """Return all open offers: maker, number from 0, and the public part."""
    return [
        (maker, number, offer) for maker in range(t.players) for number, offer in enumerate(t.offers[maker]) if offer.to
    ]


def is_addressed_to(offer: Offer, seat: int) -> bool:
    """Return whether another's offer is for a seat: announced, or whispered to it."""
    return offer.to in (TO_ALL, seat + 1)
