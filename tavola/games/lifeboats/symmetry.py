"""The symmetry of Lifeboats: seats, each with the boat of its colour."""

from tavola.core import Labels, Symmetry, numerals
from tavola.games.lifeboats.components import BLACK, COLOURS, SEATS

SYMMETRY = Symmetry(
    seats=Labels(
        words=(numerals(0, SEATS - 1), COLOURS[:BLACK]),
        fields=(
            "hand",
            "hand.*.card",
            "table.starter",
            "table.turn",
            "table.boats",
            "table.boats.*.crew",
            "table.ashore",
            "table.unseated",
            "table.lost",
            "table.behind",
            "table.behind.*",
            "table.behind_rank",
            "table.captains",
            "table.target",
            "table.voters",
            "table.voted",
            "table.ballot.boat",
            "table.ballot.cards",
            "table.ballot.cards.*",
            "table.ballot.weights",
            "table.ballot.decider",
            "table.ballot.candidates",
            "table.ballot.chosen",
        ),
        arguments=("start.seat", "crew.boat", "vote.ballot", "choose.colour", "leave.boat", "board.boat"),
    )
)
