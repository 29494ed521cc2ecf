"""Shared helpers for tests: rooms, sites, browsers, PostgreSQL servers and drills."""

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from socketserver import BaseServer
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DRILLS = ROOT / "tests" / "drills"
"""Games that exist only for tests; each folder is a top-level package, as if installed."""
PATIENCE = 600.0
"""Maximum seconds that a test waits for something that must happen. No test has another limit."""


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a process that imports this checkout, its tests and the drills."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(DRILLS))), **more}


def run_python(code: str, *arguments: str, **more: str) -> str:
    """Return what `code` prints in a process of its own, which must succeed."""
    wants: dict[str, Any] = {"cwd": ROOT, "env": environment(**more), "timeout": PATIENCE, "text": True}
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, check=False, **wants)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text wherever a file has it."""
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path} no longer contains {old!r}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def free_port(address: str = "127.0.0.1") -> int:
    with socket.create_server((address, 0)) as free:
        port: int = free.getsockname()[1]
    return port


@contextlib.contextmanager
def serving(server: BaseServer) -> Iterator[None]:
    """Let a server answer in its own thread; close it at the end of the block."""
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    with server:
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join(PATIENCE)


def wait_for(condition: Callable[[], object], failure: Callable[[], object] | None = None) -> None:
    """Wait until `condition` is true, checked every 20 ms; on timeout, fail with the text of `failure`."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, failure() if failure else "timed out"
        time.sleep(0.02)
