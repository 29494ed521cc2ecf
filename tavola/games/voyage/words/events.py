"""Tell what happened, in sentences: from the action where all heard it, and from the tables before and after it."""

from collections.abc import Iterator

from tavola.core import PlayedAction
from tavola.games.voyage.components import CELLS, COAST, FOG, ROLES, TURNS, Captaincy, Phase, Seen, Table, Turn
from tavola.games.voyage.words.nouns import COURSE, count_passed_tiles, face_of, had_ballot, voters
from tavola.games.voyage.words.scoring import result_text, roles_text
from tavola.show.speech import Say, marks
from tavola.show.words import names_of

TILE_EVENTS = marks(
    "{cell} is turned up: open sea.",
    "{cell} is turned up: an island with the cross.",
    "{cell} is turned up: an island without the cross.",
)
FOG_TILE_EVENTS = marks(
    "{cell} is turned up: fog, and in it open sea.",
    "{cell} is turned up: fog, and in it an island with the cross.",
    "{cell} is turned up: fog, and in it an island without the cross.",
    "{cell} is turned up: fog, and in it Avalon!",
)


def events(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[str]:
    """Return what happened between two views one action apart, in the order in which it happened.

    Courses, votes and what is dealt are secret: the table shows what all may know of them.
    """
    b, a = before.table, after.table
    told = [*_tell_chance(b, played, say), *_tell_laying(b, a, say)]
    for index in range(max(b.turn - 1, 0), a.turn):
        told += _tell_turn(b, a, index, say)
    if a.phase == Phase.OVER != b.phase:
        told.append(say("The roles are turned up: {roles}.", roles=roles_text(a, say)))
        told.append(result_text(after, say))
    return told


def _tell_chance(b: Table, played: PlayedAction | None, say: Say) -> Iterator[str]:
    """R7, R16: the lot, and the tile on which the ship lay before it was turned up."""
    if played and played.verb == "captain":
        yield say("The lot falls on {name}, the first captain.", name=say.name(played.indices[0]))
    elif played and played.verb == "tile":
        yield _tile_text(b.ship, played.indices[0], say)


def _tell_laying(b: Table, a: Table, say: Say) -> Iterator[str]:
    """R4, R6, R8: the map is told as a whole, the roles too; a vote is no news until all are revealed (R12)."""
    if b.phase == Phase.ISLANDS != a.phase:
        yield say("The map is laid: ten islands lie somewhere in the sea, face down.")
    if b.phase == Phase.ROLES != a.phase:
        left = 2 * len(ROLES) - a.players
        yield say.many(
            "Everybody holds a secret role; {count} card is removed unseen.",
            "Everybody holds a secret role; {count} cards are removed unseen.",
            left,
        )
    if b.phase == Phase.COURSES and a.phase == Phase.BALLOT:
        parts = {"name": say.name(a.captain), "course": COURSE(a.turns[a.turn - 1].preferred - 1, say)}
        yield say("{name} offers {course} openly, and another course face down.", **parts)


# One turn


def _tell_turn(b: Table, a: Table, index: int, say: Say) -> Iterator[str]:
    was, turn = b.turns[index], a.turns[index]
    if index >= b.turn:
        yield _tell_captain(a, index, say)
        if turn.sailed:
            yield say("Only one course may be laid: it is sailed without a vote.")
    if turn.sailed and not was.sailed:
        if had_ballot(turn):
            yield _tell_ballot(a, turn, say)
            yield _tell_verdict(a, turn, say)
        yield _tell_sailing(a, index, say)
        cell = turn.reached - 1
        if turn.reached and a.explored >> cell & 1:  # what lies there was known
            yield _tile_text(cell, face_of(a, cell), say)
    if not turn.courses:
        yield say("No course may be laid: coast lies on every side.")


def _tell_captain(a: Table, index: int, say: Say) -> str:
    """R18."""
    captain = a.turns[index].captain
    parts = {"turn": index + 1, "turns": TURNS, "name": say.name(captain)}
    if index == 0:
        return say("Turn {turn} of {turns}: {name} is the captain.", **parts)
    if a.captaincy != Captaincy.EVERY_TURN and a.turns[index - 1].captain == captain:
        return say("Turn {turn} of {turns}: {name} stays captain.", **parts)
    return say("Turn {turn} of {turns}: the captaincy passes to {name}.", **parts)


def _tell_ballot(a: Table, turn: Turn, say: Say) -> str:
    white, black = voters(a, turn)
    if not black:
        return say("The votes are revealed: everybody votes white.")
    if not white:
        return say("The votes are revealed: everybody votes black.")
    parts = {"white": names_of(white, say), "black": names_of(black, say)}
    return say("The votes are revealed. White: {white}. Black: {black}.", **parts)


def _tell_verdict(a: Table, turn: Turn, say: Say) -> str:
    """R13."""
    parts = {"course": COURSE(turn.sailed - 1, say), "name": say.name(turn.captain)}
    preferred = turn.sailed == turn.preferred
    if 2 * turn.black.bit_count() != a.players:
        if preferred:
            return say("White has the majority: the open course, {course}, is sailed.", **parts)
        return say("Black has the majority: the seal breaks, and the course is {course}.", **parts)
    if preferred:
        return say("A tie: {name}, the captain, voted white: the open course, {course}, is sailed.", **parts)
    return say("A tie: {name}, the captain, voted black: the seal breaks, and the course is {course}.", **parts)


def _tell_sailing(a: Table, index: int, say: Say) -> str:
    """R14, R15."""
    turn = a.turns[index]
    parts: dict[str, object] = {"course": COURSE(turn.sailed - 1, say)}
    if not turn.reached:
        return say("No tile lies face down {course:toward}: the ship loses its route.", **parts)
    parts["cell"] = CELLS[turn.reached - 1]
    count = count_passed_tiles(a, index)
    if not count:
        return say("The ship sails {course:toward} to {cell}.", **parts)
    return say.many(
        "The ship sails {course:toward}, past {count} explored tile, to {cell}.",
        "The ship sails {course:toward}, past {count} explored tiles, to {cell}.",
        count,
        **parts,
    )


def _tile_text(cell: int, face: int, say: Say) -> str:
    """R16."""
    if COAST >> cell & 1:
        return say("{cell} is turned up: coast.", cell=CELLS[cell])
    return say((FOG_TILE_EVENTS if FOG >> cell & 1 else TILE_EVENTS)[face], cell=CELLS[cell])
