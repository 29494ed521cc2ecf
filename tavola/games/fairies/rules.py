"""Rules of Fairies. `R…` cites the paragraphs of RULES.md beside this file."""

import numpy as np

from tavola.core import CHANCE, compiled, count_members, random_below, random_member, rank_seats
from tavola.games.fairies.components import (
    ACTIONS,
    COPIES,
    DEALT,
    DECK,
    EVERY_KING,
    EVERY_PIECE,
    GRID,
    HALF_COUNT,
    KING_COUNT,
    LAST_CARDS,
    MOST_LAID,
    OPTIONS,
    PIECES,
    PILE,
    SHIELDS,
    WAND_COUNT,
    First,
    Phase,
    Shield,
    State,
)
from tavola.games.fairies.turns import (
    add_king_cards,
    add_powers,
    apply_choose,
    apply_energy,
    apply_exchange,
    apply_heal,
    apply_king,
    apply_steal,
    begin_drawing,
    begin_energy,
    begin_restoring,
    begin_turn,
    end_turn,
    legal_energy,
    legal_heal,
    legal_king,
    legal_pick,
    legal_steal,
    score_end,
    spend_energy,
    take_into_hand,
    turn_up,
)
from tavola.games.fairies.wands import (
    add_cards,
    add_use,
    add_wake,
    add_wakings,
    card_of,
    is_whole,
    lay_shield,
    note_wand_lost,
    play_card,
    wake_fairy,
)

__all__ = ["ACTIONS", "OPTIONS", "State", "apply", "legal", "redeal", "score", "start", "to_act"]


TIES = len(SHIELDS) + 1


@compiled
def start(s):
    """R5: fairies face down, the deck and the King's cards shuffled; chance then draws the first player and deals."""
    t = s.table
    t.deck = DECK
    t.pile = PILE
    s.box.kings = EVERY_KING
    for kind in range(WAND_COUNT):
        s.box.deck[kind] = COPIES[kind]
    if t.first_player:
        t.first = t.first_player - 1
        t.phase = Phase.DEAL
    else:
        t.phase = Phase.LOT


@compiled
def to_act(s):
    t = s.table
    phase = t.phase
    if phase == Phase.OVER:
        return 0
    if phase in (Phase.LOT, Phase.DEAL, Phase.DRAW, Phase.STEAL, Phase.REFILL, Phase.REVEAL, Phase.GLIMPSE):
        return 1 << CHANCE
    return 1 << np.int64(t.seat)


@compiled
def legal(s, seat, actions, weights):
    """Write the legal actions of `seat`, ascending, and chance's weights; return their count."""
    phase = s.table.phase
    if phase == Phase.EMPOWER:
        return _legal_empower(s, seat, actions)
    if phase in (Phase.DEAL, Phase.DRAW, Phase.REFILL):
        return _legal_deal(s, actions, weights)
    if phase == Phase.ENERGY:
        return legal_energy(s, seat, actions)
    if phase == Phase.HEAL:
        return legal_heal(s, seat, actions)
    if phase in (Phase.REVEAL, Phase.GLIMPSE):
        return legal_king(s, actions, weights)
    return _legal_rare_phases(s, seat, actions, weights)


@compiled
def _legal_rare_phases(s, seat, actions, weights):
    t = s.table
    phase = t.phase
    if phase == Phase.LAST_PLAYS:
        return _legal_last(s, seat, actions)
    if phase == Phase.RESTORE:
        actions[0] = First.DONE
        return add_wakings(t.fairies[seat], actions, 1)
    if phase == Phase.STEAL:
        return legal_steal(s.hand[t.victim], actions, weights)
    if phase == Phase.EXCHANGE:
        return add_cards(s, seat, 1 << np.int64(t.victim), 0, actions, 0)
    if phase == Phase.CHOOSE:
        actions[0] = First.TAKE
        actions[1] = First.LEAVE
        return 2
    if phase == Phase.EQUAL:
        return add_powers(s, seat, 0, actions, 0)
    if phase == Phase.DISCARD:
        return _legal_return(s.hand[seat], actions)
    if phase == Phase.LOOK:
        return add_king_cards(t, First.LOOK, actions, 0)
    if phase == Phase.PICK:
        return legal_pick(t, actions)
    return _legal_lot(t, actions, weights)


@compiled
def apply(s, seat, action):
    phase = s.table.phase
    if phase == Phase.EMPOWER:
        _apply_empower(s, seat, action)
    elif phase in (Phase.DEAL, Phase.DRAW, Phase.REFILL):
        _apply_deal(s, action - First.DEAL)
    elif phase in (Phase.ENERGY, Phase.EQUAL):
        apply_energy(s, seat, action)
    elif phase == Phase.HEAL:
        apply_heal(s, seat, action)
    elif phase in (Phase.REVEAL, Phase.GLIMPSE):
        apply_king(s, action - First.KING)
    else:
        _apply_rare_phases(s, seat, action)


