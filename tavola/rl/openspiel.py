"""Every game as a Python game of OpenSpiel: secret ballots are its simultaneous nodes, chance is explicit.

    from tavola.rl import openspiel

    game = openspiel.load("lifeboats", players=4)
    state = game.new_initial_state()

Where this module is imported, `pyspiel.load_game("tavola_lifeboats", {"players": 4})` makes the same. In an open
decision, where whoever comes first acts, chance says first who that is: its outcome `actions + seat`. Algorithms that
know no simultaneous nodes take `pyspiel.convert_to_turn_based(game)`.
"""

import json
from typing import Any

import numpy as np

from tavola.core import CHANCE, Game
from tavola.core.match import Match
from tavola.games import load as load_card
from tavola.games import names
from tavola.rl.history import Moment
from tavola.rl.missing import NotInstalled
from tavola.rl.rewards import PLACE, POINTS, REWARDS, WIN, reward_kind, rewards_of

try:
    import pyspiel
except ImportError as error:
    raise NotInstalled("OpenSpiel is not installed: expected pip install 'tavola[openspiel]'") from error

LONGEST = 1_000_000
"""The actions of a match, which no game here declares: more than any has."""
START = "start"
"""The parameter `position` where matches start with the table as it is laid: no parameter can be empty."""
MOST_POINTS = 1_000_000.0
RECALL = 16
"""Actions that were heard in the tensor of an information state, unless more are asked for."""


def load(game: str, position: object = None, **parameters: object) -> Any:
    """A game as `pyspiel.Game`: `load("lifeboats", players=4)`; `position`, a document, is where it starts.

    Parameters are the game's options, and `rules`, `reward` (`tavola.rl.rewards`), `recall`: how many actions that
    were heard end the tensor of an information state. Its string has perfect recall whatever that is.
    """
    given = {name: value if isinstance(value, int) else write_word(str(value)) for name, value in parameters.items()}
    if position is not None:
        given["position"] = json.dumps(position).encode().hex()
    return pyspiel.load_game(f"tavola_{load_card(game).name}", given)


def write_word(word: str) -> str:
    """A word as a parameter: OpenSpiel takes what has no letter for a number, so "2-2-3" is "_2_2_3"."""
    return word if any(map(str.isalpha, word)) else "_" + word.replace("-", "_")


def read_word(value: object) -> object:
    """The value that a parameter stands for."""
    written = isinstance(value, str) and value.startswith("_")
    return str(value)[1:].replace("_", "-") if written else value


def game_type(card: Game, reward: int = PLACE) -> Any:
    """How a game is registered, and what it is with another rule of rewards."""
    utility = pyspiel.GameType.Utility
    few, many = card.players
    options: dict[str, Any] = {
        option.name: write_word(option.names[option.default]) if option.names else option.default
        for option in card.options.all
    }
    beside = {"rules": "recommended", "reward": REWARDS[0], "recall": RECALL, "position": START}
    return pyspiel.GameType(
        short_name=f"tavola_{card.name}",
        long_name=f"Tavola: {card.title}",
        dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
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
        parameter_specification={**options, **beside},
    )


def game_class(card: Game, kind: Any) -> type:
    """The class of a game, for `pyspiel.register_game`."""

    class Registered(TavolaGame):
        """One of Tavola's games."""

        def __init__(self, parameters: Any = None) -> None:
            super().__init__(card, kind, parameters or {})

    return Registered


class TavolaGame(pyspiel.Game):
    """A game with its parameters: where its matches start, and what their ends are worth."""

    def __init__(self, card: Game, kind: Any, parameters: Any) -> None:
        given = {**kind.parameter_specification, **parameters}
        self.card, self.reward = card, reward_kind(given["reward"])
        self.recall = int(given["recall"])
        options = {option.name: read_word(given[option.name]) for option in card.options.all}
        self.start = Moment(card, _first_states(card, options, given["rules"], given["position"]), None, None)
        self.players = int(self.start.states["table"]["players"][0])
        super().__init__(game_type(card, self.reward), self._information(), parameters)

    def _information(self) -> Any:
        least, most = {POINTS: (-MOST_POINTS, MOST_POINTS), WIN: (0.0, 1.0)}.get(self.reward, (-1.0, 1.0))
        actions = len(self.card.actions)
        return pyspiel.GameInfo(
            num_distinct_actions=actions,
            max_chance_outcomes=actions + self.players,
            num_players=self.players,
            min_utility=least,
            max_utility=most,
            utility_sum={POINTS: None, WIN: 1.0}.get(self.reward, 0.0),
            max_game_length=LONGEST,
        )

    def new_initial_state(self) -> "TavolaState":
        """The state where every match starts."""
        return TavolaState(self, self.start)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """Return what writes a seat's observations, with perfect recall its information states."""
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(self.card, self.recall if recalls else 0, recalls)


class TavolaState(pyspiel.State):
    """A moment of a match as OpenSpiel asks it. The methods are its own: see `pyspiel.State`."""

    def __init__(self, game: TavolaGame, moment: Moment) -> None:
        super().__init__(game)
        self.moment, self.players, self.reward = moment, game.players, game.reward

    def current_player(self) -> int:
        moment = self.moment
        if moment.over:
            return int(pyspiel.PlayerId.TERMINAL)
        if moment.is_chance:
            return int(pyspiel.PlayerId.CHANCE)
        return moment.asked[0] if len(moment.asked) == 1 else int(pyspiel.PlayerId.SIMULTANEOUS)

    def _legal_actions(self, player: int) -> list[int]:
        return self.moment.legal(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.moment.outcomes()

    def _apply_action(self, action: int) -> None:
        seat = CHANCE if self.moment.is_chance else self.moment.asked[0]
        self.moment = self.moment.play(seat, action)

    def _apply_actions(self, actions: list[int]) -> None:
        self.moment = self.moment.play_together(actions)

    def _action_to_string(self, player: int, action: int) -> str:
        codes = self.moment.game.actions.codes
        return codes[action] if action < len(codes) else f"first {action - len(codes)}"

    def is_terminal(self) -> bool:
        return self.moment.over

    def returns(self) -> list[float]:
        if not self.moment.over:
            return [0.0] * self.players
        result = self.moment.result(self.players)
        return rewards_of(result.points, result.ranks, self.reward)

    def __str__(self) -> str:
        codes = self.moment.game.actions.codes
        played = ("*" if seat == CHANCE else str(seat) for seat, _ in self.moment.history())
        return "\n".join(
            f"{seat} {codes[action]}" for seat, (_, action) in zip(played, self.moment.history(), strict=True)
        )


class Observer:
    """The observation of a seat: `tensor` is its row of the encoder, `dict` the parts of it."""

    def __init__(self, card: Game, recall: int, recalls: bool) -> None:
        self.encoder, self.recalls = card.encoder(recall), recalls
        self.tensor = np.zeros(self.encoder.shape, np.float32)
        seen = self.encoder.seen_columns
        self.dict = {"seen": self.tensor[:seen], **({"heard": self.tensor[seen:]} if recall else {})}

    def set_from(self, state: TavolaState, player: int) -> None:
        """Write what a seat observes of a state."""
        moment, encoder = state.moment, self.encoder
        heard = encoder.heard_by(player, moment.history())[np.newaxis] if encoder.recall else None
        encoder.encode(moment.view(player).states, [player], self.tensor[np.newaxis], heard)

    def string_from(self, state: TavolaState, player: int) -> str:
        """Return what a seat sees as a document; with perfect recall also what it heard, and a digest of all it saw."""
        moment = state.moment
        if not self.recalls:
            return json.dumps(moment.view(player).document())
        game = moment.game
        heard = ((by, number) for by, number in moment.history() if game.observe_action(by, number, player) is not None)
        told = ", ".join(f"{'*' if by == CHANCE else by} {game.actions.codes[number]}" for by, number in heard)
        return f"seat {player}: {told} ({moment.information_state(player).hex()})"


def _first_states(card: Game, options: dict[str, object], rules: str, position: str) -> np.ndarray:
    """The state where matches start: the table as it is laid, or a position, in hexadecimal digits of its document."""
    if position == START:
        return Match(card, options, rules=rules).states_at(0)
    return Match(card, position=json.loads(bytes.fromhex(position))).states_at(0)


def register_games() -> None:
    """Register every game with OpenSpiel."""
    for name in names():
        card = load_card(name)
        kind = game_type(card)
        pyspiel.register_game(kind, game_class(card, kind))


register_games()
