"""Play the games that are named on a simulated GPU and on the processors, compare all bytes, and print their names.

Then the learner of the guide learns the same on both.

    NUMBA_ENABLE_CUDASIM=1 python -m tests.rl.gpu_simulated GAME …
"""

import sys
from typing import Any

import numpy as np

import tavola
from tavola.rl.batch import Batch
from tests.rl.test_learner import learner

ROWS, STEPS = 5, 12
SETTINGS: dict[str, Any] = {"opponents": "random", "recall": 3, "max_cycles": 5}


def is_same(here: np.ndarray, there: Any) -> bool:
    return np.asarray(here).tobytes() == there.copy_to_host().tobytes()


def pairs(here: Batch, there: Any, step: int) -> list[tuple[Any, Any]]:
    """Return what both show, and what a step changes."""
    shown = [(one.observe(), one.mask(), one.sample(step, ("random", "greedy")[step % 2])) for one in (here, there)]
    both = zip((here, there), shown, strict=True)
    played = [(*one.step(seen[2]), one.acted, one.number, one.truncated) for one, seen in both]
    after = [(one.observe_all(), one.observe_final(), one.state(), one.seat_to_act) for one in (here, there)]
    return [pair for rows in (shown, played, after) for pair in zip(*rows, strict=True)]


def compare(game: str) -> None:
    here = tavola.Batch(game, n=ROWS, seed=3, **SETTINGS)
    there: Any = tavola.Batch(game, n=ROWS, seed=3, device="cuda", **SETTINGS)
    for step in range(STEPS):
        for place, (one, other) in enumerate(pairs(here, there, step)):
            assert is_same(one, other), f"{game}, step {step}, array {place}"
    saved, other = here.save(), there.save()
    assert saved.keys() == other.keys()
    assert all(np.array_equal(value, other[name]) for name, value in saved.items())
    assert there.view(1) == here.view(1)
    shared = there.observe()
    assert np.array_equal(np.from_dlpack(shared), shared.copy_to_host())
    here.restore(other)
    assert is_same(here.observe(np.empty((ROWS, *here.encoder.shape), np.float32)), there.observe())


def compare_learners() -> None:
    guide = learner(MATCHES=8, STEPS=2, IMITATED=1)
    for one, other in zip(guide.learn(3), guide.learn(3, device="cuda"), strict=True):
        assert np.array_equal(one, other)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        compare(name)
        print(name)
    compare_learners()
