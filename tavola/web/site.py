"""What all request handlers share: the hub, the visitor, forms, rate limits, and the screens of rooms."""

import asyncio
import functools
import inspect
import json
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from cachetools import FIFOCache
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tavola import games
from tavola.club import Club, Holder, NotKept, tickets
from tavola.club.administration import Administration
from tavola.club.measures import DRAIN
from tavola.core import Game, Refusal
from tavola.core.matchfile import decode_text
from tavola.live import Hub, Room, protocol
from tavola.live.log.people import clean_name, command_key
from tavola.live.room_refusals import RoomShut
from tavola.metrics import SOCKETS
from tavola.show.speech import Say
from tavola.store import Conflict
from tavola.web.pages.chronicle import MatchSource, pack, story_of_chronicle
from tavola.web.render import game_say
from tavola.web.requests.counters import Counters
from tavola.web.requests.guard import HostNames, client_network
from tavola.web.requests.limits import Limits, RateLimiter, networks_around, post_price, share_of
from tavola.web.requests.request_refusals import Banned, Draining, Malformed, NoCookies, NotInvited, TooFast
from tavola.web.requests.visitor import PLAYED_COOKIE, Visitor, Visitors
from tavola.web.serve.offload import PROCESSES, Offload
from tavola.web.site_words import TEXT_TITLES, day_of, moment_of
from tavola.web.table.screen import RoomScreens

Fields = dict[str, str]
"""The fields of a form."""
Document = dict[str, Any]
"""The JSON object that a script has sent."""
Answer = Callable[[Request], Awaitable[Response]]
Handler = TypeVar("Handler", bound=Callable[..., Awaitable[Response]])
OPEN_TO_ALL = ("/account", "/admin", "/quiet/", *(f"/{name}" for name in TEXT_TITLES))
"""Beginnings of paths that visitors can open whom the operator has excluded."""
MOST_FIELDS = 64
LONGEST_CODE = 16
HEALTH_CACHED_FOR = 2.0
"""Seconds for which the result of a health check is reused."""
CLAIMED_FOR = 24 * 3600.0
"""Seconds for which the room that a form has opened is remembered."""
COOKIE_CHECK = "/cookie-check"
"""Prefix of the addresses to which a visitor without a cookie is redirected after a form, to check that one was set."""
MOST_KNOWN_ROOMS = 50_000
"""Maximum pairs of visitor and room that are remembered."""
REMEMBERED_FOR = 600.0
"""Seconds for which an answer is remembered."""
MOST_REMEMBERED = 500
"""Maximum answers that are remembered."""


class Answers:
    """Recent answers to forms, and those under way, by sender, address and contents of the form.

    Impatient clicks, slow connections and reloads repeat forms: each is executed once, and answered the same way.
    Refusals are not remembered, so forms can be sent again. Rooms are created only once even on another worker or
    after a restart, because their logs contain the ids of their commands.
    """

    def __init__(self) -> None:
        self._known: FIFOCache[str, asyncio.Future[Response]] = FIFOCache(MOST_REMEMBERED)

    async def once(self, key: str, answer: Callable[[], Awaitable[Response]]) -> Response:
        """Return what `answer` returns, or what it has returned or is about to return under the same key."""
        if (known := self._known.get(key)) is not None:
            return await asyncio.shield(known)
        loop = asyncio.get_running_loop()
        known = self._known[key] = loop.create_future()
        try:
            known.set_result(await answer())
        except BaseException as error:
            self._forget(key, known)
            if isinstance(error, Exception):
                known.set_exception(error)
                known.exception()  # marks it as retrieved: perhaps no one else awaits it
            else:
                known.cancel()
            raise
        loop.call_later(REMEMBERED_FOR, self._forget, key, known)
        return known.result()

    def _forget(self, key: str, known: asyncio.Future[Response]) -> None:
        if self._known.get(key) is known:
            del self._known[key]


