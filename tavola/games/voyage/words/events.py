"""Log lines: made from the action if all seats heard it, and from the tables before and after it."""

from collections.abc import Iterator

from tavola.core import PlayedAction
from tavola.games.voyage.components import CELLS, COAST, FOG, ROLES, TURNS, Captaincy, Phase, Seen, Table, Turn
from tavola.games.voyage.words.nouns import COURSE, count_passed_tiles, face_of, had_ballot, voters
from tavola.games.voyage.words.scoring import result_text, roles_text
from tavola.show.speech import Say, marks
from tavola.show.words import names_of

TILE_EVENTS = marks(
    "The ship finds open sea at {cell}.",
    "The ship finds an island with a cross at {cell}.",
    "The ship finds an island without a cross at {cell}.",
)
FOG_TILE_EVENTS = marks(
    "The ship finds open sea in the fog at {cell}.",
    "The ship finds an island with a cross in the fog at {cell}.",
    "The ship finds an island without a cross in the fog at {cell}.",
    "The ship finds Avalon in the fog at {cell}!",
)


def events(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[str]:
    """Return what happened between two views one action apart, in order.

    Courses, votes and deals are secret: their lines are made from the table.
    """
    b, a = before.table, after.table
    told = list(_log_setup(b, a, played, say))
    for index in range(max(b.turn - 1, 0), a.turn):
        told += _log_turn(b, a, index, say)
    if a.phase == Phase.OVER != b.phase:
        told.append(say("The roles are revealed: {roles}.", roles=roles_text(a, say)))
        told.append(result_text(after, say))
    return told


def _log_setup(b: Table, a: Table, played: PlayedAction | None, say: Say) -> Iterator[str]:
    """R4, R6, R8: the map and the roles have one line each; a vote has none until all are revealed (R12)."""
    if played and played.verb == "captain":  # R7
        yield say("{name} {name:is|are} randomly chosen as first captain.", name=say.name(played.indices[0]))
    if played and played.verb == "tile":  # R16: the tile that the ship was on before it was turned up
        yield _tile_text(b.ship, played.indices[0], say)
    if b.phase == Phase.ISLANDS != a.phase:
        yield say("The map is ready: ten islands are hidden somewhere in the sea.")
    if b.phase == Phase.ROLES != a.phase:
        yield say.many(
            "Everyone gets a secret role. {count} role is set aside unseen.",
            "Everyone gets a secret role. {count} roles are set aside unseen.",
            2 * len(ROLES) - a.players,
        )
    if b.phase == Phase.COURSES and a.phase == Phase.BALLOT:
        parts = {"name": say.name(a.captain), "course": COURSE(a.turns[a.turn - 1].preferred - 1, say)}
        yield say("{name} {name:shows|show} {course} and {name:hides|hide} a second course.", **parts)


def _log_turn(b: Table, a: Table, index: int, say: Say) -> Iterator[str]:
    was, turn = b.turns[index], a.turns[index]
    if index >= b.turn:
        yield _log_captain(a, index, say)
        if turn.sailed:
            yield say("Only one course is possible: the ship takes it without a vote.")
    if turn.sailed and not was.sailed:
        if had_ballot(turn):
            yield _log_ballot(a, turn, say)
            yield _log_verdict(a, turn, say)
        yield _log_sailing(a, index, say)
        cell = turn.reached - 1
        if turn.reached and a.explored >> cell & 1:  # the tile was known
            yield _tile_text(cell, face_of(a, cell), say)
    if not turn.courses:
        yield say("There’s coast on every side: no course is possible.")


def _log_captain(a: Table, index: int, say: Say) -> str:
    """R18."""
    captain = a.turns[index].captain
    parts = {"turn": index + 1, "turns": TURNS, "name": say.name(captain)}
    if index == 0:
        return say("Turn {turn} of {turns}: {name} {name:is|are} captain.", **parts)
    if a.captaincy != Captaincy.EVERY_TURN and a.turns[index - 1].captain == captain:
        return say("Turn {turn} of {turns}: {name} {name:stays|stay} captain.", **parts)
    return say("Turn {turn} of {turns}: {name} {name:becomes|become} captain.", **parts)


def _log_ballot(a: Table, turn: Turn, say: Say) -> str:
    white, black = voters(a, turn)
    if not black:
        return say("The votes are in: everyone votes white.")
    if not white:
        return say("The votes are in: everyone votes black.")
    parts = {"white": names_of(white, say), "black": names_of(black, say)}
    return say("The votes are in. White: {white}. Black: {black}.", **parts)


def _log_verdict(a: Table, turn: Turn, say: Say) -> str:
    """R13."""
    parts = {"course": COURSE(turn.sailed - 1, say), "name": say.name(turn.captain)}
    preferred = turn.sailed == turn.preferred
    if 2 * turn.black.bit_count() != a.players:
        if preferred:
            return say("White wins the vote: the ship takes the open course ({course}).", **parts)
        return say("Black wins the vote: the ship takes the hidden course ({course}).", **parts)
    if preferred:
        return say("It’s a tie. {name}, the captain, voted white: the ship takes the open course ({course}).", **parts)
    return say("It’s a tie. {name}, the captain, voted black: the ship takes the hidden course ({course}).", **parts)


def _log_sailing(a: Table, index: int, say: Say) -> str:
    """R14, R15."""
    turn = a.turns[index]
    parts: dict[str, object] = {"course": COURSE(turn.sailed - 1, say)}
    if not turn.reached:
        return say("There’s no face-down tile left to the {course}: the ship loses its route.", **parts)
    parts["cell"] = CELLS[turn.reached - 1]
    if not (count := count_passed_tiles(a, index)):
        return say("The ship sails {course} to {cell}.", **parts)
    return say.many(
        "The ship sails {course}, past {count} explored tile, to {cell}.",
        "The ship sails {course}, past {count} explored tiles, to {cell}.",
        count,
        **parts,
    )


def _tile_text(cell: int, face: int, say: Say) -> str:
    """R16."""
    if COAST >> cell & 1:
        return say("The ship finds coast at {cell}.", cell=CELLS[cell])
    return say((FOG_TILE_EVENTS if FOG >> cell & 1 else TILE_EVENTS)[face], cell=CELLS[cell])
