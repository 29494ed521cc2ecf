"""The rules of the magpie."""

from enum import IntEnum

from tavola.core import (
    CHANCE,
    Actions,
    Options,
    Record,
    choice,
    compiled,
    draw_from,
    each,
    flag,
    labels,
    legal_draws,
    number,
    numerals,
    one,
    pile_size,
    rank_seats,
    verb,
)

SEATS = 4
CARDS = ("ring", "spoon", "coin", "key")
KINDS = len(CARDS)
COPIES = 3
DEALT = 2
ROUNDS = 3


class Phase(IntEnum):
    NEST, DEAL, TURN, DRAW, OVER = range(5)


OPTIONS = Options((2, SEATS))
ACTIONS = Actions(
    verb("hide", secret=True, card=CARDS),
    verb("deal", secret=True, card=CARDS),
    verb("turn", planned=True),
    verb("steal", planned=True, seat=numerals(0, SEATS - 1)),
    verb("draw", secret=True, card=CARDS),
)


class First(IntEnum):
    HIDE, DEAL, TURN, STEAL, DRAW = ACTIONS.first.values()


Cards = each(CARDS, number(0, COPIES))


class Table(Record):
    players: int = number(2, SEATS)
    phase: int = choice(*labels(Phase))
    dealt: int = number(0, SEATS * DEALT)
    played: int = number(0, SEATS * ROUNDS)  # cards stolen so far, in turn
    victim: int = number(0, SEATS)  # 1 for the first seat, 0 for none
    held: tuple[int, ...] = each(SEATS, number(0, SEATS * DEALT))
    nest: int = choice("unseen", *CARDS)
    shown: tuple[tuple[int, ...], ...] = each(SEATS, Cards)
    magpie: int = flag()


class Hand(Record):
    cards: tuple[int, ...] = Cards
    knows: tuple[tuple[int, ...], ...] = each(SEATS, Cards)  # type: ignore[misc]  # of each kind that another certainly holds


class Box(Record):
    cards: tuple[int, ...] = Cards
    nest: int = number(0, KINDS)  # type: ignore[misc]


class State(Record):
    table: Table = one(Table)
    hand: tuple[Hand, ...] = each(SEATS, Hand)
    box: Box = one(Box)


@compiled
def start(s):
    for kind in range(KINDS):
        s.box.cards[kind] = COPIES


@compiled
def to_act(s):
    t = s.table
    if t.phase == Phase.OVER:
        return 0
    return 1 << int(t.played % t.players) if t.phase == Phase.TURN else 1 << CHANCE


@compiled
def legal(s, seat, actions, weights):
    t = s.table
    if t.phase == Phase.TURN:
        return _legal_turn(t, seat, actions)
    if t.phase == Phase.DRAW:
        return legal_draws(s.hand[t.victim - 1].cards, First.DRAW, actions, weights)
    return legal_draws(s.box.cards, First.HIDE if t.phase == Phase.NEST else First.DEAL, actions, weights)


@compiled
def _legal_turn(t, seat, actions):
    count = 0
    if not t.nest:
        actions[count] = First.TURN
        count += 1
    for other in range(t.players):
        if other != seat and t.held[other]:
            actions[count] = First.STEAL + other
            count += 1
    return count


@compiled
def apply(s, seat, action):
    t = s.table
    if t.phase == Phase.NEST:
        s.box.cards[action - First.HIDE] -= 1
        s.box.nest = action - First.HIDE + 1
        t.phase = Phase.DEAL
    elif t.phase == Phase.DEAL:
        _apply_deal(s, action - First.DEAL)
    elif t.phase == Phase.DRAW:
        _apply_draw(s, int(t.played % t.players), int(t.victim - 1), action - First.DRAW)
    elif action == First.TURN:
        t.nest = s.box.nest
    else:
        t.victim = action - First.STEAL + 1
        t.phase = Phase.DRAW


@compiled
def _apply_deal(s, kind):
    t = s.table
    seat = t.dealt % t.players
    s.box.cards[kind] -= 1
    s.hand[seat].cards[kind] += 1
    t.held[seat] += 1
    t.dealt += 1
    if t.dealt == DEALT * t.players:
        t.phase = Phase.TURN


@compiled
def _apply_draw(s, thief, victim, kind):
    t = s.table
    s.hand[victim].cards[kind] -= 1
    s.hand[thief].cards[kind] += 1
    t.held[victim] -= 1
    t.held[thief] += 1
    _note(s, thief, victim, kind)
    t.victim = 0
    t.played += 1
    t.phase = Phase.TURN
    if t.played == ROUNDS * t.players or not _somebody_else_holds(t):
        _show(s)


@compiled
def _note(s, thief, victim, kind):
    """The victim knows what the thief holds now, the thief what is gone; to the others it may have been any card."""
    t = s.table
    s.hand[victim].knows[thief, kind] += 1
    for other in range(t.players):
        for lost in range(KINDS):
            gone = lost == kind if other == thief else other != victim
            if gone and s.hand[other].knows[victim, lost]:
                s.hand[other].knows[victim, lost] -= 1


@compiled
def _somebody_else_holds(t):
    count = 0
    for seat in range(t.players):
        count += seat != t.played % t.players and t.held[seat] > 0
    return count > 0


@compiled
def _show(s):
    t = s.table
    t.phase = Phase.OVER
    for seat in range(t.players):
        for kind in range(KINDS):
            t.shown[seat, kind] = s.hand[seat].cards[kind]


@compiled
def score(s, points, place):
    t = s.table
    for seat in range(t.players):
        points[seat] = 0
        for kind in range(KINDS):
            count = t.shown[seat, kind] if t.phase == Phase.OVER else s.hand[seat].cards[kind]
            points[seat] += count // 2
    rank_seats(points, place, t.players)


@compiled
def redeal(s, seat, rng):
    """Give the others the cards that the seat knows of, and unseen cards up to the sizes on the table."""
    t = s.table
    for kind in range(KINDS):
        s.box.cards[kind] = COPIES - s.hand[seat].cards[kind] - (t.nest == kind + 1)
    for other in range(t.players):
        if other != seat:
            for kind in range(KINDS):
                s.hand[other].cards[kind] = s.hand[seat].knows[other, kind]
                s.box.cards[kind] -= s.hand[other].cards[kind]
    s.box.nest = t.nest
    if t.phase != Phase.NEST and not t.nest:
        s.box.nest = draw_from(s.box.cards, rng) + 1
    for other in range(t.players):
        if other != seat:
            for _ in range(t.held[other] - pile_size(s.hand[other].cards)):
                s.hand[other].cards[draw_from(s.box.cards, rng)] += 1
    _note_own_cards(s, seat)


@compiled
def _note_own_cards(s, seat):
    """Clear what the others know: knowing nothing agrees with everything."""
    for other in range(s.table.players):
        if other != seat:
            for about in range(SEATS):
                for kind in range(KINDS):
                    s.hand[other].knows[about, kind] = 0
