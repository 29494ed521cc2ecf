"""What is impossible about the pieces of Lifeboats, in words: for position documents, and for tests at every step.

A state has a fault when no match can reach it as far as its pieces, its counts and its last ballot tell.
"""

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
    FIRST_LANES,
    ISLANDS,
    LEAK,
    LEAK_CHOICE,
    LEAVE,
    LOT,
    MOVE,
    MOVE_CHOICE,
    OFFICER,
    OVER,
    OVERBOARD,
    OVERBOARD_CHOICE,
    PHASES,
    PLACE,
    PLACE_BLACK,
    RANKS,
    SAILOR,
    SEA,
    SUNK,
)

BALLOTS = (LEAK, OVERBOARD, MOVE)
CHOICES = (LEAK_CHOICE, OVERBOARD_CHOICE, MOVE_CHOICE)
NO_BALLOT, LEAK_BALLOT, OVERBOARD_BALLOT, MOVE_BALLOT = range(4)
LAST_KINDS = {
    LEAK: (MOVE_BALLOT,),
    LEAK_CHOICE: (LEAK_BALLOT,),
    OVERBOARD: (LEAK_BALLOT,),
    OVERBOARD_CHOICE: (OVERBOARD_BALLOT,),
    MOVE: (LEAK_BALLOT, OVERBOARD_BALLOT),
    MOVE_CHOICE: (MOVE_BALLOT,),
    LEAVE: (MOVE_BALLOT,),
    BOARD: (MOVE_BALLOT,),
    OVER: (LEAK_BALLOT, OVERBOARD_BALLOT, MOVE_BALLOT),
}
"""Which ballot may have been the last, by phase."""


def faults(state: Any) -> list[str]:
    """Every fault of a state given in named tuples; a state that a match can reach has none."""
    table = state.table
    parts = (_men(table), _boats(table), _lanes(table), _seats(table), _voting(table, state.hand), _changing(table))
    # What is on the board comes first: how it got there can only be told of pieces that are possible.
    return [fault for part in parts for fault in part] or list(_placing(table) if table.phase <= CREW else _past(table))


def men(boat: Any) -> int:
    """How many sit in a boat."""
    return sum(map(sum, boat.crew))


def _men(t: Any) -> Iterator[str]:
    for seat in range(len(t.unseated)):
        for rank, due in enumerate((2, 5 if t.players <= 4 else 4) if seat < t.players else (0, 0)):
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
        if men(boat) + boat.leaks > t.seats:
            yield f"{name}: expected at most {t.seats} men and leaks together, found {men(boat) + boat.leaks}"
        if not _row_fits(t, boat):
            yield f"{name}.row: expected {t.moves} for a boat ashore, 0 aside, less than {t.moves} elsewhere"
        if boat.leaks > men(boat) + (1 if t.phase == BOARD or place + 1 in t.behind else 0):
            yield f"{name}.leaks: expected no more leaks than men, it would have sunk"
        if (boat.at == ASHORE) != (boat.arrival > 0):
            yield f"{name}.arrival: expected a number for a boat ashore and none for another"


def _row_fits(t: Any, boat: Any) -> bool:
    if boat.at == ASHORE:
        return bool(boat.row == t.moves)
    return bool(boat.row == 0 if boat.at == ASIDE else boat.row < t.moves)


def _lanes(t: Any) -> Iterator[str]:
    lanes = [boat.lane for boat in t.boats if boat.lane]
    if len(set(lanes)) < len(lanes):
        yield "boats: expected a lane for each boat alone"
    for place, boat in enumerate(t.boats):
        if (boat.lane == 0) != (boat.at == ASIDE):
            yield f"boats.{COLOURS[place]}.lane: expected a lane for a boat on the board and none aside"
    if sorted(boat.arrival for boat in t.boats if boat.arrival) != list(range(1, t.arrived + 1)):
        yield f"arrived: expected the arrivals 1 to {t.arrived}, each once"
    landed = [_island(t, boat.lane) for boat in t.boats if boat.at == ASHORE]
    for island, name in enumerate(ISLANDS):
        most = t.seats * landed.count(island)
        if sum(sum(seat[island]) for seat in t.ashore) > most:
            yield f"ashore: expected at most {most} men on the {name} island, as many as its boats carry"


