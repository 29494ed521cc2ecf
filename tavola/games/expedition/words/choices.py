"""Labels of actions, the questions that lead to an action step by step, and the consequences of a choice.

Questions and labels are short enough for a phone's buttons. Consequences follow from the table and the seat's own
cards: the other holder of a place's card is secret.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache, partial

from tavola.core import PlayedAction
from tavola.games.expedition.atlas import POINTS
from tavola.games.expedition.components import ACTIONS, COLOUR_COUNT, First, Phase, Seen
from tavola.games.expedition.gazetteer import place_name, region_name, region_of
from tavola.games.expedition.network import ENDS, ORIGIN, PLACE_COUNT, SPOT_OF_POINT, START, TARGET, WAY_COUNT
from tavola.games.expedition.words.nouns import (
    AWAY,
    COLOUR,
    VOCABULARY,
    all_goals,
    goals_of,
    heads,
    place_label,
    way_name,
)
from tavola.show.speech import Say, mark
from tavola.show.words import ActionMessage, Consequence, Indices, Part, phases_of, told_by_last_word

DONE_LABELS: dict[int, str] = {Phase.TOKENS: mark("Done placing"), Phase.GREEN: mark("No more arrows")}


def _token_label(view: Seen, places: Indices, say: Say) -> str:
    t, place = view.table, place_label(places[0], say)
    if t.variant_b:
        return say("{name}’s token on {place}", name=say.name((t.seat - 1) % t.players), place=place)
    return say("A token on {place}", place=place)


_ACTIONS: dict[str, ActionMessage] = {
    "deal": mark("Deal {place}"),
    "reveal": mark("Reveal {place}"),
    "claim": lambda view, places, say: (
        say("{name} plays the card", name=say.name(places[0] - 1)) if places[0] else say("No one has the card")
    ),
    "token": _token_label,
    "arrow": mark("{colour:short}: {way}"),
    "voucher": mark("Voucher: one more arrow"),
    "remove": mark("Voucher: remove the last arrow {colour:of}"),
    "exchange": mark("Voucher: exchange {place}"),
    "keep": mark("Keep {place}"),
    "done": lambda view, places, say: say(DONE_LABELS.get(view.table.phase, mark("End your turn"))),
}
action = partial(VOCABULARY.action_sentence, _ACTIONS)

BEFORE = (
    Part(mark("Cards"), (Phase.DEAL, Phase.MEND)),
    Part(mark("Public goals"), (Phase.REVEAL,)),
    Part(mark("Tokens"), (Phase.TOKENS,)),
)
TURN_PARTS = (
    Part(mark("Turn"), (Phase.TURN,)),
    Part(mark("Voucher"), (Phase.EXTRA, Phase.DRAW, Phase.KEEP)),
    Part(mark("Arrival"), (Phase.CLAIM,)),
    Part(mark("Loop"), (Phase.LOOP,)),
    Part(mark("Green station"), (Phase.GREEN,)),
    Part(mark("New goals"), (Phase.REFILL,)),
)
END = (Part(mark("The end"), (Phase.OVER,)),)
phases = phases_of(BEFORE, TURN_PARTS, END)


def chapter(view: Seen, say: Say) -> str:
    t = view.table
    if t.phase == Phase.OVER:
        return say("The end")
    return say("Round {number}", number=t.turns // t.players + 1) if t.phase >= Phase.TURN else say("Setup")


MANY = 8
"""Maximum number of places offered at once; if there are more, the region is asked for first."""
LONGEST_LABEL = 24
"""Maximum characters on a button."""
ASK = {
    "arrow": mark("Which expedition gets an arrow?"),
    "remove": mark("Voucher: which last arrow do you remove?"),
    "exchange": mark("Voucher: which card do you exchange?"),
    "token": mark("Where do you place a token?"),
    "keep": mark("Which card do you keep?"),
}
VERB_LABELS = {
    "token": mark("Place a token"),
    "arrow": mark("Place an arrow"),
    "voucher": mark("One more arrow"),
    "remove": mark("Remove an arrow"),
    "exchange": mark("Exchange a card"),
    "keep": mark("Keep a card"),
}


def argument_label(view: Seen, verb: str, argument: str, place: int, say: Say) -> str:
    return (
        _way_label(view, place, say) if argument == "way" else VOCABULARY.value_label(view, verb, argument, place, say)
    )


def ask(view: Seen, verb: str, argument: str, chosen: Indices, say: Say) -> str:
    if argument == "way":
        return say("Where does {colour:the} go?", colour=COLOUR(chosen[0], say)) if chosen else say("Where to?")
    return say(ASK[verb]) if verb in ASK else say("Which card?")


def verb_label(view: Seen, verb: str, say: Say) -> str:
    return say(VERB_LABELS[verb]) if verb in VERB_LABELS else action(view, ACTIONS.first[verb], say)


def narrowing_questions(view: Seen, number: int, step: int, say: Say) -> list[tuple[str, str]]:
    """Return the questions before a place: its region if there are many; after a loop (R20), the arrow's origin."""
    verb, places = ACTIONS.action(number)
    if verb == "arrow":
        return _way_questions(view.legal, places[0], places[1], say) if step == 1 else []
    if verb not in ("token", "exchange"):
        return []
    regions, region = _regions(view.legal, verb), region_of(places[0] + 1)
    if sum(regions.values()) <= MANY or regions[region] == 1:
        return []
    return [(ask(view, verb, "place", (), say), region_name(region, say))]