class Shared(NamedTuple):
    """A rate limit that all visitors of an address share, and a smaller one for each visitor in good standing."""

    shared: RateLimiter
    own: RateLimiter

    def take(self, network: str, own: str, price: int = 1) -> None:
        """Take from the shared budget, else from that of `own` if given; raise `TooFast` if neither has enough."""
        try:
            self.shared.take(network, price)
        except TooFast:
            if not own:
                raise
            self.own.take(own, price)


@dataclass
class Site:
    """The parts of one running site."""

    hub: Hub
    visitors: Visitors
    limits: Limits
    names: HostNames = field(default_factory=HostNames)
    metrics_token: str = ""
    counters: Counters = field(default_factory=Counters)
    texts: Mapping[str, str] = field(default_factory=dict)
    by_invitation: bool = False
    room_screens: WeakKeyDictionary[Room, RoomScreens] = field(default_factory=WeakKeyDictionary)
    polled: dict[tuple[str, str], tuple[Callable[[], None], asyncio.TimerHandle]] = field(default_factory=dict)
    """Visitors whose pages have no socket, by room and visitor: a function that ends their presence, and its timer."""

    def __post_init__(self) -> None:
        rate = functools.partial(self.counters.limiter, limits=self.limits)
        alone = self.hub is None or self.hub.peers is None
        self.offload = Offload(PROCESSES if alone else 1, niceness=self.limits.niceness)
        self._packed: WeakKeyDictionary[Room, bytes] = WeakKeyDictionary()
        self.post_limiter, self.socket_limiter = rate("posts"), rate("openings_an_address")
        self._posts = Shared(rate("posts_an_address"), rate("posts_in_standing"))
        self._lines = Shared(rate("lines_an_address"), rate("lines_of_a_player"))
        self._messages = Shared(rate("messages_an_address"), rate("messages_of_a_player"))
        self.visit_limiter = rate("visits_an_address")
        self.room_limiter, self.room_limiter_an_address = rate("rooms"), rate("rooms_an_address")
        self.unknown_room_limiter = rate("unknown_rooms_an_address")
        self.email_limiter, self.export_limiter = rate("emails_an_address"), rate("exports_an_address")
        self.open_sockets = self.counters.gauge("sockets")
        self._checked: asyncio.Future[None] | None = None
        self._checked_at = 0.0
        self._known_rooms: FIFOCache[tuple[str, str], None] = FIFOCache(MOST_KNOWN_ROOMS)
        self.answers = Answers()

    @cached_property
    def club(self) -> Club:
        return Club(self.hub)

    @cached_property
    def administration(self) -> Administration:
        return Administration(self.club)

    def count_post(self, asked: HTTPConnection) -> None:
        """Count a sent form for the visitor and, by its price, for the address. Raise `TooFast` over a limit."""
        self.post_limiter.take(visitor_of(asked).id)
        self._posts.take(client_network(asked), self.visitors.standing(asked), post_price(asked.url.path))

    def count_line(self, asked: HTTPConnection, room: Room, person: str) -> None:
        """Count a line of talk for the address; players have a budget of their own. Raise `TooFast` over a limit."""
        self._lines.take(client_network(asked), own_key(room, person))

    def count_message(self, asked: HTTPConnection, room: Room, person: str) -> None:
        """Count a message on a socket, in the same way as a line of talk."""
        self._messages.take(client_network(asked), own_key(room, person))

    def require_invited(self, asked: HTTPConnection) -> None:
        """Raise `NotInvited` if the site is by invitation and the visitor has neither one nor an account."""
        if self.by_invitation and visitor_of(asked).holder is None and not self.visitors.is_invited(asked):
            raise NotInvited

    async def require_beginning(self, visitor: Visitor) -> None:
        """Raise `Draining` while the operator lets no match begin."""
        drain = (await self.club.directory.measures()).one(DRAIN, self.hub.settings.clock())
        if drain is not None:
            raise Draining(moment=moment_of(drain.ends_at, visitor.language))

    async def count_room(self, asked: HTTPConnection) -> None:
        """Count a room that a visitor opens, for the visitor and the address.

        Raise `TooFast` over a limit, `Draining` while the operator lets no match begin, `NotInvited` at a closed club.
        """
        self.require_invited(asked)
        await self.require_beginning(visitor_of(asked))
        self.room_limiter.take(visitor_of(asked).id)
        self.room_limiter_an_address.take(client_network(asked))

    def count_socket(self, asked: HTTPConnection) -> Callable[[], None]:
        """Count a visitor's new socket; return the function that releases it. Raise `TooFast` over a limit."""
        self.socket_limiter.take(client_network(asked))
        visitor, around = visitor_of(asked).id, networks_around(client_network(asked))
        if self.open_sockets[visitor] >= self.limits.sockets:
            raise TooFast(limit="sockets")
        if any(self.open_sockets[f"from {key}"] >= self.limits.sockets_an_address * share_of(key) for key in around):
            raise TooFast(limit="sockets_an_address")
        held = [visitor, *(f"from {key}" for key in around)]
        for key in held:
            self.open_sockets.add(key)
        SOCKETS.inc()

        def leave() -> None:
            for key in held:
                self.open_sockets.drop(key)
            SOCKETS.dec()

        return leave

    def origin_of(self, asked: HTTPConnection) -> str:
        """Return a mark of the client's address: equal for equal addresses, and not reversible."""
        return self.visitors.mark(client_network(asked))

    async def find_room(self, asked: HTTPConnection, code: str) -> Room:
        """Return the room with a code, or raise `UnknownRoom`, or `RoomShut` unless an administrator asks.

        A lookup takes a token before its result is known; otherwise clients without tokens could go on guessing. The
        token is returned if the room exists. Visitors who already know the room need none.
        """
        known = visitor_of(asked).id, code.strip().lower()[:LONGEST_CODE]
        if known not in self._known_rooms:
            self.unknown_room_limiter.take(client_network(asked))
        room = await self.hub.room(known[1])
        if known not in self._known_rooms:
            self.unknown_room_limiter.refund(client_network(asked))
            self._known_rooms[known] = None
        if room.state.shut and not self.visitors.is_administrator(asked):
            raise RoomShut
        return room

    async def require_admitted(self, asked: HTTPConnection) -> None:
        """Raise `Banned` if the operator has excluded the visitor or their network. Their own data stay theirs."""
        if asked.url.path.startswith(OPEN_TO_ALL):
            return
        visitor, network = visitor_of(asked), client_network(asked)
        measures, now = await self.club.directory.measures(), self.hub.settings.clock()
        if (ban := measures.ban_on((visitor.id, self.visitors.mark(network)), network, now)) is not None:
            raise Banned(day=day_of(ban.ends_at, visitor.language))

    async def claim_code(self, command: str, code: str) -> str:
        """Return the code of the room that a form opens: `code`, or the one that a worker has claimed for it before."""
        while True:
            with suppress(Conflict):  # another worker has claimed it a moment ago
                return await self.hub.store.transact(lambda execute: tickets.claim(execute, command, code, CLAIMED_FOR))

    async def check_health(self) -> None:
        """Write to the database, or raise `WriteFailed`. The result is reused for `HEALTH_CACHED_FOR` seconds."""
        now = time.monotonic()
        if self._checked is None or (self._checked.done() and now - self._checked_at > HEALTH_CACHED_FOR):
            self._checked, self._checked_at = asyncio.ensure_future(self.hub.store.check_writable()), now
        await asyncio.shield(self._checked)

    def packed_match(self, room: Room) -> bytes:
        """Return the match of a finished room, packed once for other processes."""
        if room not in self._packed:
            self._packed[room] = pack(MatchSource.of(room))
        return self._packed[room]

    def made_of(
        self, what: str, room: Room, visitor: Visitor, seat: int | None, make: Callable[[Say], str | Markup]
    ) -> str:
        """Return what `make` makes of a room for a seat, in the visitor's language; kept until something happens."""
        names, game = tuple(room.names), room.state.game
        key = what, room.id, visitor.language, names, room.state.moment, seat
        return self.offload.made(key, lambda: make(game_say(game, visitor.language, names)).encode()).decode()

    async def prepare_screens(self, room: Room, language: str) -> None:
        """Prepare the slow parts of a room's screens before the first of them is made."""
        screens = self.screens_of(room)
        if screens.awaits_story:
            packed = self.packed_match(room)
            screens.story = await self.offload.once(("story", room.id), room.id, story_of_chronicle, packed)
        await screens.prepare(language)

    def screens_of(self, room: Room) -> RoomScreens:
        if room not in self.room_screens:
            self.room_screens[room] = RoomScreens(room)
        return self.room_screens[room]


