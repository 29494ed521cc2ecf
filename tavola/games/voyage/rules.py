"""The rules of Voyage. `R…` cites the paragraphs of RULES.md in this folder."""

import numpy as np

from tavola.core import (
    CHANCE,
    compiled,
    count_members,
    draw_from,
    legal_draws,
    local_array,
    lowest_member,
    random_below,
    rank_seats,
)
from tavola.games.voyage.chart import BARRED, BEYOND, cell_set, destination, is_face_known, known_face
from tavola.games.voyage.components import (
    ACTIONS,
    BESIDE,
    BLACK,
    BORDER,
    CELL_COUNT,
    COAST,
    COPIES,
    EMENDED,
    FOG,
    ISLANDS,
    OPTIONS,
    RANDOM,
    SEA,
    START,
    START_CELL,
    TILES,
    TURNS,
    WHITE,
    Captaincy,
    Ending,
    Face,
    First,
    Phase,
    Pile,
    Role,
    State,
)

__all__ = ["ACTIONS", "OPTIONS", "State", "apply", "legal", "redeal", "score", "start", "to_act"]

SEA_CELLS = np.array([cell for cell in range(CELL_COUNT) if SEA >> cell & 1])
new_cells = local_array(len(SEA_CELLS), np.int64)

# The six functions


@compiled
def start(s):
    """R1 to R7: the tiles are face down, the ship is on the start tile, the roles are shuffled."""
    t = s.table
    t.ship = START_CELL
    t.explored = START
    for pile in range(2):
        for face in range(4):
            t.piles[pile, face] = TILES[pile, face]
    for role in range(6):
        s.box.roles[role] = COPIES
    if t.layout == RANDOM:
        t.phase = Phase.ISLANDS
    else:
        _appoint_captain(t)


@compiled
def to_act(s):
    t = s.table
    if t.phase == Phase.BALLOT:
        return ((1 << np.int64(t.players)) - 1) & ~np.int64(t.voted)
    if t.phase == Phase.COURSES:
        return 1 << np.int64(t.captain)
    if t.phase == Phase.OVER:
        return 0
    return 1 << CHANCE


@compiled
def legal(s, seat, actions, weights):
    phase = s.table.phase
    if phase == Phase.BALLOT:
        return _legal_vote(actions)
    if phase == Phase.COURSES:
        return _legal_courses(s.table, actions)
    if phase == Phase.TILE:
        return _legal_tile(s, actions, weights)
    if phase == Phase.ROLES:
        return legal_draws(s.box.roles, First.ROLE, actions, weights)
    if phase == Phase.LOT:
        return _legal_lot(s.table, actions, weights)
    return _legal_island(s.box, actions, weights)


@compiled
def apply(s, seat, action):
    phase = s.table.phase
    if phase == Phase.BALLOT:
        _apply_vote(s, seat, action - First.VOTE + WHITE)
    elif phase == Phase.COURSES:
        _apply_courses(s, seat, action - First.COURSES)
    elif phase == Phase.TILE:
        _apply_tile(s, action - First.TILE)
    elif phase == Phase.ROLES:
        _apply_role(s, action - First.ROLE)
    elif phase == Phase.LOT:
        _apply_lot(s.table, action - First.CAPTAIN)
    else:
        _apply_island(s, action - First.ISLAND)


@compiled
def score(s, points, place):
    """R22 to R29: the points of each role; two of one role lose a point each; equal points share the place.

    At the end the roles are public, so all seats can be scored. Before it, hidden roles score 0.
    """
    t = s.table
    for seat in range(t.players):
        role = _known_role(s, seat)
        points[seat] = role_points(t, role)
        for other in range(t.players):
            if other != seat and role and _known_role(s, other) == role:
                points[seat] -= 1
    rank_seats(points, place, t.players)


@compiled
def _known_role(s, seat):
    return s.table.roles[seat] if s.table.phase == Phase.OVER else s.hand[seat].role


