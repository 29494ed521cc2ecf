"""A race over real sockets: clients at a distance, clients who lie, and a server that is killed before they point.

`python tests/test_race_sockets.py DATABASE` is that server: a site with the joust on its shelf, which says its address.
"""

import contextlib
import itertools
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from drills import put_on_the_shelf
from web_site import Guest, Site, site_at
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tavola.live.holding import Hold
from tavola.live.race import HUMAN, MOST_JITTER, MOST_TRIP
from tavola.store import Store
from tavola.web.guard import Limits

ROOT = Path(__file__).resolve().parent.parent
CORNERS = ("crown", "chalice", "globe", "star")
HOLD = Hold(1.0, 0.0)
"""Long enough for some echoes."""
PATIENCE = 8.0
_numbers = itertools.count()
_opened = contextlib.ExitStack()


@pytest.fixture(autouse=True)
def _closed():
    with _opened:
        yield


@pytest.fixture
def site(tmp_path, monkeypatch):
    put_on_the_shelf(monkeypatch, "joust")
    with site_at(tmp_path / "t.sqlite", hold=HOLD) as running:
        yield running


class Racer:
    """A guest with a JSON socket whose messages take `way` seconds there and back.

    `echo(text)` is what he does with an echo, `None` to keep it; by default it goes back at once.
    """

    def __init__(self, url, name, way=0.0, echo=lambda text: text):
        self.url, self.name, self.way, self.echo = url, name, way, echo
        self.guest = _opened.enter_context(Guest(url, "en", {}))
        self.state, self.answers, self.changed = None, {}, threading.Condition()
        self.echoes, self.closed = [], False

    def create(self):
        """A room for two; its code."""
        fields = {"game": "joust", "name": self.name, "patience": "0"}
        return self.guest.post("/rooms", data=fields, follow_redirects=False).headers["location"].rsplit("/", 1)[1]

    def join(self, code):
        """Sit down."""
        done = self.guest.post(f"/r/{code}/join", data={"name": self.name}, follow_redirects=False)
        assert done.status_code == 303, done.text

    def enter(self, code, url=None):
        """Open the socket."""
        self.url, self.closed = url or self.url, False
        cookies = "; ".join(f"{name}={value}" for name, value in self.guest.cookies.items())
        address = f"{self.url.replace('http', 'ws')}/r/{code}/socket?form=json"
        opening = connect(address, additional_headers={"Cookie": cookies}, origin=self.url, compression=None)
        self.line = _opened.enter_context(opening)
        inbox, outbox = queue.SimpleQueue(), queue.SimpleQueue()
        self.outbox = outbox
        _opened.callback(outbox.put, (0.0, None))
        for work in (lambda: self._receive(inbox), lambda: self._take(inbox), lambda: self._send(outbox)):
            threading.Thread(target=work, daemon=True).start()
        self.wait(lambda state: state is not None)

    def _receive(self, inbox):
        with contextlib.suppress(ConnectionClosed, OSError):
            for text in self.line:
                inbox.put((time.monotonic() + self.way / 2, text))
        inbox.put((0.0, None))

    def _take(self, inbox):
        while True:
            at, text = inbox.get()
            time.sleep(max(0.0, at - time.monotonic()))
            message = {"type": "closed"} if text is None else json.loads(text)
            if message["type"] == "echo":
                self.echoes.append(message["token"])
                if (back := self.echo(text)) is not None:
                    self.send(back)
                continue
            with self.changed:
                if message["type"] == "state":
                    self.state = message
                else:
                    self.answers[message.get("command_id")] = message
                self.closed = self.closed or text is None
                self.changed.notify_all()
            if text is None:
                return

    def _send(self, outbox):
        line = self.line
        with contextlib.suppress(ConnectionClosed, OSError):
            while (message := outbox.get())[1] is not None:
                time.sleep(max(0.0, message[0] - time.monotonic()))
                line.send(message[1])

    def send(self, text):
        """Send a text; it takes half the way's time."""
        self.outbox.put((time.monotonic() + self.way / 2, text))

    def ask(self, kind, **fields):
        """Send a command; its id."""
        command_id = f"k{next(_numbers)}"
        self.send(json.dumps({"type": kind, "command_id": command_id, **fields}))
        return command_id

    def play(self, code):
        """Play in the decision that is shown; the id of the command."""
        return self.ask("play", code=code, prompt_id=self.state["prompt_id"])

    def answer(self, command_id):
        """What a command was answered."""
        with self.changed:
            assert self.changed.wait_for(lambda: command_id in self.answers, PATIENCE)
            return self.answers[command_id]

    def wait(self, condition):
        """Wait for a state; it."""
        with self.changed:
            assert self.changed.wait_for(lambda: condition(self.state), PATIENCE), self.state
            return self.state

    def wait_for_toss(self):
        """Wait until there is something to point at; what is right."""
        self.wait(lambda state: "point star" in state["legal"])
        return f"point {self.state['view']['table']['tossed']}"


