"""The sentences of Lifeboats. `tavola.core.speech` says what each public function is for.

Everything is said from views. Events and prompts read the table alone, so everybody at it may hear the same.
Boats come into sentences as whole phrases, `{boat}` or `{aboard}`, so that a language can decline them.
"""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tavola.core import View, kernels
from tavola.core.speech import Say, mark
from tavola.games.lifeboats.components import (
    ASHORE,
    ASIDE,
    BLACK,
    BOARD,
    CAPTAIN,
    CREW,
    FIRST_LANES,
    LANES,
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
    VALUES,
)

# Phrases

COLOUR = (mark("red"), mark("green"), mark("violet"), mark("yellow"), mark("blue"), mark("white"), mark("black"))
THE_BOAT = (
    mark("the red boat"),
    mark("the green boat"),
    mark("the violet boat"),
    mark("the yellow boat"),
    mark("the blue boat"),
    mark("the white boat"),
    mark("the black boat"),
)
ABOARD = (
    mark("aboard the red boat"),
    mark("aboard the green boat"),
    mark("aboard the violet boat"),
    mark("aboard the yellow boat"),
    mark("aboard the blue boat"),
    mark("aboard the white boat"),
    mark("aboard the black boat"),
)
ISLAND = (mark("left"), mark("middle"), mark("right"))
THE_ISLAND = (mark("the left island"), mark("the middle island"), mark("the right island"))
ON_ISLAND = (mark("on the left island"), mark("on the middle island"), mark("on the right island"))

BALLOTS = (LEAK, OVERBOARD, MOVE)
CHOICES = (LEAK_CHOICE, OVERBOARD_CHOICE, MOVE_CHOICE)
POINTS: list[list[int]] = VALUES.tolist()
BOUNDS: list[list[int]] = FIRST_LANES.tolist()
BY_CAPTAIN, BY_CAPTAINS, BY_TIE = range(3)
Places = tuple[int, ...]


def _boat(boat: int, say: Say) -> str:
    return say(THE_BOAT[boat])


def _aboard(boat: int, say: Say) -> str:
    return say(ABOARD[boat])


def _colours(colours: Sequence[int], say: Say) -> str:
    return say.listing([say(COLOUR[colour]) for colour in colours])


def _names(seats: Sequence[int], say: Say) -> str:
    return say.listing([say.name(seat) for seat in seats])


def _capital(sentence: str) -> str:
    """A sentence that begins with a phrase; never one that begins with a name."""
    return sentence[:1].upper() + sentence[1:]


# What the table tells


def _island(t: Any, lane: int) -> int:
    """The island at the end of a lane: R4."""
    middle, right = BOUNDS[t.islands]
    return int(lane >= middle) + int(lane >= right)


def _men(boat: Any) -> int:
    return sum(map(sum, boat.crew))


def _has_seat(t: Any, boat: int) -> bool:
    """R8."""
    return bool(t.boats[boat].at == SEA and _men(t.boats[boat]) + t.boats[boat].leaks < t.seats)


def _owing(t: Any) -> list[int]:
    """The seats that owe a decision; none in the lot and at the end."""
    if t.phase in BALLOTS:
        return [seat for seat in range(t.players) if (t.voters & ~t.voted) >> seat & 1]
    return [] if t.phase in (LOT, OVER) else [t.turn]


def _voters(ballot: Any) -> list[int]:
    """Who played a card in a ballot that was revealed."""
    return [seat for seat, card in enumerate(ballot.cards) if card]


def _captains(ballot: Any) -> list[int]:
    return [seat for seat, card in enumerate(ballot.cards) if card == CAPTAIN]


def _reason(ballot: Any) -> int:
    """Why somebody has to choose: R11, R13, R15."""
    captains = len(_captains(ballot))
    if captains == 1:
        return BY_CAPTAIN
    return BY_CAPTAINS if captains == len(_voters(ballot)) else BY_TIE


