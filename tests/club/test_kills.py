"""A site is killed again and again between a turn and word of it: none is lost, and none is doubled more than once.

`python -m tests.club.test_kills ORDER` is its nursery: it loads everything once and then starts `tavola serve` by
fork, one for each line it reads, with everything real: a database file, a mail server and a push service of the tests.
"""

import contextlib
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from pathlib import Path

import httpx
import pytest

from tavola import games
from tavola.club.mail import MailServer
from tavola.club.reach import Reach
from tavola.web.door.guard import HostNames
from tavola.web.door.limits import UNHURRIED
from tavola.web.serve.server import load_pages, serve, warm_up
from tavola.web.serve.settings import PostSettings, SiteSettings
from tests.club.test_accounts import keep
from tests.helpers import PATIENCE, environment
from tests.helpers.mail import mail_server
from tests.helpers.push import is_loopback, push_service
from tests.helpers.rooms import quick_settings
from tests.helpers.site import Guest

pytestmark = pytest.mark.process
PAUSE, TAKEN_FOR = 0.15, 0.8
"""Seconds until word of a turn is due, and for which a letter is a worker's."""
OPEN = "SELECT count(*) FROM outbox WHERE ended = ''"
TURNS = "SELECT topic FROM outbox WHERE kind = 'turn'"
PLAYED = """SELECT count(*) FROM event WHERE kind = 'played' AND body LIKE '%"seat":0,%'"""


# The site


def site_settings(order):
    import ssl

    mail = MailServer.parse(f"smtp://127.0.0.1:{order['mail']}", "table@tavola.example")
    reach = Reach(is_loopback, None, ssl.create_default_context(cafile=order["trusted"]))
    return SiteSettings(
        Path(order["database"]),
        port=order["port"],
        names=HostNames(frozenset({"127.0.0.1"}), home=f"http://127.0.0.1:{order['port']}"),
        limits=UNHURRIED,
        hub=quick_settings(),
        missing=tuple(games.names()),  # what the nursery has loaded need not be looked for again
        post=PostSettings(mail, reach, PAUSE, TAKEN_FOR),
    )


def say(**told):
    os.write(1, (json.dumps(told) + "\n").encode())


