"""ASGI middleware for a site below a path of its host, such as `https://example.org/games/`.

Inside, the site is at the root of its host, and hardly anything knows the path. Requests lose it here, and addresses
get it: here those of redirects and of pages, in `morph.js` those of the fragments that sockets send as patches, and in
`absolute_url` those to be shared. Scripts find the path in their own address; styles have relative addresses.
"""

import re

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LINKED = re.compile(
    rb"""([ "](?:href|src|action|formaction|data-(?:again|minute|seen|socket|sounds|words))=["'])/(?![/\\])"""
)
"""Matches the attributes of pages that contain addresses, up to the slash of an address of the site."""


class Subpath:
    """A site below `path`, which begins with a slash and does not end with one.

    The proxy passes addresses as they are. Other paths are answered with 404, except those in `open_paths`.
    """

    def __init__(self, app: ASGIApp, path: str, open_paths: tuple[str, ...]) -> None:
        self.app, self.path, self.open_paths = app, path, open_paths
        self._linked = rb"\1%b/" % path.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or scope["path"] in self.open_paths:
            await self.app(scope, receive, send)
        elif scope["path"].startswith(f"{self.path}/"):
            inside = scope["path"].removeprefix(self.path)
            raw = scope.get("raw_path", b"").removeprefix(self.path.encode())
            within = {**scope, "path": inside, "raw_path": raw, "subpath": self.path}
            await self.app(within, receive, send if scope["type"] == "websocket" else self._linking(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})
        elif scope["path"] == self.path:
            await RedirectResponse(f"{self.path}/", 308)(scope, receive, send)
        else:
            expected = f"Expected an address below {self.path}/: the proxy must pass paths unchanged.\n"
            await PlainTextResponse(expected, 404)(scope, receive, send)

    def _linking(self, send: Send) -> Send:
        """Return `send` for an answer: pages are kept back until they are whole, since their length changes."""
        start: Message = {}
        parts: list[bytes] = []

        async def sending(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("location", "").startswith("/"):
                    headers["location"] = self.path + headers["location"]
                if headers.get("content-type", "").startswith("text/html"):
                    start = message
                    return
            elif start and message["type"] == "http.response.body":
                parts.append(message.get("body", b""))
                if message.get("more_body"):
                    return
                page = LINKED.sub(self._linked, b"".join(parts))
                if any(parts):  # not the answer to HEAD
                    MutableHeaders(scope=start)["content-length"] = str(len(page))
                await send(start)
                message = {"type": "http.response.body", "body": page}
            await send(message)

        return sending


def subpath_of(asked: HTTPConnection) -> str:
    """Return the path below which a request found the site, empty for the root of its host."""
    return str(asked.scope.get("subpath", ""))
