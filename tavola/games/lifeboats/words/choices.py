"""The texts of Lifeboats' actions: buttons and questions, refusals by paragraph of RULES.md, and promises."""

from tavola.games.lifeboats.components import BALLOTS, BLACK, CAPTAIN, CHOICES, At, Hand, Phase, Seen, Table
from tavola.games.lifeboats.faults import eligible
from tavola.games.lifeboats.words import nouns
from tavola.show.speech import Say, mark
from tavola.show.talk import Forms, Kind, Known, Revealed, Talk, Topic
from tavola.show.words import Indices, Part, Refusals, members_of, phases_of

ACTION = {
    "start": mark("By lot: {seat} begins"),
    "lane": mark("Lane {lane}, to {island}"),
    "crew": mark("Put {rank} {boat:aboard}"),
    "leave": mark("Take {rank} off {boat}"),
    "board": mark("Board {boat}"),
    "vote": mark("Vote {boat:colour}"),
    "choose": mark("Choose {boat:colour}"),
}
ABOUT_A_BOAT: dict[int, str] = {
    Phase.LEAK_BALLOT: mark("Vote {boat:colour} for the leak"),
    Phase.MOVE_BALLOT: mark("Vote {boat:colour} to move"),
    Phase.LEAK_CHOICE: mark("Give the leak to {boat}"),
    Phase.MOVE_CHOICE: mark("Move {boat}"),
}
ABOUT_A_MAN: dict[int, str] = {
    Phase.OVERBOARD_BALLOT: mark("Vote against {name} ({boat:colour})"),
    Phase.OVERBOARD_CHOICE: mark("Send {name}’s man overboard ({boat:colour})"),
}
ASK = {
    ("start", "seat"): mark("Who begins?"),
    ("lane", "lane"): mark("Which lane?"),
    ("crew", "rank"): mark("Who boards?"),
    ("crew", "boat"): mark("Which boat?"),
    ("leave", "rank"): mark("Who changes boats?"),
    ("leave", "boat"): mark("From which boat?"),
    ("board", "boat"): mark("Which boat?"),
}
LANE_FOR: dict[int, str] = {
    Phase.BOATS: mark("Which lane for your {boat:colour} boat?"),
    Phase.BLACK_BOAT: mark("Which lane for {boat}?"),
}
QUESTION: dict[int, str] = {
    **dict.fromkeys(Phase, mark("Which boat springs a leak?")),
    **dict.fromkeys((Phase.OVERBOARD_BALLOT, Phase.OVERBOARD_CHOICE), mark("Who goes overboard?")),
    **dict.fromkeys((Phase.MOVE_BALLOT, Phase.MOVE_CHOICE), mark("Which boat moves?")),
}
"""Question of a ballot, and of the choice after it."""
BEFORE = (Part(mark("Boats"), (Phase.LOT, Phase.BOATS, Phase.BLACK_BOAT)), Part(mark("Men"), (Phase.CREW,)))
ROUND = (
    Part(mark("Leak"), (Phase.LEAK_BALLOT, Phase.LEAK_CHOICE)),
    Part(mark("Overboard"), (Phase.OVERBOARD_BALLOT, Phase.OVERBOARD_CHOICE)),
    Part(mark("Move"), (Phase.MOVE_BALLOT, Phase.MOVE_CHOICE)),
    Part(mark("Change boats"), (Phase.LEAVING, Phase.BOARDING)),
)
phases = phases_of(BEFORE, ROUND)


def action(view: Seen, action: int, say: Say) -> str:
    verb, places = view.game.actions.action(action)
    if verb in ("vote", "choose"):
        return _vote_label(view, verb, places, say)
    more = {"island": nouns.ISLAND(nouns.island_of(view.table, places[0] + 1), say)} if verb == "lane" else {}
    return nouns.VOCABULARY.action_sentence(ACTION, view, action, say, **more)


def _vote_label(view: Seen, verb: str, places: Indices, say: Say) -> str:
    t, colour = view.table, places[0]
    if colour == CAPTAIN - 1:
        left = 0 if view.seat is None else t.captains[view.seat]
        return say.many("Play a captain ({count} left)", "Play a captain ({count} left)", left)
    boat, now = nouns.BOAT(colour, say), t.phase in {"vote": BALLOTS, "choose": CHOICES}[verb]
    if now and t.phase in ABOUT_A_BOAT:
        return say(ABOUT_A_BOAT[t.phase], boat=boat)
    if now and t.phase == Phase.OVERBOARD_BALLOT and colour == view.seat:
        return say("Vote against your own man ({boat:colour})", boat=boat)
    if now and colour < t.players:
        return say(ABOUT_A_MAN[t.phase], name=say.name(colour), boat=boat)
    return say(ACTION[verb], boat=boat)


