"""`tavola serve --workers 2` as a host runs it: real processes on a real PostgreSQL, replaced, killed and stopped."""

import asyncio
import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tavola.cli import main
from tavola.store import open_store
from tests.helpers import environment
from tests.helpers.rooms import run_in_loop

pytestmark = pytest.mark.process


class Served:
    """A running site of several workers."""

    def __init__(self, database: str, workers=2):
        command = [sys.executable, "-m", "tavola", "serve", "--port", "0", "--workers", str(workers), "--no-scenes"]
        self.process = subprocess.Popen(
            [*command, "--database", database], stdout=subprocess.PIPE, text=True, env=environment()
        )
        self.url = re.search(r"http://\S+", self.process.stdout.readline())[0].rstrip("/")

    @property
    def workers(self):
        """The processes that serve, by number."""
        listed = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True, check=False)
        return {int(pid) for pid in listed.stdout.split()}

    def holder(self, port):
        """The worker that has the line of who comes from this port."""
        rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        (inode,) = (row[9] for row in rows if int(row[2].rpartition(":")[2], 16) == port and row[9] != "0")
        (holder,) = (pid for pid in self.workers if f"socket:[{inode}]" in sockets_of(pid))
        return holder

    def signal(self, number):
        os.kill(self.process.pid, number)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)
        self.process.stdout.close()


def sockets_of(pid):
    """What a process has open, as the system names it."""
    return {os.readlink(entry) for entry in Path(f"/proc/{pid}/fd").iterdir() if entry.is_symlink()}


class Seat:
    """Somebody with a program: what was not answered he sends again, over as many lines as it takes."""

    def __init__(self, url: str, code: str, cookie, dice):
        self.address = f"{url.replace('http', 'ws', 1)}/r/{code}/socket?form=json"
        self.cookie, self.dice = cookie, dice
        self.acknowledged, self.refused, self.closed = [], [], Counter()
        self.waiting: dict[str, Any] | None = None
        self.sent = 0
        self.state, self.port = {}, None

    async def play_for_ever(self):
        while True:
            try:
                async with connect(self.address, additional_headers={"Cookie": self.cookie}) as line:
                    self.port = line.local_address[1]
                    if self.waiting:
                        await line.send(json.dumps(self.waiting))
                    async for text in line:
                        await self._take(json.loads(text), line)
            except ConnectionClosed as end:
                self.closed[end.rcvd.code if end.rcvd else None] += 1
            except (OSError, InvalidHandshake):  # it came to a worker that is just going
                self.closed["refused"] += 1
            await asyncio.sleep(self.dice.uniform(0.1, 0.3))

    async def _take(self, message, line):
        if message["type"] == "acknowledged" and self.waiting and message["command_id"] == self.waiting["command_id"]:
            self.acknowledged.append(message["command_id"])
            self.waiting = None
        elif message["type"] == "refused":
            self.refused.append(message)
            self.waiting = None
        elif message["type"] == "state":
            self.state = message
        state = self.state
        if state.get("prompt_id") is not None and not self.waiting and state["legal"]:
            self.sent += 1
            self.waiting = {"type": "play", "command_id": f"c{self.sent}", "prompt_id": state["prompt_id"]}
            self.waiting["code"] = self.dice.choice(state["legal"])
            self.state = {}
            await asyncio.sleep(0.6)  # people take their time
            await line.send(json.dumps(self.waiting))


async def seated(url: str, dice):
    """A match of three people has begun."""
    async with httpx.AsyncClient(base_url=url, timeout=30) as web:
        cookies, code = [], ""
        for name in ("Ada", "Bruno", "Carla"):
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


async def until(condition, seconds=90.0):
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - conditions are anything a test can see
            await asyncio.sleep(0.05)


@run_in_loop
async def test_workers_are_replaced_and_killed_while_people_play(served: str):
    dice, site = random.Random(4), await asyncio.to_thread(Served, served)
    try:
        await until(lambda: len(site.workers) == 2)
        code, seats = await seated(site.url, dice)
        playing = [asyncio.create_task(seat.play_for_ever()) for seat in seats]

        async def moved(more=3):
            before = sum(len(seat.acknowledged) for seat in seats)
            await until(lambda: sum(len(seat.acknowledged) for seat in seats) >= before + more)

        await moved()
        assert len({site.holder(seat.port) for seat in seats}) == 1, "a table is with one worker"
        before = site.workers
        site.signal(signal.SIGHUP)
        await until(lambda: len(site.workers) == 2 and not site.workers & before)
        assert all(seat.closed[1012] for seat in seats), "everybody was told to come back"
        await moved()
        victim = min(site.workers)
        os.kill(victim, signal.SIGKILL)
        await until(lambda: len(site.workers) == 2 and victim not in site.workers)
        await moved()
        began = time.monotonic()
        site.signal(signal.SIGTERM)
        assert await asyncio.to_thread(site.process.wait, 30) == 0
        assert time.monotonic() - began < 15
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    finally:
        await asyncio.to_thread(site.close)
    assert not [message for seat in seats for message in seat.refused], "nobody noticed anything but a line that broke"
    with contextlib.closing(open_store(served)) as store:
        events = store.events(code)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    done = Counter(event.command_id.partition("/") for event in events if event.command_id)
    assert set(done.values()) == {1}
    played = [command for *_, command in done]
    assert all(command in played for seat in seats for command in seat.acknowledged)


def test_a_file_serves_one_worker(tmp_path: Path):
    ended = CliRunner().invoke(main, ["serve", "--workers", "2", "--database", str(tmp_path / "tavola.sqlite")])
    assert ended.exit_code
    assert "postgresql://" in str(ended.output) + str(ended.exception)
