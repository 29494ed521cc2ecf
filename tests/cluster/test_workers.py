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
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, expect
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tavola.cli import main
from tavola.store import open_store
from tests.browser.test_pages import NEXT_PROMPT
from tests.helpers import PATIENCE, ROOT, environment, wait_for
from tests.helpers.browser import BrowserGuest
from tests.web.test_metrics import figures

pytestmark = pytest.mark.process
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
    def __init__(self, database: str, workers=2, module="tests.helpers.one_game"):
        command = [sys.executable, "-m", module, "serve", "--port", "0", "--database", database]
        options = "--workers", str(workers), "--no-scenes"
        self.process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True, env=environment())
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

    def signal(self, number):
        os.kill(self.process.pid, number)

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


class Seat:
    """A player's program, which repeats unanswered commands over as many WebSockets as it takes."""

    def __init__(self, url: str, code: str, cookie, dice):
        self.address = f"{url.replace('http', 'ws', 1)}/r/{code}/socket?form=json"
        self.cookie, self.dice = cookie, dice
        self.acknowledged, self.refused, self.closed = [], [], Counter()
        self.waiting: dict[str, Any] | None = None
        self.sent = 0
        self.line: ClientConnection | None = None
        self.state, self.port = {}, None

    async def hear_for_ever(self):
        cookie = {"Cookie": self.cookie}
        while True:
            try:
                async with connect(self.address, additional_headers=cookie, open_timeout=PATIENCE) as line:
                    self.line, self.port = line, line.local_address[1]
                    if self.waiting:
                        await line.send(json.dumps(self.waiting))
                    async for text in line:
                        self._take(json.loads(text))
            except ConnectionClosed as end:
                self.closed[end.rcvd.code if end.rcvd else None] += 1
            except (OSError, InvalidHandshake):  # the worker is shutting down
                self.closed["refused"] += 1
            await asyncio.sleep(self.dice.uniform(0.1, 0.3))

    def _take(self, message):
        if message["type"] == "acknowledged" and self.waiting and message["command_id"] == self.waiting["command_id"]:
            self.acknowledged.append(message["command_id"])
            self.waiting = None
        elif message["type"] == "refused":
            self.refused.append(message)
            self.waiting = None
        elif message["type"] == "state":
            self.state = message

    async def decide(self):
        state = self.state
        if self.line and state.get("prompt_id") is not None and not self.waiting and state["legal"]:
            self.sent += 1
            self.waiting = {"type": "play", "command_id": f"c{self.sent}", "prompt_id": state["prompt_id"]}
            self.waiting["code"] = self.dice.choice(state["legal"])
            self.state = {}
            with contextlib.suppress(ConnectionClosed):  # the next connection repeats it
                await self.line.send(json.dumps(self.waiting))


async def seated(url: str, dice):
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as web:
        cookies, code = [], ""
        for name in ("Ada", "Bea", "Carla"):
            web.cookies.clear()
            if not code:
                form = {"game": "lifeboats", "option-players": "3", "patience": "0", "name": name}
                answer = await web.post("/rooms", data=form)
                code = answer.headers["location"].rpartition("/")[2]
            else:
                answer = await web.post(f"/r/{code}/join", data={"name": name})
            cookies.append(next(f"{key}={value}" for key, value in answer.cookies.items() if key.startswith("tavola")))
        web.cookies.clear()
        answer = await web.post(f"/r/{code}/start", headers={"Cookie": cookies[0]})
        assert answer.status_code == 303, answer.text
    return code, [Seat(url, code, cookie, dice) for cookie in cookies]


class Table:
    """Three programs at a table, on their own event loop, while this context is open.

    They make as many moves as they are `allowed`: a match has at least 107, and it must not end before the test does,
    however slow the machine is.
    """

    def __init__(self, url: str, dice):
        self.thread, self.over, self.allowed = ThreadPoolExecutor(1), threading.Event(), 0
        self.code, self.seats = self.thread.submit(asyncio.run, seated(url, dice)).result()

    def __enter__(self):
        self.playing = self.thread.submit(asyncio.run, self._play())
        return self

    def __exit__(self, *failure):
        self.over.set()
        self.playing.result()
        self.thread.shutdown()

    async def _play(self):
        playing = [asyncio.create_task(seat.hear_for_ever()) for seat in self.seats]
        playing.append(asyncio.create_task(self._decide_for_ever()))
        await asyncio.to_thread(self.over.wait)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)

    async def _decide_for_ever(self):
        while True:
            for seat in self.seats:
                if sum(seat.sent for seat in self.seats) < self.allowed:
                    await seat.decide()
                await asyncio.sleep(0.2)  # people take their time

    def move(self):
        """Wait until three more moves are made; what the seats were allowed before counts too."""
        before = self._done()
        self.allowed += 3
        wait_for(lambda: self._done() >= before + 3)

    def _done(self):
        return sum(len(seat.acknowledged) for seat in self.seats)


def test_workers_are_replaced_and_killed_while_people_play(served: str, chromium: Browser):
    site = Served(served)
    ada = BrowserGuest(chromium, site.url)
    ada.context.add_init_script(WATCHED)
    try:
        wait_for(lambda: len(site.workers) == 2)
        hers = ada.open_room(bots="2")
        ada.begin()
        play(ada)
        with Table(site.url, random.Random(4)) as table:
            table.move()
            wait_for(lambda: all(seat.port for seat in table.seats))
            assert len({site.holder(seat.port) for seat in table.seats}) == 1, "a table is with one worker"
            _replace(site, table, ada)
            _kill_one(site, table)
            _compare_figures(site, table)
            site.signal(signal.SIGTERM)
            assert site.process.wait(PATIENCE) == 0
    finally:
        site.close()
    assert not [message for seat in table.seats for message in seat.refused], "nobody noticed but that a line broke"
    with contextlib.closing(open_store(served)) as store:
        assert {command for seat in table.seats for command in seat.acknowledged} <= set(done_once(store, table.code))
        assert len(done_once(store, hers)) >= 3, "all that was clicked was done"


def _replace(site: Served, table: Table, ada: BrowserGuest):
    """Replace one worker after the other: programs and the page reconnect by themselves."""
    before = site.workers
    table.allowed += 40
    site.signal(signal.SIGHUP)
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
    answered = sum(len(seat.acknowledged) for seat in table.seats)
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
    stated = int(re.search(r"Each worker takes about (\d+) MB", (ROOT / "docs" / "workers.md").read_text())[1])
    site = Served(served, module="tavola")
    try:
        wait_for(lambda: len(site.workers) == 2)
        wait_for(lambda: all(len(family(worker)) == 4 for worker in site.workers))
        before = {}
        wait_for(lambda: is_at_rest(site.process.pid, before))
        taken = [sum(map(own_megabytes, family(worker))) for worker in site.workers]
    finally:
        site.close()
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
    ended = CliRunner().invoke(main, ["serve", "--workers", "2", "--database", str(tmp_path / "tavola.sqlite")])
    assert ended.exit_code
    assert "postgresql://" in str(ended.output) + str(ended.exception)
