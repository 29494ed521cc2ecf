"""Tell what happened, in sentences: from the action where all heard it, and from the tables before and after it."""

from collections.abc import Callable, Iterator

from tavola.core import PlayedAction
from tavola.games.lifeboats.components import BLACK, OFFICER, SAILOR, At, Boat, Phase, Seen, Table
from tavola.games.lifeboats.words.nouns import (
    BOAT,
    BY_CAPTAIN,
    BY_CAPTAINS,
    BY_TIE,
    COLOUR,
    ISLAND,
    MAN,
    POINTS,
    captain_players,
    choice_reason,
    colours,
    crew_size,
    island_of,
    result_text,
    seats_behind,
    votes_text,
)
from tavola.show.speech import Say, mark
from tavola.show.words import members_of, names_of

CHOICE_EVENTS: dict[int, str] = {
    Phase.LEAK_CHOICE: mark("{name} chooses {boat} for the leak."),
    Phase.OVERBOARD_CHOICE: mark("{name} chooses {boat:colour}."),
    Phase.MOVE_CHOICE: mark("{name} chooses {boat} for the move."),
}


def events(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[str]:
    """Tell in order what happened between two views one action apart; a single vote is no news."""
    b, a = before.table, after.table
    told: list[str] = []
    if a.ballots > b.ballots:
        told += _tell_ballot(b, a, say)
    elif played and played.verb in _EVENTS_BY_VERB:
        told += _EVENTS_BY_VERB[played.verb](b, a, played, say)
    if a.boats != b.boats:
        told += _tell_sinkings(b, a, played, say)
    if b.phase in (Phase.MOVE_BALLOT, Phase.MOVE_CHOICE) and a.phase == Phase.LEAK_BALLOT:
        told.append(_tell_no_changes(a, say))
    if a.rounds > b.rounds:
        told.append(_tell_round(a, say))
    if a.phase == Phase.OVER != b.phase:
        told.append(result_text(after, say))
    return told


def _tell_setup(b: Table, a: Table, played: PlayedAction, say: Say) -> Iterator[str]:
    """R5 to R7: the lot, the lanes, the men."""
    if played.verb == "start":
        yield say("The lot falls on {name}, the first start player.", name=say.name(played.indices[0]))
    elif played.verb == "crew":
        yield say("{name} seats {man} {boat:aboard}.", **_man_parts(played, say))
    else:
        lane, boat = played.indices[0] + 1, BOAT(BLACK if b.phase == Phase.BLACK_BOAT else played.seat, say)
        parts = {"name": say.name(played.seat), "boat": boat, "island": ISLAND(island_of(a, lane), say)}
        yield say("{name} places {boat} in lane {lane}, to {island}.", lane=lane, **parts)


def _man_parts(played: PlayedAction, say: Say) -> dict[str, object]:
    rank, boat = played.indices
    return {"name": say.name(played.seat), "man": MAN(rank, say), "boat": BOAT(boat, say)}


# Ballots


def _tell_ballot(b: Table, a: Table, say: Say) -> Iterator[str]:
    yield say("The cards are revealed: {votes}.", votes=votes_text(a.ballot, say))
    yield from _tell_count(a, say)
    if a.phase == b.phase + 1:
        yield _tell_decider(a, say)
    else:
        yield from _tell_outcome(b, a, say)


def _tell_count(a: Table, say: Say) -> Iterator[str]:
    """R11 to R14: what the captains do, and the count where it comes to one."""
    captains, reason = captain_players(a.ballot), choice_reason(a.ballot)
    if reason == BY_TIE and captains:
        yield say("The captains of {names} cancel each other and are spent.", names=names_of(captains, say))
    if reason == BY_TIE:
        played = [*zip(a.ballot.cards, a.ballot.weights, strict=True)]
        votes = [sum(weight for card, weight in played if card == colour + 1) for colour in range(BLACK + 1)]
        most_first = sorted(filter(votes.__getitem__, range(BLACK + 1)), key=lambda colour: -votes[colour])
        counts = [say("{colour} {votes}", colour=say(COLOUR[colour]), votes=votes[colour]) for colour in most_first]
        yield say("The count: {counts}.", counts=say.listing(counts))


def _tell_decider(a: Table, say: Say) -> str:
    name, reason = say.name(a.ballot.decider), choice_reason(a.ballot)
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


def _tell_choice(b: Table, a: Table, played: PlayedAction, say: Say) -> Iterator[str]:
    yield say(CHOICE_EVENTS[b.phase], name=say.name(played.seat), boat=BOAT(played.indices[0], say))
    yield from _tell_outcome(b, a, say)


def _tell_outcome(b: Table, a: Table, say: Say) -> Iterator[str]:
    """Tell that what the ballot chose happens; `b` is the table right before."""
    chosen = a.ballot.chosen - 1
    if b.phase in (Phase.OVERBOARD_BALLOT, Phase.OVERBOARD_CHOICE):
        yield _tell_overboard(b, chosen, say)
    elif b.phase in (Phase.MOVE_BALLOT, Phase.MOVE_CHOICE):
        yield from _tell_move(b, a, chosen, say)
    elif a.phase == Phase.OVERBOARD_BALLOT:
        yield _tell_full_boat(a, say)
    else:
        boat = b.boats[chosen]
        counts = {"men": crew_size(boat), "leaks": boat.leaks + 1}
        yield say("{boat:The} takes a leak (men {men}, leaks {leaks}).", boat=BOAT(chosen, say), **counts)


def _tell_full_boat(a: Table, say: Say) -> str:
    parts = {"names": names_of(members_of(a.voters), say), "boat": BOAT(a.target - 1, say)}
    if a.voters & (a.voters - 1):
        return say("{boat:The} is full: {names} vote who goes overboard. Officers count twice.", **parts)
    return say("{boat:The} is full: {names} alone votes who goes overboard.", **parts)


def _tell_overboard(b: Table, seat: int, say: Say) -> str:
    boat = b.boats[b.target - 1]
    man = MAN(SAILOR if boat.crew[seat][SAILOR] else OFFICER, say)
    counts = {"men": crew_size(boat) - 1, "leaks": boat.leaks + 1}
    return say(
        "{name} loses {man} overboard; the leak takes his seat {boat:aboard} (men {men}, leaks {leaks}).",
        **{"name": say.name(seat), "man": man, "boat": BOAT(b.target - 1, say), **counts},
    )


def _tell_move(b: Table, a: Table, place: int, say: Say) -> Iterator[str]:
    moved, boat = a.boats[place], BOAT(place, say)
    if moved.at != At.ASHORE:
        to_go = a.moves - moved.row
        yield say.many(
            "{boat:The} moves: {count} move to go.", "{boat:The} moves: {count} moves to go.", to_go, boat=boat
        )
        return
    island = island_of(a, moved.lane)
    parts = {"boat": boat, "island": ISLAND(island, say), "number": moved.arrival}
    yield say("{boat:The} reaches {island} as number {number}.", **parts)
    yield _tell_saved_men(b.boats[place], POINTS[island], say)


def _tell_saved_men(boat: Boat, points: list[int], say: Say) -> str:
    ashore = [
        say.many("{name} {count} point", "{name} {count} points", sum(map(int.__mul__, crew, points)), name=say.name(p))
        for p, crew in enumerate(boat.crew)
        if any(crew)
    ]
    return say("Saved: {points}.", points=say.listing(ashore)) if ashore else say("Nobody was aboard.")


# Men who change boats


def _tell_leaving(b: Table, a: Table, played: PlayedAction, say: Say) -> Iterator[str]:
    yield say("{name} takes {man} out: he leaves {boat}.", **_man_parts(played, say))
    yield from _tell_blocked_seats(b, a.turn if a.phase == Phase.LEAVING else b.starter, say)
    yield from _tell_drowned_men(a, [*seats_behind(b), played.seat], say)


def _tell_blocked_seats(b: Table, end: int, say: Say) -> Iterator[str]:
    """R27: the seats passed over between the one that left and `end`, as far as they still have men at sea."""
    seat = (b.turn + 1) % b.players
    while seat != end:
        if any(any(boat.crew[seat]) for boat in b.boats):
            name = say.name(seat)
            yield say("{name} has nobody who may leave: a man has already left each of their boats.", name=name)
        seat = (seat + 1) % b.players


def _tell_drowned_men(a: Table, behind: list[int], say: Say) -> Iterator[str]:
    """R29."""
    for seat in behind:
        if not a.behind[seat]:
            man = MAN(a.behind_rank[seat], say)
            yield say("No other boat has a free seat: {name} loses {man}.", name=say.name(seat), man=man)


def _tell_boarding(b: Table, a: Table, played: PlayedAction, say: Say) -> Iterator[str]:
    man = MAN(b.behind_rank[played.seat], say)
    boat = BOAT(played.indices[0], say)
    yield say("{name} brings {man} {boat:aboard}.", name=say.name(played.seat), man=man, boat=boat)
    yield from _tell_drowned_men(a, [seat for seat in seats_behind(b) if seat != played.seat], say)


_EVENTS_BY_VERB: dict[str, Callable[[Table, Table, PlayedAction, Say], Iterator[str]]] = {
    **dict.fromkeys(("start", "lane", "crew"), _tell_setup),
    "choose": _tell_choice,
    "leave": _tell_leaving,
    "board": _tell_boarding,
}


# The end of a phase


def _tell_sinkings(b: Table, a: Table, played: PlayedAction | None, say: Say) -> Iterator[str]:
    """R22."""
    for place, boat in enumerate(a.boats):
        if boat.at != At.SUNK or b.boats[place].at != At.SEA:
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


def _crew_at_the_end(b: Table, a: Table, place: int, played: PlayedAction | None) -> list[int]:
    """Return how many men of each seat sat in a boat when it sank: those of `b`, and what the action changed."""
    crew = [sum(men) for men in b.boats[place].crew]
    if b.target == place + 1 and b.phase in (Phase.OVERBOARD_BALLOT, Phase.OVERBOARD_CHOICE):
        crew[a.ballot.chosen - 1] -= 1
    if played and played.verb in ("leave", "board") and played.indices[-1] == place:
        crew[played.seat] += 1 if played.verb == "board" else -1
    return crew


def _tell_no_changes(a: Table, say: Say) -> str:
    if any(map(crew_size, a.boats)):
        return say("One boat is left at sea: nobody changes boats.")
    return say("There is no man at sea: nobody changes boats.")


def _tell_round(a: Table, say: Say) -> str:
    if a.rounds == 1:
        return say("All are aboard. Round 1 begins: {name} is the start player.", name=say.name(a.starter))
    return say("Round {round} begins: {name} is the start player.", round=a.rounds, name=say.name(a.starter))
