"""Choosing a step at a time: buttons, long and short, the questions above them, the phases and the log's headings."""

from tavola.games.lifeboats.components import BALLOTS, CAPTAIN, CHOICES, Phase, Seen
from tavola.games.lifeboats.words.nouns import BOAT, ISLAND, VOCABULARY, boat_in_question, island_of
from tavola.show.speech import Say, mark
from tavola.show.words import Indices, Part, phase_strip

ACTION = {
    "start": mark("The lot: {seat} begins"),
    "lane": mark("Lane {lane}, to {island}"),
    "crew": mark("Seat {rank} {boat:aboard}"),
    "leave": mark("Take {rank} out: leave {boat}"),
    "board": mark("Board {boat}"),
    "vote": mark("Vote {boat:colour}"),
    "choose": mark("Choose {boat:colour}"),
}
ABOUT_A_BOAT: dict[int, str] = {
    Phase.LEAK_BALLOT: mark("Vote for a leak: {boat}"),
    Phase.MOVE_BALLOT: mark("Vote for a move: {boat}"),
    Phase.LEAK_CHOICE: mark("Give the leak: {boat}"),
    Phase.MOVE_CHOICE: mark("Move {boat}"),
}
ABOUT_A_MAN: dict[int, str] = {
    Phase.OVERBOARD_BALLOT: mark("Vote against {name} ({boat:colour})"),
    Phase.OVERBOARD_CHOICE: mark("Overboard: {name} loses a man ({boat:colour})"),
}
ASK = {
    ("start", "seat"): mark("Who begins?"),
    ("lane", "lane"): mark("Which lane?"),
    ("crew", "rank"): mark("Whom do you seat?"),
    ("crew", "boat"): mark("In which boat?"),
    ("leave", "rank"): mark("Who leaves a boat?"),
    ("leave", "boat"): mark("Out of which boat?"),
    ("board", "boat"): mark("Aboard which boat?"),
}
LANE_FOR: dict[int, str] = {
    Phase.BOATS: mark("Which lane for your boat, {boat}?"),
    Phase.BLACK_BOAT: mark("Which lane for {boat}, nobody’s?"),
}
QUESTION: dict[int, str] = {
    **dict.fromkeys(Phase, mark("Which boat takes the leak?")),
    **dict.fromkeys((Phase.OVERBOARD_BALLOT, Phase.OVERBOARD_CHOICE), mark("Who goes overboard?")),
    **dict.fromkeys((Phase.MOVE_BALLOT, Phase.MOVE_CHOICE), mark("Which boat moves?")),
}
"""What a ballot, and the choice after it, is about."""
BEFORE = (Part(mark("Boats"), (Phase.LOT, Phase.BOATS, Phase.BLACK_BOAT)), Part(mark("Men"), (Phase.CREW,)))
ROUND = (
    Part(mark("Leak"), (Phase.LEAK_BALLOT, Phase.LEAK_CHOICE)),
    Part(mark("Overboard"), (Phase.OVERBOARD_BALLOT, Phase.OVERBOARD_CHOICE)),
    Part(mark("Move"), (Phase.MOVE_BALLOT, Phase.MOVE_CHOICE)),
    Part(mark("Change boats"), (Phase.LEAVING, Phase.BOARDING)),
)


def action(view: Seen, action: int, say: Say) -> str:
    """Return what a seat does by it, for a button."""
    verb, places = view.game.actions.action(action)
    if verb in ("vote", "choose"):
        return _vote_label(view, verb, places, say)
    more = {"island": ISLAND(island_of(view.table, places[0] + 1), say)} if verb == "lane" else {}
    return VOCABULARY.action_sentence(ACTION, view, action, say, **more)


def _vote_label(view: Seen, verb: str, places: Indices, say: Say) -> str:
    t, colour = view.table, places[0]
    if colour == CAPTAIN - 1:
        left = 0 if view.seat is None else t.captains[view.seat]
        return say.many("Play a captain ({count} left)", "Play a captain ({count} left)", left)
    boat, now = BOAT(colour, say), t.phase in {"vote": BALLOTS, "choose": CHOICES}[verb]
    if now and t.phase in ABOUT_A_BOAT:
        return say(ABOUT_A_BOAT[t.phase], boat=boat)
    if now and t.phase == Phase.OVERBOARD_BALLOT and colour == view.seat:
        return say("Vote against your own man ({boat:colour})", boat=boat)
    if now and colour < t.players:
        return say(ABOUT_A_MAN[t.phase], name=say.name(colour), boat=boat)
    return say(ACTION[verb], boat=boat)


def choices_key(view: Seen) -> tuple[int, ...]:
    """The captains that the seat has left are counted, and a vote against itself is called so."""
    t, seat = view.table, view.seat or 0
    return t.phase, t.captains[seat], seat if t.phase == Phase.OVERBOARD_BALLOT else 0


def argument_label(view: Seen, verb: str, argument: str, place: int, say: Say) -> str:
    """One value of an argument, for a button; who may go overboard is called by name."""
    if view.table.phase in ABOUT_A_MAN and argument in ("ballot", "colour") and place < view.table.players:
        return say.name(place)
    return VOCABULARY.value_label(view, verb, argument, place, say)


def ask(view: Seen, verb: str, argument: str, chosen: Indices, say: Say) -> str:
    """The question for the next argument of a verb; a lane is asked for a boat."""
    if verb == "lane" and view.table.phase in LANE_FOR:
        return say(LANE_FOR[view.table.phase], boat=BOAT(boat_in_question(view.table), say))
    return say(ASK.get((verb, argument), QUESTION[view.table.phase]))


def phases(view: Seen, say: Say) -> list[tuple[str, bool]]:
    """The parts of a round, or of what comes before the first, and which is now."""
    return phase_strip(ROUND if view.table.rounds else BEFORE, view.table.phase, say)


def chapter(view: Seen, say: Say) -> str:
    """The heading under which the log groups what is done now."""
    if view.table.rounds:
        return say("Round {round}", round=view.table.rounds)
    return say("Before the first round")
