"""The judgement in two browsers, by mouse, finger and keyboard, with a server restart in between."""

import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import tavola
from tavola.core import Refusal
from tavola.live import Room
from tavola.live.protocol import Fill, Play
from tavola.live.time.delays import Suspense
from tavola.web.requests.limits import UNHURRIED
from tavola.web.serve.server import warm_up
from tests.helpers import wait_for
from tests.helpers.browser import PHONE, BrowserGuest
from tests.helpers.rooms import new_command_id
from tests.helpers.site import Site
from tests.live.time.test_race_sockets import CLEARLY, HUMANLY
from tests.live.time.test_tournament import KINDS, LAID, as_dealt

HOLD = Suspense(1.5, 0.0)
BIG = ("crown", "chalice", "globe")
CORNERS = """() => document.querySelectorAll('.picture .clickable[data-codes^="point "]').length === 4"""


class Table:
    """A site that can be restarted, with a match of two people in browsers and a bot."""

    def __init__(self, database: Path, chromium: Browser):
        self.database, self.site = database, Site(database, suspense=HOLD)
        self.ada = BrowserGuest(chromium, self.site.url)
        self.bea = BrowserGuest(chromium, self.site.url, **PHONE)
        self.code = self.ada.open_room(game="tournament")
        self.bea.sit(self.code, "Bea")

    @property
    def room(self) -> Room:
        return self.site.room(self.code)

    @property
    def table(self) -> Any:
        return self.room.view(None).table

    def play(self, seat, code):
        """Play for a person whose page the test does not need, whatever others do meanwhile."""
        wait_for(lambda: self._plays(seat, code), lambda: f"{code} was never allowed")

    def _plays(self, seat, code) -> bool:
        person, prompt_id = self.room.state.occupants[seat].person, self.room.prompt_id(seat)
        answer = Play(new_command_id(), -1 if prompt_id is None else prompt_id, code)
        try:
            self.site.run(self.room.execute(person, answer))
        except Refusal:
            return False
        return True

    def until_the_toss(self):
        """Play until the toss: no trades, the first two seats fight and lay two winning cards each."""
        self.site.run(self.room.execute(self.room.state.host, Fill(new_command_id(), "random")))
        self.ada.wait(lambda: self.room.state.open_decisions)
        trade = self.table.phase
        while self.table.phase == trade:
            for seat in {0, 1} & self.room.state.open_decisions.keys():
                self.play(seat, "done")
            time.sleep(0.02)
        for seat in (0, 1):
            self.play(seat, "fight")
        for box, kind in enumerate(KINDS):
            for seat, laid in enumerate(LAID):
                self.play(seat, f"equip {kind} {laid[box].rpartition('-')[2]}")

    def restart(self):
        port = int(self.site.url.rpartition(":")[2])
        self.site.close()
        self.site = Site(self.database, UNHURRIED, port, suspense=HOLD)

    def right(self, seats=(0, 1)):
        """Wait until these seats can point, in their pages as well; return the right corner."""
        self.ada.wait(lambda: self.room.state.open_decisions.keys() == set(seats) and any(self.table.duel.tokens))
        for visitor in [(self.ada, self.bea)[seat] for seat in seats]:
            visitor.page.wait_for_function(CORNERS)
        tokens, dots = self.table.duel.tokens, self.table.duel.dots
        single, double = ([token for token in tokens if tokens.count(token) == times] for times in (1, 2))
        lone = (single if dots == 1 else double)[0] if double else 0
        return ("all", *BIG)[lone]

    def log(self):
        events = [event.body for event in self.site.hub.store.events(self.code) if event.kind == "played"]
        return [body for body in events if body["code"].split()[0] in ("throw", "point", "first")]

    def close(self):
        """Close the browsers, ignoring errors about lost connections."""
        for visitor in (self.ada, self.bea):
            visitor.console_errors = [
                fault for fault in visitor.console_errors if "WebSocket" not in fault and "net::" not in fault
            ]
            visitor.close()
        self.site.close()


@pytest.fixture
def lists(tmp_path: Path, chromium: Browser, monkeypatch: pytest.MonkeyPatch):
    warm_up([tavola.load("tournament").name])
    as_dealt(monkeypatch)
    table = Table(tmp_path / "t.sqlite", chromium)
    yield table
    table.close()


def corner(visitor: BrowserGuest, name: str):
    return visitor.page.locator(f'.picture .clickable[data-codes="point {name}"]').first


def test_a_judgement_is_raced_in_two_browsers_over_a_restart(lists: Table):
    lists.until_the_toss()
    right = lists.right()
    lists.ada.page.wait_for_timeout(1000 * HUMANLY)
    corner(lists.ada, right).click()
    lists.ada.wait(lambda: 0 not in lists.room.state.open_decisions)
    lists.restart()
    assert lists.right([1]) == right
    corner(lists.bea, right).tap()
    lists.ada.wait(lambda: lists.log()[-1]["code"] == "first none")
    right = lists.right()
    lists.bea.page.wait_for_timeout(1000 * HUMANLY)
    corner(lists.bea, right).tap()
    lists.ada.wait(lambda: 1 not in lists.room.state.open_decisions)
    lists.ada.page.wait_for_timeout(1000 * CLEARLY)
    lists.ada.page.keyboard.press(str((*BIG, "all").index(right) + 1))
    lists.ada.wait(lambda: lists.log()[-1]["code"].startswith("first"))
    thrown, ada, bea, nobody, again, quick, slow, first = lists.log()
    assert ("reaction" in ada, "reaction" in bea, nobody["code"]) == (True, False, "first none")
    assert thrown["code"].startswith("throw")
    assert again["code"].startswith("throw")
    assert quick["reaction"][1] > 0  # the page has returned echoes
    assert slow["reaction"][1] > 0
    assert (quick["seat"], first["code"]) == (1, "first 1")
    assert lists.table.purse[:2] == (10, 15)
