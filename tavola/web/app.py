"""The site as one ASGI application: routes, the guard before them, and refusals as pages."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount
from starlette.types import Receive, Scope, Send

from tavola.bots import LEVELS
from tavola.club import Club
from tavola.club.mail import mail_carrier
from tavola.club.outbox import PUSH
from tavola.club.postman import Postman
from tavola.club.push import Pusher, PushKey
from tavola.core import Refusal
from tavola.live import Hub
from tavola.live.room_refusals import NotWritten
from tavola.store import Conflict, Unsure, WriteFailed
from tavola.web.door.counters import Counters
from tavola.web.door.guard import SAFE_METHODS, Guard, HostNames, add_headers
from tavola.web.door.limits import Bodies, Limits
from tavola.web.door.request_refusals import NoCookies, TooFast
from tavola.web.door.visitor import Visitor, Visitors, is_encrypted, site_say
from tavola.web.files import StaticFolder
from tavola.web.letters import letter_writer, notice_writer
from tavola.web.pages import (
    account,
    home,
    installed,
    mine,
    minute,
    notify,
    openapi,
    posters,
    replay,
    rooms,
    since,
)
from tavola.web.pages.chronicle import warm_up
from tavola.web.render import fill_page, page_response, render_for, render_page, render_shared
from tavola.web.serve import health, sockets
from tavola.web.serve.offload import Offload
from tavola.web.serve.settings import PostSettings
from tavola.web.site import Site
from tavola.web.site_words import (
    FIRST_LEVEL,
    HEADINGS,
    NOTHING_HERE,
    SERVER_FAULT,
    UNREACHABLE,
    UNSURE,
    refusal_words,
)

logger = logging.getLogger(__name__)
PUSHING_AT_ONCE = 4
"""Notices that a worker pushes at the same time."""
OpenHub = Callable[[], AbstractAsyncContextManager[Hub]]
"""Opens the hub when the server starts, and closes it when the server stops."""


def application(
    opening: OpenHub,
    secret: bytes,
    limits: Limits | None = None,
    names: HostNames | None = None,
    tally: Counters | None = None,
    warm: Sequence[str] = (),
    post: PostSettings | None = None,
) -> Starlette:
    """The site. `secret` signs the cookies that say who somebody is; `names` are what the site is called.

    `warm`: the games for which the processes beside the server are made ready before anybody asks for them.

    `post`: how letters go, and what is pushed; without a mail server nobody is asked for an address.

    `tally` is what is counted of visitors; the limits hold over all workers that tell one another of it.
    """
    limits, tally, names = limits or Limits(), tally or Counters(), names or HostNames()
    visitors = Visitors(secret, LEVELS, FIRST_LEVEL)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with opening() as hub:
            app.state.site = Site(hub, visitors, limits, tally)
            club = app.state.site.club
            hub.desk.hours_of = club.hours_of
            carry_post(club, post or PostSettings(), PushKey(secret, names.home), names.home, visitors)
            if hub.peers is not None:
                tally.join(hub.peers)
            async with _warming(app.state.site.offload, warm):
                yield

    guard = Middleware(
        Guard,
        visitors=visitors,
        limits=limits,
        names=names,
        answer=answer_refusal,
        busy=busy_answer,
        tally=tally,
        bodies=Bodies(limits),
    )
    return Starlette(routes=ROUTES, middleware=[guard], exception_handlers=_exception_handlers(), lifespan=lifespan)


def carry_post(club: Club, post: PostSettings, key: PushKey, home: str, visitors: Visitors) -> None:
    """Have letters and pushes carried by this worker; one push service that is slow does not hold up all others."""
    store, mail, club.notices.pause = club.store, post.mail, post.pause
    letters = None
    if mail is not None:
        carry = mail_carrier(mail, letter_writer(club, mail, home, visitors.seal_quiet))
        letters = Postman(store, carry, seconds=post.taken_for)
    pusher = Pusher(store, key, post.reach, notice_writer(club))
    club.carry(letters, pusher, [Postman(store, pusher.carry, PUSH, post.taken_for) for _ in range(PUSHING_AT_ONCE)])


ROUTES = (
    *home.ROUTES,
    *account.ROUTES,
    *installed.ROUTES,
    *mine.ROUTES,
    *notify.ROUTES,
    *posters.ROUTES,
    *minute.ROUTES,
    *health.ROUTES,
    *rooms.ROUTES,
    *since.ROUTES,
    *replay.ROUTES,
    *openapi.ROUTES,
    *sockets.ROUTES,
    Mount("/static", StaticFolder()),
)


@asynccontextmanager
async def _warming(offload: Offload, games: Sequence[str]) -> AsyncIterator[None]:
    warming = asyncio.create_task(offload.warm_up(warm_up, games)) if games else None
    try:
        yield
    finally:
        if warming is not None:
            warming.cancel()
        offload.close()


def _exception_handlers() -> dict[Any, Any]:
    return {
        HTTPException: http_error,
        WriteFailed: storage_error,
        Conflict: storage_error,
        ClientDisconnect: broken_off,
        Exception: server_error,
    }


async def answer_refusal(scope: Scope, receive: Receive, send: Send, refusal: Refusal) -> None:
    """A refusal as a page with its status code; as JSON for a program that asks for it."""
    request = Request(scope, receive)
    sentence, detail = refusal_words(refusal, request.state.visitor.say)
    response = refusal_response(request, refusal.status, sentence, detail, type(refusal).__name__)
    visitor: Visitor = request.state.visitor
    if isinstance(refusal, NoCookies):  # whoever allows them now has one when the form is sent again
        request.app.state.site.visitors.remember(response, request, visitor.id, visitor.name)
    await response(scope, receive, send)


@cache
def busy_answer(language: str, as_json: bool, encrypted: bool) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Return the answer to somebody for whom too much has been worked out: headers and body, made once a language."""
    refusal = TooFast()
    sentence, code = site_say(language)(refusal.message), refusal.status
    if as_json:
        response: Response = JSONResponse({"refused": TooFast.__name__, "sentence": sentence, "detail": ""}, code)
    else:
        unknown = Visitor("0" * 32, "", language, "auto", "off", FIRST_LEVEL, fresh=False)
        heading = site_say(language)(HEADINGS.get(code, HEADINGS[400]))
        values = {"status": code, "heading": heading, "sentence": sentence, "detail": "", "back": ""}
        response = HTMLResponse(render_for(unknown, "/", "refusal.html", **values), code)
    response.headers.update({"Cache-Control": "no-store", "Retry-After": "1"})
    add_headers(response.headers, encrypted=encrypted)
    return response.raw_headers, bytes(response.body)


