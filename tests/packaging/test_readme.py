"""The pages for readers are correct: their examples run, their commands and files exist."""

import doctest
import re
from collections import defaultdict

import pytest

from tavola.cli import COMMANDS
from tests.helpers import ROOT

PAGES = (
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
)
TEXTS = {page: (ROOT / page).read_text(encoding="utf-8") for page in sorted(PAGES)}
README = TEXTS["README.md"]


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
        text = tests[file] if file else "".join(tests.values())
        assert re.search(rf"def {test}", text), (file, test)
