"""Keep what everybody knows of hands that nobody sees, on the table as it happens. Compiled.

A place that is reached, and whose card nobody lays, has its card in no hand: it can come into one by an exchange alone.
Exchanges are numbered from 1 on, over all seats. A card in a hand came with the deal or with one of the exchanges that
its seat's `newcomers` name, the latest alone; in which order they are laid or given back is seldom known, so each stays
named as long as its card may be there, and those that were made last are kept.
"""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import compiled

__all__ = ["count_named", "note_given", "note_kept", "note_laid", "note_missed"]


@compiled
def _count_exchanges(t):
    count = 0
    for seat in range(t.players):
        count += t.explorers[seat].swaps
    return count


@compiled
def note_missed(t, place):
    t.missed[place] = _count_exchanges(t) + 1


@compiled
def note_given(t, explorer):
    """The card that lies lowest under the deck came from a hand, in the exchange that was counted last."""
    count = count_named(explorer)
    if count <= explorer.cards:
        t.given[t.beneath - 1] = _count_exchanges(t)
    else:
        _forget_exchange(explorer, 0)


@compiled
def note_kept(t, explorer):
    explorer.newcomers[count_named(explorer)] = _count_exchanges(t)


@compiled
def note_laid(t, explorer, place):
    """The card of a place has left the hand: if nobody had it once, it came with an exchange after that."""
    missed = np.int64(t.missed[place])
    t.missed[place] = 0
    count = count_named(explorer)
    if missed:
        for k in range(count):
            if explorer.newcomers[k] >= missed:
                _forget_exchange(explorer, k)
                return
    elif count > explorer.cards:
        _forget_exchange(explorer, 0)


@compiled
def count_named(explorer):
    count = 0
    while count < len(explorer.newcomers) and explorer.newcomers[count]:
        count += 1
    return count


@compiled
def _forget_exchange(explorer, which):
    last = len(explorer.newcomers) - 1
    for k in range(which, last):
        explorer.newcomers[k] = explorer.newcomers[k + 1]
    explorer.newcomers[last] = 0