def _island(t: Any, lane: int) -> int:
    return sum(lane >= int(first) for first in FIRST_LANES[t.islands])


def _seats(t: Any) -> Iterator[str]:
    for name in ("starter", "turn"):
        if getattr(t, name) >= t.players:
            yield f"{name}: expected a seat from 0 to {t.players - 1}"
    for seat in range(t.players, len(t.captains)):
        if t.captains[seat] or t.behind_rank[seat]:
            yield f"captains.{seat}: expected nothing for a seat that is not at the table"


# Ballots


def _voting(t: Any, hands: Any) -> Iterator[str]:
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
        if 0 < hand.card < CAPTAIN and not eligible(t) >> hand.card - 1 & 1:
            yield f"hands.{seat}.card: expected a colour that may be voted for"
    yield from _overboard(t)


def eligible(t: Any) -> int:
    """What may be voted for now, a bit mask: colours aboard the full boat if there is one, else the boats at sea."""
    if t.target:
        return sum(1 << seat for seat in range(t.players) if any(t.boats[t.target - 1].crew[seat]))
    return sum(1 << place for place, boat in enumerate(t.boats) if boat.at == SEA)


def _overboard(t: Any) -> Iterator[str]:
    if (t.target > 0) != (t.phase in (OVERBOARD, OVERBOARD_CHOICE)):
        yield "target: expected a boat in an overboard ballot and none elsewhere"
    elif t.target:
        boat = t.boats[t.target - 1]
        if boat.at != SEA or men(boat) + boat.leaks < t.seats:
            yield "target: expected a full boat at sea"
        if t.phase == OVERBOARD and t.voters != eligible(t):
            yield "voters: expected the seats with a man aboard the target"


# The third phase


def _changing(t: Any) -> Iterator[str]:
    left = [boat for boat in t.behind if boat]
    if left and t.phase not in (LEAVE, BOARD):
        yield "behind: expected nobody behind a boat outside the third phase"
    if len(set(left)) < len(left) or any(t.boats[boat - 1].at != SEA for boat in left):
        yield "behind: expected at most one man behind each boat at sea"
    if t.phase in (LEAVE, BOARD) and t.last_boat_stays and sum(boat.at == SEA for boat in t.boats) == 1:
        yield "phase: expected no third phase with one boat at sea, last_boat_stays is on"
    if t.phase == LEAVE:
        yield from _leaving(t)
    if t.phase == BOARD:
        yield from _boarding(t)


def _order(t: Any) -> tuple[list[int], list[int]]:
    """The seats before the one whose turn it is and those after it, clockwise from the start player."""
    order = [(t.starter + k) % t.players for k in range(t.players)]
    place = order.index(t.turn) if t.turn in order else 0
    return order[:place], order[place + 1 :]


def _able(t: Any, seat: int) -> bool:
    """Whether a seat has a man in a boat that nobody has left."""
    return any(any(boat.crew[seat]) for place, boat in enumerate(t.boats) if place + 1 not in t.behind)


def _leaving(t: Any) -> Iterator[str]:
    before, after = _order(t)
    if t.behind[t.turn] or not _able(t, t.turn):
        yield "turn: expected a seat that can still leave a boat"
    if any(t.behind[seat] for seat in after):
        yield "behind: expected nobody of a seat whose turn is still to come"
    if any(not t.behind[seat] and _able(t, seat) for seat in before):
        yield "behind: expected a man of each seat that could leave a boat"
    if any(t.boats[boat - 1].leaks + men(t.boats[boat - 1]) >= t.seats for boat in t.behind if boat):
        yield "behind: expected the seat he left to be free"


