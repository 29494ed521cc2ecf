"""Choosing a step at a time: short words for buttons, the questions above them, the phases and the log's headings."""

from tavola.core import View
from tavola.games.lifeboats.components import (
    BOARD,
    CAPTAIN,
    CREW,
    LEAK,
    LEAK_CHOICE,
    LEAVE,
    LOT,
    MOVE,
    MOVE_CHOICE,
    OVERBOARD,
    OVERBOARD_CHOICE,
    PLACE,
    PLACE_BLACK,
)
from tavola.games.lifeboats.words.phrases import Places
from tavola.show.speech import Say, mark
from tavola.show.words import Noun, Phase, Vocabulary, seat, strip

BOAT = Noun(
    short=(
        mark("Red"),
        mark("Green"),
        mark("Violet"),
        mark("Yellow"),
        mark("Blue"),
        mark("White"),
        mark("Black"),
        mark("Captain"),
    )
)
MAN = Noun(short=(mark("Officer"), mark("Sailor")))
VOCABULARY = Vocabulary(seat=seat, rank=MAN, boat=BOAT, ballot=BOAT, colour=BOAT)

ASK = {
    ("start", "seat"): mark("Who begins?"),
    ("lane", "lane"): mark("Which lane?"),
    ("crew", "rank"): mark("Whom do you seat?"),
    ("crew", "boat"): mark("In which boat?"),
    ("leave", "rank"): mark("Who leaves a boat?"),
    ("leave", "boat"): mark("Out of which boat?"),
    ("board", "boat"): mark("Aboard which boat?"),
}
ASK_OF_ALL = {
    LEAK: mark("Which boat takes the leak?"),
    OVERBOARD: mark("Who goes overboard?"),
    MOVE: mark("Which boat moves?"),
}
BEFORE = (Phase(mark("Boats"), (LOT, PLACE, PLACE_BLACK)), Phase(mark("Men"), (CREW,)))
ROUND = (
    Phase(mark("Leak"), (LEAK, LEAK_CHOICE)),
    Phase(mark("Overboard"), (OVERBOARD, OVERBOARD_CHOICE)),
    Phase(mark("Move"), (MOVE, MOVE_CHOICE)),
    Phase(mark("Change boats"), (LEAVE, BOARD)),
)


def part(view: View, verb: str, argument: str, place: int, say: Say) -> str:
    """One value of an argument, for a button; who may go overboard is called by name."""
    named = argument in ("ballot", "colour") and place < min(view.table.players, CAPTAIN - 1)
    if named and view.table.phase in (OVERBOARD, OVERBOARD_CHOICE):
        return say.name(place)
    return VOCABULARY.part(view, verb, argument, place, say)


def ask(view: View, verb: str, argument: str, chosen: Places, say: Say) -> str:
    """The question for the next argument of a verb."""
    if (verb, argument) in ASK:
        return say(ASK[verb, argument])
    phase = view.table.phase
    return say(ASK_OF_ALL.get(phase) or ASK_OF_ALL.get(phase - 1, ASK_OF_ALL[LEAK]))


def phases(view: View, say: Say) -> list[tuple[str, bool]]:
    """The parts of a round, or of what comes before the first, and which is now."""
    return strip(ROUND if view.table.rounds else BEFORE, view.table.phase, say)


def chapter(view: View, say: Say) -> str:
    """The heading under which the log groups what is done now."""
    if view.table.rounds:
        return say("Round {round}", round=view.table.rounds)
    return say("Before the first round")
