"""Who one is: a guest's ways to keep his seat, and the page of who is kept. Every form works without script.

Passkeys alone need one. Nothing here tells whether an address, or anybody else, is known.
"""

import json
import re
from datetime import UTC, datetime
from typing import NoReturn

from babel.dates import format_date
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tavola.club import Club, Entry, Guest, Holder, NotKept, UsedTicket
from tavola.club.passkeys import Origin
from tavola.web.door.guard import client_network
from tavola.web.pages.push import offer_of
from tavola.web.render import absolute_url, qr_code, render_page, site_address
from tavola.web.sentences import manners_of
from tavola.web.site import (
    document_of,
    form_of,
    holder_of,
    limit_posts,
    redirect,
    room_of,
    site_of,
    text_of,
    visitor_of,
)

BROWSERS = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)
SECRET = re.compile(r"[A-Za-z0-9_-]{20,80}")


def device_name(agent: str) -> str:
    """Return what a browser says it is, in two words: enough for its owner, and no fingerprint."""
    found = [next((name for sign, name in known if sign in agent), "") for known in (BROWSERS, SYSTEMS)]
    return " · ".join(filter(None, found)) or "?"


def guest_of(request: Request) -> Guest:
    """The visitor as the club knows him."""
    visitor = visitor_of(request)
    device = device_name(request.headers.get("user-agent", ""))
    return Guest(visitor.id, visitor.name, device, visitor.language, visitor.account)


def origin_of(request: Request) -> Origin:
    """The site as the visitor's browser knows it."""
    return Origin(site_address(request), request.url.hostname or "")


def proven_holder(request: Request) -> Holder:
    """The same for what only he himself may do: he must have come in not long ago."""
    holder = holder_of(request)
    club_of(request).require_proof(holder)
    return holder


def club_of(request: Request) -> Club:
    """The club of the site."""
    return site_of(request).club


def ways_of(request: Request) -> dict[str, bool]:
    """The ways in which this site keeps somebody."""
    return {"passkeys": origin_of(request).has_passkeys, "mail": club_of(request).postman is not None}


# Pages


async def account_page(request: Request) -> Response:
    """Who one is: for a guest the ways to keep his seat, for who is kept all that there is of him."""
    visitor, club = visitor_of(request), club_of(request)
    ways = ways_of(request)
    if visitor.holder is None:
        after = request.query_params.get("after", "")
        return render_page(request, "keep.html", ways=ways, again=False, after=after)
    await club.note_seen(visitor.holder)
    known = await club.overview(visitor.holder.account)
    if known is None:
        raise NotKept

    def day(at: float) -> str:
        return str(format_date(datetime.fromtimestamp(at, UTC), "medium", locale=visitor.language))

    offer, manner = await offer_of(request), await club.manner(visitor.holder.account)
    written_to = ways["mail"] and known.address is not None
    own = {
        "push": offer,
        "manners": manners_of(visitor.say, manner, written_to=written_to, notified=bool(offer and offer["known"])),
        "manner": manner,
        "stopped": await club.notices.stopped(visitor.holder.account),
        "session": visitor.holder.session,
        "proven": club.is_proven(visitor.holder),
    }
    return render_page(request, "account.html", ways=ways, known=known, day=day, **own)


async def again_page(request: Request) -> Response:
    """Come in once more: for what only he himself may do."""
    return render_page(request, "keep.html", ways=ways_of(request), again=True)


async def leaving_page(request: Request) -> Response:
    """What becomes of a seat in a match over days whose owner goes away, and how he comes back."""
    room, kept = await room_of(request), visitor_of(request).holder is not None
    return render_page(request, "leaving.html", room=room, kept=kept, ways=ways_of(request), again=False)


# Passkeys: a script asks for what its browser needs, and brings what the browser has made of it


@limit_posts
async def passkey_options(request: Request) -> Response:
    """What a browser needs to make a passkey, or to show one."""
    origin, club = require_passkeys(request), club_of(request)
    if request.path_params["way"] == "enter":
        return JSONResponse(await club.request_options(origin))
    if visitor_of(request).holder is not None:
        proven_holder(request)
    return JSONResponse(await club.passkey_options(origin, guest_of(request), visitor_of(request).display_name))


def require_passkeys(request: Request) -> Origin:
    """The site as a browser knows it, or no page where browsers have no passkeys."""
    origin = origin_of(request)
    if not origin.has_passkeys:
        raise HTTPException(404)
    return origin


@limit_posts
async def bring_passkey(request: Request) -> Response:
    """A passkey has been made, or shown."""
    origin, club, answer = require_passkeys(request), club_of(request), await document_of(request)
    if request.path_params["way"] == "enter":
        return await let_in(request, await club.enter_by_passkey(origin, guest_of(request), answer), as_json=True)
    if visitor_of(request).holder is not None:
        proven_holder(request)
    entry = await club.add_passkey(origin, guest_of(request), answer)
    return JSONResponse({"to": "/account"}) if entry is None else await let_in(request, entry, as_json=True)


async def let_in(request: Request, entry: Entry, *, as_json: bool = False) -> Response:
    """Somebody has come in: his cookie says so from now on; the session that he had in this browser ends."""
    before, site = visitor_of(request).holder, site_of(request)
    if before is not None:
        await site.club.go_on(before, entry)
        await site.club.end_sessions(before.account, only=before.session)
    response: Response = JSONResponse({"to": "/account"}) if as_json else redirect("/account")
    site.visitors.remember_session(response, request, entry.secret)
    return response


# Links


