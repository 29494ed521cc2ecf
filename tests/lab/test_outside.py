"""Bots from outside in arenas: classes and programs, the same wherever they play, replaced and reported on failure."""

import io
import os
import shutil
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from tavola.bots.outside import player
from tavola.bots.outside.player import BadOutside, Outside, end_programs
from tavola.bots.outside.programs import Program, ProgramLate
from tavola.cli import main
from tavola.core import Match
from tavola.games import load
from tavola.lab import arena
from tavola.lab.entries import BadEntry, Entry
from tests.helpers.bots import BOTS, write_bots
from tests.helpers.days import HOUR

pytestmark = pytest.mark.process
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is missing")
BAD_BOTS = '''
import os, sys, time

class Late:
    """Late in every decision that is none of one action."""
    def choose(self, view):
        if len(view.legal) > 1:
            time.sleep(60)
        return view.legal[0]

class Crashing:
    """Ends once, at its seventh decision, and says nothing on the wire but what is asked."""
    def __init__(self):
        self.decisions = 0
    def choose(self, view):
        print("a line that is no answer")
        self.decisions += 1
        if self.decisions == 7 and not os.path.exists("ended"):
            open("ended", "w").close()
            os._exit(3)
        return view.game.actions.code(view.legal[0])

class Cheating:
    """Plays what is no action, every third time."""
    def __init__(self):
        self.decisions = 0
    def choose(self, view):
        self.decisions += 1
        return view.legal[0] if self.decisions % 3 else "no such thing"

class Broken:
    def choose(self, view):
        raise ValueError("no idea")

class Listening:
    """Notes in a file what it hears."""
    def __init__(self, seed):
        self.name = f"heard-{seed}.txt"
    def hear(self, heard):
        with open(self.name, "a") as file:
            file.writelines(f"{seat} {code}\\n" for seat, code in heard)
    def choose(self, view):
        return view.legal[-1]
'''

MARKED = """
import json, sys
for line in sys.stdin:
    state = json.loads(line)
    if state["prompt_id"] is not None:
        answer = {"type": "play", "prompt_id": float(state["prompt_id"]), "code": state["legal"][0]}
        sys.stdout.write(f"\\r\\n\\n\\ufeff{json.dumps(answer)}\\r\\n\\n")
        sys.stdout.flush()
"""


