"""The style of the project's prose and translations must not get worse; subjects of commits are short."""

import contextlib
import os
import runpy
import sys
from pathlib import Path

import pytest

from scripts import prose, translated
from tests.helpers import ROOT

PAGE = "# Guide\n\nA player loses {} cards.\nThe code `his` and the quotation “his” are not searched.\n"
MODULE = '"""Play a card."""\n\nLIMIT = 3\n"""Cards that somebody may hold."""\n'

ALLOWED = prose.Cell("docstrings", "tavola/web", "somebody")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A small project with a finding in a docstring, which its baseline allows."""
    (tmp_path / "tavola" / "web").mkdir(parents=True)
    (tmp_path / "scripts").mkdir()
    (tmp_path / "tavola" / "web" / "cards.py").write_text(MODULE)
    (tmp_path / "guide.md").write_text(PAGE.format("three"))
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    monkeypatch.setattr(prose, "BASELINE", tmp_path / "scripts" / "prose_baseline.txt")
    monkeypatch.setattr(prose, "KINDS", {kind: prose.KINDS[kind] for kind in ("markdown", "docstrings")})
    prose.BASELINE.write_text(prose.baseline_text({ALLOWED: 1}))
    return tmp_path


def test_what_the_baseline_allows_passes(project: Path, capsys: pytest.CaptureFixture[str]):
    assert (prose.main(["--check"]), capsys.readouterr().out) == (0, "")


def test_a_new_finding_is_printed_with_its_place_and_cure(project: Path, capsys: pytest.CaptureFixture[str]):
    (project / "guide.md").write_text(PAGE.format("his"))
    assert prose.main(["--check"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "markdown in .: 1 of 'he, his', expected at most 0",
        "guide.md:3: 'his' (he, his): write they, their, you, or the role",
    ]


def test_one_finding_more_than_allowed_is_printed_with_all_of_its_folder(project: Path, capsys):
    (project / "tavola" / "web" / "more.py").write_text('"""Ask nobody."""\n')
    assert prose.main(["--check"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "docstrings in tavola/web: 2 of 'somebody', expected at most 1"
    assert [line.split(": ")[0] for line in lines[1:]] == ["tavola/web/cards.py:4", "tavola/web/more.py:1"]


def test_the_baseline_can_only_be_lowered(project: Path):
    (project / "guide.md").write_text(PAGE.format("his"))
    assert prose.main(["--write"]) == 1
    assert prose.read_baseline(prose.BASELINE.read_text()) == {ALLOWED: 1}
    (project / "tavola" / "web" / "cards.py").write_text('"""Play a card."""\n')
    prose.main(["--write"])
    assert not prose.read_baseline(prose.BASELINE.read_text())


FRENCH = """
msgid "You promise"
msgstr "Tu promets"

#. Said by one player to another.
msgid "you hold {card}"
msgstr "tu as {card}"

msgid "Fog"
msgstr "Brouillard"

msgid "The end"
msgstr "La fin"
"""


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Two folders with French catalogues, one of them a game's."""
    paths = [tmp_path / "web", tmp_path / "voyage"]
    for path, text in zip(paths, (FRENCH.replace("La fin", "Fin\u00a0!"), FRENCH), strict=True):
        (path / "locale").mkdir(parents=True)
        for language in translated.GUIDES:
            (path / "locale" / f"{language}.po").write_text(text if language == "fr" else "")
    (paths[1] / "RULES.fr.md").write_text("**R1 L'île.** Neuf ; voici :\n\n| a | b |\n| --- | :--- |\n\n`a : b`\n")
    monkeypatch.setattr(translated, "catalogue_folders", lambda: paths)
    return paths


def test_translations_are_checked_by_the_guide_of_their_language(folders: list[Path]):
    found = {
        (finding.text.path.parts[-3], finding.phrase.name, finding.words)
        for finding in translated.translated_findings("fr")
        if finding.text.path.suffix == ".po"
    }
    assert found == {
        ("web", "typography", "\u00a0"),
        ("web", "address", "Tu"),
        ("voyage", "address", "Tu"),
        ("voyage", "terms", "Brouillard"),
        ("voyage", "translated twice", "La fin"),
    }


def test_spaces_and_apostrophes_are_corrected(folders: list[Path]):
    translated.correct_files("fr")
    rules = (folders[1] / "RULES.fr.md").read_text(encoding="utf-8")
    assert rules == "**R1 L’île.** Neuf\u202f; voici\u00a0:\n\n| a | b |\n| --- | :--- |\n\n`a : b`\n"
    assert "Fin\u202f!" in (folders[0] / "locale" / "fr.po").read_text(encoding="utf-8")
    assert "typography" not in {finding.phrase.name for finding in translated.translated_findings("fr")}


@pytest.mark.parametrize(
    ("language", "text", "right"),
    [
        ("fr", "« Oui » : {name:The} ?", "«\u202fOui\u202f»\u00a0: {name:The}\u202f?"),
        ("fr", "{colour:Short} : l'écu ; 2 : 3", "{colour:Short}\u00a0: l’écu\u202f; 2\u00a0: 3"),
        ("it", "un'altra: {name} : l'ultima", "un’altra: {name} : l’ultima"),
        ("de", "so: 'ja' !", "so: 'ja' !"),
    ],
)
def test_only_what_the_language_asks_for_is_corrected(language, text, right):
    assert [translated.corrected(given, language) for given in (text, right)] == [right, right]


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
    with pytest.raises(SystemExit, match=refusal) if refusal else contextlib.nullcontext():
        runpy.run_path(str(hook))
