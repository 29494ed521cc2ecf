"""The consequences of a choice: for a vote, what happens if it wins; for any other action, what it does.

They follow from the table, which everyone sees. They never depend on how others will vote or board.
"""

from functools import lru_cache

from tavola.games.lifeboats.components import CAPTAIN, OFFICER, SAILOR, At, Phase, Seen, Table
from tavola.games.lifeboats.words import nouns
from tavola.games.lifeboats.words.nouns import BOAT, MAN, POINTS, crew_size, island_of
from tavola.show.kit import anonymous_say
from tavola.show.speech import Say
from tavola.show.words import Consequence, Indices, told_by_last_word


def _own(count: int, say: Say) -> str:
    return say.many("{count} yours", "{count} yours", count) if count else say("none yours")


def _own_men(count: int, say: Say) -> str:
    return say.many("{count} of your men", "{count} of your men", count) if count else say("none of your men")


def _stake(t: Table, boat: int, seat: int, say: Say) -> str:
    return say.many("{count} point", "{count} points", nouns.points_aboard(t, boat, seat))


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
    brief = say.many("you’ll have {count} left", "you’ll have {count} left", left) if left else say("your last captain")
    told = say(
        "If you’re the only one to play a captain, you decide. If someone else does too, they cancel out"
        " and are wasted."
    )
    return Consequence(brief, told)


def _leak(t: Table, place: int, seat: int, say: Say) -> Consequence:
    """R16, R17, R22: a free seat takes the leak; a full boat first loses a man; with more leaks than men it sinks."""
    boat, full = t.boats[place], not nouns.has_free_seat(t, place)
    men, leaks, own = crew_size(boat), boat.leaks + 1, sum(boat.crew[seat])
    parts = {"boat": BOAT(place, say), "count": men, "men": nouns.count_men(men, say), "own": _own(own, say)}
    if leaks > men - full:
        return _sinks(t, place, seat, parts, say)
    if full:
        told = say("{boat:The} is full ({men}, {own}). Everyone aboard votes on who goes overboard.", **parts)
        return Consequence(say("1 of {count} lost, {own}", **parts), told)
    parts["leaks"] = nouns.count_leaks(leaks, say)
    told = say("{boat:The} would have {men} and {leaks}. She sinks when she has more leaks than men.", **parts)
    return Consequence(say("{leaks} · {own}", leaks=parts["leaks"], own=_own_men(own, say)), told)


def _sinks(t: Table, place: int, seat: int, parts: dict[str, object], say: Say) -> Consequence:
    if not crew_size(t.boats[place]):
        return Consequence(say("sinks empty"), say("{boat:The} is empty and would sink.", **parts), "grave")
    stake = _stake(t, place, seat, say)
    told = say("This leak sinks {boat} with {men} aboard, {own} ({points} at stake).", **parts, points=stake)
    return Consequence(say("sinks with {men}, {own}", **parts), told, "grave")


def _overboard(t: Table, victim: int, seat: int, say: Say) -> Consequence:
    """R21: a sailor before an officer, and the leak takes the seat."""
    boat = t.boats[t.target - 1]
    rank = SAILOR if boat.crew[victim][SAILOR] else OFFICER
    men, leaks = crew_size(boat) - 1, boat.leaks + 1
    parts = {"man": MAN(rank, say), "name": say.name(victim), "points": POINTS[island_of(t, boat.lane)][rank]}
    parts |= {"men": nouns.count_men(men, say), "leaks": nouns.count_leaks(leaks, say)}
    if leaks > men:  # R22
        told = say(
            "{name} loses {man}, worth {points} points here. That leaves {men} and {leaks}: the boat sinks.", **parts
        )
    else:
        told = say("{name} loses {man}, worth {points} points here. That leaves {men} and {leaks}.", **parts)
    if victim == seat:
        return Consequence(say("you lose {man}: −{points}", **parts), told, "grave")
    return Consequence(say("loses {man}: −{points}", **parts), told)


