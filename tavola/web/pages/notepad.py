"""Notes to oneself about a match: shown to whoever wrote them and to nobody else, kept as he writes."""

import contextlib

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tavola.club.notepad import Notes, OtherNotes
from tavola.core import Refusal
from tavola.core.text import mark
from tavola.live import Room
from tavola.live.log.require import require_seat
from tavola.live.room_refusals import NotPlaying
from tavola.store import WriteFailed
from tavola.web.door.visitor import Visitor
from tavola.web.sentences import refusal_sentence
from tavola.web.site import Site, form_of, limit_posts, number_of, redirect, room_of, site_of, text_of, visitor_of


async def notes_shown(site: Site, room: Room, visitor: Visitor) -> Notes:
    """Return what somebody who sits in a room has noted for himself; nothing for others, or while it cannot be read."""
    if room.state.seat_of(visitor.id) is not None:
        with contextlib.suppress(WriteFailed):
            return await site.club.memory.notes(visitor.id, room.id)
    return Notes()


@limit_posts
async def keep_notes(request: Request) -> Response:
    """Keep notes in place of those that were shown; scripts are answered with the new version, as JSON."""
    room, visitor, site, fields = await room_of(request), visitor_of(request), site_of(request), await form_of(request)
    scripted = "application/json" in request.headers.get("accept", "")
    try:
        if room.state.match is None:
            raise NotPlaying(mark("the match has not begun"))
        require_seat(room.state, visitor.person)
        version = number_of(fields, "version")
        made = await site.club.memory.write_notes(visitor.id, room.id, text_of(fields, "words"), version)
    except Refusal as refusal:
        if not scripted:
            raise
        return await refused(site, room, visitor, refusal)
    return JSONResponse({"version": made}) if scripted else redirect(f"/r/{room.id}")


async def refused(site: Site, room: Room, visitor: Visitor, refusal: Refusal) -> Response:
    """Say to a script why notes are not kept; with what there is now where they were changed elsewhere."""
    said = {"kind": type(refusal).__name__, "sentence": refusal_sentence(refusal, visitor.say)}
    there = (await notes_shown(site, room, visitor))._asdict() if isinstance(refusal, OtherNotes) else {}
    return JSONResponse({**said, **there}, refusal.status, {"Cache-Control": "no-store"})


ROUTES = [Route("/r/{code}/notes", keep_notes, methods=["POST"])]