@compiled
def redeal(s, seat, rng):
    """Redraw hidden roles, islands, alternatives and votes at random, consistent with the view."""
    t = s.table
    _redeal_roles(s, seat, rng)
    if t.layout == RANDOM:
        s.box.islands = _redeal_islands(t, rng)
    for turn in range(t.turn):
        captain = t.turns[turn].captain
        if captain != seat:
            s.hand[captain].alternatives[turn] = _redeal_alternative(t, turn, rng)
    for other in range(t.players):
        if other != seat and t.voted >> other & 1:
            s.hand[other].card = WHITE + random_below(rng, 2)


# Laying the map and dealing: R2 to R7


@compiled
def _legal_island(box, actions, weights):
    """R4: each cell of open sea that is not an island and has none beside it."""
    islands, count = np.int64(box.islands), 0
    for k in range(len(SEA_CELLS)):
        cell = SEA_CELLS[k]
        # Written in any case and kept by advancing: a branch could not be predicted.
        actions[count] = First.ISLAND + cell
        weights[count] = 1
        count += islands & BESIDE[cell] == 0
    return count


@compiled
def _apply_island(s, cell):
    s.box.islands |= cell_set(cell)
    s.table.laid += 1
    if s.table.laid == ISLANDS:
        _appoint_captain(s.table)


@compiled
def _appoint_captain(t):
    """R7: the first captain is the option's seat, if it names one; else drawn by lot."""
    if t.first_captain:
        t.captain = t.first_captain - 1
        t.phase = Phase.ROLES
    else:
        t.phase = Phase.LOT


@compiled
def _legal_lot(t, actions, weights):
    for seat in range(t.players):
        actions[seat] = First.CAPTAIN + seat
        weights[seat] = 1
    return np.int64(t.players)


@compiled
def _apply_lot(t, seat):
    t.captain = seat
    t.phase = Phase.ROLES


@compiled
def _apply_role(s, role):
    """R6: one role each; the rest are never revealed."""
    t = s.table
    s.hand[t.dealt].role = role + 1
    s.box.roles[role] -= 1
    t.dealt += 1
    if t.dealt == t.players:
        _open_turn(s)


# The turn of a captain: R8 to R11


@compiled
def _open_turn(s):
    """Ask the captain for two courses. R11: a single one is sailed at once; with none the route is lost."""
    t = s.table
    while True:
        turn = t.turns[t.turn]
        t.turn += 1
        turn.captain = t.captain
        _find_courses(t, turn)
        if turn.courses == 0:
            _end(s, Ending.ROUTE_LOST)
            return
        if turn.courses & (turn.courses - 1):
            t.phase = Phase.COURSES
            return
        turn.preferred = 1 + lowest_member(turn.courses)
        if not _sail(s, turn.preferred):
            return


@compiled
def _find_courses(t, turn):
    """R9, R10: the courses that the captain can choose from, and those of them that lose the route."""
    turn.courses = 0
    turn.losing = 0
    for course in range(4):
        cell = destination(np.int64(t.explored), t.ship, course)
        if cell != BARRED:
            turn.courses |= 1 << course
        if cell == BEYOND:
            turn.losing |= 1 << course


@compiled
def alternatives(t, turn, preferred):
    """R8: the courses that can be the alternative of `preferred` (0 to 3). R10: one of the two must be safe."""
    other = turn.courses & ~(1 << preferred)
    if t.safe_course and turn.losing >> preferred & 1 and turn.courses != turn.losing:
        return other & ~turn.losing
    return other


@compiled
def _legal_courses(t, actions):
    turn = t.turns[t.turn - 1]
    count = 0
    for preferred in range(4):
        if turn.courses >> preferred & 1:
            others = alternatives(t, turn, preferred)
            for alternative in range(4):
                if others >> alternative & 1:
                    actions[count] = First.COURSES + 4 * preferred + alternative
                    count += 1
    return count


