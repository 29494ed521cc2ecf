"""The promise of every game about its pages: the home page, the waiting room, a match for players and spectators.

The site runs in this process without a port.
"""

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from tavola.contract.samples import Breach, expect
from tavola.core import Game
from tavola.core.compilation import interpret, is_interpreted, use_machine_code
from tavola.games import load, names
from tavola.show.speech import LANGUAGES

if TYPE_CHECKING:
    from tavola.live import Hub

HOST = "localhost"
BUTTON = re.compile(r'name="prompt_id" value="(\d+)"|<button name="code" value="([^"]*)"')
PLAYED = 12
"""Number of times that the test player looks at the room and plays if possible."""
SECONDS = 120


def pages_can_be_shown(game: Game) -> None:
    """The home page, the form of a new room, the waiting room and a match are shown in every language."""
    if game.name in names():  # a game that is not installed has no pages
        with _others_interpreted(game):
            asyncio.run(asyncio.wait_for(_show_pages(game), SECONDS))


@contextmanager
def _others_interpreted(game: Game) -> Iterator[None]:
    """Run the other games on the home page as plain Python, so that they need not be compiled."""
    others = [load(name).source_folder for name in names() if name != game.name]
    fresh = [folder for folder in others if not is_interpreted(folder)]
    for folder in fresh:
        interpret(folder)
    try:
        yield
    finally:
        for folder in fresh:
            use_machine_code(folder)


async def _show_pages(game: Game) -> None:
    from tavola.live import Hub, HubSettings  # a slow import that `--help` does not need
    from tavola.store import open_store
    from tavola.web import application
    from tavola.web.requests.limits import UNHURRIED

    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "tavola.sqlite")

        @asynccontextmanager
        async def opening() -> AsyncIterator["Hub"]:
            hub = await Hub.open(store, HubSettings(bot_pause=0.0, bot_stay=0.0, level="random", scenes=False))
            try:
                yield hub
            finally:
                await hub.close()

        app = application(opening, store.signing_key(), UNHURRIED)
        try:
            async with app.router.lifespan_context(app):
                await _visit(game, app)
        finally:
            store.close()


async def _visit(game: Game, app: Any) -> None:
    """Let one person open a room, fill it with bots and play, while another watches."""
    ada, watcher = Visitor(app), Visitor(app)
    for language in LANGUAGES:
        for path in ("/", f"/games/{game.name}/new", f"/games/{game.name}/rules"):
            page = await ada.get(path, language)
            listed = path != "/" or f"/games/{game.name}/" in page
            expect(listed, f"the home page in {language} does not list {game.name}: expected a link to it")
    room = await ada.post("/rooms", game=game.name, name="Ada", patience="0")
    for language in LANGUAGES:
        for visitor in (ada, watcher):
            await visitor.get(room, language)
    await ada.post(f"{room}/fill", level="random")
    for played in range(PLAYED):
        await watcher.get(room, list(LANGUAGES)[played % len(LANGUAGES)])
        found = BUTTON.findall(await ada.get(room))
        prompts, codes = [prompt for prompt, _ in found if prompt], [unescape(code) for _, code in found if code]
        if codes:
            await ada.post(f"{room}/play", prompt_id=prompts[0], code=codes[played % len(codes)])
        await asyncio.sleep(0.02)  # bots are next


class Visitor:
    """A browser without JavaScript that requests pages from the site in this process."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.cookies: dict[str, str] = {}

    async def get(self, path: str, language: str = "en") -> str:
        """Return the page; raise `Breach` unless the status is 200."""
        status, _, body = await self._ask("GET", path, language=language)
        expect(status == 200, f"{path} in {language} returns status {status}: expected a page")
        return body

    async def post(self, path: str, **fields: str) -> str:
        """Send a form and return the address it leads to, `path` after a refusal: in barter a bot can be faster."""
        status, headers, body = await self._ask("POST", path, urlencode(fields).encode())
        expect(status < 500, f"{path} returns status {status}: expected a page, found {body[:200]}")
        return headers.get("location", path)

    async def _ask(
        self, method: str, path: str, body: bytes = b"", language: str = "en"
    ) -> tuple[int, dict[str, str], str]:
        sent: list[dict[str, Any]] = []
        asked = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            return asked.pop() if asked else {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        try:
            await self.app(self._scope(method, path, language), receive, send)
        except Exception as error:
            raise Breach(f"{method} {path} in {language} fails: {type(error).__name__}: {error}") from error
        headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        for name, value in sent[0]["headers"]:
            if name == b"set-cookie":
                key, _, word = value.decode().partition(";")[0].partition("=")
                self.cookies[key] = word
        whole = b"".join(message.get("body", b"") for message in sent[1:])
        return sent[0]["status"], headers, whole.decode(errors="replace")

    def _scope(self, method: str, path: str, language: str) -> dict[str, Any]:
        headers = {
            "host": HOST,
            "origin": f"http://{HOST}",
            "accept": "text/html",
            "accept-language": language,
            "cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "content-type": "application/x-www-form-urlencoded",
        }
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": (HOST, 80),
            "state": {},
        }
