"""Failures: a process that loads everything once, then forks servers for tests to kill, and connections to cut."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from tests.helpers import PATIENCE, environment


def report(**told: Any) -> None:
    """Send a line to the test in a single write, so that it survives the death of the process."""
    os.write(1, (json.dumps(told) + "\n").encode())


def run_nursery(serve: Callable[[Any], object]) -> None:
    """Fork a process to serve each order from standard input; report its pid and the signal that ended it."""
    report(warm=True)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                report(server=os.getpid())
                serve(json.loads(line))
            except BaseException:
                traceback.print_exc()  # a killed server prints nothing
            finally:
                os._exit(9)
        report(ended=-os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


class Nursery:
    """A test module that runs as a nursery, and its present server; a thread calls `hear` with each report."""

    def __init__(
        self, module: str, *arguments: str, hear: Callable[[dict[str, Any]], object] = lambda told: None
    ) -> None:
        self.hear, self.pid, self._told, self._changed = hear, 0, dict[str, Any](), threading.Condition()
        command = [sys.executable, "-m", module, *arguments]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, env=environment(), stdin=pipe, stdout=pipe, text=True)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        self.until("warm")

    def begin(self, **order: Any) -> None:
        """Start a server; the last one has ended."""
        self._told.clear()
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        self.pid = self.until("server")

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def await_death(self) -> None:
        """Wait until the server has ended and all of its reports are heard."""
        assert self.until("ended") == signal.SIGKILL, "the server was not killed"

    def close(self) -> None:
        """Kill the present server, if there is one, and end the nursery."""
        if self.pid and "ended" not in self._told:
            self.kill()
        self.process.stdin.close()
        self._thread.join(PATIENCE)
        assert self.process.wait(PATIENCE) == 0
        self.process.stdout.close()

    def until(self, kind: str) -> Any:
        """Wait for a report of a kind since the start of the server; return its value."""
        self.wait(lambda: kind in self._told)
        return self._told[kind]

    def wait(self, condition: Callable[[], object]) -> None:
        """Wait until a report makes a condition true; fail if the server ends before."""
        with self._changed:
            assert self._changed.wait_for(lambda: condition() or "ended" in self._told, PATIENCE), "no report for long"
            assert condition(), f"the server ended ({self._told['ended']}) too early"

    def _listen(self) -> None:
        for line in self.process.stdout:
            with contextlib.suppress(json.JSONDecodeError):  # the last line of a killed server may be cut short
                told: dict[str, Any] = json.loads(line)
                self.hear(told)
                with self._changed:
                    self._told |= told
                    self._changed.notify_all()


class FaultyProxy:
    """Forwards `port` to a port or a socket's path of this machine, in its own thread.

    Ways can be held up, and connections cut.
    """

    def __init__(self, server: int | str | Path) -> None:
        self._server, self.port = server, 0
        self._loop, self._flows = asyncio.new_event_loop(), dict[tuple[int, str], asyncio.Event]()
        self._ends = dict[int, tuple[asyncio.StreamWriter, asyncio.StreamWriter]]()
        self._numbers, self._accepted, self.refuses = count(), set[asyncio.Task[None]](), False
        ready = threading.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(ready),), daemon=True)
        self._thread.start()
        assert ready.wait(PATIENCE)

    def hold(self, *, to_server: bool = True) -> None:
        """Stop forwarding to the client, and also to the server, on the present connections, without closing them."""
        for number in list(self._ends):
            for way in ("up", "down") if to_server else ("down",):
                self._loop.call_soon_threadsafe(self._flows[number, way].clear)

    def release(self) -> None:
        for flow in list(self._flows.values()):
            self._loop.call_soon_threadsafe(flow.set)

    def cut(self) -> None:
        self._loop.call_soon_threadsafe(lambda: [end.transport.abort() for ends in self._ends.values() for end in ends])

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE)
        self._loop.close()

    async def _serve(self, ready: threading.Event) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await self._stop.wait()
        server.close()
        for ends in self._ends.values():
            for end in ends:
                end.transport.abort()
        for meeting in self._accepted:
            meeting.cancel()
        await asyncio.gather(*self._accepted, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._accepted.add(self._loop.create_task(self._forward(reader, writer)))

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = next(self._numbers)
        try:
            if self.refuses:
                return
            there, back = await self._connect()
            self._ends[number] = writer, back
            for way in ("up", "down"):
                self._flows[number, way] = asyncio.Event()
                self._flows[number, way].set()
            await asyncio.gather(self._flow(number, "up", reader, back), self._flow(number, "down", there, writer))
        except OSError:
            pass
        finally:
            for end in self._ends.pop(number, (writer,)):
                end.transport.abort()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self._server, int):
            return await asyncio.open_connection("127.0.0.1", self._server)
        return await asyncio.open_unix_connection(self._server)

    async def _flow(self, number: int, way: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(65536):
                await self._flows[number, way].wait()
                writer.write(piece)
                await writer.drain()
        writer.transport.abort()
