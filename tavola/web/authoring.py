"""`tavola serve --author GAME`: plain Python that is loaded anew when a source changes, and tracebacks on the page.

Nothing is compiled, so an edit is seen as soon as the site has started again. Whoever started it keeps the socket: what
is asked meanwhile waits, and open pages come back by themselves.
"""

import logging
import os
import subprocess
import traceback
from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from watchfiles import watch

from tavola.web.crew import command_of
from tavola.web.visitor import WEB

AGAIN = "2"
"""Seconds after which a page with a traceback is asked for again: by then it may be mended."""
LEAVING = 0.5
"""Seconds in which a site that is to start again must have ended."""
PAGE = Markup(
    '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">'
    "<title>{last}</title><main><h1>{last}</h1><pre>{whole}</pre></main></html>"
)
PACKAGE = WEB.parent


class Tracebacks(logging.Handler):
    """Keeps the last traceback that was logged and that no page has shown yet: sockets and bots have no page."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.last = ""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self.last = "".join(traceback.format_exception(record.exc_info[1]))

    def taken(self) -> str:
        """The last one, once."""
        last, self.last = self.last, ""
        return last


class TracebackPages:
    """Shows tracebacks in place of the pages that people ask for."""

    def __init__(self, app: ASGIApp, tracebacks: Tracebacks) -> None:
        self.app, self.tracebacks = app, tracebacks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        page = scope["type"] == "http" and "text/html" in Headers(scope=scope).get("accept", "")
        if not page:
            await self.app(scope, receive, send)
            return
        told = self.tracebacks.taken() if scope["method"] == "GET" else ""
        if not told:
            try:
                await self.app(scope, receive, send)
            except Exception as error:
                told = "".join(traceback.format_exception(error))
        if told:
            await _page(told)(scope, receive, send)


def _page(told: str) -> HTMLResponse:
    last = told.strip().splitlines()[-1]
    headers = {"Refresh": AGAIN, "X-Traceback": "yes", "Cache-Control": "no-store"}
    return HTMLResponse(PAGE.format(last=last, whole=told), 500, headers)


def serve_again_and_again(arguments: Sequence[str], listening: int, game: Path) -> None:
    """Run this command with `arguments` on a socket, and again after every change of a source, until interrupted."""
    command = [*command_of(arguments), "--listening", str(listening)]
    site = _started(command, listening)
    try:
        for _ in watch(PACKAGE, game, raise_interrupt=True):
            _end(site)
            site = _started(command, listening)
    except KeyboardInterrupt:
        pass
    finally:
        _end(site)


def _started(command: Sequence[str], listening: int) -> subprocess.Popen[bytes]:
    """The site in a process of its own, which ends when its standard input does."""
    return subprocess.Popen(  # noqa: S603
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        pass_fds=(listening,),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        start_new_session=True,
    )


def _end(site: "subprocess.Popen[bytes]") -> None:
    """What is written is on disk: a site that does not end soon may be killed."""
    site.terminate()
    try:
        site.wait(LEAVING)
    except subprocess.TimeoutExpired:
        site.kill()
        site.wait()
