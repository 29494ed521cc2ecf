"""Every game as a Python game of OpenSpiel: secret ballots are simultaneous nodes, chance is explicit.

    from tavola.rl import openspiel

    game = openspiel.load("lifeboats", players=4)
    state = game.new_initial_state()

After importing this module, `pyspiel.load_game("tavola_lifeboats", {"players": 4})` returns the same. In an open
decision, chance first draws the seat that acts: outcome `actions + seat`.

Algorithms without support for simultaneous nodes take `load(…, turns=True)`: in a secret ballot, seats choose one after
the other without seeing each other's choices. Its states can be resampled from what a seat knows, as information-set
Monte Carlo tree search requires; those of `pyspiel.convert_to_turn_based(game)` cannot.
"""

import json
from typing import Any

import numpy as np

from tavola.core import CHANCE, BadOption, Game, Result
from tavola.core.encoding import Encoder
from tavola.core.fields import as_integer, short_repr
from tavola.core.match import Match
from tavola.games import load as load_card
from tavola.games import names
from tavola.rl.errors import NotInstalled
from tavola.rl.history import NOBODY, Belief, Moment
from tavola.rl.rewards import PLACE, POINTS, REWARDS, WIN, reward_kind, rewards_of

try:
    import pyspiel
except ImportError as error:
    raise NotInstalled("OpenSpiel is not installed: run pip install 'tavola[openspiel]'") from error

LONGEST = 1_000_000
"""Declared maximum of a match's actions, above the length of any game here."""
START = "start"
"""The parameter `position` for matches that start normally: no parameter can be empty."""
MOST_POINTS = 1_000_000.0
RECALL = 16
"""Default number of heard actions in the tensor of an information state."""
WORLDS, MOST_WORLDS = 64, 100_000
"""Default and maximum number of worlds that chance draws from at a root with a belief."""
SEEDS = 1 << 53
BESIDE = {
    "rules": "recommended",
    "reward": REWARDS[0],
    "recall": RECALL,
    "position": START,
    "belief": NOBODY,
    "worlds": WORLDS,
    "turns": False,
}
"""Parameters of every game besides its options, with their defaults."""


def load(game: str, position: object = None, **parameters: object) -> Any:
    """Return a game as `pyspiel.Game`: `load("lifeboats", players=4)`; `position`, a document, is its start.

    With `belief=seat`, chance draws the world at the root: one of `worlds` (64 by default) that agree with what that
    seat sees in the position, as often as it would be dealt. With `turns=True` no node is simultaneous.

    Other parameters are the game's options, `rules`, `reward` (`tavola.rl.rewards`) and `recall`: the number of heard
    actions at the end of an information state's tensor. Its string always has perfect recall.
    """
    _check_parameters(load_card(game), parameters)
    given = {name: value if isinstance(value, int) else write_word(str(value)) for name, value in parameters.items()}
    if position is not None:
        given["position"] = json.dumps(position).encode().hex()
    return pyspiel.load_game(f"tavola_{load_card(game).name}", given)


def write_word(word: str) -> str:
    """Return a word as a parameter: OpenSpiel parses non-alphabetic words as numbers, so "2-2-3" is "_2_2_3"."""
    return word if any(map(str.isalpha, word)) else "_" + word.replace("-", "_")


def read_word(value: object) -> object:
    """Return the value of a parameter."""
    written = isinstance(value, str) and value.startswith("_")
    return str(value)[1:].replace("_", "-") if written else value


def _check_parameters(card: Game, parameters: dict[str, object]) -> None:
    known = {option.name for option in card.options.all} | BESIDE.keys()
    for name in parameters.keys() - known:
        raise BadOption(f"parameter {short_repr(name)}: expected one of {', '.join(sorted(known))}")
    for name, low, high in (("belief", NOBODY, card.players[1] - 1), ("worlds", 1, MOST_WORLDS)):
        number = as_integer(parameters.get(name, low))
        if number is None or not low <= number <= high:
            found = short_repr(parameters[name])
            raise BadOption(f"parameter {name}: expected a whole number from {low} to {high}, found {found}")


def game_type(card: Game, reward: int = PLACE, *, turns: bool = False) -> Any:
    """Return the type under which a game is registered, or one with another reward or sequential turns."""
    utility, dynamics = pyspiel.GameType.Utility, pyspiel.GameType.Dynamics
    few, many = card.players
    options: dict[str, Any] = {
        option.name: write_word(option.names[option.default]) if option.names else option.default
        for option in card.options.all
    }
    return pyspiel.GameType(
        short_name=f"tavola_{card.name}",
        long_name=f"Tavola: {card.title}",
        dynamics=dynamics.SEQUENTIAL if turns else dynamics.SIMULTANEOUS,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility={POINTS: utility.GENERAL_SUM, WIN: utility.CONSTANT_SUM}.get(reward, utility.ZERO_SUM),
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=many,
        min_num_players=few,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={**options, **BESIDE},
    )


def game_class(card: Game, kind: Any) -> type:
    """Return the class of a game, for `pyspiel.register_game`."""

    class Registered(TavolaGame):
        """A game of Tavola."""

        def __init__(self, parameters: Any = None) -> None:
            super().__init__(card, kind, parameters or {})

    return Registered


