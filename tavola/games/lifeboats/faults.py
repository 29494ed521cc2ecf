"""Faults of positions in Lifeboats, in words: for position documents, and for tests at every step.

They cover what the rules rely on: each man and boat in one place, and which seat has to decide. Only the counts of
rounds and ballots (`history_faults`) show how a position came about.
"""

from collections.abc import Iterator

from tavola.core import Faults
from tavola.core.game import ballot_faults
from tavola.games.lifeboats import components
from tavola.games.lifeboats.components import BLACK, COLOURS, PHASES, At, BallotKind, Boat, Hand, Phase, State, Table


def faults(state: State) -> list[str]:
    """Return every fault of the pieces of a state given in named tuples; a state that a match can reach has none."""
    table = state.table
    parts = (_men(table), _boats(table), _lanes(table), _seats(table), _voting(table, state.hand), _changing(table))
    # The pieces are checked first: the seat to decide is only defined if they are possible.
    found = [fault for part in parts for fault in part]
    return found or [*(_placing(table) if table.phase <= Phase.CREW else _on_the_board(table)), *_last_ballot(table)]


def history_faults(state: State) -> list[str]:
    """Return every fault of the counts: a round has a move after one ballot, and a leak after one ballot or two."""
    t = state.table
    moved = sum(boat.row for boat in t.boats)
    moves = moved if t.phase == Phase.OVER else t.rounds - (Phase.CREW < t.phase < Phase.LEAVING)
    if moved != moves or not t.rounds - 1 <= moves <= t.rounds:
        return [f"rounds: expected one move per finished round, found {moved} moves in round {t.rounds}"]
    overboard = t.ballots - (t.rounds - (t.phase == Phase.LEAK_BALLOT)) - moves - (t.phase == Phase.MOVE_CHOICE)
    if not 0 <= overboard <= t.rounds - (t.phase in (Phase.LEAK_BALLOT, Phase.LEAK_CHOICE, Phase.OVERBOARD_BALLOT)):
        return [f"ballots: expected 2 or 3 per finished round, found {t.ballots} in round {t.rounds}"]
    return []


def crew_size(boat: Boat) -> int:
    return sum(map(sum, boat.crew))


def _men(t: Table) -> Iterator[str]:
    for seat in range(len(t.unseated)):
        for rank, due in enumerate((2, 5 if t.players <= 4 else 4) if seat < t.players else (0, 0)):
            places = [t.unseated[seat][rank], t.lost[seat][rank], *(island[rank] for island in t.ashore[seat])]
            places += [boat.crew[seat][rank] for boat in t.boats]
            found = sum(places) + (t.behind[seat] > 0 and t.behind_rank[seat] == rank)
            if found != due:
                yield f"boats: expected {due} {components.RANKS[rank]}s of seat {seat} in all, found {found}"


def _boats(t: Table) -> Iterator[str]:
    for place, boat in enumerate(t.boats):
        name = f"boats.{COLOURS[place]}"
        if t.players <= place < BLACK and boat.at != At.ASIDE:
            yield f"{name}.at: expected aside, since it belongs to no seat"
        if boat.at != At.SEA and (crew_size(boat) or boat.leaks):
            yield f"{name}: expected no men or leaks in a boat that is not at sea"
        if crew_size(boat) + boat.leaks > t.seats:
            yield f"{name}: expected at most {t.seats} men and leaks in all, found {crew_size(boat) + boat.leaks}"
        if boat.row != {At.ASHORE: t.moves, At.ASIDE: 0}.get(At(boat.at), min(boat.row, t.moves - 1)):
            yield f"{name}.row: expected {t.moves} for a boat ashore, 0 for one aside, less than {t.moves} for others"
        if boat.leaks > crew_size(boat) + (1 if t.phase == Phase.BOARDING or place + 1 in t.behind else 0):
            yield f"{name}.leaks: expected no more leaks than men, or it would have sunk"
        if (boat.at == At.ASHORE) != (boat.arrival > 0):
            yield f"{name}.arrival: expected a number for a boat ashore, and none otherwise"


def _lanes(t: Table) -> Iterator[str]:
    lanes = [boat.lane for boat in t.boats if boat.lane]
    if len(set(lanes)) < len(lanes):
        yield "boats: expected a different lane for each boat"
    for place, boat in enumerate(t.boats):
        if (boat.lane == 0) != (boat.at == At.ASIDE):
            yield f"boats.{COLOURS[place]}.lane: expected a lane for a boat on the board, and none otherwise"
    if sorted(boat.arrival for boat in t.boats if boat.arrival) != list(range(1, t.arrived + 1)):
        yield f"arrived: expected the arrivals 1 to {t.arrived}, each once"
    landed = [_island(t, boat.lane) for boat in t.boats if boat.at == At.ASHORE]
    for island, name in enumerate(components.ISLANDS):
        most = t.seats * landed.count(island)
        if sum(sum(seat[island]) for seat in t.ashore) > most:
            yield f"ashore: expected at most {most} men on the {name} island, the capacity of its boats"