def _boarding(t: Any) -> Iterator[str]:
    _, after = _order(t)
    free = [t.seats - men(boat) - boat.leaks if boat.at == SEA else 0 for boat in t.boats]
    left = [boat - 1 for boat in t.behind if boat]
    if not t.behind[t.turn] or sum(free) == free[t.behind[t.turn] - 1]:
        yield "turn: expected a seat with a man behind a boat, and a free seat in another boat"
    if any(t.behind[seat] for seat in after):
        yield "behind: expected nobody of a seat whose turn is over"
    # Each man who left freed a seat, and each who boarded took one.
    if any(sum(free) - free[boat] < len(left) - 1 for boat in left):
        yield "behind: expected a free seat for each man but the first to have left"


# Before the first round


def _placing(t: Any) -> Iterator[str]:
    counts = (t.rounds, t.ballots, t.arrived, *(boat.row + boat.leaks for boat in t.boats), *map(sum, t.lost))
    if any(counts) or any(t.captains[seat] != 3 for seat in range(t.players)):
        yield "rounds: expected no round, ballot, move, leak or loss, and all captains, before the men are seated"
    yield from _no_ballot(t)
    before, after = _order(t)
    if t.phase == LOT and (t.starter or t.turn):
        yield "starter: expected 0 before the lot"
    if t.phase == PLACE_BLACK and t.turn != t.starter:
        yield "turn: expected the start player to place the black boat"
    placed = {LOT: [], PLACE: before}.get(t.phase, range(t.players))
    for place, boat in enumerate(t.boats):
        due = place in placed if place < BLACK else t.phase == CREW
        if (boat.at == SEA) != due:
            yield f"boats.{COLOURS[place]}.at: expected {'sea' if due else 'aside'} in the phase {PHASES[t.phase]}"
    waiting = [sum(t.unseated[seat]) for seat in (*before, t.turn, *after)]
    most = waiting[len(before)]
    if t.phase == CREW and waiting != [most - 1] * len(before) + [max(most, 1)] * (1 + len(after)):
        yield "unseated: expected men to be seated in turn from the start player"
    if t.phase < CREW and any(men(boat) for boat in t.boats):
        yield "boats: expected nobody aboard before every boat is on the board"


def _no_ballot(t: Any) -> Iterator[str]:
    blank = t.ballot.kind or t.ballot.boat or t.ballot.candidates or t.ballot.chosen or t.ballot.decider != -1
    if blank or any(t.ballot.cards) or any(t.ballot.weights):
        yield "ballot: expected nothing before the first ballot"


# Rounds, and what they left behind


def _past(t: Any) -> Iterator[str]:
    yield from _on_the_board(t)
    yield from _counts(t)
    if not t.ballots:
        yield from _no_ballot(t)
    else:
        yield from _last_ballot(t)


def _on_the_board(t: Any) -> Iterator[str]:
    if any(boat.at == ASIDE for boat in (*t.boats[: t.players], t.boats[BLACK])):
        yield "boats: expected every boat on the board once men are seated"
    if any(map(sum, t.unseated)):
        yield "unseated: expected every man seated before the first ballot"
    if any(boat.at == SEA for boat in t.boats) != (t.phase != OVER):
        yield "phase: expected over when no boat is at sea, and only then"


