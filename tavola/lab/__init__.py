"""The bench: who plays better, and how a game behaves when it is played very often."""

from tavola.lab.arena import Arena, Entry, Standing, arena

__all__ = ["Arena", "Entry", "Standing", "arena"]
