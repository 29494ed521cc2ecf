"""`tavola serve`: the site on a port of this machine."""

import asyncio
import gc
import ipaddress
import itertools
import logging
import socket
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette

from tavola import games
from tavola.bots import LEVELS, bot
from tavola.core.compiled import machine_code
from tavola.live import Hub
from tavola.live.protocol import LARGEST
from tavola.live.readiness import Make, Readiness
from tavola.store import Keeping, open_store
from tavola.web.app import application
from tavola.web.authoring import TracebackPages, Tracebacks
from tavola.web.guard import Limits, Names
from tavola.web.homes import Homes
from tavola.web.quiet import to_the_log
from tavola.web.tally import Tally
from tavola.web.wire import BACKLOG, IDLE, Door, Http, Socket, raise_descriptors

WARM_UP_MOVES = 12
LEAVING = 5.0
"""Seconds in which rooms are handed over to other workers."""
log = logging.getLogger(__name__)


def serve(
    host: str,
    port: int,
    database: Path | str,
    *,
    bot_pause: float = 0.8,
    level: str = "search",
    ready: Callable[[str], None] = print,
    limits: Limits | None = None,
    scenes: bool = True,
    missing: Sequence[str] = (),
    compile_game: Make | None = None,
    compilers: int = 1,
    names: Names | None = None,
    proxies: tuple[str, ...] = (),
    keeping: Keeping | None = None,
    listening: socket.socket | None = None,
    homes: Homes | None = None,
    author: bool = False,
) -> None:
    """Serve the site until interrupted. `ready` is given the page's address as soon as it can be opened.

    `names`: what the site is called, any name unless told. `proxies`: the addresses of those who may say for whom they
    ask and whether it was encrypted; nobody unless told. `keeping`: what is kept for how long.

    Compiled code is read behind the scenes. `missing` games are compiled by `compile_game` meanwhile, as many at once
    as there are `compilers`, and run as plain Python until then. Without `scenes` nobody waits until what was played
    was shown.

    `port` 0 takes a free one. `database` is a file, made when it does not exist, or an address of PostgreSQL's.
    `listening`: a socket that several workers share; this one then ends with who started it. `homes`: which rooms are
    at home at which of them. `author`: faults are shown on the pages as they were raised.
    """
    compiled = [name for name in games.names() if name not in missing]
    if listening is not None and not author:
        warm_up(compiled)  # others serve meanwhile, and who is handed a room has it at once
    store = open_store(database)

    @asynccontextmanager
    async def opening() -> AsyncIterator[Hub]:
        readiness = Readiness(missing, made_and_loaded(compile_game), compilers) if compile_game else Readiness()
        hub = await Hub.open(
            store,
            bot_pause=bot_pause,
            level=level,
            scenes=scenes,
            keeping=keeping,
            readiness=readiness,
            at_home=homes.here if homes is not None else None,
        )
        loading = asyncio.create_task(settle(readiness, compiled if listening is None else []))
        try:
            yield hub
        finally:
            loading.cancel()
            await hub.close()
            store.close()

    to_the_log()
    try:
        tally = Tally()
        app = application(opening, store.secret(), limits, names, tally)
        if author:
            show_tracebacks(app)
        configured = config(app, host, port, limits, proxies, tally, homes)
        Server(configured, ready, shared=listening is not None).run([listening] if listening is not None else None)
    finally:
        store.close()


def config(
    app: Starlette,
    host: str,
    port: int,
    limits: Limits | None = None,
    proxies: tuple[str, ...] = (),
    tally: Tally | None = None,
    homes: Homes | None = None,
) -> uvicorn.Config:
    """How the site is served. Frames are not compressed: their sizes would tell what secrets and chat share."""
    configured = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=Http,
        ws=Socket,
        backlog=BACKLOG,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        timeout_keep_alive=IDLE,
        ws_max_size=LARGEST,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    inside = tally.numbers("connections") if tally is not None else None
    configured.door = Door(limits or Limits(), raise_descriptors(), proxies, inside)  # type: ignore[attr-defined]
    configured.homes = homes  # type: ignore[attr-defined]
    return configured


