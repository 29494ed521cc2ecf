"""The common tools of the tests: rooms, sites, browsers, servers of PostgreSQL, and drills."""

import os
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The checkout."""
DRILLS = ROOT / "tests" / "drills"
"""Games that exist for tests alone, each a folder of its own as on anybody's path."""
PATIENCE = 600.0
"""Maximum seconds that a test waits for something that must happen. No test has another limit."""


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a process which imports this checkout, its tests and the drills."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(DRILLS))), **more}


def wait_for(condition: Callable[[], object], failure: Callable[[], object] | None = None) -> None:
    """Return when `condition` holds, asked every fiftieth of a second; `failure` says what holds instead."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, failure() if failure else "it has not happened"
        time.sleep(0.02)
