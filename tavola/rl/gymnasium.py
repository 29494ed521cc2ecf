"""Every game as an environment of Gymnasium: one seat among bots.

from tavola.rl import gymnasium

env = gymnasium.env("lifeboats", players=4, opponents="greedy")
observation, info = env.reset(seed=7)
"""

from typing import Any

import numpy as np

from tavola.core import Game
from tavola.core.fields import as_integer, short_repr
from tavola.games import load, names
from tavola.rl.batch import Batch
from tavola.rl.episode import RENDER_MODES, Episode, Observation, check_render_mode
from tavola.rl.errors import BadEnvironment, NotRunning
from tavola.rl.opponents import Opponent, Pool, check_opponent, choose, make_bot, observe_views
from tavola.rl.spaces import (
    AutoresetMode,
    Env,
    VectorEnv,
    action_space,
    batch_space,
    draw_seed,
    observation_space,
    register,
)

__all__ = ["BadEnvironment", "ManyAmongBots", "NotRunning", "SeatAmongBots", "env", "vector_env"]


def env(
    game: str | Game,
    *,
    seat: int | None = None,
    opponents: Opponent = "greedy",
    iterations: int | None = None,
    render_mode: str | None = None,
    **settings: Any,
) -> "SeatAmongBots":
    """Return an environment for one seat; opponents (`tavola.rl.opponents`) play the others.

    An opponent is a level such as "greedy" or "search:100" ("search" accepts `iterations`), or a policy of your own. A
    pool has a different one in each match.

    Without a `seat`, it is drawn from the seed for each match. `settings` are the arguments of
    `tavola.rl.episode.Episode`, including the game's options.
    """
    return SeatAmongBots(Episode(game, **settings), seat, opponents, iterations, render_mode)


def vector_env(
    game: str | Game, num_envs: int = 64, *, opponents: Opponent = "greedy", **settings: Any
) -> "ManyAmongBots":
    """Return a vector environment of many matches over `tavola.Batch`, with one seat to act in each.

    The seat moves by one from match to match. `settings` are the arguments of `tavola.Batch`, including the game's
    options and `max_cycles`.
    """
    return ManyAmongBots(Batch(game, num_envs, opponents=opponents, **settings))


class SeatAmongBots(Env[Observation, Any]):
    """A game in which you play one seat, `info["seat"]`."""

    def __init__(
        self, episode: Episode, seat: int | None, opponents: Opponent, iterations: int | None, render_mode: str | None
    ) -> None:
        check_render_mode(render_mode)
        if seat is not None and as_integer(seat) not in range(episode.players):
            raise BadEnvironment(f"seat: expected 0 to {episode.players - 1}, found {short_repr(seat)}")
        self.episode, self.given_seat, self.render_mode = episode, seat, render_mode
        self.opponents, self.iterations = opponents, iterations
        check_opponent(opponents)
        if isinstance(opponents, str):
            make_bot(opponents, 0, iterations)  # raise now rather than in a match
        self.seat, self.match_seed = seat or 0, 0
        self.metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}
        self.observation_space, self.action_space = observation_space(episode.encoder), action_space(episode.encoder)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a match and play up to the seat's first decision; Gymnasium's `options` are ignored."""
        super().reset(seed=seed)
        while True:
            match_seed = draw_seed(self.np_random)
            self.seat = int(match_seed % self.episode.players) if self.given_seat is None else self.given_seat
            self.episode.begin(match_seed)
            self.match_seed = match_seed
            self._play_opponents()
            if not self.episode.over:  # a match may end before the seat's first decision
                return self.episode.observe(self.seat), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, then the opponents', until the seat must act again or the match is over.

        Raise `NotRunning` before the first reset and after the end.
        """
        self.episode.check_running("step")
        self.episode.play(self.seat, self.episode.read_action(self.seat, action))
        self._play_opponents()
        self.episode.cycles += 1
        reward = self.episode.rewards()[self.seat]
        return self.episode.observe(self.seat), reward, self.episode.ended, self.episode.truncated, self._info()

    def __repr__(self) -> str:
        game, players = self.episode.game.name, self.episode.players
        return f"SeatAmongBots({game!r}, players={players}, opponents={self.opponents!r})"

    def action_masks(self) -> np.ndarray:
        """Return the legal actions, as MaskablePPO of sb3-contrib expects them: bool[actions]."""
        return self.episode.observe(self.seat)["action_mask"].astype(np.bool_)

    def render(self) -> Any:
        """Render the table as the seat sees it: printed (human), as text (ansi), as a drawing (svg)."""
        return self.episode.render(self.render_mode, self.seat)

    def _play_opponents(self) -> None:
        match = self.episode.match
        while not self.episode.ended:
            seat = match.actor(self.episode.rng)
            if seat == self.seat:
                return
            match.play(self._answer(seat), seat)

    def _answer(self, seat: int) -> int:
        opponent, view, encoder = self.opponents, self.episode.match.view(seat), self.episode.encoder
        if isinstance(opponent, Pool):
            opponent = opponent.member(self.match_seed, seat)
        if isinstance(opponent, str):
            return make_bot(opponent, self.match_seed, self.iterations).choose(view)
        heard = encoder.heard_by(seat, self.episode.match.history)[np.newaxis] if encoder.recall else None
        shown = lambda: observe_views(encoder, [view], heard)  # noqa: E731
        return int(choose(opponent, self.episode.game, [view], shown, [self.match_seed])[0])

    def _info(self) -> dict[str, Any]:
        return {"seat": self.seat, **self.episode.info(self.seat)}


