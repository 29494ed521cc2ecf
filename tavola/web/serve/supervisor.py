"""Several workers behind one listening socket: started, watched over, replaced one by one, stopped together.

Nothing of the site runs in this process, so that workers started later have the code as it is by then. A worker says on
its standard output that it is ready, and ends when its standard input does: with us, however we end.
"""

import asyncio
import contextlib
import logging
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path

READY = "ready"
"""The word that a worker says when it serves."""
RESTART_DELAY = 1.0
"""Seconds before a worker that has ended by itself is followed by another."""
START_TIMEOUT = 600.0
"""Seconds in which a worker must be ready: it may have to wait for what is being compiled."""
STOP_TIMEOUT = 30.0
"""Seconds in which one that was told to stop must have ended."""
logger = logging.getLogger(__name__)


class Supervisor:
    """`count` workers, each started as `command`, which inherits the descriptor `listening`.

    Each has a number, and a place of that name in the folder `places`; who follows a worker has the same.
    """

    def __init__(self, count: int, command: Sequence[str], listening: int, places: Path) -> None:
        self.count, self._command, self._listening, self._socket_folder = count, command, listening, places
        self.workers: dict[int, Process] = {}
        self.started = True
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = asyncio.Event()
        self._replacing = asyncio.Lock()

    async def serve(self, ready: Callable[[], None]) -> bool:
        """Serve until told to stop; `ready` is called when the first worker is. SIGHUP replaces all, one by one.

        False when not even the first one came up: what it said stands on its error stream.
        """
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stopped.set)
        loop.add_signal_handler(signal.SIGHUP, lambda: self._spawn(self.replace()))
        self._spawn(self._start_all(ready))
        await self._stopped.wait()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*map(stop_worker, self.workers.values()))
        return self.started

    async def replace(self) -> None:
        """Start a new worker for each, one after the other; the old one stops when the new one is ready."""
        async with self._replacing:
            for number in list(self.workers):
                if await self._start(number) is None:
                    logger.error("a new worker did not come up: the others go on as they are")
                    return

    async def _start_all(self, ready: Callable[[], None]) -> None:
        self.started = await self._start(0) is not None
        if not self.started:
            self._stopped.set()
            return
        ready()
        async with self._replacing:
            await asyncio.gather(*map(self._start, range(1, self.count)))

    async def _start(self, number: int) -> Process | None:
        """A worker of that number that is ready, watched over; None where it did not come up.

        Who had the number before is told to stop.
        """
        place = str(self._socket_folder / str(number))
        command = [*self._command, "--listening", str(self._listening), "--place", place]
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, pass_fds=(self._listening,), start_new_session=True
        )
        assert process.stdout is not None
        try:
            async with asyncio.timeout(START_TIMEOUT):
                said = await process.stdout.readline()
        except BaseException:
            await stop_worker(process)
            raise
        if said.decode().strip() != READY:
            await stop_worker(process)
            return None
        before, self.workers[number] = self.workers.get(number), process
        self._spawn(self._replace_when_gone(number, process))
        if before is not None:
            await stop_worker(before)
        return process

    async def _replace_when_gone(self, number: int, process: Process) -> None:
        await process.wait()
        while self.workers.get(number) is process:
            logger.error("worker %s ended with %s: another one is started", process.pid, process.returncode)
            await asyncio.sleep(RESTART_DELAY)
            await self._start(number)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def stop_worker(process: Process) -> None:
    """Tell a worker to stop, and see it end."""
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), STOP_TIMEOUT)
    except TimeoutError:
        logger.error("worker %s did not stop within %s seconds", process.pid, STOP_TIMEOUT)
        process.kill()
        await process.wait()


def own_command(arguments: Sequence[str]) -> list[str]:
    """Return the command that starts this program again with these arguments."""
    return [sys.executable, "-m", "tavola", *arguments]
