"""One fault at a time in the rules: the tests of the game catch each. They are slow: `make soak`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = ("test_rules.py", "test_rulings.py", "test_phases.py", "test_examples.py", "test_properties.py")
"""Tests of rules, if a game has them."""
FAULTS = {
    "lifeboats/rules.py": (
        ("5 if t.players <= 4 else 4", "5 if t.players <= 5 else 4"),
        ("t.captains[seat] = 3", "t.captains[seat] = 4"),
        ("LATEST - arrival if arrival else 0", "arrival"),
        ("t.captains[seat] -= 1", "t.captains[seat] -= captains < 2"),
        ("_open_choice(t, t.starter, tied)", "_open_choice(t, winner % t.players, tied)"),
        ("_open_choice(t, captain, _candidates(t))", "_open_choice(t, t.starter, _candidates(t))"),
        ("votes += np.int64(ballot.weights[seat])", "votes += np.int64(1)"),
        ("if boat.crew[seat, SAILOR] else OFFICER", "if not boat.crew[seat, OFFICER] else OFFICER"),
        ("t.boats[boat].leaks > crew_size(t.boats[boat])", "t.boats[boat].leaks >= crew_size(t.boats[boat])"),
        ("    boat.arrival = t.arrived\n", "    boat.arrival = t.arrived + 1\n"),
        ("if not left >> boat & 1 and men_of", "if men_of"),
        ("boat != t.behind[seat] - 1 and has_free_seat(t, boat)", "has_free_seat(t, boat)"),
        ("(t.starter + t.players - 1 - back) % t.players", "(t.starter + back) % t.players"),
        ("t.last_boat_stays and boats_at_sea(t) == 1", "t.last_boat_stays and boats_at_sea(t) == 2"),
        ("    t.starter = next_seat(t, t.starter)\n", ""),
    ),
    "lifeboats/boats.py": (("2 * ", "1 * "),),
    "voyage/rules.py": (
        ("if not box.islands & BESIDE[cell]:", "if not box.islands >> cell & 1:"),
        ("if t.first_captain:", "if t.first_captain > 1:"),
        ("weights[count] = 1 if pile == Pile.SEA and face == Face.OPEN else t.piles[pile, face]", "weights[count] = 1"),
        ("t.safe_course and turn.losing", "not t.safe_course and turn.losing"),
        ("    other = turn.courses & ~(1 << preferred)\n", "    other = turn.courses\n"),
        ("tied and turn.black >> np.int64(t.captain) & 1", "tied"),
        ("elif t.turn == TURNS:", "elif t.turn == TURNS - 1:"),
        ("passes = t.captaincy == Captaincy.ALTERNATIVE_OR_TIE or ", "passes = "),
        ("t.captain + 1 if t.captain + 1 < t.players else 0", "t.captain - 1 if t.captain else t.players - 1"),
        ("5 * found + 3 * (islands <= 4)", "5 * found + 3 * (islands <= 5)"),
        ("return islands + 2 * found", "return islands + found"),
        ("5 * (not found) + 3 * (islands >= 5)", "5 * (not found) + 3 * (islands > 5)"),
        ("t.explored & ~t.avalon & FOG", "t.explored & FOG"),
        ("t.crosses | t.plains | t.avalon | COAST | START))", "t.crosses | t.plains | t.avalon | COAST))"),
        ("                points[seat] -= 1\n", "                points[seat] -= 2\n"),
        ("        t.roles[seat] = s.hand[seat].role\n", "        t.roles[seat] = 0\n"),
    ),
}
"""Pieces of rules, right and wrong, by the file in which each occurs once."""


def said(checkout: Path, game):
    """Return the output of the tests of a game's rules, uncompiled, up to the first failure."""
    folder = checkout / "tavola" / "games" / game
    tests = [str(folder / name) for name in TESTS if (folder / name).exists()]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb", "line", *tests]
    environment = {**os.environ, "PYTHONPATH": str(checkout), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)
    return done.stdout


@pytest.mark.process
@pytest.mark.soak
@pytest.mark.parametrize(
    ("file", "good", "bad"), [(file, *fault) for file, faults in FAULTS.items() for fault in faults]
)
def test_a_fault_in_a_rule_is_caught(file, good, bad, checkout: Path):
    path = checkout / "tavola" / "games" / file
    text = path.read_text(encoding="utf-8")
    assert text.count(good) == 1, f"{good!r} stands {text.count(good)} times in {file}"
    path.write_text(text.replace(good, bad), encoding="utf-8")
    try:
        assert "FAILED" in said(checkout, path.parent.name)
    finally:
        path.write_text(text, encoding="utf-8")
