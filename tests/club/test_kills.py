"""A site is killed repeatedly between a turn and its notifications: none is lost, none is sent more than twice.

`python -m tests.club.test_kills ORDER` is its nursery: it loads everything once, then forks a `tavola serve` for each
line it reads. All is real: a database file, a mail server and a push service of the tests.
"""

import contextlib
import json
import random
import sqlite3
import ssl
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import httpx
import pytest

from tavola import games
from tavola.club.sending.mail import MailServer
from tavola.club.sending.reach import Reach
from tavola.web.requests.guard import HostNames
from tavola.web.requests.limits import UNHURRIED
from tavola.web.serve.server import load_pages, serve, warm_up
from tavola.web.serve.settings import MailSettings, SiteSettings
from tests.club.test_accounts import keep
from tests.helpers import wait_for
from tests.helpers.failures import Nursery, report, run_nursery
from tests.helpers.mail import mail_server
from tests.helpers.push import is_loopback, push_service
from tests.helpers.rooms import quick_settings
from tests.helpers.site import Guest

pytestmark = pytest.mark.process
PAUSE, TAKEN_FOR = 0.15, 0.8
"""Seconds until a turn's notification is due, and for which a worker owns an e-mail."""
OPEN = "SELECT count(*) FROM outbox WHERE ended = ''"
TURNS = "SELECT topic FROM outbox WHERE kind = 'turn'"
PLAYED = """SELECT count(*) FROM event WHERE kind = 'played' AND body LIKE '%"seat":0,%'"""


# The site


def site_settings(order):
    mail = MailServer.parse(f"smtp://127.0.0.1:{order['mail']}", "table@tavola.example")
    reach = Reach(is_loopback, None, ssl.create_default_context(cafile=order["trusted"]))
    return SiteSettings(
        Path(order["database"]),
        port=0,
        names=HostNames(frozenset({"127.0.0.1"}), home="http://127.0.0.1"),
        limits=UNHURRIED,
        hub=quick_settings(),
        missing=tuple(games.names()),  # the nursery has loaded everything
        mail=MailSettings(mail, reach, PAUSE, TAKEN_FOR),
    )


def nursery(order):
    load_pages()
    warm_up(["lifeboats"], ["random"])
    run_nursery(lambda again: serve(site_settings(order), lambda address: report(open=address.rstrip("/"))))


# The test


class Serving(Nursery):
    """Sites on one database, one after the other, each on another port; the guest follows."""

    def __init__(self, order, guest):
        self.guest = guest
        super().__init__("tests.club.test_kills", json.dumps(order))

    def start(self):
        self.begin()
        self.guest.base_url = self.guest.headers["Origin"] = self.until("open")


class Match:
    """A correspondence match of one guest and bots, with the number of notifications of each of the guest's turns.

    `took`: seconds of the last turn. `unsaid`: how often a turn was on disk before any notification was.
    """

    def __init__(self, serving, guest, database, box, service):
        self.serving, self.guest, self.database, self.box, self.service = serving, guest, database, box, service
        self.by_mail, self.pushed = Counter[int](), Counter[int]()
        self.unsaid, self.took, self.turns = 0, 0.0, 0
        self.heard = len(box.emails), len(service.notifications)

    def turn(self, code, before=lambda: None):
        """Decide, calling `before` first; the next prompt is a turn of which the guest is notified."""
        prompt, choices = self.guest.choices(code)
        assert choices, "he is asked"
        chosen = {"prompt_id": str(prompt), "code": choices[self.turns % len(choices)]}
        self.played = self.look(PLAYED)
        before()
        began = time.monotonic()
        with contextlib.suppress(httpx.TransportError):  # a site that is killed meanwhile does not answer
            self.guest.post(f"/r/{code}/play", data=chosen, follow_redirects=False)  # the page takes long
        self.turns, self.took = self.turns + 1, time.monotonic() - began

    def await_word(self):
        """Wait until both notifications of the turn have arrived and nothing is left to send."""
        before = self.heard

        def has_word():
            waits = self.look(OPEN) != [(0,)]  # first: what arrives between two looks belongs to this turn, too
            self.heard = len(self.box.emails), len(self.service.notifications)
            return self.heard[0] > before[0] and self.heard[1] > before[1] and not waits

        wait_for(has_word, lambda: f"lost: turn {self.turns}, told {before}, then {self.heard}")
        self.by_mail[self.turns], self.pushed[self.turns] = self.heard[0] - before[0], self.heard[1] - before[1]

    def look(self, query):
        """Query the file that the site has open; this does not disturb it."""
        with contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()


@contextlib.contextmanager
def played(folder, box, server, service):
    """Yield a running match of a guest who gets e-mails and pushes, and its code."""
    database = str(folder / "tavola.sqlite")
    order = {"database": database, "mail": server.port, "trusted": str(folder / "certificate.pem")}
    with Guest("http://127.0.0.1", "en", {}) as ada, contextlib.closing(Serving(order, ada)) as serving:
        serving.start()
        keep(ada, box)
        key = ada.get("/account").text.split('data-push="')[1].split('"')[0]
        assert ada.post("/push", json=service.browser(key).document).status_code == 200
        match = Match(serving, ada, database, box, service)
        code = ada.create(days="3", patience="60")
        ada.post(f"/r/{code}/fill", data={"level": "random"})
        match.await_word()
        yield match, code


def kill_between(match, code, kill, dice):
    """Kill the site after a turn: at a random moment, or while an e-mail or a push is handed over."""
    carrier = {1: match.box, 2: match.service}.get(kill % 4)
    if carrier is not None:
        carrier.taken = lambda: (setattr(carrier, "taken", lambda: None), match.serving.kill())
        match.turn(code)
    else:
        match.turn(code)
        time.sleep(dice.uniform(0.0, 2 * PAUSE))
        match.serving.kill()
    match.serving.await_death()
    match.serving.start()


def kill_within(match, code, dice):
    """Kill the site during a turn, possibly before its notification is queued; return whether that happened.

    No one opens the match before the notification: the site must find it, and continue it, by itself.
    """
    killing = threading.Timer(dice.uniform(0.3, 1.1) * match.took, match.serving.kill)
    match.turn(code, killing.start)
    killing.join()
    match.serving.await_death()
    decided = match.look(PLAYED) != match.played  # a kill before the turn is on disk undoes it
    unsaid = len(match.look(TURNS)) < match.turns + 1
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


@pytest.mark.parametrize(
    ("kills", "seed"), [(4, 5), *(pytest.param(40, seed, marks=pytest.mark.soak) for seed in range(100, 108))]
)
def test_a_site_killed_between_a_turn_and_its_notification_loses_none_and_repeats_at_most_one(tmp_path, kills, seed):
    match = killed(tmp_path, kills, seed)
    assert match.turns == kills
    for told in (match.by_mail, match.pushed):
        assert set(told) == set(range(kills + 1))
        assert max(told.values()) <= 2
        assert 1 <= told.total() - (kills + 1) <= kills, "some were killed just after it was told"
    assert match.unsaid > 0 or kills < 40, "a turn was on disk, and word of it nowhere"


if __name__ == "__main__":
    nursery(json.loads(sys.argv[1]))
