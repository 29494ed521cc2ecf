"""Replays of finished matches, moment by moment, as any seat saw them. Every moment has an address."""

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from tavola.core import Moment
from tavola.core.text import mark
from tavola.live import Room
from tavola.live.room_refusals import NotOver
from tavola.web.pages import chronicle
from tavola.web.pages.retold import scene_again
from tavola.web.render import SITE_SLOT, fill_page, page_response, site_address
from tavola.web.requests.request_refusals import Malformed
from tavola.web.requests.visitor import Visitor
from tavola.web.site import Routes, Site, number_of, room_of, site_of, visitor_of


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
    return page_response(request, fill_page(request, page, **{SITE_SLOT: site_address(request)}))


@routes.get("/r/{code}/again")
async def again_page(asked: Finished) -> Response:
    """Return what led to a moment, `?at=K`, as a scene that the last screen plays on its board."""
    at = asked.number("at", asked.room.state.recorded_actions)
    if not at:
        raise Malformed
    made = await asked.make(scene_again, at)
    return Response(made, media_type="application/json", headers={"Cache-Control": "no-store"})


@routes.get("/r/{code}/picture.svg")
async def picture_file(asked: Finished) -> Response:
    """Return the picture of a finished match, to be shared."""
    await asked.site.prepare_screens(asked.room, asked.visitor.language)
    made = await asked.make(chronicle.picture_of_match, beside=(asked.site.screens_of(asked.room).story,))
    return Response(made, media_type="image/svg+xml", headers={"Cache-Control": "no-store"})
