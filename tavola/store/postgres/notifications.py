"""The messages between workers on one PostgreSQL: a connection that listens, in a thread of its own.

Messages may be lost. Whoever listens is told so after every connection that was made anew, and reads everything.
"""

import asyncio
import contextlib
import json
import threading
import time

import psycopg

from tavola.store.interface import LOG_TOPIC, RESYNC_TOPIC, MessageHandler
from tavola.store.messages import split_by_size
from tavola.store.postgres.connections import RETRY_INTERVAL, DatabaseAddress, TimeoutConnection

CHANNEL = "tavola"
MOST_MESSAGE_BYTES = 7000
"""Bytes of one message; the server takes 8,000."""
POLL_SECONDS = 0.5
"""Seconds after which a listener looks for the order to stop."""
PROBE_SECONDS = 5.0
"""Seconds of silence after which a listener asks for a sign of the server."""


def encode_message(worker: str, topic: str, payload: str) -> str:
    """Return the text that a worker sends; `ValueError` where it is too long."""
    if len(payload.encode()) > MOST_MESSAGE_BYTES:
        raise ValueError(f"expected a message of at most {MOST_MESSAGE_BYTES} bytes, found {len(payload.encode())}")
    return f"{worker} {topic} {payload}"


def encode_log_messages(worker: str, ends: dict[str, int]) -> list[str]:
    """Return the messages that name rooms with the numbers of their last events, as few as hold them."""
    return [
        encode_message(worker, LOG_TOPIC, json.dumps(part)) for part in split_by_size(ends.items(), MOST_MESSAGE_BYTES)
    ]


class Listener:
    """Listens until it is closed, whatever becomes of the connection; what its own worker says it leaves out."""

    def __init__(self, address: DatabaseAddress, heard: MessageHandler) -> None:
        self._address, self._handler = address, heard
        self._loop = asyncio.get_running_loop()
        self._closed = threading.Event()
        self.is_listening = False
        """True while messages arrive: what was said before is lost."""
        self._thread = threading.Thread(target=self._run, name="store listening", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._closed.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                with contextlib.closing(self._address.connect("listening")) as connection:
                    self._listen(connection)
            except psycopg.Error:
                self.is_listening = False
                self._closed.wait(RETRY_INTERVAL)

    def _listen(self, connection: TimeoutConnection) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        self.is_listening = True
        self._deliver(RESYNC_TOPIC, "")
        heard = time.monotonic()
        while not self._closed.is_set():
            for notice in connection.notifies(timeout=POLL_SECONDS):
                heard = time.monotonic()
                worker, _, said = notice.payload.partition(" ")
                if worker != self._address.worker:
                    topic, _, payload = said.partition(" ")
                    self._deliver(topic, payload)
            if time.monotonic() - heard > PROBE_SECONDS:
                connection.execute("SELECT 1")
                heard = time.monotonic()

    def _deliver(self, topic: str, payload: str) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed, and whoever listened is gone
            self._loop.call_soon_threadsafe(self._handler, topic, payload)
