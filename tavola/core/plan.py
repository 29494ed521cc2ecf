"""Plans: several steps of one seat, tried on its own view without anything happening, then played all or none.

    planned = match.plan(2, ["lay wool", "offer silk"])
    planned.view                                        as the seat would see the table then
    match.play_all(["lay wool", "offer silk"], 2)

A plan is made from a view alone, so it tells nothing that the seat does not know: each step is played on some full
states that agree with the view, and where they would look different afterwards nobody can know what comes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tavola.core import kernels
from tavola.core.errors import IllegalAction, NotYourTurn
from tavola.core.fields import as_integer, short_repr
from tavola.core.game import CHANCE, Game
from tavola.core.rng import stream
from tavola.core.view import View

Stop = Literal["", "chance", "seat", "unseen", "over"]
REDEALS = 16
"""Full states that agree with a view and are tried."""
CODES_NAMED = 12
"""So many codes are named in a message."""
STOP_REASONS = {
    "chance": "then chance decides",
    "seat": "then somebody else decides",
    "unseen": "what it brings cannot be seen yet",
    "over": "then the match is over",
}


@dataclass(frozen=True)
class Plan:
    """Some steps of a seat, and what they come to.

    `view` is the seat's as it would be. `stop` says why nothing can be planned after the last step: chance decides
    then, or another seat, or the match is over; or the step shows what is unseen now, and `view` is the one before it.
    It is empty while the seat may plan on.
    """

    view: View
    numbers: tuple[int, ...]
    stop: Stop = ""

    def with_step(self, action: str | int) -> "Plan":
        """The plan with one step more, by code or number; `IllegalAction` if it cannot be planned or played then."""
        game, number = self.view.game, action_number(self.view.game, action)
        if self.stop:
            raise IllegalAction(
                f"{describe_action(game, number)} after the last step: expected none, {STOP_REASONS[self.stop]}"
            )
        if number not in self.view.legal:
            raise IllegalAction(f"{describe_action(game, number)} would not be allowed then: expected a legal action")
        if not game.actions.verb(number).planned:
            able = ", ".join(verb.name for verb in game.actions.verbs if verb.planned) or "none"
            raise IllegalAction(f"{describe_action(game, number)} cannot be planned: expected a verb among {able}")
        view, stop = _try_step(self.view, number)
        return Plan(view, (*self.numbers, number), stop)


def make_plan(view: View, steps: Sequence[str | int]) -> Plan:
    """The plan of a view's seat, step by step; `NotYourTurn` if it owes no decision, `IllegalAction` as for a step."""
    if view.seat is None or view.seat not in view.to_act:
        raise NotYourTurn(f"the view's seat {view.seat} owes no decision: expected one of {view.to_act}")
    planned = Plan(view, ())
    for step in steps:
        planned = planned.with_step(step)
    return planned


def action_number(game: Game, action: object) -> int:
    """The number of an action given by code or number, `IllegalAction` if it is neither."""
    if isinstance(action, str):
        return game.actions.number(action)
    number = as_integer(action)
    if number is None:
        raise IllegalAction(f"{short_repr(action)} is no action: expected a code such as {game.actions.code(0)!r}")
    return number


def describe_action(game: Game, number: int) -> str:
    """An action in a message; any number at all."""
    return short_repr(game.actions.code(number) if 0 <= number < len(game.actions) else number)


def describe_codes(codes: Sequence[str]) -> str:
    """The first of some codes in a message, and how many more there are."""
    more = f" and {len(codes) - CODES_NAMED} more" if len(codes) > CODES_NAMED else ""
    return ", ".join(codes[:CODES_NAMED]) + more


def _try_step(view: View, number: int) -> tuple[View, Stop]:
    """Return what the seat sees after a step, and why it cannot plan on."""
    after, *others = (_view_after(view, number, redeal) for redeal in range(REDEALS))
    if any(other != after for other in others):
        return view, "unseen"
    if not after.to_act:
        return after, "over"
    return after, "" if view.seat in after.to_act else "chance" if after.to_act == (CHANCE,) else "seat"


def _view_after(view: View, number: int, redeal: int) -> View:
    states = view.game.copy_states(view.states)
    kernels.redeal_at(states, 0, view.seat, stream(redeal))
    kernels.apply_at(states, 0, view.seat, number)
    return View(view.game, states, view.seat)
