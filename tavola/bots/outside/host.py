"""The process in which a class of Python plays: `python -m tavola.bots.outside.host module:Class`.

It reads states and writes plays, as any program does. The class is made anew for each match:

    class Mine:
        def __init__(self, seed): …       # or without `seed`, or left out
        def hear(self, heard): …          # may be left out: a list of `tavola.core.Heard`, before each decision
        def choose(self, view): …         # the number or the code of one of `view.legal`

What it prints goes to the error stream: the output belongs to the answers.
"""

import inspect
import os
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Any, TextIO

import msgspec

from tavola.core import CHANCE, Heard, View
from tavola.core.plan import action_number
from tavola.core.registry import load


def find_class(target: str) -> type:
    """Return the class that `module:Class` names; modules lie on the path, or in the folder where this was started."""
    module, _, name = target.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    found = getattr(import_module(module), name, None)
    if not isinstance(found, type) or not callable(getattr(found, "choose", None)):
        raise TypeError(f"{target}: expected a class with a method choose(view)")
    return found


def new_bot(kind: type, seed: int) -> Any:
    """Return a bot of a class; one that takes a `seed` is given it."""
    return kind(seed=seed) if "seed" in inspect.signature(kind).parameters else kind()


def play(kind: type, lines: Iterable[str], answers: TextIO) -> None:
    """Play matches as the lines tell them, until they end."""
    room: str | None = None
    bot: Any = None
    for line in lines:
        state = msgspec.json.decode(line)
        if state["type"] != "state" or state["view"] is None:
            continue
        if room != state["room"]:
            room, bot = state["room"], new_bot(kind, state.get("seed", 0))
        if hasattr(bot, "hear"):
            bot.hear([Heard(CHANCE if one["seat"] is None else one["seat"], one["code"]) for one in state["happened"]])
        if state["prompt_id"] is not None:
            view = View[Any, Any].read(load(state["game"]), state["view"])
            answer = {"type": "play", "prompt_id": state["prompt_id"], "code": action_code(view, bot.choose(view))}
            answers.write(msgspec.json.encode(answer).decode() + "\n")
            answers.flush()


def action_code(view: View, chosen: object) -> str:
    """Return the code of what a bot chose; whoever asked refuses a code that is not allowed."""
    if isinstance(chosen, str):
        return chosen
    return view.game.actions.code(action_number(view.game, chosen))


def main() -> None:
    """Play as the class that the command names, until the input ends."""
    answers, sys.stdout = sys.stdout, sys.stderr
    play(find_class(sys.argv[1]), sys.stdin, answers)


if __name__ == "__main__":
    main()