async def http_error(request: Request, error: Exception) -> Response:
    """An address without a page, or a page that takes no form."""
    code = error.status_code if isinstance(error, HTTPException) else 400
    if code == 404 and "application/json" not in request.headers.get("accept", ""):
        return page_response(request, fill_page(request, missing_page(request.state.visitor.language)), code)
    sentence = NOTHING_HERE if code == 404 else HEADINGS.get(code, HEADINGS[400])
    return refusal_response(
        request, code, request.state.visitor.say(sentence), "", "NotFound" if code == 404 else "BadRequest"
    )


@cache
def missing_page(language: str) -> bytes:
    """Return the page of an address without one, made once a language: anybody may ask for any number of them."""
    say = site_say(language)
    values = {"status": 404, "heading": say(HEADINGS[404]), "sentence": say(NOTHING_HERE), "detail": "", "back": ""}
    return render_shared(language, "refusal.html", **values)


async def broken_off(request: Request, error: Exception) -> Response:
    """Whoever asked has gone in the middle of a body: nobody hears this, and nothing went wrong."""
    return Response(status_code=400)


async def storage_error(request: Request, error: Exception) -> Response:
    """The disk refused; what it said goes to the log."""
    logger.error("something could not be read or written: %s", error)
    read_only = request.method in SAFE_METHODS
    refusal = NotWritten(UNREACHABLE if read_only else UNSURE if isinstance(error, Unsure) else "")
    sentence, detail = refusal_words(refusal, request.state.visitor.say)
    return refusal_response(request, refusal.status, sentence, detail, NotWritten.__name__)


async def server_error(request: Request, error: Exception) -> Response:
    """A fault of ours: said plainly, without its insides, which go to the log."""
    response = refusal_response(request, 500, request.state.visitor.say(SERVER_FAULT), "", "Fault")
    add_headers(response.headers, encrypted=is_encrypted(request))
    return response


def refusal_response(request: Request, code: int, sentence: str, detail: str, kind: str) -> Response:
    """One sentence as a page, with the way back into the room."""
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"refused": kind, "sentence": sentence, "detail": detail}, code)
    heading = request.state.visitor.say(HEADINGS.get(code, HEADINGS[400]))
    values = {"status": code, "heading": heading, "sentence": sentence, "detail": detail}
    return render_page(request, "refusal.html", code, **values, back=room_path(request, code))


def room_path(request: Request, code: int) -> str:
    """The page of the room that was refused something; empty where there is none."""
    parts = request.url.path.split("/")
    inside = code != 404 and len(parts) > 3 and parts[1] == "r"
    return f"/r/{parts[2]}" if inside else ""
