"""The games, a folder each. `names()` lists them, `load("lifeboats")` gives one: see `tavola.core.registry`."""

from tavola.core.registry import load, names

__all__ = ["load", "names"]
