"""One match, as environments for a single match play it: observations, information and rewards."""

from functools import cached_property
from typing import Any

import numpy as np

from tavola.core import Game, IllegalAction, Match, View
from tavola.core.encoding import CentralRows, Encoder
from tavola.core.fields import as_integer, short_repr
from tavola.core.plan import describe_codes
from tavola.core.rng import stream
from tavola.games import load
from tavola.rl.errors import BadEnvironment, NotRunning
from tavola.rl.rewards import reward_kind, rewards_of
from tavola.show import Say, picture, text
from tavola.show.cards import words_of
from tavola.show.speech import KNOWN_LANGUAGES

ILLEGAL = ("forfeit", "refuse")
FORFEIT = -1.0
"""The reward of a seat that ends a match by an illegal action; the others get 0."""
RENDER_MODES = ("human", "ansi", "svg")
Observation = dict[str, np.ndarray]


class Episode:
    """The settings of an environment, and its current match.

    An episode is created, then running, then over. It is over when the match has ended, by the rules or by an illegal
    action, or was cut off after `max_cycles` steps of the environment.

    `reward` is "place", "win" or "points" (`tavola.rl.rewards`). The last `recall` actions heard end each observation
    (`tavola.core.encoding`). `sentences` is the language, en, it, fr or de, of sentences in `info`, or None. An
    `illegal` action ends the match ("forfeit": its seat gets a reward of -1, the others 0, as is the custom of these
    libraries) or raises `IllegalAction` ("refuse").
    """

    def __init__(
        self,
        game: str | Game,
        *,
        reward: str = "place",
        recall: int = 0,
        sentences: str | None = None,
        illegal: str = "forfeit",
        max_cycles: int | None = None,
        rules: str = "recommended",
        **options: object,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        self.encoder, self.kind = Encoder(self.game, recall), reward_kind(reward)
        if sentences is not None and sentences not in KNOWN_LANGUAGES:
            raise BadEnvironment(
                f"sentences: expected one of {', '.join(KNOWN_LANGUAGES)}, found {short_repr(sentences)}"
            )
        if illegal not in ILLEGAL:
            raise BadEnvironment(f"illegal: expected {' or '.join(ILLEGAL)}, found {short_repr(illegal)}")
        self.say = Say.of(self.game, sentences) if sentences is not None else None
        self.forfeits = illegal == "forfeit"
        self.rules, self.options = rules, options
        self.players = int(self.game.options.array(self.options, rules)[0])
        if max_cycles is not None and (as_integer(max_cycles) or 0) < 1:
            raise BadEnvironment(f"max_cycles: expected a whole number from 1, or None, found {short_repr(max_cycles)}")
        self.max_cycles, self.cycles = max_cycles, 0
        self._match: Match | None = None
        self.rng = stream(0)
        self.forfeited_by: int | None = None

    def begin(self, seed: int) -> None:
        """Begin the match of a seed."""
        self._match = Match(self.game, self.options, seed, rules=self.rules)
        self.rng = stream(seed, 1 << 32)
        self.forfeited_by, self.cycles = None, 0

    @property
    def match(self) -> Match:
        """The match; raises `NotRunning` before the first one."""
        if self._match is None:
            raise NotRunning("no match has begun: expected reset() first")
        return self._match

    def check_running(self, call: str) -> None:
        """Raise `NotRunning` unless a match is running; nothing has changed then."""
        if self._match is None:
            raise NotRunning(f"{call}: no match has begun, expected reset() first")
        if self.over:
            raise NotRunning(f"{call}: the match is over, expected reset() to begin another")

    @property
    def ended(self) -> bool:
        """True if the match has ended, by the rules or by an illegal action."""
        return self.match.over or self.forfeited_by is not None

    @property
    def truncated(self) -> bool:
        """True if the match was cut off before its end."""
        return self.max_cycles is not None and self.cycles >= self.max_cycles and not self.ended

    @property
    def over(self) -> bool:
        """True if the match has ended or was cut off."""
        return self.ended or self.truncated

    def to_act(self) -> tuple[int, ...]:
        """Return the seats that must act: all of a secret ballot, or all that may be first in an open decision."""
        return () if self.over else self.match.to_act

    def observe(self, seat: int, is_asked: bool = True) -> Observation:
        """Return what a seat sees, float32[columns], and its legal actions, int8[actions].

        The actions are zeros if the seat must not act, or not `is_asked`.
        """
        match = self.match
        row, mask = self.encoder.observe(match.view(seat), match.history, is_asked and not self.over)
        return {"observation": row, "action_mask": mask}

    def state(self) -> np.ndarray:
        """Return the whole position, every hand included: float32[columns of `central`]."""
        whole: np.ndarray = self.central.encode(np.frombuffer(self.match.state_bytes(), self.game.state.dtype))[0]
        return whole

    @cached_property
    def central(self) -> CentralRows:
        """The columns of `state`."""
        return CentralRows(self.encoder, self.players)

    def info(self, seat: int) -> dict[str, Any]:
        """Return additional information for a seat: new sentences at every call, if requested.

        `table` is the table as text, `prompt` the question, `actions` each legal action's sentence by its number.
        """
        if self.say is None:
            return {}
        view, words = self.match.view(seat), words_of(self.game)
        actions = {number: words.action(view, number, self.say) for number in view.legal}
        table, prompt = "\n".join(words.table(view, self.say)), words.prompt(view, self.say)
        return {"table": table, "prompt": prompt, "actions": actions}

    def read_action(self, seat: int, action: object) -> int:
        """Return the number of an action that a seat chose; -1 if it is illegal and that is a forfeit."""
        number = as_integer(action)
        if number is not None and number in self.match.legal_numbers(seat):
            return number
        if self.forfeits and number is not None:
            return -1
        expected = describe_codes(self.match.legal_codes(seat))
        raise IllegalAction(
            f"seat {seat}: {short_repr(action)} is not a legal action: expected the number of {expected}"
        )

    def play(self, seat: int, action: int) -> None:
        """Play an action from `read_action`; -1 forfeits the match."""
        if action < 0:
            self.forfeited_by = seat
        else:
            self.match.play(action, seat)

    def rewards(self) -> list[float]:
        """Return the rewards by seat: zeros until the match has ended, and if it was cut off."""
        if self.forfeited_by is not None:
            return [FORFEIT if seat == self.forfeited_by else 0.0 for seat in range(self.players)]
        result = self.match.result()
        if result is None:
            return [0.0] * self.players
        return rewards_of(result.points, result.ranks, self.kind)

    def render(self, mode: str | None, seat: int | None = None) -> str | None:
        """Render the table as a seat sees it, or as everyone does without one: printed, as text, or as SVG."""
        if mode is None:
            return None
        view: View = self.match.view(seat)
        if mode == "svg":
            return picture(view)
        if mode == "human":
            print(text(view))
            return None
        return text(view)


def check_render_mode(mode: object) -> None:
    """Raise `BadEnvironment` for an unknown mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadEnvironment(f"render_mode: expected {', '.join(RENDER_MODES)} or None, found {short_repr(mode)}")
