"""A finished match, moment by moment, through the eyes of any seat. Every moment has an address."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tavola.core import Moment
from tavola.core.text import mark
from tavola.live import Room
from tavola.live.room_refusals import NotOver
from tavola.web.door.request_refusals import Malformed
from tavola.web.pages.chronicle import picture_of_match, scene_again
from tavola.web.pages.chronicle import replay_page as make_page
from tavola.web.render import SITE_SLOT, fill_page, page_response, site_address
from tavola.web.site import room_of, site_of, visitor_of


async def replay_page(request: Request) -> Response:
    """One moment: `?at=K` after K actions, `as=SEAT` as that seat saw it."""
    room, visitor = await room_of(request), visitor_of(request)
    require_over(room)
    eyes = query_number(request, "as", len(room.seats) - 1)
    asked = query_number(request, "at", None)
    last = room.state.recorded_actions
    at = last if asked is None else min(asked, last)
    own = eyes is not None and eyes == room.state.seat_of(visitor.id)
    noted = dict(sorted(room.state.guesses_of(eyes, Moment(at)).items())) if own and eyes is not None else {}
    key = "replay", room.id, tuple(room.names), visitor.language, at, eyes, tuple(noted.items())
    packed = site_of(request).packed_match(room)
    page = await site_of(request).offload.page(key, room.id, make_page, packed, visitor.language, at, eyes, noted)
    return page_response(request, fill_page(request, page, **{SITE_SLOT: site_address(request)}))


def query_number(request: Request, name: str, most: int | None) -> int | None:
    """A whole number from the address; None where it is left out."""
    text = request.query_params.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10) or (most is not None and int(text) > most):
        raise Malformed
    return int(text)


async def again_page(request: Request) -> Response:
    """What led to a moment, `?at=K`, as a scene that the last screen plays on its board."""
    room, visitor = await room_of(request), visitor_of(request)
    require_over(room)
    at = query_number(request, "at", room.state.recorded_actions)
    if not at:
        raise Malformed
    key, packed = ("again", room.id, tuple(room.names), visitor.language, at), site_of(request).packed_match(room)
    made = await site_of(request).offload.page(key, room.id, scene_again, packed, visitor.language, at)
    return Response(made, media_type="application/json", headers={"Cache-Control": "no-store"})


async def picture_file(request: Request) -> Response:
    """The picture of a match that is over, to be shared."""
    room, visitor = await room_of(request), visitor_of(request)
    require_over(room)
    site = site_of(request)
    await site.prepare_screens(room, visitor.language)
    story, packed = site.screens_of(room).story, site.packed_match(room)
    key = "picture", room.id, tuple(room.names), visitor.language
    made = await site.offload.page(key, room.id, picture_of_match, packed, visitor.language, story)
    return Response(made, media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


def require_over(room: Room) -> None:
    """Refuse while the match is not over: `NotOver`."""
    if room.state.phase != "over":
        raise NotOver(mark("the match is not over: its replay would tell secrets"))


ROUTES = [
    Route("/r/{code}/replay", replay_page),
    Route("/r/{code}/again", again_page),
    Route("/r/{code}/picture.svg", picture_file),
]
