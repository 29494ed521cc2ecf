"""What every game promises of its code: the same bytes, compiled or not, in every process."""

import hashlib
import os
import subprocess
import sys
from importlib import import_module

from tavola.contract.worlds import expect, legal, worlds
from tavola.core import kernels
from tavola.core.draws import stream
from tavola.core.game import Game


def digest(game: Game, seed: int = 1, count: int = 2) -> str:
    """A hash of every byte the six functions give in some random matches: equal however they are run."""
    total = hashlib.sha256()
    for number in range(count):
        for w in worlds(game, seed, number):
            answers = [legal(game, w.states, seat) for seat in w.match.to_act]
            total.update(w.states.tobytes() + repr((w.match.to_act, answers, w.match.standing())).encode())
            for seat in w.players:
                states = w.match.view(seat).states.copy()
                kernels.redeal_at(states, 0, seat, stream(seed, len(w.past)))
                total.update(states.tobytes())
    return total.hexdigest()


def compiled_and_uncompiled_agree(game: Game) -> None:
    """Other processes, uncompiled and compiled (from the disk), give the same bytes, without a warning."""
    here = digest(game)
    for name, flag in (("uncompiled", "1"), ("compiled", "0")):
        there = _digest_elsewhere(game, flag)
        expect(there == here, f"another process, {name}, plays other matches: expected {here[:12]}, found {there}")


def _digest_elsewhere(game: Game, disable: str) -> str:
    command = [sys.executable, "-W", "error", "-m", __name__, package(game)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": disable}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)  # noqa: S603
    return done.stdout.strip() or f"exit status {done.returncode}: {done.stderr.strip()[-400:]}"


def package(game: Game) -> str:
    """The module of a game's folder."""
    return game.rules.__name__.rpartition(".")[0]


if __name__ == "__main__":
    print(digest(import_module(sys.argv[1]).GAME))
