"""What happened, in sentences: from the action where all heard it, and from the tables before and after it."""

from collections.abc import Callable, Iterator

from tavola.core import Played
from tavola.games.lifeboats.components import (
    ASHORE,
    BLACK,
    CAPTAIN,
    LEAK,
    LEAK_CHOICE,
    LEAVE,
    MOVE,
    MOVE_CHOICE,
    OVER,
    OVERBOARD,
    OVERBOARD_CHOICE,
    PLACE_BLACK,
    SAILOR,
    SEA,
    SUNK,
    Boat,
    Seen,
    Table,
)
from tavola.games.lifeboats.words.vocabulary import (
    BOAT,
    BY_CAPTAIN,
    BY_CAPTAINS,
    BY_TIE,
    COLOUR,
    ISLAND,
    MAN,
    POINTS,
    captains_in,
    colours,
    island_of,
    men_in,
    reason_of,
    seats_behind,
    votes_told,
    winners_told,
)
from tavola.show.speech import Say, mark
from tavola.show.words import members_of, names_of

CHOSEN = {
    LEAK_CHOICE: mark("{name} chooses {boat} for the leak."),
    OVERBOARD_CHOICE: mark("{name} chooses {boat:colour}."),
    MOVE_CHOICE: mark("{name} chooses {boat} for the move."),
}


def events(before: Seen, after: Seen, played: Played | None, say: Say) -> list[str]:
    """What happened between two views one action apart, in the order in which it happened; a single vote is no news."""
    b, a = before.table, after.table
    told: list[str] = []
    if a.ballots > b.ballots:
        told += _revealed(b, a, say)
    elif played and played.verb in _EVENTS:
        told += _EVENTS[played.verb](b, a, played, say)
    if a.boats != b.boats:
        told += _sinkings(b, a, played, say)
    if b.phase in (MOVE, MOVE_CHOICE) and a.phase == LEAK:
        told.append(_nobody_changes(a, say))
    if a.rounds > b.rounds:
        told.append(_round(a, say))
    if a.phase == OVER != b.phase:
        told.append(winners_told(after, say))
    return told


def _started(b: Table, a: Table, played: Played, say: Say) -> Iterator[str]:
    yield say("The lot falls on {name}, the first start player.", name=say.name(played.places[0]))


def _placed(b: Table, a: Table, played: Played, say: Say) -> Iterator[str]:
    lane = played.places[0] + 1
    boat = BOAT(BLACK if b.phase == PLACE_BLACK else played.seat, say)
    parts = {"name": say.name(played.seat), "boat": boat, "island": ISLAND(island_of(a, lane), say)}
    yield say("{name} places {boat} in lane {lane}, to {island}.", lane=lane, **parts)


def _man(played: Played, say: Say) -> dict[str, object]:
    """Who, which man and which boat, of an action with a rank and a boat."""
    rank, boat = played.places
    return {"name": say.name(played.seat), "man": MAN(rank, say), "boat": BOAT(boat, say)}


def _seated(b: Table, a: Table, played: Played, say: Say) -> Iterator[str]:
    yield say("{name} seats {man} {boat:aboard}.", **_man(played, say))


# Ballots


def _revealed(b: Table, a: Table, say: Say) -> Iterator[str]:
    yield say("The cards are revealed: {votes}.", votes=votes_told(a.ballot, say))
    yield from _counted(a, say)
    if a.phase == b.phase + 1:
        yield _who_decides(a, say)
    else:
        yield from _settled(b, a, say)


def _counted(a: Table, say: Say) -> Iterator[str]:
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


def _who_decides(a: Table, say: Say) -> str:
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


def _chosen(b: Table, a: Table, played: Played, say: Say) -> Iterator[str]:
    yield say(CHOSEN[b.phase], name=say.name(played.seat), boat=BOAT(played.places[0], say))
    yield from _settled(b, a, say)


def _settled(b: Table, a: Table, say: Say) -> Iterator[str]:
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
        yield say("{boat:The} takes a leak (men {men}, leaks {leaks}).", boat=BOAT(chosen, say), **counts)


def _full(a: Table, say: Say) -> str:
    parts = {"names": names_of(members_of(a.voters), say), "boat": BOAT(a.target - 1, say)}
    if a.voters & (a.voters - 1):
        return say("{boat:The} is full: {names} vote who goes overboard. Officers count twice.", **parts)
    return say("{boat:The} is full: {names} alone votes who goes overboard.", **parts)


def _thrown(b: Table, seat: int, say: Say) -> str:
    boat = b.boats[b.target - 1]
    man = MAN(SAILOR if boat.crew[seat][SAILOR] else 0, say)
    return say(
        "{name} loses {man} overboard; the leak takes his seat {boat:aboard} (men {men}, leaks {leaks}).",
        name=say.name(seat),
        man=man,
        boat=BOAT(b.target - 1, say),
        men=men_in(boat) - 1,
        leaks=boat.leaks + 1,
    )