def _members(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def _standing(view: View) -> tuple[list[int], list[int]]:
    """Points and places, by the rules' own count."""
    points, places = (np.zeros(view.table.players, np.int64) for _ in range(2))
    kernels.score_at(view.states, 0, points, places)
    return points.tolist(), places.tolist()


# Actions

SEAT_A_MAN = (mark("Seat an officer {aboard}"), mark("Seat a sailor {aboard}"))
TAKE_A_MAN = (mark("Take out an officer: leave {boat}"), mark("Take out a sailor: leave {boat}"))
VOTE_FOR = {
    LEAK: mark("Vote for a leak: {boat}"),
    MOVE: mark("Vote for a move: {boat}"),
}
CHOOSE_BOAT = {
    LEAK_CHOICE: mark("Give the leak: {boat}"),
    MOVE_CHOICE: mark("Move {boat}"),
}


def action(view: View, action: int, say: Say) -> str:
    """What a seat does by it, for a button."""
    verb, places = view.game.actions.action(action)
    return _ACTIONS[verb](view, places, say)


def _action_start(view: View, places: Places, say: Say) -> str:
    return say("The lot: {name} begins", name=say.name(places[0]))


def _action_lane(view: View, places: Places, say: Say) -> str:
    lane = places[0] + 1
    return say("Lane {lane}, to {island}", lane=lane, island=say(THE_ISLAND[_island(view.table, lane)]))


def _action_crew(view: View, places: Places, say: Say) -> str:
    rank, boat = places
    return say(SEAT_A_MAN[rank], aboard=_aboard(boat, say))


def _action_vote(view: View, places: Places, say: Say) -> str:
    t, colour = view.table, places[0]
    if colour == CAPTAIN - 1:
        left = 0 if view.seat is None else t.captains[view.seat]
        return say.many("Play a captain ({count} left)", "Play a captain ({count} left)", left)
    if t.phase in VOTE_FOR:
        return say(VOTE_FOR[t.phase], boat=_boat(colour, say))
    if t.phase == OVERBOARD and colour == view.seat:
        return say("Vote against your own man ({colour})", colour=say(COLOUR[colour]))
    if t.phase == OVERBOARD and colour < t.players:
        return say("Vote against {name} ({colour})", name=say.name(colour), colour=say(COLOUR[colour]))
    return say("Vote {colour}", colour=say(COLOUR[colour]))


def _action_choose(view: View, places: Places, say: Say) -> str:
    t, colour = view.table, places[0]
    if t.phase in CHOOSE_BOAT:
        return say(CHOOSE_BOAT[t.phase], boat=_boat(colour, say))
    if t.phase == OVERBOARD_CHOICE and colour < t.players:
        return say("Overboard: a man of {name} ({colour})", name=say.name(colour), colour=say(COLOUR[colour]))
    return say("Choose {colour}", colour=say(COLOUR[colour]))


def _action_leave(view: View, places: Places, say: Say) -> str:
    rank, boat = places
    return say(TAKE_A_MAN[rank], boat=_boat(boat, say))


def _action_board(view: View, places: Places, say: Say) -> str:
    return say("Board {boat}", boat=_boat(places[0], say))


_ACTIONS: dict[str, Callable[[View, Places, Say], str]] = {
    "start": _action_start,
    "lane": _action_lane,
    "crew": _action_crew,
    "vote": _action_vote,
    "choose": _action_choose,
    "leave": _action_leave,
    "board": _action_board,
}

# Prompts

ASKED = {
    PLACE: mark("Choose a lane for your boat, {boat}."),
    PLACE_BLACK: mark("Choose a lane for {boat}: as the start player you place it."),
    CREW: mark("Seat one of your men in any boat with a free seat."),
    LEAK: mark("Play a card face down: which boat takes the leak?"),
    MOVE: mark("Play a card face down: which boat moves?"),
    OVERBOARD: mark("Play a card face down: who must go overboard? There is no free seat {aboard}."),
    LEAVE: mark("Take one of your men out of a boat that nobody has left yet in this phase."),
}
ASKED_TO_BOARD = (
    mark("Your officer has left {boat}: choose another boat for him."),
    mark("Your sailor has left {boat}: choose another boat for him."),
)
ASKED_TO_CHOOSE = {
    LEAK_CHOICE: (
        mark("Your captain decides: choose the boat that takes the leak."),
        mark("Everybody played a captain: as the start player, choose the boat that takes the leak."),
        mark("The votes are tied: as the start player, choose the boat that takes the leak."),
    ),
    OVERBOARD_CHOICE: (
        mark("Your captain decides: choose the colour that loses a man {aboard}."),
        mark("Every vote was a captain: as the start player, choose the colour that loses a man {aboard}."),
        mark("The votes are tied: as the start player, choose the colour that loses a man {aboard}."),
    ),
    MOVE_CHOICE: (
        mark("Your captain decides: choose the boat that moves."),
        mark("Everybody played a captain: as the start player, choose the boat that moves."),
        mark("The votes are tied: as the start player, choose the boat that moves."),
    ),
}
AWAITED = {
    PLACE: mark("Waiting for {names} to place a boat."),
    PLACE_BLACK: mark("Waiting for {names}, the start player, to place {boat}."),
    CREW: mark("Waiting for {names} to seat a man."),
    LEAK: mark("Waiting for {names} to vote: which boat takes the leak?"),
    MOVE: mark("Waiting for {names} to vote: which boat moves?"),
    OVERBOARD: mark("Waiting for {names} to vote: who must go overboard? There is no free seat {aboard}."),
    LEAVE: mark("Waiting for {names} to take a man out of a boat."),
    BOARD: mark("Waiting for {names} to board another boat than {boat}."),
}
AWAITED_TO_CHOOSE = {
    LEAK_CHOICE: (
        mark("Waiting for {names}, whose captain decides which boat takes the leak."),
        mark("Everybody played a captain. Waiting for {names}, the start player, to choose the boat for the leak."),
        mark("The votes are tied. Waiting for {names}, the start player, to choose the boat for the leak."),
    ),
    OVERBOARD_CHOICE: (
        mark("Waiting for {names}, whose captain decides who loses a man {aboard}."),
        mark("Every vote was a captain. Waiting for {names}, the start player, to choose who loses a man {aboard}."),
        mark("The votes are tied. Waiting for {names}, the start player, to choose who loses a man {aboard}."),
    ),
    MOVE_CHOICE: (
        mark("Waiting for {names}, whose captain decides which boat moves."),
        mark("Everybody played a captain. Waiting for {names}, the start player, to choose the boat that moves."),
        mark("The votes are tied. Waiting for {names}, the start player, to choose the boat that moves."),
    ),
}


def prompt(view: View, say: Say) -> str:
    """What is asked of the seat now, or whom everybody waits for."""
    t = view.table
    if t.phase == OVER:
        return _winners(view, say)
    if t.phase == LOT:
        return say("The lot decides who begins.")
    owing = _owing(t)
    boat = _boat_of_prompt(t)
    parts = {"boat": _boat(boat, say), "aboard": _aboard(boat, say)}
    if view.seat in owing:
        return say(_asked(t), **parts)
    awaited = AWAITED_TO_CHOOSE[t.phase][_reason(t.ballot)] if t.phase in CHOICES else AWAITED[t.phase]
    return say(awaited, names=_names(owing, say), **parts)


def _asked(t: Any) -> str:
    if t.phase in CHOICES:
        return ASKED_TO_CHOOSE[t.phase][_reason(t.ballot)]
    return ASKED_TO_BOARD[t.behind_rank[t.turn]] if t.phase == BOARD else ASKED[t.phase]


def _boat_of_prompt(t: Any) -> int:
    """The boat that the present decision is about; where there is none, any."""
    if t.phase == PLACE_BLACK:
        return BLACK
    if t.phase == BOARD:
        return int(t.behind[t.turn] - 1)
    return int(t.target - 1 if t.target else t.turn)


def _winners(view: View, say: Say) -> str:
    points, places = _standing(view)
    winners = [seat for seat, place in enumerate(places) if place == 1]
    most, names = points[winners[0]], _names(winners, say)
    if len(winners) > 1:
        return say.many(
            "The match is over: {names} share the victory with {count} point.",
            "The match is over: {names} share the victory with {count} points.",
            most,
            names=names,
        )
    if points.count(most) > 1:
        return say.many(
            "The match is over: {names} wins with {count} point; the boat that arrived earlier breaks the tie.",
            "The match is over: {names} wins with {count} points; the boat that arrived earlier breaks the tie.",
            most,
            names=names,
        )
    return say.many(
        "The match is over: {names} wins with {count} point.",
        "The match is over: {names} wins with {count} points.",
        most,
        names=names,
    )


# Events

SEATED = (mark("{name} seats an officer {aboard}."), mark("{name} seats a sailor {aboard}."))
LEFT = (mark("{name} takes an officer out: he leaves {boat}."), mark("{name} takes a sailor out: he leaves {boat}."))
BOARDED = (mark("An officer of {name} boards {boat}."), mark("A sailor of {name} boards {boat}."))
BOARDED_SINKING = (
    mark("An officer of {name} boards a boat that is sinking."),
    mark("A sailor of {name} boards a boat that is sinking."),
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


def events(before: View, after: View, say: Say) -> list[str]:
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
        told.append(_winners(after, say))
    return told


def _lot(b: Any, a: Any, say: Say) -> Iterator[str]:
    if a.phase != LOT:
        yield say("The lot falls on {name}, the first start player.", name=say.name(a.starter))


def _placed(b: Any, a: Any, say: Say) -> Iterator[str]:
    for place, boat in enumerate(a.boats):
        if boat.at == SEA and b.boats[place].at == ASIDE:
            parts = {"boat": _boat(place, say), "island": say(THE_ISLAND[_island(a, boat.lane)])}
            yield say(
                "{name} places {boat} in lane {lane}, to {island}.", name=say.name(b.turn), lane=boat.lane, **parts
            )


def _seated(b: Any, a: Any, say: Say) -> Iterator[str]:
    for rank in (OFFICER, SAILOR):
        if a.unseated[b.turn][rank] < b.unseated[b.turn][rank]:
            boat = next(p for p, boat in enumerate(a.boats) if boat.crew != b.boats[p].crew)
            yield say(SEATED[rank], name=say.name(b.turn), aboard=_aboard(boat, say))


def _voted(b: Any, a: Any, say: Say) -> Iterator[str]:
    if a.ballots == b.ballots:
        for seat in _members(a.voted & ~b.voted):
            yield say("{name} has voted.", name=say.name(seat))
        return
    yield say("The cards are revealed: {votes}.", votes=_votes(a.ballot, say))
    yield from _counted(a, say)
    if a.phase == b.phase + 1:
        yield _who_decides(a, say)
    else:
        yield from _settled(b, a, say)


def _votes(ballot: Any, say: Say) -> str:
    return say.listing([_vote(ballot, seat, say) for seat in _voters(ballot)])


def _vote(ballot: Any, seat: int, say: Say) -> str:
    name, card, weight = say.name(seat), ballot.cards[seat], ballot.weights[seat]
    if card == CAPTAIN:
        return say("{name} plays a captain", name=name)
    colour = say(COLOUR[card - 1])
    if weight == 1:
        return say("{name} votes {colour}", name=name, colour=colour)
    return say("{name} votes {colour} ({weight} votes)", name=name, colour=colour, weight=weight)


def _counted(a: Any, say: Say) -> Iterator[str]:
    """R11 to R14: what the captains do, and the count where it comes to one."""
    captains, reason = _captains(a.ballot), _reason(a.ballot)
    if reason == BY_TIE and captains:
        yield say("The captains of {names} cancel each other and are spent.", names=_names(captains, say))
    if reason == BY_TIE:
        votes = [0] * (BLACK + 1)
        for card, weight in zip(a.ballot.cards, a.ballot.weights, strict=True):
            if 0 < card < CAPTAIN:
                votes[card - 1] += weight
        most_first = sorted((colour for colour in range(BLACK + 1) if votes[colour]), key=lambda c: -votes[c])
        counts = [say("{colour} {votes}", colour=say(COLOUR[c]), votes=votes[c]) for c in most_first]
        yield say("The count: {counts}.", counts=say.listing(counts))


def _who_decides(a: Any, say: Say) -> str:
    name, reason = say.name(a.ballot.decider), _reason(a.ballot)
    if reason == BY_CAPTAIN:
        return say.many(
            "Only {name} played a captain, decides alone, and has {count} captain left.",
            "Only {name} played a captain, decides alone, and has {count} captains left.",
            a.captains[a.ballot.decider],
            name=name,
        )
    if reason == BY_CAPTAINS:
        return say("Every card is a captain, all are spent: {name}, the start player, decides.", name=name)
    tied = _colours(_members(a.ballot.candidates), say)
    return say("A tie between {colours}: {name}, the start player, must choose.", colours=tied, name=name)


def _chosen(b: Any, a: Any, say: Say) -> Iterator[str]:
    colour = a.ballot.chosen - 1
    parts = {"colour": say(COLOUR[colour]), "boat": _boat(colour, say)}
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
        counts = {"men": _men(boat), "leaks": boat.leaks + 1}
        yield _capital(say("{boat} takes a leak (men {men}, leaks {leaks}).", boat=_boat(chosen, say), **counts))


def _full(a: Any, say: Say) -> str:
    voters, boat = _names(_members(a.voters), say), _boat(a.target - 1, say)
    if a.voters & (a.voters - 1):
        return _capital(say("{boat} is full: {names} vote who goes overboard.", boat=boat, names=voters))
    return _capital(say("{boat} is full: {names} alone votes who goes overboard.", boat=boat, names=voters))


def _thrown(b: Any, seat: int, say: Say) -> str:
    boat = b.boats[b.target - 1]
    rank = SAILOR if boat.crew[seat][SAILOR] else OFFICER
    counts = {"men": _men(boat) - 1, "leaks": boat.leaks + 1}
    return say(THROWN[rank], name=say.name(seat), aboard=_aboard(b.target - 1, say), **counts)


def _moved(b: Any, a: Any, boat: int, say: Say) -> Iterator[str]:
    moved = a.boats[boat]
    if moved.at != ASHORE:
        yield _capital(
            say.many(
                "{boat} moves: {count} move to go.",
                "{boat} moves: {count} moves to go.",
                a.moves - moved.row,
                boat=_boat(boat, say),
            )
        )
        return
    island = _island(a, moved.lane)
    parts = {"boat": _boat(boat, say), "island": say(THE_ISLAND[island]), "number": moved.arrival}
    yield _capital(say("{boat} reaches {island} as number {number}.", **parts))
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
    yield say(LEFT[rank], name=say.name(seat), boat=_boat(boat, say))
    yield from _blocked(b, a.turn if a.phase == LEAVE else b.starter, say)
    yield from _drowned(b, a, [*_waiting(b), seat], say)


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


def _waiting(t: Any) -> list[int]:
    """The seats with a man behind a boat."""
    return [seat for seat in range(t.players) if t.behind[seat]]


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
        yield say(BOARDED[rank], name=say.name(b.turn), boat=_boat(boat, say))
    yield from _drowned(b, a, [seat for seat in _waiting(b) if seat != b.turn], say)


def _boat_boarded(b: Any, a: Any) -> int | None:
    """Where a man went. If it sinks in the same moment as another, the table does not tell which it was: None."""
    seat, rank = b.turn, b.behind_rank[b.turn]
    for place, boat in enumerate(a.boats):
        if boat.crew[seat][rank] > b.boats[place].crew[seat][rank]:
            return place
    sunk = [p for p in _sunk(b, a) if p + 1 != b.behind[seat] and _has_seat(b, p)]
    possible = [p for p in sunk if b.boats[p].leaks > _men(b.boats[p]) + 1]
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
        boat = _boat(place, say)
        if men:
            yield _capital(say("{boat} sinks with all aboard: {men}.", boat=boat, men=say.listing(men)))
        else:
            yield _capital(say("{boat} sinks; nobody was aboard.", boat=boat))


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
        if any(map(_men, a.boats)):
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

# Refusals

PHASES_OF = {
    "lane": (PLACE, PLACE_BLACK),
    "crew": (CREW,),
    "vote": BALLOTS,
    "choose": CHOICES,
    "leave": (LEAVE,),
    "board": (BOARD,),
}
OTHER_TIME = {
    "lane": mark("Boats are placed before the first round, and stay in their lanes (R6, R25)."),
    "crew": mark("Men are seated before the first round, once every boat is placed (R7)."),
    "vote": mark("No ballot is open now (R9)."),
    "choose": mark("There is nothing to choose now: one chooses by a captain or in a tie (R11, R15)."),
    "leave": mark("Men are taken out only in the third phase of a round (R26)."),
    "board": mark("Men board in the third phase of a round, when all who leave have left (R28)."),
}
OTHER_TURN = {
    PLACE: mark("Boats are placed in turn: now it is up to {name} (R6)."),
    PLACE_BLACK: mark("The start player places the black boat: it is up to {name} (R6)."),
    CREW: mark("Men are seated in turn: now it is up to {name} (R7)."),
    LEAVE: mark("Boats are left in turn, clockwise from the start player: now it is up to {name} (R26)."),
    BOARD: mark("Men board in the reverse order of leaving: now it is up to {name} (R28)."),
}
OTHER_CHOOSES = (
    mark("Only one captain was played: it is up to {name} (R11)."),
    mark("Every card was a captain, so the start player decides: it is up to {name} (R13)."),
    mark("The votes are tied, so the start player decides: it is up to {name} (R15)."),
)
NONE_LEFT = (mark("You have no officer left to seat (R7)."), mark("You have no sailor left to seat (R7)."))
NONE_ABOARD = (mark("You have no officer {aboard} (R26)."), mark("You have no sailor {aboard} (R26)."))


def refusal(view: View, action: int, say: Say) -> str:
    """Why the action is not allowed now, with the paragraph of RULES.md; an empty text if it is allowed."""
    t = view.table
    verb, places = view.game.actions.action(action)
    if verb == "start":
        return say("The start player is drawn by lot (R5).")
    if t.phase == OVER:
        return say("The match is over: no boat is at sea (R30).")
    if view.seat is None:
        return say("You are watching: only the players at the table act (R1).")
    if t.phase not in PHASES_OF[verb]:
        return say(OTHER_TIME[verb])
    if t.phase in BALLOTS:
        return _why_no_vote(t, view.seat, places[0], say)
    if t.turn != view.seat:
        message = OTHER_CHOOSES[_reason(t.ballot)] if t.phase in CHOICES else OTHER_TURN[t.phase]
        return say(message, name=say.name(t.turn))
    return _REASONS[verb](t, view.seat, places, say)


def _why_no_vote(t: Any, seat: int, card: int, say: Say) -> str:
    if not t.voters >> seat & 1:
        return say("Only those with a man {aboard} vote (R18).", aboard=_aboard(t.target - 1, say))
    if t.voted >> seat & 1:
        return say("You have voted, and a card played is not taken back (R9).")
    if card == CAPTAIN - 1:
        return "" if t.captains[seat] else say("You have played all your captains (R12).")
    return _why_not_votable(t, card, say)


def _why_not_votable(t: Any, colour: int, say: Say) -> str:
    """R10, R20."""
    if not t.target:
        return _why_not_at_sea(t, colour, say)
    if colour == BLACK:
        return say("The black boat is nobody's: there are no black men (R20).")
    if any(t.boats[t.target - 1].crew[colour]):
        return ""
    parts = {"colour": say(COLOUR[colour]), "aboard": _aboard(t.target - 1, say)}
    return _capital(say("{colour} has no man {aboard}: only a colour aboard may be named (R20).", **parts))


def _why_not_at_sea(t: Any, boat: int, say: Say) -> str:
    at, name = t.boats[boat].at, _boat(boat, say)
    if at == ASIDE:
        return _capital(say("{boat} takes no part in this match (R1, R10).", boat=name))
    if at == ASHORE:
        return _capital(say("{boat} has reached its island and is out of play (R10, R24).", boat=name))
    return _capital(say("{boat} lies on the bottom of the sea (R10, R22).", boat=name)) if at == SUNK else ""


def _why_no_seat(t: Any, boat: int, say: Say) -> str:
    if t.boats[boat].at != SEA:
        return _why_not_at_sea(t, boat, say)
    return "" if _has_seat(t, boat) else _capital(say("{boat} has no free seat (R8).", boat=_boat(boat, say)))


def _why_not_lane(t: Any, seat: int, places: Places, say: Say) -> str:
    lane = places[0] + 1
    for place, boat in enumerate(t.boats):
        if boat.lane == lane:
            return say("Lane {lane} is taken: {boat} is there (R6).", lane=lane, boat=_boat(place, say))
    return ""


def _why_not_crew(t: Any, seat: int, places: Places, say: Say) -> str:
    rank, boat = places
    return _why_no_seat(t, boat, say) if t.unseated[seat][rank] else say(NONE_LEFT[rank])


def _why_not_choose(t: Any, seat: int, places: Places, say: Say) -> str:
    if t.ballot.candidates >> places[0] & 1:
        return ""
    tied = _colours(_members(t.ballot.candidates), say)
    return _why_not_votable(t, places[0], say) or say("Only the tied may be chosen: {colours} (R15).", colours=tied)


def _why_not_leave(t: Any, seat: int, places: Places, say: Say) -> str:
    rank, boat = places
    for other in _waiting(t):
        if t.behind[other] == boat + 1:
            parts = {"name": say.name(other), "boat": _boat(boat, say)}
            return _capital(say("{boat} was left by a man of {name}; only one may leave it (R27).", **parts))
    if t.boats[boat].at != SEA:
        return _why_not_at_sea(t, boat, say)
    return "" if t.boats[boat].crew[seat][rank] else say(NONE_ABOARD[rank], aboard=_aboard(boat, say))


def _why_not_board(t: Any, seat: int, places: Places, say: Say) -> str:
    if t.behind[seat] == places[0] + 1:
        return say("Your man has just left {boat} and may not return to it (R28).", boat=_boat(places[0], say))
    return _why_no_seat(t, places[0], say)


_REASONS: dict[str, Callable[[Any, int, Places, Say], str]] = {
    "lane": _why_not_lane,
    "crew": _why_not_crew,
    "choose": _why_not_choose,
    "leave": _why_not_leave,
    "board": _why_not_board,
}

# Scoring


def scoring(view: View, seat: int, say: Say) -> list[tuple[str, int]]:
    """How each point of a seat was made: R31; and at the end, what a tie came to: R32, worth 0 points."""
    lines = [
        (_score_line(island, rank, count, say), count * POINTS[island][rank])
        for island, ranks in enumerate(view.table.ashore[seat])
        for rank, count in enumerate(ranks)
        if count
    ]
    tie = _tie_line(view, seat, say) if view.table.phase == OVER else None
    return [*(lines or [(say("No man reached an island."), 0)]), *([(tie, 0)] if tie else [])]


def _score_line(island: int, rank: int, count: int, say: Say) -> str:
    parts = {"where": say(ON_ISLAND[island]), "points": POINTS[island][rank]}
    if rank == OFFICER:
        return say.many(
            "{count} officer {where} for {points}", "{count} officers {where} for {points} each", count, **parts
        )
    return say.many("{count} sailor {where} for {points}", "{count} sailors {where} for {points} each", count, **parts)


def _tie_line(view: View, seat: int, say: Say) -> str | None:
    points, _ = _standing(view)
    equal = [other for other in range(view.table.players) if other != seat and points[other] == points[seat]]
    if not equal:
        return None
    names, arrival = _names(equal, say), view.table.boats[seat].arrival
    boat = _boat(seat, say)
    if arrival:
        return say("Level with {names}; {boat} arrived as number {number}.", names=names, boat=boat, number=arrival)
    return say("Level with {names}; {boat} sank.", names=names, boat=boat)


# The table as text

PHASE = (
    mark("the lot"),
    mark("placing the boats"),
    mark("placing the black boat"),
    mark("seating the men"),
    mark("ballot for the leak"),
    mark("choosing the boat for the leak"),
    mark("ballot on who goes overboard ({boat})"),
    mark("choosing who goes overboard ({boat})"),
    mark("ballot for the move"),
    mark("choosing the boat that moves"),
    mark("leaving the boats"),
    mark("boarding the boats"),
    mark("the end"),
)
LAST_BALLOT = (
    "",
    mark("Last ballot (leak): {votes}. Chosen: {colour}."),
    mark("Last ballot (overboard): {votes}. Chosen: {colour}."),
    mark("Last ballot (move): {votes}. Chosen: {colour}."),
)
OPEN_BALLOT = (
    "",
    mark("Last ballot (leak): {votes}. Not decided yet."),
    mark("Last ballot (overboard): {votes}. Not decided yet."),
    mark("Last ballot (move): {votes}. Not decided yet."),
)
LETTER = (mark("O"), mark("s"))
LONGEST_NAME = 12
WIDTH = 100


def table(view: View, say: Say) -> list[str]:
    """The table as text, without colour: at most 100 columns and 30 lines."""
    t = view.table
    lines = [_headline(t, say), "", *_columns(_lane_rows(t, say)), "", *_columns(_player_rows(view, say)), ""]
    notes = [_legend(say)]
    if t.ballots:
        notes.append(_last_ballot(t.ballot, say))
    if view.seat is not None:
        notes.append(say("You are player {number}, {colour}.", number=view.seat + 1, colour=say(COLOUR[view.seat])))
    if view.hand and view.hand.card == CAPTAIN:
        notes.append(say("Your card, face down: a captain."))
    elif view.hand and view.hand.card:
        notes.append(say("Your card, face down: {colour}.", colour=say(COLOUR[view.hand.card - 1])))
    return lines + [line for note in notes for line in textwrap.wrap(note, WIDTH)]


def _headline(t: Any, say: Say) -> str:
    phase = say(PHASE[t.phase], boat=_boat(_boat_of_prompt(t), say))
    if not t.rounds:
        return say("Before the first round: {phase}", phase=phase)
    return say("Round {round}: {phase}", round=t.rounds, phase=phase)


def _legend(say: Say) -> str:
    parts = {"officer": say(LETTER[OFFICER]), "sailor": say(LETTER[SAILOR])}
    return say("{officer} officer, {sailor} sailor, # leak, . free seat, * start player, > to play", **parts)


def _columns(rows: list[list[str]]) -> list[str]:
    """Rows of cells under one another; the first row has the headings."""
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def _lane_rows(t: Any, say: Say) -> list[list[str]]:
    head = [say("Lane"), say("Way"), say("Island"), say("Boat"), say("In the seats")]
    return [head, *(_lane_row(t, lane, say) for lane in range(1, LANES + 1))]


def _lane_row(t: Any, lane: int, say: Say) -> list[str]:
    island = _island(t, lane)
    officer, sailor = POINTS[island]
    letters = [say(letter) for letter in LETTER]
    values = f"{officer}{letters[OFFICER]} {sailor}{letters[SAILOR]}"
    name = f"{say(ISLAND[island])} {values}"
    for place, boat in enumerate(t.boats):
        if boat.lane == lane:
            return [str(lane), _way(t, boat), name, say(COLOUR[place]), _seats(t, boat, letters, say)]
    return [str(lane), _way(t, None), name, "", ""]


def _way(t: Any, boat: Any) -> str:
    """The waves of a lane and its island, with the boat in it or the place where it sank."""
    waves = ["~"] * t.moves + [" "]
    if boat:
        waves[boat.row] = "x" if boat.at == SUNK else ">"
    return f"{' '.join(waves[:-1])} [{waves[-1]}]"


def _seats(t: Any, boat: Any, letters: list[str], say: Say) -> str:
    if boat.at == ASHORE:
        return say("arrived as number {number}", number=boat.arrival)
    if boat.at == SUNK:
        return say("sunk")
    men = [
        f"{seat + 1}{letters[rank]}"
        for seat, crew in enumerate(boat.crew)
        for rank in (0, 1)
        for _ in range(crew[rank])
    ]
    free = t.seats - len(men) - boat.leaks
    return " ".join([*men, *["#"] * boat.leaks, *["."] * free])


def _player_rows(view: View, say: Say) -> list[list[str]]:
    t = view.table
    points, owing = _standing(view)[0], _owing(t)
    islands = [say(island) for island in ISLAND]
    head = ["", say("Player"), say("Boat"), say("Captains"), _heading(t, say), *islands, say("Lost"), say("Points")]
    return [head, *(_player_row(t, seat, seat in owing, points[seat], say) for seat in range(t.players))]


def _heading(t: Any, say: Say) -> str:
    """What the column in the middle shows in this phase."""
    if t.phase <= CREW:
        return say("To seat")
    return say("Outside") if t.phase in (LEAVE, BOARD) else say("Ballot")


def _player_row(t: Any, seat: int, owing: bool, points: int, say: Say) -> list[str]:
    letters = [say(letter) for letter in LETTER]
    name = f"{seat + 1} {say.name(seat)[:LONGEST_NAME]}{' *' if seat == t.starter and t.phase != LOT else ''}"
    men = [_letters(ranks, letters) for ranks in (*t.ashore[seat], t.lost[seat])]
    now = _now(t, seat, letters, say)
    return [">" if owing else " ", name, say(COLOUR[seat]), str(t.captains[seat]), now, *men, str(points)]


def _now(t: Any, seat: int, letters: list[str], say: Say) -> str:
    if t.phase <= CREW:
        return _letters(t.unseated[seat], letters)
    if t.behind[seat]:
        return f"{letters[t.behind_rank[seat]]} ({say(COLOUR[t.behind[seat] - 1])})"
    return say("voted") if t.voted >> seat & 1 else ""


def _letters(ranks: Sequence[int], letters: list[str]) -> str:
    return "".join(map(str.__mul__, letters, ranks))


def _last_ballot(ballot: Any, say: Say) -> str:
    votes = _votes(ballot, say)
    if not ballot.chosen:
        return say(OPEN_BALLOT[ballot.kind], votes=votes)
    return say(LAST_BALLOT[ballot.kind], votes=votes, colour=say(COLOUR[ballot.chosen - 1]))


# Options, and the shelf

OPTION = {
    "players": (mark("Players"), mark("Three to six.")),
    "seats": (
        mark("Seats in a boat"),
        mark("Six in the published game. More seats make room for leaks, and fewer men drown."),
    ),
    "moves": (mark("Moves to the islands"), mark("Three in the published game. More moves, more rounds, more leaks.")),
    "islands": (
        mark("Lanes of the islands"),
        mark("How many lanes lead to the left, the middle and the right island: 2, 2 and 3 in the published game."),
    ),
    "last_boat_stays": (
        mark("The last boat stays together"),
        mark(
            "By the rulebook a man must leave even the last boat, and drowns, for there is no other. "
            "Switched on, nobody leaves while a single boat is at sea."
        ),
    ),
}
VALUE = {
    "2-2-3": mark("2, 2, 3 lanes"),
    "2-3-2": mark("2, 3, 2 lanes"),
    "3-2-2": mark("3, 2, 2 lanes"),
    "off": mark("off"),
    "on": mark("on"),
}


def option(name: str, say: Say) -> tuple[str, str]:
    """The title of an option, and what it changes."""
    title, explanation = OPTION[name]
    return say(title), say(explanation)


def value(name: str, word: str, say: Say) -> str:
    """The name of one value of an option."""
    return say(VALUE[word]) if word in VALUE else word


def about(say: Say) -> str:
    """The game in a sentence or two."""
    return say(
        "The ship is lost, the boats are leaking. In secret ballots you decide together which boat takes a leak, "
        "who goes overboard and which boat rows on to the islands: promise what you like, and keep your captains."
    )
