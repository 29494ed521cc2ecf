"""Files at the root: manifest and service worker of the installed page, icons that browsers request, robots.txt.

The installed page starts at *My games* while a match waits there, and its icon shows how many do.
"""

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response

from tavola.live import Room
from tavola.web.files import FOLDER
from tavola.web.pages.mine import own_due, running_rooms
from tavola.web.requests.subpath import subpath_of
from tavola.web.requests.visitor import Visitor
from tavola.web.site import Routes, Site, redirect

GROUND = "#12525e"
"""Colour behind the icon, before the page has loaded."""
ICONS = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("maskable-512.png", "512x512", "image/png", "maskable"),
)
"""File, sizes, type and purpose."""
ROOT_ICONS = {
    "/favicon.ico": "icon-192.png",
    "/apple-touch-icon.png": "maskable-180.png",
    "/apple-touch-icon-precomposed.png": "maskable-180.png",
}
"""Icons that browsers request without reading a page."""
A_DAY = {"Cache-Control": "public, max-age=86400"}
ROBOTS = """\
# Nothing is closed. A robot that could not read a private page would not see that it says noindex, and might list its
# address; and the preview of a link needs the page.
User-agent: *
Disallow:
"""
routes = Routes()


@routes.get("/manifest.webmanifest")
async def manifest(request: Request, visitor: Visitor) -> Response:
    """Return what a browser needs to install the page, in the visitor's language."""
    root = subpath_of(request)
    document = {
        "id": f"{root}/",
        "name": "Tavola",
        "short_name": "Tavola",
        "description": visitor.say(
            "Tavola: board games with friends and bots. No account needed, no tracking, no ads."
        ),
        "lang": visitor.language,
        "start_url": f"{root}/start",
        "scope": f"{root}/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "categories": ["games"],
        "icons": [
            {"src": f"{root}/static/icons/{name}", "sizes": sizes, "type": kind, "purpose": purpose}
            for name, sizes, kind, purpose in ICONS
        ],
        "shortcuts": [
            {"name": visitor.say("My games"), "url": f"{root}/mine"},
            {"name": visitor.say("Join with a code"), "url": f"{root}/#code"},
        ],
    }
    headers = {"Cache-Control": "no-cache", "Vary": "Cookie, Accept-Language"}
    return JSONResponse(document, media_type="application/manifest+json", headers=headers)


@routes.get("/start")
async def start(site: Site, visitor: Visitor) -> Response:
    """Go to *My games* while a match waits for the visitor there, else to the home page."""
    return redirect("/mine" if _waiting(await running_rooms(site, visitor), visitor) else "/")


@routes.get("/mine/waiting")
async def waiting(site: Site, visitor: Visitor) -> Response:
    """Return `count`, the number of correspondence matches that wait for the visitor.

    `rules`: the addresses of the rules of all correspondence matches that they play.
    """
    running = await running_rooms(site, visitor)
    rules = sorted({f"/games/{room.state.game.reference}/rules" for room in running})
    told = {"count": _waiting(running, visitor), "rules": rules}
    return JSONResponse(told, headers={"Cache-Control": "no-store"})


def _waiting(running: list[Room], visitor: Visitor) -> int:
    return sum(own_due(room, visitor) is not None for room in running)


@routes.get("/worker.js")
async def worker() -> Response:
    """Return the service worker: at the root, since it controls only pages below its own address."""
    file = FOLDER / "js" / "app" / "worker.js"
    return FileResponse(file, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


@routes.get(*ROOT_ICONS)
async def root_icon(request: Request) -> Response:
    """Return an icon at the address where browsers look for it."""
    return FileResponse(FOLDER / "icons" / ROOT_ICONS[request.url.path], media_type="image/png", headers=A_DAY)


@routes.get("/robots.txt")
async def robots() -> Response:
    """Return what robots may fetch."""
    return PlainTextResponse(ROBOTS, headers=A_DAY)
