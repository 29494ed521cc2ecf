"""A scoring rule is repaired and the old one kept: `tavola new-ruleset`, tried on a copy of the template."""

import resource
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from tavola.cli import main
from tavola.cli.new_game import new_game
from tavola.cli.new_ruleset import NothingKept, new_ruleset, ruleset_source
from tavola.contract import Breach
from tavola.contract.golden import write_goldens
from tavola.contract.rulesets import earlier_rules_keep_the_promises, write_kept_matches
from tavola.core import Game, MatchRecord, Result, View, read_record
from tavola.core.compilation import interpret
from tavola.core.registry import load
from tavola.show import Say, words_of
from tests.helpers import ROOT, edit
from tests.helpers.drills import register_drills

NAMES = ("rules.score", "words.scoring", "words.coach")
REPAIRS = {
    "rules.py": ("        points[seat] = t.points[seat]\n", "        points[seat] = 2 * t.points[seat]\n"),
    "words.py": (
        'return [(say("Prizes won"), view.table.points[seat])]',
        'return [(say("Twice the prizes won"), 2 * view.table.points[seat])]',
    ),
    "RULES.md": ("**R6.** The player", "**R6.** A prize counts twice. The player"),
}


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The folder of a new game, which runs as plain Python."""
    made = new_game("harbour", tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # bytecode cannot tell sources of the same second apart
    monkeypatch.syspath_prepend(str(tmp_path))
    register_drills(monkeypatch, "harbour")
    yield made
    _forget()


def _forget() -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "harbour"]:
        del sys.modules[name]
    load.__globals__["_present"].cache_clear()


def read_again() -> Game:
    _forget()
    game = import_module("harbour").GAME
    interpret(game.source_folder)
    return game


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"}


def explained(record: MatchRecord) -> tuple[Result, list[object], str]:
    """Return a match's result, how its points are made, and the coach's advice to the first bidder."""
    match = record.match()
    words, say = words_of(match.game), Say.of(match.game, "en")
    place = next(place for place, (_, code) in enumerate(record.actions) if code.startswith("bid"))
    advised = View(match.game, match.states_at(place), record.actions[place][0])
    breakdown: list[object] = [words.scoring(match.view(), seat, say) for seat in range(match.players)]
    return match.score(), breakdown, words.coach(advised, say)


def test_a_scoring_rule_is_repaired_and_the_old_one_kept_with_its_words_and_its_rulebook(folder: Path):
    before = read_again()
    said = CliRunner().invoke(main, ["new-ruleset", "harbour", *NAMES])
    assert said.exit_code == 0, said.output
    assert said.output.endswith("tavola check harbour --write-golden\n")
    record = read_record((folder / "rulesets" / "v1.txt").read_text(encoding="utf-8"))
    old, rules = explained(record), (folder / "RULES.md").read_text(encoding="utf-8")
    assert before.version == 1

    game = read_again()
    assert (game.version, load("harbour", 1).version) == (2, 1)
    with pytest.raises(Breach, match="ends the same under version 2"):
        earlier_rules_keep_the_promises(game)
    with pytest.raises(NothingKept, match="no rule has changed since"):
        new_ruleset(game, NAMES)

    for file, (good, new) in REPAIRS.items():
        edit(folder / file, good, new)
    edit(folder / "words.py", "The lowest card wins the prize: your lowest is the {card}.", "Yours is the {card}.")
    game = read_again()
    write_goldens(game)
    assert write_kept_matches(game) == []
    earlier_rules_keep_the_promises(game)
    assert explained(record) == old
    played_now = MatchRecord(game.name, game.version, record.options, record.actions).match()
    standing, breakdown, advice = explained(MatchRecord.of(played_now))
    assert standing.points == tuple(2 * points for points in old[0].points)
    assert breakdown[0] == [("Twice the prizes won", standing.points[0])]
    assert (old[2].startswith("The lowest card"), advice.startswith("Yours is")) == (True, True)
    path, _ = load("harbour", 1).rulebook("de")
    assert path.read_text(encoding="utf-8") == rules != (folder / "RULES.md").read_text(encoding="utf-8")


def test_the_check_finds_a_match_that_shows_what_was_repaired(folder: Path):
    """The first match kept need not show it: here, only ties are ranked differently."""
    new_ruleset(read_again(), ["rules.score"])
    edit(folder / "rules.py", "    rank_seats(points, place, t.players)\n", "    place[: t.players] = 1\n")
    game = read_again()
    (folder / "rulesets" / "v1.txt").unlink()
    assert write_kept_matches(game) == ["rulesets/v1.txt"]
    earlier_rules_keep_the_promises(game)


@pytest.mark.parametrize(
    ("names", "there", "expected"),
    [
        (["rules.scores"], "", "rules.scores: expected a function or constant that rules defines"),
        (["rules.rank_seats"], "", "rules defines: from tavola.core import rank_seats"),
        (["market.score"], "", "market is not a module of harbour: expected MODULE.NAME"),
        (["score"], "", "the module is missing: expected MODULE.NAME"),
        (["rules.legal", "words.legal"], "", "words.legal: expected a function or constant"),
        (["rules.score"], "v1.py", "already exists: expected no file of version 1"),
        (["rules.score"], "v1.txt", "already exists"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_nothing_is_written(folder: Path, names, there, expected):
    if there:
        (folder / "rulesets").mkdir()
        (folder / "rulesets" / there).touch()
    before = contents(folder)
    with pytest.raises(NothingKept, match=expected):
        new_ruleset(read_again(), names)
    assert contents(folder) == before


@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("lifeboats", ["rules.score", "words.scoring"]),
        ("lifeboats", ["words.events._log_move"]),  # it needs Python's own modules, too
        ("lifeboats", ["rules.score", "words.scoring", "words.events._log_move", "rules._land", "rules._sink"]),
        ("voyage", ["rules.score", "rules._apply_vote"]),
        ("tournament", ["rules.score"]),
    ],
)
def test_what_is_written_passes_the_checks_of_style(name: str, kept: list[str]):
    source = ruleset_source(load(name), kept)
    for check in (["check"], ["format", "--diff"]):
        command = [
            sys.executable,
            "-m",
            "ruff",
            *check,
            "--no-cache",
            "--stdin-filename",
            f"tavola/games/{name}/rulesets/v1.py",
            "-",
        ]
        done = subprocess.run(command, cwd=ROOT, input=source, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_file_that_cannot_be_written_leaves_nothing_half_done(folder: Path):
    """Files are limited to 1,500 bytes here: the golden is longer, the kept rules are not."""
    game, before = read_again(), contents(folder)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1500, limits[1]))
    try:
        with pytest.raises(NothingKept, match=r"playthrough\.txt: expected a file that can be written"):
            new_ruleset(game, ["rules.score"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert contents(folder) == before
    assert not (folder / "rulesets").exists()