@compiled
def _apply_courses(s, seat, pair):
    """R8: the preferred course is open, the alternative face down."""
    t = s.table
    t.turns[t.turn - 1].preferred = 1 + pair // 4
    s.hand[seat].alternatives[t.turn - 1] = 1 + pair % 4
    t.phase = Phase.BALLOT


# The ballot: R12, R13


@compiled
def _legal_vote(actions):
    actions[0] = First.VOTE
    actions[1] = First.VOTE + 1
    return 2


@compiled
def _apply_vote(s, seat, card):
    """R12: cards stay face down until all have played; then they are revealed together and taken back."""
    t = s.table
    s.hand[seat].card = card
    t.voted |= 1 << seat
    if t.voted == (1 << np.int64(t.players)) - 1 and _sail(s, _reveal_votes(s)):
        _open_turn(s)


@compiled
def _reveal_votes(s):
    """R13: the majority's course; in a tie, the one that the captain voted for."""
    t = s.table
    turn = t.turns[t.turn - 1]
    black = 0
    for seat in range(t.players):
        if s.hand[seat].card == BLACK:
            turn.black |= 1 << seat
            black += 1
        s.hand[seat].card = 0
    t.voted = 0
    tied = 2 * black == t.players
    if 2 * black > t.players or (tied and turn.black >> np.int64(t.captain) & 1):
        return np.int64(s.hand[t.captain].alternatives[t.turn - 1])
    return np.int64(turn.preferred)


# The ship: R14 to R18


@compiled
def _sail(s, course):
    """R14: over explored tiles to the first unexplored one. R15: without one the route is lost. True to go on."""
    t = s.table
    turn = t.turns[t.turn - 1]
    turn.sailed = course
    cell = destination(np.int64(t.explored), t.ship, course - 1)
    if cell == BEYOND:
        _end(s, Ending.ROUTE_LOST)
        return False
    t.ship = cell
    turn.reached = cell + 1
    if is_face_known(t, cell):
        return _turn_up(s, known_face(cell))
    t.phase = Phase.TILE
    return False


@compiled
def _legal_tile(s, actions, weights):
    """R16: in the fog any tile left there; at sea the random layout fixes where islands are, not which."""
    t = s.table
    pile = Pile.FOG
    faces = 15
    if SEA >> np.int64(t.ship) & 1:
        pile = Pile.SEA
        faces = 1 << Face.CROSS | 1 << Face.PLAIN if s.box.islands >> np.int64(t.ship) & 1 else 1 << Face.OPEN
    count = 0
    for face in range(4):
        if faces >> face & 1 and t.piles[pile, face]:
            actions[count] = First.TILE + face
            weights[count] = 1 if pile == Pile.SEA and face == Face.OPEN else t.piles[pile, face]
            count += 1
    return count


@compiled
def _apply_tile(s, face):
    if _turn_up(s, face):
        _open_turn(s)


@compiled
def _turn_up(s, face):
    """Turn up the tile under the ship. R17: Avalon, or the twentieth turn, ends the match. Return True to go on."""
    t = s.table
    cell = cell_set(t.ship)
    t.explored |= cell
    if face == Face.CROSS:
        t.crosses |= cell
    elif face == Face.PLAIN:
        t.plains |= cell
    elif face == Face.AVALON:
        t.avalon |= cell
    if not COAST & cell:
        t.piles[Pile.FOG if FOG & cell else Pile.SEA, face] -= 1
    if face == Face.AVALON:
        _end(s, Ending.AVALON)
    elif t.turn == TURNS:
        _end(s, Ending.TURN_20)
    else:
        _pass_captaincy(t)
    return t.phase != Phase.OVER


@compiled
def _pass_captaincy(t):
    """R18: to the left after each turn; in the variant, only after a turn in which the alternative had the majority."""
    turn = t.turns[t.turn - 1]
    passes = t.captaincy == Captaincy.EVERY_TURN
    if not passes and turn.sailed != turn.preferred:
        passes = t.captaincy == Captaincy.ALTERNATIVE_OR_TIE or 2 * count_members(turn.black) > t.players
    if passes:
        t.captain = t.captain + 1 if t.captain + 1 < t.players else 0


