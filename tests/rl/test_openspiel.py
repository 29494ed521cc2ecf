"""OpenSpiel: its own test for every game, its MCTS and CFR on small settings, and which states it distinguishes."""

import copy
import json
import pickle
import random
from itertools import pairwise

import numpy as np
import pytest

import tavola
from tavola.contract.samples import redealt
from tavola.core import CHANCE, Match, stream
from tavola.rl.history import Moment

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is missing: make openspiel")

from open_spiel.python.algorithms import cfr, exploitability, external_sampling_mccfr, ismcts, mcts  # noqa: E402

from tavola.rl import openspiel  # noqa: E402


def endgame(name, left, seed, **options):
    game, draw = tavola.load(name), random.Random(seed)
    match = Match(game, seed=seed, **options)
    while not match.over:
        seat = match.to_act[0]
        match.play(draw.choice(match.legal_numbers(seat)), seat)
    earlier = Match(game, **options)
    for seat, number in match.history[: len(match.history) - left]:
        earlier.play(number, seat)
    return earlier.document()


def nodes(state):
    return 1 + sum(nodes(state.child(action)) for action in state.legal_actions())


def step_at_random(state, draw):
    if state.is_simultaneous_node():
        state.apply_actions([draw.choice(state.legal_actions(p) or [0]) for p in range(state.num_players())])
    else:
        state.apply_action(draw.choice(state.legal_actions()))


@pytest.mark.bulk
def test_openspiel_s_own_test():
    pyspiel.random_sim_test(openspiel.load("lifeboats", players=3), 1, True, False)


@pytest.mark.soak
@pytest.mark.parametrize("name", tavola.game_names())
def test_openspiel_s_own_test_for_every_game_at_every_table(name):
    few, many = tavola.load(name).players
    for players in range(few, many + 1):
        for reward in ("place", "win", "points"):
            pyspiel.random_sim_test(openspiel.load(name, players=players, reward=reward), 1, True, False)


def test_a_game_is_there_under_its_name_with_its_options():
    game = pyspiel.load_game("tavola_voyage", {"players": 5, "layout": "random"})
    assert game.num_players() == 5
    assert game.new_initial_state().is_chance_node()
    again = pyspiel.load_game(str(openspiel.load("lifeboats", islands="3-2-2")))
    assert again.get_parameters()["islands"] == "_3_2_2"


def test_chance_is_explicit_and_ballots_are_simultaneous_nodes():
    state, draw = openspiel.load("lifeboats", players=3).new_initial_state(), random.Random(1)
    assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
    voters = set()
    while not state.is_terminal():
        if state.is_simultaneous_node():
            voters.add(sum(bool(state.legal_actions(seat)) for seat in range(3)))
        step_at_random(state, draw)
    assert voters == {2, 3}
    assert sum(state.returns()) == pytest.approx(0)


def test_the_first_seat_in_an_open_decision_is_drawn_by_chance():
    state, draw, drawn = openspiel.load("tournament", players=3).new_initial_state(), random.Random(2), 0
    actions = len(tavola.load("tournament").actions)
    while not state.is_terminal() and drawn < 5:
        draws_first = state.is_chance_node() and state.legal_actions()[0] >= actions
        odds = [chance for _, chance in state.chance_outcomes()] if draws_first else []
        step_at_random(state, draw)
        if draws_first:
            drawn += 1
            assert state.current_player() == state.history()[-1] - actions
            assert len(set(odds)) == 1
    assert drawn == 5


def test_cfr_and_mcts_play_a_small_setting():
    position = endgame("lifeboats", 2, 3, players=3)
    game = pyspiel.convert_to_turn_based(openspiel.load("lifeboats", position=position))
    assert 4 < nodes(game.new_initial_state()) < 2000
    solver = cfr.CFRSolver(game)
    solver.evaluate_and_update_policy()
    at_first = exploitability.nash_conv(game, solver.average_policy())
    for _ in range(9):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < at_first / 4
    external_sampling_mccfr.ExternalSamplingSolver(game).iteration()
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 20, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = game.new_initial_state()
    while not state.is_terminal():
        action = rng.choice(state.legal_actions()) if state.is_chance_node() else bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


def test_a_state_is_copied_and_pickled_as_it_is():
    game = openspiel.load("lifeboats", players=3)
    state, draw = game.new_initial_state(), random.Random(4)
    for _ in range(12):
        copied = state.clone()
        step_at_random(state, draw)
        assert len(copied.history()) < len(state.history())
    moment = pickle.loads(pickle.dumps(state.moment))
    assert moment.states.tobytes() == state.moment.states.tobytes()
    for seat in range(3):
        assert moment.information_state(seat) == state.moment.information_state(seat)
    assert copy.deepcopy(moment) is moment
    assert game.deserialize_state(state.serialize()).history() == state.history()


