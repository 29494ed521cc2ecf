"""A process that loads everything once, then forks a server for each order; tests kill these servers."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
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