BEGINNINGS = (protocol.Start, protocol.Fill, protocol.Rematch, protocol.Ready)
"""Commands that begin a match, or open the room of one."""


def own_key(room: Room, person: str) -> str:
    """Return the key of a player's own budget in a room; empty for anyone without a seat there."""
    return f"{person} {room.id}" if room.state.seat_of(person) is not None else ""


def site_of(asked: HTTPConnection) -> Site:
    """Return the site that received a request."""
    return asked.app.state.site  # type: ignore[no-any-return]


def visitor_of(asked: HTTPConnection) -> Visitor:
    """Return the visitor who sent a request."""
    return asked.state.visitor  # type: ignore[no-any-return]


def holder_of(asked: HTTPConnection) -> Holder:
    """Return the visitor as the holder of an account, or raise `NotKept`."""
    if (holder := visitor_of(asked).holder) is None:
        raise NotKept
    return holder


async def room_of(asked: HTTPConnection) -> Room:
    """Return the room in the address. Each lookup of an unknown code takes a token, which makes guessing slow."""
    return await site_of(asked).find_room(asked, asked.path_params["code"])


async def form_of(request: Request) -> Fields:
    """Return the fields of a form as texts, a file by its contents. Raise `Malformed` if the form cannot be read."""
    if hasattr(request.state, "fields"):
        return dict(request.state.fields)
    most, fields = site_of(request).limits.record, {}
    try:
        async with request.form(max_files=1, max_fields=MOST_FIELDS, max_part_size=most) as form:
            for name, value in form.items():
                fields[name] = value if isinstance(value, str) else decode_text(await value.read())
    except Refusal:
        raise
    except (ValueError, HTTPException) as error:
        raise Malformed from error
    request.state.fields = fields
    return dict(fields)