def _island(t: Table, lane: int) -> int:
    return sum(lane >= int(first) for first in components.FIRST_LANES[t.islands])


def _seats(t: Table) -> Iterator[str]:
    for name in ("starter", "turn"):
        if getattr(t, name) >= t.players:
            yield f"{name}: expected a seat from 0 to {t.players - 1}"
    for seat in range(t.players, len(t.captains)):
        if t.captains[seat] or t.behind_rank[seat]:
            yield f"captains.{seat}: expected nothing for a seat that is not at the table"


# Ballots


def _voting(t: Table, hands: tuple[Hand, ...]) -> Iterator[str]:
    if t.phase not in components.BALLOTS and t.voters:
        yield "voters: expected none without a ballot"
    if t.phase in (Phase.LEAK_BALLOT, Phase.MOVE_BALLOT) and t.voters != (1 << t.players) - 1:
        yield "voters: expected every seat"
    yield from ballot_faults(t.voted, t.voters, [hand.card for hand in hands])
    for seat, hand in enumerate(hands):
        if hand.card == components.CAPTAIN and not t.captains[seat]:
            yield f"hands.{seat}.card: expected no captain, since none is left"
        if 0 < hand.card < components.CAPTAIN and not eligible(t) >> hand.card - 1 & 1:
            yield f"hands.{seat}.card: expected a colour that can be voted for"
    yield from _overboard(t)


def eligible(t: Table) -> int:
    """Return a bit mask of what can be voted for: colours aboard the full boat if there is one, else boats at sea."""
    if t.target:
        return sum(1 << seat for seat in range(t.players) if any(t.boats[t.target - 1].crew[seat]))
    return sum(1 << place for place, boat in enumerate(t.boats) if boat.at == At.SEA)


def _overboard(t: Table) -> Iterator[str]:
    if (t.target > 0) != (t.phase in (Phase.OVERBOARD_BALLOT, Phase.OVERBOARD_CHOICE)):
        yield "target: expected a boat in an overboard ballot, and none otherwise"
    elif t.target:
        boat = t.boats[t.target - 1]
        if boat.at != At.SEA or crew_size(boat) + boat.leaks < t.seats:
            yield "target: expected a full boat at sea"
        if t.phase == Phase.OVERBOARD_BALLOT and t.voters != eligible(t):
            yield "voters: expected the seats with a man aboard the target"


# The third phase


def _changing(t: Table) -> Iterator[str]:
    left = [boat for boat in t.behind if boat]
    third = t.phase in (Phase.LEAVING, Phase.BOARDING)
    if left and not third:
        yield "behind: expected no man behind a boat outside the third phase"
    if len(set(left)) < len(left) or any(t.boats[boat - 1].at != At.SEA for boat in left):
        yield "behind: expected at most one man behind each boat at sea"
    if third and t.last_boat_stays and sum(boat.at == At.SEA for boat in t.boats) == 1:
        yield "phase: expected no third phase with one boat at sea, since last_boat_stays is on"
    if t.phase == Phase.LEAVING:
        yield from _leaving(t)
    if t.phase == Phase.BOARDING:
        yield from _boarding(t)


def _order(t: Table) -> tuple[list[int], list[int]]:
    """The seats before the one whose turn it is and those after it, clockwise from the start player."""
    order = [(t.starter + k) % t.players for k in range(t.players)]
    place = order.index(t.turn) if t.turn in order else 0
    return order[:place], order[place + 1 :]


def _can_leave(t: Table, seat: int) -> bool:
    return any(any(boat.crew[seat]) for place, boat in enumerate(t.boats) if place + 1 not in t.behind)


def _leaving(t: Table) -> Iterator[str]:
    before, after = _order(t)
    if t.behind[t.turn] or not _can_leave(t, t.turn):
        yield "turn: expected a seat that can still leave a boat"
    if any(t.behind[seat] for seat in after):
        yield "behind: expected no man of a seat that has not had its turn"
    if any(not t.behind[seat] and _can_leave(t, seat) for seat in before):
        yield "behind: expected a man of each seat that could have left a boat"
    if any(t.boats[boat - 1].leaks + crew_size(t.boats[boat - 1]) >= t.seats for boat in t.behind if boat):
        yield "behind: expected the place that he left to be free"


