"""The deck: shuffled cards, then those put under it, in order; holders of cards, and public knowledge. Compiled."""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import add_member, compiled, has_member, lowest_member, remove_member
from tavola.core.fields import WORD_BITS
from tavola.games.expedition.components import GOALS, MOST_UNDER
from tavola.games.expedition.network import PLACE_COUNT


@compiled
def add_cards(cards, first, actions, count):
    """Add an action for every card of a set; `first` is the first place's action. Return the new count of actions."""
    for word in range(len(cards)):
        left = np.int64(cards[word])
        while left:
            actions[count] = first + WORD_BITS * word + lowest_member(left)
            count += 1
            left &= left - 1
    return count


@compiled
def legal_draw(s, first, actions, weights):
    """R3: chance draws any shuffled card, each equally likely; once there are none, the first one under the deck."""
    if s.table.deck:
        count = add_cards(s.box.cards, first, actions, 0)
    else:
        actions[0] = first + np.int64(s.box.under[0]) - 1
        count = 1
    for k in range(count):
        weights[k] = 1
    return count


@compiled
def take_card(s, place):
    t = s.table
    if t.deck:
        remove_member(s.box.cards, place)
        t.deck -= 1
        return
    t.beneath -= 1
    _shift_up(s.box.under)
    _shift_up(t.under)
    _shift_up(t.given)
    for seat in range(t.players):
        _shift_up(s.hand[seat].under)


@compiled
def _shift_up(under):
    for k in range(MOST_UNDER - 1):
        under[k] = under[k + 1]
    under[MOST_UNDER - 1] = 0


@compiled
def put_under(s, notes, place):
    """Put a card under the deck, and note it in `notes`: the table's if it is public, else a hand's."""
    t = s.table
    s.box.under[t.beneath] = place + 1
    notes.under[t.beneath] = place + 1
    t.beneath += 1


@compiled
def holder(s, place):
    """Return the seat that holds the card of a place; -1 if none does."""
    for seat in range(s.table.players):
        if has_member(s.hand[seat].cards, place):
            return seat
    return -1


@compiled
def empty_goal(t):
    """Return the leftmost public slot without a card; -1 if there is none."""
    for slot in range(GOALS):
        if t.goals[slot] == 0:
            return slot
    return -1


@compiled
def fill_cards(cards):
    for place in range(PLACE_COUNT):
        add_member(cards, place)


# Public knowledge of hidden hands, kept on the table. If a place is reached and no seat lays its card, no hand has the
# card: only an exchange can bring it into one. Exchanges are numbered from 1 over all seats. A card in a hand came with
# the deal or with an exchange in its seat's `newcomers`, which keeps the latest ones. The order in which cards are laid
# or given back is seldom known, so each exchange stays there as long as its card can be in the hand.


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
    """Note that the lowest card under the deck came from a hand, in the last exchange counted."""
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
    """Note that a card has left the hand: if no seat had it once, it came with a later exchange."""
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
