"""The words of talk: whom one's fairies leave in peace, and what one says one holds."""

from collections.abc import Collection

from tavola.core import verb
from tavola.games.fairies.components import TREASURES, WAND_COUNT, WANDS, Seen
from tavola.games.fairies.words.nouns import VOCABULARY
from tavola.show.speech import mark, marks
from tavola.show.talk import Fact, Forms, Kind, Known, Talk, Topic
from tavola.show.words import members_of

GREEN = Topic(
    "green",
    Forms(
        *marks(
            "my green fairy steals from {seat}",
            "my green fairy does not steal from {seat}",
            "let your green fairy steal from {seat}",
            "do not let your green fairy steal from {seat}",
        )
    ),
)
BLUE = Topic(
    "blue",
    Forms(
        *marks(
            "my blue fairy takes {half} from {seat}",
            "my blue fairy does not take {half} from {seat}",
            "let your blue fairy take {half} from {seat}",
            "do not let your blue fairy take {half} from {seat}",
        )
    ),
    holes={"half": mark("a card")},
)
RED = Topic(
    "red",
    Forms(
        *marks(
            "my red fairy takes {shield}",
            "my red fairy does not take {shield}",
            "let your red fairy take {shield}",
            "do not let your red fairy take {shield}",
        )
    ),
)
COVER = Topic(
    "cover",
    Forms(
        *marks(
            "my three fairies cover {fairy} of {seat}",
            "my three fairies do not cover {fairy} of {seat}",
            "let your three fairies cover {fairy} of {seat}",
            "do not let your three fairies cover {fairy} of {seat}",
        )
    ),
    holes={"fairy": mark("a fairy")},
)
HEAL = Topic(
    "heal", Forms(*marks("I heal the King", "I do not heal the King", "heal the King", "do not heal the King"))
)
TURN = Kind(
    (GREEN, BLUE, RED, COVER, HEAL),
    beside=("done", "lay", "joker", "return", "use", "wake", "turn", "look", "take", "leave", "crown"),
    whole_turn=True,
)
HOLD = Fact(
    verb("hold", card=(*WANDS, *TREASURES)),
    Forms(*marks("I hold {card}", "I do not hold {card}", "you hold {card}", "you do not hold {card}")),
)


def true_facts(view: Seen) -> Collection[Known]:
    """The cards in the seat's hand."""
    if view.hand is None:
        return []
    wands = [card for card, count in enumerate(view.hand.wands) if count]
    return [Known("hold", (card,)) for card in (*wands, *(WAND_COUNT + king for king in members_of(view.hand.kings)))]


TALK = Talk(kinds=(TURN,), vocabulary=VOCABULARY, facts=(HOLD,), true_facts=true_facts)
