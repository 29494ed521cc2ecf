"""The template game: copied into a checkout, and as an installed package."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import tavola
from tavola.cli.new_game import TEMPLATE, BadName, new_game
from tests.helpers import PATIENCE, ROOT

pytestmark = pytest.mark.process
SHORTLY = {"check": ("--worlds", "5", "--only", "sentences", "--only", "goldens"), "play": ("--help",)}
"""Arguments for trying the suggested commands: few positions, only promises about the game's folder, no keyboard."""


def run(*command: str, cwd: Path, **environment: str) -> str:
    given: dict[str, Any] = {"cwd": cwd, "env": {**os.environ, **environment}, "timeout": PATIENCE}
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False, **given)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


NAMED = ("rules are", "paragraph", "options", "shapes", "translations", "catalogues", "goldens", "sentences")
"""Promises about what a game's folder says, in which its name is replaced. The template itself keeps every promise."""


def test_a_new_game_in_a_checkout_is_the_template_under_its_own_name(checkout: Path):
    said = run("-m", "tavola", "new-game", "sea_market", cwd=checkout)
    assert said.endswith(":\n\n  tavola check sea_market\n  tavola play sea_market --bots greedy\n")
    folder = checkout / "tavola" / "games" / "sea_market"
    assert copied(folder) == copied(TEMPLATE)
    assert "template" not in "".join(path.read_text(encoding="utf-8").lower() for path in files(folder))
    assert run("-m", "tavola", "games", cwd=checkout).count("sea_market  Sea market, 2–4, version 1") == 1
    assert "sea_market keeps the selected promises; it ran uncompiled" in checked(checkout, "sea_market", NAMED)
    run_ruff(checkout, folder)


def checked(checkout: Path, game: str, promises: Iterable[str], *options: str) -> str:
    """Return what `tavola check` says about some promises at a few positions."""
    command = ("-m", "tavola", "check", game, "--worlds", "5", *options, *(f"--only={name}" for name in promises))
    return run(*command, cwd=checkout, **plain(checkout))


def plain(checkout: Path) -> dict[str, str]:
    return {"NUMBA_DISABLE_JIT": "1", "TAVOLA_CACHE": str(checkout / "cache")}


def run_ruff(checkout: Path, folder: Path) -> None:
    run("-m", "ruff", "check", "--no-cache", str(folder), cwd=checkout)
    run("-m", "ruff", "format", "--no-cache", "--check", str(folder), cwd=checkout)


def tutorial_edits() -> list[tuple[str, str, str]]:
    """Return the edits of the tutorial in CONTRIBUTING.md: file, lines before, lines after."""
    tutorial = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add a game in an afternoon\n")[2]
    blocks = re.findall(r'^```diff title="(.*?)"\n(.*?)^```', tutorial, re.MULTILINE | re.DOTALL)
    hunks = [(name, (hunk + "\n").splitlines()) for name, text in blocks for hunk in text.rstrip().split("\n@@\n")]
    return [(name, side(lines, "-"), side(lines, "+")) for name, lines in hunks]


def side(lines: list[str], sign: str) -> str:
    return "".join(f"{line[1:]}\n" for line in lines if line[:1] in ("", " ", sign))


def test_the_edits_of_the_tutorial_lead_to_a_game_that_passes_checks_and_its_own_tests(checkout: Path):
    run("-m", "tavola", "new-game", "market", cwd=checkout)
    folder = checkout / "tavola" / "games" / "market"
    edits = tutorial_edits()
    assert {"RULES.md", "components.py", "rules.py", "faults.py", "test_rules.py", "words.py"} == {e[0] for e in edits}
    for name, before, after in edits:
        text = (folder / name).read_text(encoding="utf-8")
        assert text.count(before) == 1, f"{name}: expected once\n{before}"
        (folder / name).write_text(text.replace(before, after), encoding="utf-8")
    promises = ("paragraph", "options", "pieces", "sentences", "redeals agree", "goldens")
    assert "market keeps the selected promises" in checked(checkout, "market", promises, "--write-golden")
    run("-m", "pytest", "-p", "no:cacheprovider", "-k", "not redeal", str(folder), cwd=checkout, **plain(checkout))
    run_ruff(checkout, folder)


def test_functions_of_a_game_need_annotations_except_in_tests_whatever_their_files_are_called(checkout: Path):
    folder = checkout / "tavola" / "games" / "voyage"
    tests, product = folder / "test_market_day.py", folder / "words" / "market_day.py"
    for path in (tests, product):
        path.write_text('"""A new file."""\n\n\ndef market_day(players):\n    return players\n', encoding="utf-8")
    run("-m", "mypy", "--no-incremental", "--follow-imports=skip", str(tests), cwd=checkout)
    run("-m", "ruff", "check", "--no-cache", str(tests), cwd=checkout)
    with pytest.raises(AssertionError, match="ANN201"):
        run("-m", "ruff", "check", "--no-cache", "--output-format=concise", str(product), cwd=checkout)


def test_a_game_in_a_package_of_its_own_is_installed_found_and_played(tmp_path: Path):
    said = run("-m", "tavola", "new-game", "harbour", "--to", "my harbour", cwd=tmp_path, PYTHONPATH=str(ROOT))
    folder = tmp_path / "my harbour" / "harbour"
    pip, *commands = [shlex.split(line) for line in said.splitlines()[2:]]
    assert pip == ["pip", "install", "-e", "my harbour"]
    run("-m", "ruff", "check", "--no-cache", "--select", "E,F,I", ".", cwd=folder.parent)
    run("-m", "ruff", "format", "--no-cache", "--check", ".", cwd=folder.parent)
    site = tmp_path / "site"
    install = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index")
    run(*install, "--target", str(site), str(tmp_path / pip[-1]), cwd=tmp_path)
    environment = {"PYTHONPATH": f"{site}{os.pathsep}{ROOT}", "NUMBA_DISABLE_JIT": "1"}
    for tavola_, *words in commands:
        assert tavola_ == "tavola"
        run("-m", "tavola", *words, *SHORTLY.get(words[0], ()), cwd=tmp_path, **environment)
    code = """import tavola; m = tavola.Match(tavola.load("harbour"), players=2, seed=1)
print(m.legal_codes(0), m.game.folder)
print([tavola.load(name).title for name in tavola.game_names()])"""
    played, titles = run("-c", code, cwd=tmp_path, **environment).splitlines()
    assert str(site) in played
    assert "Harbour" in titles
    assert (site / "harbour" / "RULES.md").exists()
    assert copied(site / "harbour") == copied(TEMPLATE)


def files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".pyc"]


def copied(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in files(folder)]


@pytest.mark.parametrize(
    "name", ["", "x", "9lives", "Sea", "sea-market", "sea market", "class", "../sea", "sé", "a" * 32]
)
def test_what_cannot_name_a_game_is_refused(name, tmp_path: Path):
    with pytest.raises(BadName, match="is not a valid name: expected"):
        new_game(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_existing_names_are_refused_and_their_files_kept(tmp_path: Path):
    for taken in (*tavola.game_names(), "template", "tavola"):
        with pytest.raises(BadName, match="is taken"):
            new_game(taken, tmp_path)
    folder = new_game("harbour", tmp_path)
    (folder / "RULES.md").write_text("mine", encoding="utf-8")
    with pytest.raises(BadName, match="already exists"):
        new_game("harbour", tmp_path)
    assert (folder / "RULES.md").read_text(encoding="utf-8") == "mine"


def test_the_template_is_not_listed():
    assert all("template" not in name for name in tavola.game_names())
