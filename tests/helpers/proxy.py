"""A connection that can be cut: a proxy between a store and its server, in its own thread."""

import asyncio
import contextlib
import threading
from pathlib import Path

from tests.helpers import PATIENCE


class FaultyProxy:
    """Forwards `port` to a port or a socket's path of this machine; ways can be held up, and connections cut."""

    def __init__(self, server: int | str | Path) -> None:
        self._server, self.port = server, 0
        self._loop, self._flows = asyncio.new_event_loop(), dict[tuple[int, str], asyncio.Event]()
        self._ends, self._numbers = dict[int, tuple[asyncio.StreamWriter, asyncio.StreamWriter]](), 0
        self._accepted = set[asyncio.Task[None]]()
        self.refuses = False
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        assert ready.wait(PATIENCE)

    def hold(self, *, to_server: bool = True) -> None:
        """Stop forwarding to the client, and also to the server, on the present connections, without closing them."""
        for number in list(self._ends):
            for way in ("up", "down") if to_server else ("down",):
                self._loop.call_soon_threadsafe(self._flows[number, way].clear)

    def release(self) -> None:
        for flow in list(self._flows.values()):
            self._loop.call_soon_threadsafe(flow.set)

    def cut(self) -> None:
        self._loop.call_soon_threadsafe(lambda: [end.transport.abort() for ends in self._ends.values() for end in ends])

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE)
        self._loop.close()

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve(ready))

    async def _serve(self, ready: threading.Event) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await self._stop.wait()
        server.close()
        for ends in self._ends.values():
            for end in ends:
                end.transport.abort()
        for meeting in self._accepted:
            meeting.cancel()
        await asyncio.gather(*self._accepted, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._accepted.add(self._loop.create_task(self._forward(reader, writer)))

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._numbers += 1
        number = self._numbers
        try:
            if self.refuses:
                return
            there, back = await self._connect()
            self._ends[number] = writer, back
            for way in ("up", "down"):
                self._flows[number, way] = asyncio.Event()
                self._flows[number, way].set()
            await asyncio.gather(self._flow(number, "up", reader, back), self._flow(number, "down", there, writer))
        except OSError:
            pass
        finally:
            for end in self._ends.pop(number, (writer,)):
                end.transport.abort()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self._server, int):
            return await asyncio.open_connection("127.0.0.1", self._server)
        return await asyncio.open_unix_connection(self._server)

    async def _flow(self, number: int, way: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(65536):
                await self._flows[number, way].wait()
                writer.write(piece)
                await writer.drain()
        writer.transport.abort()
