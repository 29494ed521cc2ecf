"""`tavola serve --author GAME`: plain Python, restarted after every change of a source, with tracebacks on the pages.

Nothing is compiled, so an edit is visible as soon as the site has restarted. The parent process keeps the listening
socket: connections are queued meanwhile, and open pages reconnect.
"""

import contextlib
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

from tavola.web.requests.guard import HostNames
from tavola.web.requests.visitor import WEB_FOLDER
from tavola.web.serve.supervisor import own_command

RETRY_SECONDS = "2"
"""Seconds after which a page with a traceback reloads: the error may be corrected by then."""
STOP_TIMEOUT = 0.5
"""Seconds in which a site must stop before a restart."""
PAGE = Markup(
    '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">'
    "<title>{last}</title><main><h1>{last}</h1><pre>{whole}</pre></main></html>"
)
PACKAGE = WEB_FOLDER.parent


class Tracebacks(logging.Handler):
    """Keeps the last logged traceback until a page shows it: sockets and bots have no page."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.last = ""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self.last = "".join(traceback.format_exception(record.exc_info[1]))

    def take(self) -> str:
        """Return the last traceback, once."""
        last, self.last = self.last, ""
        return last


class TracebackPages:
    """Shows tracebacks in place of pages, if the request uses one of the site's names."""

    def __init__(self, app: ASGIApp, tracebacks: Tracebacks, names: HostNames) -> None:
        self.app, self.tracebacks, self.names = app, tracebacks, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        if "text/html" not in headers.get("accept", "") or not self.names.answers(headers.get("host", "")):
            await self.app(scope, receive, send)
            return
        told = self.tracebacks.take() if scope["method"] == "GET" else ""
        if not told:
            try:
                await self.app(scope, receive, send)
            except Exception as error:
                told = "".join(traceback.format_exception(error))
        if told:
            extra = {"Refresh": RETRY_SECONDS, "X-Traceback": "yes", "Cache-Control": "no-store"}
            page = PAGE.format(last=told.strip().splitlines()[-1], whole=told)
            await HTMLResponse(page, 500, extra)(scope, receive, send)


def serve_with_reload(arguments: Sequence[str], listening: int, game: Path) -> None:
    """Run this command with `arguments` on a socket, and again after every change of a source, until interrupted."""
    command = [*own_command(arguments), "--listening", str(listening)]
    site = _start_site(command, listening)
    try:
        with contextlib.suppress(KeyboardInterrupt):
            for _ in watch(PACKAGE, game, raise_interrupt=True):
                _stop_site(site)
                site = _start_site(command, listening)
    finally:
        _stop_site(site)


def _start_site(command: Sequence[str], listening: int) -> subprocess.Popen[bytes]:
    env, pipe, nothing = {**os.environ, "NUMBA_DISABLE_JIT": "1"}, subprocess.PIPE, subprocess.DEVNULL
    return subprocess.Popen(command, stdin=pipe, stdout=nothing, pass_fds=(listening,), env=env, start_new_session=True)  # noqa: S603


def _stop_site(site: "subprocess.Popen[bytes]") -> None:
    """Stop a site; one that is slow to stop may be killed, since what it has written is on disk."""
    site.terminate()
    try:
        site.wait(STOP_TIMEOUT)
    except subprocess.TimeoutExpired:
        site.kill()
        site.wait()
