"""The bots in the guide for programs, as files."""

import re
from pathlib import Path

from tests.helpers import ROOT

GUIDE = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")
BLOCK = re.compile(r'^```\w+ title="([\w.]+)"\n(.*?)^```', re.MULTILINE | re.DOTALL)
BOTS = dict(BLOCK.findall(GUIDE))
"""Sources by file name."""


def write_bots(folder: Path) -> None:
    for name, text in BOTS.items():
        (folder / name).write_text(text, encoding="utf-8")