@compiled
def _end(s, ending):
    """R19: the roles are turned up; tiles face down and alternatives not sailed stay hidden."""
    t = s.table
    t.ending = ending
    t.phase = Phase.OVER
    for seat in range(t.players):
        t.roles[seat] = s.hand[seat].role


# Points: R21 to R27


@compiled
def role_points(t, role):
    """Return the points of a role before doubles are counted, if the voyage ended now."""
    found = t.ending == Ending.AVALON
    islands = count_members(t.crosses | t.plains)
    if role == Role.ADMIRAL:
        return 5 * found + 3 * (islands <= 4)
    if role == Role.CABIN_BOY:
        return islands + 2 * found
    if role == Role.MERCHANT:
        return 2 * count_members(t.crosses) + found
    if role == Role.TRAITOR:
        return 5 * (not found) + 3 * (islands >= 5)
    if role == Role.EXPLORER:
        return explorer_points(t, found)
    if role == Role.SAILOR:
        return sailor_points(t)
    return 0


@compiled
def explorer_points(t, found):
    """R26: a point for two border tiles, the start among them, and one for each tile of the fog; three for Avalon."""
    border = count_members(t.explored & (BORDER | START))
    fog = count_members(t.explored & ~t.avalon & FOG)
    return border // 2 + fog + 3 * found


@compiled
def sailor_points(t):
    """R27: two points for each tile of open sea; emended, a point for two of them."""
    opened = count_members(t.explored & ~(t.crosses | t.plains | t.avalon | COAST | START))
    return opened // 2 if t.sailor == EMENDED else 2 * opened


# Redealing hidden parts


@compiled
def _redeal_roles(s, seat, rng):
    """Uniform among the cards that are neither in the seat's hand nor on the table."""
    t = s.table
    for role in range(6):
        s.box.roles[role] = COPIES
    for other in range(t.dealt):
        if other == seat or t.phase == Phase.OVER:
            role = s.hand[other].role if other == seat else t.roles[other]
            s.hand[other].role = role
            s.box.roles[role - 1] -= 1
    for other in range(t.dealt):
        if other != seat and t.phase != Phase.OVER:
            s.hand[other].role = draw_from(s.box.roles, rng) + 1


@compiled
def _redeal_alternative(t, turn, rng):
    """The alternative of a turn: public if it was sailed, else any that the captain could have laid."""
    past = t.turns[turn]
    if past.preferred == 0 or past.courses & (past.courses - 1) == 0:
        return 0
    if past.sailed and past.sailed != past.preferred:
        return np.int64(past.sailed)
    others = alternatives(t, past, np.int64(past.preferred) - 1)
    left = random_below(rng, count_members(others))
    course = lowest_member(others)
    while left:
        others &= others - 1
        course = lowest_member(others)
        left -= 1
    return course + 1


@compiled
def _redeal_islands(t, rng):
    """Uniform among the sets of ten islands that agree with the turned tiles: drawn whole until none touch.

    Chance deals the islands one by one (R4), which favours some sets, so a cell's probability is slightly off.
    Exact weights would cost several draws for each.
    """
    seen = (t.crosses | t.plains) & SEA
    blocked = t.explored & SEA
    for cell in range(CELL_COUNT):
        if seen >> cell & 1:
            blocked |= BESIDE[cell]
    cells = new_cells()
    count = 0
    for k in range(len(SEA_CELLS)):
        if not blocked >> SEA_CELLS[k] & 1:
            cells[count] = SEA_CELLS[k]
            count += 1
    wanted = t.laid - count_members(seen)
    while True:
        islands = np.int64(0)
        beside = np.int64(0)
        left = wanted
        while left:
            cell = cells[random_below(rng, count)]
            if beside >> cell & 1:
                break
            islands |= cell_set(cell)
            beside |= BESIDE[cell]
            left -= 1
        if left == 0:
            return islands | seen
