"""For monitoring: health, readiness and figures.

`/health` is `ok`, or has status 503 if nothing can be written. Another line names the games that are still being
compiled: they run as plain Python, and their search bots choose greedily. More lines count the e-mails and
notifications that were refused for good since this worker started.
"""

import asyncio
import logging
from hmac import compare_digest

from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tavola.metrics import exposition
from tavola.store import WriteFailed
from tavola.web.requests.guard import HostNames
from tavola.web.requests.limits import address_of
from tavola.web.requests.wire import UNIX_PEER
from tavola.web.site import Routes, Site

WRITE_TIMEOUT = 5.0
"""Seconds in which a healthy server has written something."""
logger = logging.getLogger(__name__)
routes = Routes()


@routes.get("/metrics")
async def metrics(request: Request, site: Site) -> Response:
    """Answer with figures for Prometheus: to this machine, unless a proxy forwards the request, or with the token.

    A proxy on this machine that adds no header at least passes the name of the site.
    """
    given = request.headers.get("authorization", "").removeprefix("Bearer ").encode()
    known = bool(site.metrics_token) and compare_digest(given, site.metrics_token.encode())
    forwarded = "x-forwarded-for" in request.headers or not HostNames().answers(request.headers.get("host", ""))
    if not known and (forwarded or not _is_here(request)):
        return PlainTextResponse("expected a request from this machine, or Authorization: Bearer with the token", 403)
    return PlainTextResponse(await asyncio.to_thread(exposition), media_type=CONTENT_TYPE_PLAIN_0_0_4)


def _is_here(request: Request) -> bool:
    host = request.client.host if request.client is not None else ""
    address = address_of(host)
    return host == UNIX_PEER or (address is not None and address.is_loopback)


@routes.get("/ready")
async def ready(request: Request, site: Site) -> Response:
    """Answer whether to send visitors here: 503 while the server stops, compiles, or cannot write."""
    if site.hub.tasks.closing or site.hub.readiness.waiting:
        return PlainTextResponse("stopping" if site.hub.tasks.closing else "compiling", 503)
    return await health(request, site)


@routes.get("/health")
async def health(request: Request, site: Site) -> Response:
    """Answer whether the server can write, what it is compiling, and what was refused for good.

    With `?visitor`, also say which address the request comes from, so that `tavola doctor` can check the proxy.
    """
    try:
        await asyncio.wait_for(site.check_health(), WRITE_TIMEOUT)
    except (WriteFailed, TimeoutError) as failure:
        logger.warning("unhealthy: %s", str(failure) or "the test write timed out")
        return PlainTextResponse("cannot write", 503)
    waiting, failed = site.hub.readiness.waiting, site.club.failed_emails()
    lines = ["ok", f"compiling: {', '.join(waiting)}"] if waiting else ["ok"]
    lines += [f"refused by {way}: {count}" for way, count in sorted(failed.items())]
    if "visitor" in request.query_params and request.client is not None:
        lines.append(f"visitor: {request.client.host}")
    return PlainTextResponse("\n".join(lines))
