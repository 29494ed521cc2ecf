"""Helpers for tests of pages: the real site on a real port, guests who fill in its forms, racers with WebSockets."""

import asyncio
import contextlib
import itertools
import json
import queue
import re
import ssl
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any, TypeVar, cast

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tavola.club import directory
from tavola.club.sending import mail as mailing
from tavola.club.sending import reach as reaching
from tavola.club.sending.mail import MailServer
from tavola.club.sending.reach import Reach
from tavola.live import Hub, Room
from tavola.store import open_store
from tavola.web import application
from tavola.web.requests.counters import Counters
from tavola.web.requests.guard import HostNames
from tavola.web.requests.limits import UNHURRIED, Limits
from tavola.web.serve import health
from tavola.web.serve.affinity import AffinityRouter
from tavola.web.serve.server import Server, server_config
from tavola.web.serve.settings import MailSettings, SiteSettings
from tests.helpers import PATIENCE, wait_for
from tests.helpers.rooms import play_to_end, quick_settings

T = TypeVar("T")
# On a slow machine, requests to the database, push services and mail servers may take as long as any test.
directory.ANSWER_WITHIN = health.WRITE_TIMEOUT = reaching.TIMEOUT = mailing.TIMEOUT = PATIENCE
MAIL_HOME = "https://tavola.example:8443"
"""Address of the site in e-mails, whatever host requests name."""
TOKEN = re.compile(r'name="command_id" value="([^"]*)"')
TLS = ssl.create_default_context()
"""Shared by all clients: reading the authorities' certificates takes longer than opening a site."""
BUTTON = re.compile(r'name="prompt_id" value="(\d+)"|<button name="code" value="([^"]*)"')


class Site:
    """A running site: its address, and its hub and counters to look behind the pages."""

    def __init__(
        self,
        database: Path | str,
        limits: Limits = UNHURRIED,
        port: int = 0,
        names: HostNames | None = None,
        proxies: tuple[str, ...] = (),
        homes: AffinityRouter | None = None,
        mail: MailServer | None = None,
        reach: Reach | None = None,
        metrics_token: str = "",
        texts: Mapping[str, str] | None = None,
        by_invitation: bool = False,
        **settings: Any,
    ) -> None:
        self.database, self.url = database, ""
        self.hub: Hub
        self.counters = Counters()
        named = names or (HostNames() if mail is None else HostNames(home=MAIL_HOME))
        self._settings = SiteSettings(database, port=port, names=named, proxies=proxies, limits=limits, affinity=homes)
        self._pages: dict[str, Any] = {"texts": texts, "by_invitation": by_invitation, "metrics_token": metrics_token}
        self._mail = MailSettings(mail, reach or Reach())
        at_home = {} if homes is None else {"has_affinity": homes.has_affinity}
        self._hub_settings = quick_settings(**at_home, **settings)
        self._ready = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        assert self._ready.wait(PATIENCE), "the site did not start"

    def _run(self) -> None:
        @contextlib.asynccontextmanager
        async def opening() -> AsyncIterator[Hub]:
            self.loop = asyncio.get_running_loop()
            self.hub = await Hub.open(store, self._hub_settings)
            try:
                yield self.hub
            finally:
                await self.hub.close()
                store.close()

        def ready(url: str) -> None:
            self.url = url.rstrip("/") + self._settings.names.path
            self._ready.set()

        store, given = open_store(self.database), self._settings
        shared = given.limits, given.names, self.counters
        self.app = application(opening, store.signing_key(), *shared, mail=self._mail, **self._pages)
        self.server = Server(server_config(self.app, given), ready)
        self.server.run()

    def change_limits(self, **changes: float) -> None:
        """Change times among the limits, which the site reads each time; no other site must share the object."""
        for name, value in changes.items():
            object.__setattr__(self._settings.limits, name, value)

    def close(self) -> None:
        """Stop as Ctrl-C does."""
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def call(self, function: Callable[..., T], *arguments: Any) -> T:
        """Call a function in the site's event loop, where nothing of the site changes meanwhile."""

        async def called() -> T:
            return function(*arguments)

        return self.run(called())

    def room(self, code: str) -> Room:
        return self.run(self.hub.room(code))

    def finish(self, code: str) -> None:
        """Play a match to its end with its host's first legal actions, without requesting pages."""
        room = self.room(code)
        self.run(play_to_end(room, [room.state.host]))

    def guest(self, language: str = "en", **headers: str) -> "Guest":
        return Guest(self.url, language, headers)