def _counts(t: Any) -> Iterator[str]:
    """Every round has a leak and a move, each after its ballot; a full boat has one more ballot, which loses a man."""
    moved = sum(boat.row for boat in t.boats)
    moves = moved if t.phase == OVER else t.rounds - (t.phase < LEAVE)
    if moved != moves or not t.rounds - 1 <= moves <= t.rounds:
        yield f"rounds: expected a move for each round that is over, found {moved} moves in round {t.rounds}"
    leaks, leak_ballots = t.rounds - (t.phase < MOVE), t.rounds - (t.phase == LEAK)
    overboard = t.ballots - leak_ballots - moves - (t.phase == MOVE_CHOICE)
    losses = overboard - (t.phase == OVERBOARD_CHOICE)
    if not 0 <= losses <= leaks or overboard < 0:
        yield f"ballots: expected 2 or 3 for each round that is over, found {t.ballots} in round {t.rounds}"
    yield from _leaks(t, leaks)
    yield from _losses(t, losses, leaks)
    if any(3 - t.captains[seat] > t.ballots for seat in range(t.players)):
        yield "captains: expected at most one spent in each ballot"


def _leaks(t: Any, leaks: int) -> Iterator[str]:
    afloat = sum(boat.leaks for boat in t.boats)
    sunk = sum(boat.at == SUNK for boat in t.boats)
    if afloat + sunk > leaks or (afloat < leaks and not sunk and not t.arrived):
        yield f"boats: expected a leak for each first phase that is over, {leaks}, found {afloat} and {sunk} boats sunk"


def _losses(t: Any, overboard: int, leaks: int) -> Iterator[str]:
    """Men go overboard; one drowns in a third phase at most; fewer than its leaks sink with a boat."""
    lost = sum(map(sum, t.lost))
    sunk = sum(boat.at == SUNK for boat in t.boats)
    drowned = t.rounds - (t.phase != OVER)
    aboard = leaks - sunk - sum(boat.leaks for boat in t.boats) if sunk else 0
    if not overboard <= lost <= overboard + drowned + aboard:
        yield f"lost: expected {overboard} to {overboard + drowned + aboard} men in all, found {lost}"


# The last ballot


def _last_ballot(t: Any) -> Iterator[str]:
    parts = (_kind(t), _cards(t), _choice(t), _effect(t))
    for part in parts:
        found = list(part)
        yield from found
        if found:  # each part takes the one before it for granted
            return


def _kind(t: Any) -> Iterator[str]:
    ballot = t.ballot
    if ballot.kind not in LAST_KINDS[t.phase]:
        yield f"ballot.kind: expected the ballot that comes before the phase {PHASES[t.phase]}"
    moved = sum(boat.row for boat in t.boats)
    if t.phase == OVER and (ballot.kind == MOVE_BALLOT) != (moved == t.rounds):
        yield "ballot.kind: expected move if the last round had its move, else another"
    if (ballot.boat > 0) != (ballot.kind == OVERBOARD_BALLOT):
        yield "ballot.boat: expected the full boat of an overboard ballot, and none in another"
    if t.phase == OVERBOARD_CHOICE and ballot.boat != t.target:
        yield "ballot.boat: expected the target"


def _cards(t: Any) -> Iterator[str]:
    ballot = t.ballot
    for seat, (card, weight) in enumerate(zip(ballot.cards, ballot.weights, strict=True)):
        most = 0 if seat >= t.players or not card else _most_votes(t, seat)
        if not (1 if most else 0) <= weight <= most:
            yield f"ballot.weights.{seat}: expected the votes of a card that was played, found {weight}"
        if not card and seat < t.players and ballot.kind != OVERBOARD_BALLOT:
            yield f"ballot.cards.{seat}: expected a card, everybody votes"
        if card == CAPTAIN and t.captains[seat] == 3:
            yield f"captains.{seat}: expected at most 2, one was spent in the last ballot"
        if 0 < card < CAPTAIN and not _possible(t) >> card - 1 & 1:
            yield f"ballot.cards.{seat}: expected a colour that could be voted for"
    if not any(ballot.cards[: t.players]):
        yield "ballot.cards: expected a card"


def _most_votes(t: Any, seat: int) -> int:
    """The greatest weight of a card; exact where the crew is still the same."""
    if t.ballot.kind != OVERBOARD_BALLOT:
        return 1
    if t.phase != OVERBOARD_CHOICE:
        return 9 if t.players <= 4 else 8
    crew = t.boats[t.target - 1].crew[seat]
    return int(2 * crew[OFFICER] + crew[SAILOR])


