"""The words of talk: what the people of the boats promise each other."""

from tavola.games.lifeboats.components import CAPTAIN, Seen
from tavola.games.lifeboats.words.nouns import VOCABULARY
from tavola.show.speech import mark, marks
from tavola.show.talk import Forms, Kind, Known, Revealed, Talk, Topic

PLAY_A_CAPTAIN = Forms(*marks("I play a captain", "I play no captain", "play a captain", "play no captain"))
MAN_OR_BOAT = {"rank": mark("a man"), "boat": mark("in a boat")}
VOTE = Topic(
    "vote",
    Forms(
        *marks(
            "I vote {ballot:colour}",
            "I do not vote {ballot:colour}",
            "vote {ballot:colour}",
            "do not vote {ballot:colour}",
        )
    ),
    instead={CAPTAIN - 1: PLAY_A_CAPTAIN},
)
CHOOSE = Topic(
    "choose",
    Forms(
        *marks(
            "I choose {colour:colour}",
            "I do not choose {colour:colour}",
            "choose {colour:colour}",
            "do not choose {colour:colour}",
        )
    ),
)
CREW = Topic(
    "crew",
    Forms(
        *marks(
            "I seat {rank} {boat:aboard}",
            "I do not seat {rank} {boat:aboard}",
            "seat {rank} {boat:aboard}",
            "do not seat {rank} {boat:aboard}",
        )
    ),
    holes=MAN_OR_BOAT,
)
LEAVE = Topic(
    "leave",
    Forms(
        *marks(
            "I take {rank} out: {boat}",
            "I do not take {rank} out: {boat}",
            "take {rank} out: {boat}",
            "do not take {rank} out: {boat}",
        )
    ),
    holes={"rank": mark("a man")},
)
BOARD = Topic("board", Forms(*marks("I board {boat}", "I do not board {boat}", "board {boat}", "do not board {boat}")))
LANE = Topic(
    "lane",
    Forms(*marks("I take lane {lane}", "I do not take lane {lane}", "take lane {lane}", "do not take lane {lane}")),
)


def revealed(before: Seen, after: Seen) -> Revealed:
    """The cards of a ballot, once they are turned up: R9."""
    if after.table.ballots == before.table.ballots:
        return {}
    cards = after.table.ballot.cards
    return {seat: [Known("vote", (card - 1,))] for seat, card in enumerate(cards) if card}


TALK = Talk(
    kinds=tuple(Kind((topic,)) for topic in (VOTE, CHOOSE, CREW, LEAVE, BOARD, LANE)),
    vocabulary=VOCABULARY,
    revealed=revealed,
)
