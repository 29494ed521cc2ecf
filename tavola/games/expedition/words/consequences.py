"""Tell what a choice does now, what is won and what is at stake, and which arrows lead somewhere.

All of it follows from the table and the own cards: who else holds the card of a place nobody can know.
"""

from collections.abc import Sequence

from tavola.core import PlayedAction
from tavola.games.expedition.atlas import POINTS
from tavola.games.expedition.components import COLOUR_COUNT, First, Phase, Seen
from tavola.games.expedition.network import DISTANCE, ENDS, ORIGIN, PLACE_COUNT, SPOT_OF_POINT, START, TARGET, WAY_COUNT
from tavola.games.expedition.words.nouns import all_goals, goals_of, heads, place_label
from tavola.show.speech import Say
from tavola.show.words import Consequence, Indices, told_by_last_word


def won_points(view: Seen, seat: int) -> tuple[int, int]:
    """R35: goals and tokens brought home are won; every card in hand and every token on the map is still at stake."""
    own = view.table.explorers[seat]
    return own.own + own.public + own.collected, 0 if view.table.variant_b else own.cards + own.tokens


def led_by(view: Seen, played: PlayedAction, earlier: Sequence[PlayedAction]) -> int | None:
    """Return who brought the expedition to where the arrow that reaches a goal begins."""
    if played.verb != "arrow":
        return None
    colour, way = played.indices
    before = (last for last in reversed(earlier) if last.verb == "arrow" and last.indices[0] == colour)
    return next((last.seat for last in before if TARGET[last.indices[1]] == ORIGIN[way]), None)


# Arrows


def sensible(view: Seen) -> list[int]:
    """The arrows that reach a goal, own or public, or bring the expedition nearest to one nearer to it."""
    arrows = (number for number in view.legal if 0 <= number - First.ARROW < COLOUR_COUNT * WAY_COUNT)
    return [number for number in arrows if _goal_nearer(view, *divmod(number - First.ARROW, WAY_COUNT))]


def _goal_nearer(view: Seen, colour: int, way: int) -> tuple[int, int] | None:
    """Return how far the goal to which an arrow leads is from there, and the goal; None where it leads to none."""
    spot, here = SPOT_OF_POINT[ENDS[way][1]], heads(view.table)
    found = []
    for goal in all_goals(view):
        before, after = int(DISTANCE[here[colour], goal + 1]), int(DISTANCE[spot, goal + 1])
        if after < before <= min(int(DISTANCE[head, goal + 1]) for head in here):
            found.append((after, goal))
    return min(found, default=None)


def _arrow(view: Seen, seat: int, places: Indices, say: Say) -> Consequence | None:
    t, (colour, way) = view.table, places
    point = ENDS[way][1]
    spot = SPOT_OF_POINT[point]
    if 0 < spot <= PLACE_COUNT and (reached := _reached(view, spot - 1, say)):
        return reached
    if spot == START or t.expedition[colour].visited >> spot & 1:
        return Consequence(say("a loop: it goes on at once"))
    if POINTS[point].kind == "green":
        return Consequence(say("one more arrow, any colour"), tone="good")
    if POINTS[point].kind in ("red", "border") and t.bank:
        return Consequence(say("a voucher for you"), tone="good")
    near = _goal_nearer(view, colour, way)
    if near is None or not near[0]:
        return None
    return Consequence(say("{place}: {count} to go", place=place_label(near[1], say), count=near[0]))


def _reached(view: Seen, place: int, say: Say) -> Consequence | None:
    """R26, R27: an own card is laid, and brings a token home; a public goal is taken."""
    t = view.table
    if place in goals_of(view):
        points = 1 + (t.token[place] - 1 == view.seat and not t.variant_b)
        return Consequence(say("your goal: +{points}", points=points), tone="good")
    if place + 1 in t.goals:
        return Consequence(say("public goal: +{points}", points=1), tone="good")
    return None


# Everything else


def _token(view: Seen, seat: int, places: Indices, say: Say) -> Consequence | None:
    return None if view.table.variant_b else Consequence(say("+1 if reached, else −1"))


def _voucher(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    left = view.table.explorers[view.table.seat].vouchers - 1
    return Consequence(say.many("then {count} voucher left", "then {count} vouchers left", left))


def _keep(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    far = min(int(DISTANCE[head, places[0] + 1]) for head in heads(view.table))
    return Consequence(say.many("{count} arrow away", "{count} arrows away", far))


def _done(view: Seen, seat: int, places: Indices, say: Say) -> Consequence | None:
    return Consequence(say("the extra arrow is given up")) if view.table.phase == Phase.GREEN else None


_VOUCHERS = ("voucher", "remove", "exchange")
consequence = told_by_last_word(
    {"arrow": _arrow, "token": _token, "keep": _keep, "done": _done, **dict.fromkeys(_VOUCHERS, _voucher)}, _VOUCHERS
)
