"""Hints for the bots of Fairies. `R…` cites RULES.md beside this file.

A card is worth what it adds to the seat's own wands, stars most of all (R33), or takes from an opponent's awake fairy.
A complete wand is worth more than any card. The King's shield is played only to win.
"""

import numpy as np

from tavola.core import Heuristics, compiled, count_members
from tavola.games.fairies.components import (
    CROWN,
    FAIRY_SHIELDS,
    HALF_COUNT,
    KING_COUNT,
    LAST_CARDS,
    PIECES,
    VALUE,
    WAND_COUNT,
    First,
    Phase,
    Shield,
)
from tavola.games.fairies.wands import attack, card_of, is_whole, mana, shown_value, stars

IDLE = 0.3  # doing nothing, although something can be done
POOR = 0.02  # helping an opponent or harming oneself
WHOLE_WAND_WORTH = 12.0
HALF_WAND_WORTH = 4.0
LAST_GAIN = 2.5  # what a card still in hand may gain in the last plays
EVALUATE_AFTER = 40  # actions after which a position is evaluated
UNTIL_CROWNED = 2.0  # rounds from the complete picture to the King's shield
SPREAD, SPREAD_A_TURN = 3.0, 1.0  # lead in points that makes a win likely: at the end, and for each turn before it
CROWN_WORTH = 0.6  # fraction of the wands' value that the King's shield may add
HAND_POINT_WORTH = 0.4  # what a point of a wand card in hand may become
OTHERS_LAST_GAIN = 3.0  # what another seat's wands may still gain in its last plays


@compiled
def priors(s, seat, actions, count, weights):
    """Set a positive weight for each legal action: how good it looks."""
    for k in range(count):
        weights[k] = _worth(s, seat, np.int64(actions[k]))


@compiled
def _worth(s, seat, action):
    if action == First.DONE:
        return IDLE if s.table.phase == Phase.LAST_PLAYS else IDLE / 2
    if action < First.RETURN:
        return _card_worth(s.table, seat, action)
    if action < First.GREEN:
        return 4.0 - VALUE[action - First.RETURN] * 0.7
    if action < First.USE:
        return _power_worth(s.table, action)
    if action < First.WAKE:
        return _shield_worth(action - First.USE)
    if action in (First.TAKE, First.LEAVE):
        return _taking_worth(s, seat, action)
    if action == First.CROWN:
        return 40.0 if _crown_wins(s, seat) else POOR
    if First.TURN <= action < First.LOOK:
        return _turning_worth(s, seat, action - First.TURN)
    return 6.0  # waking a fairy, healing


@compiled
def _turning_worth(s, seat, place):
    """R28 to R30: an unseen card may be a piece; the King's shield is wanted; a shield once left is worth little."""
    card = np.int64(s.hand[seat].grid[place])
    if card == 0:
        return 6.0
    return 8.0 if card <= PIECES or card == KING_COUNT else 3.0


@compiled
def _card_worth(t, seat, action):
    """Estimate the value of `lay` or `joker` to the seat that plays it."""
    kind, owner, half = card_of(action)
    garden = t.fairies[owner]
    gain = float(VALUE[kind] - shown_value(garden, half))
    star = half % 2 == 0
    if owner == seat:
        if not garden.halves[half].count:
            other = garden.halves[half ^ 1].count
            return (WHOLE_WAND_WORTH if other else HALF_WAND_WORTH) + gain
        return POOR if gain <= 0 else gain * (3.0 if star else 2.0)
    if gain >= 0 or not is_whole(garden, half // 2):
        return POOR
    lively = garden.up >> (half // 2) & 1
    return -gain * (1.5 if lively else 0.6)


@compiled
def _power_worth(t, action):
    """R14 to R17: covering a strong fairy and taking shields rank above cards."""
    if action >= First.COVER:
        victim, fairy = (action - First.COVER) // 3, (action - First.COVER) % 3
        return 5.0 + attack(t.fairies[victim], fairy)
    if action >= First.RED:
        return 4.0
    if action >= First.BLUE:
        code = action - First.BLUE
        return 1.0 + 1.5 * shown_value(t.fairies[code // HALF_COUNT], code % HALF_COUNT)
    return 4.0


@compiled
def _shield_worth(shield):
    if shield == Shield.LONE:
        return 8.0
    return 4.0 if shield in (Shield.AGAIN, Shield.EQUAL) else 1.0


@compiled
def _taking_worth(s, seat, action):
    """R30, R39: the King's shield is worth taking; another costs two points but, if left, blocks the picture."""
    card = np.int64(s.hand[seat].grid[s.table.place - 1])
    if card == KING_COUNT:
        return 20.0 if action == First.TAKE else POOR
    return 1.5 if action == First.TAKE else 1.0


@compiled
def _crown_wins(s, seat):
    """Return whether playing the King's shield now wins, even if the others do well with their last cards."""
    t = s.table
    own = t.fairies[seat].points + 2 * mana(t.fairies[seat]) - 2 * count_members(t.fairies[seat].shields)
    own -= 2 * count_members(np.int64(s.hand[seat].kings) & FAIRY_SHIELDS)
    for other in range(t.players):
        garden = t.fairies[other]
        cards = min(np.int64(garden.wands), LAST_CARDS)
        hoped = min(cards * LAST_GAIN, OTHERS_LAST_GAIN * count_members(garden.up))
        if other != seat and garden.points + mana(garden) - 2 * count_members(garden.shields) + hoped >= own:
            return False
    return True


@compiled
def evaluate(s, played, worth):
    """Set the winning chances of every seat, at the beginning of a turn after `EVALUATE_AFTER` actions.

    They depend on the points that each seat may still gain.
    """
    t = s.table
    if played < EVALUATE_AFTER or t.phase != Phase.EMPOWER or t.laid:
        return False
    healings = _count_healings(t)
    spread = SPREAD + SPREAD_A_TURN * healings
    total = 0.0
    for seat in range(t.players):
        worth[seat] = np.exp(min(_expected_points(s, seat, healings) / spread, 500.0))
        total += worth[seat]
    for seat in range(t.players):
        worth[seat] /= total
    return True


@compiled
def _count_healings(t):
    """Return how many healings are left for each seat, until the match ends."""
    left = (PIECES - count_members(t.healed) + UNTIL_CROWNED * t.players) / t.players
    if t.rounds:
        left = min(left, t.rounds - t.begun + 0.5)
    return left


@compiled
def _expected_points(s, seat, healings):
    """Return the points of a seat at the end if its wands stay as they are."""
    garden, hand = s.table.fairies[seat], s.hand[seat]
    own = (
        garden.points
        + mana(garden)
        - 2.0 * count_members(np.int64(garden.shields) | (np.int64(hand.kings) & FAIRY_SHIELDS))
    )
    awake = count_members(garden.up)
    if awake >= 2:
        own += healings * stars(garden)
    elif awake == 1:
        own += max(healings - 1.0, 0.0) * stars(garden)
    if hand.kings >> CROWN & 1:
        own += CROWN_WORTH * mana(garden)
    held = 0.0
    for kind in range(WAND_COUNT):
        held += VALUE[kind] * hand.wands[kind]
    return own + HAND_POINT_WORTH * held


@compiled
def likelihood(s, seat):
    """Return 1: hidden cards are equally likely, whatever was played."""
    return 1.0


HEURISTICS = Heuristics(priors=priors, likelihood=likelihood, evaluate=evaluate)