def shown(report):
    console = Console(width=200, file=io.StringIO(), record=True)
    for table in report.tables():
        console.print(table)
    return console.export_text()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Yield the working folder of the test, which has bots; their programs end with the test."""
    write_bots(tmp_path)
    (tmp_path / "badbots.py").write_text(BAD_BOTS)
    monkeypatch.setattr(player, "DEFAULT_LIMIT", HOUR * 1000)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(player.__file__).parents[3]), prepend=os.pathsep)
    yield tmp_path
    end_programs()


@pytest.mark.parametrize(
    "text", ["python:mybots:Mine", "exec:./bot --fast", "exec:node bot.mjs@500ms", "python:a.b:C@1ms"]
)
def test_bots_from_outside_are_read_and_written(text):
    assert (str(Entry.parse(text)), Entry.parse(text)) == (text, Entry.parse(text))


@pytest.mark.parametrize(
    "text", ["python:mybots", "python:my bots:Mine", "python::", "exec:", "exec: ", "exec:'open", "exec:x@0ms"]
)
def test_invalid_bots_are_refused(text):
    with pytest.raises(BadOutside, match="expected"):
        Outside.parse(text)


def test_the_guide_shows_two_bots_of_about_forty_lines():
    assert set(BOTS) == {"mybots.py", "mybot.mjs"}
    assert all(35 <= len(text.splitlines()) <= 45 for text in BOTS.values())


@needs_node
def test_the_bots_of_the_guide_play_and_appear_in_the_arenas_table(folder: Path):
    arguments = ["arena", "lifeboats", "greedy", "python:mybots:Mine", "exec:node mybot.mjs", "--matches", "3"]
    done = CliRunner().invoke(main, [*arguments, "--on", "process"], env={"COLUMNS": "160"})
    rows = [line.split("│")[1:] for line in done.output.splitlines() if "python:" in line or "exec:" in line]
    assert len(rows) == 2, done.output
    assert all(row[7].strip() == "0" for row in rows), "nothing was replaced"


def test_failing_bots_are_replaced_and_reported(folder: Path, capfd: pytest.CaptureFixture[str]):
    entries = ["python:badbots:Crashing", "python:badbots:Cheating", "random"]
    report = arena("lifeboats", entries, matches=3, seed=1, on="process")
    crashing, cheating, others = report.standings
    assert crashing.replaced == 1, "it goes on"
    assert (crashing.reasons, cheating.reasons) == ((("died", 1),), (("illegal", cheating.replaced),))
    assert f"{cheating.replaced} ({cheating.replaced} illegal)" in shown(report)
    assert cheating.decisions / 3 - 3 <= cheating.replaced <= cheating.decisions / 3
    assert others.replaced == 0
    assert "a line that is no answer" in capfd.readouterr().err


def test_marks_blank_lines_and_3_0_are_taken(folder: Path):
    (folder / "marked.py").write_text(MARKED)
    report = arena("lifeboats", [f"exec:{sys.executable} marked.py", "random", "random"], 3, seed=1, on="process")
    assert report.standings[0].replaced == 0
    assert report.standings[0].decisions > 10


def test_endless_blank_lines_are_not_an_answer(folder: Path):
    endless = [sys.executable, "-c", "while True: print(flush=True)"]
    with closing(Program(endless, str(folder))) as program, pytest.raises(ProgramLate, match="ran out"):
        program.next_line(0.2)


def test_late_bots_are_not_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch):
    match = Match(load("lifeboats"), players=3, seed=1)
    late = Outside.parse("python:badbots:Late@50ms").player(seed=5)
    monkeypatch.setattr(player, "STARTING", 1.5)
    with closing(late):
        for _ in range(5):
            assert late.choose(match.view(match.to_act[0])) in match.legal_numbers(match.to_act[0])
    assert late.reasons == {"late": 3, "died": 2}
    ended = "the program was started 3 times in this match and is not started again"
    assert late.faults == [*["the time for a decision ran out"] * 3, *[ended] * 2]


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("python:badbots:Broken", "ended with status 1"),
        ("python:badbots:Missing", "ended with status 1"),
        ("exec:./no-such-bot", "expected a program that can be started"),
        ("exec:sh -c 'read line; echo hello'", "expected a play as JSON"),
        ("exec:true", "the program has ended"),
    ],
)
def test_a_bot_that_fails_at_its_first_decision_is_refused(folder: Path, bot, said):
    with pytest.raises(BadEntry, match=said):
        arena("lifeboats", [bot, "random", "random"], matches=1, on="process")


def test_a_bot_hears_the_match_as_its_seat(folder: Path):
    match, seat = Match(load("lifeboats"), players=3, seed=4), 1
    bot = Outside.parse("python:badbots:Listening").player(seed=seat)
    while not match.over:
        if seat in match.to_act:
            bot.hear(match, seat)
            match.play(bot.choose(match.view(seat)), seat)
        else:
            match.play(match.legal_numbers(match.to_act[-1])[-1], match.to_act[-1])
    bot.hear(match, seat)
    bot.finish(match.view(seat), match.score())
    assert bot.faults == []
    end_programs()
    heard = (folder / f"heard-{seat}.txt").read_text().splitlines()
    told = [f"{one.seat} {one.code}" for one in match.heard(seat)]
    assert heard == told[: len(heard)]
    assert len(heard) > len(told) - 12, "all but what came after its last decision"
    assert any(line.endswith(" None") for line in heard), "the others' secret ballots"
