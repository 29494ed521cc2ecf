"""The promise of every game on its code: the same bytes, compiled or not, in every process."""

import hashlib
import os
import subprocess
import sys
from importlib import import_module

from tavola.contract.samples import draw_samples, expect, legal, redealt
from tavola.core.game import Game
from tavola.core.rng import stream


def digest(game: Game, seed: int = 1) -> str:
    """Return a hash of all results of the six functions in a random match: equal however they are run."""
    total = hashlib.sha256()
    for w in draw_samples(game, seed, 0):
        answers = [legal(game, w.states, seat) for seat in w.match.to_act]
        total.update(w.states.tobytes() + repr((w.match.to_act, answers, w.match.score())).encode())
        seat = len(w.past) % w.match.players
        total.update(redealt(w.match.view(seat), stream(seed, len(w.past))).tobytes())
    return total.hexdigest()


def compiled_and_uncompiled_agree(*games: Game) -> None:
    """Other processes, uncompiled and compiled (from the disk cache), give the same bytes without warnings.

    One process of either kind plays all the games in turn.
    """
    here = {game.name: digest(game) for game in games}
    for name, flag in (("uncompiled", "1"), ("compiled", "0")):
        found, failure = _digests_elsewhere(games, flag)
        for game in games:
            ours, theirs = here[game.name], found.get(game.package, failure)
            said = f"{game.name}: another process, {name}, plays different matches"
            expect(theirs == ours, f"{said}: expected {ours[:12]}, found {theirs}")


def _digests_elsewhere(games: tuple[Game, ...], disable: str) -> tuple[dict[str, str], str]:
    """Return hashes by module of the game, as far as the process got, and how it ended."""
    command = [sys.executable, "-W", "error", "-m", __name__, *(game.package for game in games)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": disable}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)  # noqa: S603
    pairs = (line.split() for line in done.stdout.splitlines())
    return {pair[0]: pair[1] for pair in pairs}, f"exit status {done.returncode}: {done.stderr.strip()[-400:]}"


if __name__ == "__main__":
    for module in sys.argv[1:]:
        print(module, digest(import_module(module).GAME), flush=True)
