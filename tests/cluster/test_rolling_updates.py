"""Sites of earlier releases are updated on PostgreSQL while people play, and workers are killed on the way.

The old code is that of the release's commit, in a folder of its own.
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tavola.live.log.fold import fold
from tavola.store import open_store
from tavola.store.postgres.schema import MIGRATIONS
from tests.cluster.test_workers import Served, Table, done_once
from tests.helpers import PATIENCE, ROOT, free_port, releases, wait_for
from tests.helpers.releases import Release

pytestmark = [pytest.mark.process, pytest.mark.soak]
RELEASES = releases.listed("postgresql")
NAMES = ("Dora", "Emil", "Frida")
"""Those of the release's players are reserved."""
PLAIN = {"NUMBA_DISABLE_JIT": "1"}
"""Nothing is compiled."""
PROGRAM = """#!{python}
import sys
sys.path.insert(0, {tree!r})
from tavola.cli import main
from tavola.web.serve import offload, server

async def start_later(*given):
    pass

if __name__ == "__main__":
    server.warm_up = lambda *given: None
    offload.Offload.warm_up = start_later
    main()
"""
"""It tries nothing before it serves: without compiled code that takes a minute."""
MOST = 75
"""Moves after which no one moves until workers are replaced: a match has at least 107."""


def install(home: Path, tree: Path) -> Path:
    """Make the program of a version whose code is in a folder; return it."""
    program = home / "bin" / "tavola"
    program.parent.mkdir(parents=True)
    program.write_text(PROGRAM.format(python=sys.executable, tree=str(tree)))
    program.chmod(0o755)
    return program


@pytest.fixture
def old(release: Release, tmp_path: Path) -> Path:
    return install(tmp_path / "old", releases.unpack_code(release.commit, tmp_path / "code"))


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return install(tmp_path / "new", ROOT)


@pytest.fixture
def served(release: Release, served: str) -> str:
    release.install(served)
    return served


class Machine:
    """A machine with one process on the database of a site, always on the same port; it writes into `log`."""

    def __init__(self, database: str, log: Path):
        self.database, self.log, self.port = database, log, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: Any = None

    def start(self, program: Path):
        options = ["--port", str(self.port), "--database", self.database, "--no-scenes"]
        with self.log.open("ab") as errors:
            pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": errors, "text": True}
            self.process = subprocess.Popen([program, "serve", *options], env={**os.environ, **PLAIN}, **pipes)
        assert self.url in self.process.stdout.readline(), self.log.read_text()

    def stop(self, how: signal.Signals = signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def close(self):
        if self.process is not None and self.process.poll() is None:
            self.stop()


@pytest.fixture
def machines(served: str, tmp_path: Path):
    """Two machines of a site; nothing runs there yet."""
    made = [Machine(served, tmp_path / f"log-{number}") for number in range(2)]
    yield made
    for machine in made:
        machine.close()


def check(database: str, release: Release, table: Table):
    """Every acknowledged move is in the log once, and other matches are as the release left them."""
    assert not [message for seat in table.seats for message in seat.refused]
    with contextlib.closing(open_store(database)) as store:
        assert {command for seat in table.seats for command in seat.acknowledged} <= set(done_once(store, table.code))
        assert fold(store.events(table.code)).phase == "playing"
        for code, told in release.told["rooms"].items():
            assert len(store.events(code)) == told["events"]
    assert releases.version_of(database) == len(MIGRATIONS)


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_machines_are_updated_one_after_the_other_and_killed_while_people_play(
    release: Release, served: str, machines: list[Machine], old: Path, new: Path
):
    one, other = machines
    before, present = releases.version_of(served), len(MIGRATIONS)
    one.start(old)
    other.start(old)
    with Table(one.url, other.url, names=NAMES) as table:
        table.move()
        one.stop()
        one.start(new)
        table.move()
        table.allowed += 3
        other.stop(signal.SIGKILL)
        table.move()
        other.start(new)
        table.move()
        table.allowed += 3
        one.stop(signal.SIGKILL)
        table.move()
        one.start(new)
        table.move()
    for machine in machines:
        machine.stop()
    check(served, release, table)
    migrated = re.findall("migrated from version .*", "".join(each.log.read_text() for each in machines))
    assert migrated == [f"migrated from version {before} to {present}"] * (before < present), "once, or not at all"


@pytest.mark.parametrize("release", RELEASES[-1:], ids=str)
def test_a_switched_link_updates_the_workers_of_a_machine_while_people_play(
    release: Release, served: str, old: Path, new: Path, tmp_path: Path
):
    """An old worker is killed while another one is being replaced, and later a new one."""
    link = tmp_path / "tavola"
    link.symlink_to(old.parents[1])
    with contextlib.closing(Served(served, [str(link / "bin" / "tavola")], **PLAIN)) as site:
        wait_for(lambda: len(site.workers) == 2)
        with Table(site.url, names=NAMES) as table:
            table.move()
            (tmp_path / "next").symlink_to(new.parents[1])
            (tmp_path / "next").replace(link)
            before = site.workers
            site.process.send_signal(signal.SIGHUP)
            wait_for(lambda: site.workers - before)
            table.allowed += 3
            os.kill(min(before & site.workers), signal.SIGKILL)
            while len(site.workers) != 2 or site.workers & before:
                table.move() if table.sent() < MOST else time.sleep(0.1)
            table.allowed += 3
            os.kill(min(site.workers), signal.SIGKILL)
            table.move()
            site.process.terminate()
            assert site.process.wait(PATIENCE) == 0
    check(served, release, table)
