"""The process that runs a Python class as a bot: `python -m tavola.bots.outside.host module:Class`.

Like any program, it reads states and writes plays. The class is instantiated once per match:

    class Mine:
        def __init__(self, seed): …       # optional, as is `seed`
        def hear(self, heard): …          # optional: a list of `tavola.core.Heard`, before each decision
        def choose(self, view): …         # the number or the code of one of `view.legal`

Its prints go to the error stream, because the output is used for answers.
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
    """Return the class named by `module:Class`, from the Python path or the current folder."""
    module, _, name = target.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    found = getattr(import_module(module), name, None)
    if not isinstance(found, type) or not callable(getattr(found, "choose", None)):
        raise TypeError(f"{target}: expected a class with a method choose(view)")
    return found


def new_bot(kind: type, seed: int) -> Any:
    """Return an instance of a class; `seed` is passed if it accepts one."""
    return kind(seed=seed) if "seed" in inspect.signature(kind).parameters else kind()


def play(kind: type, lines: Iterable[str], answers: TextIO) -> None:
    """Play the matches described by `lines` until they end."""
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
            chosen = bot.choose(view)  # it may be illegal: the receiver checks it
            code = chosen if isinstance(chosen, str) else view.game.actions.code(action_number(view.game, chosen))
            answer = {"type": "play", "prompt_id": state["prompt_id"], "code": code}
            answers.write(msgspec.json.encode(answer).decode() + "\n")
            answers.flush()


def main() -> None:
    """Play as the class named by the command, until the input ends."""
    answers, sys.stdout = sys.stdout, sys.stderr
    play(find_class(sys.argv[1]), sys.stdin, answers)


if __name__ == "__main__":
    main()
