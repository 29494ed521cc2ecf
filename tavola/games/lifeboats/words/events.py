"""What happened, in sentences: derived from the tables before and after one action."""

from collections.abc import Callable, Iterator
from typing import Any

from tavola.core import Played, View
from tavola.games.lifeboats.components import (
    ASHORE,
    ASIDE,
    BLACK,
    BOARD,
    CAPTAIN,
    CREW,
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
    PLACE,
    PLACE_BLACK,
    SAILOR,
    SEA,
    SUNK,
)
from tavola.games.lifeboats.words.phrases import (
    BY_CAPTAIN,
    BY_CAPTAINS,
    BY_TIE,
    COLOUR,
    POINTS,
    THE_ISLAND,
    aboard,
    capital,
    captains_in,
    colours,
    has_seat,
    island_of,
    members_of,
    men_in,
    names_of,
    reason_of,
    seats_behind,
    the_boat,
    votes_told,
    winners_told,
)
from tavola.show.speech import Say, mark

SEATED = (mark("{name} seats an officer {aboard}."), mark("{name} seats a sailor {aboard}."))
LEFT = (mark("{name} takes an officer out: he leaves {boat}."), mark("{name} takes a sailor out: he leaves {boat}."))
BOARDED = (mark("{name} brings an officer {aboard}."), mark("{name} brings a sailor {aboard}."))
BOARDED_SINKING = (
    mark("{name} brings an officer aboard a sinking boat."),
    mark("{name} brings a sailor aboard a sinking boat."),
)
LOST = (
    mark("No other boat has a free seat: {name} loses an officer."),
    mark("No other boat has a free seat: {name} loses a sailor."),
)
THROWN = (
    mark("{name} loses an officer overboard; the leak takes his seat {aboard} (men {men}, leaks {leaks})."),
    mark("{name} loses a sailor overboard; the leak takes his seat {aboard} (men {men}, leaks {leaks})."),
)
CHOSEN = {
    LEAK_CHOICE: mark("{name} chooses {boat} for the leak."),
    OVERBOARD_CHOICE: mark("{name} chooses {colour}."),
    MOVE_CHOICE: mark("{name} chooses {boat} for the move."),
}


def events(before: View, after: View, played: Played | None, say: Say) -> list[str]:
    """What happened between two views one action apart, in the order in which it happened."""
    b, a = before.table, after.table
    told = list(_EVENTS[b.phase](b, a, say)) if b.phase in _EVENTS else []
    if a.boats != b.boats:
        told += _sinkings(b, a, say)
    if b.phase in (MOVE, MOVE_CHOICE) and a.phase in (LEAVE, LEAK):
        told += _change_opens(b, a, say)
    if a.rounds > b.rounds:
        told.append(_round(a, say))
    if a.phase == OVER != b.phase:
        told.append(winners_told(after, say))
    return told


def _lot(b: Any, a: Any, say: Say) -> Iterator[str]:
    if a.phase != LOT:
        yield say("The lot falls on {name}, the first start player.", name=say.name(a.starter))


def _placed(b: Any, a: Any, say: Say) -> Iterator[str]:
    for place, boat in enumerate(a.boats):
        if boat.at == SEA and b.boats[place].at == ASIDE:
            parts = {"boat": the_boat(place, say), "island": say(THE_ISLAND[island_of(a, boat.lane)])}
            yield say(
                "{name} places {boat} in lane {lane}, to {island}.", name=say.name(b.turn), lane=boat.lane, **parts
            )


def _seated(b: Any, a: Any, say: Say) -> Iterator[str]:
    for rank in (OFFICER, SAILOR):
        if a.unseated[b.turn][rank] < b.unseated[b.turn][rank]:
            boat = next(p for p, boat in enumerate(a.boats) if boat.crew != b.boats[p].crew)
            yield say(SEATED[rank], name=say.name(b.turn), aboard=aboard(boat, say))


def _voted(b: Any, a: Any, say: Say) -> Iterator[str]:
    if a.ballots == b.ballots:
        for seat in members_of(a.voted & ~b.voted):
            yield say("{name} has voted.", name=say.name(seat))
        return
    yield say("The cards are revealed: {votes}.", votes=votes_told(a.ballot, say))
    yield from _counted(a, say)
    if a.phase == b.phase + 1:
        yield _who_decides(a, say)
    else:
        yield from _settled(b, a, say)


