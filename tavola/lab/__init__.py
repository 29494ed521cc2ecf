"""The bench: who plays better, and how a game behaves when it is played very often."""

from tavola.lab.arena import Arena, Entry, Standing, arena
from tavola.lab.simulation import Simulation, Variant, simulate

__all__ = ["Arena", "Entry", "Simulation", "Standing", "Variant", "arena", "simulate"]
