"""Symmetries of Tournament: seats only. Kinds have an order, used in offers and boxes."""

from tavola.core import Labels, Symmetry
from tavola.games.tournament.components import SEAT_NAMES

OF_SEATS = ("purse", "held", "won", "prizes", "spent", "out", "done", "published", "champion")
OF_OFFERS = ("offers", "offers.*.*.to", "sale.maker", "sale.taker", "sale.terms.to")
OF_A_DUEL = ("seats.*", "chosen", "thrower", "victor", "buyer", "bought")

SYMMETRY = Symmetry(
    seats=Labels(
        words=(SEAT_NAMES,),
        fields=(
            "hand",
            "hand.*.draft.to",
            "hand.*.terms",
            "hand.*.known",
            *(f"table.{field}" for field in (*OF_SEATS, *OF_OFFERS)),
            *(f"table.{duel}.{field}" for duel in ("duel", "last") for field in OF_A_DUEL),
        ),
        arguments=("first.seat", "offer.to", "accept.seat"),
    )
)