def choices_key(view: Seen) -> tuple[int, ...]:
    """Return what else a label depends on: the captains left, and the seat if it can vote against itself."""
    t, seat = view.table, view.seat or 0
    return t.phase, t.captains[seat], seat if t.phase == Phase.OVERBOARD_BALLOT else 0


def argument_label(view: Seen, verb: str, argument: str, place: int, say: Say) -> str:
    """Return the label of a value, for a button; players who can go overboard are named."""
    if view.table.phase in ABOUT_A_MAN and argument in ("ballot", "colour") and place < view.table.players:
        return say.name(place)
    return nouns.VOCABULARY.value_label(view, verb, argument, place, say)


def ask(view: Seen, verb: str, argument: str, chosen: Indices, say: Say) -> str:
    if verb == "lane" and view.table.phase in LANE_FOR:
        return say(LANE_FOR[view.table.phase], boat=nouns.BOAT(nouns.boat_in_question(view.table), say))
    return say(ASK.get((verb, argument), QUESTION[view.table.phase]))


def chapter(view: Seen, say: Say) -> str:
    return say("Round {round}", round=view.table.rounds) if view.table.rounds else say("Before the first round")


# Refusals

OTHER_TURN: dict[int, str] = {
    Phase.BOATS: mark("Boats are placed in turn. It’s {name}’s turn (R6)."),
    Phase.BLACK_BOAT: mark("The start player places the black boat. It’s {name}’s turn (R6)."),
    Phase.CREW: mark("Men are seated in turn. It’s {name}’s turn (R7)."),
    Phase.LEAVING: mark(
        "Players take a man off a boat in turn, clockwise from the start player. It’s {name}’s turn (R26)."
    ),
    Phase.BOARDING: mark("Men board in reverse order of leaving. It’s {name}’s turn (R28)."),
}
OTHER_CHOOSES = (
    mark("{name} played the only captain and decides (R11)."),
    mark("Only captains were played, so the start player decides. It’s up to {name} (R13)."),
    mark("The votes are tied, so the start player decides. It’s up to {name} (R15)."),
)
ELSEWHERE: dict[int, str] = {
    At.ASIDE: mark("{boat:The} isn’t in this match (R1, R10)."),
    At.ASHORE: mark("{boat:The} has reached its island and is out of play (R10, R24)."),
    At.SUNK: mark("{boat:The} has sunk (R10, R22)."),
    At.SEA: mark("{boat:The} is full. Choose another boat (R8)."),
}


def _others(view: Seen, say: Say) -> str:
    t = view.table
    if t.phase in BALLOTS:
        return ""
    message = OTHER_CHOOSES[nouns.choice_reason(t.ballot)] if t.phase in CHOICES else OTHER_TURN[t.phase]
    return say(message, name=say.name(t.turn))


