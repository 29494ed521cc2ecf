"""The story of a match that is over: everybody's points from part to part, what settled it, who helped and harmed whom.

It is told from states and words that every game has: a game declares nothing for it. Where everybody wins points by his
own actions alone it may say whose action opened the way to one.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tavola.core import CHANCE, Game, Match, PlayedAction, Result, View
from tavola.show.cards import words_of
from tavola.show.kit import anonymous_say
from tavola.web.table.turning_point import settled_moment, states_of

FEWEST_MARKS, MOST_MARKS = 5, 40
"""So many points of the curve at least and at most: a match of few parts is cut evenly, one of many thinned out."""


class Effect(NamedTuple):
    """The points that what one seat decided brought another, negative where it cost him some.

    `led`: the other won them himself, and the one opened the way.
    """

    doer: int
    other: int
    points: int
    led: bool = False


class Story(NamedTuple):
    """A match in plain values: `settled`, and by mark, a moment, everybody's points then.

    `settled` is the moment after the action that settled it; the last one where that was the deal.
    """

    settled: int
    marks: tuple[int, ...]
    points: tuple[tuple[int, ...], ...]
    effects: tuple[Effect, ...]


def story_of(game: Game, states: Iterable[np.ndarray], history: Sequence[tuple[int, int]], players: int) -> Story:
    """The story of a match; `states` are all of it, each an array of one, the first and the last among them."""
    kept = list(states)
    results = [Result.of(state, players) for state in kept]
    views = [View(game, state, None) for state in kept]
    points = [result.points for result in results]
    first = next((at for at, (seat, _) in enumerate(history) if seat != CHANCE), 0)
    marks, effects = _marks(views, first), _effects(views, points, history)
    settled = settled_moment(results)
    return Story(settled if settled > first else len(history), marks, tuple(points[mark] for mark in marks), effects)


def story_of_match(match: Match) -> Story:
    """The same of a match that is at hand."""
    return story_of(match.game, states_of(match), match.history, match.players)


def _marks(views: Sequence[View], first: int) -> tuple[int, ...]:
    """The moment of the first decision, the ends of the parts that the log has headings for, the last moment."""
    chapter, say = words_of(views[0].game).chapter, anonymous_say(views[0].game, "en")
    last, headings = len(views) - 1, [chapter(view, say) for view in views]
    ends = [moment for moment, (one, other) in enumerate(pairwise(headings), 1) if one != other]
    ends = [moment for moment in ends if moment > first]
    if len(ends) < FEWEST_MARKS:
        ends = [first + (last - first) * part // FEWEST_MARKS for part in range(1, FEWEST_MARKS)]
    thinned = ends[:: -(-len(ends) // MOST_MARKS)]
    return tuple(sorted({first, *thinned, last}))


def _effects(
    views: Sequence[View], points: Sequence[Sequence[int]], history: Sequence[tuple[int, int]]
) -> tuple[Effect, ...]:
    """Who brought whom how many points, the most first. In barter all is both sides' own."""
    total: Mapping[tuple[int, int, bool], float] = defaultdict(float)
    ballot: dict[int, int] = {}
    played = [PlayedAction(seat, *views[0].game.actions.action(number)) for seat, number in history]
    for moment, (seat, number) in enumerate(history, 1):
        before = views[moment - 1]
        if seat == CHANCE or before.open:
            continue
        ballot[seat] = number
        if set(before.to_act) - {seat}:
            continue
        doers = _deciders(ballot)
        ballot = {}
        for other, (was, now) in enumerate(zip(points[moment - 1], points[moment], strict=True)):
            for doer in set(doers) - {other}:
                total[doer, other, False] += (now - was) / len(doers)  # type: ignore[index]
        won, leader = points[moment][seat] - points[moment - 1][seat], None
        if doers == [seat] and won > 0:
            leader = words_of(before.game).led_by(before, played[moment - 1], played[: moment - 1])
        if leader not in (None, seat):
            total[leader, seat, True] += won  # type: ignore[index]
    found = [Effect(doer, other, round(count), led) for (doer, other, led), count in total.items() if round(count)]
    return tuple(sorted(found, key=lambda effect: (-abs(effect.points), effect)))


def _deciders(ballot: Mapping[int, int]) -> list[int]:
    """Who has decided what a ballot came to: those who chose what most chose; a seat alone by itself."""
    most = max(Counter(ballot.values()).values())
    return [seat for seat, number in ballot.items() if Counter(ballot.values())[number] == most]


def told_effects(effects: Sequence[Effect], seat: int | None, most: int = 4) -> list[Effect]:
    """The effects worth telling to a seat: its own first, then those of others."""
    own = [effect for effect in effects if seat in (effect.doer, effect.other)]
    chosen = [*own[: most - 1], *(effect for effect in effects if effect not in own)][:most]
    return sorted(chosen, key=lambda effect: (effect not in own, -abs(effect.points)))
