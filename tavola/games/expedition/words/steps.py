"""How an action is chosen a step at a time: the questions, and words short enough for a phone's buttons."""

from collections import Counter
from functools import lru_cache

from tavola.games.expedition.components import ACTIONS, ARROW, COLOUR_COUNT, Seen
from tavola.games.expedition.network import ENDS, ORIGIN, SPOT_OF_POINT, WAY_COUNT
from tavola.games.expedition.places import place_name, region_name, region_of
from tavola.games.expedition.words.actions import action
from tavola.games.expedition.words.nouns import COLOUR, VOCABULARY
from tavola.show.speech import Say, mark
from tavola.show.words import Places

MANY = 8
"""So many are offered at once: of more the region is asked for first."""
PART = 24
"""Characters on a button."""
ASK = {
    "arrow": mark("Lay an arrow: of which expedition?"),
    "remove": mark("A voucher: take which last arrow away?"),
    "exchange": mark("A voucher: exchange which card?"),
    "token": mark("Place a token: where?"),
    "keep": mark("Which card do you keep?"),
}
BEGIN = {
    "token": mark("A token"),
    "arrow": mark("An arrow"),
    "voucher": mark("One more arrow"),
    "remove": mark("Take one away"),
    "exchange": mark("Exchange a card"),
    "keep": mark("A card"),
}
"""What stands for a verb beside others; before those of a voucher there is its sign."""


def part(view: Seen, verb: str, argument: str, place: int, say: Say) -> str:
    """One value of an argument, for a button."""
    return _exit(view, place, say) if argument == "way" else VOCABULARY.part(view, verb, argument, place, say)


def ask(view: Seen, verb: str, argument: str, chosen: Places, say: Say) -> str:
    """The question for the next argument of a verb."""
    if argument == "way":
        return say("{colour:The} goes where?", colour=COLOUR(chosen[0], say)) if chosen else say("Where to?")
    return say(ASK[verb]) if verb in ASK else say("Which card?")


def begin(view: Seen, verb: str, say: Say) -> str:
    """What stands for a verb where several are open."""
    return say(BEGIN[verb]) if verb in BEGIN else action(view, ACTIONS.first[verb], say)


def leads(view: Seen, number: int, step: int, say: Say) -> list[tuple[str, str]]:
    """The region of a card where there are many; where an arrow leaves its loop (R20) the region, then the point."""
    verb, places = ACTIONS.action(number)
    if verb == "arrow":
        return _to_way(view.legal, places[0], places[1], say) if step == 1 else []
    if verb not in ("token", "exchange"):
        return []
    regions, region = _regions(view.legal, verb), region_of(places[0] + 1)
    if sum(regions.values()) <= MANY or regions[region] == 1:
        return []
    return [(ask(view, verb, "place", (), say), region_name(region, say))]


def _to_way(legal: tuple[int, ...], colour: int, way: int, say: Say) -> list[tuple[str, str]]:
    origins, point, found = _origins(legal, colour), ENDS[way][0], []
    region = region_of(point)
    here = [spot for spot in origins if region_of(SPOT_OF_POINT.index(spot)) == region]
    if len(origins) > MANY and len(here) > 1:
        found.append(region_name(region, say))
    if len(origins) > 1 and origins[int(ORIGIN[way])] > 1:
        found.append(place_name(point, say))
    question = say("{colour:The} goes on: from where?", colour=COLOUR(colour, say))
    return [(question, word) for word in found]


def _exit(view: Seen, way: int, say: Say) -> str:
    """A way on a button: where it leads, and where that cannot have been said before also where it leaves."""
    origin, target = ENDS[way]
    told = place_name(target, say)
    for colour in range(COLOUR_COUNT):
        origins = _origins(view.legal, colour)
        if len(origins) > 1 and origins[int(ORIGIN[way])] == 1:
            told = say("{origin} → {target}", origin=place_name(origin, say), target=place_name(target, say))
    return told if len(told) <= PART else f"{told[: PART - 1]}…"


@lru_cache(maxsize=64)
def _origins(legal: tuple[int, ...], colour: int) -> Counter[int]:
    """How many ways an expedition may take now, by the spots they leave."""
    first = ARROW + colour * WAY_COUNT
    return Counter(int(ORIGIN[number - first]) for number in legal if 0 <= number - first < WAY_COUNT)


@lru_cache(maxsize=64)
def _regions(legal: tuple[int, ...], verb: str) -> Counter[str]:
    """How many cards a verb may name now, by region."""
    actions = [ACTIONS.action(number) for number in legal]
    return Counter(region_of(found.places[0] + 1) for found in actions if found.verb == verb)
