"""Who one is: a guest's ways to keep his seat, and the page of who is kept. Every form works without script.

Passkeys alone need one. Nothing here tells whether an address, or anybody else, is known.
"""

import json
import re
from datetime import UTC, datetime
from functools import partial

from babel.dates import format_date
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tavola.club import Club, Entry, Guest, Holder, NotKept, UsedTicket
from tavola.club.links import CHANGE_ADDRESS, DEVICE, ENTRANCES, SIGN_IN, Link
from tavola.club.mail import clean_address, mask_address
from tavola.club.passkeys import Origin
from tavola.web.door.guard import client_network
from tavola.web.pages.notify import offer_of
from tavola.web.render import absolute_url, qr_code, render_page, site_address
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
from tavola.web.site_words import manners_of

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
    session = visitor.holder.session if visitor.holder is not None else ""
    return Guest(visitor.id, visitor.name, device, visitor.language, visitor.account, session)


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
    day = partial(day_of, language=visitor.language)
    return render_page(request, "account.html", ways=ways, known=known, day=day, **own)


def day_of(at: float, language: str) -> str:
    """The day of a time in seconds since 1970, as one writes it."""
    return str(format_date(datetime.fromtimestamp(at, UTC), "medium", locale=language))


async def again_page(request: Request) -> Response:
    """Sign in once more, by a passkey or a link to the account's own address."""
    address = await own_address(request)
    ways = {**ways_of(request), "mail": bool(address)}
    return render_page(request, "keep.html", ways=ways, again=True, address=mask_address(address))


async def own_address(request: Request) -> str:
    """The address of the visitor's account, empty where it has none or nothing can be sent to it."""
    known = await club_of(request).overview(holder_of(request).account)
    if known is None:
        raise NotKept
    return (known.address or "") if ways_of(request)["mail"] else ""


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
        shown = await club.enter_by_passkey(origin, guest_of(request), answer)
        if isinstance(shown, str):
            return JSONResponse({"to": f"/account/link/{shown}"})
        return await let_in(request, shown, as_json=True)
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
    """Send a link to an address: to sign in, or to have it from now on. The answer is the same whoever has it."""
    if club_of(request).postman is None:
        raise HTTPException(404)
    purpose = SIGN_IN
    if visitor_of(request).holder is not None:
        proven_holder(request)
        purpose = CHANGE_ADDRESS
    return await send_to(request, purpose, clean_address(text_of(await form_of(request), "address")))


@limit_posts
async def send_own_link(request: Request) -> Response:
    """Send a link to sign in once more to the address of the visitor's own account, and to no other."""
    address = await own_address(request)
    if not address:
        raise HTTPException(404)
    return await send_to(request, SIGN_IN, address)


async def send_to(request: Request, purpose: str, address: str) -> Response:
    """Send a link to a clean address; so its e-mails are counted however it was written."""
    site = site_of(request)
    site.letter_limiter.take(client_network(request))
    mark = site.visitors.mark(" ".join(("address", address)))
    await site.club.links.send(guest_of(request), purpose, address, mark)
    return render_page(request, "sent.html", purpose=purpose)


async def find_link(request: Request, secret: str, *purposes: str) -> Link:
    """What a link does for the visitor; a refusal, which costs whoever goes on guessing, where it does nothing."""
    link = await club_of(request).links.look(guest_of(request), secret, *purposes)
    if link is None:
        site_of(request).unknown_room_limiter.take(client_network(request))
        raise UsedTicket
    return link


async def link_page(request: Request) -> Response:
    """What a link does, before it is done: whoever fetches pages to look into them uses up nothing."""
    return show_link(request, await find_link(request, secret_of(request), *ENTRANCES))


def show_link(request: Request, link: Link) -> Response:
    """What a link does, and what a guest may do with what they have here."""
    since = day_of(link.since, visitor_of(request).language) if link.account is not None else ""
    return render_page(request, "link.html", path=request.url.path, link=link, since=since)


async def settle_seats(request: Request, link: Link) -> bool | None:
    """Return whether what a guest has here comes along; None where they have yet to say. What does not is left."""
    brings = link.brings((await form_of(request)).get("seats", ""))
    if brings is False:
        await club_of(request).leave_seats(guest_of(request))
    return brings


@limit_posts
async def use_link(request: Request) -> Response:
    """Sign in by a link, or change an address."""
    secret, guest = secret_of(request), guest_of(request)
    brings = await settle_seats(request, await find_link(request, secret, *ENTRANCES))
    if brings is None:
        return redirect(request.url.path)
    entry = await club_of(request).links.use(guest, secret, brings=brings)
    return redirect("/account") if entry is None else await let_in(request, entry)


@limit_posts
async def make_seat_link(request: Request) -> Response:
    """Show the link by which one is oneself on another device, once."""
    if visitor_of(request).holder is not None:
        proven_holder(request)
    site, secret = site_of(request), await club_of(request).links.issue_seat_link(guest_of(request))
    address = absolute_url(request, f"/seat/{site.visitors.seal(secret)}")
    return render_page(request, "device.html", address=address, qr=qr_code(address))


async def seat_link_page(request: Request) -> Response:
    """Who one will be on this device, before one is."""
    return show_link(request, await find_link(request, sealed_secret_of(request), DEVICE))


@limit_posts
async def use_seat_link(request: Request) -> Response:
    """Be oneself on this device, too."""
    site, secret, before = site_of(request), sealed_secret_of(request), visitor_of(request).holder
    brings = await settle_seats(request, await find_link(request, secret, DEVICE))
    if brings is None:
        return redirect(request.url.path)
    made = await site.club.links.use_seat_link(guest_of(request), secret, brings=brings)
    if isinstance(made, Entry):
        return await let_in(request, made)
    if before is not None:
        await site.club.end_sessions(before.account, only=before.session)
    response = redirect("/")
    site.visitors.remember(response, request, made.person, made.name)
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


# What one may change


@limit_posts
async def end_session(request: Request) -> Response:
    """End this session; with a fresh proof another one, or all others."""
    holder, fields = holder_of(request), await form_of(request)
    which, club = text_of(fields, "session"), club_of(request)
    if which in ("this", holder.session):
        await club.end_sessions(holder.account, only=holder.session)
        response = redirect("/")
        site_of(request).visitors.forget(response, request)
        return response
    club.require_proof(holder)
    others = {"keep": holder.session} if which == "others" else {"only": which}
    await club.end_sessions(holder.account, **others)
    return redirect("/account")


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
    Route("/account/again", send_own_link, methods=["POST"]),
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
