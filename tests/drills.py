"""Drills beside the shelf: how tests put them on it, and how they break them."""

import shutil
from pathlib import Path

from tavola.core import shelf

FOLDER = Path(__file__).parent


def put_on_the_shelf(monkeypatch, *names):
    """Let `load` find these drills as if they were installed."""
    found = dict(shelf._modules())
    shelf.load.cache_clear()
    monkeypatch.setattr(shelf, "_modules", lambda: found | {name: name for name in names})


def broken_copy(drill, name, folder, file, good, bad):
    """A copy of a drill as a game of another name, with one line of one file put wrong."""
    copy = shutil.copytree(FOLDER / drill, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in copy.glob("*.py"):
        path.write_text(path.read_text().replace(drill, name))
    path, good, bad = copy / file, good.replace(drill, name), bad.replace(drill, name)
    text = path.read_text()
    assert good in text, f"{good!r} is not in {drill}/{file} any more"
    path.write_text(text.replace(good, bad))
    return copy