@compiled
def _apply_rare_phases(s, seat, action):
    phase = s.table.phase
    if phase == Phase.LAST_PLAYS:
        _apply_last(s, seat, action)
    elif phase == Phase.RESTORE:
        _apply_restore(s, seat, action)
    elif phase == Phase.STEAL:
        apply_steal(s, action - First.STEAL)
    elif phase == Phase.EXCHANGE:
        apply_exchange(s, seat, action)
    elif phase == Phase.CHOOSE:
        apply_choose(s, seat, action)
    elif phase == Phase.DISCARD:
        _apply_return(s, seat, action - First.RETURN)
    elif phase == Phase.LOOK:
        s.table.place = action - First.LOOK + 1
        s.table.phase = Phase.GLIMPSE
    elif phase == Phase.PICK:
        turn_up(s, seat, action - First.TURN)
    else:
        s.table.first = action - First.FIRST
        s.table.phase = Phase.DEAL


@compiled
def score(s, points, place):
    """R40: most points; a tie goes to fewer fairy shields on the table; then the place is shared."""
    t = s.table
    for seat in range(t.players):
        garden = t.fairies[seat]
        points[seat] = np.int64(garden.points) * TIES + TIES - 1 - count_members(garden.shields)
    rank_seats(points, place, t.players, TIES)


@compiled
def _legal_lot(t, actions, weights):
    for seat in range(t.players):
        actions[seat] = First.FIRST + seat
        weights[seat] = 1
    return t.players


@compiled
def _legal_deal(s, actions, weights):
    count = 0
    for kind in range(WAND_COUNT):
        actions[count] = First.DEAL + kind
        weights[count] = s.box.deck[kind]
        count += s.box.deck[kind] > 0
    return count


@compiled
def _apply_deal(s, kind):
    t = s.table
    s.box.deck[kind] -= 1
    t.deck -= 1
    if t.phase == Phase.DEAL:
        take_into_hand(s, t.dealt % t.players, kind)
        t.dealt += 1
        if t.dealt == DEALT * t.players:
            t.seat = t.first
            t.begun = 1
            begin_turn(t)
    else:
        take_into_hand(s, t.victim if t.phase == Phase.REFILL else t.seat, kind)
        t.due -= 1
        if not t.due:
            _end_drawing(s)


@compiled
def _end_drawing(s):
    t = s.table
    if t.phase == Phase.REFILL:
        spend_energy(t)
    elif t.spare:
        t.phase = Phase.DISCARD
    else:
        begin_energy(s)


@compiled
def _apply_restore(s, seat, action):
    t = s.table
    if action == First.DONE:
        end_turn(s)
        return
    t.fairies[seat].up |= 1 << (action - First.WAKE)
    begin_restoring(s)


@compiled
def _legal_empower(s, seat, actions):
    t = s.table
    actions[0] = First.DONE
    count = 1
    if t.laid < (MOST_LAID if t.used >> Shield.FOUR & 1 else MOST_LAID - 1):
        count = add_cards(s, seat, (1 << np.int64(t.players)) - 1, 0, actions, count)
    count = add_use(s, seat, Shield.FOUR, actions, count)
    count = add_use(s, seat, Shield.EXTRA, actions, count)
    return add_wake(s, seat, actions, count)


