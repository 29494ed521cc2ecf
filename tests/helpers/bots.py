"""Bots from outside the package, those in the guide for programs, as files, or as classes; and work for engines."""

import os
import re
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Squares:
    """Work that squares its chunk. Processes that begin a `deadly` chunk are killed, `times` times."""

    folder: Path
    deadly: tuple[int, ...] = ()
    times: int = 1
    wrong: tuple[int, ...] = ()

    def warm(self) -> str:
        with (self.folder / "warmed").open("a") as file:
            file.write(f"{os.getpid()}\n")
        return "squares"

    def __call__(self, chunk: int) -> int:
        if chunk in self.wrong:
            raise ArithmeticError(f"{chunk} has no square")
        for time_ in range(self.times if chunk in self.deadly else 0):
            try:
                (self.folder / f"{chunk}-{time_}").touch(exist_ok=False)
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.02)
        return chunk * chunk
