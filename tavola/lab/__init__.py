"""The bench: it compares players, and measures a game that is played very often."""

from tavola.lab.arena import Arena, Entry, Standing, arena
from tavola.lab.ladder import Ladder, Rung, ladder
from tavola.lab.simulation import Simulation, Variant, simulate

__all__ = ["Arena", "Entry", "Ladder", "Rung", "Simulation", "Standing", "Variant", "arena", "ladder", "simulate"]