def _boarding(t: Table) -> Iterator[str]:
    _, after = _order(t)
    free = [t.seats - crew_size(boat) - boat.leaks if boat.at == At.SEA else 0 for boat in t.boats]
    left = [boat - 1 for boat in t.behind if boat]
    if not t.behind[t.turn] or sum(free) == free[t.behind[t.turn] - 1]:
        yield "turn: expected a seat with a man behind a boat, and a free place in another boat"
    if any(t.behind[seat] for seat in after):
        yield "behind: expected no man of a seat whose turn is over"
    # Each man who left freed a seat, and each who boarded took one.
    if any(sum(free) - free[boat] < len(left) - 1 for boat in left):
        yield "behind: expected a free place for each man except the first to leave"


# Before the first round


def _placing(t: Table) -> Iterator[str]:
    counts = (t.rounds, t.ballots, t.arrived, *(boat.row + boat.leaks for boat in t.boats), *map(sum, t.lost))
    if any(counts) or any(t.captains[seat] != 3 for seat in range(t.players)):
        yield "rounds: expected no round, ballot, move, leak, loss or used captain before the men are seated"
    before, after = _order(t)
    if t.phase == Phase.LOT and (t.starter or t.turn):
        yield "starter: expected 0 before the lot"
    if t.phase == Phase.BLACK_BOAT and t.turn != t.starter:
        yield "turn: expected the start player to place the black boat"
    placed = [] if t.phase == Phase.LOT else before if t.phase == Phase.BOATS else range(t.players)
    for place, boat in enumerate(t.boats):
        due = place in placed if place < BLACK else t.phase == Phase.CREW
        if (boat.at == At.SEA) != due:
            yield f"boats.{COLOURS[place]}.at: expected {'sea' if due else 'aside'} in the phase {PHASES[t.phase]}"
    waiting = [sum(t.unseated[seat]) for seat in (*before, t.turn, *after)]
    most = waiting[len(before)]
    if t.phase == Phase.CREW and waiting != [most - 1] * len(before) + [max(most, 1)] * (1 + len(after)):
        yield "unseated: expected men to be seated in turn from the start player"
    if t.phase < Phase.CREW and any(crew_size(boat) for boat in t.boats):
        yield "boats: expected no men aboard before every boat is on the board"


def _on_the_board(t: Table) -> Iterator[str]:
    if any(boat.at == At.ASIDE for boat in (*t.boats[: t.players], t.boats[BLACK])):
        yield "boats: expected every boat on the board once men are seated"
    if any(map(sum, t.unseated)):
        yield "unseated: expected every man seated before the first ballot"
    if any(boat.at == At.SEA for boat in t.boats) != (t.phase != Phase.OVER):
        yield "phase: expected over if, and only if, no boat is at sea"


# The last ballot, as far as a seat has to choose by it or the picture shows it


def _last_ballot(t: Table) -> Iterator[str]:
    ballot, choosing = t.ballot, t.phase in components.CHOICES
    if (ballot.kind > 0) != (t.ballots > 0) or (ballot.kind > 0) != any(ballot.cards[: t.players]):
        yield "ballot: expected the cards of the last ballot, or nothing before the first"
    for seat, (card, weight) in enumerate(zip(ballot.cards, ballot.weights, strict=True)):
        if (card > 0) != (weight > 0) or (card and seat >= t.players):
            yield f"ballot.weights.{seat}: expected the votes of a card that was played, found {weight}"
    if (ballot.boat > 0) != (ballot.kind == BallotKind.OVERBOARD):
        yield "ballot.boat: expected the full boat of an overboard ballot, and none otherwise"
    if choosing and ballot.kind != 1 + components.CHOICES.index(t.phase):
        yield f"ballot.kind: expected the ballot that precedes the phase {PHASES[t.phase]}"
    if (ballot.chosen > 0) != (ballot.kind > 0 and not choosing):
        yield "ballot.chosen: expected a colour once the ballot is decided, and none before"
    yield from _choice(t, choosing)


def _choice(t: Table, choosing: bool) -> Iterator[str]:
    decider, candidates, chosen = t.ballot.decider, t.ballot.candidates, t.ballot.chosen
    if not -1 <= decider < t.players or (choosing and decider != t.turn):
        yield "ballot.decider: expected the seat that has to choose, or -1 if the majority decided"
    if (decider >= 0) != (candidates > 0) or (choosing and candidates & ~eligible(t)):
        yield "ballot.candidates: expected the possible choices if a seat has to choose, and none otherwise"
    if chosen and decider >= 0 and not candidates >> (chosen - 1) & 1:
        yield "ballot.chosen: expected one of the candidates"


FAULTS = Faults(pieces=faults, history=history_faults)
