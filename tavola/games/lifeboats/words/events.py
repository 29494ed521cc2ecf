"""Log lines: made from the action if all seats heard it, and from the tables before and after it."""

from collections.abc import Callable, Iterator

from tavola.core import PlayedAction
from tavola.games.lifeboats.components import BLACK, OFFICER, SAILOR, At, Phase, Seen, Table
from tavola.games.lifeboats.words import nouns
from tavola.show.speech import Say, mark, mark_many
from tavola.show.words import members_of, names_of

CHOICE_EVENTS: dict[int, str] = {
    Phase.LEAK_CHOICE: mark("{name} {name:chooses|choose} {boat} for the leak."),
    Phase.OVERBOARD_CHOICE: mark("{name} {name:chooses|choose} {boat:colour}."),
    Phase.MOVE_CHOICE: mark("{name} {name:chooses|choose} {boat} to move."),
}
MOVES_ON = mark_many("{boat:The} moves forward: {count} move to go.", "{boat:The} moves forward: {count} moves to go.")
SEAT_POINTS = mark_many("{name:*|you} {count} point", "{name:*|you} {count} points")
SEAT_MEN = mark_many("{name:*|you} {count} man", "{name:*|you} {count} men")


def events(before: Seen, after: Seen, played: PlayedAction | None, say: Say) -> list[str]:
    """Return what happened between two views one action apart, in order; a single vote has no line."""
    b, a = before.table, after.table
    told: list[str] = []
    if a.ballots > b.ballots:
        told += _log_ballot(b, a, say)
    elif played and played.verb in _EVENTS_BY_VERB:
        told += _EVENTS_BY_VERB[played.verb](b, a, played, say)
    if a.boats != b.boats:
        told += _log_sinkings(b, a, played, say)
    if b.phase in (Phase.MOVE_BALLOT, Phase.MOVE_CHOICE) and a.phase == Phase.LEAK_BALLOT:
        one_left = say("Only one boat is left at sea, so no one changes boats.")
        manned = any(map(nouns.crew_size, a.boats))
        told.append(one_left if manned else say("No men are left at sea, so no one changes boats."))
    if a.rounds > b.rounds:
        told.append(_log_round(a, say))
    if a.phase == Phase.OVER != b.phase:
        told.append(nouns.result_text(after, say))
    return told


def _log_setup(b: Table, a: Table, played: PlayedAction, say: Say) -> Iterator[str]:
    """R5 to R7: the lot, the lanes, the men."""
    if played.verb == "start":
        yield say("{name} {name:is|are} randomly chosen as start player.", name=say.name(played.indices[0]))
    elif played.verb == "crew":
        yield say("{name} {name:puts|put} {man} {boat:aboard}.", **_man_parts(played, say))
    else:
        lane, boat = played.indices[0] + 1, nouns.BOAT(BLACK if b.phase == Phase.BLACK_BOAT else played.seat, say)
        parts = {"name": say.name(played.seat), "boat": boat, "island": nouns.ISLAND(nouns.island_of(a, lane), say)}
        yield say("{name} {name:places|place} {boat} in lane {lane}, heading for {island}.", lane=lane, **parts)


def _man_parts(played: PlayedAction, say: Say) -> dict[str, object]:
    rank, boat = played.indices
    return {"name": say.name(played.seat), "man": nouns.MAN(rank, say), "boat": nouns.BOAT(boat, say)}


# Ballots


def _log_ballot(b: Table, a: Table, say: Say) -> Iterator[str]:
    yield say("The cards are revealed: {votes}.", votes=nouns.votes_text(a.ballot, say))
    yield from _log_count(a, say)
    if a.phase == b.phase + 1:
        yield _log_decider(a, say)
    else:
        yield from _log_outcome(b, a, say)


