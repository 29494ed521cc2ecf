"""A race over real sockets: distant clients, lying clients, and a server that is killed before they point.

`python -m tests.live.time.test_race_sockets DATABASE` is the nursery of that server: a site with the joust registered,
a toss that is `seconds` in the air, and a clock that is `ahead` seconds fast. It prints its address, and `held` when a
toss is in the air.
"""

import asyncio
import contextlib
import json
import socket
import sys
import threading
import time
from pathlib import Path

import pytest

from tavola.live.time.delays import Suspense
from tavola.live.time.race import MOST_JITTER, MOST_TRIP, RESOLUTION, SHORTEST_REACTION
from tavola.store import Event, open_store
from tavola.web.requests.limits import Limits
from tavola.web.requests.wire import line_trip
from tests.helpers import PATIENCE, wait_for
from tests.helpers.days import HOUR, SiteClock
from tests.helpers.failures import Nursery, report, run_nursery
from tests.helpers.site import Racer, Site, site_at

pytestmark = [pytest.mark.process, pytest.mark.drills("joust")]

HOLD = Suspense(0.2, 0.0)
"""How long a toss is in the air; at the site of most tests, until they let it fall."""
ECHOES = 2
"""Echoes that a racer has answered before a toss falls."""
HUMANLY = SHORTEST_REACTION + MOST_TRIP
"""Seconds after which an answer is not too soon, whatever is subtracted."""
CLEARLY = MOST_TRIP + 2 * MOST_JITTER + RESOLUTION + 0.02
"""Seconds by which one answer is clearly later than another, whatever is subtracted from either."""


@pytest.fixture
def site(tmp_path: Path):
    with site_at(tmp_path / "t.sqlite", suspense=HOLD, clock=SiteClock()) as running:
        yield running


def let_fall(site: Site, code: str) -> None:
    """Set the site's clock, which does not run, to the moment when the toss falls."""
    room, clock = site.room(code), site.hub.settings.clock
    wait_for(lambda: room.state.held_until)
    assert isinstance(clock, SiteClock)
    clock.at = room.state.held_until


def toss_seen_by(*racers: Racer) -> str:
    """Return the right answer, once all racers can point."""
    for racer in racers:
        racer.wait(lambda state: "point star" in state["legal"] and state["seq"] >= racers[0].state["seq"])
    return f"point {racers[0].state['view']['table']['tossed']}"


def toss_falls(site: Site, code: str, *racers: Racer) -> str:
    """Let the toss fall once all have answered some echoes; return the right answer when all have seen it."""
    wait_for(lambda: all(len(racer.echoes) >= ECHOES for racer in racers))
    let_fall(site, code)
    return toss_seen_by(*racers)


def seated(site_url: str, *racers: Racer, game: str = "joust", **fields: str) -> str:
    """Seat the racers in a new room and start the match; return its code once all can barter."""
    code = racers[0].create(game, **fields)
    for racer in racers[1:]:
        racer.join(code)
    for racer in racers:
        racer.enter(code, site_url)
    racers[0].send_command("start")
    for racer in racers:
        racer.wait(lambda state: "done" in state["legal"])
    return code


def waiting_for_the_toss(site_url: str, *racers: Racer) -> str:
    """Seat the racers, who take nothing, so that the toss is in the air; return the room's code."""
    code = seated(site_url, *racers)
    for racer in racers:
        insist(racer, "done")
    return code


def insist(racer: Racer, code: str) -> None:
    """Play, again while the racer has not seen yet what another did."""
    while racer.answer(racer.play(code))["type"] == "refused":
        time.sleep(0.02)


def pointed(events):
    """Return what was pointed at, and the first seat, which the room names only after its answers."""
    bodies = [event.body for event in events if event.kind == "played"]
    return [body for body in bodies if body["code"].startswith(("point", "first"))]