def _possible(t: Any) -> int:
    """What could be chosen in the last ballot, as far as can still be told: a bit mask."""
    if t.ballot.kind == OVERBOARD_BALLOT:  # every colour aboard voted
        return sum(1 << seat for seat in range(t.players) if t.ballot.cards[seat])
    if t.phase in CHOICES:
        return eligible(t)
    return sum(1 << place for place, boat in enumerate(t.boats) if boat.at != ASIDE)


def _choice(t: Any) -> Iterator[str]:
    """Who had to choose, among what, and what was chosen: as the cards and the marker of that round say."""
    ballot = t.ballot
    starter = (t.starter - 1) % t.players if t.phase == LEAK else t.starter
    decider, candidates = _verdict(ballot, starter)
    if ballot.decider != decider or (t.phase in CHOICES and decider != t.turn):
        yield f"ballot.decider: expected {decider}, as the cards say, found {ballot.decider}"
    free = decider >= 0 and not candidates
    least = _least(t) if free else candidates
    most = _possible(t) if free else candidates
    given = ballot.candidates if decider >= 0 else candidates
    if least & ~given or given & ~most or not given or (decider < 0 and ballot.candidates):
        yield "ballot.candidates: expected all that could be chosen, or the tied, or none where the majority decides"
    if (ballot.chosen == 0) != (t.phase in CHOICES):
        yield "ballot.chosen: expected a colour once the ballot is decided, and none before"
    if t.phase in CHOICES and decider < 0:
        yield "phase: expected no choice where the majority decides"
    if ballot.chosen and not given >> ballot.chosen - 1 & 1:
        yield "ballot.chosen: expected one of the candidates"


def _verdict(ballot: Any, starter: int) -> tuple[int, int]:
    """Who decides (-1: the majority) and among which colours as a bit mask (0: all)."""
    captains = [seat for seat, card in enumerate(ballot.cards) if card == CAPTAIN]
    if len(captains) == 1:
        return captains[0], 0
    votes = [0] * len(COLOURS)
    for card, weight in zip(ballot.cards, ballot.weights, strict=True):
        if 0 < card < CAPTAIN:
            votes[card - 1] += weight
    if not any(votes):
        return starter, 0
    tied = sum(1 << colour for colour, count in enumerate(votes) if count == max(votes))
    return (starter if votes.count(max(votes)) > 1 else -1), tied


def _least(t: Any) -> int:
    """What could certainly be chosen in the last ballot: a bit mask."""
    if t.ballot.kind == OVERBOARD_BALLOT or t.phase in CHOICES:
        return _possible(t)
    voted = sum(1 << card - 1 for card in set(t.ballot.cards) if 0 < card < CAPTAIN)
    return int(voted) | sum(1 << place for place, boat in enumerate(t.boats) if boat.at == SEA)


def _effect(t: Any) -> Iterator[str]:
    """What the last ballot chose has happened."""
    ballot = t.ballot
    if ballot.kind == MOVE_BALLOT and ballot.chosen and not t.boats[ballot.chosen - 1].row:
        yield "ballot.chosen: expected a boat that has moved"
    if t.phase == OVERBOARD and ballot.chosen != t.target:
        yield "ballot.chosen: expected the target"
    boat = ballot.boat or ballot.chosen
    took = t.phase in (MOVE, OVER) and ballot.kind != MOVE_BALLOT
    if took and t.boats[boat - 1].at != SUNK and not t.boats[boat - 1].leaks:
        yield "ballot: expected a leak in the boat that took it, or the boat sunk"
    if took and ballot.kind == OVERBOARD_BALLOT and not sum(t.lost[ballot.chosen - 1]):
        yield "lost: expected a man of the seat that was chosen"
