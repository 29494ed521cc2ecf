"""PettingZoo and Gymnasium: their own suites for every game, and what these do not ask."""

import warnings
from typing import Any

import numpy as np
import pytest

import tavola
from tavola.core import IllegalAction

pytest.importorskip("pettingzoo", reason="PettingZoo is missing: make test")

import gymnasium as library
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)

from tavola.rl import gymnasium, pettingzoo

CUSTOM = (
    # PettingZoo knows its own environments with masks by their names, and asks of others whether they are meant.
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",
)


@pytest.fixture
def with_masks():
    with warnings.catch_warnings():
        for message in CUSTOM:
            warnings.filterwarnings("ignore", message=message)
        yield


def try_pettingzoo(name, cycles, **options):
    api_test(pettingzoo.env(name, recall=2, **options), num_cycles=cycles)
    parallel_api_test(pettingzoo.parallel_env(name, **options), num_cycles=cycles)
    seed_test(lambda: pettingzoo.env(name, **options), cycles)
    parallel_seed_test(lambda: pettingzoo.parallel_env(name, **options), cycles)
    render_test(
        lambda render_mode: pettingzoo.env(name, render_mode=render_mode, **options),
        {"svg": lambda drawn: drawn.startswith("<svg")},
    )


def try_gymnasium(name, **options):
    identity = f"tavola/{name}-v{tavola.load(name).version}"
    check_env(library.make(identity, render_mode="ansi", **options).unwrapped)


@pytest.mark.parametrize("name", tavola.names())
def test_every_game_passes_the_libraries_own_suites(name, with_masks, capsys):
    try_pettingzoo(name, 12)
    try_gymnasium(name, opponents="random")
    assert "Passed Parallel API test" in capsys.readouterr().out


@pytest.mark.soak
@pytest.mark.parametrize("name", tavola.names())
def test_every_game_passes_them_at_every_table(name, with_masks):
    few, many = tavola.load(name).players
    for players in range(few, many + 1):
        try_pettingzoo(name, 1000, players=players)
        try_gymnasium(name, players=players, opponents="greedy")


def draw_actions(env, rng):
    """A legal action for every agent that is asked, 0 for the others."""
    actions = {}
    for agent in env.agents:
        legal = np.flatnonzero(env.episode.observe(env.seat_of[agent])["action_mask"])
        actions[agent] = int(rng.choice(legal)) if len(legal) else 0
    return actions


def test_a_secret_ballot_is_one_step_of_all_who_vote():
    env, rng, ballots = pettingzoo.parallel_env("lifeboats", players=4), np.random.default_rng(3), 0
    env.reset(seed=3)
    while env.agents and ballots < 5:
        asked, before = env.episode.to_act(), len(env.episode.match.history)
        actions = draw_actions(env, rng)
        infos = env.step(actions)[4]
        played = [seat for seat, info in enumerate(infos.values()) if info["played"]]
        assert played == list(asked)
        votes = env.episode.match.history[before : before + len(asked)]
        assert votes == [(seat, actions[f"seat_{seat}"]) for seat in asked]
        ballots += len(asked) > 1
    assert ballots == 5


def test_of_an_open_decision_one_is_played_and_the_others_are_asked_anew():
    env, rng, played = pettingzoo.parallel_env("tournament", players=4), np.random.default_rng(3), set()
    env.reset(seed=1)
    for _ in range(60):
        opened, asked = env.episode.match.open, env.episode.to_act()
        infos = env.step(draw_actions(env, rng))[4]
        if opened and len(asked) > 1:
            first = [seat for seat, info in enumerate(infos.values()) if info["played"]]
            assert len(first) == 1
            played.add(first[0])
    assert played == {0, 1, 2, 3}


def test_the_sentences_of_the_view_are_told_when_asked():
    env = pettingzoo.env("lifeboats", sentences="it")
    env.reset(seed=1)
    observation, _, _, _, info = env.last()
    assert set(info) == {"table", "prompt", "actions"}
    assert list(info["actions"]) == np.flatnonzero(observation["action_mask"]).tolist()
    assert all("Corsia" in sentence for sentence in info["actions"].values())
    assert pettingzoo.parallel_env("lifeboats").reset(seed=1)[1]["seat_0"] == {"played": False}


def test_an_illegal_action_forfeits_or_is_refused():
    env = pettingzoo.env("lifeboats")
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(60)
    assert env.rewards == {each: -1.0 if each == agent else 0.0 for each in env.possible_agents}
    assert all(env.terminations.values())
    strict = pettingzoo.env("lifeboats", illegal="refuse")
    for action in (60, "lane 1", None):
        strict.reset(seed=1)
        with pytest.raises(IllegalAction, match="no legal action: expected the number of lane 1"):
            strict.step(action)


def test_at_the_end_rewards_are_those_of_the_places():
    env, rng = pettingzoo.env("lifeboats", reward="win"), np.random.default_rng(1)
    env.reset(seed=2)
    total = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, ended, _, _ = env.last()
        total[agent] += reward
        env.step(None if ended else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    ranks = env.episode.match.result().ranks
    assert list(total.values()) == [1 / ranks.count(1) if rank == 1 else 0 for rank in ranks]


def test_only_who_is_asked_has_a_mask_and_who_is_out_of_the_match_none():
    env = pettingzoo.env("lifeboats")
    env.reset(seed=1)
    assert [agent for agent in env.agents if env.observe(agent)["action_mask"].any()] == [env.agent_selection]
    env.step(60)
    assert not env.last()[0]["action_mask"].any()
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(1)


@pytest.mark.parametrize(
    ("make", "settings", "said"),
    [
        (pettingzoo.env, {"render_mode": "smell"}, "render_mode: expected human, ansi, svg or None"),
        (pettingzoo.env, {"sentences": "xx"}, "sentences: expected one of en, it"),
        (pettingzoo.parallel_env, {"illegal": "pay"}, "illegal: expected forfeit or refuse"),
        (gymnasium.env, {"seat": 7}, "seat: expected 0 to 3"),
        (gymnasium.env, {"opponents": "clever"}, "unknown level"),
        (gymnasium.env, {"reward": 1}, "reward: expected"),
        (gymnasium.env, {"speed": 1}, "option 'speed'"),
    ],
)
def test_what_cannot_be_made_is_refused(make: Any, settings: dict[str, object], said: str):
    with pytest.raises(tavola.Refusal, match=said):
        make("lifeboats", **settings)


def test_one_seat_among_bots_is_the_only_one_that_is_asked():
    env = gymnasium.env("lifeboats", opponents="greedy", seat=2, sentences="en", reward="points", illegal="refuse")
    observation, info = env.reset(seed=3)
    ended, rewards = False, []
    while not ended:
        assert info["seat"] == 2
        assert info["prompt"]
        legal = np.flatnonzero(observation["action_mask"])
        observation, reward, ended, _, info = env.step(legal[0])
        rewards.append(reward)
    assert rewards[-1] == env.episode.match.result().points[2]
    assert not any(rewards[:-1])


def test_without_a_seat_it_is_another_from_match_to_match():
    env = gymnasium.env("lifeboats", opponents="random")
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1, 2, 3}