@pytest.mark.parametrize("name", ["lifeboats", "voyage"])
def test_an_information_state_changes_exactly_when_its_seat_sees_or_hears_something(name):
    game, draw = tavola.load(name), random.Random(6)
    match = Match(game, players=4)
    line = [Moment(game, match.states_at(0), None, None)]
    while not (moment := line[-1]).over and len(line) < 90:
        seat = CHANCE if moment.is_chance else draw.choice(moment.asked)
        numbers = [number for number, _ in moment.outcomes()] if seat == CHANCE else moment.legal(seat)
        line.append(moment.play(seat, draw.choice(numbers)))
    changed = 0
    for before, after in pairwise(line):
        for seat in range(match.players):
            seen = before.view(seat) != after.view(seat)
            heard = after.played is not None and game.observe_action(*after.played, seat) is not None
            assert (before.information_state(seat) != after.information_state(seat)) == (seen or heard)
            changed += seen or heard
    assert changed
    assert len({line[-1].information_state(seat) for seat in range(match.players)}) == match.players


def test_what_another_votes_leaves_the_information_state_of_a_seat_as_it_was():
    state, draw, ballots = openspiel.load("lifeboats", players=3).new_initial_state(), random.Random(3), 0
    while not state.is_terminal() and ballots < 3:
        moment = state.moment
        if state.is_simultaneous_node():
            voter, *others = moment.asked
            votes = [moment.play(voter, action) for action in moment.legal(voter)[:2]]
            for seat in others:
                assert votes[0].information_state(seat) == votes[1].information_state(seat)
            assert votes[0].information_state(voter) != votes[1].information_state(voter)
            ballots += 1
        step_at_random(state, draw)
    assert ballots == 3


def test_redeals_leave_the_observation_as_it_was():
    game, card = openspiel.load("voyage", players=5), tavola.load("voyage")
    state, draw, rng = game.new_initial_state(), random.Random(3), stream(1)
    for _ in range(14):
        step_at_random(state, draw)
    for seat in range(5):
        other = game.new_initial_state()
        other.moment = Moment(card, redealt(state.moment.view(seat), rng), None, None)
        assert other.observation_string(seat) == state.observation_string(seat)
        assert other.observation_tensor(seat) == state.observation_tensor(seat)
        assert json.loads(state.observation_string(seat))["seat"] == seat


def sequential(name, actions, seed, **parameters):
    game = openspiel.load(name, turns=True, **parameters)
    state, draw = game.new_initial_state(), random.Random(seed)
    while state.is_chance_node() or len(state.history()) < actions:
        state.apply_action(draw.choice(state.legal_actions()))
    return game, state


@pytest.mark.parametrize(
    ("name", "players", "actions"), [("lifeboats", 3, 26), ("voyage", 5, 10), ("tournament", 3, 45)]
)
def test_information_set_mcts_runs(name, players, actions):
    game, state = sequential(name, actions, 1, players=players)
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 4, random_state=rng)
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("name", ["voyage", "fairies"])
def test_a_resampled_state_is_the_same_to_its_seat_and_another_world(name):
    _, state = sequential(name, 24 if name == "fairies" else 10, 3, players=3)
    seat, draw = state.current_player(), random.Random(2)
    worlds = [state.resample_from_infostate(seat, draw.random) for _ in range(8)]
    for world in worlds:
        assert (world.current_player(), world.legal_actions()) == (seat, state.legal_actions())
        assert world.information_state_string(seat) == state.information_state_string(seat)
        assert world.information_state_tensor(seat) == state.information_state_tensor(seat)
        assert pickle.loads(pickle.dumps(world.moment)).history(seat) == state.moment.history(seat)
    assert len({world.moment.states.tobytes() for world in worlds}) > 1
    again = worlds[0].resample_from_infostate(seat, draw.random)
    assert again.information_state_string(seat) == state.information_state_string(seat)


def test_a_root_of_chance_keeps_the_belief_of_a_position():
    position = endgame("lifeboats", 40, 3, players=3)
    seat = Match(tavola.load("lifeboats"), position=position).to_act[0]
    root = openspiel.load("lifeboats", position=position, belief=seat, worlds=24).new_initial_state()
    assert root.is_chance_node()
    assert sum(chance for _, chance in root.chance_outcomes()) == pytest.approx(1)
    assert len({root.child(world).information_state_string(seat) for world in root.legal_actions()}) == 1
    voyage = Match(tavola.load("voyage"), players=5, seed=1)
    hidden = openspiel.load("voyage", position=voyage.document(), belief=0, worlds=24).new_initial_state()
    others = {hidden.child(world).information_state_string(1) for world in hidden.legal_actions()}
    assert len(hidden.legal_actions()) > len(others) > 1
    child = hidden.child(0)
    assert pickle.loads(pickle.dumps(child.moment)).states.tobytes() == child.moment.states.tobytes()
    assert hidden.action_to_string(0) == "world 0"


def test_a_game_is_pickled_and_copied():
    game = openspiel.load("lifeboats", players=3, turns=True)
    assert copy.deepcopy(game) is game
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(game)
    assert again.num_players() == 3


@pytest.mark.parametrize("wrong", [{"belief": 9}, {"worlds": 0}, {"world": 3}])
def test_a_parameter_that_there_is_not_is_refused(wrong):
    with pytest.raises(tavola.Refusal, match=r"parameter .*: expected"):
        openspiel.load("lifeboats", **wrong)


def test_what_does_not_exist_is_refused():
    with pytest.raises(tavola.Refusal, match="unknown game"):
        openspiel.load("chess")
