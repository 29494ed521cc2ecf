"""Functions of boats and seats that rules and heuristics share. `R…` cites RULES.md in this folder."""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from tavola.core import compiled
from tavola.games.lifeboats.components import BOATS, FIRST_LANES, OFFICER, SAILOR, SEATS, At, Phase


@compiled
def crew_size(boat):
    """Return how many men are in a boat."""
    men = 0
    for seat in range(SEATS):
        men += boat.crew[seat, OFFICER] + boat.crew[seat, SAILOR]
    return men


@compiled
def men_of(boat, seat):
    """Return how many men of `seat` are in a boat."""
    return boat.crew[seat, OFFICER] + boat.crew[seat, SAILOR]


@compiled
def has_free_seat(t, boat):
    """R8: a seat with neither a man nor a leak is free."""
    return t.boats[boat].at == At.SEA and crew_size(t.boats[boat]) + t.boats[boat].leaks < t.seats


@compiled
def boats_at_sea(t):
    """Return how many boats have neither arrived nor sunk."""
    count = 0
    for boat in range(BOATS):
        count += t.boats[boat].at == At.SEA
    return count


@compiled
def next_seat(t, seat):
    """Return the next seat clockwise."""
    return seat + 1 if seat + 1 < t.players else 0


@compiled
def island_of(t, lane):
    """R4: return the island at the end of a lane."""
    island = 0
    while island < 2 and lane >= FIRST_LANES[t.islands, island]:
        island += 1
    return island


@compiled
def vote_weight(t, seat):
    """R19: overboard an officer has two votes and a sailor one; elsewhere each seat has one."""
    if t.phase != Phase.OVERBOARD_BALLOT:
        return 1
    crew = t.boats[t.target - 1].crew
    return 2 * crew[seat, OFFICER] + crew[seat, SAILOR]
