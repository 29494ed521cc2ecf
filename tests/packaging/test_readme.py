"""The pages for readers are correct: their examples and code run, their commands and files exist."""

import doctest
import re
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tavola
from tavola.bots.outside.player import end_programs
from tavola.cli import COMMANDS
from tests.helpers import ROOT
from tests.helpers.bots import write_bots

GUIDES = (f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))
PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", *GUIDES)
TEXTS = {page: (ROOT / page).read_text(encoding="utf-8") for page in sorted(PAGES)}


def found(pattern: str) -> list[tuple[str, str]]:
    return sorted({(page, each) for page, text in TEXTS.items() for each in re.findall(pattern, text, re.MULTILINE)})


@pytest.mark.parametrize("page", [page for page, text in TEXTS.items() if ">>>" in text])
def test_the_examples_run_as_written(page):
    tests = doctest.DocTestParser().get_doctest(TEXTS[page].replace("\n```", "\n\n```"), {}, page, page, 0)
    assert tests.examples
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(tests)
    assert failed == 0


def test_examples_are_looked_for_where_they_are():
    assert {"README.md", "docs/package.md"} <= {page for page, text in TEXTS.items() if ">>>" in text}


@pytest.mark.parametrize(("page", "command"), found(r"(?:^|`)tavola ([a-z][a-z-]+)"))
def test_the_commands_exist(page, command):
    assert command in COMMANDS


@pytest.mark.parametrize(("page", "target"), found(r"\]\((?!https?:)([^)#]+)\)"))
def test_the_files_exist(page, target):
    assert (ROOT / page).parent.joinpath(target).exists()


@pytest.mark.parametrize(("page", "target"), found(r"(?:^|`)make ([a-z]+)"))
def test_the_targets_exist(page, target):
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize(
    ("page", "module"), found(r"`(?:tavola/)?((?:core|bots|store|contract|live|web|lab|rl|cli|show)/[a-z_/]+\.py)`")
)
def test_the_modules_exist(page, module):
    assert (ROOT / "tavola" / module).exists()


def shown_by(row):
    """Return the tests named by a row of the page on abuse: pairs of a file, empty for any, and a pattern."""
    named = re.findall(r"`(?:(test_\w+)(?:: )?)?([\w…]*)`", row.rsplit("|", 2)[1])
    return [(file, "test_" + re.escape(test).replace("…", r"\w*")) for file, test in named]


def test_every_claim_about_abuse_names_a_test_that_is_there():
    tests = defaultdict[str, str](str)  # folders have files of the same name
    for path in (ROOT / "tests").rglob("test_*.py"):
        tests[path.stem] += path.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?!attack).*", TEXTS["docs/abuse.md"], re.MULTILINE)
    assert all(shown_by(row) for row in rows)
    for file, test in (each for row in rows for each in shown_by(row)):
        assert re.search(rf"def {test}", tests[file] if file else "".join(tests.values())), (file, test)


def blocks(page: str) -> list[str]:
    """Return the code of a guide without sessions, to be run with fewer matches; the learner has its own test."""
    found = re.findall(r"^```python\n(.*?)^```", TEXTS[f"docs/{page}.md"], re.MULTILINE | re.DOTALL)
    return [code for code in found if ">>>" not in code and not re.search("def (learn|share)", code)]


def run(code: str, **given: Any) -> SimpleNamespace:
    """Run a piece of code with the names that it assumes."""
    names = {"__name__": "__main__", **given}
    exec(compile(code, "a guide", "exec"), names)
    return SimpleNamespace(**names)


def test_every_piece_is_known():
    guides = {page.stem: len(blocks(page.stem)) for page in (ROOT / "docs").glob("*.md")}
    assert {name: count for name, count in guides.items() if count} == {"arenas": 1, "learning": 7, "programs": 1}


@pytest.mark.parametrize("place", range(4))
def test_loops_of_environments_of_the_guide_run(place):
    pytest.importorskip("pettingzoo", reason="PettingZoo is missing: make test")
    found = run(blocks("learning")[place].replace("64", "4").replace("range(100)", "range(10)"))
    if place < 3:
        assert found.env.episode.over
    else:
        assert found.rewards.shape == (4,)


def test_the_loop_of_openspiel_of_the_guide_runs(capsys):
    pytest.importorskip("pyspiel", reason="OpenSpiel is missing: make openspiel")
    assert run(blocks("learning")[4]).state.is_terminal()
    assert capsys.readouterr().out


def test_opponents_and_the_net_of_the_guide_play():
    assert len(run(blocks("learning")[5].replace("64", "4")).pool.members) == 3
    match = tavola.Match(tavola.load("lifeboats"), players=3, seed=7)
    view = match.view(match.to_act[0])
    assert run(blocks("learning")[6]).Net().choose(view) == view.legal[0]


def test_the_project_can_be_cited_as_the_version_that_it_is():
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {tavola.__version__}\n" in cited
    assert "cff-version: 1.2.0" in cited


def test_the_search_of_the_guide_asks_the_functions():
    match = tavola.Match(tavola.load("lifeboats"), players=3, seed=7)
    view = match.view(match.to_act[0])
    found = run(
        blocks("programs")[0],
        view=view,
        values=lambda states: np.full((len(states), 3), 0.5),
        policy=lambda states, seats: np.ones((len(states), len(view.game.actions))),
    ).found
    assert sum(found.tries) == 400
    assert found.best in view.legal


@pytest.mark.process
def test_arenas_ladders_and_simulations_of_the_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write_bots(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    code = re.sub(r"matches=[\d_]+", "matches=4", re.sub(r"search@\d+", "search@4", blocks("arenas")[0]))
    code = re.sub(r'on="\w+"', 'on="process"', code)
    try:
        found = run(code)
    finally:
        end_programs()
    assert (found.report.matches, len(found.rated.rungs)) == (4, 3)
    assert len(found.found.variants) > 1
