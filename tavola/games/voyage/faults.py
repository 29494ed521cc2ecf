"""Faults of positions in Voyage, in words: for position documents, and for tests at every step."""

from collections.abc import Iterator

from tavola.core import Faults
from tavola.core.game import ballot_faults
from tavola.games.voyage import components
from tavola.games.voyage.chart import BARRED, BEYOND, destination
from tavola.games.voyage.components import FOG, RANDOM, SEA, START, Box, Ending, Hand, Phase, State, Table


def faults(state: State) -> list[str]:
    """Return every fault of the pieces of a state given in named tuples; a state that a match can reach has none."""
    table, hands, box = state.table, state.hand, state.box
    parts = (_setting(table), _tiles(table), _islands(table, box), _roles(table, hands, box), _ballot(table, hands))
    return [fault for part in parts for fault in part]


def _setting(t: Table) -> Iterator[str]:
    if t.captain >= t.players or any(turn.captain >= t.players for turn in t.turns):
        yield f"captain: expected a seat from 0 to {t.players - 1}"
    if (t.ending > 0) != (t.phase == Phase.OVER):
        yield "ending: expected a reason when the match is over, and none before"
    if (t.turn > 0) != (t.phase >= Phase.COURSES):
        yield "turn: expected 0 before the first captain is asked and 1 to 20 afterwards"
    if (t.phase == Phase.ISLANDS) != (t.layout == RANDOM and t.laid < components.ISLANDS):
        yield "laid: expected ten islands in the random layout before the match goes on"
    if t.layout != RANDOM and t.laid:
        yield "laid: expected 0 in the recommended layout"
    if t.phase == Phase.LOT and t.first_captain:
        yield "phase: expected no draw, since the first captain is agreed on"


def _tiles(t: Table) -> Iterator[str]:
    afloat = t.explored >> t.ship & 1
    if not t.explored & START:
        yield "explored: expected the start tile, which is face up from the beginning"
    if afloat == (t.phase == Phase.TILE):
        yield "ship: expected a face-up tile, or a face-down one that is about to be turned"
    if t.phase == Phase.TILE and not (FOG | (SEA if t.layout == RANDOM else 0)) >> t.ship & 1:
        yield "phase: expected no draw for a tile that every seat knows"
    faces = (t.crosses, t.plains, t.avalon)
    misplaced = any(face & ~t.explored or face & (components.COAST | START) for face in faces)
    if misplaced or sum(faces) != t.crosses | t.plains | t.avalon:
        yield "crosses, plains, avalon: expected distinct face-up tiles other than coast and start"
    if t.avalon != (t.avalon & FOG & (1 << t.ship)) or bool(t.avalon) != (t.ending == Ending.AVALON):
        yield "avalon: expected the fog tile under the ship if Avalon was found, and none otherwise"
    for pile, cells in enumerate((SEA, FOG)):
        turned = [(face & cells).bit_count() for face in (t.explored, *faces)]
        turned[0] -= sum(turned[1:])
        for face, count in enumerate(turned):
            expected, found = int(components.TILES[pile, face]) - count, t.piles[pile][face]
            if found != expected:
                name = f"piles.{components.PILES[pile]}.{components.FACES[face]}"
                yield f"{name}: expected {expected}, found {found}"


def _islands(t: Table, box: Box) -> Iterator[str]:
    seen = (t.crosses | t.plains) & SEA
    if t.layout != RANDOM:
        if t.crosses & SEA != components.CHART_CROSSES & t.explored or seen != components.CHART_ISLANDS & t.explored:
            yield "crosses, plains: expected the revealed islands of the recommended layout"
        if box.islands:
            yield "box.islands: expected none in the recommended layout"
        return
    if box.islands.bit_count() != t.laid or box.islands & ~SEA:
        yield f"box.islands: expected {t.laid} cells outside fog, coast and start"
    beside = components.BESIDE.tolist()
    if any(box.islands >> cell & 1 and box.islands & beside[cell] != 1 << cell for cell in range(len(beside))):
        yield "box.islands: expected no two adjacent islands"
    if seen != box.islands & t.explored:
        yield "crosses, plains: expected the islands on revealed tiles, and no others"


def _roles(t: Table, hands: tuple[Hand, ...], box: Box) -> Iterator[str]:
    due = 0 if t.phase < Phase.ROLES else t.players
    if t.dealt != due and not (t.phase == Phase.ROLES and t.dealt < due):
        yield f"dealt: expected a role for each of {due} seats"
    for seat, hand in enumerate(hands):
        if (hand.role > 0) != (seat < t.dealt):
            yield f"hands.{seat}.role: expected a role once it is dealt, and none before"
    for role, name in enumerate(components.ROLES):
        found = box.roles[role] + sum(hand.role == role + 1 for hand in hands)
        if found != components.COPIES:
            yield f"box.roles.{name}: expected {components.COPIES} cards, including those in hands, found {found}"
    if t.roles != tuple(hand.role if t.phase == Phase.OVER else 0 for hand in hands):
        yield "roles: expected the roles in the hands at the end, and none before"


