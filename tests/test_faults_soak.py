"""One rule put wrong at a time: every such fault is caught by the tests of its game. They take long: `make soak`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tavola

ROOT = Path(tavola.__file__).parents[1]
TESTS = ("test_rules.py", "test_rulings.py", "test_phases.py", "test_examples.py", "test_properties.py")
"""The tests of rules, as far as a game has them."""
FAULTS = {
    "lifeboats": (
        ("rules.py", "5 if t.players <= 4 else 4", "5 if t.players <= 5 else 4"),
        ("rules.py", "t.captains[seat] = 3", "t.captains[seat] = 4"),
        ("rules.py", "LATEST - arrival if arrival else 0", "arrival"),
        ("rules.py", "t.captains[seat] -= 1", "t.captains[seat] -= captains < 2"),
        ("rules.py", "_ask(t, t.starter, tied)", "_ask(t, winner % t.players, tied)"),
        ("rules.py", "_ask(t, captain, _options(t))", "_ask(t, t.starter, _options(t))"),
        ("rules.py", "votes += np.int64(ballot.weights[seat])", "votes += np.int64(1)"),
        ("rules.py", "if boat.crew[seat, SAILOR] else OFFICER", "if not boat.crew[seat, OFFICER] else OFFICER"),
        (
            "rules.py",
            "t.boats[boat].leaks > crew_size(t.boats[boat])",
            "t.boats[boat].leaks >= crew_size(t.boats[boat])",
        ),
        ("rules.py", "    boat.arrival = t.arrived\n", "    boat.arrival = t.arrived + 1\n"),
        ("rules.py", "if not left >> boat & 1 and men_of", "if men_of"),
        ("rules.py", "boat != t.behind[seat] - 1 and has_seat(t, boat)", "has_seat(t, boat)"),
        ("rules.py", "(t.starter + t.players - 1 - back) % t.players", "(t.starter + back) % t.players"),
        ("rules.py", "t.last_boat_stays and boats_at_sea(t) == 1", "t.last_boat_stays and boats_at_sea(t) == 2"),
        ("rules.py", "    t.starter = next_seat(t, t.starter)\n", ""),
        ("boats.py", "2 * ", "1 * "),
    ),
    "voyage": (
        ("rules.py", "if not box.islands & BESIDE[cell]:", "if not box.islands >> cell & 1:"),
        ("rules.py", "0 < t.first_captain <= t.players", "0 < t.first_captain < t.players"),
        (
            "rules.py",
            "weights[count] = 1 if pile == SEA_PILE and face == OPEN else t.piles[pile, face]",
            "weights[count] = 1",
        ),
        ("rules.py", "t.safe_course and turn.losing", "not t.safe_course and turn.losing"),
        ("rules.py", "    other = turn.courses & ~(1 << preferred)\n", "    other = turn.courses\n"),
        ("rules.py", "tied and turn.black >> np.int64(t.captain) & 1", "tied"),
        ("rules.py", "elif t.turn == TURNS:", "elif t.turn == TURNS - 1:"),
        ("rules.py", "passes = t.captaincy == ALTERNATIVE_OR_TIE or ", "passes = "),
        (
            "rules.py",
            "t.captain + 1 if t.captain + 1 < t.players else 0",
            "t.captain - 1 if t.captain else t.players - 1",
        ),
        ("rules.py", "5 * found + 3 * (islands <= 4)", "5 * found + 3 * (islands <= 5)"),
        ("rules.py", "return islands + 2 * found", "return islands + found"),
        ("rules.py", "5 * (not found) + 3 * (islands >= 5)", "5 * (not found) + 3 * (islands > 5)"),
        ("rules.py", "t.explored & ~t.avalon & FOG", "t.explored & FOG"),
        ("rules.py", "t.crosses | t.plains | t.avalon | COAST | START))", "t.crosses | t.plains | t.avalon | COAST))"),
        ("rules.py", "                points[seat] -= 1\n", "                points[seat] -= 2\n"),
        ("rules.py", "        t.roles[seat] = s.hand[seat].role\n", "        t.roles[seat] = 0\n"),
    ),
}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of the source tree."""
    copy = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "tavola", copy / "tavola", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


def said(checkout, game):
    """What the tests of a game's rules say, uncompiled, up to the first that fails."""
    folder = checkout / "tavola" / "games" / game
    tests = [str(folder / name) for name in TESTS if (folder / name).exists()]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb", "line", *tests]
    environment = {**os.environ, "PYTHONPATH": str(checkout), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)
    return done.stdout


@pytest.mark.soak
@pytest.mark.parametrize(
    ("game", "file", "good", "bad"), [(game, *fault) for game, faults in FAULTS.items() for fault in faults]
)
def test_a_fault_in_a_rule_is_caught(game, file, good, bad, checkout):
    path = checkout / "tavola" / "games" / game / file
    text = path.read_text(encoding="utf-8")
    assert text.count(good) == 1, f"{good!r} stands {text.count(good)} times in {game}/{file}"
    path.write_text(text.replace(good, bad), encoding="utf-8")
    try:
        assert "FAILED" in said(checkout, game)
    finally:
        path.write_text(text, encoding="utf-8")
