"""Programs that play: a process of its own, asked by a line on its standard input, answering by one on its output.

What it writes to its error stream is seen where this process's is. A program that is late, ends or writes no line is
ended with all that it started; nobody waits for it longer than it was given.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence

from tavola.bots.outside.lines import without_mark
from tavola.core import Refusal

LONGEST_LINE = 65_536
"""Bytes of an answer."""
OUT_OF_TIME = "the time for a decision ran out"


class NoProgram(Refusal):
    """A program that cannot be started."""

    reason = "died"


class ProgramFault(Refusal):
    """A program that was late, ended, or wrote what is no answer."""

    reason = "unreadable"


class ProgramLate(ProgramFault):
    """A program whose time ran out."""

    reason = "late"


class ProgramDied(ProgramFault):
    """A program that has ended."""

    reason = "died"


class Program:
    """One running program."""

    def __init__(self, command: Sequence[str], folder: str) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - whoever names a bot on his own machine runs it there
                list(command),
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise NoProgram(f"{command[0][:200]}: expected a program that can be started, {why.lower()}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        for end in (self._input, self._output):
            os.set_blocking(end, False)
        self._read = b""
        self._stop_heard, self._stop_told = os.pipe()
        self._stop_ends = [self._stop_heard, self._stop_told]

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Write a line and return the next one that the program writes, within so many seconds."""
        deadline = time.monotonic() + seconds
        self.tell(line, seconds)
        return self.next_line(deadline - time.monotonic())

    def tell(self, line: bytes, seconds: float) -> None:
        """Write a line that wants no answer."""
        deadline, left = time.monotonic() + seconds, line + b"\n"
        while left:
            self._await(self._input, selectors.EVENT_WRITE, deadline)
            try:
                left = left[os.write(self._input, left) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise ProgramDied(f"the program has ended{self._status()}") from error

    def next_line(self, seconds: float) -> bytes:
        """Return the next line that the program writes and that is not blank, without its end and without a mark.

        One that is there already is late, too, when no time is left.
        """
        deadline = time.monotonic() + seconds
        if seconds <= 0:
            raise ProgramLate(OUT_OF_TIME)
        while not (line := without_mark(self._next_line(deadline))):
            if time.monotonic() > deadline:
                raise ProgramLate(OUT_OF_TIME)
        return line

    def _next_line(self, deadline: float) -> bytes:
        while b"\n" not in self._read:
            self._await(self._output, selectors.EVENT_READ, deadline)
            part = os.read(self._output, LONGEST_LINE)
            if not part:
                raise ProgramDied(f"the program has ended{self._status()}")
            self._read += part
            if len(self._read) > LONGEST_LINE and b"\n" not in self._read:
                raise ProgramFault(f"a line of more than {LONGEST_LINE} bytes: expected a short answer")
        line, _, self._read = self._read.partition(b"\n")
        return line

    def stop(self) -> None:
        """Wait for it no longer, in whichever thread: what it is asked for is a `ProgramFault` from now on."""
        with contextlib.suppress(OSError):
            os.write(self._stop_told, b".")

    def close(self) -> None:
        """End the program and all that it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for end in (self._process.stdin, self._process.stdout):
            if end is not None:
                with contextlib.suppress(OSError):
                    end.close()
        while self._stop_ends:
            os.close(self._stop_ends.pop())

    def _await(self, end: int, event: int, deadline: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(end, event)
            selector.register(self._stop_heard, selectors.EVENT_READ)
            ready = selector.select(max(0.0, deadline - time.monotonic()))
        if not ready:
            raise ProgramLate(OUT_OF_TIME)
        if any(key.fd == self._stop_heard for key, _ in ready):
            raise ProgramFault("the server is stopping")

    def _status(self) -> str:
        """Return how it ended, once the system knows: it may have closed its output only."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return f" with status {self._process.wait(0.2)}"
        return ""
