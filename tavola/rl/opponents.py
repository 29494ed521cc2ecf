"""Opponents of a learner: levels of bots, searches, policies of your own, and pools of them.

    tavola.Batch("lifeboats", opponents="search:100")
    tavola.Batch("lifeboats", opponents=net)                        any function of observations and masks
    tavola.Batch("lifeboats", opponents=Pool("greedy", net.copy()))  checkpoints: a different one in each match

A policy is a function: `policy(observations, masks)` gets float32[rows, columns], as written by `Encoder.encode`, and
bool[rows, actions], and returns the number of an action for each row.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tavola.bots import LEVELS, Bot, bot
from tavola.core import Game, IllegalAction, Refusal, View
from tavola.core.encoding import Encoder
from tavola.core.fields import short_repr
from tavola.core.plan import describe_action, describe_codes

LEVEL = re.compile(r"([a-z]+)(?:[:@](\d{1,9}))?")
"""A level, followed by the iterations of its search, if it searches."""
EXPECTED = (
    f"{' or '.join(name for name, level in LEVELS.items() if not level.searches)}, "
    f"{', '.join(f'{name}:100' for name, level in LEVELS.items() if level.searches)}, "
    "a function of observations and masks, or a Pool of them"
)
Policy = Callable[[np.ndarray, np.ndarray], Any]


class BadOpponent(Refusal):
    """An unknown opponent, or one that does not choose a legal action."""


class Pool:
    """Opponents from which each match selects one per seat, by its number: levels, searches, policies.

    `add` adds another one while matches continue, such as a copy of the current learner.
    """

    def __init__(self, *members: "Opponent") -> None:
        self.members: list[str | Policy] = []
        for member in members:
            self.add(member)
        if not self.members:
            raise BadOpponent("an empty pool: expected at least one opponent")

    def add(self, member: "Opponent") -> None:
        """Add an opponent; running matches may use it from their next decision on."""
        if isinstance(member, Pool):
            raise BadOpponent(f"a pool in a pool: expected {EXPECTED.replace(', or a Pool of them', '')}")
        check_opponent(member)
        self.members.append(member)

    def member(self, match: int, seat: int) -> "str | Policy":
        """Return the opponent that plays a seat of a match, by its number."""
        mixed = np.random.SeedSequence((match, seat)).generate_state(1)[0]
        return self.members[int(mixed) % len(self.members)]

    def __repr__(self) -> str:
        return f"Pool({', '.join(map(repr, self.members))})"


Opponent = str | Policy | Pool


def check_opponent(opponent: object) -> None:
    """Raise `BadOpponent` if it cannot play."""
    good = callable(opponent) or isinstance(opponent, Pool)
    if isinstance(opponent, str):
        found = LEVEL.fullmatch(opponent)
        good = found is not None and found[1] in LEVELS and (found[2] is None or LEVELS[found[1]].searches)
    if not good:
        what = "unknown level " if isinstance(opponent, str) else ""
        raise BadOpponent(f"opponents: {what}{short_repr(opponent)}, expected {EXPECTED}")


def make_bot(level: str, seed: int, iterations: int | None = None) -> Bot:
    """Return a bot of a level; iterations may follow, as in `search:100`."""
    found = LEVEL.fullmatch(level)
    assert found is not None, "expected an opponent that was checked"
    return bot(found[1], seed, iterations=int(found[2]) if found[2] else iterations)


def choose(
    opponent: str | Policy, game: Game, views: Sequence[View], rows: "ObservedRows", seeds: Sequence[int]
) -> Any:
    """Return the choice of an opponent, except a pool, for each view: int64[views].

    `rows` returns the observations and masks for a policy; `seeds` are those of a level's bots, one for each view.
    """
    if isinstance(opponent, str):
        return np.array([make_bot(opponent, seed).choose(view) for view, seed in zip(views, seeds, strict=True)])
    observations, masks = rows()
    return check_actions(game, opponent(observations, masks), masks)


ObservedRows = Callable[[], tuple[np.ndarray, np.ndarray]]


def check_actions(game: Game, chosen: Any, masks: np.ndarray) -> np.ndarray:
    """Return a policy's actions as int64; raise `BadOpponent` if one is missing or illegal."""
    actions = np.asarray(chosen)
    if actions.shape != (len(masks),) or actions.dtype.kind not in "iu":
        raise BadOpponent(
            f"policy: expected {len(masks)} whole numbers, found {actions.dtype} of shape {actions.shape}"
        )
    known = (actions >= 0) & (actions < masks.shape[1])
    illegal = ~known | ~masks[np.arange(len(masks)), np.where(known, actions, 0)].astype(bool)
    if illegal.any():
        row = int(illegal.argmax())
        legal = describe_codes([game.actions.code(int(number)) for number in np.flatnonzero(masks[row])])
        raise BadOpponent(f"policy: row {row}: {describe_action(game, int(actions[row]))}: expected one of {legal}")
    return actions.astype(np.int64)


def observe_views(encoder: Encoder, views: Sequence[View], heard: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """Return a policy's inputs: observations, float32[views, columns], and masks, bool[views, actions].

    For an encoder with `recall`, `heard` is as for `Encoder.encode`; without it nothing has been heard.
    """
    states = np.concatenate([view.states for view in views])
    seats = [-1 if view.seat is None else view.seat for view in views]
    observations = np.zeros((len(views), *encoder.shape), np.float32)
    masks = np.zeros((len(views), len(encoder.game.actions)), np.bool_)
    if encoder.recall and heard is None:
        heard = np.full((len(views), encoder.recall, 2), -1, np.int32)
    encoder.encode(states, seats, observations, heard)
    encoder.mask(states, seats, masks)
    return observations, masks


class PolicyBot:
    """A policy with the interface of a bot: `bot.choose(view)`, or `choose_many` for many views.

    It hears nothing, so its encoder has no `recall`.
    """

    def __init__(self, policy: Policy, encoder: Encoder) -> None:
        if encoder.recall:
            raise BadOpponent("encoder: expected one without recall, since a view does not contain what was heard")
        self.policy, self.encoder = policy, encoder

    def choose(self, view: View) -> int:
        """Return the number of the action that the policy chooses."""
        if not view.legal:
            raise IllegalAction(f"the view's seat {view.seat} has no decision to make: expected one of {view.to_act}")
        return self.choose_many([view])[0]

    def choose_many(self, views: Sequence[View]) -> list[int]:
        """Return the number of an action for each view; the policy is called once."""
        observations, masks = observe_views(self.encoder, views)
        chosen: list[int] = check_actions(self.encoder.game, self.policy(observations, masks), masks).tolist()
        return chosen
