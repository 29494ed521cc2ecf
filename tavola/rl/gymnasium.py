"""Every game as an environment of Gymnasium: one seat among bots.

from tavola.rl import gymnasium

env = gymnasium.env("lifeboats", players=4, opponents="greedy")
observation, info = env.reset(seed=7)
"""

from typing import Any

from tavola.bots import bot
from tavola.core import Game
from tavola.core.fields import as_integer, short_repr
from tavola.games import load, names
from tavola.rl.episode import RENDER_MODES, BadEnvironment, Episode, Observation, check_render_mode
from tavola.rl.spaces import Env, action_space, draw_seed, observation_space, register


def env(
    game: str | Game,
    *,
    seat: int | None = None,
    opponents: str = "greedy",
    iterations: int | None = None,
    render_mode: str | None = None,
    **settings: Any,
) -> "SeatAmongBots":
    """A game for one seat; the others are bots of a level: "random", "greedy", or "search" with `iterations`.

    Without a `seat` it is another from match to match, drawn by the seed. `settings` are the arguments of
    `tavola.rl.episode.Episode`, the game's options among them.
    """
    return SeatAmongBots(Episode(game, **settings), seat, opponents, iterations, render_mode)


class SeatAmongBots(Env[Observation, Any]):
    """A game of which one seat is asked; `info["seat"]` tells which."""

    def __init__(
        self, episode: Episode, seat: int | None, opponents: str, iterations: int | None, render_mode: str | None
    ) -> None:
        check_render_mode(render_mode)
        if seat is not None and as_integer(seat) not in range(episode.players):
            raise BadEnvironment(f"seat: expected 0 to {episode.players - 1}, found {short_repr(seat)}")
        self.episode, self.given_seat, self.render_mode = episode, seat, render_mode
        self.level, self.iterations = opponents, iterations
        bot(opponents, iterations=iterations)  # refused now rather than in a match
        self.seat = seat or 0
        self.metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}
        self.observation_space, self.action_space = observation_space(episode.encoder), action_space(episode.encoder)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a match, up to the first decision of the seat; Gymnasium's `options` are not read."""
        super().reset(seed=seed)
        while True:
            match_seed = draw_seed(self.np_random)
            self.seat = int(match_seed % self.episode.players) if self.given_seat is None else self.given_seat
            self.episode.begin(match_seed)
            self.bot = bot(self.level, match_seed, iterations=self.iterations)
            self._play_bots()
            if not self.episode.over:  # a match may end before the seat is asked anything
                return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, then the bots', until the seat is asked again or the match is over."""
        self.episode.play(self.seat, self.episode.read_action(self.seat, action))
        self._play_bots()
        reward = self.episode.rewards()[self.seat]
        return self._observation(), reward, self.episode.over, False, self._info()

    def render(self) -> Any:
        """The table as the seat sees it: printed (human), as text (ansi), as a drawing (svg)."""
        return self.episode.render(self.render_mode, self.seat)

    def _play_bots(self) -> None:
        match = self.episode.match
        while not self.episode.over:
            seat = match.actor(self.episode.rng)
            if seat == self.seat:
                return
            match.play(self.bot.choose(match.view(seat)), seat)

    def _observation(self) -> Observation:
        return self.episode.observe(self.seat)

    def _info(self) -> dict[str, Any]:
        return {"seat": self.seat, **self.episode.info(self.seat)}


def register_games() -> None:
    """Register every game with Gymnasium."""
    for name in names():
        identity = f"tavola/{name}-v{load(name).version}"
        register(identity, entry_point="tavola.rl.gymnasium:env", kwargs={"game": name}, disable_env_checker=True)


register_games()
