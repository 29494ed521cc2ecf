"""Occasions of a match on which a bot of the cast says something: the start, gains and losses, a tie, the end.

They follow from what everyone sees. `tavola.live.bots.voices` has the lines.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tavola.core import Match

GREETERS = 2
"""Bots that say something at the start."""
GAIN = 3
"""Minimum points at once for a remark about a gain."""
LOSS = 2
"""Minimum points lost at once for a remark."""


class Occasion(NamedTuple):
    """What a seat can comment on: `part` of its lines, after `moments` public actions, `at` seconds since 1970."""

    part: str
    seat: int
    moments: int
    at: float


def greetings(bots: Sequence[int], at: float) -> list[Occasion]:
    """Return the occasions at the start of a match, for two of the seats of bots."""
    turned = [bots[(int(at * 1000) + place) % len(bots)] for place in range(min(GREETERS, len(bots)))]
    return [Occasion("greeting", seat, 0, at) for seat in turned]


def public_points(match: Match) -> tuple[int, ...]:
    """Return the points that everyone sees; empty if they are secret, or not worth looking at in a barter."""
    return () if match.game.secret_points or match.open or match.over else tuple(match.view().standing.points)


def occasions_after(
    before: Sequence[int], match: Match, bots: Sequence[int], moments: int, at: float
) -> list[Occasion]:
    """Return the occasions that an action has brought, given the points `before` it: at most one gain and one loss."""
    if match.over:
        ranks = match.score().ranks
        places = {"won": 1, "lost": max(ranks)} if max(ranks) > 1 else {"won": 1}
        ended = ((part, next((seat for seat in bots if ranks[seat] == rank), None)) for part, rank in places.items())
        return [Occasion(part, seat, moments, at) for part, seat in ended if seat is not None]
    now = public_points(match)
    if not before or not now or list(before) == list(now):
        return []
    changed = {seat: now[seat] - before[seat] for seat in bots}
    best, worst = max(changed, key=lambda seat: changed[seat]), min(changed, key=lambda seat: changed[seat])
    found = [Occasion("gain", best, moments, at)] if changed[best] >= GAIN else []
    is_overtaken = any(before[other] <= before[worst] and now[other] > now[worst] for other in range(len(now)))
    if changed[worst] <= -LOSS or (worst != best and is_overtaken):
        found.append(Occasion("loss", worst, moments, at))
    tied = next((seat for seat in bots if now[seat] == max(now) and list(now).count(max(now)) > 1), None)
    return [*found, *([Occasion("tension", tied, moments, at)] if tied is not None and not found else [])]
