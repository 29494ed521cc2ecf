"""Programs as players: a process that reads lines on its standard input and writes lines on its output.

Its error stream is that of this process. A program that is late, ends or writes no line is killed with all its
children; callers wait for at most the given time.

Lines may have a byte order mark, be blank, or have 3.0 for 3: Windows starts streams with a mark, editors leave blank
lines, and to JSON Schema 3.0 is an integer. Types are strict in other respects: "3" is not a number.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import msgspec

from tavola.core import Refusal

T = TypeVar("T")
MARK = b"\xef\xbb\xbf"
"""The byte order mark in UTF-8."""
LONGEST_LINE = 65_536
"""Maximum bytes of an answer."""
OUT_OF_TIME = "the time for a decision ran out"


class NoProgram(Refusal):
    """A program that cannot be started."""

    reason = "died"


class ProgramFault(Refusal):
    """A program that was late, ended, or wrote an invalid answer."""

    reason = "unreadable"


class ProgramLate(ProgramFault):
    """A program that exceeded its time."""

    reason = "late"


class ProgramDied(ProgramFault):
    """A program that has ended."""

    reason = "died"


class Program:
    """A running program."""

    def __init__(self, command: Sequence[str], folder: str) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - users name bots on their own machine
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
        """Write a line and return the program's next one, within `seconds`."""
        deadline = time.monotonic() + seconds
        self.tell(line, seconds)
        return self.next_line(deadline - time.monotonic())

    def tell(self, line: bytes, seconds: float) -> None:
        """Write a line without waiting for an answer."""
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
        """Return the program's next line that is not blank, without line end and byte order mark.

        Without time left, even a line that was already written is late.
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
            if not (part := os.read(self._output, LONGEST_LINE)):
                raise ProgramDied(f"the program has ended{self._status()}")
            self._read += part
            if len(self._read) > LONGEST_LINE and b"\n" not in self._read:
                raise ProgramFault(f"a line of more than {LONGEST_LINE} bytes: expected a shorter answer")
        line, _, self._read = self._read.partition(b"\n")
        return line

    def stop(self) -> None:
        """End all waiting for it, in any thread: pending and later calls raise `ProgramFault`."""
        with contextlib.suppress(OSError):
            os.write(self._stop_told, b".")

    def close(self) -> None:
        """Kill the program and its children."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for end in filter(None, (self._process.stdin, self._process.stdout)):
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
        """Return the exit status, once known: the program may have closed only its output."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return f" with status {self._process.wait(0.2)}"
        return ""


def without_mark(line: bytes) -> bytes:
    """Return a line without a byte order mark and surrounding white space; empty for a blank line."""
    return line.strip().removeprefix(MARK).strip()


def whole_numbers(document: Any) -> Any:
    """Return a JSON document with integral floats, such as `3.0`, as integers."""
    if isinstance(document, dict):
        return {key: whole_numbers(value) for key, value in document.items()}
    if isinstance(document, list):
        return [whole_numbers(value) for value in document]
    return int(document) if isinstance(document, float) and document.is_integer() else document


class LineDecoder(Generic[T]):
    """A decoder of lines of one type."""

    def __init__(self, kind: Any) -> None:
        self._kind, self._decoder = kind, msgspec.json.Decoder(kind)

    def decode(self, line: bytes) -> T:
        """Return the decoded line; raise `msgspec.MsgspecError` or `UnicodeDecodeError` if it is invalid."""
        text = without_mark(line)
        try:
            return self._decoder.decode(text)  # type: ignore[no-any-return]
        except msgspec.ValidationError as error:
            if "got `float`" not in str(error):
                raise
        return msgspec.convert(whole_numbers(msgspec.json.decode(text)), self._kind)  # type: ignore[no-any-return]