def _vote(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    card = places[0]
    if not t.voters >> seat & 1:
        return say("Only players with a man {boat:aboard} can vote (R18).", boat=nouns.BOAT(t.target - 1, say))
    if t.voted >> seat & 1:
        return say("You’ve already voted, and you can’t take a card back (R9).")
    if card == CAPTAIN - 1:
        return say("You’ve played all your captains (R12).")
    return _not_votable(t, card, say)


def _not_votable(t: Table, colour: int, say: Say) -> str:
    """R10, R20."""
    boat = nouns.BOAT(colour, say)
    if not t.target:
        return say(ELSEWHERE[t.boats[colour].at], boat=boat)
    if colour == BLACK:
        return say("The black boat has no men of its own. Choose another colour (R20).")
    parts = {"colour": boat, "boat": nouns.BOAT(t.target - 1, say)}
    return say("{colour:Colour} has no man {boat:aboard}. Choose a colour that does (R20).", **parts)


def _lane(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    lane = places[0] + 1
    there = next(place for place, boat in enumerate(t.boats) if boat.lane == lane)
    return say("Lane {lane} is taken by {boat}. Choose another lane (R6).", lane=lane, boat=nouns.BOAT(there, say))


def _crew(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    rank, boat = places
    if not t.unseated[t.turn][rank]:
        return say("You have {rank:no} left to seat (R7).", rank=nouns.MAN(rank, say))
    return say(ELSEWHERE[t.boats[boat].at], boat=nouns.BOAT(boat, say))


def _choose(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    colour = places[0]
    if not eligible(t) >> colour & 1:
        return _not_votable(t, colour, say)
    tied = nouns.colours(members_of(t.ballot.candidates), say)
    return say("It’s a tie. Choose one of these: {colours} (R15).", colours=tied)


def _leave(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    rank, boat = places
    parts: dict[str, object] = {"boat": nouns.BOAT(boat, say), "rank": nouns.MAN(rank, say)}
    if boat + 1 in t.behind:
        parts["name"] = say.name(t.behind.index(boat + 1))
        return say("One of {name}’s men has already left {boat}. Only one man can leave each boat (R27).", **parts)
    if t.boats[boat].at != At.SEA:
        return say(ELSEWHERE[t.boats[boat].at], **parts)
    return say("You have {rank:no} {boat:aboard} (R26).", **parts)


def _board(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    boat = nouns.BOAT(places[0], say)
    if t.behind[t.turn] == places[0] + 1:
        return say("Your man has just left {boat}. Choose another boat for him (R28).", boat=boat)
    return say(ELSEWHERE[t.boats[places[0]].at], boat=boat)


refusal = Refusals(
    chance={"start": mark("The start player is chosen at random (R5).")},
    over=lambda view, say: say("The match is over: no boat is left at sea (R30)."),
    over_phase=Phase.OVER,
    others=_others,
    when={
        "lane": (
            (Phase.BOATS, Phase.BLACK_BOAT),
            mark("Boats are placed before the first round and then stay in their lanes (R6, R25)."),
        ),
        "crew": ((Phase.CREW,), mark("Men are seated before the first round, once all boats are placed (R7).")),
        "vote": (BALLOTS, mark("There’s no vote right now (R9).")),
        "choose": (
            CHOICES,
            mark("There’s nothing to choose right now. A choice follows only a captain or a tie (R11, R15)."),
        ),
        "leave": ((Phase.LEAVING,), mark("You can take men off boats only in phase 3 of a round (R26).")),
        "board": (
            (Phase.BOARDING,),
            mark("Men board in phase 3 of a round, once all who are leaving have left (R28)."),
        ),
    },
    why={"lane": _lane, "crew": _crew, "vote": _vote, "choose": _choose, "leave": _leave, "board": _board},
)


# Talk

PLAY_A_CAPTAIN = Forms("I’ll play a captain", "I won’t play a captain", "play a captain", "don’t play a captain")
VOTE = Forms(
    "I’ll vote {ballot:colour}", "I won’t vote {ballot:colour}", "vote {ballot:colour}", "don’t vote {ballot:colour}"
)
PROMISES = {
    "vote": VOTE,
    "choose": Forms(
        "I’ll choose {colour:colour}",
        "I won’t choose {colour:colour}",
        "choose {colour:colour}",
        "don’t choose {colour:colour}",
    ),
    "crew": Forms(
        "I’ll put {rank} {boat:aboard}",
        "I won’t put {rank} {boat:aboard}",
        mark("put {rank} {boat:aboard}", context="request"),
        "don’t put {rank} {boat:aboard}",
    ),
    "leave": Forms(
        "I’ll take {rank} off {boat}",
        "I won’t take {rank} off {boat}",
        "take {rank} off {boat}",
        "don’t take {rank} off {boat}",
    ),
    "board": Forms(
        "I’ll board {boat}", "I won’t board {boat}", mark("board {boat}", context="request"), "don’t board {boat}"
    ),
    "lane": Forms("I’ll take lane {lane}", "I won’t take lane {lane}", "take lane {lane}", "don’t take lane {lane}"),
}
INSTEAD = {"vote": {CAPTAIN - 1: PLAY_A_CAPTAIN}}
HOLES = {"crew": {"rank": mark("a man"), "boat": mark("in a boat")}, "leave": {"rank": mark("a man")}}
TOPICS = [Topic(verb, forms, INSTEAD.get(verb, {}), HOLES.get(verb, {})) for verb, forms in PROMISES.items()]


def revealed(before: Seen, after: Seen) -> Revealed:
    """R9: return the cards of a ballot, once they are turned up."""
    if after.table.ballots == before.table.ballots:
        return {}
    return {seat: [Known("vote", (card - 1,))] for seat, card in enumerate(after.table.ballot.cards) if card}


TALK = Talk(
    kinds=tuple(Kind((topic,), followed_by="choose" if topic.verb == "vote" else "") for topic in TOPICS),
    vocabulary=nouns.VOCABULARY,
    revealed=revealed,
)
