"""The prose of the project may get better, not worse; and subjects of commits are short."""

import os
import runpy
import sys
from pathlib import Path

import pytest

from scripts import prose
from tests.helpers import ROOT

PAGE = "# Guide\n\nA player loses {} cards.\nThe code `his` and the quotation “his” are not searched.\n"
MODULE = '"""Play a card."""\n\nLIMIT = 3\n"""Cards that somebody may hold."""\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A small project with a finding in a docstring, which its baseline allows."""
    (tmp_path / "tavola" / "web").mkdir(parents=True)
    (tmp_path / "scripts").mkdir()
    (tmp_path / "tavola" / "web" / "cards.py").write_text(MODULE)
    (tmp_path / "guide.md").write_text(PAGE.format("three"))
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    monkeypatch.setattr(prose, "BASELINE", tmp_path / "scripts" / "prose_baseline.txt")
    monkeypatch.setattr(prose, "KINDS", {"markdown": prose.markdown, "docstrings": prose.docstrings})
    prose.BASELINE.write_text(prose.baseline_text({("docstrings", "tavola/web", "somebody"): 1}))
    return tmp_path


def test_what_the_baseline_allows_passes(project: Path, capsys: pytest.CaptureFixture[str]):
    assert prose.main(["--check"]) == 0
    assert capsys.readouterr().out == ""


def test_a_new_finding_is_printed_with_its_place_and_cure(project: Path, capsys: pytest.CaptureFixture[str]):
    (project / "guide.md").write_text(PAGE.format("his"))
    assert prose.main(["--check"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "markdown in .: 1 of 'he, his', expected 0 at most",
        "guide.md:3: 'his' (he, his): write they, their, you, or the role",
    ]


def test_one_finding_more_than_allowed_is_printed_with_all_of_its_folder(project: Path, capsys):
    (project / "tavola" / "web" / "more.py").write_text('"""Ask nobody."""\n')
    assert prose.main(["--check"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "docstrings in tavola/web: 2 of 'somebody', expected 1 at most"
    assert [line.split(": ")[0] for line in lines[1:]] == ["tavola/web/cards.py:4", "tavola/web/more.py:1"]


def test_the_baseline_can_only_be_lowered(project: Path):
    (project / "guide.md").write_text(PAGE.format("his"))
    assert prose.main(["--write"]) == 1
    assert +prose.read_baseline(prose.BASELINE.read_text()) == {("docstrings", "tavola/web", "somebody"): 1}
    (project / "tavola" / "web" / "cards.py").write_text('"""Play a card."""\n')
    prose.main(["--write"])
    assert not prose.read_baseline(prose.BASELINE.read_text())


@pytest.mark.parametrize(
    ("subject", "refusal"),
    [
        ("live: send only changed fragments", ""),
        ("tests, web/table: wait for the state", ""),
        ("Merge branch 'tools'", ""),
        ("live: " + "é" * 66, ""),
        ("live: " + "é" * 67, "The subject has 73 characters"),
        ("Send only changed fragments", "The subject needs an area"),
        ("live: send only changed fragments.", "The subject needs an area"),
    ],
)
def test_the_hook_checks_the_subject_of_a_commit(tmp_path: Path, monkeypatch, subject, refusal):
    hook, message = ROOT / ".githooks" / "commit-msg", tmp_path / "message"
    message.write_text(f"{subject}\n\nThe body says why.\n# A comment of Git\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", [str(hook), str(message)])
    assert os.access(hook, os.X_OK)
    if refusal:
        with pytest.raises(SystemExit, match=refusal):
            runpy.run_path(str(hook))
    else:
        runpy.run_path(str(hook))
