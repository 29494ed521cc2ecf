"""Replays of finished matches, and what happened since the visitor was last there, as one seat saw it.

Every moment of a replay has an address. What happened since is offered, but only shown on request; only the server
knows which moments these are, because some are secret steps of other seats.
"""

import contextlib
import json
import re
from collections.abc import Callable, Hashable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from tavola.core import Moment
from tavola.core.text import mark
from tavola.live import Room
from tavola.live.room_refusals import NotOver
from tavola.store import WriteFailed
from tavola.web.pages import chronicle
from tavola.web.pages.retold import scene_again, scene_since, told_since
from tavola.web.render import SITE_SLOT, absolute_url, fill_page, game_title, page_response, render_page
from tavola.web.requests.request_refusals import Malformed, TooFast
from tavola.web.requests.visitor import Visitor
from tavola.web.site import Routes, Site, number_of, redirect, room_of, site_of, visitor_of


class Finished(NamedTuple):
    """A request about a finished match: the visitor, the site and the room."""

    request: Request
    site: Site
    visitor: Visitor
    room: Room

    @classmethod
    async def of(cls, request: Request) -> "Finished":
        """Return what a request asks for; raise `NotOver` unless the match is over."""
        room = await room_of(request)
        if room.state.phase != "over":
            raise NotOver(mark("the match isn’t over yet: a replay would reveal secrets"))
        return cls(request, site_of(request), visitor_of(request), room)

    def number(self, name: str, most: int | None) -> int | None:
        """Return a whole number from the query, None if missing; `Malformed` if invalid or above `most`."""
        if not self.request.query_params.get(name):
            return None
        number = number_of(dict(self.request.query_params), name)
        if most is not None and number > most:
            raise Malformed
        return number

    def guesses(self, eyes: int | None, at: int) -> tuple[tuple[int, str], ...]:
        """Return what the visitor had guessed of others by then, if they view their own seat."""
        if eyes is None or eyes != self.room.state.seat_of(self.visitor.id):
            return ()
        return tuple(sorted(self.room.state.guesses_of(eyes, Moment(at)).items()))

    async def make(self, work: Callable[..., bytes], *told: Hashable, beside: tuple[Any, ...] = ()) -> bytes:
        """Return what `work` makes of the match in the visitor's language; `told` is part of its key, `beside` not."""
        room, language = self.room, self.visitor.language
        key = work.__name__, room.id, tuple(room.names), language, *told
        return await self.site.offload.page(key, room.id, work, self.site.packed_match(room), language, *told, *beside)


routes = Routes({Finished: Finished.of})


@routes.get("/r/{code}/replay")
async def replay_page(request: Request, asked: Finished) -> Response:
    """Show one moment: `?at=K` after K actions, `as=SEAT` as that seat saw it."""
    last = asked.room.state.recorded_actions
    eyes, at = asked.number("as", len(asked.room.seats) - 1), asked.number("at", None)
    at = last if at is None else min(at, last)
    page = await asked.make(chronicle.replay_page, at, eyes, asked.guesses(eyes, at))
    return page_response(request, fill_page(request, page, **{SITE_SLOT: absolute_url(request, "")}))


@routes.get("/r/{code}/again")
async def again_page(asked: Finished) -> Response:
    """Return what led to a moment, `?at=K`, as a scene that the last screen plays on its board."""
    if not (at := asked.number("at", asked.room.state.recorded_actions)):
        raise Malformed
    made = await asked.make(scene_again, at)
    return Response(made, media_type="application/json", headers={"Cache-Control": "no-store"})


@routes.get("/r/{code}/picture.svg")
async def picture_file(asked: Finished) -> Response:
    """Return the picture of a finished match, to be shared."""
    await asked.site.prepare_screens(asked.room, asked.visitor.language)
    made = await asked.make(chronicle.picture_of_match, beside=(asked.site.screens_of(asked.room).story,))
    return Response(made, media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


# What happened since the last visit


SCENE_NUMBER = re.compile(r"[0-9]{1,4}")


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
    return await site.offload.page(key, room.id, work, chronicle.pack(chronicle.MatchSource.of(room)), *arguments)


@routes.get("/r/{code}/since")
async def since_page(request: Request, site: Site, room: Room, visitor: Visitor) -> Response:
    """Show what happened since: as a scene for the board if JSON is requested, else in sentences.

    `again`: from the end of the visitor's turn before the last one, also if they have seen it.
    """
    if room.state.match is None:
        return redirect(f"/r/{room.id}")
    again = "again" in request.query_params
    first = turn_before_last(room, visitor) if again else await site.club.memory.moment_seen(visitor.id, room.id)
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
        if (first := await site.club.memory.moment_seen(visitor.id, room.id)) is not None:
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
