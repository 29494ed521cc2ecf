"""Drills for tests to register, copy and break."""

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from tavola.core import registry
from tests.helpers import DRILLS, ROOT, run_python


def register_drills(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let `load` find these drills as if they were installed."""
    found = dict(registry._modules())
    registry._present.cache_clear()
    monkeypatch.setattr(registry, "_modules", lambda: found | {name: name for name in names})


def write_package_metadata(folder: Path) -> None:
    information = folder.parent / f"{folder.name}-1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {folder.name}\nVersion: 1\n")
    (information / "entry_points.txt").write_text(f"[tavola.games]\n{folder.name} = {folder.name}\n")


def broken_copy(drill: str, name: str, folder: Path, file: str, good: str, bad: str) -> Path:
    """Return a copy of a drill under another name, with one fault in one file."""
    copy = shutil.copytree(DRILLS / drill, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in copy.glob("*.py"):
        path.write_text(path.read_text().replace(drill, name))
    path, good, bad = copy / file, good.replace(drill, name), bad.replace(drill, name)
    text = path.read_text()
    assert good in text, f"{drill}/{file} no longer contains {good!r}"
    path.write_text(text.replace(good, bad))
    return copy


BREACHES = """
import json, sys
from importlib import import_module
from tavola.contract.promises import matches_end, run_check, try_positions
from tavola.contract.samples import Breach

for name in sys.argv[2:]:
    game = import_module(name).GAME
    try:
        run_check(matches_end, game)
        try_positions(game, int(sys.argv[1]), 1)
    except Breach as breach:
        print(json.dumps([name, f"{breach.check}: {breach.message}"]))
"""


def breaches_of(names: Sequence[str], folder: Path, worlds: int) -> dict[str, str]:
    """Return the breach that the contract finds in each broken copy in `folder`, uncompiled."""
    wanted = {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "NUMBA_DISABLE_JIT": "1"}
    return dict(map(json.loads, run_python(BREACHES, str(worlds), *names, **wanted).splitlines()))
