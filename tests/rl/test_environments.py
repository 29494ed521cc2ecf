"""PettingZoo and Gymnasium: their own test suites for every game, and what these do not cover."""

import copy
import pickle
from functools import partial
from operator import itemgetter, methodcaller
from typing import Any

import numpy as np
import pytest

import tavola
from tavola.core import IllegalAction

pytest.importorskip("pettingzoo", reason="PettingZoo is missing: make test")

import gymnasium as library
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.test.state_test import test_state_space as state_space

from tavola.rl import gymnasium, pettingzoo
from tavola.rl.errors import BadActions, NotRunning
from tavola.rl.opponents import Pool

GAME = "lifeboats"
# PettingZoo knows its own environments with masks by name, and warns about all others.
masks_are_custom = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
)


def try_pettingzoo(name, cycles, **options):
    api_test(pettingzoo.env(name, recall=2, **options), num_cycles=cycles)
    parallel_api_test(pettingzoo.parallel_env(name, **options), num_cycles=cycles)
    seed_test(lambda: pettingzoo.env(name, **options), cycles)
    parallel_seed_test(lambda: pettingzoo.parallel_env(name, **options), cycles)
    render_test(partial(pettingzoo.env, name, **options), {"svg": lambda drawn: drawn.startswith("<svg")})


def try_gymnasium(name, **options):
    check_env(library.make(f"tavola/{name}-v{tavola.load(name).version}", render_mode="ansi", **options).unwrapped)


@masks_are_custom
@pytest.mark.parametrize("name", tavola.game_names())
def test_every_game_passes_the_libraries_own_suites(name, capsys):
    try_pettingzoo(name, 12)
    try_gymnasium(name, opponents="random")
    assert "Passed Parallel API test" in capsys.readouterr().out


@masks_are_custom
@pytest.mark.soak
@pytest.mark.parametrize("name", tavola.game_names())
def test_every_game_passes_them_at_every_table(name):
    few, many = tavola.load(name).players
    for players in range(few, many + 1):
        try_pettingzoo(name, 1000, players=players)
        try_gymnasium(name, players=players, opponents="greedy")


def begun(env, seed=1):
    env.reset(seed=seed)
    return env


def draw_actions(env, rng):
    actions = {}
    for agent in env.agents:
        legal = np.flatnonzero(env.episode.observe(env.seat_of[agent])["action_mask"])
        actions[agent] = int(rng.choice(legal)) if len(legal) else 0
    return actions


def seats_played(step):
    return [seat for seat, info in enumerate(step[4].values()) if info["played"]]


def test_a_secret_ballot_is_one_step_of_all_voters():
    env, rng, ballots = begun(pettingzoo.parallel_env(GAME, players=4), 3), np.random.default_rng(3), 0
    while env.agents and ballots < 5:
        asked, before = env.episode.to_act(), len(env.episode.match.history)
        actions = draw_actions(env, rng)
        assert seats_played(env.step(actions)) == list(asked)
        votes = env.episode.match.history[before : before + len(asked)]
        assert votes == [(seat, actions[f"seat_{seat}"]) for seat in asked]
        ballots += len(asked) > 1
    assert ballots == 5


def test_of_an_open_decision_one_action_is_played_and_the_others_are_asked_again():
    env, rng, played = begun(pettingzoo.parallel_env("tournament", players=4)), np.random.default_rng(3), set()
    for _ in range(60):
        opened, asked = env.episode.match.open, env.episode.to_act()
        first = seats_played(env.step(draw_actions(env, rng)))
        if opened and len(asked) > 1:
            assert len(first) == 1
            played.add(first[0])
    assert played == {0, 1, 2, 3}


aec = partial(pettingzoo.env, GAME, players=3)
parallel = partial(pettingzoo.parallel_env, GAME, players=3)
alone: Any = partial(gymnasium.env, GAME, players=3, opponents="random")


def step_at_random(env, rng):
    if env.__class__ is pettingzoo.AllAtOnce:
        return env.step(draw_actions(env, rng))
    return env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))


