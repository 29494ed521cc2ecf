"""What holds for every drill: it keeps the promises of games, is caught when broken, and is played in a terminal."""

import importlib
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tavola.cli.play import command as play
from tavola.contract.promises import matches_end, try_positions
from tests.helpers.drills import breaches_of, broken_copy, register_drills

BROKEN = {
    ("bazaar", "rules.py", "draft_seen_by_a_neighbour"): (
        "        s.hand[seat].laid[action - First.LAY] += 1\n",
        "        s.hand[seat].laid[action - First.LAY] += 1\n        s.hand[(seat + 1) % t.players].laid[2] ^= 1\n",
        "drafts are secret: seat",
    ),
    ("bazaar", "rules.py", "plan_that_cannot_be_kept"): (
        "        s.hand[seat].laid[action - First.LAY] += 1\n",
        "        s.hand[seat].laid[action - First.LAY] += 1\n"
        "        t.bazaar |= pile_size(s.hand[(seat + 1) % t.players].laid) == 2\n",
        "plans come true: seat . plans .* but sees something else",
    ),
    ("bazaar", "rules.py", "draft_heard_by_all"): (
        'verb("lay", secret=True, planned',
        'verb("lay", planned',
        "heard is seen|drafts are secret: seat . drafts lay .* and others hear it",
    ),
    ("bazaar", "__init__.py", "changed_by_nothing"): (
        "secret_points=True)",
        "secret_points=True, unchanged=lambda then, now, number: number % 2 == 0)",
        "what is unchanged is told by views: .* counts as changed",
    ),
    ("bazaar", "rules.py", "open_to_nobody"): (
        "    if t.phase == Phase.OVER:\n        return 0\n",
        "    if t.phase == Phase.OVER:\n        return 1 << OPEN\n",
        "matches end: to_act marks an open decision but names no seat",
    ),
    ("joust", "clock.py", "late_in_vain"): (
        'TimeOut("done", 2',
        'TimeOut("take", 2',
        "time can run out: clock plays 'take' for seat .: expected one of done",
    ),
    ("joust", "clock.py", "in_no_time"): (", 0.5)", ", 0)", "time can run out: clock gives seat . 0 patiences"),
    ("joust", "clock.py", "race_without_end"): (
        "if t.phase == Phase.POINT:",
        "if t.phase == Phase.POINT and not view.hand.pointed and t.wrong:",
        "time can run out: seat . is in a race and clock returns None",
    ),
    ("joust", "clock.py", "clock_that_changes_its_mind"): (
        "def clock(view: View[Any, Any]) -> TimeOut | None:\n",
        "asked = [0]\ndef clock(view: View[Any, Any]) -> TimeOut | None:\n    asked[0] += 1\n"
        "    return TimeOut('done', asked[0]) if view.table.phase == Phase.WARES else told(view)\n"
        "def told(view):\n",
        "time can run out: clock of seat 0 returns .*: expected the same",
    ),
    ("joust", "rules.py", "likely_instant"): (
        "weights[k] = k < SEATS",
        "weights[k] = 1",
        "legal actions are sorted: chance's weights are .1, 1, 1|expected legal actions for chance",
    ),
    ("joust", "rules.py", "toss_with_another"): (
        "    return len(CORNERS)\n\n\n@compiled\ndef _legal_wares",
        "    if first == First.TOSS:\n        actions[len(CORNERS)] = First.FIRST\n        weights[len(CORNERS)] = 1\n"
        "        return len(CORNERS) + 1\n    return len(CORNERS)\n\n\n@compiled\ndef _legal_wares",
        "what rooms time stands alone: chance may do toss crown.*expected delayed outcomes of one verb and no others",
    ),
    ("joust", "rules.py", "stranger_first"): (
        'SEAT_NAMES, "none")',
        '"7", "1", "none")',
        "what rooms time stands alone: .*expected races between seats at the table",
    ),
}
"""For each drill, file and broken copy: what is good there, what is put in its place, and how it is caught."""


@pytest.mark.bulk
@pytest.mark.parametrize("drill", ["bazaar", "joust"])
def test_a_drill_keeps_every_promise(drill):
    game = importlib.import_module(drill).GAME
    matches_end(game)
    try_positions(game, 100, 1)


@pytest.mark.process
def test_every_broken_drill_is_caught(tmp_path: Path, subtests):
    for (drill, file, name), (good, bad, _) in BROKEN.items():
        broken_copy(drill, name, tmp_path, file, good, bad)
    caught = breaches_of([name for *_, name in BROKEN], tmp_path, 400)
    for (*_, name), (*_, said) in BROKEN.items():
        with subtests.test(name):
            assert re.search(said, caught[name])


@pytest.mark.parametrize(
    ("drill", "options", "typed", "said"),
    [
        ("bazaar", ("--players", "3"), "1\n" * 20 + "done\n", ("Trade, or leave.", "leaves.")),
        ("joust", (), "1\n" * 40, ("The toss shows", "Point!")),
    ],
    ids=["bazaar", "joust"],
)
def test_a_match_in_the_terminal(monkeypatch: pytest.MonkeyPatch, drill, options, typed, said):
    register_drills(monkeypatch, drill)
    done = CliRunner().invoke(play, [drill, "--seed", "1", "--bots", "greedy", *options], input=typed)
    assert done.exit_code == 0, done.output
    assert all(sentence in done.output for sentence in said)
