"""The games, one folder each. `names()` lists them and `load("lifeboats")` returns one; see `tavola.core.registry`."""

from tavola.core.registry import load, names

__all__ = ["load", "names"]
