"""The names of the components of Expedition, and the vocabulary of talk: destinations and places that seats seek."""

from collections.abc import Collection

from tavola.core import verb
from tavola.games.expedition.components import Seen, Table
from tavola.games.expedition.gazetteer import place_name
from tavola.games.expedition.network import DISTANCE, ENDS, PLACE_COUNT, PLACES, SPOT_OF_POINT, START
from tavola.show.speech import Say, mark, marks
from tavola.show.talk import Fact, Forms, Kind, Known, Talk, Topic
from tavola.show.words import Noun, Vocabulary, members_of

AWAY = tuple(map(tuple, DISTANCE.tolist()))
"""The table `DISTANCE` as integers of Python: words and pictures look up hundreds of them for every move."""

COLOUR = Noun(
    name=marks("yellow", "blue", "red"),
    the=marks("the yellow expedition", "the blue expedition", "the red expedition"),
    of=marks("of the yellow expedition", "of the blue expedition", "of the red expedition"),
    arrow=marks("a yellow arrow", "a blue arrow", "a red arrow"),
    single=marks("yellow arrow", "blue arrow", "red arrow"),
    arrows=marks("yellow arrows", "blue arrows", "red arrows"),
    short=marks("Yellow", "Blue", "Red"),
)


def spot_name(number: int, say: Say) -> str:
    return place_name(SPOT_OF_POINT.index(number), say)


def place_label(number: int, say: Say) -> str:
    return place_name(number + 1, say)


def places_text(numbers: list[int], say: Say) -> str:
    return say.listing([place_label(number, say) for number in numbers])


def way_name(number: int, say: Say) -> str:
    origin, target = ENDS[number]
    return say("{origin} → {target}", origin=place_name(origin, say), target=place_name(target, say))


def claimer_name(number: int, say: Say) -> str:
    return say.name(number - 1) if number else say("No one")


VOCABULARY = Vocabulary(place=place_label, colour=COLOUR, way=way_name, seat=claimer_name)


def goals_of(view: Seen) -> list[int]:
    """Return the private goals of the view's seat, by their numbers; in variant B the places of its tokens."""
    if view.seat is None or view.hand is None:
        return []
    t = view.table
    if t.variant_b:
        return [number for number in range(PLACE_COUNT) if t.token[number] == view.seat + 1]
    return list(members_of(view.hand.cards))


def all_goals(view: Seen) -> list[int]:
    """Return the seat's private goals and the public ones, by their numbers."""
    return [*goals_of(view), *(goal - 1 for goal in view.table.goals if goal)]


def heads(t: Table) -> list[int]:
    """Return the spots of the three expeditions; START for one that has not begun."""
    return [route.head if route.count else START for route in t.expedition]


def nearest_goal(t: Table, goals: list[int]) -> tuple[int, int, int] | None:
    """Return the goal nearest to an expedition: segments, its number, and the colour; None without goals."""
    found = [
        (AWAY[head][number + 1], number, colour)
        for colour, head in enumerate(heads(t))
        for number in goals
        if head != number + 1
    ]
    return min(found, default=None)


ARROW = Topic(
    "arrow",
    Forms(
        "I’ll place {colour:arrow} ({way})",
        "I won’t place {colour:arrow} ({way})",
        "place {colour:arrow} ({way})",
        "don’t place {colour:arrow} ({way})",
    ),
    holes={"colour": mark("an arrow"), "way": mark("anywhere")},
)
REMOVE = Topic(
    "remove",
    Forms(
        "I’ll remove the last arrow {colour:of}",
        "I won’t remove the last arrow {colour:of}",
        "remove the last arrow {colour:of}",
        "don’t remove the last arrow {colour:of}",
    ),
    holes={"colour": mark("of any expedition")},
)
VOUCHER = Topic(
    "voucher",
    Forms(
        "I’ll play a voucher for one more arrow",
        "I won’t play a voucher for one more arrow",
        "play a voucher for one more arrow",
        "don’t play a voucher for one more arrow",
    ),
)
SEEK = Fact(
    verb("seek", place=PLACES),
    Forms(
        "I have the {place} card",
        "I don’t have the {place} card",
        "you have the {place} card",
        "you don’t have the {place} card",
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
