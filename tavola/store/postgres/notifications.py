"""Messages between workers on one PostgreSQL, received by a connection in its own thread.

Messages may be lost. After every reconnection, `RESYNC_TOPIC` makes listeners read everything.
"""

import asyncio
import contextlib
import json
import threading
import time

import psycopg

from tavola.store.interface import LOG_TOPIC, RESYNC_TOPIC, MessageHandler, split_by_size
from tavola.store.postgres.connections import RETRY_INTERVAL, DatabaseAddress, TimeoutConnection

CHANNEL = "tavola"
MOST_MESSAGE_BYTES = 7000
"""Maximum bytes of one message; the server accepts 8,000."""
POLL_SECONDS = 0.5
"""Seconds after which a listener checks whether it should stop."""
PROBE_SECONDS = 5.0
"""Seconds of silence after which a listener tests the connection."""


def encode_message(worker: str, topic: str, payload: str) -> str:
    """Return the text of a message; raise `ValueError` if it is too long."""
    if len(payload.encode()) > MOST_MESSAGE_BYTES:
        raise ValueError(f"expected a message of at most {MOST_MESSAGE_BYTES} bytes, found {len(payload.encode())}")
    return f"{worker} {topic} {payload}"


def encode_log_messages(worker: str, ends: dict[str, int]) -> list[str]:
    """Return as few messages as possible that name rooms and the numbers of their last events."""
    parts = split_by_size(ends.items(), MOST_MESSAGE_BYTES)
    return [encode_message(worker, LOG_TOPIC, json.dumps(part)) for part in parts]


class Listener:
    """A listener that reconnects until it is closed; it ignores messages of its own worker."""

    def __init__(self, address: DatabaseAddress, heard: MessageHandler) -> None:
        self._address, self._handler = address, heard
        self._loop = asyncio.get_running_loop()
        self._closed = threading.Event()
        self.is_listening = False
        """True while messages arrive; earlier ones are lost."""
        self._thread = threading.Thread(target=self._run, name="store listening", daemon=True)
        self._thread.start()

    def close(self) -> None:
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
        with contextlib.suppress(RuntimeError):  # the loop is closed, its listener is gone
            self._loop.call_soon_threadsafe(self._handler, topic, payload)
