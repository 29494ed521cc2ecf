"""What Tournament treats alike: seats. Its kinds have an order, by which offers are made and boxes are filled."""

from tavola.core import Labels, Symmetry
from tavola.games.tournament.components import SEAT_NAMES

DUELS = ("table.duel", "table.last")
OF_A_DUEL = ("seats.*", "chosen", "thrower", "victor", "buyer", "bought")

SYMMETRY = Symmetry(
    seats=Labels(
        words=(SEAT_NAMES,),
        fields=(
            "hand",
            "hand.*.draft.to",
            "hand.*.terms",
            "hand.*.known",
            "table.purse",
            "table.held",
            "table.won",
            "table.prizes",
            "table.spent",
            "table.out",
            "table.done",
            "table.published",
            "table.offers",
            "table.offers.*.*.to",
            "table.sale.maker",
            "table.sale.taker",
            "table.sale.terms.to",
            *(f"{duel}.{field}" for duel in DUELS for field in OF_A_DUEL),
            "table.champion",
        ),
        arguments=("first.seat", "offer.to", "accept.seat"),
    )
)