def _log_count(a: Table, say: Say) -> Iterator[str]:
    """R11 to R14: the effect of captains, and the count if there is one."""
    captains, reason = nouns.captain_players(a.ballot), nouns.choice_reason(a.ballot)
    if reason == nouns.BY_TIE and captains:
        yield say("{names} played captains, which cancel out and are spent.", names=names_of(captains, say))
    if reason == nouns.BY_TIE:
        played = [*zip(a.ballot.cards, a.ballot.weights, strict=True)]
        votes = [sum(weight for card, weight in played if card == colour + 1) for colour in range(BLACK + 1)]
        most_first = sorted(filter(votes.__getitem__, range(BLACK + 1)), key=lambda colour: -votes[colour])
        counts = [
            say("{colour} {votes}", colour=say(nouns.COLOUR[colour]), votes=votes[colour]) for colour in most_first
        ]
        yield say("Vote count: {counts}.", counts=say.listing(counts))


def _log_decider(a: Table, say: Say) -> str:
    name, reason = say.name(a.ballot.decider), nouns.choice_reason(a.ballot)
    if reason == nouns.BY_CAPTAIN:
        return say.many(
            "{name} played the only captain and {name:decides|decide} alone ({count} left).",
            "{name} played the only captain and {name:decides|decide} alone ({count} left).",
            a.captains[a.ballot.decider],
            name=name,
        )
    if reason == nouns.BY_CAPTAINS:
        return say("Only captains were played, so all are spent. {name} decides as start player.", name=name)
    tied = nouns.colours(members_of(a.ballot.candidates), say)
    return say("It’s a tie between {colours}. {name} {name:chooses|choose} as start player.", colours=tied, name=name)


def _log_choice(b: Table, a: Table, played: PlayedAction, say: Say) -> Iterator[str]:
    yield say(CHOICE_EVENTS[b.phase], name=say.name(played.seat), boat=nouns.BOAT(played.indices[0], say))
    yield from _log_outcome(b, a, say)


def _log_outcome(b: Table, a: Table, say: Say) -> Iterator[str]:
    """The effect of the ballot; `b` is the table right before it."""
    chosen = a.ballot.chosen - 1
    if b.phase in (Phase.OVERBOARD_BALLOT, Phase.OVERBOARD_CHOICE):
        yield _log_overboard(b, chosen, say)
    elif b.phase in (Phase.MOVE_BALLOT, Phase.MOVE_CHOICE):
        yield from _log_move(b, a, chosen, say)
    elif a.phase == Phase.OVERBOARD_BALLOT:
        yield _log_full_boat(a, say)
    else:
        boat = b.boats[chosen]
        counts = {"men": nouns.crew_size(boat), "leaks": boat.leaks + 1}
        yield say("{boat:The} springs a leak (men: {men}, leaks: {leaks}).", boat=nouns.BOAT(chosen, say), **counts)


def _log_full_boat(a: Table, say: Say) -> str:
    parts = {"names": names_of(members_of(a.voters), say), "boat": nouns.BOAT(a.target - 1, say)}
    if a.voters & (a.voters - 1):
        return say("{boat:The} is full. {names} vote on who goes overboard. Officers count double.", **parts)
    return say("{boat:The} is full. Only {names} {names:votes|vote} on who goes overboard.", **parts)


def _log_overboard(b: Table, seat: int, say: Say) -> str:
    boat = b.boats[b.target - 1]
    man = nouns.MAN(SAILOR if boat.crew[seat][SAILOR] else OFFICER, say)
    counts = {"men": nouns.crew_size(boat) - 1, "leaks": boat.leaks + 1}
    return say(
        "{name} {name:loses|lose} {man} overboard. The leak takes his seat {boat:aboard} (men: {men}, leaks: {leaks}).",
        **{"name": say.name(seat), "man": man, "boat": nouns.BOAT(b.target - 1, say), **counts},
    )


def _log_move(b: Table, a: Table, place: int, say: Say) -> Iterator[str]:
    moved, boat = a.boats[place], nouns.BOAT(place, say)
    left = a.moves - moved.row
    if moved.at != At.ASHORE:
        yield say.many(*MOVES_ON, left, boat=boat)
        return
    parts = {"boat": boat, "island": nouns.ISLAND(nouns.island_of(a, moved.lane), say), "number": moved.arrival}
    yield say("{boat:The} reaches {island} (arrival no. {number}).", **parts)
    aboard = [seat for seat, crew in enumerate(b.boats[place].crew) if any(crew)]
    saved = [say.many(*SEAT_POINTS, nouns.points_aboard(b, place, seat), name=say.name(seat)) for seat in aboard]
    yield say("Saved: {points}.", points=say.listing(saved)) if saved else say("No one was aboard.")


