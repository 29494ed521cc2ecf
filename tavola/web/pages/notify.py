"""Notifications in a browser, and fewer letters, by a link in each of them.

Nobody need sign in for that link, and looking at its page changes nothing.
"""

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tavola.web.door.request_refusals import Malformed
from tavola.web.door.visitor import is_encrypted
from tavola.web.render import render_page
from tavola.web.site import document_of, form_of, holder_of, limit_posts, redirect, site_of, text_of, visitor_of


async def quiet_page(request: Request) -> Response:
    """What may be said about letters, before it is said."""
    _, room = word_of(request)
    return render_page(request, "quiet.html", room=room, done="")


@limit_posts
async def be_quiet(request: Request) -> Response:
    """One letter a day instead, none for this match, or none at all: what our own page asks for, or a mail program.

    A mail program posts `List-Unsubscribe=One-Click` (RFC 8058), or nothing at all: what is not our form means none.
    """
    (account, room), fields = word_of(request), await form_of(request)
    choice = text_of(fields, "choice", "none")
    club, of_match = site_of(request).club, choice == "match" and bool(room)
    if choice == "none":
        await club.hush_letters(account)
    else:
        await club.keep_manner(account, "none" if of_match else choice, room if of_match else "")
    return render_page(request, "quiet.html", room=room, done=choice)


def word_of(request: Request) -> tuple[str, str]:
    """The account and the match that a link is of; no page where we have not signed it."""
    word = site_of(request).visitors.unseal_quiet(str(request.path_params["word"]))
    if word is None:
        raise HTTPException(404)
    return word


@limit_posts
async def keep_manner(request: Request) -> Response:
    """How somebody who is in wants to hear of his turns."""
    holder, fields = holder_of(request), await form_of(request)
    await site_of(request).club.keep_manner(holder.account, text_of(fields, "manner"))
    return redirect("/account")


@limit_posts
async def try_again(request: Request) -> Response:
    """Write again to the address of somebody, which has refused what was sent."""
    await site_of(request).club.notices.try_again(holder_of(request).account)
    return redirect("/account")


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
    Route("/quiet/{word}", quiet_page),
    Route("/quiet/{word}", be_quiet, methods=["POST"]),
    Route("/account/notices", keep_manner, methods=["POST"]),
    Route("/account/notices/again", try_again, methods=["POST"]),
    Route("/push", subscribe, methods=["POST"]),
    Route("/push/off", unsubscribe, methods=["POST"]),
]