def _counted(a: Any, say: Say) -> Iterator[str]:
    """R11 to R14: what the captains do, and the count where it comes to one."""
    captains, reason = captains_in(a.ballot), reason_of(a.ballot)
    if reason == BY_TIE and captains:
        yield say("The captains of {names} cancel each other and are spent.", names=names_of(captains, say))
    if reason == BY_TIE:
        votes = [0] * (BLACK + 1)
        for card, weight in zip(a.ballot.cards, a.ballot.weights, strict=True):
            if 0 < card < CAPTAIN:
                votes[card - 1] += weight
        most_first = sorted((colour for colour in range(BLACK + 1) if votes[colour]), key=lambda c: -votes[c])
        counts = [say("{colour} {votes}", colour=say(COLOUR[c]), votes=votes[c]) for c in most_first]
        yield say("The count: {counts}.", counts=say.listing(counts))


def _who_decides(a: Any, say: Say) -> str:
    name, reason = say.name(a.ballot.decider), reason_of(a.ballot)
    if reason == BY_CAPTAIN:
        return say.many(
            "Only {name} played a captain, decides alone, and has {count} captain left.",
            "Only {name} played a captain, decides alone, and has {count} captains left.",
            a.captains[a.ballot.decider],
            name=name,
        )
    if reason == BY_CAPTAINS:
        return say("Every card is a captain, all are spent: {name}, the start player, decides.", name=name)
    tied = colours(members_of(a.ballot.candidates), say)
    return say("A tie between {colours}: {name}, the start player, must choose.", colours=tied, name=name)


def _chosen(b: Any, a: Any, say: Say) -> Iterator[str]:
    colour = a.ballot.chosen - 1
    parts = {"colour": say(COLOUR[colour]), "boat": the_boat(colour, say)}
    yield say(CHOSEN[b.phase], name=say.name(b.turn), **parts)
    yield from _settled(b, a, say)


def _settled(b: Any, a: Any, say: Say) -> Iterator[str]:
    """What the ballot chose happens; `b` is the table right before."""
    chosen = a.ballot.chosen - 1
    if b.phase in (OVERBOARD, OVERBOARD_CHOICE):
        yield _thrown(b, chosen, say)
    elif b.phase in (MOVE, MOVE_CHOICE):
        yield from _moved(b, a, chosen, say)
    elif a.phase == OVERBOARD:
        yield _full(a, say)
    else:
        boat = b.boats[chosen]
        counts = {"men": men_in(boat), "leaks": boat.leaks + 1}
        yield capital(say("{boat} takes a leak (men {men}, leaks {leaks}).", boat=the_boat(chosen, say), **counts))


def _full(a: Any, say: Say) -> str:
    voters, boat = names_of(members_of(a.voters), say), the_boat(a.target - 1, say)
    if a.voters & (a.voters - 1):
        return capital(say("{boat} is full: {names} vote who goes overboard.", boat=boat, names=voters))
    return capital(say("{boat} is full: {names} alone votes who goes overboard.", boat=boat, names=voters))


def _thrown(b: Any, seat: int, say: Say) -> str:
    boat = b.boats[b.target - 1]
    rank = SAILOR if boat.crew[seat][SAILOR] else OFFICER
    counts = {"men": men_in(boat) - 1, "leaks": boat.leaks + 1}
    return say(THROWN[rank], name=say.name(seat), aboard=aboard(b.target - 1, say), **counts)


def _moved(b: Any, a: Any, boat: int, say: Say) -> Iterator[str]:
    moved = a.boats[boat]
    if moved.at != ASHORE:
        yield capital(
            say.many(
                "{boat} moves: {count} move to go.",
                "{boat} moves: {count} moves to go.",
                a.moves - moved.row,
                boat=the_boat(boat, say),
            )
        )
        return
    island = island_of(a, moved.lane)
    parts = {"boat": the_boat(boat, say), "island": say(THE_ISLAND[island]), "number": moved.arrival}
    yield capital(say("{boat} reaches {island} as number {number}.", **parts))
    yield _saved(b.boats[boat], POINTS[island], say)


def _saved(boat: Any, points: list[int], say: Say) -> str:
    ashore = [
        say.many(
            "{name} {count} point", "{name} {count} points", sum(map(int.__mul__, crew, points)), name=say.name(seat)
        )
        for seat, crew in enumerate(boat.crew)
        if any(crew)
    ]
    return say("Saved: {points}.", points=say.listing(ashore)) if ashore else say("Nobody was aboard.")


def _left(b: Any, a: Any, say: Say) -> Iterator[str]:
    seat = b.turn
    rank, boat = a.behind_rank[seat], _boat_left(b, a)
    yield say(LEFT[rank], name=say.name(seat), boat=the_boat(boat, say))
    yield from _blocked(b, a.turn if a.phase == LEAVE else b.starter, say)
    yield from _drowned(b, a, [*seats_behind(b), seat], say)


