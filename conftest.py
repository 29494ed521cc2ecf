"""What every test run shares: everything is compiled once, before workers start; soaking only when asked for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Browsers and servers of the tests stay on this machine, whatever proxies it is told to use.
os.environ["NO_PROXY"] = os.environ["no_proxy"] = "localhost,127.0.0.1,::1"

TEMPLATE = (
    "from tavola.cli.warm import ALL, compile_game; from tavola.games._template import GAME; compile_game(GAME, ALL)"
)


def pytest_configure(config: pytest.Config) -> None:
    """Compile before xdist starts its workers, so that no two of them compile the same."""
    several = getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput")
    if several and not config.option.collectonly:
        for command in (("-m", "tavola", "warm"), ("-c", TEMPLATE)):
            subprocess.run([sys.executable, *command], cwd=Path(__file__).parent, check=True)  # noqa: S603


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave soaking out unless `-m soak` asks for it."""
    if "soak" not in config.option.markexpr:
        for item in items:
            if item.get_closest_marker("soak"):
                item.add_marker(pytest.mark.skip(reason="soaking: make soak"))
