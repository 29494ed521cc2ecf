"""Arenas and ladders that compare players, and simulations that measure a game over many matches."""

from tavola.lab.arena import Arena, arena
from tavola.lab.entries import BadEntry, Entry
from tavola.lab.ladder import Ladder, Rung, ladder
from tavola.lab.results import BadResults
from tavola.lab.simulation import BadSimulation, Simulation, Variant, simulate
from tavola.lab.standings import Standing
from tavola.lab.work import EngineLost, NoEngine, WorkersLost

__all__ = [
    "Arena",
    "BadEntry",
    "BadResults",
    "BadSimulation",
    "EngineLost",
    "Entry",
    "Ladder",
    "NoEngine",
    "Rung",
    "Simulation",
    "Standing",
    "Variant",
    "WorkersLost",
    "arena",
    "ladder",
    "simulate",
]
