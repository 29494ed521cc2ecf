"""The learner of the guide: it is short, it runs as it is written, the seed decides, and it learns against greedy."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

import tavola
from tavola.core import compilation
from tests.helpers import ROOT

GUIDE = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
SOURCE = next(code for code in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL) if "def learn(" in code)


def learner(**settings):
    """Return the guide's code, run, with other settings in the place of its own."""
    module: dict[str, object] = {}
    exec(compile(SOURCE, "learning.md", "exec"), module)
    module.update(settings)
    return SimpleNamespace(**module)


def test_it_has_at_most_sixty_lines_and_no_long_ones():
    lines = SOURCE.splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 120


def test_it_runs_and_the_seed_decides():
    home = tavola.load("voyage").source_folder
    compilation.interpret(home)
    try:
        shares = [learner(MATCHES=2).learn(1, seed=1) for _ in range(2)]
    finally:
        compilation.use_machine_code(home)
    assert shares[0] == shares[1]
    assert 0 <= shares[0][0] <= 1


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_it_learns_against_greedy():
    shares = learner().learn(400)
    assert np.mean(shares[:5]) < 0.13
    assert np.mean(shares[-30:]) > 0.18