class ManyAmongBots(VectorEnv[Observation, Any, Any]):
    """Many matches at once, with one seat to act in each: a batch as a vector environment of Gymnasium.

    A match that ends is followed by the next in the same step; `infos["final_obs"]` is what its seat saw at its end,
    where `infos["_final_obs"]` is true.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch, self.num_envs = batch, batch.n
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
        self.render_mode = None
        self.single_observation_space = observation_space(batch.encoder)
        self.single_action_space = action_space(batch.encoder)
        self.observation_space = batch_space(self.single_observation_space, batch.n)
        self.action_space = batch_space(self.single_action_space, batch.n)
        self._running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Restart every row with its first match of a seed; Gymnasium's `options` are ignored."""
        if seed is not None:
            self._np_random = np.random.default_rng(seed)
        self.batch.reset(draw_seed(self.np_random))
        self._running = True
        return self._observation(), self._infos()

    def step(self, actions: Any) -> tuple[Observation, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play an action in every match; return observations, rewards, terminations, truncations and infos."""
        if not self._running:
            raise NotRunning("step: no match has begun, expected reset() first")
        batch = self.batch
        rewards, done = batch.step(np.asarray(actions))
        worth = rewards[np.arange(batch.n), batch.acted].astype(np.float64)
        truncated = batch.truncated.copy()
        return self._observation(), worth, done & ~truncated, truncated, self._infos()

    def action_masks(self) -> np.ndarray:
        """Return the legal actions in each match: bool[matches, actions]."""
        return self.batch.mask()

    def _observation(self) -> Observation:
        masks = self.batch.mask(np.empty((self.batch.n, len(self.batch.game.actions)), np.int8))
        return {"observation": self.batch.observe(), "action_mask": masks}

    def _infos(self) -> dict[str, Any]:
        done = self.batch._rows.done.copy()
        infos: dict[str, Any] = {"seat": self.batch.seat_to_act.copy()}
        if done.any():
            final, blank = self.batch.observe_final(), np.zeros(len(self.batch.game.actions), np.int8)
            rows = zip(final, done, strict=True)
            ended = [{"observation": row, "action_mask": blank} if over else None for row, over in rows]
            infos |= {"final_obs": np.array(ended, object), "_final_obs": done}
        return infos


def register_games() -> None:
    """Register every game with Gymnasium."""
    for name in names():
        identity = f"tavola/{name}-v{load(name).version}"
        register(identity, entry_point="tavola.rl.gymnasium:env", kwargs={"game": name}, disable_env_checker=True)


register_games()
