"""The words of talk: where the expeditions go, and which places one says one looks for."""

from collections.abc import Collection

from tavola.core import verb
from tavola.games.expedition.components import Seen
from tavola.games.expedition.network import PLACES
from tavola.games.expedition.words.nouns import VOCABULARY
from tavola.show.speech import mark, marks
from tavola.show.talk import Fact, Forms, Kind, Known, Talk, Topic
from tavola.show.words import members_of

ARROW = Topic(
    "arrow",
    Forms(
        *marks(
            "I lay {colour:arrow}, {way}",
            "I do not lay {colour:arrow}, {way}",
            "lay {colour:arrow}, {way}",
            "do not lay {colour:arrow}, {way}",
        )
    ),
    holes={"colour": mark("an arrow"), "way": mark("wherever it goes")},
)
REMOVE = Topic(
    "remove",
    Forms(
        *marks(
            "I take away the last arrow {colour:of}",
            "I do not take away the last arrow {colour:of}",
            "take away the last arrow {colour:of}",
            "do not take away the last arrow {colour:of}",
        )
    ),
    holes={"colour": mark("of any expedition")},
)
VOUCHER = Topic(
    "voucher",
    Forms(
        *marks(
            "I play a voucher for one more arrow",
            "I play no voucher for one more arrow",
            "play a voucher for one more arrow",
            "play no voucher for one more arrow",
        )
    ),
)
SEEK = Fact(
    verb("seek", place=PLACES),
    Forms(
        *marks(
            "I hold the card of {place}",
            "I do not hold the card of {place}",
            "you hold the card of {place}",
            "you do not hold the card of {place}",
        )
    ),
)


def true_facts(view: Seen) -> Collection[Known]:
    return [Known("seek", (place,)) for place in members_of(view.hand.cards)] if view.hand else []


TALK = Talk(
    kinds=(Kind((ARROW, REMOVE, VOUCHER), beside=("done",), whole_turn=True),),
    vocabulary=VOCABULARY,
    facts=(SEEK,),
    true_facts=true_facts,
)
