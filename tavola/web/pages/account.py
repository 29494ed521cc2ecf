"""Accounts: how guests keep their seats, and the page of an account.

Every form works without scripts, except passkeys. No answer reveals whether an address or a person is known.
"""

import json
import re
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tavola.club import Club, Entry, Guest, Holder, NotKept, UsedTicket
from tavola.club.links import CHANGE_ADDRESS, DEVICE, ENTRANCES, SIGN_IN, Link
from tavola.club.passkeys import Origin
from tavola.club.sending.mail import clean_address, mask_address
from tavola.live import Room
from tavola.web.pages.notify import offer_of
from tavola.web.render import absolute_url, qr_code, render_page, site_address
from tavola.web.requests.guard import client_network
from tavola.web.requests.visitor import Visitor, set_signed_cookie
from tavola.web.site import Document, Fields, Routes, Site, holder_of, redirect, site_of, text_of, visitor_of
from tavola.web.site_words import day_of, preferences_of

BROWSERS = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
SYSTEMS = tuple(
    (each, each.removesuffix(" OS X")) for each in ("iPhone", "iPad", "Android", "Windows", "Mac OS X", "Linux")
)
SECRET = re.compile(r"[A-Za-z0-9_-]{20,80}")


def guest_of(request: Request) -> Guest:
    """Return the visitor as the club knows them: two words for their device are enough for them, but no fingerprint."""
    visitor, agent = visitor_of(request), request.headers.get("user-agent", "")
    found = [next((name for sign, name in known if sign in agent), "") for known in (BROWSERS, SYSTEMS)]
    device = " · ".join(filter(None, found)) or "?"
    session = visitor.holder.session if visitor.holder is not None else ""
    return Guest(visitor.id, visitor.name, device, visitor.language, visitor.account, session)


def origin_of(request: Request) -> Origin:
    """Return the site as the visitor's browser knows it."""
    return Origin(site_address(request), request.url.hostname or "")


def require_passkeys(request: Request) -> Origin:
    """Return the site as a browser knows it; raise 404 if browsers have no passkeys there."""
    origin = origin_of(request)
    if not origin.has_passkeys:
        raise HTTPException(404)
    return origin


def proven_holder(request: Request) -> Holder:
    """Return the account holder; raise `ProveAgain` unless they have signed in recently."""
    holder = holder_of(request)
    site_of(request).club.require_proof(holder)
    return holder


def require_proof(request: Request) -> None:
    """Raise `ProveAgain` if the visitor has an account and has not signed in recently."""
    if visitor_of(request).holder is not None:
        proven_holder(request)


def ways_of(request: Request) -> dict[str, bool]:
    """Return the ways to sign in that this site offers."""
    return {"passkeys": origin_of(request).has_passkeys, "mail": site_of(request).club.mailer is not None}


routes = Routes({Guest: guest_of, Origin: require_passkeys})

# Pages


@routes.get("/account")
async def account_page(request: Request, visitor: Visitor, club: Club) -> Response:
    """Show guests how to keep their seats, and account holders their account."""
    ways = ways_of(request)
    if visitor.holder is None:
        after = request.query_params.get("after", "")
        return render_page(request, "keep.html", ways=ways, again=False, after=after)
    await club.note_seen(visitor.holder)
    if (known := await club.overview(visitor.holder.account)) is None:
        raise NotKept
    offer, preference = await offer_of(request), await club.preference(visitor.holder.account)
    written_to, notified = ways["mail"] and known.address is not None, bool(offer and offer["known"])
    own = {
        "push": offer,
        "preferences": preferences_of(visitor.say, preference, written_to=written_to, notified=notified),
        "preference": preference,
        "stopped": await club.notices.stopped(visitor.holder.account),
        "session": visitor.holder.session,
        "proven": club.is_proven(visitor.holder),
    }
    day = partial(day_of, language=visitor.language)
    return render_page(request, "account.html", ways=ways, known=known, day=day, **own)


@routes.get("/account/again")
async def again_page(request: Request) -> Response:
    """Ask account holders to sign in again, by a passkey or a link to the account's own address."""
    address = await own_address(request)
    ways = {**ways_of(request), "mail": bool(address)}
    return render_page(request, "keep.html", ways=ways, again=True, address=mask_address(address))


async def own_address(request: Request) -> str:
    """Return the address of the visitor's account, empty if it has none or e-mail is not available."""
    if (known := await site_of(request).club.overview(holder_of(request).account)) is None:
        raise NotKept
    return (known.address or "") if ways_of(request)["mail"] else ""


