"""Batches: the same matches on any number of threads, compiled or not; opponents; action histories; refusals."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import tavola
from tavola.bots.policies import choose_greedy
from tavola.core import IllegalAction, compilation, stream
from tavola.core.encoding import BadArray, CentralRows
from tavola.core.view import Buffers
from tavola.lab.intervals import wilson_interval
from tavola.rl.batch import BadBatch
from tavola.rl.devices import Processors
from tavola.rl.opponents import BadOpponent, Pool
from tavola.rl.rewards import rewards_of

GAME = "lifeboats"


def trace(batch, steps):
    shown = []
    for step in range(steps):
        shown += [array.tobytes() for array in (batch.seat_to_act, batch.observe(), batch.mask())]
        shown += [array.tobytes() for array in (*batch.step(batch.sample(step)), batch.number)]
    return shown


@pytest.mark.bulk
def test_the_seed_decides_whatever_the_threads():
    alone, shared = (tavola.Batch(GAME, n=600, seed=7, threads=threads, recall=2) for threads in (1, 2))
    assert isinstance(shared._device, Processors)
    assert len(shared._device.shares) == 2
    assert trace(alone, 10) == trace(shared, 10)
    alone.reset(8)
    shared.reset(7)
    assert trace(alone, 5) != trace(shared, 5)


def test_a_match_of_a_batch_can_be_replayed_by_itself():
    many, one = (tavola.Batch(GAME, n=n, seed=3, opponents="random") for n in (5, 1))
    for step in range(200):
        assert many.observe()[0].tobytes() == one.observe()[0].tobytes()
        chosen = many.sample(step)
        chosen[0] = one.sample(step)[0]
        done = many.step(chosen)[1]
        assert done[0] == one.step(chosen[:1])[1][0]
        if done[0]:
            return
    raise AssertionError("the match has not ended")


def test_plain_python_and_machine_code_play_the_same():
    home = tavola.load(GAME).source_folder
    settings: dict[str, Any] = {"n": 3, "seed": 2, "recall": 3, "opponents": "greedy"}
    compiled = trace(tavola.Batch(GAME, **settings), 12)
    compilation.interpret(home)
    try:
        assert trace(tavola.Batch(GAME, **settings), 12) == compiled
    finally:
        compilation.use_machine_code(home)


def test_rows_are_the_encoded_views_of_the_seats_to_act():
    batch = tavola.Batch(GAME, n=4, seed=5, players=5)
    encoder, ends = batch.encoder, 0
    for step in range(700):
        if step % 70 == 0:
            observed, legal = batch.observe(), batch.mask()
            for row in range(4):
                view = batch.view(row)
                alone = np.zeros((1, *encoder.shape), np.float32)
                encoder.encode(view.states, [view.seat], alone)
                assert (observed[row] == alone[0]).all()
                assert np.flatnonzero(legal[row]).tolist() == list(view.legal)
        rewards, done = batch.step(batch.sample(step))
        assert rewards.shape == (4, 5)
        assert (rewards[~done] == 0).all()
        assert np.allclose(rewards.sum(1), 0, atol=1e-6)
        ends += int(done.sum())
    assert ends > 3
    assert batch.number.sum() == sum(range(4)) + 4 * ends


def test_arrays_that_are_given_are_filled_in_place():
    batch = tavola.Batch(GAME, n=3, seed=1)
    observed, legal = np.ones((3, *batch.encoder.shape), np.int16), np.ones((3, len(batch.game.actions)), np.int8)
    for fill, given in ((batch.observe, observed), (batch.mask, legal)):
        assert fill(given) is given
        assert (given == fill()).all()
    to_act = batch.seat_to_act
    batch.step(batch.sample(1))
    assert batch.seat_to_act is to_act


def test_what_is_recalled_are_the_own_actions_and_no_secret_of_another():
    batch = tavola.Batch(GAME, n=8, seed=4, recall=5)
    first, heard_of_others = batch.encoder.seen_columns, 0
    chosen: dict[tuple[int, int], list[int]] = {}
    for step in range(120):
        actions, observed = batch.sample(step), batch.observe()
        for row, seat in enumerate(batch.seat_to_act.tolist()):
            heard = observed[row, first:].astype(int).reshape(-1, 2).tolist()
            own, mine = [number for by, number in heard if by == seat], chosen.setdefault((row, seat), [])
            assert own == mine[::-1][: len(own)]
            others = [number for by, number in heard if by not in (seat, -1)]
            assert not any(batch.game.actions.is_secret[number] for number in others)
            heard_of_others += len(others)
            mine.append(int(actions[row]))
        done = batch.step(actions)[1]
        chosen = {key: mine for key, mine in chosen.items() if not done[key[0]]}
    assert heard_of_others


def test_opponents_play_inside_and_one_seat_is_asked_that_moves_on():
    batch, won = tavola.Batch(GAME, n=64, seed=1, opponents="random", reward="win"), []
    for step in range(200):
        asked = batch.seat_to_act.copy()
        assert (asked == batch.number % batch.players).all()
        rewards, done = batch.step(batch.sample(step))
        assert np.allclose(rewards[done].sum(1), 1)
        won += rewards[done, asked[done]].tolist()
    assert len(won) > 100
    assert 0.1 < np.mean(won) < 0.4


def test_opponents_by_seat_and_greedy_is_better_than_random():
    batch, won = tavola.Batch(GAME, n=64, seed=1, opponents=["greedy", None, "greedy", "greedy"], reward="win"), []
    for step in range(150):
        assert (batch.seat_to_act == 1).all()
        rewards, done = batch.step(batch.sample(step))
        won += rewards[done, 1].tolist()
    assert len(won) > 100
    assert np.mean(won) < 0.15


def test_a_level_says_what_it_would_play():
    batch, won = tavola.Batch(GAME, n=64, seed=1, players=3, opponents="random", reward="win"), []
    scratch, scores = Buffers(batch.game), np.zeros(len(batch.game.actions))
    for step in range(20):
        batch.step(batch.sample(step))
    for row, number in enumerate(batch.sample(1, "greedy").tolist()):
        view = batch.view(row)
        states = batch.game.copy_states(view.states)
        choose_greedy(states, 0, view.seat, scratch.actions, scratch.weights, scores, stream(1))
        assert scores[view.legal.index(number)] == scores[: len(view.legal)].max()
    for step in range(100):
        asked = batch.seat_to_act.copy()
        rewards, done = batch.step(batch.sample(step, "greedy"))
        won += rewards[done, asked[done]].tolist()
    assert np.mean(won) > 0.8
    for level in ("clever", None, "search"):
        with pytest.raises(BadBatch, match="level: expected random or greedy"):
            batch.sample(1, level)


def test_an_illegal_action_is_refused_and_nothing_is_played():
    batch = tavola.Batch(GAME, n=600, seed=1, threads=2)
    chosen, before = batch.sample(1), batch.observe()
    illegal = int(np.flatnonzero(~batch.mask()[555])[0])
    for number, named in ((illegal, f"'{batch.game.actions.code(illegal)}'"), (1 << 40, "")):
        chosen[555] = number
        with pytest.raises(IllegalAction, match=f"row 555: .*{named}.* is not allowed for seat 2: expected"):
            batch.step(chosen)
    assert batch.observe().tobytes() == before.tobytes()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"n": 0}, "n: expected a whole number from 1"),
        ({"seed": "x"}, "seed: expected a whole number"),
        ({"opponents": "clever"}, "expected random or greedy"),
        ({"opponents": ["greedy"] * 4}, "at least one of them None"),
        ({"opponents": ["greedy", None]}, "a sequence of 4"),
        ({"threads": 0}, "threads: expected"),
        ({"recall": -2}, "recall: expected"),
        ({"reward": "glory"}, "reward: expected place or win or points"),
        ({"players": 9}, "option players"),
    ],
)
def test_a_batch_that_cannot_be_made_is_refused(settings, said):
    with pytest.raises(tavola.Refusal, match=said):
        tavola.Batch(GAME, **({"n": 2} | settings))


def test_actions_and_arrays_that_do_not_fit_are_refused():
    batch = tavola.Batch(GAME, n=2)
    wrong: list[Any] = [[1], [0.5, 1.0], [[1, 2]]]
    for actions in wrong:
        with pytest.raises(BadBatch, match="actions: expected 2 whole numbers"):
            batch.step(actions)
    with pytest.raises(BadArray, match="of shape"):
        batch.observe(np.zeros((2, 3), np.float32))
    with pytest.raises(BadArray, match="bool, int8 or uint8"):
        batch.mask(np.zeros((2, len(batch.game.actions)), np.float64))
    with pytest.raises(BadBatch, match="row: expected"):
        batch.view(2)


def first_legal(observations, masks):
    assert observations.dtype == np.float32
    assert len(observations) == len(masks)
    return masks.argmax(axis=1)


def last_legal(observations, masks):
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def test_greedy_wins_as_often_on_every_seat():
    """If ties went to the lowest boat, seats would win 12, 30 and 58 %."""
    batch = tavola.Batch(GAME, n=1200, seed=5, players=3, reward="win")
    won, going, step = np.zeros(3), np.ones(batch.n, bool), 0
    while going.any():
        rewards, done = batch.step(batch.sample(step, "greedy"))
        won += rewards[going & done].sum(0)
        going &= ~done
        step += 1
    for share in won / batch.n:
        low, high = wilson_interval(share, batch.n)
        assert low < 1 / 3 < high, won / batch.n


@pytest.mark.parametrize("again", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_copy_goes_on_as_the_batch_does(again):
    batch = tavola.Batch(GAME, n=3, seed=4, recall=2, max_cycles=20, opponents=Pool("random", first_legal))
    trace(batch, 6)
    assert trace(again(batch), 30) == trace(batch, 30)


def test_what_was_saved_is_gone_on_from_and_no_other_batch_takes_it():
    batch = tavola.Batch(GAME, n=4, seed=4, recall=2)
    trace(batch, 5)
    saved = pickle.loads(pickle.dumps(batch.save()))
    later = trace(batch, 40)
    batch.reset(9)
    batch.restore(saved)
    assert trace(batch, 40) == later
    with pytest.raises(BadBatch, match="expected data saved by a batch of 'lifeboats' with n=3"):
        tavola.Batch(GAME, n=3).restore(saved)
    with pytest.raises(BadBatch, match=r"expected .* of shape"):
        tavola.Batch(GAME, n=4, recall=1).restore(saved)


@pytest.mark.parametrize("opponent", ["search:3", first_legal, Pool("greedy", first_legal, last_legal)])
def test_opponents_may_be_searches_policies_and_pools(opponent):
    batch = tavola.Batch(GAME, n=3, seed=1, players=3, opponents=opponent)
    for step in range(12):
        assert (batch.seat_to_act == batch.number % 3).all()
        assert batch.mask().any(1).all()
        batch.step(batch.sample(step))
    by_seat = tavola.Batch(GAME, n=2, seed=1, players=3, opponents=[opponent, "greedy", None])
    by_seat.step(by_seat.sample(1))
    assert (by_seat.seat_to_act == 2).all()


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (lambda seen, masks: (~masks).argmax(1), r"policy: row 0: .*: expected one of"),
        (lambda seen, masks: masks, r"policy: expected \d whole numbers, found bool"),
        (lambda seen, masks: np.full(len(masks), -1), r"policy: row 0: -1: expected one of"),
    ],
)
def test_what_a_policy_may_not_choose_is_refused(policy, said):
    with pytest.raises(BadOpponent, match=said):
        trace(tavola.Batch(GAME, n=2, players=3, opponents=policy), 3)


def test_a_pool_gives_each_match_another_and_takes_more():
    pool = Pool("random")
    pool.add("greedy")
    assert {pool.member(match, 0) for match in range(20)} == {"random", "greedy"}
    assert [pool.member(3, seat) for seat in range(4)] == [pool.member(3, seat) for seat in range(4)]
    for wrong in ((), (pool,), ("clever",)):
        with pytest.raises(BadOpponent):
            Pool(*wrong)


def test_what_all_seats_and_a_critic_see_and_what_was_seen_at_the_end():
    batch, ends = tavola.Batch(GAME, n=3, seed=2, players=3, recall=2), 0
    for step in range(150):
        seen, asked = batch.observe_all(), batch.seat_to_act.copy()
        assert (seen[np.arange(3), asked] == batch.observe()).all()
        assert batch.state().shape == (3, len(CentralRows(batch.encoder, 3).names))
        _, done = batch.step(batch.sample(step))
        assert (batch.acted == asked).all()
        final = batch.observe_final()
        assert not final[~done].any()
        for row in np.flatnonzero(done):
            assert final[row, batch.encoder.names.index(f"seat.{asked[row]}")] == 1
            assert final[row, batch.encoder.names.index("phase.over")] == 1
        ends += int(done.sum())
    assert ends


def test_the_whole_position_holds_the_table_once_and_every_hand():
    batch = tavola.Batch(GAME, n=2, seed=2, players=3)
    central = CentralRows(batch.encoder, 3)
    assert central.names[0] == "players"
    assert "hands.2.card.captain" in central.names
    while not (batch.state()[:, central.names.index("hands.0.card.none")] == 0).any():
        batch.step(batch.sample(1))
    assert ((batch.state() >= central.low) & (batch.state() <= central.high)).all()


def test_matches_are_cut_off_after_so_many_steps():
    batch, cut = tavola.Batch(GAME, n=2, seed=2, players=3, opponents="random", max_cycles=7), 0
    for step in range(1, 29):
        rewards, done = batch.step(batch.sample(step))
        assert done.tolist() == batch.truncated.tolist() == [step % 7 == 0] * 2
        assert not rewards.any()
        assert batch.observe_final().any() == done.any()
        cut += int(done.sum())
    assert cut == 8
    with pytest.raises(BadBatch, match="max_cycles: expected"):
        tavola.Batch(GAME, n=2, max_cycles=0)


def test_rewards_by_their_rules():
    assert rewards_of((9, 5, 5, 1), (1, 2, 2, 4), 0) == pytest.approx([1, 0, 0, -1])
    assert rewards_of((9, 9, 5), (1, 1, 3), 0) == pytest.approx([0.5, 0.5, -1])
    assert rewards_of((9, 9, 5), (1, 1, 3), 1) == [0.5, 0.5, 0.0]
    assert rewards_of((9, 9, 5), (1, 1, 3), 2) == [9.0, 9.0, 5.0]


def test_what_has_no_such_name_is_not_in_the_package():
    with pytest.raises(AttributeError, match="no attribute 'Batches'"):
        tavola.Batches  # noqa: B018


@pytest.mark.soak
@pytest.mark.parametrize("name", tavola.game_names())
def test_every_game_is_played_in_batches_at_every_table(name):
    game = tavola.load(name)
    for players in range(game.players[0], game.players[1] + 1):
        batch, ends = tavola.Batch(game, n=256, seed=players, recall=4, players=players), 0
        observed, legal = batch.observe(), batch.mask()
        for step in range(1500):
            rewards, done = batch.step(batch.sample(step))
            if step % 10 == 0:
                assert batch.mask(legal).any(1).all()
                assert (batch.observe(observed) >= batch.encoder.low).all()
                assert (observed <= batch.encoder.high).all()
            assert np.allclose(rewards.sum(1), 0, atol=1e-5)
            ends += int(done.sum())
        assert ends
        greedy = tavola.Batch(game, n=64, seed=1, opponents="greedy", players=players)
        for step in range(100):
            greedy.step(greedy.sample(step))
