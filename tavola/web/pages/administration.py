"""The operator's own texts, and the page on which browsers with a link of `tavola admin` administer the site.

Its forms are also what the subcommands of `tavola admin` send: each is one operation of `Administration`.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tavola.club import UsedTicket
from tavola.club.administration import Administration
from tavola.web.pages.chronicle import text_page as make_text_page
from tavola.web.render import fill_page, page_response, render_page
from tavola.web.requests.request_refusals import NotAdministrator
from tavola.web.requests.visitor import ENTRANCE, LASTS, Visitor, set_signed_cookie
from tavola.web.site import Fields, Routes, Site, redirect, site_of, text_of
from tavola.web.site_words import TEXT_TITLES, day_of
from tavola.web.table.turn import written_time

ACTS: Mapping[str, Callable[[Administration, Fields], Awaitable[None]]] = {
    "done": lambda office, fields: office.done(text_of(fields, "report")),
    "reopen": lambda office, fields: office.done(text_of(fields, "report"), done=False),
    "close": lambda office, fields: office.close_room(text_of(fields, "room")),
    "ban": lambda office, fields: office.ban(
        text_of(fields, "who"), text_of(fields, "until"), address="address" in fields
    ),
    "announce": lambda office, fields: office.announce(text_of(fields, "words", ""), text_of(fields, "until", "")),
    "drain": lambda office, fields: office.drain(text_of(fields, "until", "")),
    "rename": lambda office, fields: office.rename(text_of(fields, "who"), text_of(fields, "name")),
    "forget": lambda office, fields: office.forget(text_of(fields, "who")),
    "unban": lambda office, fields: office.lift(text_of(fields, "who")),
}
"""The operations, by the last part of the address to which their forms are sent."""


def office_of(request: Request) -> Administration:
    """Return the operations of the site; raise `NotAdministrator` for anyone but an administrator."""
    site = site_of(request)
    if not site.visitors.is_administrator(request):
        raise NotAdministrator
    return site.administration


routes = Routes({Administration: office_of})


@routes.get(*(f"/{name}" for name in TEXT_TITLES))
async def text_page(request: Request, site: Site, visitor: Visitor) -> Response:
    """Show one of the operator's own texts, if it is given."""
    name = request.url.path.strip("/")
    if name not in site.texts:
        raise HTTPException(404)
    made = make_text_page, TEXT_TITLES[name], site.texts[name], visitor.language
    return page_response(request, fill_page(request, await site.offload.page(("text", *made[1:]), name, *made)))


@routes.get("/invited/{token}")
async def invited(request: Request, site: Site) -> Response:
    """Let the visitor play at a closed club, with this browser."""
    token = request.path_params["token"]
    if site.visitors.read("invitation", token) is None:
        raise UsedTicket
    return set_signed_cookie(redirect("/"), request, site.visitors.invited_cookie, token)


@routes.get("/admin")
async def administration_page(request: Request, site: Site, visitor: Visitor, office: Administration) -> Response:
    """Show reports, bans, and the forms of all operations."""
    found = [(report, await is_over(site, report.room)) for report in await office.reports()]
    day = partial(day_of, language=visitor.language)
    values = {"reports": found, "bans": await office.bans(), "rooms": await office.rooms()}
    return render_page(request, "admin.html", day=day, written=written_time, **values)


async def is_over(site: Site, code: str) -> bool:
    """Return whether a room has a finished match, which has a replay."""
    if (room := site.hub.residents.get(code)) is not None:
        return room.state.phase == "over"
    return bool(await site.hub.ask("SELECT 1 FROM event WHERE room = ? AND kind = 'over'", (code,)))


@routes.get("/admin/room")
async def room_page(request: Request, site: Site, office: Administration) -> Response:
    """Show the people of the room `code`, with what can be done about it and them."""
    room = await site.find_room(request, request.query_params.get("code", ""))
    return render_page(request, "admin_room.html", room=room, people=office.people(room))


@routes.get("/admin/enter/{token}")
async def entrance_page(request: Request, site: Site) -> Response:
    """Show a button that uses the link up, so that programs that fetch pages do not."""
    if site.visitors.read(ENTRANCE, request.path_params["token"]) is None:
        raise UsedTicket
    return render_page(request, "enter.html")


@routes.post("/admin/enter/{token}")
async def enter(request: Request, site: Site) -> Response:
    """Make this browser an administrator's; each link does so once."""
    token = request.path_params["token"]
    if site.visitors.read(ENTRANCE, token) is None:
        raise UsedTicket
    await site.administration.use_entrance(token, LASTS[ENTRANCE])
    name, cookie = site.visitors.administrator_cookie, site.visitors.new_token("administrator")
    return set_signed_cookie(redirect("/admin"), request, name, cookie, LASTS["administrator"])


@routes.post("/admin/leave")
async def leave(request: Request, site: Site) -> Response:
    """Make this browser an administrator's no longer."""
    return set_signed_cookie(redirect("/"), request, site.visitors.administrator_cookie, "", 0)


@routes.post("/admin/{act}")
async def act(request: Request, office: Administration, fields: Fields) -> Response:
    """Carry out one operation."""
    if request.path_params["act"] not in ACTS:
        raise HTTPException(404)
    await ACTS[request.path_params["act"]](office, fields)
    return redirect("/admin")
