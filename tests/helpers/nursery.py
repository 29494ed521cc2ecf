"""A process that loads everything once and then forks a server for each order; tests kill these servers."""

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
    """Say one line to the test, in one piece: it outlives the process."""
    os.write(1, (json.dumps(told) + "\n").encode())


def run_nursery(serve: Callable[[Any], object]) -> None:
    """Serve every order of standard input by another process; say its number and the signal that ended it."""
    report(warm=True)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                serve(json.loads(line))
            except BaseException:
                traceback.print_exc()  # who is killed says nothing; who ends by himself says why
            finally:
                os._exit(9)
        report(server=child)
        report(ended=-os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


class Nursery:
    """A test module that runs as a nursery, and the server in it; `hear` is given everything that they say."""

    def __init__(
        self, module: str, *arguments: str, hear: Callable[[dict[str, Any]], object] = lambda told: None
    ) -> None:
        self.hear, self.pid = hear, 0
        command = [sys.executable, "-m", module, *arguments]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, env=environment(), **pipes)
        self.listen()
        self.until("warm")

    def listen(self) -> None:
        """Start a thread that reads all the while, for tests that need one."""

    def begin(self, **order: Any) -> None:
        """Start a server."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        self.pid = self.until("server")

    def kill(self) -> None:
        """End the server in the middle of everything."""
        os.kill(self.pid, signal.SIGKILL)

    def await_death(self) -> None:
        assert self.until("ended") == signal.SIGKILL, "the server ended by itself"

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        assert self.process.wait(PATIENCE) == 0

    def until(self, kind: str) -> Any:
        """Return what is said of a kind."""
        return self.read(lambda told: kind in told)[kind]

    def read(self, enough: Callable[[Any], object]) -> dict[str, Any]:
        """Hear what is said until it is enough; return the last of it."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with contextlib.suppress(json.JSONDecodeError):  # the last words of a killed one may be cut short
                told: dict[str, Any] = json.loads(line)
                self.hear(told)
                if enough(told):
                    return told
        raise AssertionError("the nursery ended")
