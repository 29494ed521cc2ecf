"""`tavola serve --workers 2` as operators run it: real processes on a real PostgreSQL, replaced, killed and stopped.

Programs and an open page reconnect by themselves, and what was sent or clicked meanwhile counts once.
"""

import asyncio
import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, expect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection

from tavola.cli import main
from tavola.store import open_store
from tavola.web.serve.supervisor import READY, Supervisor, own_command
from tests.helpers import PATIENCE, ROOT, environment, wait_for
from tests.helpers.browser import NEXT_PROMPT, BrowserGuest
from tests.helpers.site import Guest, open_socket
from tests.web.test_metrics import figures

pytestmark = pytest.mark.process
ONE_GAME = (sys.executable, "-m", "tests.helpers.one_game")
WATCHED = """
window.lines = [];
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("open", () => lines.push("open"));
    this.addEventListener("close", (event) => lines.push(event.code));
  }
};
"""
"""Records that WebSockets open, and how they close."""


class Served:
    def __init__(self, database: str, command=ONE_GAME, **more: str):
        options = ["serve", "--port", "0", "--database", database, "--workers", "2", "--no-scenes"]
        pipe, given = subprocess.PIPE, environment(**more)
        self.process = subprocess.Popen([*command, *options], stdout=pipe, text=True, env=given)
        self.url = re.search(r"http://\S+", self.process.stdout.readline())[0].rstrip("/")

    @property
    def workers(self):
        pid = self.process.pid
        return {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}

    def holder(self, port):
        rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        ends = int(self.url.rpartition(":")[2]), port
        (inode,) = (row[9] for row in rows if ports_of(row) == ends and row[9] != "0")
        (holder,) = (pid for pid in self.workers if f"socket:[{inode}]" in sockets_of(pid))
        return holder

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)
        self.process.stdout.close()


def ports_of(row):
    """Return the ports of this end and of the other end of a connection, from a row of `/proc/net/tcp`."""
    return tuple(int(address.rpartition(":")[2], 16) for address in row[1:3])


def sockets_of(pid):
    return {os.readlink(entry) for entry in Path(f"/proc/{pid}/fd").iterdir() if entry.is_symlink()}


class Seat(threading.Thread):
    """A player's program, which repeats an unanswered command over as many WebSockets as it takes."""

    def __init__(self, table: "Table", guest: Guest):
        super().__init__(daemon=True)
        self.table, self.guest, self.dice = table, guest, random.Random(4)
        self.acknowledged, self.refused, self.closed = [], [], Counter()
        self.sent, self.port, self.state, self.waiting = 0, None, {}, {}

    def run(self):
        while not self.table.over:
            try:
                with open_socket(self.dice.choice(self.table.urls), self.guest, self.table.code, "json") as line:
                    self.port = line.socket.getsockname()[1]
                    if self.waiting:
                        line.send(json.dumps(self.waiting))
                    self._play(line)
            except ConnectionClosed as end:
                self.closed[end.rcvd.code if end.rcvd else None] += 1
            except (OSError, InvalidHandshake):  # the worker is shutting down
                self.closed["refused"] += 1
            time.sleep(self.dice.uniform(0.1, 0.3))

    def _play(self, line: ClientConnection):
        while not self.table.over:
            with contextlib.suppress(TimeoutError):
                self._take(json.loads(line.recv(timeout=0.2)))
            if not self.waiting and self.state.get("legal") and self.table.sent() < self.table.allowed:
                time.sleep(0.5)  # people take their time
                self.sent += 1
                self.waiting = {"type": "play", "command_id": f"c{self.sent}", "prompt_id": self.state["prompt_id"]}
                self.waiting["code"] = self.dice.choice(self.state["legal"])
                self.state = {}
                line.send(json.dumps(self.waiting))

    def _take(self, message):
        if message["type"] == "acknowledged" and message["command_id"] == self.waiting.get("command_id"):
            self.acknowledged.append(message["command_id"])
            self.waiting = {}
        elif message["type"] == "refused":
            self.refused.append(message)
            self.waiting = {}
        elif message["type"] == "state":
            self.state = message


class Table:
    """Three programs at a table while this context is open, at any of the addresses of a site.

    They make as many moves as they are `allowed`: a match has at least 107, and it must not end before the test does,
    however slow the machine is.
    """

    def __init__(self, *urls: str, names=("Ada", "Bea", "Carla")):
        self.urls, self.over, self.allowed = urls, False, 0
        self.seats = [Seat(self, Guest(urls[0], "en", {})) for _ in range(3)]
        host, *others = (seat.guest for seat in self.seats)
        self.code = host.create(name=names[0], **{"option-players": "3"})
        for guest, name in zip(others, names[1:], strict=True):
            guest.sit(self.code, name)
        assert host.post(f"/r/{self.code}/start").status_code == 200

    def __enter__(self):
        for seat in self.seats:
            seat.start()
        return self

    def __exit__(self, *failure):
        self.over = True
        for seat in self.seats:
            seat.join(PATIENCE)
            seat.guest.close()

    def sent(self):
        return sum(seat.sent for seat in self.seats)

    def move(self):
        """Wait until three more moves are made; what the seats were allowed before counts too.

        In a ballot, several seats at once may take the last move that they were allowed.
        """
        before = self.acknowledged()
        self.allowed = max(self.allowed, self.sent()) + 3
        wait_for(lambda: self.acknowledged() >= before + 3)

    def acknowledged(self):
        return sum(len(seat.acknowledged) for seat in self.seats)


