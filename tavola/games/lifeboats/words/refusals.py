"""Tell why an action is not allowed, with the paragraph of RULES.md."""

from tavola.games.lifeboats.components import BALLOTS, BLACK, CAPTAIN, CHOICES, At, Hand, Phase, Seen, Table
from tavola.games.lifeboats.words.nouns import BOAT, MAN, choice_reason, colours, seats_behind
from tavola.show.speech import Say, mark
from tavola.show.words import Indices, Refusals, members_of

OTHER_TURN: dict[int, str] = {
    Phase.BOATS: mark("Boats are placed in turn: now it is up to {name} (R6)."),
    Phase.BLACK_BOAT: mark("The start player places the black boat: it is up to {name} (R6)."),
    Phase.CREW: mark("Men are seated in turn: now it is up to {name} (R7)."),
    Phase.LEAVING: mark("Boats are left in turn, clockwise from the start player: now it is up to {name} (R26)."),
    Phase.BOARDING: mark("Men board in the reverse order of leaving: now it is up to {name} (R28)."),
}
OTHER_CHOOSES = (
    mark("Only one captain was played: it is up to {name} (R11)."),
    mark("Every card was a captain, so the start player decides: it is up to {name} (R13)."),
    mark("The votes are tied, so the start player decides: it is up to {name} (R15)."),
)
ELSEWHERE: dict[int, str] = {
    At.ASIDE: mark("{boat:The} takes no part in this match (R1, R10)."),
    At.ASHORE: mark("{boat:The} has reached its island and is out of play (R10, R24)."),
    At.SUNK: mark("{boat:The} lies on the bottom of the sea (R10, R22)."),
    At.SEA: mark("{boat:The} has no free seat (R8)."),
}


def _others(view: Seen, say: Say) -> str:
    t = view.table
    if t.phase in BALLOTS:
        return ""
    message = OTHER_CHOOSES[choice_reason(t.ballot)] if t.phase in CHOICES else OTHER_TURN[t.phase]
    return say(message, name=say.name(t.turn))


def _vote(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    card = places[0]
    if not t.voters >> seat & 1:
        return say("Only those with a man {boat:aboard} vote (R18).", boat=BOAT(t.target - 1, say))
    if t.voted >> seat & 1:
        return say("You have voted, and a card played is not taken back (R9).")
    if card == CAPTAIN - 1:
        return say("You have played all your captains (R12).")
    return _not_votable(t, card, say)


def _not_votable(t: Table, colour: int, say: Say) -> str:
    """R10, R20."""
    boat = BOAT(colour, say)
    if not t.target:
        return say(ELSEWHERE[t.boats[colour].at], boat=boat)
    if colour == BLACK:
        return say("The black boat is nobody's: there are no black men (R20).")
    parts = {"colour": boat, "boat": BOAT(t.target - 1, say)}
    return say("{colour:Colour} has no man {boat:aboard}: only a colour aboard may be named (R20).", **parts)


def _lane(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    lane = places[0] + 1
    there = next(place for place, boat in enumerate(t.boats) if boat.lane == lane)
    return say("Lane {lane} is taken: {boat} is there (R6).", lane=lane, boat=BOAT(there, say))


def _crew(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    rank, boat = places
    if not t.unseated[t.turn][rank]:
        return say("You have {rank:no} left to seat (R7).", rank=MAN(rank, say))
    return say(ELSEWHERE[t.boats[boat].at], boat=BOAT(boat, say))


def _choose(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    colour = places[0]
    votable = colour != BLACK and any(t.boats[t.target - 1].crew[colour]) if t.target else t.boats[colour].at == At.SEA
    if not votable:
        return _not_votable(t, colour, say)
    return say("Only the tied may be chosen: {colours} (R15).", colours=colours(members_of(t.ballot.candidates), say))


def _leave(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    rank, boat = places
    parts = {"boat": BOAT(boat, say), "rank": MAN(rank, say)}
    for other in seats_behind(t):
        if t.behind[other] == boat + 1:
            name = say.name(other)
            return say("{boat:The} was left by a man of {name}; only one may leave it (R27).", name=name, **parts)
    if t.boats[boat].at != At.SEA:
        return say(ELSEWHERE[t.boats[boat].at], **parts)
    return say("You have {rank:no} {boat:aboard} (R26).", **parts)


def _board(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    boat = BOAT(places[0], say)
    if t.behind[t.turn] == places[0] + 1:
        return say("Your man has just left {boat} and may not return to it (R28).", boat=boat)
    return say(ELSEWHERE[t.boats[places[0]].at], boat=boat)


refusal = Refusals(
    chance={"start": mark("The start player is drawn by lot (R5).")},
    over=lambda view, say: say("The match is over: no boat is at sea (R30)."),
    over_phase=Phase.OVER,
    others=_others,
    when={
        "lane": (
            (Phase.BOATS, Phase.BLACK_BOAT),
            mark("Boats are placed before the first round, and stay in their lanes (R6, R25)."),
        ),
        "crew": ((Phase.CREW,), mark("Men are seated before the first round, once every boat is placed (R7).")),
        "vote": (BALLOTS, mark("No ballot is open now (R9).")),
        "choose": (CHOICES, mark("There is nothing to choose now: one chooses by a captain or in a tie (R11, R15).")),
        "leave": ((Phase.LEAVING,), mark("Men are taken out only in the third phase of a round (R26).")),
        "board": (
            (Phase.BOARDING,),
            mark("Men board in the third phase of a round, when all who leave have left (R28)."),
        ),
    },
    why={"lane": _lane, "crew": _crew, "vote": _vote, "choose": _choose, "leave": _leave, "board": _board},
)
