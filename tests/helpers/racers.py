"""Guests with a JSON WebSocket each, at any simulated distance from the server."""

import contextlib
import itertools
import json
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, cast

from websockets.exceptions import ConnectionClosed

from tests.helpers import PATIENCE
from tests.helpers.site import Guest, open_socket

Timed = queue.SimpleQueue[tuple[float, str | None]]
"""Texts with their times of arrival; None marks the end."""
_numbers = itertools.count()
open_resources = contextlib.ExitStack()
"""Open resources of racers; a test file that makes racers closes it after each test."""


class Racer:
    """A guest with a JSON WebSocket whose messages take `way` seconds there and back.

    `echo(text)` returns the answer to an echo, or None for none; by default, the text is returned at once.
    """

    def __init__(
        self, url: str, name: str, way: float = 0.0, echo: Callable[[str], str | None] = lambda text: text
    ) -> None:
        self.url, self.name, self.delay, self.echo = url, name, way, echo
        self.guest = open_resources.enter_context(Guest(url, "en", {}))
        self.state: Any = None
        self.answers, self.changed = dict[str, dict[str, Any]](), threading.Condition()
        self.echoes, self.closed = list[str](), False

    def create(self, game: str, **more: str) -> str:
        fields = {"game": game, "name": self.name, "patience": "0", **more}
        return self.guest.post("/rooms", data=fields, follow_redirects=False).headers["location"].rsplit("/", 1)[1]

    def join(self, code: str) -> None:
        done = self.guest.post(f"/r/{code}/join", data={"name": self.name}, follow_redirects=False)
        assert done.status_code == 303, done.text

    def enter(self, code: str, url: str | None = None) -> None:
        self.url, self.closed = url or self.url, False
        self.line = open_resources.enter_context(open_socket(self.url, self.guest, code, "json"))
        inbox, outbox = Timed(), Timed()
        self.outbox = outbox
        open_resources.callback(outbox.put, (0.0, None))
        for work in (lambda: self._receive(inbox), lambda: self._deliver(inbox), lambda: self._send(outbox)):
            threading.Thread(target=work, daemon=True).start()
        self.wait(lambda state: state is not None)

    def _receive(self, inbox: Timed) -> None:
        with contextlib.suppress(ConnectionClosed, OSError):
            for text in self.line:
                inbox.put((time.monotonic() + self.delay / 2, cast(str, text)))
        inbox.put((0.0, None))

    def _deliver(self, inbox: Timed) -> None:
        while True:
            at, text = inbox.get()
            time.sleep(max(0.0, at - time.monotonic()))
            message = {"type": "closed"} if text is None else json.loads(text)
            if message["type"] == "echo":
                self.echoes.append(message["token"])
                if (back := self.echo(text)) is not None:
                    self.send(back)
                continue
            with self.changed:
                if message["type"] == "state":
                    self.state = message
                else:
                    self.answers[message.get("command_id")] = message
                self.closed = self.closed or text is None
                self.changed.notify_all()
            if text is None:
                return

    def _send(self, outbox: Timed) -> None:
        line = self.line
        with contextlib.suppress(ConnectionClosed, OSError):
            while (message := outbox.get())[1] is not None:
                time.sleep(max(0.0, message[0] - time.monotonic()))
                line.send(message[1])

    def send(self, text: str) -> None:
        self.outbox.put((time.monotonic() + self.delay / 2, text))

    def send_command(self, kind: str, **fields: Any) -> str:
        command_id = f"k{next(_numbers)}"
        self.send(json.dumps({"type": kind, "command_id": command_id, **fields}))
        return command_id

    def play(self, code: str) -> str:
        return self.send_command("play", code=code, prompt_id=self.state["prompt_id"])

    def answer(self, command_id: str) -> dict[str, Any]:
        with self.changed:
            assert self.changed.wait_for(lambda: command_id in self.answers, PATIENCE)
            return self.answers[command_id]

    def wait(self, condition: Callable[..., object]) -> Any:
        with self.changed:
            assert self.changed.wait_for(lambda: condition(self.state), PATIENCE), self.state
            return self.state
