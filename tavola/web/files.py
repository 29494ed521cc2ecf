"""Style, scripts, fonts and icons: below an address that changes with them, so that a browser asks for each only once.

Pages link below `/static/VERSION/`. What lies there is answered from memory and kept by browsers for good; scripts that
import one another stay below it. What is asked for without a version, or with that of another release, comes from disk,
and is asked for again each time.
"""

import gzip
import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from tavola.web.door.visitor import WEB_FOLDER

FOLDER = WEB_FOLDER / "static"
IMMUTABLE = {"Cache-Control": "public, max-age=31536000, immutable"}
VERSION = re.compile("[0-9a-f]{16}")
PACKED_TYPES = ("text/", "image/svg")
"""The beginnings of media types that take less room packed."""


class KeptFile(NamedTuple):
    """A file in memory: as it is, packed where that helps, and its media type."""

    body: bytes
    packed: bytes | None
    media_type: str | None


class StaticFolder(StaticFiles):
    """The files that all pages share."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer for a path below the mount, with its version or without."""
        version, _, rest = path.partition("/")
        if VERSION.fullmatch(version) is None:
            return await self._fresh(path, scope)
        kept = self._kept(rest) if version == static_version() else None
        return _immutable(kept, Request(scope)) if kept is not None else await self._fresh(rest, scope)

    async def _fresh(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response

    def _kept(self, path: str) -> KeptFile | None:
        file, facts = self.lookup_path(path)
        return kept_file(Path(file)) if facts is not None and S_ISREG(facts.st_mode) else None


@cache
def static_version() -> str:
    """Return what names all that lies in the folder now: another name where any of it is another."""
    digest = hashlib.sha256()
    for file in sorted(FOLDER.rglob("*")):
        if file.is_file():
            digest.update(str(file.relative_to(FOLDER)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


@cache
def kept_file(file: Path) -> KeptFile:
    """Read a file, once."""
    body, media_type = file.read_bytes(), mimetypes.guess_type(file)[0]
    packed = gzip.compress(body, mtime=0) if (media_type or "").startswith(PACKED_TYPES) else None
    return KeptFile(body, packed, media_type)


def _immutable(kept: KeptFile, request: Request) -> Response:
    if kept.packed is None:
        return Response(kept.body, headers=IMMUTABLE, media_type=kept.media_type)
    headers = {**IMMUTABLE, "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(kept.body, headers=headers, media_type=kept.media_type)
    return Response(kept.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=kept.media_type)
