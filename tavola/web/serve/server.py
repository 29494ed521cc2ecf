"""`tavola serve`: the site on a port or a Unix socket of this machine."""

import asyncio
import contextlib
import gc
import logging
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import uvicorn
from starlette.applications import Starlette

from tavola import games
from tavola.bots import LEVELS
from tavola.core.compilation import machine_code
from tavola.core.registry import find
from tavola.live import Hub
from tavola.live.bots.rehearsal import GLANCING, rehearse
from tavola.live.protocol import LARGEST_MESSAGE
from tavola.live.readiness import Compile, Readiness
from tavola.show.cards import picture_of, words_of
from tavola.show.speech import LANGUAGES
from tavola.store import Store, open_store
from tavola.web.app import application
from tavola.web.pages.home import make_home_page
from tavola.web.render import environment
from tavola.web.requests import wire
from tavola.web.requests.counters import Counters
from tavola.web.requests.guard import MONITORED, HostNames
from tavola.web.requests.subpath import Subpath
from tavola.web.requests.visitor import site_say
from tavola.web.serve.affinity import AffinityRouter
from tavola.web.serve.authoring import TracebackPages, Tracebacks
from tavola.web.serve.listening import listening_socket, site_url, unix_path
from tavola.web.serve.logs import configure_logging
from tavola.web.serve.settings import SiteSettings

SWITCH_INTERVAL = 0.0005
"""Seconds after which a thread that computes yields to the event loop.

The loop waits for it at every read and write, about ten times a page. With the usual 5 ms, reading one room blocks all
others.
"""
HANDOVER_TIMEOUT = 5.0
"""Seconds in which rooms are handed over to other workers."""
NO_SIGN = 20.0
"""Maximum seconds for which a page that no longer answers, as on a frozen phone, counts as connected."""
logger = logging.getLogger(__name__)


def serve(settings: SiteSettings, ready: Callable[[str], None] = print) -> None:
    """Serve the site until interrupted; call `ready` with its address as soon as it can be opened.

    The compiled code of the rules is loaded first, so that no click waits for it. One of several workers loads all of
    it, because the others serve meanwhile. A single process loads the code of search bots in the background.
    """
    ready_games = [] if settings.author else compiled_games(settings)
    if not settings.author:
        load_pages()
        warm_up(ready_games, LEVELS if settings.listening is not None else GLANCING)
    configure_logging(settings.log_format, settings.log_level)
    sys.setswitchinterval(SWITCH_INTERVAL)
    with contextlib.closing(open_store(settings.database)) as store:
        counters, opening = Counters(), partial(open_hub, settings, store)
        known = settings.limits, settings.names, counters, ready_games, settings.mail
        more = settings.metrics_token, settings.texts, settings.by_invitation
        app = application(opening, store.signing_key(), *known, *more)
        if settings.author:
            show_tracebacks(app, settings.names)
            environment.globals["static"] = "/static"  # without a version, so browsers reload files
        configured = server_config(app, settings, counters)
        server, shared = Server(configured, ready, shared=settings.listening is not None), settings.listening
        if shared is None and unix_path(settings.host) is not None:
            with listening_socket(settings.host, settings.port) as listening:
                server.run([listening])
        else:
            server.run([shared] if shared else None)


def compiled_games(settings: SiteSettings) -> list[str]:
    """Return the games that need not be compiled first."""
    return [name for name in games.names() if name not in settings.missing]


@asynccontextmanager
async def open_hub(settings: SiteSettings, store: Store) -> AsyncIterator[Hub]:
    """Open the hub of a site while its compiled code is loaded; close the store with it."""
    rooms, compiling = settings.hub, settings.compile_game and partial(compile_and_load, settings.compile_game)
    if settings.affinity is not None:
        rooms = replace(rooms, has_affinity=settings.affinity.has_affinity)
    readiness = Readiness(settings.missing, compiling, settings.compilers) if compiling else Readiness()
    hub = await Hub.open(store, rooms, readiness)
    compiled = compiled_games(settings) if settings.listening is None else []
    loading = asyncio.create_task(load_compiled(readiness, compiled))
    try:
        yield hub
    finally:
        loading.cancel()
        await hub.close()
        store.close()


