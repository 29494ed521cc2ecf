"""Notifications in a browser, and links in e-mails to receive fewer of them.

These links work without signing in, and viewing their page changes nothing.
"""

import contextlib
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tavola.club import Club, Holder
from tavola.core import Refusal
from tavola.web.render import game_title, render_page
from tavola.web.requests.request_refusals import Malformed
from tavola.web.requests.visitor import is_encrypted
from tavola.web.site import Document, Fields, Routes, holder_of, redirect, site_of, text_of, visitor_of
from tavola.web.table.brief import match_name, named_people, others_at

routes = Routes()


@routes.get("/quiet/{word}")
async def quiet_page(request: Request) -> Response:
    """Show the choices for fewer e-mails."""
    account, room = quiet_token(request)
    return render_page(request, "quiet.html", room=room, match=await match_named(request, account, room), done="")


@routes.post("/quiet/{word}")
async def reduce_emails(request: Request, club: Club, fields: Fields) -> Response:
    """Send one e-mail a day, none for this match, or none at all, as our page or a mail program asks.

    A mail program posts `List-Unsubscribe=One-Click` (RFC 8058), or nothing. What is not our form means none at all.
    """
    account, room = quiet_token(request)
    choice = text_of(fields, "choice", "none")
    of_match = choice == "match" and bool(room)
    if choice == "none":
        await club.stop_emails(account)
    else:
        await club.set_preference(account, "none" if of_match else choice, room if of_match else "")
    return render_page(request, "quiet.html", room=room, match=await match_named(request, account, room), done=choice)


async def match_named(request: Request, account: str, room_id: str) -> str:
    """Return a match as e-mails name it to an account; empty if there is none."""
    site, say = site_of(request), visitor_of(request).say
    with contextlib.suppress(Refusal):
        room = await site.hub.room(room_id)
        seats = [room.state.seat_of(person) for person in await site.club.persons_of(account)]
        own = next((seat for seat in seats if seat is not None), None)
        people = named_people([room.names[other] for other in others_at(room, own)], say)
        return match_name(game_title(room.state.game, say.language), people, say)
    return ""


def quiet_token(request: Request) -> tuple[str, str]:
    """Return the account and the room of a link; raise 404 if we have not signed it."""
    if (found := site_of(request).visitors.read("quiet", str(request.path_params["word"]))) is None:
        raise HTTPException(404)
    account, room = found
    return account, room


@routes.post("/account/notices")
async def set_preference(club: Club, holder: Holder, fields: Fields) -> Response:
    """Store how an account holder is notified of their turns."""
    await club.set_preference(holder.account, text_of(fields, "manner"))
    return redirect("/account")


@routes.post("/account/notices/again")
async def try_again(club: Club, holder: Holder) -> Response:
    """Send e-mails again to the account's address, which had refused them."""
    await club.notices.try_again(holder.account)
    return redirect("/account")


async def offer_of(request: Request) -> dict[str, Any] | None:
    """Return what a page needs to offer notifications: the site's key, and the marks of known browsers.

    None for guests, who cannot be recognised again, and if browsers cannot notify.
    """
    club, holder = site_of(request).club, visitor_of(request).holder
    # Browsers notify without encryption at hosts of this machine.
    encrypted = is_encrypted(request) or request.url.hostname in ("localhost", "127.0.0.1", "[::1]")
    if holder is None or club.pusher is None or not encrypted:
        return None
    known = await club.browsers(holder.account)
    return {"key": club.pusher.key.public, "known": " ".join(each.mark for each in known)}


@routes.post("/push")
async def subscribe(club: Club, holder: Holder, document: Document) -> Response:
    """Notify the account holder in this browser, at the address that it sends."""
    await club.subscribe(holder, document)
    return JSONResponse({})


@routes.post("/push/off")
async def unsubscribe(request: Request, club: Club, document: Document) -> Response:
    """Stop notifications in a browser."""
    if not isinstance(endpoint := document.get("endpoint"), str):
        raise Malformed
    await club.unsubscribe(holder_of(request).account, endpoint)
    return JSONResponse({})