def _move(t: Table, place: int, seat: int, say: Say) -> Consequence:
    """R23, R24."""
    boat = t.boats[place]
    left, own = t.moves - boat.row - 1, sum(boat.crew[seat])
    parts = {"boat": BOAT(place, say), "own": _own(own, say), "stake": _stake(t, place, seat, say)}
    parts["men"] = nouns.count_men(crew_size(boat), say)
    if left:
        parts["left"] = say.many("{count} move to go", "{count} moves to go", left)
        told = say("{boat:The} has {men} aboard, {own} ({stake} if she lands). After this, {left}.", **parts)
        return Consequence(say("{left} · {own}", left=parts["left"], own=_own_men(own, say)), told)
    parts["island"] = nouns.ISLAND(island_of(t, boat.lane), say)
    told = say("{boat:The} lands on {island} with {men}, {own}: {stake} for you.", **parts)
    if not own:
        return Consequence(say("ashore: nothing for you"), told)
    return Consequence(say("ashore: +{points} for you", points=nouns.points_aboard(t, place, seat)), told, "good")


# Boats and men


def _lane(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    """R5: the owner of the boat only matters in a tie."""
    island = island_of(view.table, places[0] + 1)
    officer, sailor = POINTS[island]
    parts = {"island": nouns.ISLAND(island, say), "officer": officer, "sailor": sailor}
    told = say("This lane leads to {island}: {officer} points per officer, {sailor} per sailor.", **parts)
    return Consequence(say("Officer {officer} · Sailor {sailor}", **parts), told)


def _aboard(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    """Of a man who is seated; of the one behind a boat who boards another."""
    t = view.table
    rank, place = places if len(places) == 2 else (t.behind_rank[seat], *places)
    boat = t.boats[place]
    told = POINTS[island_of(t, boat.lane)][rank], crew_size(boat) + 1, boat.leaks, sum(boat.crew[seat]) + 1
    return _man_aboard(rank, place, *told, anonymous_say(view.game, say.language))


@lru_cache(maxsize=4096)
def _man_aboard(rank: int, place: int, worth: int, men: int, leaks: int, own: int, say: Say) -> Consequence:
    parts = {"boat": BOAT(place, say), "man": MAN(rank, say), "points": worth, "men": nouns.count_men(men, say)}
    parts |= {"leaks": nouns.count_leaks(leaks, say), "own": _own(own, say)}
    told = say("{man:A} is worth {points} points here. {boat:The} will have {men} ({own}) and {leaks}.", **parts)
    return Consequence(say("{points} points · {men}, {own}", **parts), told)


def _leave(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    """R26 to R29: the first man to leave boards last, and is lost without a free seat elsewhere."""
    t, (rank, place) = view.table, places
    boat = t.boats[place]
    men = crew_size(boat) - 1
    others = [other for number, other in enumerate(t.boats) if number != place and other.at == At.SEA]
    if not others:
        return Consequence(say("the man drowns"), say("There’s no other boat at sea, so the man drowns."), "grave")
    free = sum(nouns.free_seats(t, other) for other in others)
    parts = {"boat": BOAT(place, say), "man": MAN(rank, say), "men": nouns.count_men(men, say)}
    parts["leaks"] = nouns.count_leaks(boat.leaks, say)
    parts["free"] = say.many("{count} seat free", "{count} seats free", free)
    told = say("{men} and {leaks} stay {boat:aboard}. {free} elsewhere right now: without one, he drowns.", **parts)
    if boat.leaks > men:
        return Consequence(say("sinks unless someone boards"), told, "grave")
    return Consequence(say("{men} still aboard", **parts), told)


consequence = told_by_last_word(
    {"vote": _vote, "choose": _vote, "lane": _lane, "crew": _aboard, "leave": _leave, "board": _aboard}
)
