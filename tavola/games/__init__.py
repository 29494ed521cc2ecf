"""The games, a folder each. `names()` lists them, `load("lifeboats")` gives one: see `tavola.core.shelf`."""

from tavola.core.shelf import load, names

__all__ = ["load", "names"]
