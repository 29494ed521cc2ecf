"""Every game as an environment of PettingZoo: seat by seat, or all seats at once.

    from tavola.rl import pettingzoo

    env = pettingzoo.env("lifeboats", players=4)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        action = None if terminated or truncated else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

Agents are `seat_0`, `seat_1`, …. An observation is a dictionary of `observation` and `action_mask`.
"""

from typing import Any

import numpy as np

from tavola.core import Game
from tavola.core.fields import short_repr
from tavola.rl.episode import RENDER_MODES, Episode, Observation, check_render_mode
from tavola.rl.errors import BadActions, BadEnvironment, NotInstalled, NotRunning
from tavola.rl.spaces import action_space, draw_seed, observation_space, state_space

__all__ = ["AllAtOnce", "BadActions", "BadEnvironment", "NotRunning", "SeatBySeat", "env", "parallel_env"]

try:
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as error:
    raise NotInstalled("PettingZoo is not installed: run pip install 'tavola[rl]'") from error

Infos = dict[str, dict[str, Any]]


def env(game: str | Game, *, render_mode: str | None = None, **settings: Any) -> "SeatBySeat":
    """Return a game seat by seat (AEC): a secret ballot is sequential, without seeing others' choices.

    In an open decision, the seat to act is drawn. `settings` are the arguments of `tavola.rl.episode.Episode`,
    including the game's options.
    """
    return SeatBySeat(Episode(game, **settings), render_mode)


def parallel_env(game: str | Game, *, render_mode: str | None = None, **settings: Any) -> "AllAtOnce":
    """Return a game in which all seats act at every step, so that secret ballots are simultaneous.

    Actions of seats that must not act (their mask is all zeros) are ignored. In an open decision one of the seats is
    drawn and its action played, and the others are asked again; `info["played"]` is whether a seat's action was played.
    `settings` are those of `env`.
    """
    return AllAtOnce(Episode(game, **settings), render_mode)


class Seats:
    """The common parts of both environments: agents by seat, spaces, seeds, rendering."""

    def __init__(self, episode: Episode, render_mode: str | None) -> None:
        check_render_mode(render_mode)
        self.episode, self.render_mode = episode, render_mode
        self.metadata: dict[str, Any] = {
            "name": f"{episode.game.name}_v{episode.game.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(episode.players)]
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self.state_space = state_space(episode.central)
        self._observation_spaces = {agent: observation_space(episode.encoder) for agent in self.possible_agents}
        self._action_spaces = {agent: action_space(episode.encoder) for agent in self.possible_agents}
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations; the same object at every call."""
        return self._observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions; the same object at every call."""
        return self._action_spaces[self._known(agent)]

    def state(self) -> np.ndarray:
        """Return the whole position, every hand included, for a critic used only in training.

        float32[columns], see `tavola.core.encoding.CentralRows`; `state_space` is its space. Agents must not see this.
        """
        return self.episode.state()

    def render(self) -> str | None:
        """Render the table as everyone sees it: printed (human), as text (ansi), as a drawing (svg)."""
        return self.episode.render(self.render_mode)

    def close(self) -> None:
        """Do nothing: the environment has no open resources."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.episode.game.name!r}, players={self.episode.players})"

    def _known(self, agent: object) -> str:
        if agent not in self.seat_of:
            raise BadActions(f"agent: expected one of {', '.join(self.seat_of)}, found {short_repr(agent)}")
        return str(agent)

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.episode.begin(draw_seed(self._rng))
        self.agents = self.possible_agents.copy()


class SeatBySeat(Seats, AECEnv):
    """A game in which one agent acts at a time."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; PettingZoo's `options` are ignored, as the game's are set on creation."""
        self._begin(seed)
        self.rewards, self._cumulative_rewards = dict.fromkeys(self.agents, 0.0), dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos: Infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """Yield the agent to act, until the match is over; raise `NotRunning` before the first reset."""
        self.episode.match  # noqa: B018 - an empty loop would hide that no match has begun
        return super().agent_iter(max_iter)

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return the current agent's observation, its reward since it acted, whether its match is over, and why."""
        self._check_agents("last")
        return super().last(observe)  # type: ignore[no-any-return]

    def action_masks(self) -> np.ndarray:
        """Return the legal actions of the agent to act: bool[actions]."""
        self._check_agents("action_masks")
        return self.observe(self.agent_selection)["action_mask"].astype(np.bool_)

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now; its mask is all zeros while another must act, and at the end."""
        is_asked = agent == getattr(self, "agent_selection", None)  # none before the first reset
        return self.episode.observe(self.seat_of[self._known(agent)], is_asked)

    def step(self, action: Any) -> None:
        """Play the current agent's action, None after the end of its match; raise `NotRunning` after that."""
        self._check_agents("step")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self.seat_of[agent]
        self.episode.play(seat, self.episode.read_action(seat, action))
        self.episode.cycles += 1
        self._cumulative_rewards[agent] = 0.0
        if self.episode.over:
            self._end()
        else:
            self._select()

    def _check_agents(self, call: str) -> None:
        """Raise `NotRunning` before the first reset, and after the last step of every agent in an ended match."""
        if not self.agents:
            self.episode.check_running(call)

    def _select(self) -> None:
        seat = self.episode.match.actor(self.episode.rng)
        self.agent_selection = self.possible_agents[seat]
        self.infos = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection] = self.episode.info(seat)

    def _end(self) -> None:
        self.rewards = dict(zip(self.agents, self.episode.rewards(), strict=True))
        self.terminations = dict.fromkeys(self.agents, self.episode.ended)
        self.truncations = dict.fromkeys(self.agents, self.episode.truncated)
        self.infos = {agent: {} for agent in self.agents}
        self._accumulate_rewards()
        self._deads_step_first()


