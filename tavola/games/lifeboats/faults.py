"""What is impossible about the pieces of Lifeboats, in words: for position documents, and for tests at every step."""

from collections.abc import Iterator
from typing import Any

from tavola.games.lifeboats.components import (
    ASHORE,
    ASIDE,
    BLACK,
    BOARD,
    CAPTAIN,
    COLOURS,
    CREW,
    LEAK,
    LEAK_CHOICE,
    LEAVE,
    LOT,
    MOVE,
    MOVE_CHOICE,
    OVER,
    OVERBOARD,
    OVERBOARD_CHOICE,
    RANKS,
    SEA,
)

BALLOTS = (LEAK, OVERBOARD, MOVE)
CHOICES = (LEAK_CHOICE, OVERBOARD_CHOICE, MOVE_CHOICE)


def faults(state: Any) -> list[str]:
    """Every fault of a state given in named tuples; a state that a match can reach has none."""
    table = state.table
    parts = (_men(table), _boats(table), _lanes(table), _turns(table), _ballot(table, state.hand), _changing(table))
    return [fault for part in parts for fault in part]


def men(boat: Any) -> int:
    """How many sit in a boat."""
    return sum(map(sum, boat.crew))


def _men(t: Any) -> Iterator[str]:
    sailors = 5 if t.players <= 4 else 4
    for seat in range(len(t.unseated)):
        for rank, due in enumerate((2, sailors) if seat < t.players else (0, 0)):
            places = [t.unseated[seat][rank], t.lost[seat][rank], *(island[rank] for island in t.ashore[seat])]
            places += [boat.crew[seat][rank] for boat in t.boats]
            found = sum(places) + (t.behind[seat] > 0 and t.behind_rank[seat] == rank)
            if found != due:
                yield f"boats: expected {due} {RANKS[rank]}s of seat {seat} in all, found {found}"


def _boats(t: Any) -> Iterator[str]:
    for place, boat in enumerate(t.boats):
        name = f"boats.{COLOURS[place]}"
        if t.players <= place < BLACK and boat.at != ASIDE:
            yield f"{name}.at: expected aside, no seat owns it"
        if boat.at != SEA and (men(boat) or boat.leaks):
            yield f"{name}: expected no men and no leaks in a boat that is not at sea"
        if boat.at == SEA and men(boat) + boat.leaks > t.seats:
            yield f"{name}: expected at most {t.seats} men and leaks together, found {men(boat) + boat.leaks}"
        if boat.at == SEA and boat.row >= t.moves:
            yield f"{name}.row: expected less than {t.moves}, found {boat.row}"
        if boat.at == SEA and boat.leaks > men(boat) and t.phase not in (LEAVE, BOARD):
            yield f"{name}.leaks: expected no more leaks than men, it would have sunk"
        if (boat.at == ASHORE) != (boat.arrival > 0):
            yield f"{name}.arrival: expected a number for a boat ashore and none for another"


def _lanes(t: Any) -> Iterator[str]:
    lanes = [boat.lane for boat in t.boats if boat.lane]
    if len(set(lanes)) < len(lanes):
        yield "boats: expected a lane for each boat alone"
    for place, boat in enumerate(t.boats):
        if (boat.lane == 0) != (boat.at == ASIDE):
            yield f"boats.{COLOURS[place]}.lane: expected a lane for a boat on the board and none aside"
    if sorted(boat.arrival for boat in t.boats if boat.arrival) != list(range(1, t.arrived + 1)):
        yield f"arrived: expected the arrivals 1 to {t.arrived}, each once"
    at_sea = any(boat.at == SEA for boat in t.boats)
    if t.phase > CREW and at_sea != (t.phase != OVER):
        yield "phase: expected over when no boat is at sea, and only then"
    complete = all(boat.at != ASIDE for boat in (*t.boats[: t.players], t.boats[BLACK]))
    if t.phase >= CREW and not complete:
        yield "boats: expected every boat on the board once men are seated"
    if t.phase > CREW and any(map(sum, t.unseated)):
        yield "unseated: expected every man seated before the first ballot"


