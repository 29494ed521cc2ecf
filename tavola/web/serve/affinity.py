"""The home of a room: among the workers that share one listening socket, the one that had better serve it.

The system gives a connection to any of them. Who has it looks at the line that asks for a room, and hands the
connection on, with what has arrived, to the worker at whose place the room is: so a table is worked out and drawn once.
Nothing rests on it. A worker that has died, is held up or has too much to do gets none, and the connection is served
where it is; and what is given to somebody is given once, so that nobody sends it round in a circle.
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

ROOM_REQUEST = re.compile(rb"[A-Z]+ /r/([A-Za-z]{1,40})[/? ]")
"""The beginning of a request for a room, with its code."""
CREATE_REQUEST = re.compile(rb"POST /(?:quick|rooms|import)[? ]")
"""The beginning of one that makes a room, at the home of whoever carries it out."""
LARGEST_HANDOVER = 60_000
"""Bytes that are handed over with a connection; where more have arrived it stays."""
MOST_AT_ONCE = 64
"""Connections taken before others get their turn."""
HEARTBEAT_INTERVAL = 0.5
"""Seconds between two signs of life."""
HEARTBEAT_TIMEOUT = 2.0
"""Seconds without one after which a worker is given nothing."""

TakeConnection = Callable[[socket.socket, bytes], None]
"""Serves a connection of which so much has been read."""


class AffinityRouter:
    """The places of `count` workers, sockets in one folder; this one's is `place`, named by a number below `count`."""

    def __init__(self, place: Path, count: int) -> None:
        self._folder, self._number, self._count = place.parent, int(place.name), count
        self._turns = itertools.count(self._number)
        self._sending = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._sending.setblocking(False)
        self._receiving: socket.socket | None = None
        self._heartbeat_timer: asyncio.TimerHandle | None = None

    def open(self, take: TakeConnection) -> None:
        """Take the place, also where another worker has it who is about to go; `OSError` where that cannot be.

        `take` is called in this event loop.
        """
        loop, fresh = asyncio.get_running_loop(), self._folder / f"{self._number}.{os.getpid()}"
        self._receiving = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._receiving.setblocking(False)
        self._receiving.bind(str(fresh))
        fresh.rename(self._socket_path(self._number))
        loop.add_reader(self._receiving, self._receive, take)
        self._send_heartbeat(loop)

    def close(self, take: TakeConnection) -> None:
        """Take what has been given, and nothing more."""
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
        """True when a room is at home here, when all workers live."""
        return self._by_preference(room_id)[0] == self._number

    def preferred_workers(self, asked: bytes) -> list[int]:
        """The workers that had better serve what begins with these bytes, the best one first; none where it may stay.

        New rooms are made by all in turn.
        """
        found = ROOM_REQUEST.match(asked)
        if found is not None:
            order: Iterable[int] = self._by_preference(found[1].decode().lower())
        elif CREATE_REQUEST.match(asked):
            order = [next(self._turns) % self._count]
        else:
            order = []
        return list(itertools.takewhile(lambda number: number != self._number, order))

    def hand_over(self, descriptor: int, asked: bytes, workers: Iterable[int]) -> bool | None:
        """Give a connection to the first of these workers who lives; return True when one has it.

        None where he cannot take it now, but may be able to in a moment.
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
            except OSError:  # nobody is there
                continue
        return False

    def _by_preference(self, room_id: str) -> list[int]:
        """All workers, each room's own first: when one goes, his rooms are shared and all others stay."""

        def weight(number: int) -> bytes:
            return hashlib.blake2b(f"{room_id} {number}".encode(), digest_size=8).digest()

        return sorted(range(self._count), key=weight)

    def _socket_path(self, number: int) -> Path:
        return self._folder / str(number)

    def _send_heartbeat(self, loop: asyncio.AbstractEventLoop) -> None:
        """Say that this worker is not held up, again and again: by the clock of the machine that nobody sets."""
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