@routes.get("/r/{code}/leave")
async def leaving_page(request: Request, room: Room, visitor: Visitor) -> Response:
    """Show what becomes of a seat when its player leaves a correspondence match, and how to return."""
    kept = visitor.holder is not None
    return render_page(request, "leaving.html", room=room, kept=kept, ways=ways_of(request), again=False)


# Passkeys: a script requests options for its browser, and posts the browser's answer


@routes.post("/account/passkey/{way:str}/options")
async def passkey_options(request: Request, club: Club, origin: Origin, visitor: Visitor, guest: Guest) -> Response:
    """Return what a browser needs to create a passkey or to use one."""
    if request.path_params["way"] == "enter":
        return JSONResponse(await club.request_options(origin))
    require_proof(request)
    return JSONResponse(await club.passkey_options(origin, guest, visitor.display_name))


@routes.post("/account/passkey/{way:str}")
async def bring_passkey(request: Request, club: Club, origin: Origin, guest: Guest, answer: Document) -> Response:
    """Add a passkey that was created, or sign in with one."""
    if request.path_params["way"] == "enter":
        shown = await club.enter_by_passkey(origin, guest, answer)
        if isinstance(shown, str):
            return JSONResponse({"to": f"/account/link/{shown}"})
        return await sign_in(request, shown, as_json=True)
    require_proof(request)
    site_of(request).require_invited(request)
    entry = await club.add_passkey(origin, guest, answer)
    return JSONResponse({"to": "/account"}) if entry is None else await sign_in(request, entry, as_json=True)


async def sign_in(request: Request, entry: Entry, *, as_json: bool = False) -> Response:
    """Sign the visitor in: set the cookie of the new session, and end the previous one of this browser."""
    before, site = visitor_of(request).holder, site_of(request)
    if before is not None:
        await site.club.go_on(before, entry)
        await site.club.end_sessions(before.account, only=before.session)
    response: Response = JSONResponse({"to": "/account"}) if as_json else redirect("/account")
    return set_signed_cookie(response, request, site.visitors.cookie, site.visitors.sign("session", entry.secret))


# Links


@routes.post("/account/mail")
async def send_link(request: Request, club: Club, visitor: Visitor, fields: Fields) -> Response:
    """Send a link to an address, to sign in or to make it the account's. The answer does not reveal whose it is."""
    if club.mailer is None:
        raise HTTPException(404)
    require_proof(request)
    purpose = SIGN_IN if visitor.holder is None else CHANGE_ADDRESS
    return await send_to(request, purpose, clean_address(text_of(fields, "address")))


@routes.post("/account/again")
async def send_own_link(request: Request) -> Response:
    """Send a link to sign in again, only to the address of the visitor's own account."""
    if not (address := await own_address(request)):
        raise HTTPException(404)
    return await send_to(request, SIGN_IN, address)


async def send_to(request: Request, purpose: str, address: str) -> Response:
    """Send a link to a clean address, so that its e-mails are counted however it was written."""
    site = site_of(request)
    site.email_limiter.take(client_network(request))
    counted = f"address {address}"
    await site.club.links.send(guest_of(request), purpose, address, site.visitors.mark(counted))
    return render_page(request, "sent.html", purpose=purpose)


async def find_link(request: Request, secret: str, *purposes: str) -> Link:
    """Return what a link does for the visitor; raise `UsedTicket`, limited against guessing, if it does nothing."""
    site = site_of(request)
    if (link := await site.club.links.look(guest_of(request), secret, *purposes)) is None:
        site.unknown_room_limiter.take(client_network(request))
        raise UsedTicket
    return link


@routes.get("/account/link/{secret}")
async def link_page(request: Request) -> Response:
    """Show what a link does before it is used, so that programs that fetch pages do not use it up."""
    return show_link(request, await find_link(request, secret_of(request), *ENTRANCES))


def show_link(request: Request, link: Link) -> Response:
    """Show what a link does, and what guests may do with the seats that they have here."""
    since = day_of(link.since, visitor_of(request).language) if link.account is not None else ""
    return render_page(request, "link.html", path=request.url.path, link=link, since=since)


async def settle_seats(club: Club, guest: Guest, link: Link, fields: Fields) -> bool | None:
    """Return whether a guest brings their seats, None if they have not said; leave them if not."""
    brings = link.brings(fields.get("seats", ""))
    if brings is False:
        await club.leave_seats(guest)
    return brings


