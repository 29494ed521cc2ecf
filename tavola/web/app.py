"""The site as one ASGI application: routes, the guard in front of them, and refusals as pages."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
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
from tavola.club.sending.mail import mail_carrier
from tavola.club.sending.mailer import Mailer
from tavola.club.sending.outbox import PUSH
from tavola.club.sending.push import Pusher, PushKey
from tavola.core import Refusal
from tavola.live import Hub
from tavola.live.room_refusals import NotWritten
from tavola.store import Conflict, Unsure, WriteFailed
from tavola.web.emails import email_writer, notice_writer
from tavola.web.files import FOLDER, StaticFolder
from tavola.web.pages import account, administration, companions, home, installed, mine, notify, openapi, replay, rooms
from tavola.web.pages.chronicle import warm_up
from tavola.web.render import TEXTS_SLOT, fill_page, page_response, render_for, render_page, render_shared
from tavola.web.requests.counters import Counters
from tavola.web.requests.guard import SAFE_METHODS, Guard, HostNames, add_headers
from tavola.web.requests.limits import Bodies, Limits
from tavola.web.requests.request_refusals import NoCookies, TooFast
from tavola.web.requests.visitor import Visitor, Visitors, is_encrypted, site_say
from tavola.web.serve import health, sockets
from tavola.web.serve.settings import MailSettings
from tavola.web.site import Site
from tavola.web.site_words import FIRST_LEVEL, HEADINGS, NOTHING_HERE, SERVER_FAULT, UNREACHABLE, UNSURE, refusal_words

logger = logging.getLogger(__name__)
PUSHING_AT_ONCE = 4
"""Maximum notifications that a worker pushes at the same time."""
OpenHub = Callable[[], AbstractAsyncContextManager[Hub]]
"""Function that returns the hub as a context manager, open while the server runs."""


def application(
    opening: OpenHub,
    secret: bytes,
    limits: Limits | None = None,
    names: HostNames | None = None,
    tally: Counters | None = None,
    warm: Sequence[str] = (),
    mail: MailSettings | None = None,
    metrics_token: str = "",
    texts: Mapping[str, str] | None = None,
    by_invitation: bool = False,
) -> Starlette:
    """Return the site as an ASGI application.

    `secret` signs the cookies that identify visitors. `tally`: counters of visitors' requests; rate limits apply across
    all workers that share them. `warm`: games for which the worker processes are prepared at the start. The other
    parameters are those of `SiteSettings`.
    """
    limits, tally, names = limits or Limits(), tally or Counters(), names or HostNames()
    visitors = Visitors(secret, LEVELS, FIRST_LEVEL)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with opening() as hub:
            site = app.state.site = Site(hub, visitors, limits, names, metrics_token, tally, texts or {}, by_invitation)
            hub.desk.hours_of = site.club.hours_of
            start_sending(site.club, mail or MailSettings(), PushKey(secret, names.home), names.home, visitors)
            if hub.peers is not None:
                tally.join(hub.peers)
            warming = [asyncio.create_task(site.offload.warm_up(warm_up, warm))] if warm else []
            try:
                yield
            finally:
                for task in warming:
                    task.cancel()
                site.offload.close()

    guard = Middleware(Guard, visitors, limits, names, answer_refusal, busy_answer, tally, Bodies(limits))
    errors: dict[Any, Any] = dict.fromkeys((WriteFailed, Conflict), storage_error)
    errors |= {HTTPException: http_error, ClientDisconnect: broken_off, Exception: server_error}
    return Starlette(routes=ROUTES, middleware=[guard], exception_handlers=errors, lifespan=lifespan)


def start_sending(club: Club, settings: MailSettings, key: PushKey, home: str, visitors: Visitors) -> None:
    """Let this worker send e-mails and push notifications; a slow push service does not delay all others."""
    store, mail, club.notices.pause = club.store, settings.mail, settings.pause
    mailer = None
    if mail is not None:
        carry = mail_carrier(mail, email_writer(club, mail, home, visitors.seal_quiet))
        mailer = Mailer(store, carry, seconds=settings.taken_for)
    pusher = Pusher(store, key, settings.reach, notice_writer(club))
    club.carry(mailer, pusher, [Mailer(store, pusher.carry, PUSH, settings.taken_for) for _ in range(PUSHING_AT_ONCE)])


HANDLERS = (home, account, administration, installed, mine, companions, notify, health, rooms, replay, openapi, sockets)
ROUTES = (*(route for module in HANDLERS for route in module.routes), Mount("/static", StaticFolder(directory=FOLDER)))


async def answer_refusal(scope: Scope, receive: Receive, send: Send, refusal: Refusal) -> None:
    """Send a refusal as a page with its status code, or as JSON if the client asks for it."""
    request = Request(scope, receive)
    visitor: Visitor = request.state.visitor
    sentence, detail = refusal_words(refusal, visitor.say)
    response = refusal_response(request, refusal.status, sentence, detail, type(refusal).__name__)
    if isinstance(refusal, NoCookies):  # for the next try, if the browser allows cookies by then
        request.app.state.site.visitors.remember(response, request, visitor.id, visitor.name)
    await response(scope, receive, send)


@cache
def busy_answer(language: str, as_json: bool, encrypted: bool) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Return headers and body for a client that has used up its computing time; made once per language."""
    refusal = TooFast(limit="work_an_address")
    sentence, code = site_say(language)(refusal.message), refusal.status
    if as_json:
        response: Response = JSONResponse({"refused": TooFast.__name__, "sentence": sentence, "detail": ""}, code)
    else:
        unknown = Visitor("0" * 32, "", language, "auto", "off", FIRST_LEVEL, fresh=False)
        values = {"status": code, "heading": site_say(language)(HEADINGS[code]), "sentence": sentence, "detail": ""}
        page = render_for(unknown, "/", "refusal.html", **values, back="")
        response = HTMLResponse(page.replace(TEXTS_SLOT, ""), code)
    response.headers.update({"Cache-Control": "no-store", "Retry-After": "1"})
    add_headers(response.headers, encrypted=encrypted)
    return response.raw_headers, bytes(response.body)


