"""A copy of the source tree, for tests that change it."""

import shutil
from pathlib import Path

import pytest

from tests.helpers import ROOT


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package and its settings, without build output."""
    copy = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "tavola", copy / "tavola", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy
