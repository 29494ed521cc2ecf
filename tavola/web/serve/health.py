"""Health check for monitoring: `ok`, or status 503 if nothing can be written.

Another line names the games that are still being compiled: they run as plain Python, and their search bots choose
greedily. More lines count the e-mails and notifications that were refused for good since this worker started.
"""

import asyncio
import logging

from starlette.responses import PlainTextResponse, Response

from tavola.store import WriteFailed
from tavola.web.site import Routes, Site

WRITE_TIMEOUT = 5.0
"""Seconds in which a healthy server has written something."""
logger = logging.getLogger(__name__)
routes = Routes()


@routes.get("/health")
async def health(site: Site) -> Response:
    """Answer whether the server can write, what it is compiling, and what was refused for good."""
    try:
        await asyncio.wait_for(site.check_health(), WRITE_TIMEOUT)
    except (WriteFailed, TimeoutError) as failure:
        logger.warning("unhealthy: %s", str(failure) or "the test write timed out")
        return PlainTextResponse("cannot write", 503)
    waiting, failed = site.hub.readiness.waiting, site.club.failed_emails()
    lines = ["ok", f"compiling: {', '.join(waiting)}"] if waiting else ["ok"]
    lines += [f"refused by {way}: {count}" for way, count in sorted(failed.items())]
    return PlainTextResponse("\n".join(lines))
