"""Workers are started from the version that is installed by then."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from tavola.web.serve.supervisor import READY, Supervisor, own_command

pytestmark = pytest.mark.process


def install(home: Path, log: Path):
    """Make a version whose workers write its name into a log, and are ready at once."""
    program = home / "bin" / "tavola"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho {home.name} >> {log}\necho {READY}\nexec cat\n")
    program.chmod(0o755)


async def test_a_switched_link_leads_to_the_new_version_when_workers_are_replaced(tmp_path: Path, monkeypatch):
    log, link = tmp_path / "log", tmp_path / "tavola"
    for version in ("tavola-1", "tavola-2"):
        install(tmp_path / version, log)
    link.symlink_to("tavola-1")
    monkeypatch.setattr(sys, "argv", [str(link / "bin" / "tavola"), "serve"])
    with (tmp_path / "listening").open("w") as listening:
        crew, ready = Supervisor(1, own_command(["serve"]), listening.fileno(), tmp_path), asyncio.Event()
        serving = asyncio.create_task(crew.serve(ready.set))
        await ready.wait()
        (tmp_path / "next").symlink_to("tavola-2")
        (tmp_path / "next").replace(link)
        await crew.replace()
        os.kill(os.getpid(), signal.SIGTERM)
        assert await serving
    assert log.read_text().split() == ["tavola-1", "tavola-2"]


def test_a_program_that_was_not_started_by_its_script_starts_its_module(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "argv", ["/lib/tavola/__main__.py", "serve"])
    assert own_command(["serve"]) == [sys.executable, "-m", "tavola", "serve"]
