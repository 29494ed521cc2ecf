"""Affinity: which of the workers that share a listening socket should serve a room, its home.

The system gives a connection to any worker. This one reads the request line, and hands the connection with the bytes
received over to the home of the room. So a table is computed and drawn only once. Nothing depends on it: if the home
has died, is blocked or overloaded, the connection is served where it is. A connection is handed over only once, so it
cannot go round in a circle.
"""

import array
import asyncio
import contextlib
import hashlib
import itertools
import os
import re
import socket
import time
from collections.abc import Callable, Iterable
from pathlib import Path

ROOM_REQUEST = re.compile(rb"[A-Z]+ (?:/[^ ?]*)?/r/([A-Za-z]{1,40})[/? ]")
"""The beginning of a request for a room, with its code."""
CREATE_REQUEST = re.compile(rb"POST /(?:quick|rooms|import)[? ]")
"""The beginning of a request that creates a room, whose home is the worker that serves the request."""
LARGEST_HANDOVER = 60_000
"""Maximum bytes handed over with a connection; if more have arrived, it is served where it is."""
MOST_AT_ONCE = 64
"""Maximum connections taken before other work continues."""
HEARTBEAT_INTERVAL = 0.5
"""Seconds between two heartbeats."""
HEARTBEAT_TIMEOUT = 2.0
"""Seconds without a heartbeat after which a worker is given no connections."""

TakeConnection = Callable[[socket.socket, bytes], None]
"""Serves a connection from which these bytes have been read."""


class AffinityRouter:
    """The sockets of `count` workers in one folder; `place` is that of this one, named by a number below `count`."""

    def __init__(self, place: Path, count: int) -> None:
        self._folder, self._number, self._count = place.parent, int(place.name), count
        self._turns = itertools.count(self._number)
        self._sending = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._sending.setblocking(False)
        self._receiving: socket.socket | None = None
        self._heartbeat_timer: asyncio.TimerHandle | None = None

    def open(self, take: TakeConnection) -> None:
        """Take this worker's place, also from a predecessor that is about to stop; raise `OSError` if that fails."""
        loop, fresh = asyncio.get_running_loop(), self._folder / f"{self._number}.{os.getpid()}"
        self._receiving = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._receiving.setblocking(False)
        self._receiving.bind(str(fresh))
        fresh.rename(self._socket_path(self._number))
        loop.add_reader(self._receiving, self._receive, take)
        self._send_heartbeat(loop)

    def close(self, take: TakeConnection) -> None:
        """Take the connections that have been handed over, and no others."""
        if self._heartbeat_timer is not None:
            self._heartbeat_timer.cancel()
        if self._receiving is not None:
            asyncio.get_running_loop().remove_reader(self._receiving)
            while self._receive(take):
                pass
            self._receiving.close()
            self._receiving = None
        self._sending.close()

    def has_affinity(self, room_id: str) -> bool:
        """Return whether this worker is the home of a room if all workers are alive."""
        return self._by_preference(room_id)[0] == self._number

    def preferred_workers(self, asked: bytes) -> list[int]:
        """Return the workers that should serve this request, the best first, none if it is served here."""
        order: list[int] = []
        if found := ROOM_REQUEST.match(asked):
            order = self._by_preference(found[1].decode().lower())
        elif CREATE_REQUEST.match(asked):
            order = [next(self._turns) % self._count]  # all workers create new rooms in turn
        return list(itertools.takewhile(lambda number: number != self._number, order))

    def hand_over(self, descriptor: int, asked: bytes, workers: Iterable[int]) -> bool | None:
        """Hand a connection to the first of these workers that is alive; return whether one has taken it.

        Return None if that worker cannot take it now, but perhaps shortly.
        """
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))]
        for number in workers if len(asked) <= LARGEST_HANDOVER else ():
            try:
                beat = os.stat(self._socket_path(number)).st_mtime
                if abs(time.monotonic() - beat) < HEARTBEAT_TIMEOUT:
                    self._sending.sendmsg([asked], rights, 0, str(self._socket_path(number)))
                    return True
            except BlockingIOError:
                return None
            except OSError:  # that worker is not running
                continue
        return False

    def _by_preference(self, room_id: str) -> list[int]:
        """Order workers for a room, its home first. If one stops, only its own rooms move."""

        def weight(number: int) -> bytes:
            return hashlib.blake2b(f"{room_id} {number}".encode(), digest_size=8).digest()

        return sorted(range(self._count), key=weight)

    def _socket_path(self, number: int) -> Path:
        return self._folder / str(number)

    def _send_heartbeat(self, loop: asyncio.AbstractEventLoop) -> None:
        """Note that this worker is not blocked, by the monotonic clock, which is never set."""
        now = time.monotonic()
        with contextlib.suppress(OSError):
            os.utime(self._socket_path(self._number), (now, now))
        self._heartbeat_timer = loop.call_later(HEARTBEAT_INTERVAL, self._send_heartbeat, loop)

    def _receive(self, take: TakeConnection) -> bool:
        assert self._receiving is not None
        for _ in range(MOST_AT_ONCE):
            try:
                asked, descriptors, _, _ = socket.recv_fds(self._receiving, LARGEST_HANDOVER, 1)
            except OSError:
                return False
            for descriptor in descriptors:
                take(socket.socket(fileno=descriptor), asked)
        return True
