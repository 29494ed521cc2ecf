"""Tavola as an installed page: its manifest, and the worker that keeps the shell and the last boards."""

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from tavola.web.files import FOLDER
from tavola.web.site import visitor_of

GROUND = "#12525e"
"""The colour behind the icon, before the page is there."""
ICONS = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("maskable-512.png", "512x512", "image/png", "maskable"),
)
"""File, sizes, type and purpose."""


async def manifest(request: Request) -> Response:
    """What a browser needs to know to install the page, in the visitor's language."""
    visitor = visitor_of(request)
    document = {
        "id": "/",
        "name": "Tavola",
        "short_name": "Tavola",
        "description": visitor.say(
            "Tavola: board games with friends and bots. No account needed, no tracking, no advertising."
        ),
        "lang": visitor.language,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "categories": ["games"],
        "icons": [
            {"src": f"/static/icons/{name}", "sizes": sizes, "type": kind, "purpose": purpose}
            for name, sizes, kind, purpose in ICONS
        ],
    }
    headers = {"Cache-Control": "no-cache", "Vary": "Cookie, Accept-Language"}
    return JSONResponse(document, media_type="application/manifest+json", headers=headers)


async def worker(request: Request) -> Response:
    """The script of the worker: at the root, since it may see no pages above its own address."""
    file = FOLDER / "js" / "worker.js"
    return FileResponse(file, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


ROUTES = [Route("/manifest.webmanifest", manifest), Route("/worker.js", worker)]
