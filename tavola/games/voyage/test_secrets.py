"""Secrets: views contain nothing hidden, and every redeal could have happened."""

from itertools import combinations

import numpy as np
import pytest

from tavola.contract.samples import legal, random_legal_action, random_options, redealt, to_act
from tavola.core import CHANCE, kernels, lowest_member, stream
from tavola.core.match import initial_states
from tavola.core.view import View
from tavola.games.voyage.components import BESIDE, CELL_COUNT, FOG, ISLANDS, RANDOM, SEA, START, First, Phase
from tavola.games.voyage.fixtures import GAME, SIX, cells, first_turn, offer, sail
from tavola.games.voyage.fixtures import ISLANDS as LAID


def random_match(number):
    """The options of a random match, its actions before the last one, and the state after them."""
    rng, history = stream(11, number), []
    options = GAME.options.array(random_options(GAME, rng))
    states = initial_states(GAME, options)
    while mask := to_act(states):
        before, seat = GAME.copy_states(states), int(lowest_member(mask))
        history.append((seat, random_legal_action(GAME, states, seat, rng)))
        kernels.apply_at(states, 0, *history[-1])
    return options, history[:-1], before


def another_world(last, viewer, number):
    """A state that `viewer` cannot distinguish from the last one."""
    return redealt(View(GAME, last, viewer), stream(13, number))


def seen_bytes(states, viewer):
    return states["table"].tobytes() + states["hand"][0, viewer].tobytes()


def matching_history(history, other):
    state = GAME.state.unpack(other.tobytes())
    islands = iter([First.ISLAND + cell for cell in range(CELL_COUNT) if state.box.islands >> cell & 1])
    roles = iter([First.ROLE + hand.role - 1 for hand in state.hand])
    last_offer = max((k for k, (seat, action) in enumerate(history) if First.COURSES <= action < First.VOTE), default=0)
    captains = [turn.captain for turn in state.table.turns]
    alternatives = iter([state.hand[captain].alternatives[turn] for turn, captain in enumerate(captains)])
    for place, (seat, action) in enumerate(history):
        if First.ISLAND <= action < First.ISLAND + CELL_COUNT:
            action = next(islands)
        elif First.ROLE <= action < First.COURSES:
            action = next(roles)
        elif First.COURSES <= action < First.VOTE:
            action = First.COURSES + (action - First.COURSES) // 4 * 4 + next(alternatives) - 1
        elif First.VOTE <= action < First.VOTE + 2 and place > last_offer and state.table.phase == Phase.BALLOT:
            action = First.VOTE + state.hand[seat].card - 1
        yield seat, action


def compare(number):
    """Play a random match in two worlds that differ only in parts hidden from a seat; return whether they differed."""
    options, history, last = random_match(number)
    viewer = number % int(options[0])
    other = another_world(last, viewer, number)
    one, two = initial_states(GAME, options), initial_states(GAME, options)
    for (seat, action), (_, twin) in zip(history, matching_history(history, other), strict=True):
        assert to_act(one) == to_act(two)
        assert seen_bytes(one, viewer) == seen_bytes(two, viewer)
        known, possible = (legal(GAME, states, seat)[0] for states in (one, two))
        assert seat == CHANCE or known == possible, "what others may do tells nothing"
        assert seat != viewer or action == twin
        assert action in known
        assert twin in possible, "the redealt world could have happened"
        kernels.apply_at(one, 0, seat, action)
        kernels.apply_at(two, 0, seat, twin)
    assert two.tobytes() == other.tobytes(), "and leads to the state that was redealt"
    return one.tobytes() != two.tobytes()


@pytest.mark.bulk
def test_two_worlds_that_differ_in_secrets_look_alike_along_whole_matches():
    assert sum(compare(number) for number in range(100)) > 96


@pytest.mark.soak
def test_a_hundred_thousand_pairs_of_worlds():
    assert sum(compare(number) for number in range(100, 100_100)) > 97_000


def test_other_seats_see_a_difference():
    """The comparison above can fail: parts hidden from one seat are visible to another."""
    told = 0
    for number in range(50):
        options, _, last = random_match(number)
        other = another_world(last, 0, number)
        told += any(seen_bytes(last, seat) != seen_bytes(other, seat) for seat in range(1, int(options[0])))
    assert told > 45


# How redeals are drawn


def redeal_many(match, viewer, count):
    rng = stream(5)
    return np.concatenate([redealt(match.view(viewer), rng) for _ in range(count)])


def test_the_secret_alternative_is_any_that_could_be_laid():
    match = sail(first_turn(*SIX[:3], safe_course="on"), "sssss")
    offer(match, "south", "west")
    laid = redeal_many(match, 0, 3000)["hand"]["alternatives"][:, 2, 5]
    assert sorted(set(laid.tolist())) == [1, 2, 4], "south loses the route: one of the courses that keep it"
    assert all(abs((laid == course).sum() - 1000) < 120 for course in (1, 2, 4))
    assert (redeal_many(match, 2, 20)["hand"]["alternatives"][:, 2, 5] == 4).all(), "the captain knows it"


def test_islands_are_redealt_uniformly_among_all_maps_that_agree():
    """Two islands left among eight cells: every pair that does not touch, equally often."""
    unseen, found = cells("e1 e2 e3 b3 b4 g5 h5 f2"), cells("a1 c1 d4 f4 h3 e6 g7 i6")
    states = GAME.states(20_001)
    kernels.start_at(states, 0, GAME.options.array({"layout": "random"}))
    table = states["table"][:1]
    table["laid"], table["phase"], table["crosses"] = ISLANDS, Phase.BALLOT, found
    table["explored"] = START | (SEA & ~unseen)
    beside = sum(1 << c for c in range(CELL_COUNT) if int(BESIDE[c]) & found)
    free = [c for c in range(CELL_COUNT) if (unseen & ~beside) >> c & 1]
    maps = [a | b for a, b in combinations([1 << c for c in free], 2) if not int(BESIDE[a.bit_length() - 1]) & b]
    states[1:] = states[0]
    rng = stream(3)
    for i in range(1, len(states)):
        kernels.redeal_at(states, i, -1, rng)
    counts = dict(zip(*np.unique(states["box"]["islands"][1:], return_counts=True), strict=True))
    assert counts.keys() == {one | found for one in maps}
    expected = 20_000 / len(maps)
    assert all(abs(count - expected) < 5 * expected**0.5 for count in counts.values())


def test_a_spectators_view_can_be_redealt():
    state = GAME.copy_states(first_turn(*SIX[:4], islands=LAID).view().states)
    kernels.redeal_at(state, 0, -1, stream(2))
    assert not GAME.faults(GAME.state.unpack(state.tobytes()))
    assert int(state["table"]["layout"][0]) == RANDOM
    assert not int(state["box"]["islands"][0]) & FOG