@routes.post("/account/link/{secret}")
async def use_link(request: Request, club: Club, guest: Guest, fields: Fields) -> Response:
    """Sign in by a link, or change an address."""
    secret = secret_of(request)
    link = await find_link(request, secret, *ENTRANCES)
    if link.account is None:  # it opens a new one
        site_of(request).require_invited(request)
    if (brings := await settle_seats(club, guest, link, fields)) is None:
        return redirect(request.url.path)
    entry = await club.use_link(guest, secret, brings=brings)
    return redirect("/account") if entry is None else await sign_in(request, entry)


@routes.post("/account/device")
async def make_seat_link(request: Request, site: Site, guest: Guest) -> Response:
    """Show, once, the link by which visitors continue as themselves on another device."""
    require_proof(request)
    secret = await site.club.links.issue_seat_link(guest)
    address = absolute_url(request, f"/seat/{site.visitors.sign('seat', secret)}")
    return render_page(request, "device.html", address=address, qr=qr_code(address))


@routes.get("/seat/{secret}")
async def seat_link_page(request: Request) -> Response:
    """Show who the visitor will be on this device, before the link is used."""
    return show_link(request, await find_link(request, sealed_secret_of(request), DEVICE))


@routes.post("/seat/{secret}")
async def use_seat_link(request: Request, site: Site, visitor: Visitor, guest: Guest, fields: Fields) -> Response:
    """Continue as the same person on this device."""
    secret, before = sealed_secret_of(request), visitor.holder
    brings = await settle_seats(site.club, guest, await find_link(request, secret, DEVICE), fields)
    if brings is None:
        return redirect(request.url.path)
    made = await site.club.use_seat_link(guest, secret, brings=brings)
    if isinstance(made, Entry):
        return await sign_in(request, made)
    if before is not None:
        await site.club.end_sessions(before.account, only=before.session)
    return site.visitors.remember(redirect("/"), request, made.person, made.name)


def secret_of(request: Request) -> str:
    """Return the secret in an address; raise `UsedTicket` if its form is invalid."""
    secret = str(request.path_params["secret"])
    if not SECRET.fullmatch(secret):
        raise UsedTicket
    return secret


def sealed_secret_of(request: Request) -> str:
    """Return the secret in a signed address; raise `UsedTicket`, without a lookup, if we have not signed it."""
    if not (secret := site_of(request).visitors.read("seat", str(request.path_params["secret"]))):
        raise UsedTicket
    return str(secret)


# Changes to an account


@routes.post("/account/sessions")
async def end_session(request: Request, site: Site, holder: Holder, fields: Fields) -> Response:
    """End this session, or another one or all others after a recent sign-in."""
    which = text_of(fields, "session")
    if which in ("this", holder.session):
        await site.club.end_sessions(holder.account, only=holder.session)
        return forget_visitor(request)
    site.club.require_proof(holder)
    others = {"keep": holder.session} if which == "others" else {"only": which}
    await site.club.end_sessions(holder.account, **others)
    return redirect("/account")


def forget_visitor(request: Request) -> Response:
    """Redirect to the home page, and delete the cookies that identify the visitor."""
    return site_of(request).visitors.forget(redirect("/"), request)


@routes.post("/account/ways")
async def remove_way(request: Request, club: Club, fields: Fields) -> Response:
    """Remove a passkey or the address."""
    holder = proven_holder(request)
    if "passkey" in fields:
        await club.remove_passkey(holder.account, fields["passkey"])
    else:
        await club.remove_address(holder.account)
    return redirect("/account")


def owner_of(request: Request) -> str:
    """Return whose data the visitor may export and delete: their account, after a recent sign-in, or the guest."""
    require_proof(request)
    visitor = visitor_of(request)
    return visitor.account or visitor.id


@routes.get("/account/export")
async def export(request: Request, site: Site) -> Response:
    """Return everything that is known about the visitor, as a JSON file."""
    owner = owner_of(request)
    site.export_limiter.take(owner)
    headers = {"Content-Disposition": 'attachment; filename="tavola.json"', "Cache-Control": "no-store"}
    text = json.dumps(await site.club.export(owner), ensure_ascii=False, indent=1)
    return Response(text, media_type="application/json", headers=headers)


@routes.get("/account/delete")
async def delete_page(request: Request) -> Response:
    """Show what deleting an account, or a guest, does before it is done."""
    return render_page(request, "delete.html")


@routes.post("/account/delete")
async def delete(request: Request, club: Club) -> Response:
    """Delete the visitor's account, or the guest."""
    await club.delete(owner_of(request))
    return forget_visitor(request)
