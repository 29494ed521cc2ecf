"""Claims about secrets: which of them pay, and how credible those of others are.

Bots claim facts only if a seat has exactly one of a kind, such as a role. Claiming a role pays if others do well when
its holder does. A claim is weighted by the trust in the speaker and the number of other possible facts, so an unlikely
claim of a liar changes little.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from tavola.bargain.foresight import Weigh
from tavola.bargain.heard import Heard
from tavola.bargain.tempers import Temper, trust
from tavola.core import View
from tavola.show.talk import Known
from tavola.talk import Act, Language, Pattern, Slot

HONESTY = 0.6
"""Factor of trust in claims about secrets, compared with deeds, which everyone will see."""
LEAST_SEEN = 8
"""Minimum worlds in which a seat has a fact, to estimate whether claiming it pays."""


def own_fact(view: View, language: Language) -> Known | None:
    """Return the only fact that is true of the view's seat; None if there is not exactly one."""
    facts = list(language.talk.true_facts(view)) if language.facts else []
    return facts[0] if len(facts) == 1 and len(language.facts) == 1 else None


def weigh_claims(view: View, heard: Heard, temper: Temper) -> Weigh | None:
    """Return the likelihood of worlds given the claims of others, None without claims."""
    latest = {  # only the last claim of a seat counts
        each.statement.speaker: each.statement.fact
        for each in heard.said
        if each.statement.act is Act.CLAIM and each.statement.fact is not None and each.statement.speaker != heard.seat
    }
    if not latest or own_fact(view, heard.language) is None:
        return None
    beliefs = [(seat, fact, HONESTY * trust(heard, seat, temper)) for seat, fact in latest.items()]
    return lambda worlds: _likelihoods(view, heard.language, worlds, beliefs)


def _likelihoods(
    view: View, language: Language, worlds: np.ndarray, beliefs: Sequence[tuple[int, Pattern, float]]
) -> np.ndarray:
    likelihoods = np.ones(len(worlds))
    for seat, fact, belief in beliefs:
        others = max(1, len(language.facts[fact.verb].codes()) - 1)
        so = np.array([bool(fact.fits(facts)) for facts in facts_of(view, language, worlds, seat)])
        share = (1.0 - belief) / others if not fact.negated else 1.0 - belief
        likelihoods *= np.where(so, belief, share)
    return likelihoods


def facts_of(view: View, language: Language, worlds: np.ndarray, seat: int) -> list[tuple[Known, ...]]:
    """Return the facts that are true of a seat in each of some worlds."""
    known: dict[bytes, tuple[Known, ...]] = {}
    found = []
    for place in range(len(worlds)):
        hand = worlds["hand"][place, seat].tobytes()
        if hand not in known:
            known[hand] = tuple(language.talk.true_facts(View(view.game, worlds[place : place + 1], seat)))
        found.append(known[hand])
    return found


def popularity(facts: Sequence[Known], own: np.ndarray, others: np.ndarray) -> dict[Known, float]:
    """Return by fact the covariance between the worth of the match to its holder and to the others on average.

    The arguments have one entry for each holder in each world.
    """
    places = defaultdict(list)
    for place, fact in enumerate(facts):
        places[fact].append(place)
    return {fact: float(np.cov(own[at], others[at])[0, 1]) for fact, at in places.items() if len(at) >= LEAST_SEEN}


def fact_to_claim(true: Known, liked: dict[Known, float], temper: Temper) -> Known | None:
    """Return the fact to claim, None for none: its own if popular; a liar otherwise the most popular."""
    if true not in liked or len(liked) < 2:
        return None
    if liked[true] >= float(np.median(list(liked.values()))):
        return true
    return max(liked, key=lambda fact: (liked[fact], -fact.indices[0])) if temper.lies else None  # type: ignore[operator]


def pattern_of(fact: Known) -> Pattern:
    """Return a fact as a pattern."""
    return Pattern(fact.verb, tuple(Slot(index) for index in fact.indices))