async def document_of(request: Request) -> Document:
    """Return the JSON object that a script has sent. Raise `Malformed` if it is not one."""
    try:
        document = json.loads(await request.body())
    except (ValueError, RecursionError) as error:
        raise Malformed from error
    if not isinstance(document, dict):
        raise Malformed
    return document


def text_of(fields: Fields, name: str, default: str | None = None) -> str:
    """Return a field, or `default` if it is missing. Raise `Malformed` if both are."""
    if (value := fields.get(name, default)) is None:
        raise Malformed
    return value


def number_of(fields: Fields, name: str, default: str | None = None) -> int:
    """Return a field as a whole number that is not negative. Raise `Malformed` if it is not one."""
    value = text_of(fields, name, default)
    if not (value.isascii() and value.isdecimal() and len(value) < 10):
        raise Malformed
    return int(value)


PARAMETERS: Mapping[Any, Callable[[Any], Any]] = {
    Request: lambda request: request,
    Site: site_of,
    Club: lambda request: site_of(request).club,
    Visitor: visitor_of,
    Holder: holder_of,
    Room: room_of,
    Game: lambda request: games.load(request.path_params["name"]),
    Fields: form_of,
    Document: document_of,
}
"""What a handler can have as a parameter, by its annotation: a function of the request, which may be asynchronous."""


