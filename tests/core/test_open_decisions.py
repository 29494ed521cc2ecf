"""Open decisions: the first seat to act is heard, the others are asked again. The bazaar, a drill, is played."""

import numpy as np
import pytest
from bazaar import GAME

from tavola.bots import bot
from tavola.bots.search import search
from tavola.contract.samples import states_of
from tavola.core import CHANCE, OPEN, BadRecord, IllegalAction, NotYourTurn, kernels, read_record, stream
from tavola.core.match import perft
from tavola.core.matchfile import replay_history
from tavola.core.view import Buffers
from tavola.lab import arena
from tests.helpers.drills import register_drills
from tests.helpers.matches import played

DEALS = (("wool", "wool", "salt"), ("wool", "salt", "silk"), ("silk", "salt", "silk"))


def bazaar(*plays):
    """Three seats with their goods (2 wool and silk; wool and 2 salt; salt and 2 silk), then `plays` are played."""
    return played(GAME, *((CHANCE, f"deal {good}") for around in DEALS for good in around), *plays, players=3)


def test_the_first_seat_to_act_acts_and_the_others_are_asked_again():
    match = bazaar()
    for seen in (match, match.view(1)):
        assert (seen.open, seen.to_act) == (True, (0, 1, 2))
    match.play("lay wool", 0)
    match.play("offer salt", 0)
    assert all("accept 0" in match.legal_codes(seat) for seat in (1, 2))
    match.play("accept 0", 1)
    with pytest.raises(IllegalAction, match="'accept 0' is not allowed now for seat 2"):
        match.play("accept 0", 2)


def test_no_seat_acts_when_the_match_is_over():
    match = bazaar((0, "done"), (1, "done"))
    assert (match.over, match.open) == (True, False)
    with pytest.raises(NotYourTurn, match="no seat is to act: expected no action, since the match is over"):
        match.actor(stream(1))


def test_every_seat_comes_first_equally_often():
    mask, rng = 0b1011 | 1 << OPEN, stream(1)
    counts = np.bincount([kernels.actor(mask, rng) for _ in range(6000)], minlength=4)
    assert counts[2] == 0
    assert np.all(abs(counts[[0, 1, 3]] - 2000) < 150)
    assert {kernels.actor(0b1010, rng) for _ in range(50)} == {1}


def test_no_seat_is_favoured_in_accepted_deals():
    count = 20_000
    accepted, states, scratch = np.zeros(4), GAME.states(1), Buffers(GAME)
    empty, options = np.zeros(1, states.dtype), GAME.options.array({"players": 4})
    for number in range(count):
        states[:] = empty
        kernels.start_at(states, 0, options)
        kernels.playout(states, 0, stream(2, number), scratch.actions, scratch.weights)
        accepted += states["table"]["accepted"][0]
    assert accepted.sum() > 5000
    assert accepted.max() < 1.15 * accepted.min()  # two standard errors of the difference are 7 %


def test_perft_counts_every_seat_that_may_come_first():
    match = bazaar()
    owed = [len(match.legal_numbers(seat)) for seat in range(3)]
    states = states_of(GAME, match.state_bytes())
    assert perft(GAME, states, 1) == sum(owed)
    after = 0
    for seat in range(3):
        for number in match.legal_numbers(seat):
            match.play(number, seat)
            after += sum(len(match.legal_numbers(other)) for other in match.to_act)
            match.undo()
    assert perft(GAME, states, 2) == after


def test_a_record_keeps_the_order_of_open_decisions():
    plays = ((1, "lay salt"), (0, "lay wool"), (1, "offer silk"), (2, "accept 1"), (0, "offer salt"))
    match = bazaar(*plays)
    assert read_record(str(match.record())).actions[-5:] == plays
    assert replay_history(GAME, match.options, match.history).tobytes() == match.state_bytes()
    with pytest.raises(BadRecord):
        replay_history(GAME, match.options, [*match.history, (OPEN, 0)])


@pytest.mark.bulk
def test_search_takes_the_bargain_that_is_there():
    """Seat 0 (wool, wool, silk) is offered a third wool for its silk: three of a kind are worth most."""
    match = bazaar((1, "lay wool"), (1, "offer silk"))
    for seed in range(3):
        assert match.game.actions.code(bot("search", seed, iterations=800).choose(match.view(0))) == "accept 1"


def test_search_examines_its_own_turn_first_in_open_decisions():
    match = bazaar((1, "lay wool"), (1, "offer silk"))
    for seat in range(3):
        found = search(match.view(seat), stream(seat), None, 200)
        assert found.tries.sum() >= 200
        assert tuple(found.actions) == match.view(seat).legal
        assert not found.secret


def test_an_arena_is_held_and_says_the_same_again(monkeypatch: pytest.MonkeyPatch):
    register_drills(monkeypatch, "bazaar")
    one, two = (arena("bazaar", ["search@60", "random", "random"], 9, 1, processes=1) for _ in range(2))
    assert [s.wins for s in one.standings] == [s.wins for s in two.standings]
    assert one.standings[0].decisions > 9
