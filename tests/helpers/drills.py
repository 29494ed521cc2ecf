"""Drills for tests to register, copy and break."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tavola.core import registry
from tests.helpers import DRILLS, PATIENCE, ROOT, environment


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


def breach_of(name: str, folder: Path, worlds: int) -> str:
    """Return the breach that the contract finds in a broken copy, in a separate process."""
    code = (
        f"from {name} import GAME; from tavola.contract.promises import *\n"
        f"try: run_check(matches_end, GAME); try_positions(GAME, {worlds}, 1)\n"
        "except Breach as breach: print(f'{breach.check}: {breach.message}')"
    )
    wants = environment(PYTHONPATH=f"{folder}{os.pathsep}{ROOT}", NUMBA_DISABLE_JIT="1")
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=wants, capture_output=True, text=True, timeout=PATIENCE, check=False)
    return done.stdout + done.stderr[-2000:]