@pytest.fixture
def behind_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel must not measure the distances that racers only simulate."""
    monkeypatch.setattr("tavola.web.requests.wire.line_trip", lambda transport: None)


@pytest.mark.skipif(not hasattr(socket, "TCP_INFO"), reason="the kernel tells nothing of its lines")
def test_delayed_echoes_gain_nothing_on_a_line_that_the_kernel_measures(site: Site, monkeypatch: pytest.MonkeyPatch):
    measured: list[float | None] = []

    def noted(transport: asyncio.BaseTransport) -> float | None:
        measured.append(line_trip(transport))
        return measured[-1]

    monkeypatch.setattr("tavola.web.requests.wire.line_trip", noted)
    ada, bruno = Racer(site.url, "Ada"), Racer(site.url, "Bea")
    ada.echo = lambda text: threading.Timer(MOST_TRIP, ada.send, [text]).start()
    code = waiting_for_the_toss(site.url, ada, bruno)
    right = toss_falls(site, code, ada, bruno)
    time.sleep(HUMANLY)
    measured.clear()
    ada.answer(ada.play(right))
    bruno.answer(bruno.play(right))
    hers = pointed(site.hub.store.events(code))[0]
    assert None not in measured
    assert hers["reaction"][1] <= max(filter(None, measured)), "not what she makes of her echoes"


def test_forged_times_and_echoes_are_worth_nothing(site: Site, behind_proxy):
    """Clients cannot set times; an echo counts once, and only if it was sent; without echoes, nothing is subtracted."""

    def forged(text):
        token = json.loads(text)["token"]
        for other in (text, text, json.dumps({"type": "echo", "token": token[::-1]})):
            ada.send(other)
        ada.send(json.dumps({"type": "echo", "token": "x" * 64}))

    ada, bruno = Racer(site.url, "Ada", way=0.05, echo=forged), Racer(site.url, "Bea", echo=lambda text: None)
    code = waiting_for_the_toss(site.url, ada, bruno)
    right = toss_falls(site, code, ada, bruno)
    prompt = ada.state["prompt_id"]
    for more in ({"at": 0}, {"arrived": 0}, {"reaction": [0.2, 0, 0]}, {"trip": 5}):
        ada.send_command("play", code=right, prompt_id=prompt, **more)
    refused = ada.send_command("play", code=right, prompt_id=prompt, token="x")
    time.sleep(HUMANLY)
    ada.answer(ada.play(right))
    assert ada.answers.get(None, {}).get("kind") == "BadMessage"
    assert refused not in ada.answers
    bruno.answer(bruno.play(right))
    wait_for(lambda: len(pointed(site.hub.store.events(code))) == 3)
    hers, other, _ = pointed(site.hub.store.events(code))
    assert 0.05 <= hers["reaction"][1] <= MOST_TRIP
    assert hers["reaction"][0] >= 0.1
    assert other["reaction"][1:] == [0.0, 0.0]


def test_a_flood_of_echoes_is_disconnected(tmp_path: Path):
    hardly = 0.001  # per second: too low to matter during the test, however slow the machine
    with site_at(tmp_path / "t.sqlite", Limits(messages=(hardly, 60), refused=(hardly, 20))) as site:
        ada = Racer(site.url, "Ada")
        ada.enter(ada.create("joust"))
        for _ in range(200):
            ada.send('{"type":"echo","token":"x"}')
        with ada.changed:
            assert ada.changed.wait_for(lambda: ada.closed, PATIENCE)


class Server(Nursery):
    """Sites in separate processes, one after the other."""

    def start(self, seconds: float = HOLD.shortest, ahead: float = 0.0) -> None:
        self.begin(seconds=seconds, ahead=ahead)
        self.url = self.until("url")

    def restart(self, code: str, *racers: Racer) -> None:
        """Kill the server, and let the racers return to the next one, whose clock is two hours ahead."""
        self.kill()
        self.start(ahead=2 * HOUR)
        for racer in racers:
            racer.state = None
            racer.enter(code, self.url)

    def kill(self) -> None:
        """As if the power failed."""
        if self.pid:
            super().kill()
            self.await_death()
            self.pid = 0


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with contextlib.closing(Server("tests.live.time.test_race_sockets", str(tmp_path / "t.sqlite"))) as running:
        yield running


def test_a_server_is_killed_in_the_air_and_between_toss_and_pointing(tmp_path: Path, server: Server):
    """The toss falls when it was due or, if that has passed, at another moment; its outcome is not known before.

    Pointing continues, but no time counts, so the toss is repeated: then the quicker one is first.
    """
    server.start(seconds=HOUR)
    ada, bruno = Racer(server.url, "Ada"), Racer(server.url, "Bea")
    code = waiting_for_the_toss(server.url, ada, bruno)
    server.until("held")
    server.restart(code, ada, bruno)
    right = toss_seen_by(ada)
    time.sleep(HUMANLY)
    ada.answer(ada.play(right))
    server.restart(code, ada, bruno)
    assert ada.state["prompt_id"] is None
    assert toss_seen_by(bruno) == right
    bruno.answer(bruno.play(right))
    second = toss_seen_by(ada, bruno)
    time.sleep(HUMANLY)
    bruno.answer(bruno.play(second))
    time.sleep(CLEARLY)
    ada.answer(ada.play(second))
    bruno.wait(lambda state: "keep" in state["legal"])  # Bea was first, and the log says so
    server.kill()
    with contextlib.closing(open_store(tmp_path / "t.sqlite")) as store:
        events = store.events(code)
    _check_tosses(events, right)
    told = [(body["code"].split()[0], "reaction" in body) for body in pointed(events)]
    assert told == [("point", True), ("point", False), ("first", False), *[("point", True)] * 2, ("first", False)]
    assert [pointed(events)[place]["code"] for place in (2, 5)] == ["first none", "first 1"]


def _check_tosses(events: list[Event], right: str) -> None:
    held = [event.body["until"] for event in events if event.kind == "held"]
    first, _ = (event for event in events if event.body.get("code", "").startswith("toss"))
    assert len(held) == 3, "the first one was held twice"
    assert held[0] < held[1] <= first.at
    assert first.body["code"] == right.replace("point", "toss")


def serve(order: dict[str, float]) -> None:
    held = Suspense(order["seconds"], 0.0)
    running = Site(Path(sys.argv[1]), suspense=held, clock=lambda: time.time() + order["ahead"])
    report(url=running.url)
    wait_for(lambda: any(room.state.held_until for room in running.call(lambda: running.hub.rooms)))
    report(held=True)
    running.thread.join()


if __name__ == "__main__":
    from tavola.core import registry

    found = registry._modules()
    vars(registry)["_modules"] = lambda: {**found, "joust": "joust"}
    run_nursery(serve)
