"""What README.md shows is true: its examples run, its commands and files exist."""

import doctest
import re

import pytest

from tavola.cli import COMMANDS
from tests.helpers import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_examples_run_as_written():
    tests = doctest.DocTestParser().get_doctest(README, {}, "README.md", "README.md", 0)
    assert len(tests.examples) > 10
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(tests)
    assert failed == 0


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`tavola ([a-z-]+)", README))))
def test_the_commands_exist(command):
    assert command in COMMANDS


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\((?!https?:)([^)#]+)\)", README))))
def test_the_files_exist(target):
    assert (ROOT / target).exists()


@pytest.mark.parametrize("target", sorted(set(re.findall(r"^make ([a-z]+)", README, re.MULTILINE))))
def test_the_targets_exist(target):
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
