"""Bots from outside the package: those in the guide for programs, as files, and others as classes."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from tavola.core import View
from tests.helpers import ROOT

GUIDE = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")
BLOCK = re.compile(r'^```\w+ title="([\w.]+)"\n(.*?)^```', re.MULTILINE | re.DOTALL)
BOTS = dict(BLOCK.findall(GUIDE))
"""Sources by file name."""


def write_bots(folder: Path) -> None:
    for name, text in BOTS.items():
        (folder / name).write_text(text, encoding="utf-8")


class Last:
    def choose(self, view: View) -> int:
        return view.legal[-1]


class Many(Last):
    """Answers many views at once, as a neural network does."""

    asked: ClassVar[list[int]] = []
    """Number of views in each call."""

    def choose_many(self, views: Sequence[View]) -> list[int]:
        self.asked.append(len(views))
        return [self.choose(view) for view in views]


class Wrong(Last):
    """Answers many views with illegal actions."""

    def choose_many(self, views: Sequence[View]) -> list[int]:
        return [-1 for _ in views]
