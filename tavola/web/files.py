"""Styles, scripts, fonts and icons, at addresses that change with the files so that browsers can cache them.

Pages link to `/static/VERSION/`. Files there are served from memory and cached for a year; scripts import one another
below the same address. Requests without a version, or with that of another release, are served from disk, and browsers
must revalidate the response.
"""

import gzip
import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from tavola.web.requests.visitor import WEB_FOLDER

FOLDER = WEB_FOLDER / "static"
IMMUTABLE = {"Cache-Control": "public, max-age=31536000, immutable"}
VERSION = re.compile("[0-9a-f]{16}")
PACKED_TYPES = ("text/", "image/svg")
"""Prefixes of the media types that are compressed."""


class KeptFile(NamedTuple):
    """A file in memory: its bytes, the same compressed if that helps, and its media type."""

    body: bytes
    packed: bytes | None
    media_type: str | None


class StaticFolder(StaticFiles):
    """The static files that all pages share."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the response for a path below the mount, with or without a version."""
        version, _, rest = path.partition("/")
        if VERSION.fullmatch(version) is None:
            return await self._fresh(path, scope)
        file, facts = self.lookup_path(rest)
        if version != static_version() or facts is None or not S_ISREG(facts.st_mode):
            return await self._fresh(rest, scope)
        return _immutable(kept_file(Path(file)), Headers(scope=scope))

    async def _fresh(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


@cache
def static_version() -> str:
    """Return the version of the folder: 16 hexadecimal digits that change with any of its files."""
    digest = hashlib.sha256()
    for file in sorted(FOLDER.rglob("*")):
        if file.is_file():
            digest.update(str(file.relative_to(FOLDER)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


@cache
def kept_file(file: Path) -> KeptFile:
    """Return the contents of a file, which is read only once."""
    body, media_type = file.read_bytes(), mimetypes.guess_type(file)[0]
    packed = gzip.compress(body, mtime=0) if (media_type or "").startswith(PACKED_TYPES) else None
    return KeptFile(body, packed, media_type)


def _immutable(kept: KeptFile, asked: Headers) -> Response:
    body, headers = kept.body, dict(IMMUTABLE)
    if kept.packed is not None:
        headers["Vary"] = "Accept-Encoding"
        if "gzip" in asked.get("accept-encoding", ""):
            body, headers["Content-Encoding"] = kept.packed, "gzip"
    return Response(body, headers=headers, media_type=kept.media_type)
