"""The bots that the guide for programs shows, as files."""

import re
from pathlib import Path

from tests.helpers import ROOT

GUIDE = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")
BLOCK = re.compile(r'^```\w+ title="([\w.]+)"\n(.*?)^```', re.MULTILINE | re.DOTALL)
BOTS = dict(BLOCK.findall(GUIDE))
"""By the name of the file."""


def write_bots(folder: Path) -> None:
    for name, text in BOTS.items():
        (folder / name).write_text(text, encoding="utf-8")
