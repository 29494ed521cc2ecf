"""Tell what a tile brings a role, in half points: a tile of the border is half a point to the Explorer.

A role is its owner's secret: these words are for nobody else.
"""

from typing import NamedTuple

from tavola.games.voyage.components import (
    BORDER,
    CHART_CROSSES,
    CHART_ISLANDS,
    COAST,
    EMENDED,
    FOG,
    RANDOM,
    SEA,
    Face,
    Role,
    Table,
    Turn,
)
from tavola.games.voyage.words.nouns import NEIGHBOURS, Visited, count_visited
from tavola.show.speech import Say

HALVES = ("", "½")
FOR_AVALON: dict[int, int] = {
    Role.ADMIRAL: 10,
    Role.CABIN_BOY: 4,
    Role.MERCHANT: 2,
    Role.TRAITOR: -10,
    Role.EXPLORER: 6,
}
"""Half points for finding Avalon; the Traitor has five points until then."""


class Tile(NamedTuple):
    """A tile to be reached: its cell, and its face; None where nobody knows it."""

    cell: int
    face: int | None

    @property
    def in_fog(self) -> bool:
        """True in the fog."""
        return bool(FOG >> self.cell & 1)

    @property
    def coast(self) -> bool:
        """True where land is seen from the start."""
        return bool(COAST >> self.cell & 1)


def tile_ahead(t: Table, course: int) -> Tile | None:
    """R14: the first tile face down on a course, with the face that the map tells; None: R15, there is none."""
    cell = NEIGHBOURS[t.ship][course]
    while cell >= 0 and t.explored >> cell & 1:
        cell = NEIGHBOURS[cell][course]
    return Tile(cell, _charted_face(t, cell)) if cell >= 0 else None


def _charted_face(t: Table, cell: int) -> int | None:
    """R3, R4."""
    if (FOG | (SEA if t.layout == RANDOM else 0)) >> cell & 1:
        return None
    if CHART_CROSSES >> cell & 1:
        return Face.CROSS
    return Face.PLAIN if CHART_ISLANDS >> cell & 1 else Face.OPEN


def half_points(t: Table, role: int, tile: Tile, face: int) -> int:
    """The half points that a role gains by a tile, were it turned up with a face: R22 to R27."""
    visited = count_visited(t)
    return _for_face(role, face, visited) + _for_place(t, role, tile, face)


def _for_face(role: int, face: int, visited: Visited) -> int:
    if face == Face.AVALON:
        return FOR_AVALON.get(role, 0)
    if face == Face.OPEN:
        return 0
    fifth, cross = 6 * (visited.islands == 4), 4 * (face == Face.CROSS)
    gains: dict[int, int] = {Role.ADMIRAL: -fifth, Role.CABIN_BOY: 2, Role.MERCHANT: cross, Role.TRAITOR: fifth}
    return gains.get(role, 0)


def _for_place(t: Table, role: int, tile: Tile, face: int) -> int:
    if role == Role.SAILOR and face == Face.OPEN and not tile.coast:
        return 1 if t.sailor == EMENDED else 4
    if role == Role.EXPLORER and face != Face.AVALON:
        return (BORDER >> tile.cell & 1) + 2 * tile.in_fog
    return BORDER >> tile.cell & 1 if role == Role.EXPLORER else 0


def gain_text(halves: int, say: Say) -> str:
    """`+1½ for you`."""
    if not halves:
        return say("nothing for you")
    sign, whole = ("+" if halves > 0 else "−"), abs(halves)
    number = f"{whole // 2 or '' if whole % 2 else whole // 2}{HALVES[whole % 2]}"
    return say("{points} for you", points=f"{sign}{number}")


def helped(t: Table, role: int, turn: Turn) -> int:
    """How a turn that is over served a role: 1 where its tile brought points, −1 where it cost some, else 0.

    Counted by the tile itself and the islands visited by now: what a fifth island meant then is not asked.
    """
    if not turn.reached:
        return 0
    cell = turn.reached - 1
    face = next((face for face, cells in enumerate((0, t.crosses, t.plains, t.avalon)) if cells >> cell & 1), 0)
    halves = half_points(t, role, Tile(cell, face), face)
    return (halves > 0) - (halves < 0)
