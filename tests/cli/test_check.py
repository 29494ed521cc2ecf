"""The command `tavola check`: what it tests, in which order, when it stops, and the contact sheet."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tavola
from tavola.cli.check import PROMISES, promise_name
from tavola.contract.sheet import contact_sheet
from tavola.show.cards import picture_of
from tests.cli import answer, check_answer
from tests.contract.test_contract import GAMES, broken, run
from tests.helpers import edit, wait_for
from tests.helpers.drills import write_package_metadata

pytestmark = pytest.mark.process
UNCOMPILED = {"NUMBA_DISABLE_JIT": "1"}


def checked(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Check a game with two things wrong."""
    game = broken("a_card_is_lost", folder)
    edit(game / "RULES.md", "**R4.**", "**4.**")
    write_package_metadata(game)
    return run("-m", "tavola", "check", "a_card_is_lost", "--worlds", "20", *options, folder=folder, **UNCOMPILED)


def test_what_costs_little_is_tried_first(tmp_path: Path):
    done = checked(tmp_path)
    first, later = "the rules are written: RULES.md has the paragraphs", "pieces are conserved"
    assert (done.returncode, first in done.stderr, later in done.stderr) == (1, True, False), done.stderr


def test_keep_going_reports_every_broken_promise(tmp_path: Path):
    only = "rules are written", "legal_actions", "pieces are", "documents give"
    done = checked(tmp_path, "--keep-going", *(word for name in only for word in ("--only", name)))
    assert done.returncode == 1
    for said in ("the rules are written: ", "pieces are conserved: ", "documents give the position back: "):
        assert done.stderr.count(f"a_card_is_lost: {said}") == 1


def test_only_what_is_asked_for_is_tried(tmp_path: Path):
    done = checked(tmp_path, "--only", "legal_actions")
    assert done.returncode == 0, done.stderr
    assert "a_card_is_lost keeps the selected promises" in done.stdout


def test_a_promise_that_is_none_is_refused():
    reason = "'world peace': expected part of a promise's name; --list shows them all"
    check_answer(2, reason, "check", tavola.game_names()[0], "--only", "world peace")


def test_all_promises_are_listed_each_with_what_it_says():
    status, output = answer("check", "--list")
    lines = output.splitlines()
    assert (status, lines[::2]) == (0, [promise_name(promise) for promise in PROMISES])
    assert all(line.startswith("    ") and line.endswith(".") for line in lines[1::2])


def test_watch_checks_again_whenever_a_file_changes(tmp_path: Path):
    game = broken("a_paragraph_is_missing", tmp_path)
    write_package_metadata(game)
    path = os.pathsep.join((str(tmp_path), str(Path(tavola.__file__).parents[1])))
    command = [sys.executable, "-m", "tavola", "check", game.name, "--only", "rules are written", "--watch"]
    environment = {**os.environ, **UNCOMPILED, "PYTHONPATH": path}
    with (tmp_path / "said").open("w+") as said:
        watching = subprocess.Popen(command, env=environment, stdout=said, stderr=said)
        try:
            told(tmp_path / "said", "RULES.md has the paragraphs")
            edit(game / "RULES.md", "**4.**", "**R4.**")
            told(tmp_path / "said", "a_paragraph_is_missing keeps the selected promises")
        finally:
            watching.kill()
            watching.wait()


def told(said: Path, words: str) -> None:
    wait_for(lambda: words in said.read_text(), said.read_text)


def test_all_boards_of_all_games_can_be_drawn_on_one_sheet():
    page = contact_sheet(GAMES)
    for game in GAMES:
        for board in picture_of(game).boards:
            assert f"<figcaption>{game.name}: {board}</figcaption>" in page
    assert page.count("<iframe srcdoc=") == sum(len(picture_of(game).boards) for game in GAMES)


def test_the_sheet_of_a_game_is_written_into_a_file(tmp_path: Path):
    game = tavola.load(tavola.game_names()[0])
    status, output = answer("check", game.name, "--sheet", tmp_path / "boards.html")
    assert status == 0, output
    assert output.endswith(f"boards.html: {len(picture_of(game).boards)} boards of {game.name}\n")
    assert (tmp_path / "boards.html").read_text(encoding="utf-8") == contact_sheet([game])