class AllAtOnce(Seats, ParallelEnv):
    """A game in which all agents act at once."""

    def __init__(self, episode: Episode, render_mode: str | None) -> None:
        super().__init__(episode, render_mode)
        self.metadata["is_parallelizable"] = True

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], Infos]:
        """Begin a match; PettingZoo's `options` are ignored, as the game's are set on creation."""
        self._begin(seed)
        return self._observations(), self._infos(frozenset())

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play the chosen actions: all of a secret ballot, or one drawn among them in an open decision.

        Raise `NotRunning` after the end, `BadActions` if an agent that must act has no action; then nothing was played.
        """
        self.episode.check_running("step")
        asked = self.episode.to_act()
        self._check_actions(actions, asked)
        match = self.episode.match
        heard = (match.actor(self.episode.rng),) if match.open else asked
        chosen = {seat: self.episode.read_action(seat, actions[self.possible_agents[seat]]) for seat in heard}
        played = set[int]()
        for seat, action in chosen.items():
            if seat in self.episode.to_act():  # another of the chosen actions may have ended the decision
                self.episode.play(seat, action)
                played.add(seat)
        self.episode.cycles += 1
        agents, ended, truncated = self.agents, self.episode.ended, self.episode.truncated
        rewards = dict(zip(agents, self.episode.rewards(), strict=True))
        observations, infos = self._observations(), self._infos(played)
        if self.episode.over:
            self.agents = []
        return observations, rewards, dict.fromkeys(agents, ended), dict.fromkeys(agents, truncated), infos

    def _check_actions(self, actions: object, asked: tuple[int, ...]) -> None:
        if not isinstance(actions, dict):
            raise BadActions(f"actions: expected a dictionary of actions by agent, found {short_repr(actions)}")
        for agent in actions:
            self._known(agent)
        missing = [self.possible_agents[seat] for seat in asked if self.possible_agents[seat] not in actions]
        if missing:
            raise BadActions(f"actions: expected one for {', '.join(missing)}, which must act, found none")

    def _observations(self) -> dict[str, Observation]:
        return {agent: self.episode.observe(self.seat_of[agent]) for agent in self.agents}

    def _infos(self, played: Any) -> Infos:
        seats = [(agent, self.seat_of[agent]) for agent in self.agents]
        return {agent: {"played": seat in played, **self.episode.info(seat)} for agent, seat in seats}