def server_config(app: Starlette, settings: SiteSettings, counters: Counters | None = None) -> uvicorn.Config:
    """Return uvicorn's settings. Frames are not compressed: their sizes would reveal what secrets and chat share."""
    proxies = settings.proxies if unix_path(settings.host) is None else (*settings.proxies, wire.UNIX_PEER)
    configured = uvicorn.Config(
        Subpath(app, settings.names.path, MONITORED) if settings.names.path else app,
        host=settings.host,
        port=settings.port,
        http=wire.HttpConnection,
        ws=wire.WebSocketConnection,
        backlog=wire.BACKLOG,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        timeout_keep_alive=wire.IDLE_TIMEOUT,
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        ws_ping_interval=NO_SIGN / 2,
        ws_ping_timeout=NO_SIGN / 2,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    capacity, inside = wire.raise_descriptor_limit(), counters.gauge("connections") if counters is not None else None
    configured.limiter = wire.ConnectionLimiter(settings.limits, capacity, settings.proxies, inside)  # type: ignore[attr-defined]
    configured.affinity = settings.affinity  # type: ignore[attr-defined]
    configured.site = app  # type: ignore[attr-defined]
    return configured


class Server(uvicorn.Server):
    """A server that calls `ready` with its address, and hands its rooms over before it stops.

    With a `shared` socket it stops when its standard input is closed.
    """

    def __init__(self, configured: uvicorn.Config, ready: Callable[[str], None], *, shared: bool = False) -> None:
        super().__init__(configured)
        self.ready, self.shared = ready, shared
        self.affinity: AffinityRouter | None = configured.affinity  # type: ignore[attr-defined]
        self._site: Starlette = configured.site  # type: ignore[attr-defined]
        self._handovers: set[asyncio.Task[None]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.started or self.should_exit:
            return
        if self.shared:
            asyncio.get_running_loop().add_reader(sys.stdin, self._stop_with_parent)
        try:
            if self.affinity is not None:
                self.affinity.open(self._take_connection)
        except OSError as error:
            logger.warning("connections cannot be passed to other workers and are served where they arrive: %s", error)
        address = site_url(self.servers[0].sockets[0].getsockname())
        logger.info("started at %s", address)
        await asyncio.to_thread(self.ready, address)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        if self.affinity is not None:
            self.affinity.close(self._take_connection)
        try:
            await asyncio.wait_for(self._site.state.site.hub.leave(), HANDOVER_TIMEOUT)
        except TimeoutError:
            said = "failed to hand over the rooms within %s seconds: other workers will claim them"
            logger.warning(said, HANDOVER_TIMEOUT)
        await super().shutdown(sockets)

    def _take_connection(self, connection: socket.socket, asked: bytes) -> None:
        task = asyncio.create_task(self._serve_handover(connection, asked))
        self._handovers.add(task)
        task.add_done_callback(self._handovers.discard)

    async def _serve_handover(self, connection: socket.socket, asked: bytes) -> None:
        def protocol() -> wire.HttpConnection:
            made = wire.HttpConnection(self.config, self.server_state, self.lifespan.state)
            made.first_bytes = asked
            return made

        try:
            await asyncio.get_running_loop().connect_accepted_socket(protocol, connection)
        except OSError:  # the client has gone meanwhile
            connection.close()

    def _stop_with_parent(self) -> None:
        asyncio.get_running_loop().remove_reader(sys.stdin)
        self.should_exit = True


def show_tracebacks(app: Starlette, names: HostNames) -> None:
    """Show tracebacks on the pages, wherever the error was."""
    tracebacks = Tracebacks()
    logging.getLogger().addHandler(tracebacks)
    app.add_middleware(TracebackPages, tracebacks=tracebacks, names=names)


async def compile_and_load(compile_game: Compile, name: str) -> None:
    """Compile a game in another process, then load its machine code into this one."""
    await compile_game(name)
    await asyncio.to_thread(warm_up, [name])
    logger.info("%s is compiled", name)


def load_pages() -> None:
    """Load the texts and pictures of all games, the templates and all languages, which takes about a second.

    Otherwise the first request for a page would block all others.
    """
    for name in games.names():
        with contextlib.suppress(Exception):  # errors of a game are shown on the pages that need it
            _ = words_of(games.load(name)), picture_of(games.load(name))
    for template in environment.list_templates():
        environment.get_template(template)
    for language in LANGUAGES:
        site_say(language).load_lists()
        with contextlib.suppress(Exception):
            make_home_page(language, "", (), ())


def warm_up(names: Sequence[str], levels: Iterable[str] = LEVELS) -> None:
    """Compile or load from the cache what matches of these games need, so that clicks are answered at once."""
    with machine_code():
        for name in names:
            rehearse(find(name), levels)


async def load_compiled(readiness: Readiness, compiled: Sequence[str]) -> None:
    """Load the compiled code that matches need, then exclude it from garbage collection."""
    await asyncio.to_thread(warm_up, compiled)
    await readiness.wait_all()
    await asyncio.to_thread(freeze_heap)


def freeze_heap() -> None:
    """Exclude what lasts as long as the server from garbage collection.

    A full collection blocks every room for a tenth of a second. It finds little: sockets and screens are freed without
    it, and idle rooms are not urgent. After this call full ones are rare. Small ones take 0.6 microseconds for each new
    object, so they are frequent and look at few.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 5, 8_000)
