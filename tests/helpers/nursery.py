"""A process that loads everything once, then forks a server for each order; tests kill these servers."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable
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
    """A test module that runs as a nursery, and its present server; `hear` gets each of their reports."""

    def __init__(
        self, module: str, *arguments: str, hear: Callable[[dict[str, Any]], object] = lambda told: None
    ) -> None:
        self.hear, self.pid = hear, 0
        command = [sys.executable, "-m", module, *arguments]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, env=environment(), stdin=pipe, stdout=pipe, text=True)
        self.listen()
        self.until("warm")

    def listen(self) -> None:
        """Start a thread that reads all reports, in tests that need one."""

    def begin(self, **order: Any) -> None:
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        self.pid = self.until("server")

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def await_death(self) -> None:
        assert self.until("ended") == signal.SIGKILL, "the server was not killed"

    def close(self) -> None:
        self.process.stdin.close()
        self.process.stdout.close()
        assert self.process.wait(PATIENCE) == 0

    def until(self, kind: str) -> Any:
        """Return the value of the next report of a kind; fail if the server ends before it."""
        told = self.read(lambda told: kind in told or "ended" in told)
        assert kind in told, f"the server ended ({told['ended']}) before it came to {kind!r}"
        return told[kind]

    def read(self, enough: Callable[[Any], object]) -> dict[str, Any]:
        """Read reports until one is enough; return that one."""
        for line in self.process.stdout:
            with contextlib.suppress(json.JSONDecodeError):  # the last line of a killed server may be cut short
                told: dict[str, Any] = json.loads(line)
                self.hear(told)
                if enough(told):
                    return told
        raise AssertionError("the nursery exited")
