"""Symmetries of Fairies: seats, and the places of the picture, each with its own piece."""

from tavola.core import Labels, Symmetry, numerals
from tavola.games.fairies.components import GRID, SEAT_NAMES

OF_SEATS = ("first_player", "first", "seat", "fairies", "victim", "covered", "guarded", "passed", "ender")
OF_PLACES = ("healed", "looked", "shielded", "place", "other")

SYMMETRY = Symmetry(
    seats=Labels(
        words=(SEAT_NAMES,),
        fields=("hand", "hand.*.known", *(f"table.{field}" for field in OF_SEATS)),
        arguments=("first.seat", "lay.seat", "joker.seat", "green.seat", "blue.seat", "cover.seat"),
    ),
    others=(
        Labels(
            words=(numerals(1, GRID),),
            fields=(
                *("hand.*.grid", "hand.*.grid.*", "box.grid", "box.grid.*", "box.kings"),
                *(f"table.{field}" for field in OF_PLACES),
            ),
            arguments=("king.card", "turn.place", "look.place"),
        ),
    ),
)