def _way_questions(legal: tuple[int, ...], colour: int, way: int, say: Say) -> list[tuple[str, str]]:
    origins, point, found = _origins(legal, colour), ENDS[way][0], []
    region = region_of(point)
    here = [spot for spot in origins if region_of(SPOT_OF_POINT.index(spot)) == region]
    if len(origins) > MANY and len(here) > 1:
        found.append(region_name(region, say))
    if len(origins) > 1 and (origins[int(ORIGIN[way])] > 1 or not _fits_button(way, say)):
        found.append(place_name(point, say))
    question = say("Where does {colour:the} continue from?", colour=COLOUR(colour, say))
    return [(question, word) for word in found]


def _way_label(view: Seen, way: int, say: Say) -> str:
    """The label of a way: its target, and its origin too if that has not been asked for."""
    for colour in range(COLOUR_COUNT):
        origins = _origins(view.legal, colour)
        if len(origins) > 1 and origins[int(ORIGIN[way])] == 1 and _fits_button(way, say):
            return way_name(way, say)
    return place_name(ENDS[way][1], say)


def _fits_button(way: int, say: Say) -> bool:
    """Return whether both ends fit on one button; else one is asked for before the other."""
    return len(way_name(way, say)) <= LONGEST_LABEL


@lru_cache(maxsize=64)
def _origins(legal: tuple[int, ...], colour: int) -> Counter[int]:
    first = First.ARROW + colour * WAY_COUNT
    return Counter(int(ORIGIN[number - first]) for number in legal if 0 <= number - first < WAY_COUNT)


@lru_cache(maxsize=64)
def _regions(legal: tuple[int, ...], verb: str) -> Counter[str]:
    actions = [ACTIONS.action(number) for number in legal]
    return Counter(region_of(found.indices[0] + 1) for found in actions if found.verb == verb)


def won_points(view: Seen, seat: int) -> tuple[int, int]:
    """R35: return the points won by goals and tokens, and those at stake for cards in hand and tokens on the map."""
    own = view.table.explorers[seat]
    return own.own + own.public + own.collected, 0 if view.table.variant_b else own.cards + own.tokens


def led_by(view: Seen, played: PlayedAction, earlier: Sequence[PlayedAction]) -> int | None:
    """Return the seat that brought the expedition to the origin of the arrow that reaches a goal."""
    if played.verb != "arrow":
        return None
    colour, way = played.indices
    before = (last for last in reversed(earlier) if last.verb == "arrow" and last.indices[0] == colour)
    return next((last.seat for last in before if TARGET[last.indices[1]] == ORIGIN[way]), None)


def sensible(view: Seen) -> list[int]:
    """Return the arrows that reach a goal, own or public, or bring the nearest expedition nearer to one."""
    arrows = (number for number in view.legal if 0 <= number - First.ARROW < COLOUR_COUNT * WAY_COUNT)
    return [number for number in arrows if _goal_nearer(view, *divmod(number - First.ARROW, WAY_COUNT))]


def _goal_nearer(view: Seen, colour: int, way: int) -> tuple[int, int] | None:
    """The distance that remains to the goal that an arrow leads to, and the goal; None if it leads to none."""
    spot, here = SPOT_OF_POINT[ENDS[way][1]], heads(view.table)
    found = []
    for goal in all_goals(view):
        before, after = AWAY[here[colour]][goal + 1], AWAY[spot][goal + 1]
        if after < before <= min(AWAY[head][goal + 1] for head in here):
            found.append((after, goal))
    return min(found, default=None)


def _arrow(view: Seen, seat: int, places: Indices, say: Say) -> Consequence | None:
    t, (colour, way) = view.table, places
    point = ENDS[way][1]
    spot = SPOT_OF_POINT[point]
    if 0 < spot <= PLACE_COUNT and (reached := _reached(view, spot - 1, say)):
        return reached
    if spot == START or t.expedition[colour].visited >> spot & 1:
        return Consequence(say("a loop: place another arrow"))
    if POINTS[point].kind == "green":
        return Consequence(say("one more arrow, any colour"), tone="good")
    if POINTS[point].kind in ("red", "border") and t.bank:
        return Consequence(say("a voucher for you"), tone="good")
    if (near := _goal_nearer(view, colour, way)) is None or not near[0]:
        return None
    return Consequence(say("{place}: {count} to go", place=place_label(near[1], say), count=near[0]))


def _reached(view: Seen, place: int, say: Say) -> Consequence | None:
    """R26, R27: an own card is laid, and brings a token home; a public goal is taken."""
    t = view.table
    if place in goals_of(view):
        points = 1 + (t.token[place] - 1 == view.seat and not t.variant_b)
        return Consequence(say("your goal: +{points}", points=points), tone="good")
    return Consequence(say("public goal: +{points}", points=1), tone="good") if place + 1 in t.goals else None


def _token(view: Seen, seat: int, places: Indices, say: Say) -> Consequence | None:
    return None if view.table.variant_b else Consequence(say("+1 if reached, −1 if not"))


def _voucher(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    left = view.table.explorers[view.table.seat].vouchers - 1
    return Consequence(say.many("leaves {count} voucher", "leaves {count} vouchers", left))


def _keep(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    far = min(AWAY[head][places[0] + 1] for head in heads(view.table))
    return Consequence(say.many("{count} arrow away", "{count} arrows away", far))


def _done(view: Seen, seat: int, places: Indices, say: Say) -> Consequence | None:
    return Consequence(say("you give up the extra arrow")) if view.table.phase == Phase.GREEN else None


_VOUCHERS = ("voucher", "remove", "exchange")
consequence = told_by_last_word(
    {"arrow": _arrow, "token": _token, "keep": _keep, "done": _done, **dict.fromkeys(_VOUCHERS, _voucher)}, _VOUCHERS
)
