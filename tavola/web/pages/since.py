"""What happened in a match since the visitor was last there: offered, but only shown on request.

It is shown as the visitor's seat saw it. Only the server knows which moments these are, because some are secret steps
of other seats.
"""

import contextlib
import json
import re
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tavola.live import Room
from tavola.store import WriteFailed
from tavola.web.pages.chronicle import MatchSource, pack
from tavola.web.pages.retold import scene_since, told_since
from tavola.web.render import game_title, render_page
from tavola.web.requests.request_refusals import Malformed, TooFast
from tavola.web.requests.visitor import Visitor
from tavola.web.site import Routes, Site, redirect

SCENE_NUMBER = re.compile(r"[0-9]{1,4}")
routes = Routes()


def is_remembered(room: Room, visitor: Visitor) -> bool:
    """Return whether it is stored what a visitor has seen: of correspondence matches, and of live ones they play."""
    state = room.state
    if state.match is None:
        return False
    return bool(state.settings.days) or (state.phase == "playing" and state.seat_of(visitor.id) is not None)


async def visit(site: Site, room: Room, visitor: Visitor, network: str) -> dict[str, Any]:
    """Record that a visitor views a match; return what happened since the last visit, empty if nothing.

    `moments`: how many their seat noticed; `seconds`: how long they take. Empty also while the database is unavailable.
    """
    if not is_remembered(room, visitor):
        return {}
    with contextlib.suppress(WriteFailed, TooFast):
        first = await _noted(site, room, visitor, network)
        told = await told_of(site, room, visitor, first)
        if told["moments"]:
            scenes = [{**scene, "at": datetime.fromtimestamp(scene["at"], UTC)} for scene in told["scenes"]]
            return {**told, "scenes": scenes, "seconds": max(1, round(told["milliseconds"] / 1000))}
    return {}


async def _noted(site: Site, room: Room, visitor: Visitor, network: str) -> int:
    """Return the moment up to which a visitor has seen a match: a live one entirely, unless they have looked away."""
    memory = site.club.memory
    if room.state.settings.days:
        if room.state.seat_of(visitor.id) is None:
            site.visit_limiter.take(network)
        return await memory.note_visit(visitor.id, room.id, room.moments)
    seen = await memory.moment_seen(visitor.id, room.id)
    return room.moments if seen is None else seen


async def note_seen(site: Site, room: Room, visitor: Visitor) -> None:
    """Record that a visitor has seen all that has happened; do nothing while the database is unavailable."""
    if is_remembered(room, visitor):
        with contextlib.suppress(WriteFailed):
            await site.club.memory.note_seen(visitor.id, room.id, room.moments, live=not room.state.settings.days)


async def told_of(site: Site, room: Room, visitor: Visitor, first: int) -> dict[str, Any]:
    """Return what a seat noticed after a moment, as `told_since` does."""
    if first >= room.moments:
        return {"moments": 0, "milliseconds": 0, "lines": [], "more": False, "scenes": [], "earlier": 0}
    return json.loads(await _made(site, room, visitor, first, told_since))  # type: ignore[no-any-return]


async def _made(site: Site, room: Room, visitor: Visitor, first: int, work: Any, *more: int) -> bytes:
    """Return what `work` makes of the match from a moment on, for the visitor; kept until something happens."""
    seat, pace = room.state.seat_of(visitor.id), room.state.settings.pace
    arguments = visitor.language, first, seat, pace, *more
    key = work.__name__, room.id, tuple(room.names), room.moments, len(room.state.undone), *arguments
    return await site.offload.page(key, room.id, work, pack(MatchSource.of(room)), *arguments)


@routes.get("/r/{code}/since")
async def since_page(request: Request, site: Site, room: Room, visitor: Visitor) -> Response:
    """Show what happened since: as a scene for the board if JSON is requested, else in sentences.

    `again`: from the end of the visitor's turn before the last one, also if they have seen it.
    """
    first = None
    if room.state.match is not None and "again" in request.query_params:
        first = turn_before_last(room, visitor)
    elif room.state.match is not None:
        first = await site.club.memory.moment_seen(visitor.id, room.id)
    if first is None or first >= room.moments:
        return redirect(f"/r/{room.id}")
    if "application/json" in request.headers.get("accept", ""):
        number = request.query_params.get("scene", "")
        if number and not SCENE_NUMBER.fullmatch(number):
            raise Malformed
        only = (int(number),) if number else ()
        made = await _made(site, room, visitor, first, scene_since, *only)
        return Response(made, media_type="application/json", headers={"Cache-Control": "no-store"})
    told = await told_of(site, room, visitor, first)
    return render_page(request, "since.html", room=room, name=game_title(room.state.game, visitor.language), **told)


def turn_before_last(room: Room, visitor: Visitor) -> int:
    """Return the public action that ended the visitor's turn before the last one; 0 if they have not had two."""
    seat, turns, own = room.state.seat_of(visitor.id), 0, False
    for at in range(room.moments, 0, -1):
        before, own = own, room.state.actor(at) == seat
        turns += own and not before
        if turns == 2:
            return at
    return 0


async def scenes_waiting(site: Site, room: Room, visitor: Visitor) -> tuple[int, str]:
    """Return how many scenes of a match a visitor has not seen, and what happens in the last of them."""
    with contextlib.suppress(WriteFailed, TooFast):
        first = await site.club.memory.moment_seen(visitor.id, room.id)
        if first is not None:
            told = await told_of(site, room, visitor, first)
            return told["earlier"] + len(told["scenes"]), told["scenes"][-1]["what"] if told["scenes"] else ""
    return 0, ""


@routes.post("/r/{code}/seen")
async def see(request: Request, site: Site, room: Room, visitor: Visitor) -> Response:
    """Record that everything has been seen: the visitor looked away, watched the scenes or decided."""
    await note_seen(site, room, visitor)
    if "text/html" in request.headers.get("accept", ""):
        return redirect(f"/r/{room.id}")
    return Response(status_code=204)
