"""The symmetry of Expedition: seats, and the colours of the expeditions."""

from tavola.core import Labels, Symmetry
from tavola.games.expedition.components import COLOURS, SEAT_NAMES

SYMMETRY = Symmetry(
    seats=Labels(
        words=(SEAT_NAMES,),
        fields=("hand", "table.seat", "table.explorers", "table.token.*", "table.laid.*", "table.passed"),
        arguments=("claim.seat",),
    ),
    others=(
        Labels(
            words=(COLOURS,),
            fields=("table.expedition", "table.looped", "table.due"),
            arguments=("arrow.colour", "remove.colour"),
        ),
    ),
)