def seated(site_url, *racers):
    """A room where both sit and the match has begun; its code."""
    code = racers[0].create()
    for racer in racers[1:]:
        racer.join(code)
    for racer in racers:
        racer.enter(code, site_url)
    racers[0].ask("start")
    for racer in racers:
        racer.wait(lambda state: "done" in state["legal"])
    return code


def waiting_for_the_toss(site_url, *racers):
    """The same, with nothing taken: the toss is in the air."""
    code = seated(site_url, *racers)
    for racer in racers:
        while racer.answer(racer.play("done"))["type"] == "refused":
            time.sleep(0.02)  # he has not seen yet that the other is done
    return code


def pointed(events):
    """What a log tells of pointings and of who was first: bodies."""
    bodies = [event.body for event in events if event.kind == "played"]
    return [body for body in bodies if body["code"].startswith(("point", "first"))]


def after(body):
    """What an answer took by itself, as the log tells."""
    return body["reaction"][0] - body["reaction"][1]


# Who is far away, and who lies


def test_who_is_far_away_is_not_the_slower_for_it(site):
    """Ada decides first but her word arrives later: her way is taken out."""
    ada, bruno = Racer(site.url, "Ada", way=0.14), Racer(site.url, "Bruno")
    code = waiting_for_the_toss(site.url, ada, bruno)
    right = ada.wait_for_toss()
    time.sleep(0.3)
    ada.play(right)
    time.sleep(0.035)
    bruno.answer(bruno.play(right))
    ada.wait(lambda state: state["view"]["table"]["winner"])
    his, hers, first = pointed(site.hub.store.events(code))
    assert (his["seat"], hers["seat"]) == (1, 0)
    assert hers["reaction"][0] > his["reaction"][0]
    assert 0.14 <= hers["reaction"][1] <= MOST_TRIP
    assert his["reaction"][1] < 0.1
    assert after(hers) < after(his)
    assert first["code"] in ("first 0", "first none")
    margin = after(his) - after(hers)
    assert first["code"] == "first 0" or margin < his["reaction"][2] + hers["reaction"][2] + 0.01


@pytest.mark.parametrize("delay", [0.5, 9.0])
def test_delayed_echoes_gain_no_more_than_the_bound(site, delay):
    """What is taken out of a liar's time is bounded, and so is by how much he can be slower and still be first."""
    ada, bruno = Racer(site.url, "Ada"), Racer(site.url, "Bruno")
    ada.echo = lambda text: threading.Timer(delay, ada.send, [text]).start()
    code = waiting_for_the_toss(site.url, ada, bruno)
    right = ada.wait_for_toss()
    time.sleep(HUMAN + 0.05)
    bruno.answer(bruno.play(right))
    time.sleep(MOST_TRIP + 2 * MOST_JITTER + 0.05)
    ada.answer(ada.play(right))
    his, hers, first = pointed(site.hub.store.events(code))
    assert hers["reaction"][1] <= MOST_TRIP
    assert hers["reaction"][2] <= MOST_JITTER
    assert after(hers) - after(his) > 0
    assert first["code"] == "first 1"
    assert his["seat"] == 1