def nursery(order):
    """Serve by another process for each line of standard input; say its number, that it is open, and how it ended."""
    load_pages()
    warm_up(["lifeboats"], ["random"])
    say(warm=True)
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                serve(site_settings(order), lambda address: say(open=address))
            except BaseException:
                traceback.print_exc()  # who is killed says nothing; who ends by himself says why
            finally:
                os._exit(9)
        say(server=child)
        say(ended=-os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


# The test


class Serving:
    def __init__(self, order):
        self.kills = 0
        command = [sys.executable, "-m", "tests.club.test_kills", json.dumps(order)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
        self._until("warm")

    def start(self):
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        self.pid = self._until("server")
        self._until("open")

    def kill(self):
        self.kills += 1
        os.kill(self.pid, signal.SIGKILL)

    def await_death(self):
        assert self._until("ended") == signal.SIGKILL, "the site ended by itself"

    def start_again(self):
        self.await_death()
        self.start()

    def close(self):
        self.kill()
        self._until("ended")
        self.process.stdin.close()
        self.process.stdout.close()
        assert self.process.wait(PATIENCE) == 0

    def _until(self, kind):
        for line in self.process.stdout:
            with contextlib.suppress(json.JSONDecodeError):  # the last words of a killed one may be cut short
                document = json.loads(line)
                if kind in document:
                    return document[kind]
        raise AssertionError(f"the nursery ended before {kind!r}")


class Match:
    """A match by correspondence of one guest and bots, and how often he has been told of each of his turns.

    `took`: the seconds that the last turn took; `unsaid`: how often a turn was on disk, and word of it nowhere.
    """

    def __init__(self, serving, guest, database, box, service):
        self.serving, self.guest, self.database, self.box, self.service = serving, guest, database, box, service
        self.by_mail, self.pushed = Counter[int](), Counter[int]()
        self.unsaid, self.took = 0, 0.0
        self.turns, self.heard = 0, (len(box.letters), len(service.notices))

    def turn(self, code, before=lambda: None):
        """Decide what is asked, `before` which something happens; the next question is a turn of which he is told."""
        prompt, choices = self.guest.choices(code)
        assert choices, "he is asked"
        chosen = {"prompt_id": str(prompt), "code": choices[self.turns % len(choices)]}
        self.played = self.look(PLAYED)
        before()
        began = time.monotonic()
        with contextlib.suppress(httpx.TransportError):  # who is killed meanwhile has not answered
            self.guest.post(f"/r/{code}/play", data=chosen, follow_redirects=False)  # the page takes long
        self.turns, self.took = self.turns + 1, time.monotonic() - began

    def is_decided(self):
        return self.look(PLAYED) != self.played

    def await_word(self):
        before, end = self.heard, time.monotonic() + PATIENCE
        while True:
            waits = self.is_waiting()  # first: what comes between two looks belongs to this turn, too
            now = len(self.box.letters), len(self.service.notices)
            if now[0] > before[0] and now[1] > before[1] and not waits:
                break
            assert time.monotonic() < end, f"lost: turn {self.turns}, told {before}, then {now}"
            time.sleep(0.02)
        self.by_mail[self.turns], self.pushed[self.turns] = now[0] - before[0], now[1] - before[1]
        self.heard = now

    def is_waiting(self):
        return self.look(OPEN) != [(0,)]

    def look(self, query):
        with contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


@contextlib.contextmanager
def played(folder, box, server, service):
    """Yield a match that has begun, of a guest who is written to and notified, and its code."""
    order = {"database": str(folder / "tavola.sqlite"), "mail": server.port, "port": free_port()}
    serving = Serving({**order, "trusted": str(folder / "certificate.pem")})
    serving.start()
    try:
        with Guest(f"http://127.0.0.1:{order['port']}", "en", {}) as ada:
            keep(ada, box)
            key = ada.get("/account").text.split('data-push="')[1].split('"')[0]
            assert ada.post("/push", json=service.browser(key).document).status_code == 200
            match = Match(serving, ada, order["database"], box, service)
            code = ada.create(days="3", patience="60")
            ada.post(f"/r/{code}/fill", data={"level": "random"})
            match.await_word()
            yield match, code
    finally:
        serving.close()


def kill_between(match, code, kill, dice):
    """Kill the site after a turn: at a random moment, or while word of it is handed over, one way or the other."""
    carrier = {1: match.box, 2: match.service}.get(kill % 4)
    if carrier is not None:
        carrier.taken = lambda: (setattr(carrier, "taken", lambda: None), match.serving.kill())
        match.turn(code)
    else:
        match.turn(code)
        time.sleep(dice.uniform(0.0, 2 * PAUSE))
        match.serving.kill()
    match.serving.start_again()


def kill_within(match, code, dice):
    """Kill the site while a turn is being made, so that word of it may not lie in the queue; return whether it was.

    Nobody looks at the match before he is told: that it goes on, and what is open there, the site knows by itself.
    """
    killing = threading.Timer(dice.uniform(0.3, 1.1) * match.took, match.serving.kill)
    match.turn(code, killing.start)
    killing.join()
    match.serving.await_death()
    decided, unsaid = match.is_decided(), len(match.look(TURNS)) < match.turns + 1
    match.serving.start()
    if not decided:
        match.turns -= 1
        match.turn(code)
    return decided and unsaid


def killed(folder, kills, seed):
    dice = random.Random(seed)
    with mail_server() as (box, server), push_service(folder) as service, played(folder, box, server, service) as made:
        match, code = made
        for kill in range(kills):
            if kill % 4 == 3:
                match.unsaid += kill_within(match, code, dice)
            else:
                kill_between(match, code, kill, dice)
            match.await_word()
        assert service.refusals == []
    return match


def check(match, kills):
    """None is lost; of what is carried at the same time, a letter and a push, a kill doubles each once at most."""
    assert match.turns == kills
    for told in (match.by_mail, match.pushed):
        assert set(told) == set(range(kills + 1))
        assert max(told.values()) <= 2
        assert 1 <= told.total() - (kills + 1) <= kills, "some were killed just after it was told"


def test_a_site_that_is_killed_between_a_turn_and_word_of_it_loses_none_and_doubles_one_at_most(tmp_path):
    check(killed(tmp_path, 4, 5), 4)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(8))
def test_many_kills_between_a_turn_and_word_of_it(tmp_path, seed):
    match = killed(tmp_path, 40, 100 + seed)
    check(match, 40)
    assert match.unsaid > 0, "a turn was on disk, and word of it nowhere"


if __name__ == "__main__":
    nursery(json.loads(sys.argv[1]))