@compiled
def _apply_empower(s, seat, action):
    t = s.table
    if action == First.DONE:
        begin_drawing(s, t.laid + (t.used >> Shield.EXTRA & 1))
        t.spare = t.used >> Shield.EXTRA & 1 and t.due > t.laid  # R21: only if the card came
        if t.due:
            t.phase = Phase.DRAW
        else:
            begin_energy(s)
    elif action >= First.WAKE:
        wake_fairy(s, seat, action - First.WAKE)
    elif action >= First.USE:
        lay_shield(s, seat, action - First.USE)
    else:
        kind, owner, half = card_of(action)
        garden = t.fairies[owner]
        before = is_whole(garden, half // 2)
        play_card(s, seat, kind, owner, half)
        t.laid += 1
        if not before and is_whole(garden, half // 2):
            garden.up |= 1 << (half // 2)  # R9: also an opponent's


@compiled
def _legal_return(hand, actions):
    count = 0
    for kind in range(WAND_COUNT):
        if hand.wands[kind]:
            actions[count] = First.RETURN + kind
            count += 1
    return count


@compiled
def _apply_return(s, seat, kind):
    """R21: one wand card returns to the deck unseen."""
    s.hand[seat].wands[kind] -= 1
    s.table.fairies[seat].wands -= 1
    s.box.deck[kind] += 1
    s.table.deck += 1
    note_wand_lost(s, seat, seat)
    begin_energy(s)


@compiled
def _legal_last(s, seat, actions):
    """R37, R38: only on awake fairies; with two players, only on the seat's own."""
    t = s.table
    actions[0] = First.DONE
    owners = (1 << np.int64(t.players)) - 1 if t.players > 2 else 1 << np.int64(seat)
    return add_cards(s, seat, owners, 1, actions, 1)


@compiled
def _apply_last(s, seat, action):
    t = s.table
    garden = t.fairies[seat]
    if action == First.DONE:
        t.passed |= 1 << seat
    else:
        kind, owner, half = card_of(action)
        play_card(s, seat, kind, owner, half)
        garden.last += 1
        if garden.last == LAST_CARDS:
            t.passed |= 1 << seat
    if t.passed == (1 << np.int64(t.players)) - 1:
        score_end(s)
        return
    t.seat = (t.seat + 1) % t.players
    while t.passed >> np.int64(t.seat) & 1:
        t.seat = (t.seat + 1) % t.players


# Redeals: a random full state that agrees with a view, each such state equally likely (R42). First come the cards that
# the seat is sure of, then the hands and the places that hold only shields, then the other places. Notes of other seats
# are left empty: they may know less than they do, never more.


@compiled
def redeal(s, seat, rng):
    """Fill the other hands, the deck and the King's cards at random, consistent with what `seat` sees."""
    t = s.table
    for other in range(t.players):
        if other != seat:
            _forget(s.hand[other])
    _count_deck(s)
    _count_kings(s, seat)
    for other in range(t.players):
        if other != seat:
            _deal_known(s, seat, other)
    for other in range(t.players):
        if other != seat:
            _deal_rest(s, other, rng)
    _fix_looked_at(t, s.box, rng)
    _note_looked_at(s)


@compiled
def _forget(hand):
    for kind in range(WAND_COUNT):
        hand.wands[kind] = 0
    hand.kings = 0
    for place in range(GRID):
        hand.grid[place] = 0
    for other in range(len(hand.known)):
        hand.known[other].kings = 0
        for kind in range(WAND_COUNT):
            hand.known[other].wands[kind] = 0


@compiled
def _count_deck(s):
    t = s.table
    for kind in range(WAND_COUNT):
        s.box.deck[kind] = COPIES[kind]
        for player in range(t.players):
            s.box.deck[kind] -= s.hand[player].wands[kind]
    for player in range(t.players):
        for half in range(HALF_COUNT):
            cards = t.fairies[player].halves[half]
            for place in range(cards.count):
                s.box.deck[cards.cards[place]] -= 1
    if t.aside:
        s.box.deck[t.aside - 1] -= 1


@compiled
def _count_kings(s, seat):
    """Set the King's cards that are hidden from `seat`, and those in the grid that it has looked at."""
    t = s.table
    seen = np.int64(t.healed) | np.int64(s.hand[seat].kings) << PIECES
    if t.ending == 1:
        seen |= 1 << (KING_COUNT - 1)  # the King's shield is on the picture
    for player in range(t.players):
        seen |= np.int64(t.fairies[player].shields) << PIECES
    for place in range(GRID):
        card = np.int64(s.hand[seat].grid[place])
        s.box.grid[place] = card
        if card:
            seen |= 1 << (card - 1)
    s.box.kings = EVERY_KING & ~seen


@compiled
def _deal_known(s, seat, other):
    note, hand = s.hand[seat].known[other], s.hand[other]
    for kind in range(WAND_COUNT):
        hand.wands[kind] = note.wands[kind]
        s.box.deck[kind] -= note.wands[kind]
    hand.kings = note.kings
    s.box.kings &= ~(np.int64(note.kings) << PIECES)


@compiled
def _fix_looked_at(t, box, rng):
    """Fix the cards that a player has looked at: shields where a shield was shown, any card elsewhere."""
    shields = np.int64(t.shielded)
    if t.phase == Phase.CHOOSE:
        shields |= 1 << (np.int64(t.place) - 1)
    _fix_places(box, shields, EVERY_KING & ~EVERY_PIECE, rng)
    _fix_places(box, np.int64(t.looked), EVERY_KING, rng)


@compiled
def _fix_places(box, places, among, rng):
    for place in range(GRID):
        if places >> place & 1 and not box.grid[place]:
            card = random_member(np.int64(box.kings) & among, rng)
            box.kings &= ~(1 << card)
            box.grid[place] = card + 1


@compiled
def _note_looked_at(s):
    t = s.table
    grid = s.hand[np.int64(t.seat)].grid
    if t.phase in (Phase.CHOOSE, Phase.PICK):
        grid[t.place - 1] = s.box.grid[t.place - 1]
    if t.phase in (Phase.LOOK, Phase.GLIMPSE, Phase.PICK) and t.other:
        grid[t.other - 1] = s.box.grid[t.other - 1]


@compiled
def _deal_rest(s, other, rng):
    garden, hand = s.table.fairies[other], s.hand[other]
    wands = np.int64(garden.wands)
    cards = np.int64(0)
    for kind in range(WAND_COUNT):
        wands -= hand.wands[kind]
        cards += s.box.deck[kind]
    for _ in range(wands):
        kind = _kind_at(s.box.deck, random_below(rng, cards))
        s.box.deck[kind] -= 1
        hand.wands[kind] += 1
        cards -= 1
    for _ in range(garden.kings - count_members(hand.kings)):
        card = random_member(np.int64(s.box.kings) & ~EVERY_PIECE, rng)
        s.box.kings &= ~(1 << card)
        hand.kings |= 1 << (card - PIECES)


@compiled
def _kind_at(deck, left):
    """Return the kind of card number `left` of a deck given as counts."""
    kind = 0
    while left >= deck[kind]:
        left -= deck[kind]
        kind += 1
    return kind
