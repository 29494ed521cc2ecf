"""The site as one ASGI application: routes, the guard before them, and refusals as pages."""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from tavola.bots import LEVELS
from tavola.core import Refusal
from tavola.live import Hub
from tavola.live.refusals import NotWritten
from tavola.store import Conflict, Unsure, WriteFailed
from tavola.web import health, pages, replay, rooms, socket
from tavola.web.guard import HEADERS, READING, Guard, Limits, Names
from tavola.web.render import page
from tavola.web.sentences import (
    BROKEN,
    FRIENDLY,
    HEADINGS,
    NOT_WRITTEN,
    NOTHING_HERE,
    UNREACHABLE,
    UNSURE,
    refused,
    status,
)
from tavola.web.site import Site
from tavola.web.tally import Tally
from tavola.web.visitor import WEB, Visitors

log = logging.getLogger(__name__)
Opening = Callable[[], AbstractAsyncContextManager[Hub]]
"""Opens the hub when the server starts, and closes it when the server stops."""


class Static(StaticFiles):
    """Style and script: asked for again each time, sent again only when changed."""

    def file_response(self, *args: Any, **keywords: Any) -> Response:
        response = super().file_response(*args, **keywords)
        response.headers["Cache-Control"] = "no-cache"
        return response


def application(
    opening: Opening,
    secret: bytes,
    limits: Limits | None = None,
    names: Names | None = None,
    tally: Tally | None = None,
) -> Starlette:
    """The site. `secret` signs the cookies that say who somebody is; `names` are what the site is called.

    `tally` is what is counted of visitors; the limits hold over all workers that tell one another of it.
    """
    limits, names, tally = limits or Limits(), names or Names(), tally or Tally()
    visitors = Visitors(secret, LEVELS, FRIENDLY)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with opening() as hub:
            app.state.site = Site(hub, visitors, limits, tally)
            if hub.circle is not None:
                tally.join(hub.circle)
            yield

    return Starlette(
        routes=[
            *pages.ROUTES,
            *health.ROUTES,
            *rooms.ROUTES,
            *replay.ROUTES,
            *socket.ROUTES,
            Mount("/static", Static(directory=WEB / "static")),
        ],
        middleware=[Middleware(Guard, visitors=visitors, limits=limits, names=names, answer=answer, tally=tally)],
        exception_handlers={
            HTTPException: not_found,
            WriteFailed: unwritten,
            Conflict: unwritten,
            Exception: broken,
        },
        lifespan=lifespan,
    )


async def answer(scope: Scope, receive: Receive, send: Send, refusal: Refusal) -> None:
    """A refusal as a page with its status code; as JSON for a program that asks for it."""
    request = Request(scope, receive)
    sentence, detail = refused(refusal, request.state.visitor.say)
    response = said(request, status(refusal), sentence, detail, type(refusal).__name__)
    await response(scope, receive, send)


async def not_found(request: Request, error: Exception) -> Response:
    """An address without a page, or a page that takes no form."""
    code = error.status_code if isinstance(error, HTTPException) else 400
    sentence = NOTHING_HERE if code == 404 else HEADINGS.get(code, HEADINGS[400])
    return said(request, code, request.state.visitor.say(sentence), "", "NotFound" if code == 404 else "BadRequest")


async def unwritten(request: Request, error: Exception) -> Response:
    """The disk refused; what it said goes to the log."""
    log.error("something could not be read or written: %s", error)
    sentence, detail = refused(NotWritten(unwritten_words(request, error)), request.state.visitor.say)
    return said(request, 503, sentence, detail, NotWritten.__name__)


def unwritten_words(request: Request, error: Exception) -> str:
    """What is true then: nothing was to be written, nobody knows, or nothing has changed."""
    if request.method in READING:
        return UNREACHABLE
    return UNSURE if isinstance(error, Unsure) else NOT_WRITTEN


async def broken(request: Request, error: Exception) -> Response:
    """A fault of ours: said plainly, without its insides, which go to the log."""
    response = said(request, 500, request.state.visitor.say(BROKEN), "", "Fault")
    response.headers.update(HEADERS)
    return response


def said(request: Request, code: int, sentence: str, detail: str, kind: str) -> Response:
    """One sentence as a page, with the way back into the room."""
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"refused": kind, "sentence": sentence, "detail": detail}, code)
    heading = request.state.visitor.say(HEADINGS.get(code, HEADINGS[400]))
    values = {"status": code, "heading": heading, "sentence": sentence, "detail": detail}
    return page(request, "refusal.html", code, **values, back=back(request, code))


def back(request: Request, code: int) -> str:
    """The page of the room that was refused something; empty where there is none."""
    parts = request.url.path.split("/")
    inside = code != 404 and len(parts) > 3 and parts[1] == "r"
    return f"/r/{parts[2]}" if inside else ""