# Changing boats


def _log_leaving(b: Table, a: Table, played: PlayedAction, say: Say) -> Iterator[str]:
    yield say("{name} {name:takes|take} {man} off {boat}.", **_man_parts(played, say))
    yield from _log_blocked_seats(b, a.turn if a.phase == Phase.LEAVING else b.starter, say)
    yield from _log_drowned_men(a, [*nouns.seats_behind(b), played.seat], say)


def _log_blocked_seats(b: Table, end: int, say: Say) -> Iterator[str]:
    """R27: the seats passed over between the one that left and `end`, if they still have men at sea."""
    seat = (b.turn + 1) % b.players
    while seat != end:
        if any(any(boat.crew[seat]) for boat in b.boats):
            name = say.name(seat)
            yield say("{name} can’t move anyone: a man has already left each of {name:their|your} boats.", name=name)
        seat = (seat + 1) % b.players


def _log_drowned_men(a: Table, behind: list[int], say: Say) -> Iterator[str]:
    """R29."""
    for seat in behind:
        if not a.behind[seat]:
            man = nouns.MAN(a.behind_rank[seat], say)
            yield say("No other boat has a free seat, so {name} {name:loses|lose} {man}.", name=say.name(seat), man=man)


def _log_boarding(b: Table, a: Table, played: PlayedAction, say: Say) -> Iterator[str]:
    man, boat = nouns.MAN(b.behind_rank[played.seat], say), nouns.BOAT(played.indices[0], say)
    yield say("{name} {name:brings|bring} {man} {boat:aboard}.", name=say.name(played.seat), man=man, boat=boat)
    yield from _log_drowned_men(a, [seat for seat in nouns.seats_behind(b) if seat != played.seat], say)


_EVENTS_BY_VERB: dict[str, Callable[[Table, Table, PlayedAction, Say], Iterator[str]]] = {
    **dict.fromkeys(("start", "lane", "crew"), _log_setup),
    "choose": _log_choice,
    "leave": _log_leaving,
    "board": _log_boarding,
}


# The end of a phase


def _log_sinkings(b: Table, a: Table, played: PlayedAction | None, say: Say) -> Iterator[str]:
    """R22."""
    for place, boat in enumerate(a.boats):
        if boat.at != At.SUNK or b.boats[place].at != At.SEA:
            continue
        crew, sunk = _crew_at_the_end(b, a, place, played), nouns.BOAT(place, say)
        men = [say.many(*SEAT_MEN, count, name=say.name(seat)) for seat, count in enumerate(crew) if count]
        if men:
            yield say("{boat:The} sinks with everyone aboard: {men}.", boat=sunk, men=say.listing(men))
        else:
            yield say("{boat:The} sinks. No one was aboard.", boat=sunk)


def _crew_at_the_end(b: Table, a: Table, place: int, played: PlayedAction | None) -> list[int]:
    """How many men of each seat were in a boat when it sank: those of `b`, less a man who has left it."""
    crew = [sum(men) for men in b.boats[place].crew]
    if b.target == place + 1 and b.phase in (Phase.OVERBOARD_BALLOT, Phase.OVERBOARD_CHOICE):
        crew[a.ballot.chosen - 1] -= 1
    if played and played.verb == "leave" and played.indices[-1] == place:
        crew[played.seat] -= 1
    return crew


def _log_round(a: Table, say: Say) -> str:
    if a.rounds == 1:
        return say("Everyone’s aboard. Round 1: {name} {name:is|are} the start player.", name=say.name(a.starter))
    return say("Round {round}: {name} {name:is|are} the start player.", round=a.rounds, name=say.name(a.starter))