class TavolaGame(pyspiel.Game):
    """A game with its parameters: the start of its matches, and the rule of its rewards."""

    def __init__(self, card: Game, kind: Any, parameters: Any) -> None:
        given = {**kind.parameter_specification, **parameters}
        self.card, self.reward = card, reward_kind(given["reward"])
        self.recall, self.turns = int(given["recall"]), bool(given["turns"])
        options = {option.name: read_word(given[option.name]) for option in card.options.all}
        if given["position"] == START:
            match = Match(card, options, rules=given["rules"])
        else:  # the hexadecimal digits of its document
            match = Match(card, position=json.loads(bytes.fromhex(given["position"])))
        states = match.states_at(0)
        self.players, self.worlds = int(states["table"]["players"][0]), int(given["worlds"])
        self.start: Moment = Moment(card, states, None, None)
        if given["belief"] != NOBODY:
            self.start = Belief(card, states, int(given["belief"]), self.worlds)
        self._parameters = dict(parameters)
        super().__init__(game_type(card, self.reward, turns=self.turns), self._information(), parameters)

    def _information(self) -> Any:
        least, most = {POINTS: (-MOST_POINTS, MOST_POINTS), WIN: (0.0, 1.0)}.get(self.reward, (-1.0, 1.0))
        actions = len(self.card.actions)
        return pyspiel.GameInfo(
            num_distinct_actions=actions,
            max_chance_outcomes=max(actions + self.players, self.worlds),
            num_players=self.players,
            min_utility=least,
            max_utility=most,
            utility_sum={POINTS: None, WIN: 1.0}.get(self.reward, 0.0),
            max_game_length=LONGEST,
        )

    def new_initial_state(self) -> "TavolaState":
        """Return the initial state of every match."""
        return TavolaState(self, self.start)

    def __deepcopy__(self, memo: object) -> "TavolaGame":
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return pyspiel.load_game, (f"tavola_{self.card.name}", self._parameters)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """Return an observer of a seat's observations or, with perfect recall, its information states."""
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(self.card, self.recall if recalls else 0, recalls)


class TavolaState(pyspiel.State):
    """A moment of a match with OpenSpiel's interface; see `pyspiel.State` for the methods."""

    def __init__(self, game: TavolaGame, moment: Moment) -> None:
        super().__init__(game)
        self.moment, self.players, self.reward, self.turns = moment, game.players, game.reward, game.turns

    def current_player(self) -> int:
        moment = self.moment
        if moment.over:
            return int(pyspiel.PlayerId.TERMINAL)
        if moment.is_chance:
            return int(pyspiel.PlayerId.CHANCE)
        alone = self.turns or len(moment.asked) == 1
        return moment.asked[0] if alone else int(pyspiel.PlayerId.SIMULTANEOUS)

    def resample_from_infostate(self, player: int, probability_sampler: Any) -> "TavolaState":
        """Return a state in a world that agrees with what a seat knows; its information state is the same."""
        resampled = self.clone()
        resampled.moment = self.moment.redeal(player, int(probability_sampler() * SEEDS))
        return resampled  # type: ignore[no-any-return]

    def _legal_actions(self, player: int) -> list[int]:
        return self.moment.legal(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.moment.outcomes()

    def _apply_action(self, action: int) -> None:
        self.moment = self.moment.play(CHANCE if self.moment.is_chance else self.moment.asked[0], action)

    def _apply_actions(self, actions: list[int]) -> None:
        self.moment = self.moment.play_together(actions)

    def _action_to_string(self, player: int, action: int) -> str:
        codes = self.moment.game.actions.codes
        if isinstance(self.moment, Belief):
            return f"world {action}"
        return codes[action] if action < len(codes) else f"first {action - len(codes)}"

    def is_terminal(self) -> bool:
        return self.moment.over

    def returns(self) -> list[float]:
        if not self.moment.over:
            return [0.0] * self.players
        result = Result.of(self.moment.states, self.players)
        return rewards_of(result.points, result.ranks, self.reward)

    def __str__(self) -> str:
        codes, history = self.moment.game.actions.codes, self.moment.history()
        return "\n".join(f"{'*' if seat == CHANCE else seat} {codes[action]}" for seat, action in history)


class Observer:
    """The observation of a seat: `tensor` is its row of the encoder, `dict` the parts of it."""

    def __init__(self, card: Game, recall: int, recalls: bool) -> None:
        self.encoder, self.recalls = Encoder(card, recall), recalls
        self.tensor = np.zeros(self.encoder.shape, np.float32)
        seen = self.encoder.seen_columns
        self.dict = {"seen": self.tensor[:seen], **({"heard": self.tensor[seen:]} if recall else {})}

    def set_from(self, state: TavolaState, player: int) -> None:
        """Write a seat's observation of a state."""
        moment, encoder = state.moment, self.encoder
        heard = encoder.heard_by(player, moment.history(player))[np.newaxis] if encoder.recall else None
        encoder.encode(moment.view(player).states, [player], self.tensor[np.newaxis], heard)

    def string_from(self, state: TavolaState, player: int) -> str:
        """Return what a seat sees as a document; with perfect recall, what it heard, and a digest of all it saw."""
        moment = state.moment
        if not self.recalls:
            return json.dumps(moment.view(player).document())
        game, past = moment.game, moment.history(player)
        heard = ((by, number) for by, number in past if game.observe_action(by, number, player) is not None)
        told = ", ".join(f"{'*' if by == CHANCE else by} {game.actions.codes[number]}" for by, number in heard)
        return f"seat {player}: {told} ({moment.information_state(player).hex()})"


def register_games() -> None:
    """Register every game with OpenSpiel."""
    for name in names():
        card = load_card(name)
        kind = game_type(card)
        pyspiel.register_game(kind, game_class(card, kind))


register_games()
