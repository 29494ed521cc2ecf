"""The learner of the guide: it is short, runs as printed, depends only on its seed, and beats greedy."""

import re
from time import process_time
from types import SimpleNamespace

import pytest

from tavola.lab.intervals import wilson_interval
from tests.helpers import ROOT

GUIDE = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
LEARNER, TRIAL = (code for code in BLOCKS if re.match("import importlib|def share", code))


def learner(**settings):
    module: dict[str, object] = {}
    exec(compile(LEARNER + TRIAL, "learning.md", "exec"), module)
    module.update(settings)
    return SimpleNamespace(**module)


def test_it_has_at_most_a_hundred_lines_and_no_long_ones():
    lines = LEARNER.splitlines()
    assert len(lines) <= 100
    assert max(map(len, lines)) <= 120


@pytest.mark.bulk
def test_it_runs_and_the_seed_decides():
    guide = learner(MATCHES=16, IMITATED=1)
    once, again = (guide.learn(2) for _ in range(2))
    assert all((one == other).all() for one, other in zip(once, again, strict=True))
    by_seat = guide.share_by_seat(once, 9)
    assert by_seat.shape == (3,)
    assert guide.share_of_wins(once, 9) == by_seat.mean()
    assert (guide.share_by_seat(once, 3, opponents="search:1") <= 1).all()


@pytest.mark.soak
def test_it_beats_greedy_on_every_seat_and_no_search():
    """Within ten minutes of CPU time it wins more than half against greedy; a search it has not met beats it."""
    guide, begun = learner(), process_time()
    weights = guide.learn(900, 3)
    assert process_time() - begun < 600
    by_seat = guide.share_by_seat(weights, 4500)
    assert all(wilson_interval(share, 1500)[0] > 1 / 3 for share in by_seat), by_seat
    assert wilson_interval(by_seat.mean(), 4500)[0] > 0.5, by_seat
    assert wilson_interval(guide.share_of_wins(weights, 150, opponents="search:50"), 150)[1] < 1 / 3
