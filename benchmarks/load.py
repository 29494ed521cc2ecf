"""The load of `live.py`: people at tables, over real WebSockets, in one loop that takes little of a processor.

It runs on the cores of the server it measures. So of a message it looks at its kind, its number and, where a decision
is asked for, that; nothing is parsed that is not needed, and nothing is done twice.
"""

import base64
import heapq
import json
import os
import random
import re
import select
import socket
import struct
import time
from collections.abc import Iterator, Sequence

PATIENT = 30.0
"""Seconds after which a move that nobody heard of counts as lost, and the run ends."""
MOST = 1 << 18
"""Bytes read at once."""
TEXT, GOODBYE, PING, PONG = 1, 8, 9, 10
CHANGE = re.compile(rb'\{"type":"(?:state|fragments)","seq":(\d+)')
ANSWER = (b'{"type":"acknowledged"', b'{"type":"refused"')
OVER = b'{"type":"page"'
ACTIONS = b'"actions":"'
PROMPT = re.compile(rb'name=\\"prompt_id\\" value=\\"(\d+)\\"')
CODE = re.compile(rb'(?:name=\\"code\\" value|<option value)=\\"([^"\\]+)\\"')
STATE = re.compile(rb'"prompt_id":(\d+),"legal":(\[[^\]]*\])')
WORD = re.compile(rb'"([^"]+)"')


class Client:
    """One person at a table, with a page or as a program: what he has heard, and what he is asked."""

    def __init__(self, seat: int, cookie: str) -> None:
        self.seat, self.cookie = seat, cookie
        self.seq, self.seen, self.bytes = 0, 0.0, 0
        self.prompt_id: int | None = None
        self._choices, self._code = b"", CODE
        self._socket: socket.socket | None = None
        self._rest = b""

    def connect(self, host: str, port: int, path: str) -> int:
        """Open the line; its descriptor."""
        line = socket.create_connection((host, port), timeout=PATIENT)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        line.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {self.cookie}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += line.recv(MOST)
            assert answer, "the line was refused"
        head, _, self._rest = answer.partition(b"\r\n\r\n")
        assert b" 101 " in head.partition(b"\r\n")[0], head
        line.setblocking(False)
        self._socket = line
        return line.fileno()

    def close(self) -> None:
        """Hang up."""
        assert self._socket is not None
        self._socket.close()

    def read(self, page: str) -> None:
        """Note what a page asks."""
        self._asked(json.dumps(page).encode())

    def received(self) -> Iterator[bytes]:
        """The messages that have arrived."""
        assert self._socket is not None
        piece = self._socket.recv(MOST)
        self.seen = time.perf_counter()
        assert piece, "the server has hung up"
        data, at = self._rest + piece if self._rest else piece, 0
        while (found := frame(data, at)) is not None:
            kind, begin, at = found
            if kind == TEXT:
                self.bytes += at - begin
                yield data[begin:at]
            elif kind == PING:
                self._send(PONG, data[begin:at])
            else:
                raise AssertionError(f"the server has closed the line: {data[begin:at]!r}")
        self._rest = data[at:]

    def take(self, message: bytes) -> bool:
        """Note what a message shows; whether it shows anything."""
        change = CHANGE.match(message)
        if change is None:
            return False
        self.seq = int(change[1])
        if message.startswith(b'{"type":"state"'):
            asked = STATE.search(message)
            self.prompt_id, self._choices, self._code = (int(asked[1]), asked[2], WORD) if asked else (None, b"", WORD)
        elif (begin := message.find(ACTIONS)) >= 0:
            end = message.find(b'","', begin)
            self._asked(message[begin : end if end >= 0 else None])
        return True

    def _asked(self, actions: bytes) -> None:
        """Note what a form asks, as it stands in JSON."""
        prompt = PROMPT.search(actions)
        self.prompt_id, self._choices = (int(prompt[1]), actions) if prompt else (None, b"")

    def play(self, command_id: str, dice: random.Random) -> None:
        """Answer what is asked by one of the choices."""
        code = dice.choice(self._code.findall(self._choices)).decode()
        document = {"type": "play", "command_id": command_id, "prompt_id": self.prompt_id, "code": code}
        self.prompt_id = None
        self._send(TEXT, json.dumps(document).encode())

    def _send(self, kind: int, payload: bytes) -> None:
        """One frame, with a mask of zeros: it must have one."""
        assert self._socket is not None
        assert len(payload) < 1 << 16
        short = len(payload) < 126
        size = bytes([0x80 | len(payload)]) if short else struct.pack("!BH", 0x80 | 126, len(payload))
        self._socket.sendall(bytes([0x80 | kind]) + size + bytes(4) + payload)


