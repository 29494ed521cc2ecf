"""Kinds of decisions: those with the same verbs, as far as they can be answered before they are asked."""

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from tavola.core import CHANCE, Game, Match
from tavola.core.actions import Verb

SAMPLES = 4
"""Matches played at random to see what seats are asked."""


def answerable_verbs(game: Game) -> dict[str, Verb]:
    """Return the verbs that may be answered ahead: steps of a plan are no answer by themselves, and races are run."""
    held = {*game.suspense, *game.races, *game.races.values()}
    return {verb.name: verb for verb in game.actions.verbs if not verb.planned and verb.name not in held}


def is_of_kind(game: Game, codes: Iterable[str], numbers: Iterable[int]) -> bool:
    """True when some of these numbers are of a verb of the codes."""
    verbs = {game.actions.verb(game.actions.number(code)).name for code in codes}
    return any(game.actions.verb(number).name in verbs for number in numbers)


def common_answers(game: Game, options: Mapping[str, str]) -> tuple[int, ...]:
    """Return what seats are asked in matches with these options and can be answered ahead, as far as samples show."""
    return _sampled(game, tuple(sorted(options.items())))


@lru_cache(64)
def _sampled(game: Game, options: Sequence[tuple[str, str]]) -> tuple[int, ...]:
    dice, verbs, found = random.Random(1), answerable_verbs(game), set[int]()
    for _ in range(SAMPLES if verbs else 0):
        match = Match(game, dict(options))
        while not match.over:
            seat = dice.choice(match.to_act)
            legal = match.legal_numbers(seat)
            if seat != CHANCE and not match.open:
                found.update(number for number in legal if game.actions.verb(number).name in verbs)
            match.play(dice.choice(legal), seat)
    return tuple(sorted(found))