def _ballot(t: Table, hands: tuple[Hand, ...]) -> Iterator[str]:
    voters = (1 << t.players) - 1 if t.phase == Phase.BALLOT else 0
    yield from ballot_faults(t.voted, voters, [hand.card for hand in hands])


def _turns(t: Table) -> Iterator[str]:
    ship, explored = components.START_CELL, START
    for place, turn in enumerate(t.turns):
        name = f"turns.{place}"
        if place >= t.turn:
            if any(turn):
                yield f"{name}: expected nothing, since it has not begun"
            continue
        bounds = [int(destination(explored, ship, course)) for course in range(4)]
        courses = sum(1 << course for course, cell in enumerate(bounds) if cell != BARRED)
        losing = sum(1 << course for course, cell in enumerate(bounds) if cell == BEYOND)
        if (turn.courses, turn.losing) != (courses, losing):
            yield f"{name}: expected the courses that the map left open then"
        yield from _choice(t, turn, name, place + 1 < t.turn)
        cell = bounds[turn.sailed - 1] if turn.sailed else BEYOND
        if turn.reached != (cell + 1 if cell >= 0 else 0):
            yield f"{name}.reached: expected the first unexplored cell on the course sailed"
        if place + 1 < t.turn and t.turns[place + 1].captain != _next_captain(t, turn):
            yield f"{name}: expected a different captain after it"
        if cell >= 0:
            ship, explored = cell, explored | (1 << cell)
    yield from _last(t, ship, explored)


def _choice(t: Table, turn: components.Turn, name: str, done: bool) -> Iterator[str]:
    alone = turn.courses.bit_count() < 2
    asked = t.phase == Phase.COURSES and not done
    if turn.preferred and not turn.courses >> (turn.preferred - 1) & 1:
        yield f"{name}.preferred: expected a course that can be chosen"
    if (turn.preferred == 0) != (asked or turn.courses == 0):
        yield f"{name}.preferred: expected a course once the captain has chosen, and none before"
    sailed = done or t.phase in (Phase.TILE, Phase.OVER)
    if (turn.sailed > 0) != (sailed and turn.courses > 0):
        yield f"{name}.sailed: expected a course once the votes are revealed, and none before"
    if turn.black >> t.players or (turn.black and (alone or not sailed)):
        yield f"{name}.black: expected only seats that voted in a revealed ballot"
    black = 2 * turn.black.bit_count()
    black_wins = black > t.players or (black == t.players and turn.black >> turn.captain & 1 == 1)
    if turn.sailed and (turn.sailed != turn.preferred) != black_wins:
        yield f"{name}.sailed: expected the course that the majority chose"


def _next_captain(t: Table, turn: components.Turn) -> int:
    alternative = turn.sailed != turn.preferred
    if t.captaincy == components.Captaincy.ALTERNATIVE:
        alternative = 2 * turn.black.bit_count() > t.players
    passes = t.captaincy == components.Captaincy.EVERY_TURN or alternative
    return (turn.captain + passes) % t.players


def _last(t: Table, ship: int, explored: int) -> Iterator[str]:
    turned = explored & ~(1 << ship) if t.phase == Phase.TILE else explored
    if t.ship != ship or t.explored != turned:
        yield "ship, explored: expected the ship on the last tile reached, and all of them explored"
    if t.turn and t.turns[t.turn - 1].captain != t.captain:
        yield "captain: expected the captain of the turn"
    lost = t.turn > 0 and t.phase == Phase.OVER and t.turns[t.turn - 1].reached == 0
    if (t.ending == Ending.ROUTE_LOST) != lost:
        yield "ending: expected the route to be lost if, and only if, the last course reached no tile"
    if t.ending == Ending.TURN_20 and t.turn < components.TURNS:
        yield "ending: expected every turn to have been played"


def alternatives(t: Table, turn: components.Turn) -> int:
    """R8, R10: return the set of courses that the captain can add to the preferred one."""
    losing = t.safe_course and turn.losing >> (turn.preferred - 1) & 1 and turn.courses != turn.losing
    return turn.courses & ~(1 << (turn.preferred - 1)) & ~(turn.losing if losing else 0)


def _alternatives(t: Table, hands: tuple[Hand, ...]) -> Iterator[str]:
    for place, turn in enumerate(t.turns):
        laid = turn.courses.bit_count() > 1 and turn.preferred > 0
        for seat, hand in enumerate(hands):
            course, name = hand.alternatives[place], f"hands.{seat}.alternatives.{place}"
            if (course > 0) != (laid and seat == turn.captain):
                yield f"{name}: expected a course for the captain who chose it, and none otherwise"
            elif course and not alternatives(t, turn) >> (course - 1) & 1:
                yield f"{name}: expected a different course that could be chosen"
            elif course and turn.sailed not in (0, turn.preferred, course):
                yield f"{name}: expected the course that was sailed"


# History faults: sailing the voyage again turn by turn must succeed, and each alternative must have been legal.
FAULTS = Faults(pieces=faults, history=lambda state: [*_turns(state.table), *_alternatives(state.table, state.hand)])