def frame(data: bytes, at: int) -> tuple[int, int, int] | None:
    """The frame that begins there: its kind, where its content begins and ends; None unless all of it is there."""
    if len(data) < at + 2:
        return None
    length, begin = data[at + 1], at + 2
    if length >= 126:
        size = 2 if length == 126 else 8
        length, begin = int.from_bytes(data[begin : begin + size]), begin + size
    if len(data) < begin + length or begin > len(data):
        return None
    assert data[at] & 0x80, "messages come in one part"
    return data[at] & 15, begin, begin + length


class Table:
    """Six clients of one room, who play one move after the other."""

    def __init__(self, code: str, clients: list[Client], dice: random.Random) -> None:
        self.code, self.clients, self.dice = code, clients, dice
        self.moves = 0
        self.due: float | None = None
        """When the present move was due."""
        self._sent = ""
        self._acknowledged = 0

    def begin(self, due: float) -> None:
        """A move is due, or was."""
        self.due, self._acknowledged = due, 0
        self._play()

    def hear(self, client: Client) -> float | None:
        """Take what has arrived for a client; seconds that the move has taken, where everybody has it now."""
        for message in client.received():
            if not client.take(message) and message.startswith(ANSWER):
                self._answered(json.loads(message))
            assert not message.startswith(OVER), "expected matches that go on: they want more rooms, or fewer moves"
        if self.due is None:
            return None
        if not self._sent:
            self._play()
        elif self._acknowledged and all(other.seq >= self._acknowledged for other in self.clients):
            took, self.due, self._sent = max(other.seen for other in self.clients) - self.due, None, ""
            return took
        return None

    def _play(self) -> None:
        """Whoever owes a decision makes one, as soon as it is known who."""
        client = next((client for client in self.clients if client.prompt_id is not None), None)
        if client is not None:
            self.moves += 1
            self._sent = f"{self.code}-{self.moves}"
            client.play(self._sent, self.dice)

    def _answered(self, message: dict[str, object]) -> None:
        if message["type"] == "refused":
            raise AssertionError(f"a legal move was refused: {message}")
        if message.get("command_id") == self._sent:
            self._acknowledged = int(str(message["seq"]))


class Lines:
    """All lines of all tables, and who waits at them."""

    def __init__(self) -> None:
        self._poll = select.epoll()
        self._ends: dict[int, tuple[Table, Client]] = {}

    def add(self, table: Table, client: Client, descriptor: int) -> None:
        """Listen to one more."""
        self._ends[descriptor] = table, client
        self._poll.register(descriptor, select.EPOLLIN)

    def close(self) -> None:
        """Hang up everywhere."""
        self._poll.close()
        for _, client in self._ends.values():
            client.close()

    def run(self, dues: dict[Table, Sequence[float]], warm_up: float) -> list[float]:
        """Moves of tables when they are due, in seconds from now; what those took that were due after `warm_up`."""
        waits, latencies = {table: iter(mine) for table, mine in dues.items()}, list[float]()
        began, left = time.perf_counter() + 0.1, sum(map(len, dues.values()))
        following = [(next(mine), number, table) for number, (table, mine) in enumerate(waits.items())]
        heapq.heapify(following)
        numbers = {table: number for _, number, table in following}
        heard = began
        while left:
            now = time.perf_counter()
            while following and began + following[0][0] <= now:
                due, _, table = heapq.heappop(following)
                table.begin(began + due)
            for table, due, took in self._hear(following[0][0] + began - now if following else 1.0):
                heard, left = time.perf_counter(), left - 1
                if due - began >= warm_up:
                    latencies.append(took)
                if (more := next(waits[table], None)) is not None:
                    heapq.heappush(following, (more, numbers[table], table))
            assert time.perf_counter() - heard < PATIENT, "a move was lost"
        return latencies

    def _hear(self, seconds: float) -> Iterator[tuple[Table, float, float]]:
        """Take what arrives within that time; the tables whose move everybody has, when it was due, what it took."""
        for descriptor, _ in self._poll.poll(min(1.0, max(0.0, seconds))):
            table, client = self._ends[descriptor]
            due = table.due
            took = table.hear(client)
            if took is not None and due is not None:
                yield table, due, took
