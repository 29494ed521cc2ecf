"""The words of talk: who fights, what lies on a box, where one points, and what one says one holds."""

from collections.abc import Collection

from tavola.core import verb
from tavola.games.tournament.components import CARDS, JOKER, KIND_COUNT, Duel, Phase, Seen, Will
from tavola.games.tournament.words.nouns import VOCABULARY, value_of
from tavola.show.speech import Say, marks
from tavola.show.talk import Fact, Forms, Kind, Known, Revealed, Talk, Topic
from tavola.show.words import Vocabulary, members_of

FIGHT = Topic("fight", Forms(*marks("I fight", "I do not fight", "fight", "do not fight")))
FORFEIT = Topic(
    "forfeit", Forms(*marks("I forfeit the duel", "I do not forfeit", "forfeit the duel", "do not forfeit"))
)
EQUIP = Topic(
    "equip",
    Forms(
        *marks(
            "I fill the box of {box:the} with {value}",
            "I do not fill the box of {box:the} with {value}",
            "fill the box of {box:the} with {value}",
            "do not fill the box of {box:the} with {value}",
        )
    ),
)
POINT = Topic(
    "point",
    Forms(*marks("I point {corner:at}", "I do not point {corner:at}", "point {corner:at}", "do not point {corner:at}")),
)
BUY = Topic("buy", Forms(*marks("I buy a card", "I buy no card", "buy a card", "buy no card")))
HOLD = Fact(
    verb("hold", card=CARDS),
    Forms(*marks("I hold {card}", "I do not hold {card}", "you hold {card}", "you do not hold {card}")),
)


def box_value(place: int, say: Say) -> str:
    return str(place) if place else say("joker")


def revealed(before: Seen, after: Seen) -> Revealed:
    """R16, R19, R25: what two duellists chose is turned up when both have, their cards when all boxes are full."""
    b, a = before.table, after.table
    if a.duel.chosen or b.phase not in (Phase.BALLOT, Phase.ARMING, Phase.POINTING):
        return {}  # one of the two still chooses
    if b.phase == Phase.ARMING and b.duel.box < KIND_COUNT - 1:
        return {}  # all cards are turned up together
    for duel in (a.duel, a.last):
        told = [_told(duel, side, b.phase) for side in range(2)]
        if any(told):
            return {int(duel.seats[side]): told[side] for side in range(2) if told[side]}
    return {}


def _told(duel: Duel, side: int, phase: int) -> list[Known]:
    if phase == Phase.BALLOT:
        will = duel.wills[side]
        return [Known("fight" if will == Will.FIGHT else "forfeit", ())] if will in (Will.FIGHT, Will.FORFEIT) else []
    if phase == Phase.POINTING:
        return [Known("point", (int(duel.pointed[side]) - 1,))] if duel.pointed[side] else []
    boxes = duel.boxes[side]
    return [Known("equip", (box, value_of(card - 1))) for box, card in enumerate(boxes)] if all(boxes) else []


def true_facts(view: Seen) -> Collection[Known]:
    if view.hand is None:
        return []
    jokers = [JOKER] if view.hand.jokers else []
    return [Known("hold", (card,)) for card in (*members_of(view.hand.cards), *jokers)]


TALK = Talk(
    kinds=(Kind((FIGHT, FORFEIT)), Kind((EQUIP,)), Kind((POINT,)), Kind((BUY,), beside=("pass",))),
    vocabulary=Vocabulary(**{**VOCABULARY.arguments, "value": box_value}),
    facts=(HOLD,),
    revealed=revealed,
    true_facts=true_facts,
)