class Guest(httpx.Client):
    """A browser without script: it keeps cookies, follows redirects, and sends an origin with forms."""

    def __init__(self, url: str, language: str, headers: dict[str, str], source: str | None = None) -> None:
        asked = {"Accept-Language": language, "Origin": url, "Sec-Fetch-Site": "same-origin", **headers}
        wire = httpx.HTTPTransport(verify=TLS, local_address=source)
        super().__init__(base_url=url, follow_redirects=True, headers=asked, timeout=PATIENCE, transport=wire)

    def quick(self, level: str = "random") -> str:
        return code_of(self.post("/quick", data={"game": "lifeboats", "level": level}))

    def create(self, **fields: str) -> str:
        return code_of(self.post("/rooms", data={"game": "lifeboats", "name": "Ada", "patience": "0", **fields}))

    def sit(self, code: str, name: str) -> httpx.Response:
        return self.post(f"/r/{code}/join", data={"name": name})

    def choices(self, code: str) -> tuple[int | None, list[str]]:
        return choices_in(self.get(f"/r/{code}").text)

    def play(self, code: str, prompt_id: int, action: str) -> httpx.Response:
        return self.post(f"/r/{code}/play", data={"prompt_id": str(prompt_id), "code": action})


def open_socket(url: str, guest: Guest, code: str, form: str, **settings: Any) -> ClientConnection:
    """Open a guest's WebSocket of a room at a site."""
    cookies = "; ".join(f"{name}={value}" for name, value in guest.cookies.items())
    headers, address = {"Cookie": cookies, "Accept-Language": "en"}, f"{url.replace('http', 'ws')}/r/{code}/socket"
    settings |= {"additional_headers": headers, "origin": Origin(url)}
    return connect(f"{address}?form={form}", compression=None, open_timeout=PATIENCE, **settings)


def choices_in(page: str) -> tuple[int | None, list[str]]:
    """Return the prompt id of a page and the codes on its buttons."""
    found = BUTTON.findall(page)
    prompts = [int(prompt) for prompt, _ in found if prompt]
    return (prompts[0] if prompts else None), [unescape(code) for _, code in found if code]


def check_text(text: str, *parts: str, without: Sequence[str] = ()) -> None:
    """Check that a text has all `parts`, and nothing of `without`."""
    missing, unwanted = [part for part in parts if part not in text], [part for part in without if part in text]
    assert (missing, unwanted) == ([], []), f"{missing} missing, {unwanted} unwanted: {text}"


def check_answer(answer: httpx.Response, status: int, *parts: str, without: Sequence[str] = ()) -> None:
    """Check the status of an answer, and its text by `check_text`."""
    assert answer.status_code == status, f"{answer.url}: {answer.text}"
    check_text(answer.text, *parts, without=without)


def next_message(line: ClientConnection, *kinds: str) -> dict[str, Any]:
    """Return the next message of one of these kinds on a WebSocket."""
    while (message := json.loads(line.recv(PATIENCE)))["type"] not in kinds:
        pass
    return message


def code_of(response: httpx.Response) -> str:
    assert response.status_code == 200, response.text
    return response.url.path.partition("/r/")[2].partition("/")[0]


def begin_correspondence(site: Site, guest: Guest, **fields: str) -> str:
    """Open a three-day match with bots and wait until the guest must decide; return its code."""
    code = guest.create(**{"days": "3", "patience": "60", **fields})
    guest.post(f"/r/{code}/fill", data={"level": "random"})
    wait_for(lambda: 0 in site.room(code).state.dues)
    return code


@contextlib.contextmanager
def site_at(database: Path | str, limits: Limits = UNHURRIED, **settings: Any) -> Iterator[Site]:
    site = Site(database, limits, **settings)
    try:
        yield site
    finally:
        site.close()


# Guests with a JSON WebSocket each, at any simulated distance from the server

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
