"""The health of the server, for who watches over it: `ok`, or 503 when nothing can be written.

A further line names the games whose machine code is still being made: they run as plain Python, and the bots that look
ahead choose by a glance in them. Others count the e-mails and
notifications that were refused for good since this worker began.
"""

import asyncio
import logging

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from tavola.store import WriteFailed
from tavola.web.site import site_of

WRITE_TIMEOUT = 5.0
"""Seconds in which a server that is well has written something."""
logger = logging.getLogger(__name__)


async def health(request: Request) -> Response:
    """That the server answers and can write."""
    try:
        await asyncio.wait_for(site_of(request).check_health(), WRITE_TIMEOUT)
    except (WriteFailed, TimeoutError) as failure:
        logger.warning("not well: %s", failure or "nothing could be written in time")
        return PlainTextResponse("cannot write", 503)
    waiting, failed = site_of(request).hub.readiness.waiting, site_of(request).club.failed_letters()
    lines = ["ok", f"compiling: {', '.join(waiting)}"] if waiting else ["ok"]
    lines += [f"refused by {way}: {count}" for way, count in sorted(failed.items())]
    return PlainTextResponse("\n".join(lines))


ROUTES = [Route("/health", health)]
