"""The consequences of a course now, for the seat's role: the map is public, the role is not.

The consequence of a vote for the hidden course is only given to the captain who laid it; others get the possibilities.
"""

from typing import Literal, NamedTuple

from tavola.games.voyage import components
from tavola.games.voyage.components import FOG, WIDTH, Face, Phase, Role, Seen, Table
from tavola.games.voyage.faults import alternatives
from tavola.games.voyage.words import nouns
from tavola.games.voyage.words.scoring import role_of, sources
from tavola.show.speech import Say, mark
from tavola.show.words import Consequence, members_of

BONUS_ISLAND = 5
"""The fifth island costs the Admiral a bonus, and brings the Traitor one."""
FOG_DISTANCE = tuple(
    min(abs(cell // WIDTH - fog // WIDTH) + abs(cell % WIDTH - fog % WIDTH) for fog in members_of(FOG))
    for cell in range(components.CELL_COUNT)
)
"""Squares from each cell to the fog."""


class Tile(NamedTuple):
    """A tile to be reached: its cell and its face; None if the face is unknown."""

    cell: int
    face: int | None

    @property
    def in_fog(self) -> bool:
        return bool(FOG >> self.cell & 1)

    @property
    def coast(self) -> bool:
        return bool(components.COAST >> self.cell & 1)


def tile_ahead(t: Table, course: int) -> Tile | None:
    """Return the first face-down tile on a course, with the face on the map (R14); None if there is none (R15)."""
    cell = nouns.NEIGHBOURS[t.ship][course]
    while cell >= 0 and t.explored >> cell & 1:
        cell = nouns.NEIGHBOURS[cell][course]
    return Tile(cell, _charted_face(t, cell)) if cell >= 0 else None


def _charted_face(t: Table, cell: int) -> int | None:
    """R3, R4."""
    if (FOG | (components.SEA if t.layout == components.RANDOM else 0)) >> cell & 1:
        return None
    if components.CHART_CROSSES >> cell & 1:
        return Face.CROSS
    return Face.PLAIN if components.CHART_ISLANDS >> cell & 1 else Face.OPEN


def half_points(t: Table, role: int, tile: Tile, face: int) -> int:
    """R22 to R27: return the half points that a role gains by a tile with this face."""
    found, now, sea = face == Face.AVALON, nouns.count_visited(t), face == Face.OPEN and not tile.coast
    border = components.BORDER >> tile.cell & 1
    more = face in (Face.CROSS, Face.PLAIN), face == Face.CROSS, sea, tile.in_fog and not found, border
    then = nouns.Visited(*map(sum, zip(now, more, strict=True)))
    return sum(part.halves(then, found) - part.halves(now, False) for part in sources(t, role))


def gain_text(halves: int, say: Say) -> str:
    """Return the points as text: `+1½ for you`."""
    if not halves:
        return say("nothing for you")
    sign, whole = ("+" if halves > 0 else "−"), abs(halves)
    number = f"{whole // 2 or '' if whole % 2 else whole // 2}{'½' * (whole % 2)}"
    return say("{points} for you", points=f"{sign}{number}")


def effect_text(t: Table, role: int, tile: Tile, face: int, say: Say) -> str:
    """Return what a tile brings a role: points, or else what it does for its plan."""
    if halves := half_points(t, role, tile, face):
        return gain_text(halves, say)
    left = BONUS_ISLAND - 1 - nouns.count_visited(t).islands
    if face != Face.OPEN and left > 0 and role == Role.ADMIRAL:
        return say.many(
            "{count} island left before you lose the bonus", "{count} islands left before you lose the bonus", left - 1
        )
    if face != Face.OPEN and left > 0 and role == Role.TRAITOR:
        return say.many("{count} more island for your bonus", "{count} more islands for your bonus", left)
    return _way_text(FOG_DISTANCE[t.ship] - FOG_DISTANCE[tile.cell], say) if role != Role.SAILOR else gain_text(0, say)


def _way_text(closer: int, say: Say) -> str:
    """Avalon is in the fog (R3)."""
    if not closer:
        return say("as far from the fog as now")
    if closer < 0:
        return say("{count} further from the fog", count=-closer)
    return say("{count} closer to the fog", count=closer)


def helped(t: Table, role: int, turn: components.Turn) -> int:
    """Return 1 if the tile of a past turn gave a role points, −1 if it cost some, else 0.

    It counts the tile itself and the islands visited by now: the effect of a fifth island at that time is ignored.
    """
    if not turn.reached:
        return 0
    cell = turn.reached - 1
    halves = half_points(t, role, Tile(cell, nouns.face_of(t, cell)), nouns.face_of(t, cell))
    return (halves > 0) - (halves < 0)


BRIEF = {
    "sea": mark("open sea: {gain}"),
    "coast": mark("coast: {gain}"),
    "plain": mark("an island: {gain}"),
    "cross": mark("island with a cross: {gain}"),
}
IN_FULL = {
    "sea": mark("{course:Course} leads to open sea ({cell}): {gain}."),
    "coast": mark("{course:Course} leads to the coast ({cell}): {gain}."),
    "plain": mark("{course:Course} leads to an island without a cross ({cell}): {gain}."),
    "cross": mark("{course:Course} leads to an island with a cross ({cell}): {gain}."),
}
FOG_AHEAD = mark(
    "{course:Course} leads into the fog ({cell}). Tiles left there: {count}. Avalon: {avalon} ({found}). Islands:"
    " {islands}."
)
UNKNOWN = mark("{course:Course} leads to an unknown tile ({cell}): open sea or an island.")
FACES = {Face.OPEN: "sea", Face.CROSS: "cross", Face.PLAIN: "plain"}


def consequence(view: Seen, action: int, step: int, say: Say) -> Consequence | None:
    verb, places = view.game.actions.action(action)
    if not step or view.seat is None or not role_of(view, view.seat):
        return None
    if verb == "courses" and view.table.phase == Phase.COURSES:
        return course_consequence(view, places[step - 1], say)
    if verb != "vote" or view.table.phase != Phase.BALLOT:
        return None
    course = nouns.own_alternative(view) if places[0] else nouns.current_turn(view.table).preferred
    return course_consequence(view, course - 1, say) if course else _sealed(view, say)


def course_consequence(view: Seen, course: int, say: Say) -> Consequence:
    """Return what a course brings the seat of the view if it is sailed."""
    assert view.seat is not None
    t, role, tile = view.table, role_of(view, view.seat), tile_ahead(view.table, course)
    if tile is None:
        return _lost(view, course, say)
    parts = {"course": nouns.COURSE(course, say), "cell": components.CELLS[tile.cell]}
    if tile.face is None:
        if tile.in_fog:
            return _fog(t, role, tile, parts, say)
        return Consequence(say("an unknown tile"), say(UNKNOWN, **parts))
    halves = half_points(t, role, tile, tile.face)
    kind = "coast" if tile.coast else FACES[Face(tile.face)]
    parts["gain"] = effect_text(t, role, tile, tile.face, say)
    return Consequence(say(BRIEF[kind], **parts), say(IN_FULL[kind], **parts), _tone(halves))


def _tone(halves: int) -> Literal["plain", "good", "grave"]:
    return "good" if halves > 0 else "grave" if halves < 0 else "plain"


def _lost(view: Seen, course: int, say: Say) -> Consequence:
    """R15."""
    points = view.standing.points[view.seat or 0]  # doubles are not counted, since they are secret
    told = say.many(
        "{course:Course} runs off the map: the voyage would end and you’d score {count} point.",
        "{course:Course} runs off the map: the voyage would end and you’d score {count} points.",
        points,
        course=nouns.COURSE(course, say),
    )
    return Consequence(say("off the map: the voyage ends"), told, "grave")


def _fog(t: Table, role: int, tile: Tile, parts: dict[str, object], say: Say) -> Consequence:
    """R3: the number of tiles in the fog is known, not their places."""
    pile = t.piles[components.Pile.FOG]
    found = gain_text(half_points(t, role, tile, Face.AVALON), say)
    counts = {"count": sum(pile), "avalon": pile[Face.AVALON], "islands": pile[Face.CROSS] + pile[Face.PLAIN]}
    told = say(FOG_AHEAD, found=found, **parts, **counts)
    others = [half_points(t, role, tile, face) for face in FACES if pile[face]] or [0]
    at_avalon = half_points(t, role, tile, Face.AVALON)
    if min(others) > 0:
        return Consequence(say("fog: {gain}, or Avalon", gain=gain_text(min(others), say)), told, "good")
    if at_avalon or max(others) <= 0:
        return Consequence(say("fog: Avalon? {gain}", gain=found), told, _tone(at_avalon))
    return Consequence(say("fog: at best {gain}", gain=gain_text(max(others), say)), told)


def _sealed(view: Seen, say: Say) -> Consequence:
    """R8, R10: another course than the open one; if the open one loses the route, one that does not."""
    turn = nouns.current_turn(view.table)
    others = alternatives(view.table, turn)
    if not others & (others - 1):
        return course_consequence(view, members_of(others)[0], say)
    listed = say.alternatives([str(nouns.COURSE(course, say)) for course in members_of(others)])
    parts = {"courses": listed, "name": say.name(turn.captain)}
    told = say("The hidden course is {courses}. Only {name} knows which.", **parts)
    if losing := (others & turn.losing).bit_count():
        told = say.many(
            "The hidden course is {courses}. Only {name} knows which. One of them would end the voyage.",
            "The hidden course is {courses}. Only {name} knows which. {count} of them would end the voyage.",
            losing,
            **parts,
        )
    return Consequence(say("hidden: {courses}", courses=listed), told)