def _turns(t: Any) -> Iterator[str]:
    for name in ("starter", "turn"):
        if getattr(t, name) >= t.players:
            yield f"{name}: expected a seat from 0 to {t.players - 1}"
    if t.phase == LOT and any(boat.at != ASIDE for boat in t.boats):
        yield "phase: expected no boat on the board before the lot"
    if t.phase == CREW and not any(t.unseated[t.turn]):
        yield "turn: expected a seat that still has a man to seat"


def _ballot(t: Any, hands: Any) -> Iterator[str]:
    everybody = (1 << t.players) - 1
    if t.phase not in BALLOTS and (t.voters or t.voted):
        yield "voters: expected none outside a ballot"
    if t.phase in (LEAK, MOVE) and t.voters != everybody:
        yield "voters: expected every seat"
    if t.phase in BALLOTS and (t.voted & ~t.voters or t.voted == t.voters):
        yield "voted: expected some of the voters, not all"
    for seat, hand in enumerate(hands):
        if (hand.card > 0) != (t.voted >> seat & 1):
            yield f"hands.{seat}.card: expected a card where the seat has voted and none elsewhere"
        if hand.card == CAPTAIN and not t.captains[seat]:
            yield f"hands.{seat}.card: expected no captain, none is left"
        if 0 < hand.card < CAPTAIN and not _votable(t, hand.card - 1):
            yield f"hands.{seat}.card: expected a colour that may be voted for"
    yield from _overboard(t)
    if t.phase in CHOICES and (t.ballot.decider != t.turn or not t.ballot.candidates):
        yield "ballot.decider: expected the seat whose turn it is, with candidates to choose among"
    for colour in range(len(COLOURS)):
        if t.phase in CHOICES and t.ballot.candidates >> colour & 1 and not _votable(t, colour):
            yield "ballot.candidates: expected only colours that may be voted for"


def _votable(t: Any, colour: int) -> bool:
    if t.target:
        return colour < BLACK and any(t.boats[t.target - 1].crew[colour])
    return bool(t.boats[colour].at == SEA)


def _overboard(t: Any) -> Iterator[str]:
    if (t.target > 0) != (t.phase in (OVERBOARD, OVERBOARD_CHOICE)):
        yield "target: expected a boat in an overboard ballot and none elsewhere"
    elif t.target:
        boat = t.boats[t.target - 1]
        aboard = sum(1 << seat for seat in range(t.players) if any(boat.crew[seat]))
        if boat.at != SEA or men(boat) + boat.leaks < t.seats:
            yield "target: expected a full boat at sea"
        if t.phase == OVERBOARD and t.voters != aboard:
            yield "voters: expected the seats with a man aboard the target"


def _changing(t: Any) -> Iterator[str]:
    left = [boat for boat in t.behind if boat]
    if left and t.phase not in (LEAVE, BOARD):
        yield "behind: expected nobody behind a boat outside the third phase"
    if len(set(left)) < len(left) or any(t.boats[boat - 1].at != SEA for boat in left):
        yield "behind: expected at most one man behind each boat at sea"
    if t.phase == BOARD and not t.behind[t.turn]:
        yield "turn: expected a seat with a man behind a boat"
    reachable = [
        b.at == SEA and men(b) + b.leaks < t.seats and p + 1 != t.behind[t.turn] for p, b in enumerate(t.boats)
    ]
    if t.phase == BOARD and not any(reachable):
        yield "phase: expected a free seat in another boat, the man would have been lost"
    able = any(any(b.crew[t.turn]) for p, b in enumerate(t.boats) if p + 1 not in t.behind)
    if t.phase == LEAVE and (t.behind[t.turn] or not able):
        yield "turn: expected a seat that can still leave a boat"
