"""What every handler needs, in one place: the hub, who visits, the limits, and the screens of the rooms."""

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response

from tavola.core import Refusal
from tavola.live import Hub, Room
from tavola.live.refusals import UnknownRoom
from tavola.web.guard import Limits, Malformed, Rate, address
from tavola.web.screen import Stage
from tavola.web.visitor import Visitor, Visitors

Fields = dict[str, str]
Handler = Callable[[Request], Awaitable[Response]]
FIELDS = 64


@dataclass
class Site:
    """The parts of one running site."""

    hub: Hub
    visitors: Visitors
    limits: Limits
    stages: WeakKeyDictionary[Room, Stage] = field(default_factory=WeakKeyDictionary)

    def __post_init__(self) -> None:
        self.posts, self.rooms = Rate(self.limits.posts), Rate(self.limits.rooms)
        self.unknown = Rate(self.limits.unknown_rooms)
        self.sockets: Counter[str] = Counter()

    def stage(self, room: Room) -> Stage:
        """The screens of a room, made once."""
        if room not in self.stages:
            self.stages[room] = Stage(room)
        return self.stages[room]


def site_of(asked: HTTPConnection) -> Site:
    """The site a request came to."""
    return asked.app.state.site  # type: ignore[no-any-return]


def visitor_of(asked: HTTPConnection) -> Visitor:
    """Who asks."""
    return asked.state.visitor  # type: ignore[no-any-return]


async def room_of(asked: HTTPConnection) -> Room:
    """The room in the address. Guessing codes is slow: each miss costs a token."""
    return await find_room(asked, asked.path_params["code"])


async def find_room(asked: HTTPConnection, code: str) -> Room:
    """The room with a code, or `UnknownRoom`."""
    try:
        return await site_of(asked).hub.room(code.strip()[:16])
    except UnknownRoom:
        site_of(asked).unknown.take(address(asked))
        raise


async def form_of(request: Request) -> Fields:
    """The fields of a form as texts, a file among them by its contents; `Malformed` when it cannot be read."""
    try:
        async with request.form(max_files=1, max_fields=FIELDS, max_part_size=site_of(request).limits.record) as form:
            return {name: await _text(value) for name, value in form.items()}
    except Refusal:
        raise
    except (ValueError, HTTPException) as error:
        raise Malformed from error


async def _text(value: UploadFile | str) -> str:
    return value if isinstance(value, str) else (await value.read()).decode("utf-8-sig")


def text_of(fields: Fields, name: str, otherwise: str | None = None) -> str:
    """One field; `Malformed` when it is missing and need not be."""
    value = fields.get(name, otherwise)
    if value is None:
        raise Malformed
    return value


def number_of(fields: Fields, name: str, otherwise: str | None = None) -> int:
    """One field as a whole number, not negative."""
    value = text_of(fields, name, otherwise)
    if not (value.isascii() and value.isdecimal() and len(value) < 10):
        raise Malformed
    return int(value)


def writing(handler: Handler) -> Handler:
    """A handler of a form: a visitor may send only so many."""

    async def limited(request: Request) -> Response:
        site_of(request).posts.take(visitor_of(request).id)
        return await handler(request)

    return limited


def onwards(path: str) -> RedirectResponse:
    """To a page of ours, after a form."""
    return RedirectResponse(path, 303)


def known_as(request: Request, response: Response, name: str) -> Response:
    """Remember the visitor, and the name he gave, in his cookie."""
    visitor = visitor_of(request)
    site_of(request).visitors.remember(response, request, visitor.id, name)
    return response
