"""Offers as everybody sees them: which stand, and whom each is for."""

from tavola.games.tournament.components import TO_ALL, Offer, Table


def standing_offers(t: Table) -> list[tuple[int, int, Offer]]:
    """All standing offers: maker, number from 0, and what everybody sees of it."""
    return [
        (maker, number, offer) for maker in range(t.players) for number, offer in enumerate(t.offers[maker]) if offer.to
    ]


def is_addressed_to(offer: Offer, seat: int) -> bool:
    """Return whether a seat may answer an offer of another's: it was cried, or whispered to it."""
    return offer.to in (TO_ALL, seat + 1)