async def http_error(request: Request, error: Exception) -> Response:
    """Answer a request for an unknown address, or with a method that the address does not accept."""
    code = error.status_code if isinstance(error, HTTPException) else 400
    if code == 404 and "application/json" not in request.headers.get("accept", ""):
        return page_response(request, fill_page(request, missing_page(request.state.visitor.language)), code)
    sentence, kind = (NOTHING_HERE, "NotFound") if code == 404 else (HEADINGS.get(code, HEADINGS[400]), "BadRequest")
    return refusal_response(request, code, request.state.visitor.say(sentence), "", kind)


@cache
def missing_page(language: str) -> bytes:
    """Return the page for unknown addresses; made once per language, because requests for them are frequent."""
    say = site_say(language)
    values = {"status": 404, "heading": say(HEADINGS[404]), "sentence": say(NOTHING_HERE), "detail": "", "back": ""}
    return render_shared(language, "refusal.html", **values)


async def broken_off(request: Request, error: Exception) -> Response:
    """Answer a client that disconnected while sending a body: the response is never sent, and this is not an error."""
    return Response(status_code=400)


async def storage_error(request: Request, error: Exception) -> Response:
    """Answer a request that failed to read or write the database; the cause is logged."""
    logger.error("failed to read or write the database: %s", error)
    read_only = request.method in SAFE_METHODS
    refusal = NotWritten(UNREACHABLE if read_only else UNSURE if isinstance(error, Unsure) else "")
    sentence, detail = refusal_words(refusal, request.state.visitor.say)
    return refusal_response(request, refusal.status, sentence, detail, NotWritten.__name__)


async def server_error(request: Request, error: Exception) -> Response:
    """Answer a request that raised an unexpected exception; the details are only in the log."""
    response = refusal_response(request, 500, request.state.visitor.say(SERVER_FAULT), "", "Fault")
    add_headers(response.headers, encrypted=is_encrypted(request))
    return response


def refusal_response(request: Request, code: int, sentence: str, detail: str, kind: str) -> Response:
    """Return a refusal as a page with a link back to the room, or as JSON."""
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"refused": kind, "sentence": sentence, "detail": detail}, code)
    heading = request.state.visitor.say(HEADINGS.get(code, HEADINGS[400]))
    parts = request.url.path.split("/")
    back = f"/r/{parts[2]}" if code != 404 and len(parts) > 3 and parts[1] == "r" else ""
    values = {"status": code, "heading": heading, "sentence": sentence, "detail": detail, "back": back}
    return render_page(request, "refusal.html", code, **values)
