"""The symmetry of Voyage: seats."""

from tavola.core import Labels, Symmetry, numerals
from tavola.games.voyage.components import SEATS

SYMMETRY = Symmetry(
    seats=Labels(
        words=(numerals(0, SEATS - 1),),
        fields=(
            "hand",
            "table.first_captain",
            "table.captain",
            "table.voted",
            "table.turns.*.captain",
            "table.turns.*.black",
            "table.roles",
        ),
        arguments=("captain.seat",),
    )
)