def _moved(b: Table, a: Table, place: int, say: Say) -> Iterator[str]:
    moved, boat = a.boats[place], BOAT(place, say)
    if moved.at != ASHORE:
        to_go = a.moves - moved.row
        yield say.many(
            "{boat:The} moves: {count} move to go.", "{boat:The} moves: {count} moves to go.", to_go, boat=boat
        )
        return
    island = island_of(a, moved.lane)
    parts = {"boat": boat, "island": ISLAND(island, say), "number": moved.arrival}
    yield say("{boat:The} reaches {island} as number {number}.", **parts)
    yield _saved(b.boats[place], POINTS[island], say)


def _saved(boat: Boat, points: list[int], say: Say) -> str:
    ashore = [
        say.many("{name} {count} point", "{name} {count} points", sum(map(int.__mul__, crew, points)), name=say.name(p))
        for p, crew in enumerate(boat.crew)
        if any(crew)
    ]
    return say("Saved: {points}.", points=say.listing(ashore)) if ashore else say("Nobody was aboard.")


# Men who change boats


def _left(b: Table, a: Table, played: Played, say: Say) -> Iterator[str]:
    yield say("{name} takes {man} out: he leaves {boat}.", **_man(played, say))
    yield from _blocked(b, a.turn if a.phase == LEAVE else b.starter, say)
    yield from _drowned(a, [*seats_behind(b), played.seat], say)


def _blocked(b: Table, end: int, say: Say) -> Iterator[str]:
    """R27: the seats passed over between the one that left and `end`, as far as they still have men at sea."""
    seat = (b.turn + 1) % b.players
    while seat != end:
        if any(any(boat.crew[seat]) for boat in b.boats):
            name = say.name(seat)
            yield say("{name} has nobody who may leave: a man has already left each of their boats.", name=name)
        seat = (seat + 1) % b.players


def _drowned(a: Table, behind: list[int], say: Say) -> Iterator[str]:
    """R29."""
    for seat in behind:
        if not a.behind[seat]:
            man = MAN(a.behind_rank[seat], say)
            yield say("No other boat has a free seat: {name} loses {man}.", name=say.name(seat), man=man)


def _boarded(b: Table, a: Table, played: Played, say: Say) -> Iterator[str]:
    man = MAN(b.behind_rank[played.seat], say)
    boat = BOAT(played.places[0], say)
    yield say("{name} brings {man} {boat:aboard}.", name=say.name(played.seat), man=man, boat=boat)
    yield from _drowned(a, [seat for seat in seats_behind(b) if seat != played.seat], say)


_EVENTS: dict[str, Callable[[Table, Table, Played, Say], Iterator[str]]] = {
    "start": _started,
    "lane": _placed,
    "crew": _seated,
    "choose": _chosen,
    "leave": _left,
    "board": _boarded,
}


# The end of a phase


def _sinkings(b: Table, a: Table, played: Played | None, say: Say) -> Iterator[str]:
    """R22."""
    for place, boat in enumerate(a.boats):
        if boat.at != SUNK or b.boats[place].at != SEA:
            continue
        men = [
            say.many("{name} {count} man", "{name} {count} men", count, name=say.name(seat))
            for seat, count in enumerate(_crew_at_the_end(b, a, place, played))
            if count
        ]
        if men:
            yield say("{boat:The} sinks with all aboard: {men}.", boat=BOAT(place, say), men=say.listing(men))
        else:
            yield say("{boat:The} sinks; nobody was aboard.", boat=BOAT(place, say))


def _crew_at_the_end(b: Table, a: Table, place: int, played: Played | None) -> list[int]:
    """How many men of each seat sat in a boat when it sank: those of `b`, and what the action changed."""
    crew = [sum(men) for men in b.boats[place].crew]
    if b.target == place + 1 and b.phase in (OVERBOARD, OVERBOARD_CHOICE):
        crew[a.ballot.chosen - 1] -= 1
    if played and played.verb in ("leave", "board") and played.places[-1] == place:
        crew[played.seat] += 1 if played.verb == "board" else -1
    return crew


def _nobody_changes(a: Table, say: Say) -> str:
    """Why nobody changes boats, when nobody does."""
    if any(map(men_in, a.boats)):
        return say("One boat is left at sea: nobody changes boats.")
    return say("There is no man at sea: nobody changes boats.")


def _round(a: Table, say: Say) -> str:
    if a.rounds == 1:
        return say("All are aboard. Round 1 begins: {name} is the start player.", name=say.name(a.starter))
    return say("Round {round} begins: the marker passes to {name}.", round=a.rounds, name=say.name(a.starter))