@limit_posts
async def send_link(request: Request) -> Response:
    """Send a link to an address. The answer is the same whoever has it."""
    site, fields = site_of(request), await form_of(request)
    if site.club.postman is None:
        raise HTTPException(404)
    if visitor_of(request).holder is not None and fields.get("again") != "yes":
        proven_holder(request)
    address = text_of(fields, "address")
    site.letter_limiter.take(client_network(request))
    mark = site.visitors.mark(" ".join(("address", address.strip().lower())))
    await site.club.send_link(guest_of(request), address, site_address(request), mark)
    return render_page(request, "sent.html")


async def link_page(request: Request) -> Response:
    """What a link does, before it is done: whoever fetches pages to look into them uses up nothing."""
    secret = secret_of(request)
    body = await club_of(request).look_at_link(secret)
    if body is None:
        refuse_link(request)
    return render_page(request, "link.html", path=f"/account/link/{secret}", body=body, device=False)


@limit_posts
async def use_link(request: Request) -> Response:
    """Come in by a link."""
    return await let_in(request, await club_of(request).enter_by_link(guest_of(request), secret_of(request)))


@limit_posts
async def make_seat_link(request: Request) -> Response:
    """Show the link by which one is oneself on another device, once."""
    if visitor_of(request).holder is not None:
        proven_holder(request)
    site, secret = site_of(request), await club_of(request).issue_seat_link(guest_of(request))
    address = absolute_url(request, f"/seat/{site.visitors.seal(secret)}")
    return render_page(request, "device.html", address=address, qr=qr_code(address))


async def seat_link_page(request: Request) -> Response:
    """Who one will be on this device, before one is."""
    body = await club_of(request).look_at_seat_link(sealed_secret_of(request))
    if body is None:
        refuse_link(request)
    return render_page(request, "link.html", path=f"/seat/{request.path_params['secret']}", body=body, device=True)


@limit_posts
async def use_seat_link(request: Request) -> Response:
    """Be oneself on this device, too."""
    made = await club_of(request).use_seat_link(guest_of(request), sealed_secret_of(request))
    if isinstance(made, Entry):
        return await let_in(request, made)
    response = redirect("/")
    site_of(request).visitors.remember(response, request, made.person, made.name)
    return response


def secret_of(request: Request) -> str:
    """The secret in an address, or `UsedTicket` where it can be none."""
    secret = str(request.path_params["secret"])
    if not SECRET.fullmatch(secret):
        raise UsedTicket
    return secret


def sealed_secret_of(request: Request) -> str:
    """The secret in a signed address, or `UsedTicket`: what is not signed is not looked up."""
    secret = site_of(request).visitors.unseal(str(request.path_params["secret"]))
    if not secret:
        raise UsedTicket
    return secret


def refuse_link(request: Request) -> NoReturn:
    """`UsedTicket`, which costs whoever goes on guessing."""
    site_of(request).unknown_room_limiter.take(client_network(request))
    raise UsedTicket


# What one may change


@limit_posts
async def end_session(request: Request) -> Response:
    """End one session, all others, or this one."""
    holder, fields = holder_of(request), await form_of(request)
    which, club = text_of(fields, "session"), club_of(request)
    if which == "others":
        await club.end_sessions(holder.account, keep=holder.session)
        return redirect("/account")
    own = which in ("this", holder.session)
    await club.end_sessions(holder.account, only=holder.session if own else which)
    response = redirect("/" if own else "/account")
    if own:
        site_of(request).visitors.forget(response, request)
    return response


@limit_posts
async def remove_way(request: Request) -> Response:
    """Take a passkey or the address away."""
    holder, fields = proven_holder(request), await form_of(request)
    if "passkey" in fields:
        await club_of(request).remove_passkey(holder.account, fields["passkey"])
    else:
        await club_of(request).remove_address(holder.account)
    return redirect("/account")


async def export(request: Request) -> Response:
    """Everything that is known of one, as a file of JSON."""
    holder = proven_holder(request)
    site_of(request).export_limiter.take(holder.account)
    headers = {"Content-Disposition": 'attachment; filename="tavola.json"', "Cache-Control": "no-store"}
    text = json.dumps(await club_of(request).export(holder.account), ensure_ascii=False, indent=1)
    return Response(text, media_type="application/json", headers=headers)


async def delete_page(request: Request) -> Response:
    """What deleting does, before it is done."""
    holder_of(request)
    return render_page(request, "delete.html")


@limit_posts
async def delete(request: Request) -> Response:
    """Forget somebody."""
    holder = proven_holder(request)
    await club_of(request).delete(holder.account)
    response = redirect("/")
    site_of(request).visitors.forget(response, request)
    return response


ROUTES = [
    Route("/account", account_page),
    Route("/account/again", again_page),
    Route("/account/passkey/{way:str}/options", passkey_options, methods=["POST"]),
    Route("/account/passkey/{way:str}", bring_passkey, methods=["POST"]),
    Route("/account/mail", send_link, methods=["POST"]),
    Route("/account/link/{secret}", link_page),
    Route("/account/link/{secret}", use_link, methods=["POST"]),
    Route("/account/device", make_seat_link, methods=["POST"]),
    Route("/seat/{secret}", seat_link_page),
    Route("/seat/{secret}", use_seat_link, methods=["POST"]),
    Route("/account/sessions", end_session, methods=["POST"]),
    Route("/account/ways", remove_way, methods=["POST"]),
    Route("/r/{code}/leave", leaving_page),
    Route("/account/export", export),
    Route("/account/delete", delete_page),
    Route("/account/delete", delete, methods=["POST"]),
]
