"""Kept versions of a game's rules: each differs from the next, and none is confused, in memory or on disk."""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tavola
from tavola.bots.search import acquire_workspace
from tavola.core import UnknownVersion, kernels
from tavola.core.compilation import UNCOMPILED, cache_folder, machine_code
from tavola.core.registry import load
from tests.helpers import edit
from tests.helpers.drills import broken_copy, register_drills

HEAD = "from coppers.rules import Phase\nfrom tavola.core import Ruleset, compiled\n\n"
FIRST = """
@compiled
def score(s, points, place):
    for seat in range(2):
        points[seat] = 2 * (s.table.winner == seat)
        place[seat] = 1 if s.table.winner == seat else 2

RULESET = Ruleset(__file__, {"rules.score": score})
"""
"""Version 1: the winner has two points."""
SECOND = """
@compiled
def _end(t, odds):
    t.odds = odds // 2
    t.phase = Phase.LOTTERY

RULESET = Ruleset(__file__, {"rules._end": _end})
"""
"""Version 2: the odds are halved."""


@pytest.fixture
def coppers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A drill at version 3 of its rules, with two earlier versions kept."""
    folder = broken_copy("drill", "coppers", tmp_path, "__init__.py", "version=1", "version=3")
    edit(folder / "rules.py", "    winner: int", "    coppers: int = number(0, 1)\n    winner: int")
    (folder / "rulesets").mkdir()
    (folder / "rulesets" / "__init__.py").touch()
    for version, functions in enumerate((FIRST, SECOND), 1):
        (folder / "rulesets" / f"v{version}.py").write_text(HEAD + functions)
    monkeypatch.syspath_prepend(str(tmp_path))
    register_drills(monkeypatch, "coppers")
    yield folder
    for name in [name for name in sys.modules if name.split(".")[0] == "coppers"]:
        del sys.modules[name]


def odds_and_points(version: int) -> tuple[int, int]:
    """Return the odds after two equal sides, and the points of the winner."""
    game = load("coppers", version)
    states, points, places = game.states(1), np.zeros(2, np.int64), np.zeros(2, np.int64)
    states["table"]["voted"] = 1
    states["hand"]["side"] = 1
    kernels.apply_at(states, 0, 1, 0)
    kernels.score_at(states, 0, points, places)
    return int(states["table"]["odds"][0]), int(points.max())


def test_a_version_has_what_was_otherwise_then_and_ever_after_and_machine_code_of_its_own(
    coppers: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """A file is written once: a rule that is repaired later is as it was in every version before.

    Parts of a state have the same type in all versions: `_end` takes one.
    """
    monkeypatch.setenv("TAVOLA_CACHE", str(tmp_path / "cache"))
    cache_folder.cache_clear()
    try:
        with machine_code():
            assert [odds_and_points(version) for version in (3, 1, 2)] == [(10, 1), (5, 2), (5, 1)]
    finally:
        cache_folder.cache_clear()
    kept = {path.parent.parent for path in (tmp_path / "cache").glob("*/*/*apply*.nbi")}
    assert UNCOMPILED or len(kept) == 3


def test_a_version_is_not_known_where_one_after_it_is_not_kept(coppers: Path):
    (coppers / "rulesets" / "v2.py").unlink()
    with pytest.raises(UnknownVersion, match="version 1 of coppers: expected version 1 or 3"):
        load("coppers", 1)


def test_a_refusal_lists_each_version_once(coppers: Path):
    present = load("coppers").version
    (coppers / "rulesets" / f"v{present}.py").write_text("")
    with pytest.raises(UnknownVersion, match=f"version 9 of coppers: expected version 1 or 2 or {present}$"):
        load("coppers", 9)


def test_a_search_has_room_of_its_own_for_each_version():
    """Rules are found by the type of a state: with that of another version, a search would play its rules."""
    for version in (2, 1, 2):
        game = tavola.load("tournament", version)
        with acquire_workspace(game) as workspace:
            assert np.dtype((np.void, workspace.pool.dtype)) == game.state.dtype