def play_out(env):
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    while not env.episode.over:
        step_at_random(env, rng)
    for _ in env.agents.copy() if env.__class__ is pettingzoo.SeatBySeat else ():
        env.step(None)  # as PettingZoo asks of seats whose match is over


@pytest.mark.parametrize(
    ("make", "call"),
    [
        (aec, lambda env: env.last()),
        (aec, lambda env: env.step(0)),
        (aec, lambda env: env.step(None)),
        (aec, lambda env: env.action_masks()),
        (parallel, lambda env: env.step({})),
        (parallel, lambda env: env.step({"seat_0": 0})),
        (alone, lambda env: env.step(0)),
    ],
)
def test_a_step_before_reset_and_past_the_end_is_an_error_and_changes_nothing(make, call):
    env = make()
    with pytest.raises(NotRunning, match=r"no match has begun, expected reset\(\)"):
        call(env)
    play_out(env)
    result, paid = env.episode.match.result(), env.episode.rewards()
    for _ in range(2):
        with pytest.raises(NotRunning, match=r"the match is over, expected reset\(\)"):
            call(env)
    assert (env.episode.match.result(), env.episode.rewards()) == (result, paid)
    env.reset(seed=2)
    assert not env.episode.over


@pytest.mark.parametrize("look", [("render",), ("state",), ("observe", "seat_0"), ("agent_iter",)], ids=itemgetter(0))
def test_nothing_is_shown_before_reset(look):
    with pytest.raises(NotRunning, match="expected reset"):
        methodcaller(*look)(pettingzoo.env(GAME, render_mode="ansi"))


def test_agents_and_actions_that_there_are_not_are_named():
    env = begun(parallel())
    asked = env.possible_agents[env.episode.to_act()[0]]
    before = env.episode.match.state_bytes()
    with_another = {**draw_actions(env, np.random.default_rng(1)), "seat_9": 0}
    wrong: list[tuple[Any, str]] = [
        ({agent: 0 for agent in env.agents if agent != asked}, f"expected one for {asked}, which must act"),
        (with_another, "agent: expected one of seat_0, .*found 'seat_9'"),
        (None, "expected a dictionary of actions by agent, found None"),
    ]
    for actions, said in wrong:
        with pytest.raises(BadActions, match=said):
            env.step(actions)
    assert env.episode.match.state_bytes() == before
    for ask in (env.observation_space, env.action_space):
        with pytest.raises(BadActions, match="found 'nobody'"):
            ask("nobody")


@pytest.mark.parametrize("kind", [np.array, np.int64, lambda number: np.array(number, np.uint8)])
def test_an_element_of_the_action_space_is_an_action(kind):
    env = begun(alone(illegal="refuse"))
    env.step(kind(int(env.action_masks().argmax())))
    with pytest.raises(IllegalAction, match="not a legal action"):
        env.step(np.array([1]))


