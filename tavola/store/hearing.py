"""What workers on one PostgreSQL say to each other: a connection that listens, in a thread of its own.

Messages may be lost. Whoever listens is told so after every connection that was made anew, and reads everything.
"""

import asyncio
import contextlib
import json
import threading
import time

import psycopg

from tavola.store.connecting import AGAIN, Address, Patient
from tavola.store.contract import EVERYTHING, LOG, Heard
from tavola.store.messages import fitting

CHANNEL = "tavola"
LONGEST = 7000
"""Bytes of one message; the server takes 8,000."""
LISTENED = 0.5
"""Seconds after which a listener looks whether it shall stop."""
SURE = 5.0
"""Seconds of silence after which a listener asks whether the server is still there."""


def message(worker: str, topic: str, payload: str) -> str:
    """What a worker sends; `ValueError` where it is too long."""
    if len(payload.encode()) > LONGEST:
        raise ValueError(f"expected a message of at most {LONGEST} bytes, found {len(payload.encode())}")
    return f"{worker} {topic} {payload}"


def written(worker: str, ends: dict[str, int]) -> list[str]:
    """What tells of rooms with the numbers of their last events, in as few messages as hold them."""
    return [message(worker, LOG, json.dumps(part)) for part in fitting(ends.items(), LONGEST)]


class Listener:
    """Listens until it is closed, whatever becomes of the connection; what its own worker says it leaves out."""

    def __init__(self, address: Address, heard: Heard) -> None:
        self._address, self._heard = address, heard
        self._loop = asyncio.get_running_loop()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._listen_for_ever, name="store listening", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._closed.set()
        self._thread.join()

    def _listen_for_ever(self) -> None:
        while not self._closed.is_set():
            try:
                with contextlib.closing(self._address.connect("listening")) as connection:
                    self._listen(connection)
            except psycopg.Error:
                self._closed.wait(AGAIN)

    def _listen(self, connection: Patient) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        self._tell(EVERYTHING, "")
        heard = time.monotonic()
        while not self._closed.is_set():
            for notice in connection.notifies(timeout=LISTENED):
                heard = time.monotonic()
                worker, _, said = notice.payload.partition(" ")
                if worker != self._address.worker:
                    topic, _, payload = said.partition(" ")
                    self._tell(topic, payload)
            if time.monotonic() - heard > SURE:
                connection.execute("SELECT 1")
                heard = time.monotonic()

    def _tell(self, topic: str, payload: str) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed, and whoever listened is gone
            self._loop.call_soon_threadsafe(self._heard, topic, payload)
