"""Where a room is at home: among the workers that share one listening socket, the one that had better serve it.

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

ROOM = re.compile(rb"[A-Z]+ /r/([A-Za-z]{1,40})[/? ]")
"""The beginning of a request for a room, with its code."""
MAKES = re.compile(rb"POST /(?:quick|rooms|import)[? ]")
"""The beginning of one that makes a room, at the home of whoever carries it out."""
LARGEST = 60_000
"""Bytes that are handed over with a connection; where more have arrived it stays."""
AT_ONCE = 64
"""Connections taken before others get their turn."""
BEAT = 0.5
"""Seconds between two signs of life."""
HELD_UP = 2.0
"""Seconds without one after which a worker is given nothing."""

Take = Callable[[socket.socket, bytes], None]
"""Serves a connection of which so much has been read."""


class Homes:
    """The places of `count` workers, sockets in one folder; this one's is `place`, named by a number below `count`."""

    def __init__(self, place: Path, count: int) -> None:
        self._folder, self._number, self._count = place.parent, int(place.name), count
        self._turns = itertools.count(self._number)
        self._asks = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._asks.setblocking(False)
        self._given: socket.socket | None = None
        self._beat: asyncio.TimerHandle | None = None

    def open(self, take: Take) -> None:
        """Take the place, also where another worker has it who is about to go; `OSError` where that cannot be.

        `take` is called in this event loop.
        """
        loop, fresh = asyncio.get_running_loop(), self._folder / f"{self._number}.{os.getpid()}"
        self._given = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._given.setblocking(False)
        self._given.bind(str(fresh))
        fresh.rename(self._place(self._number))
        loop.add_reader(self._given, self._taken, take)
        self._live(loop)

    def close(self, take: Take) -> None:
        """Take what has been given, and nothing more."""
        if self._beat is not None:
            self._beat.cancel()
        if self._given is not None:
            asyncio.get_running_loop().remove_reader(self._given)
            while self._taken(take):
                pass
            self._given.close()
            self._given = None
        self._asks.close()

    def here(self, room_id: str) -> bool:
        """Whether a room is at home here, when all workers live."""
        return self._by_preference(room_id)[0] == self._number

    def better(self, asked: bytes) -> list[int]:
        """The workers that had better serve what begins with these bytes, the best one first; none where it may stay.

        New rooms are made by all in turn.
        """
        found = ROOM.match(asked)
        if found is not None:
            order: Iterable[int] = self._by_preference(found[1].decode().lower())
        elif MAKES.match(asked):
            order = [next(self._turns) % self._count]
        else:
            order = []
        return list(itertools.takewhile(lambda number: number != self._number, order))

    def give(self, descriptor: int, asked: bytes, workers: Iterable[int]) -> bool | None:
        """Give a connection to the first of these workers who lives; whether one has it.

        None where he cannot take it now, but may be able to in a moment.
        """
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))]
        for number in workers if len(asked) <= LARGEST else ():
            try:
                if time.time() - os.stat(self._place(number)).st_mtime < HELD_UP:
                    self._asks.sendmsg([asked], rights, 0, str(self._place(number)))
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

    def _place(self, number: int) -> Path:
        return self._folder / str(number)

    def _live(self, loop: asyncio.AbstractEventLoop) -> None:
        """Say that this worker is not held up, again and again."""
        with contextlib.suppress(OSError):
            os.utime(self._place(self._number))
        self._beat = loop.call_later(BEAT, self._live, loop)

    def _taken(self, take: Take) -> bool:
        """Take what has been given; whether there may be more."""
        assert self._given is not None
        for _ in range(AT_ONCE):
            try:
                asked, descriptors, _, _ = socket.recv_fds(self._given, LARGEST, 1)
            except OSError:
                return False
            for descriptor in descriptors:
                take(socket.socket(fileno=descriptor), asked)
        return True