class Server(uvicorn.Server):
    """A server that says when it listens, and where; and that hands its rooms over before it stops.

    With a `shared` socket it stops when its standard input ends.
    """

    def __init__(self, configured: uvicorn.Config, ready: Callable[[str], None], *, shared: bool = False) -> None:
        super().__init__(configured)
        self.ready, self.shared = ready, shared
        self.homes: Homes | None = configured.homes  # type: ignore[attr-defined]
        self._taking: set[asyncio.Task[None]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and not self.should_exit:
            if self.shared:
                asyncio.get_running_loop().add_reader(sys.stdin, self._alone)
            self._move_in()
            await asyncio.to_thread(self.ready, address_of(self.servers[0].sockets[0].getsockname()))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        if self.homes is not None:
            self.homes.close(self._take)
        try:
            await asyncio.wait_for(self.config.app.state.site.hub.leave(), LEAVING)  # type: ignore[union-attr]
        except TimeoutError:
            log.warning("the rooms could not be handed over within %s seconds: they are taken over later", LEAVING)
        await super().shutdown(sockets)

    def _move_in(self) -> None:
        """Serve from now on what other workers hand over, too."""
        try:
            if self.homes is not None:
                self.homes.open(self._take)
        except OSError as error:
            log.warning("connections are served wherever they arrive: %s", error)

    def _take(self, connection: socket.socket, asked: bytes) -> None:
        task = asyncio.create_task(self._serve_given(connection, asked))
        self._taking.add(task)
        task.add_done_callback(self._taking.discard)

    async def _serve_given(self, connection: socket.socket, asked: bytes) -> None:
        """Serve a connection of which another worker has read what is asked."""

        def protocol() -> Http:
            made = Http(self.config, self.server_state, self.lifespan.state)
            made.asked = asked
            return made

        try:
            await asyncio.get_running_loop().connect_accepted_socket(protocol, connection)
        except OSError:  # who asked has gone meanwhile
            connection.close()

    def _alone(self) -> None:
        asyncio.get_running_loop().remove_reader(sys.stdin)
        self.should_exit = True


def show_tracebacks(app: Starlette) -> None:
    """Show on the pages what goes wrong, wherever it does."""
    tracebacks = Tracebacks()
    logging.getLogger().addHandler(tracebacks)
    app.add_middleware(TracebackPages, tracebacks=tracebacks)


def address_of(name: tuple[Any, ...]) -> str:
    """What is typed to come to a socket of that name."""
    host, port = name[:2]
    shown = "localhost" if ipaddress.ip_address(host).is_unspecified else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/"


def made_and_loaded(compile_game: Make) -> Make:
    """Compile a game in another process, then load its machine code into this one."""

    async def make(name: str) -> None:
        await compile_game(name)
        await asyncio.to_thread(warm_up, [name])

    return make


def warm_up(names: Sequence[str]) -> None:
    """Compile, or read from the cache, all that matches of these games need, so that clicks are answered at once."""
    with machine_code():
        for name, level in itertools.product(names, LEVELS):
            play_a_little(name, level)


async def settle(readiness: Readiness, compiled: Sequence[str]) -> None:
    """Load what compiled code the matches need, and spare it from the collector when all of it is there."""
    await asyncio.to_thread(warm_up, compiled)
    await readiness.all()
    await asyncio.to_thread(spare)


def spare() -> None:
    """Keep the collector away from what stays as long as the server does.

    A full collection holds up every room for a tenth of a second and finds little: sockets and screens are freed
    without it, rooms at rest can wait. After this one they are rare, and small ones look only at what has outlived many
    moves: a move makes some thousand objects that are all gone with the next.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


def play_a_little(name: str, level: str) -> None:
    """The beginning of a match, every seat a bot of this level."""
    match = games.load(name).match(seed=1)
    player = bot(level, seed=1)
    for _ in range(WARM_UP_MOVES):
        if not match.over:
            seat = match.to_act[0]
            match.play(player.choose(match.view(seat)), seat)
    match.standing()
    assert match.record().match().history == match.history
