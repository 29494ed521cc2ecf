"""Notices in a browser: turned on by a touch there, and off."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tavola.web.door.request_refusals import Malformed
from tavola.web.door.visitor import is_encrypted
from tavola.web.site import document_of, holder_of, limit_posts, site_of, visitor_of

THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")
"""Hosts at which browsers notify though nothing is encrypted."""


async def offer_of(request: Request) -> dict[str, Any] | None:
    """What a page needs to offer notices: the site's key, and by their marks the browsers that are known.

    None for a guest, who is not known again, and where browsers notify nobody.
    """
    club, holder = site_of(request).club, visitor_of(request).holder
    encrypted = is_encrypted(request) or request.url.hostname in THIS_MACHINE
    if holder is None or club.pusher is None or not encrypted:
        return None
    known = await club.browsers(holder.account)
    return {"key": club.pusher.key.public, "known": " ".join(each.mark for each in known)}


@limit_posts
async def subscribe(request: Request) -> Response:
    """Notify whoever has come in in his browser, which says by what address."""
    await site_of(request).club.subscribe(holder_of(request), await document_of(request))
    return JSONResponse({})


@limit_posts
async def unsubscribe(request: Request) -> Response:
    """Notify him there no more."""
    endpoint = (await document_of(request)).get("endpoint")
    if not isinstance(endpoint, str):
        raise Malformed
    await site_of(request).club.unsubscribe(holder_of(request).account, endpoint)
    return JSONResponse({})


ROUTES = [
    Route("/push", subscribe, methods=["POST"]),
    Route("/push/off", unsubscribe, methods=["POST"]),
]
