"""Plans: several steps of a seat, tried on its own view, then played all together or not at all.

    planned = match.plan(2, ["lay wool", "offer silk"])
    planned.view                                        the seat's view of the table after these steps
    match.play_all(["lay wool", "offer silk"], 2)

A plan is computed from a view only, so it reveals nothing that the seat does not know. Each step is played on several
full states that agree with the view; if the results look different to the seat, the step cannot be foreseen.
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
"""Number of full states on which each step is tried."""
CODES_NAMED = 12
"""Maximum number of codes in a message."""
STOP_REASONS = {
    "chance": "chance decides next",
    "seat": "another seat decides next",
    "unseen": "its outcome cannot be seen yet",
    "over": "the match is over",
}


@dataclass(frozen=True)
class Plan:
    """Steps of a seat, and their effect.

    `view` is the seat's view after the steps, and `numbers` are their actions. `stop` says why nothing can be planned
    after the last step: `chance` or another `seat` decides then, the match is `over`, or the step would reveal
    something `unseen`. In the last case `view` is the one before that step. `stop` is empty while the seat may plan on.
    """

    view: View
    numbers: tuple[int, ...]
    stop: Stop = ""

    def with_step(self, action: str | int) -> "Plan":
        """Return the plan with one more step, a code or a number. Raises `IllegalAction` if it cannot be planned."""
        game, number = self.view.game, action_number(self.view.game, action)
        step = describe_action(game, number)
        if self.stop:
            raise IllegalAction(f"{step} after the last step: expected none, since {STOP_REASONS[self.stop]}")
        if number not in self.view.legal:
            raise IllegalAction(f"{step} would not be allowed at that point: expected a legal action")
        if not game.actions.verb(number).planned:
            able = ", ".join(verb.name for verb in game.actions.verbs if verb.planned) or "none"
            raise IllegalAction(f"{step} cannot be planned: expected one of the verbs {able}")
        view, stop = _try_step(self.view, number)
        return Plan(view, (*self.numbers, number), stop)


def make_plan(view: View, steps: Sequence[str | int]) -> Plan:
    """Return the plan of some steps of the view's seat.

    Raises `NotYourTurn` if the seat is not to act, and `IllegalAction` for a step that cannot be planned or played.
    """
    deciding_seat(view)
    planned = Plan(view, ())
    for step in steps:
        planned = planned.with_step(step)
    return planned


def deciding_seat(view: View) -> int:
    """Return the view's seat; raise `NotYourTurn` unless it owes a decision."""
    if view.seat is None or view.seat not in view.to_act:
        raise NotYourTurn(f"the view's seat {view.seat} has no decision to make: expected one of {view.to_act}")
    return view.seat


def action_number(game: Game, action: object) -> int:
    """Return the number of an action given by code or number. Raises `IllegalAction` for anything else."""
    if isinstance(action, str):
        return game.actions.number(action)
    number = as_integer(action)
    if number is None:
        raise IllegalAction(f"{short_repr(action)} is not an action: expected a code such as {game.actions.code(0)!r}")
    return number


def describe_action(game: Game, number: int) -> str:
    """Return an action for a message; any number is accepted."""
    return short_repr(game.actions.code(number) if 0 <= number < len(game.actions) else number)


def describe_codes(codes: Sequence[str]) -> str:
    """Return the first few codes for a message, and how many more there are."""
    more = f" and {len(codes) - CODES_NAMED} more" if len(codes) > CODES_NAMED else ""
    return ", ".join(codes[:CODES_NAMED]) + more


def _try_step(view: View, number: int) -> tuple[View, Stop]:
    """Return the seat's view after a step, and why it cannot plan on."""
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