class Routes(list[BaseRoute]):
    """The routes of a module, with decorators that add them. A handler's parameters are found in the request, in order.

    `parameters`: further annotations that the handlers of this module can have, like those in `PARAMETERS`.
    """

    def __init__(self, parameters: Mapping[Any, Callable[[Any], Any]] | None = None) -> None:
        super().__init__()
        self._parameters = {**PARAMETERS, **(parameters or {})}

    def get(self, *paths: str) -> Callable[[Handler], Handler]:
        """Return a decorator that adds a handler for requests that change nothing."""
        return lambda handler: self._add(handler, *(Route(path, self._answer(handler)) for path in paths))

    def post(self, path: str) -> Callable[[Handler], Handler]:
        """Return a decorator that adds a handler of forms, limited by `limit_posts`."""
        return lambda handler: self._add(handler, Route(path, limit_posts(self._answer(handler)), methods=["POST"]))

    def _add(self, handler: Handler, *routes: Route) -> Handler:
        self.extend(routes)
        return handler

    def _answer(self, handler: Handler) -> Answer:
        parameters = [self._parameters[each.annotation] for each in inspect.signature(handler).parameters.values()]

        async def answer(request: Request) -> Response:
            given = []
            for find in parameters:
                found = find(request)
                given.append(await found if inspect.isawaitable(found) else found)
            return await handler(*given)

        return answer


def limit_posts(answer: Answer) -> Answer:
    """Limit the forms that a visitor and an address send, and handle a form that is sent twice only once.

    The site's own forms have a `command_id`, and its pages set a cookie: raise `NoCookies` for such a form without one.
    """

    @functools.wraps(answer)
    async def limited(request: Request) -> Response:
        site, visitor = site_of(request), visitor_of(request)
        site.count_post(request)
        fields = await form_of(request)
        token = fields.get("command_id") or request.headers.get("x-command-id", "")
        if (token or "with_cookies" in fields) and not request.cookies:
            raise NoCookies
        said = repr((visitor.id, token, request.url.path, sorted(fields.items())))
        request.state.command = site.visitors.mark(said) if token else ""
        if not token:
            return check_cookie(request, await answer(request))
        return await site.answers.once(request.state.command, lambda: answer(request))

    return limited


def check_cookie(request: Request, response: Response) -> Response:
    """Return the response; one that leads a visitor without a cookie to a room leads to the cookie check first."""
    if request.cookies or not response.headers.get("location", "").startswith("/r/"):
        return response
    if "set-cookie" not in response.headers:
        visitor = visitor_of(request)
        site_of(request).visitors.remember(response, request, visitor.id, visitor.name)
    response.headers["location"] = COOKIE_CHECK + response.headers["location"]
    return response


async def opening(request: Request, *, public: bool) -> dict[str, str]:
    """Return the code and the key for the room that a form opens: the same ones if the form is sent twice."""
    site, command = site_of(request), request.state.command
    if not command:
        return {}
    code = await site.claim_code(command, site.hub.new_code(public=public))
    return {"code": code, "key": command_key(visitor_of(request).person, command)}


def command_id(request: Request) -> str:
    """Return the id of a form's command: the same for a form that is sent twice, random for one without an id."""
    return request.state.command or secrets.token_hex(8)


def default_pace(request: Request) -> str:
    """Return the default pace of animations: calm in a first match."""
    return "brisk" if request.cookies.get(PLAYED_COOKIE) == "yes" else "calm"


def redirect(path: str) -> RedirectResponse:
    """Return a redirect to a page of the site after a form."""
    return RedirectResponse(path, 303)


def remember_name(request: Request, response: Response, name: str) -> Response:
    """Store a guest's name in their cookie; the name of an account is stored with it."""
    visitor = visitor_of(request)
    if visitor.holder is None:
        site_of(request).visitors.remember(response, request, visitor.id, name)
    return response


async def given_name(request: Request, fields: Fields, default: str | None = None) -> str:
    """Return the name in a form, as others will read it, and rename the visitor's account if they have one.

    Raise `NameTaken` if it looks like the name of another account, `ReservedName` if it is reserved.
    """
    name, visitor, club = clean_name(text_of(fields, "name", default)), visitor_of(request), site_of(request).club
    if visitor.holder is None:
        await club.require_free_name(name)
    elif name not in (visitor.name, visitor.display_name):
        await club.rename(visitor.holder, name)
    return name