def test_without_echoes_nothing_is_taken_out(site):
    ada, bruno = Racer(site.url, "Ada", echo=lambda text: None), Racer(site.url, "Bruno", way=0.1)
    code = waiting_for_the_toss(site.url, ada, bruno)
    right = ada.wait_for_toss()
    ada.answer(ada.play(right))
    bruno.wait_for_toss()
    bruno.answer(bruno.play(right))
    hers, his, *_ = pointed(site.hub.store.events(code))
    assert hers["reaction"][1:] == [0.0, 0.0]
    assert 0.1 <= his["reaction"][1] <= MOST_TRIP


def test_forged_times_and_echoes_are_worth_nothing(site):
    """Nobody says when anything happened, an echo counts once and only when it was sent."""

    def forged(text):
        token = json.loads(text)["token"]
        for other in (text, text, json.dumps({"type": "echo", "token": token[::-1]})):
            ada.send(other)
        ada.send(json.dumps({"type": "echo", "token": "x" * 64}))

    ada, bruno = Racer(site.url, "Ada", way=0.05), Racer(site.url, "Bruno")
    ada.echo = forged
    code = waiting_for_the_toss(site.url, ada, bruno)
    right = ada.wait_for_toss()
    prompt = ada.state["prompt_id"]
    for more in ({"at": 0}, {"arrived": 0}, {"reaction": [0.2, 0, 0]}, {"trip": 5}):
        ada.ask("play", code=right, prompt_id=prompt, **more)
    refused = ada.ask("play", code=right, prompt_id=prompt, token="x")
    time.sleep(0.1)
    ada.answer(ada.play(right))
    assert ada.answers.get(None, {}).get("kind") == "BadMessage"
    assert refused not in ada.answers
    hers = pointed(site.hub.store.events(code))[0]
    assert 0.05 <= hers["reaction"][1] < 0.15
    assert hers["reaction"][0] >= 0.1


def test_who_sends_nothing_but_echoes_is_hung_up_on(tmp_path, monkeypatch):
    put_on_the_shelf(monkeypatch, "joust")
    with site_at(tmp_path / "t.sqlite", Limits()) as site:
        ada = Racer(site.url, "Ada")
        ada.enter(ada.create())
        for _ in range(200):
            ada.send('{"type":"echo","token":"x"}')
        with ada.changed:
            assert ada.changed.wait_for(lambda: ada.closed, PATIENCE)


def test_who_points_before_he_can_have_seen_anything_has_pointed_wrong(site):
    """Whatever he sends while the toss is in the air is refused; the first that comes after it is his only attempt."""
    ada, bruno = Racer(site.url, "Ada"), Racer(site.url, "Bruno")
    code = waiting_for_the_toss(site.url, ada, bruno)
    prompt = 1  # he knows which decision it will be
    sent = []
    while ada.state["prompt_id"] is None and ada.state["view"]["table"]["phase"] == "toss":
        sent.append(ada.ask("play", code=f"point {CORNERS[len(sent) % 4]}", prompt_id=prompt))
        time.sleep(0.01)
    ends = [ada.answer(command_id) for command_id in sent]
    assert {end["kind"] for end in ends if end["type"] == "refused"} == {"StalePrompt"}
    right = bruno.wait_for_toss()
    if ada.state["prompt_id"] is not None:  # none of them came right after it
        ada.answer(ada.play(right))
    bruno.answer(bruno.play(right))
    hers = next(body for body in pointed(site.hub.store.events(code)) if body["seat"] == 0)
    assert ("meant" in hers) == (after(hers) < HUMAN)  # a busy machine may have made him as slow as a person
    assert "meant" not in hers or hers["code"] != right


def test_of_two_attempts_the_first_counts(site):
    """Also over two sockets."""
    ada, bruno, twin = Racer(site.url, "Ada"), Racer(site.url, "Bruno"), Racer(site.url, "Ada")
    code = waiting_for_the_toss(site.url, ada, bruno)
    twin.guest.cookies.update(ada.guest.cookies)
    twin.enter(code)
    right = ada.wait_for_toss()
    twin.wait_for_toss()
    time.sleep(HUMAN + 0.05)
    attempts = [(racer, racer.play(f"point {corner}")) for corner in CORNERS for racer in (ada, twin)]
    ends = [racer.answer(command_id) for racer, command_id in attempts]
    assert [end["type"] for end in ends].count("acknowledged") == 1
    assert {end["kind"] for end in ends if end["type"] == "refused"} == {"StalePrompt"}
    bruno.answer(bruno.play(right))
    assert len([body for body in pointed(site.hub.store.events(code)) if body["seat"] == 0]) == 1