@pytest.mark.parametrize("make", [aec, parallel, alone])
@pytest.mark.parametrize("again", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_of_an_environment_has_the_same_future(make, again):
    env = make()
    again(env)  # before the first match too
    env.reset(seed=3)
    for _ in range(5):
        step_at_random(env, np.random.default_rng(1))
    copied = again(env)
    for each in (env, copied):
        for seed in range(20):
            step_at_random(each, np.random.default_rng(seed))
    assert env.episode.match.history == copied.episode.match.history
    env.reset()
    copied.reset()
    assert env.episode.match.state_bytes() == copied.episode.match.state_bytes()


def test_masks_of_actions_are_booleans_as_maskable_ppo_asks():
    env = alone()
    observation, _ = env.reset(seed=1)
    masks = env.action_masks()
    assert (masks.dtype, masks.shape) == (np.bool_, (env.action_space.n,))
    assert (masks == observation["action_mask"]).all()
    made: Any = library.make(f"tavola/{GAME}-v1")
    made.reset(seed=1)
    assert made.get_wrapper_attr("action_masks")().any(), "as sb3-contrib finds it behind wrappers"


def test_a_critic_sees_every_hand():
    env = begun(parallel())
    state_space(env)
    while len(env.episode.to_act()) < 2:
        step_at_random(env, np.random.default_rng(1))
    assert env.state() in env.state_space


@pytest.mark.parametrize("make", [pettingzoo.env, pettingzoo.parallel_env, gymnasium.env])
def test_a_match_is_cut_off_after_max_cycles(make):
    env = begun(make(GAME, max_cycles=4))
    for _ in range(4):
        assert not env.episode.over
        told = step_at_random(env, np.random.default_rng(1))
    assert env.episode.truncated
    assert not any(env.episode.rewards())
    if make is pettingzoo.env:
        assert env.last()[2:4] == (False, True)
        assert all(env.truncations.values())
    if make is gymnasium.env:
        assert told[2:4] == (False, True)
    with pytest.raises(tavola.Refusal, match="max_cycles: expected a whole number from 1"):
        make(GAME, max_cycles=0)


@pytest.mark.parametrize("opponents", ["search:3", lambda seen, masks: masks.argmax(1), Pool("greedy", "random")])
def test_one_seat_plays_against_any_opponent(opponents):
    env = gymnasium.env(GAME, players=3, opponents=opponents, recall=3)
    play_out(env)
    assert env.episode.match.over


def test_many_matches_are_a_vector_environment():
    env = gymnasium.vector_env(GAME, 5, players=3, opponents="random", max_cycles=40, seed=1)
    with pytest.raises(NotRunning, match="expected reset"):
        env.step(np.zeros(5, int))
    observation, _ = env.reset(seed=4)
    again, _ = env.reset(seed=4)
    assert all((observation[key] == again[key]).all() for key in observation)
    ended = 0
    for _ in range(45):
        assert observation in env.observation_space
        actions = env.action_masks().argmax(1)
        assert actions in env.action_space
        observation, rewards, over, cut, infos = env.step(actions)
        assert rewards.shape == over.shape == cut.shape == (5,)
        assert not rewards[~over].any()
        for row in np.flatnonzero(over | cut):
            assert infos["_final_obs"][row]
            assert infos["final_obs"][row] in env.single_observation_space
        ended += int((over | cut).sum())
    assert ended


def test_sentences_of_the_view_are_in_info_on_request():
    observation, _, _, _, info = begun(pettingzoo.env(GAME, sentences="it")).last()
    assert set(info) == {"table", "prompt", "actions"}
    assert list(info["actions"]) == np.flatnonzero(observation["action_mask"]).tolist()
    assert all("Corsia" in sentence for sentence in info["actions"].values())
    assert pettingzoo.parallel_env("lifeboats").reset(seed=1)[1]["seat_0"] == {"played": False}


def test_an_illegal_action_forfeits_or_is_refused():
    env = begun(pettingzoo.env(GAME))
    agent = env.agent_selection
    env.step(60)
    assert env.rewards == {each: -1.0 if each == agent else 0.0 for each in env.possible_agents}
    assert all(env.terminations.values())
    strict = pettingzoo.env(GAME, illegal="refuse")
    for action in (60, "lane 1", None):
        strict.reset(seed=1)
        with pytest.raises(IllegalAction, match="not a legal action: expected the number of lane 1"):
            strict.step(action)


def test_at_the_end_rewards_are_those_of_the_places():
    env, rng = begun(pettingzoo.env(GAME, reward="win"), 2), np.random.default_rng(1)
    total = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, ended, _, _ = env.last()
        total[agent] += reward
        env.step(None if ended else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    ranks = env.episode.match.result().ranks
    assert list(total.values()) == [1 / ranks.count(1) if rank == 1 else 0 for rank in ranks]


def test_only_the_seat_to_act_has_a_mask_and_a_seat_out_of_the_match_has_none():
    env = begun(pettingzoo.env(GAME))
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
        observation, reward, ended, _, info = env.step(np.flatnonzero(observation["action_mask"])[0])
        rewards.append(reward)
    assert rewards[-1] == env.episode.match.result().points[2]
    assert not any(rewards[:-1])


def test_without_a_seat_it_is_another_from_match_to_match():
    env = gymnasium.env("lifeboats", opponents="random")
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1, 2, 3}
