"""The symmetry of Template: seats. Bots must judge positions alike if only their seats were exchanged."""

from tavola.core import Labels, Symmetry, numerals
from tavola.games._template.components import SEATS

SYMMETRY = Symmetry(
    seats=Labels(words=(numerals(0, SEATS - 1),), fields=("hand", "table.played", "table.shown", "table.points"))
)