def test_workers_are_replaced_and_killed_while_people_play(served: str, chromium: Browser):
    with contextlib.closing(Served(served)) as site:
        ada = BrowserGuest(chromium, site.url)
        ada.context.add_init_script(WATCHED)
        wait_for(lambda: len(site.workers) == 2)
        hers = ada.open_room(bots="2")
        ada.begin()
        play(ada)
        with Table(site.url) as table:
            table.move()
            wait_for(lambda: all(seat.port for seat in table.seats))
            assert len({site.holder(seat.port) for seat in table.seats}) == 1, "a table is with one worker"
            _replace(site, table, ada)
            _kill_one(site, table)
            _compare_figures(site, table)
            site.process.terminate()
            assert site.process.wait(PATIENCE) == 0
    assert not [message for seat in table.seats for message in seat.refused], "nobody noticed but that a line broke"
    with contextlib.closing(open_store(served)) as store:
        assert {command for seat in table.seats for command in seat.acknowledged} <= set(done_once(store, table.code))
        assert len(done_once(store, hers)) >= 3, "all that was clicked was done"


def _replace(site: Served, table: Table, ada: BrowserGuest):
    """Replace one worker after the other: programs and the page reconnect by themselves."""
    before = site.workers
    table.allowed += 40
    site.process.send_signal(signal.SIGHUP)
    ada.page.wait_for_function("() => lines.length > 1")
    play(ada)
    wait_for(lambda: len(site.workers) == 2 and not site.workers & before)
    wait_for(lambda: all(seat.closed[1012] for seat in table.seats))  # all were asked to reconnect
    table.move()
    expect(ada.page.locator("#banner")).not_to_contain_text("lost")
    play(ada)
    assert ada.page.evaluate("lines") == ["open", 1012, "open"], "once, and because the worker said so"
    ada.close()


def _kill_one(site: Served, table: Table):
    victim = min(site.workers)
    table.allowed += 20
    os.kill(victim, signal.SIGKILL)
    wait_for(lambda: len(site.workers) == 2 and victim not in site.workers)
    table.move()


def _compare_figures(site: Served, table: Table):
    """Any worker answers for all, also for those that have ended, but their sockets are closed."""
    answered = table.acknowledged()
    assert figures(site.url)["tavola_answer_seconds_count"] >= answered
    wait_for(lambda: figures(site.url)["tavola_sockets"] == len(table.seats))


def play(visitor: BrowserGuest):
    asked = visitor.wait_for_choices()
    visitor.press(asked["codes"][0])
    visitor.page.wait_for_function(NEXT_PROMPT, arg=asked["prompt"])


def done_once(store, code):
    """Return the commands in a room's log, after checking that each is there once and without a gap."""
    events = store.events(code)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    commands = [event.command_id for event in events if event.command_id]
    assert len(commands) == len(set(commands))
    return [command.partition("/")[2] for command in commands]


@pytest.mark.soak
def test_a_worker_takes_as_much_memory_as_the_guide_says(served: str):
    """Shared pages count once. A tenth more is left to other versions of Python and its libraries."""
    stated = int(re.search(r"Each worker takes about (\d+)\sMB", (ROOT / "docs" / "workers.md").read_text())[1])
    with contextlib.closing(Served(served, [sys.executable, "-m", "tavola"])) as site:
        wait_for(lambda: len(site.workers) == 2)
        wait_for(lambda: all(len(family(worker)) == 4 for worker in site.workers))
        before = {}
        wait_for(lambda: is_at_rest(site.process.pid, before))
        taken = [sum(map(own_megabytes, family(worker))) for worker in site.workers]
    assert max(taken) < 1.1 * stated


def family(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    children = " ".join(task.joinpath("children").read_text() for task in Path(f"/proc/{pid}/task").iterdir())
    return [pid, *(each for child in children.split() for each in family(int(child)))]


def is_at_rest(pid: int, before: dict[int, str]) -> bool:
    """Return whether a process and its descendants have used no processor time since the last call."""
    used = {each: " ".join(Path(f"/proc/{each}/stat").read_text().split()[13:15]) for each in family(pid)}
    rests = used == before
    before.clear()
    before.update(used)
    return rests


def own_megabytes(pid: int) -> float:
    found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    return int(found[1]) / 1024


def test_a_file_serves_one_worker(tmp_path: Path):
    options = ["--port", "0", "--workers", "2", "--database", str(tmp_path / "tavola.sqlite")]
    ended = CliRunner().invoke(main, ["serve", *options])
    assert ended.exit_code
    assert "postgresql://" in str(ended.output) + str(ended.exception)


async def test_a_switched_link_leads_to_the_new_version_when_workers_are_replaced(tmp_path: Path, monkeypatch):
    """Workers write the name of their version into a log, and are ready at once."""
    log, link = tmp_path / "log", tmp_path / "tavola"
    for version in ("tavola-1", "tavola-2"):
        program = tmp_path / version / "bin" / "tavola"
        program.parent.mkdir(parents=True)
        program.write_text(f"#!/bin/sh\necho {version} >> {log}\necho {READY}\nexec cat\n")
        program.chmod(0o755)
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
