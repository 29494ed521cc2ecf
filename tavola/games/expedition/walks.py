"""Variant B's last tie-break (R36): the fewest segments in which three walks pass all tokens that are left. Compiled.

An exact search over at most eight places: the shortest walk from each head through every set of them (Held and Karp,
"A dynamic programming approach to sequencing problems", 1962), then the best way to share the whole set among three.
"""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import compiled
from tavola.games.expedition.components import TOKENS_IN_B
from tavola.games.expedition.network import DISTANCE, PLACE_COUNT

__all__ = ["count_walks"]

UNREACHABLE = 1 << 20


@compiled
def count_walks(t):
    """Write the walk of every seat that is level with another."""
    for seat in range(t.players):
        for other in range(t.players):
            if other != seat and t.explorers[other].collected == t.explorers[seat].collected:
                t.explorers[seat].walk = _shortest_total(t, seat)
                break


@compiled
def _shortest_total(t, seat):
    spots = np.zeros(TOKENS_IN_B, np.int64)
    count = 0
    for place in range(PLACE_COUNT):
        if t.token[place] == seat + 1:
            spots[count] = place + 1
            count += 1
    alone = np.zeros((3, 1 << count), np.int64)
    for colour in range(3):
        _shortest_walks(spots, count, np.int64(t.expedition[colour].head), alone[colour])
    return _share_among_three(alone, count)


@compiled
def _shortest_walks(spots, count, head, shortest):
    """The shortest walk from a head through each set of spots."""
    ending = np.full((1 << count, TOKENS_IN_B), UNREACHABLE, np.int64)
    for last in range(count):
        ending[1 << last, last] = DISTANCE[head, spots[last]]
    for among in range(1, 1 << count):
        shortest[among] = UNREACHABLE
        for last in range(count):
            if among >> last & 1:
                shortest[among] = min(shortest[among], ending[among, last])
                for then in range(count):
                    if not among >> then & 1:
                        length = ending[among, last] + DISTANCE[spots[last], spots[then]]
                        ending[among | 1 << then, then] = min(ending[among | 1 << then, then], length)


@compiled
def _share_among_three(alone, count):
    pairs = np.zeros(1 << count, np.int64)
    for among in range(1 << count):
        pairs[among] = _share_between_two(alone[0], alone[1], among)
    return _share_between_two(pairs, alone[2], (1 << count) - 1)


@compiled
def _share_between_two(one, other, among):
    best = one[0] + other[among]
    part = among
    while part:
        best = min(best, one[part] + other[among ^ part])
        part = (part - 1) & among
    return best
