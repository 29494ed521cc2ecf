"""The common tools of the tests: rooms, sites, browsers, servers of PostgreSQL, and drills."""

import os
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The checkout."""
DRILLS = ROOT / "tests" / "drills"
"""Games that exist for tests alone, each a folder of its own as on anybody's path."""


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a process which imports this checkout, its tests and the drills."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(DRILLS))), **more}


def wait_for(condition: Callable[[], object], seconds: float = 120.0) -> None:
    """Return when it holds, whatever it looks at; asked every fiftieth of a second."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it has not come to that"
        time.sleep(0.02)
