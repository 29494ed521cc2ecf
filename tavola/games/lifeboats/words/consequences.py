"""Tell what a choice does now: of a vote what it would come to if it won, of everything else what it does.

All of it follows from the table, which everybody sees; how others vote or board is not told: nobody can know it.
"""

from tavola.games.lifeboats.components import CAPTAIN, OFFICER, SAILOR, At, Phase, Seen, Table
from tavola.games.lifeboats.words.nouns import (
    BOAT,
    ISLAND,
    MAN,
    POINTS,
    count_leaks,
    count_men,
    crew_size,
    free_seats,
    has_free_seat,
    island_of,
    points_aboard,
)
from tavola.show.speech import Say
from tavola.show.words import Consequence, Indices, told_by_last_word


def _own(count: int, say: Say) -> str:
    return say.many("{count} yours", "{count} yours", count) if count else say("none yours")


def _stake(t: Table, boat: int, seat: int, say: Say) -> str:
    return say.many("{count} point", "{count} points", points_aboard(t, boat, seat))


# Ballots


def _vote(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    t, colour = view.table, places[0]
    if colour == CAPTAIN - 1:
        return _captain(t.captains[seat] - 1, say)
    if t.phase in (Phase.MOVE_BALLOT, Phase.MOVE_CHOICE):
        return _move(t, colour, seat, say)
    if t.phase in (Phase.OVERBOARD_BALLOT, Phase.OVERBOARD_CHOICE):
        return _overboard(t, colour, seat, say)
    return _leak(t, colour, seat, say)


def _captain(left: int, say: Say) -> Consequence:
    brief = say.many("spent; {count} left", "spent; {count} left", left) if left else say("spent: your last one")
    return Consequence(
        brief, say("If nobody else plays a captain you alone decide. If somebody does, both are spent for nothing.")
    )


def _leak(t: Table, place: int, seat: int, say: Say) -> Consequence:
    """R16, R17, R22: a free seat takes the leak; a full boat loses a man first; more leaks than men sink her."""
    boat, full = t.boats[place], not has_free_seat(t, place)
    men, leaks, own = crew_size(boat) - full, boat.leaks + 1, sum(boat.crew[seat])
    parts = {"boat": BOAT(place, say), "men": count_men(crew_size(boat), say), "own": _own(own, say)}
    if leaks > men:
        return _sinks(t, place, seat, parts, say)
    if full:
        count = crew_size(boat)
        brief = say("one of {count} jumps, {own}", count=count, own=parts["own"])
        return Consequence(
            brief, say("{boat:The} is full: of {men}, {own}, one must jump. Those aboard vote who.", **parts)
        )
    parts["leaks"] = count_leaks(leaks, say)
    told = say("{boat:The} would hold {men} and {leaks}. She sinks with more leaks than men.", **parts)
    return Consequence(say("{leaks}, {own}", **parts), told)


def _sinks(t: Table, place: int, seat: int, parts: dict[str, object], say: Say) -> Consequence:
    if not crew_size(t.boats[place]):
        return Consequence(say("she sinks, empty"), say("{boat:The} is empty and would sink.", **parts), "grave")
    stake = _stake(t, place, seat, say)
    told = say("With this leak {boat} sinks: {men} drown, {own} ({points} at stake).", **parts, points=stake)
    return Consequence(say("she sinks: {men}, {own}", **parts), told, "grave")


def _overboard(t: Table, victim: int, seat: int, say: Say) -> Consequence:
    """R21: a sailor goes before an officer, and the leak takes his place."""
    place = t.target - 1
    boat = t.boats[place]
    rank = SAILOR if boat.crew[victim][SAILOR] else OFFICER
    parts = {"man": MAN(rank, say), "name": say.name(victim), "points": POINTS[island_of(t, boat.lane)][rank]}
    after = {"men": count_men(crew_size(boat) - 1, say), "leaks": count_leaks(boat.leaks + 1, say)}
    if boat.leaks + 1 > crew_size(boat) - 1:  # R22
        told = say(
            "{name} loses {man} worth {points} here. Then {men} and {leaks} are left: she sinks.", **parts, **after
        )
    else:
        told = say("{name} loses {man} worth {points} here. Then the boat has {men} and {leaks}.", **parts, **after)
    if victim == seat:
        return Consequence(say("you lose {man}: −{points}", **parts), told, "grave")
    return Consequence(say("loses {man}: −{points}", **parts), told)


def _move(t: Table, place: int, seat: int, say: Say) -> Consequence:
    """R23, R24."""
    boat = t.boats[place]
    left, own = t.moves - boat.row - 1, sum(boat.crew[seat])
    parts = {"boat": BOAT(place, say), "own": _own(own, say), "stake": _stake(t, place, seat, say)}
    parts["men"] = count_men(crew_size(boat), say)
    if left:
        parts["left"] = say.many("{count} move to go", "{count} moves to go", left)
        told = say("{boat:The} carries {men}, {own} ({stake} on her island). Then she has {left}.", **parts)
        return Consequence(say("{left}, {own}", **parts), told)
    parts["island"] = ISLAND(island_of(t, boat.lane), say)
    told = say("{boat:The} lands on {island} with {men}, {own}: {stake} for you.", **parts)
    if not own:
        return Consequence(say("ashore: nothing for you"), told)
    return Consequence(say("ashore: +{points} for you", points=points_aboard(t, place, seat)), told, "good")


# Boats and men


def _lane(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    """R5: whose boat it is matters in a tie only."""
    island = island_of(view.table, places[0] + 1)
    officer, sailor = POINTS[island]
    parts = {"island": ISLAND(island, say), "officer": officer, "sailor": sailor}
    told = say("This lane leads to {island}: {officer} points for an officer, {sailor} for a sailor.", **parts)
    return Consequence(say("{officer} and {sailor}", **parts), told)


def _crew(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    return _aboard(view.table, seat, places[0], places[1], say)


def _board(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    return _aboard(view.table, seat, view.table.behind_rank[seat], places[0], say)


def _aboard(t: Table, seat: int, rank: int, place: int, say: Say) -> Consequence:
    boat = t.boats[place]
    worth, men = POINTS[island_of(t, boat.lane)][rank], crew_size(boat) + 1
    parts = {"boat": BOAT(place, say), "man": MAN(rank, say), "points": worth, "men": count_men(men, say)}
    parts |= {"leaks": count_leaks(boat.leaks, say), "own": _own(sum(boat.crew[seat]) + 1, say)}
    told = say("{man:A} is worth {points} where she goes. {boat:The} then holds {men}, {own}, and {leaks}.", **parts)
    if boat.leaks > men:
        return Consequence(say("{leaks}: even so she sinks", **parts), told, "grave")
    return Consequence(say("worth {points}; {men}, {own}", **parts), told)


def _leave(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    """R26 to R29: he who leaves first boards last; without a free seat elsewhere he is lost."""
    t, (rank, place) = view.table, places
    boat = t.boats[place]
    men = crew_size(boat) - 1
    free = sum(free_seats(t, other) for number, other in enumerate(t.boats) if number != place and other.at == At.SEA)
    parts = {"boat": BOAT(place, say), "man": MAN(rank, say), "men": count_men(men, say)}
    parts |= {"leaks": count_leaks(boat.leaks, say), "free": say.many("{count} seat", "{count} seats", free)}
    told = say("{men} and {leaks} stay {boat:aboard}. Elsewhere {free} free now: without one he is lost.", **parts)
    if boat.leaks > men:
        return Consequence(say("she sinks unless one boards"), told, "grave")
    return Consequence(say("{men} stay aboard", **parts), told)


consequence = told_by_last_word(
    {
        "vote": _vote,
        "choose": _vote,
        "lane": _lane,
        "crew": _crew,
        "leave": _leave,
        "board": _board,
    }
)
