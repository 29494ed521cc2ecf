"""Symmetries of Fairies: seats, and the places of the picture, each with its own piece."""

from tavola.core import Labels, Symmetry, numerals
from tavola.games.fairies.components import GRID, SEAT_NAMES

SYMMETRY = Symmetry(
    seats=Labels(
        words=(SEAT_NAMES,),
        fields=(
            "hand",
            "hand.*.known",
            "table.first_player",
            "table.first",
            "table.seat",
            "table.fairies",
            "table.victim",
            "table.covered",
            "table.guarded",
            "table.passed",
            "table.ender",
        ),
        arguments=("first.seat", "lay.seat", "joker.seat", "green.seat", "blue.seat", "cover.seat"),
    ),
    others=(
        Labels(
            words=(numerals(1, GRID),),
            fields=(
                "hand.*.grid",
                "hand.*.grid.*",
                "box.grid",
                "box.grid.*",
                "box.kings",
                "table.healed",
                "table.looked",
                "table.shielded",
                "table.place",
                "table.other",
            ),
            arguments=("king.card", "turn.place", "look.place"),
        ),
    ),
)
