"""Functions of the chart that rules and heuristics of Voyage share: sets of cells, and ways between them."""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

import numpy as np

from tavola.core import compiled
from tavola.games.voyage.components import CHART_CROSSES, CHART_ISLANDS, COAST, FOG, NEIGHBOUR, RANDOM, SEA, Face

BEYOND, BARRED = -1, -2  # ends of a course that loses the route, or that crosses explored coast


@compiled
def cell_set(cell):
    """Return the set of one cell."""
    return np.int64(1) << np.int64(cell)


@compiled
def destination(explored, ship, course):
    """R14: the first unexplored cell on a course; R15: BEYOND the map; R9: BARRED by coast that would be crossed."""
    cell = NEIGHBOUR[ship, course]
    while cell >= 0 and explored >> cell & 1:
        if COAST >> cell & 1:
            return BARRED
        cell = NEIGHBOUR[cell, course]
    return cell


@compiled
def is_face_known(t, cell):
    """R3, R4: the coast is known on every map; on the recommended one, everything except the fog."""
    hidden = FOG | SEA if t.layout == RANDOM else FOG
    return not hidden >> cell & 1


@compiled
def known_face(cell):
    """Return the face of a cell outside the fog of the recommended layout."""
    if CHART_CROSSES >> cell & 1:
        return Face.CROSS
    if CHART_ISLANDS >> cell & 1:
        return Face.PLAIN
    return Face.OPEN