def test_who_is_not_in_the_match_is_measured_and_told_nothing_more(site):
    """A spectator sees the toss when all do, and before that the same as ever."""
    ada, bruno, carla = Racer(site.url, "Ada"), Racer(site.url, "Bruno"), Racer(site.url, "Carla")
    code = waiting_for_the_toss(site.url, ada, bruno)
    carla.enter(code)
    seen = carla.state
    assert seen["view"]["table"]["tossed"] == "nothing"
    assert "held" not in json.dumps(seen)
    carla.wait(lambda state: state["view"]["table"]["tossed"] != "nothing")
    assert carla.state["seq"] == seen["seq"] + 1


# A server that is killed


class Server:
    """A site in a process of its own."""

    def __init__(self, database):
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"}
        command = [sys.executable, __file__, str(database)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        self.url = self.process.stdout.readline().strip()

    def kill(self):
        """As if the power went."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)
        self.process.stdout.close()


@pytest.fixture
def server(tmp_path):
    servers = []

    def start():
        servers.append(Server(tmp_path / "t.sqlite"))
        return servers[-1]

    yield start
    for each in servers:
        if each.process.poll() is None:
            each.kill()


def test_a_server_is_killed_between_toss_and_pointing(tmp_path, server):
    """Pointing goes on where it was, nobody's time counts, so it is thrown anew: then the quicker one is first."""
    first = server()
    ada, bruno = Racer(first.url, "Ada"), Racer(first.url, "Bruno")
    code = waiting_for_the_toss(first.url, ada, bruno)
    right = ada.wait_for_toss()
    time.sleep(HUMAN + 0.1)
    ada.answer(ada.play(right))
    first.kill()
    second = server()
    for racer in (ada, bruno):
        racer.state = None
        racer.enter(code, second.url)
    assert ada.state["prompt_id"] is None
    assert bruno.wait_for_toss() == right
    bruno.answer(bruno.play(right))
    right = ada.wait_for_toss()
    bruno.wait_for_toss()
    time.sleep(HUMAN + 0.1)
    bruno.answer(bruno.play(right))
    time.sleep(0.15)
    ada.answer(ada.play(right))
    second.kill()
    told = pointed(log(tmp_path, code))
    assert [body["code"].split()[0] for body in told] == ["point", "point", "first"] * 2
    assert told[2]["code"] == "first none"
    assert ["reaction" in body for body in told] == [True, False, False, True, True, False]
    assert told[5]["code"] == "first 1"


def test_a_server_is_killed_while_the_toss_is_in_the_air(tmp_path, server):
    """It falls when it would have fallen, or, had that passed, at another moment; what it shows nobody knew before."""
    first = server()
    ada, bruno = Racer(first.url, "Ada"), Racer(first.url, "Bruno")
    code = waiting_for_the_toss(first.url, ada, bruno)
    time.sleep(HOLD.shortest / 2)
    first.kill()
    assert [event.kind for event in log(tmp_path, code)][-2:] == ["played", "held"]
    second = server()
    for racer in (ada, bruno):
        racer.state = None
        racer.enter(code, second.url)
    right = ada.wait_for_toss()
    second.kill()
    held = [event.body["until"] for event in log(tmp_path, code) if event.kind == "held"]
    (fallen,) = (event for event in log(tmp_path, code) if event.body.get("code", "").startswith("toss"))
    assert fallen.at >= held[-1]
    assert fallen.body["code"] == right.replace("point", "toss")


def log(folder, code):
    """A room's events, when no server has the database."""
    with contextlib.closing(Store.open(folder / "t.sqlite")) as store:
        return store.events(code)


if __name__ == "__main__":
    from tavola.core import shelf

    found = shelf._modules()
    shelf._modules = lambda: {**found, "joust": "joust"}
    running = Site(Path(sys.argv[1]), hold=HOLD)
    print(running.url, flush=True)
    running.thread.join()
