"""Several workers behind one listening socket: started, monitored, replaced one by one, stopped together.

The site does not run in this process, so workers that start later use the code of that time. A worker prints `ready` on
its standard output, and ends when its standard input is closed: with this process, however that ends.
"""

import asyncio
import contextlib
import logging
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path

from prometheus_client.multiprocess import mark_process_dead

from tavola import metrics

READY = "ready"
"""The line that a worker prints when it serves."""
RESTART_DELAY = 1.0
"""Seconds before a worker that has ended by itself is replaced."""
START_TIMEOUT = 600.0
"""Seconds in which a worker must be ready: it may have to wait for compilation."""
STOP_TIMEOUT = 30.0
"""Seconds in which a worker must stop."""
logger = logging.getLogger(__name__)


class Supervisor:
    """`count` workers, each started as `command`, which inherits the descriptor `listening`.

    Each has a number, and a socket of that name in the folder `places`; the replacement of a worker has the same.
    """

    def __init__(self, count: int, command: Sequence[str], listening: int, places: Path) -> None:
        self.count, self._command, self._listening, self._socket_folder = count, command, listening, places
        self.workers: dict[int, Process] = {}
        self.started = True
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = asyncio.Event()
        self._replacing = asyncio.Lock()

    async def serve(self, ready: Callable[[], None]) -> bool:
        """Serve until a signal to stop; call `ready` when the first worker is. SIGHUP replaces all workers, one by one.

        Return False if not even the first worker has started: its error stream says why.
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
        """Replace all workers, one after the other; each stops when its replacement is ready."""
        async with self._replacing:
            for number in list(self.workers):
                if await self._start(number) is None:
                    logger.error("a new worker failed to start: the remaining workers are not replaced")
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
        """Start a worker and stop its predecessor of that number; return None if it has not become ready."""
        place, figures = str(self._socket_folder / str(number)), self._socket_folder / "figures"
        figures.mkdir(exist_ok=True)
        command = [*self._command, "--listening", str(self._listening), "--place", place]
        env, listening = {**os.environ, metrics.FOLDER: str(figures)}, (self._listening,)
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, pass_fds=listening, start_new_session=True, env=env
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
        mark_process_dead(process.pid, str(self._socket_folder / "figures"))
        while self.workers.get(number) is process:
            logger.error("worker %s exited with %s: starting another one", process.pid, process.returncode)
            await asyncio.sleep(RESTART_DELAY)
            await self._start(number)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def stop_worker(process: Process) -> None:
    """Stop a worker and wait until it has ended; kill it after `STOP_TIMEOUT`."""
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), STOP_TIMEOUT)
    except TimeoutError:
        logger.error("worker %s did not stop within %s seconds: killing it", process.pid, STOP_TIMEOUT)
        process.kill()
        await process.wait()


def own_command(arguments: Sequence[str]) -> list[str]:
    """Return the command that starts this program again with these arguments.

    It is found by the path by which it was started: if a link on that path has been switched, the new version starts.
    """
    script = Path(sys.argv[0]).absolute()
    if script.name == "tavola" and os.access(script, os.X_OK) and script.is_file():
        return [str(script), *arguments]
    return [sys.executable, "-m", "tavola", *arguments]