def _boat_left(b: Any, a: Any) -> int:
    """Where a man was taken out; who drowned at once was the only one to leave, and no other boat has changed."""
    if a.behind[b.turn]:
        return int(a.behind[b.turn] - 1)
    return next(place for place, boat in enumerate(a.boats) if boat.crew != b.boats[place].crew)


def _blocked(b: Any, end: int, say: Say) -> Iterator[str]:
    """R27: the seats passed over between the one that left and `end`, as far as they still have men at sea."""
    seat = (b.turn + 1) % b.players
    while seat != end:
        if any(any(boat.crew[seat]) for boat in b.boats):
            yield say(
                "{name} has nobody who may leave: a man has already left each of their boats.", name=say.name(seat)
            )
        seat = (seat + 1) % b.players


def _drowned(b: Any, a: Any, behind: list[int], say: Say) -> Iterator[str]:
    """R29."""
    for seat in behind:
        if not a.behind[seat]:
            yield say(LOST[a.behind_rank[seat]], name=say.name(seat))


def _boarded(b: Any, a: Any, say: Say) -> Iterator[str]:
    rank, boat = b.behind_rank[b.turn], _boat_boarded(b, a)
    if boat is None:
        yield say(BOARDED_SINKING[rank], name=say.name(b.turn))
    else:
        yield say(BOARDED[rank], name=say.name(b.turn), aboard=aboard(boat, say))
    yield from _drowned(b, a, [seat for seat in seats_behind(b) if seat != b.turn], say)


def _boat_boarded(b: Any, a: Any) -> int | None:
    """Where a man went. If it sinks in the same moment as another, the table does not tell which it was: None."""
    seat, rank = b.turn, b.behind_rank[b.turn]
    for place, boat in enumerate(a.boats):
        if boat.crew[seat][rank] > b.boats[place].crew[seat][rank]:
            return place
    sunk = [p for p in _sunk(b, a) if p + 1 != b.behind[seat] and has_seat(b, p)]
    possible = [p for p in sunk if b.boats[p].leaks > men_in(b.boats[p]) + 1]
    return possible[0] if len(possible) == 1 else None


def _sunk(b: Any, a: Any) -> list[int]:
    """The boats that sank between two tables."""
    return [place for place, boat in enumerate(a.boats) if boat.at == SUNK and b.boats[place].at == SEA]


def _sinkings(b: Any, a: Any, say: Say) -> Iterator[str]:
    """R22."""
    for place in _sunk(b, a):
        crew = _crew_at_the_end(b, a, place)
        men = [
            say.many("{name} {count} man", "{name} {count} men", count, name=say.name(seat))
            for seat, count in enumerate(crew)
            if count
        ]
        boat = the_boat(place, say)
        if men:
            yield capital(say("{boat} sinks with all aboard: {men}.", boat=boat, men=say.listing(men)))
        else:
            yield capital(say("{boat} sinks; nobody was aboard.", boat=boat))


def _crew_at_the_end(b: Any, a: Any, place: int) -> list[int]:
    """How many men of each seat sat in a boat when it sank: those of `b`, and what the action changed."""
    crew = [sum(men) for men in b.boats[place].crew]
    if b.target == place + 1 and b.phase in (OVERBOARD, OVERBOARD_CHOICE):
        crew[a.ballot.chosen - 1] -= 1
    if b.phase == LEAVE and _boat_left(b, a) == place:
        crew[b.turn] -= 1
    if b.phase == BOARD and _boat_boarded(b, a) == place:
        crew[b.turn] += 1
    return crew


def _change_opens(b: Any, a: Any, say: Say) -> Iterator[str]:
    """Why nobody changes boats, when nobody does."""
    if a.phase != LEAVE:
        if any(map(men_in, a.boats)):
            yield say("One boat is left at sea: nobody changes boats.")
        else:
            yield say("There is no man at sea: nobody changes boats.")


def _round(a: Any, say: Say) -> str:
    if a.rounds == 1:
        return say("All are aboard. Round 1 begins: {name} is the start player.", name=say.name(a.starter))
    return say("Round {round} begins: the marker passes to {name}.", round=a.rounds, name=say.name(a.starter))


_EVENTS: dict[int, Callable[[Any, Any, Say], Iterator[str]]] = {
    LOT: _lot,
    PLACE: _placed,
    PLACE_BLACK: _placed,
    CREW: _seated,
    LEAK: _voted,
    OVERBOARD: _voted,
    MOVE: _voted,
    LEAK_CHOICE: _chosen,
    OVERBOARD_CHOICE: _chosen,
    MOVE_CHOICE: _chosen,
    LEAVE: _left,
    BOARD: _boarded,
}
