"""Matches played in only one way, by keyboard or by mouse on the boards, and a fight in two browsers over a restart."""

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import tavola
from tavola.core import Refusal
from tavola.games.tournament.components import CARDS
from tavola.live.protocol import Fill, Play
from tavola.live.time.delays import Suspense
from tavola.web.requests.limits import UNHURRIED
from tavola.web.serve.server import warm_up
from tests.helpers import wait_for
from tests.helpers.browser import (
    CARD_CORNER,
    GLANCE,
    PHONE,
    SPOTS,
    BrowserGuest,
    Visit,
    all_seated,
    play_unseen,
    sent_plays,
    two_boats_left,
)
from tests.helpers.rooms import new_command_id
from tests.helpers.site import Site
from tests.live.time.test_race_sockets import CLEARLY, HUMANLY
from tests.live.time.test_tournament import LAID, as_dealt

LOST = re.compile("WebSocket|net::")
FEW = 4
"""Decisions of Lifeboats by keyboard while people are seated, and again once ballots have begun."""


@pytest.mark.usefixtures("steady")
def test_a_match_is_begun_and_ended_with_only_the_keyboard(site: Site, visit: Visit):
    """Boats and people are placed, votes are cast, and the end is reached; the repetition between is played unseen."""
    ada = visit(hurried=True)
    page, keys = ada.page, ada.page.keyboard
    page.request.post("/quick", form={"game": "voyage", "level": "random"})  # the next bots are like the last ones
    page.goto("/")
    _tab_to(page, 'form:has(input[value="lifeboats"]) .primary')
    keys.press("Enter")
    page.wait_for_url("**/r/*")
    room = site.room(page.url.rpartition("/")[2])
    for late in (all_seated, two_boats_left):
        assert _decide_by_keyboard(ada, most=FEW) == FEW
        play_unseen(site, room, [ada], late=late)
    assert (_decide_by_keyboard(ada) > 0, room.state.phase) == (True, "over")
    expect(page.locator("#question")).to_be_visible()


def _decide_by_keyboard(ada: BrowserGuest, most: float = float("inf")) -> int:
    """Decide by keys until the match is over, at most `most` times; return the number of decisions."""
    page, keys, decisions = ada.page, ada.page.keyboard, 0
    while decisions < most and not (state := ada.wait_for_choices())["over"]:
        if not page.evaluate("Boolean(document.activeElement.closest('#offers'))"):
            _tab_to(page, "#offers *")
        if decisions % 3 == 1:
            keys.press("ArrowRight")
        keys.press("2" if decisions % 4 == 2 and page.locator("#offers .choice").count() > 1 else "Enter")
        if page.locator("#steps button, #offers .go").count():
            ada.listen()
            keys.press("Enter")
        decisions += 1
        page.wait_for_timeout(GLANCE)
        assert decisions < 400, state
    return decisions


def _tab_to(page: Page, wanted):
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"no way by keyboard to {wanted}")


@pytest.mark.usefixtures("steady")
@pytest.mark.parametrize("game", ["voyage", pytest.param("lifeboats", marks=pytest.mark.soak)])
def test_a_whole_match_with_the_mouse_only_on_the_boards(site: Site, visit: Visit, game):
    """No button is pressed, except to play a plan. Only the soak plays all of Lifeboats, which is longer."""
    ada = visit(hurried=True)
    code = ada.start(game)
    page, turns, most = ada.page, 0, 0
    while not (state := ada.wait_for_choices())["over"]:
        touches = 0
        while (now := ada.state())["prompt"] == state["prompt"] and not now["over"]:
            ada.listen()
            spots = page.evaluate(SPOTS, ".picture .clickable[data-codes]")
            if page.locator("#offers .go").count():
                page.click("#offers .go")
            elif spots:
                page.mouse.click(*spots[(turns + touches) % len(spots)])
            touches += 1
            page.wait_for_timeout(GLANCE)
            assert touches < 60, (state, spots)
        turns, most = turns + 1, max(most, touches)
    assert turns > 2  # a route may be lost early
    assert most > 1  # some were chosen a step at a time
    assert site.room(code).state.phase == "over"


# A fight, by mouse, finger and keyboard: cards are laid ahead, and God judges over a restart


HOLD = Suspense(1.5, 0.0)
BIG = ("crown", "chalice", "globe")
CORNERS = """() => document.querySelectorAll('.picture .clickable[data-codes^="point "]').length === 4"""
SHIELD = """() => {
  const { width, height } = document.querySelector(".stage").getBoundingClientRect();
  return width === innerWidth && height === innerHeight;
}"""


class Table:
    """A site that can be restarted, with a match of two people in browsers and a bot."""

    def __init__(self, database: Path, chromium: Browser):
        self.database, self.site = database, Site(database, suspense=HOLD)
        self.ada = BrowserGuest(chromium, self.site.url)
        self.bea = BrowserGuest(chromium, self.site.url, **PHONE)
        self.code = self.ada.open_room(game="tournament")
        self.bea.sit(self.code, "Bea")

    @property
    def room(self):
        return self.site.room(self.code)

    @property
    def table(self):
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

    def until_the_fight(self):
        """Play without trades until the first two seats fight."""
        self.site.run(self.room.execute(self.room.state.host, Fill(new_command_id(), "random")))
        self.ada.wait(lambda: self.room.state.open_decisions)
        trade = self.table.phase
        while self.table.phase == trade:
            for seat in {0, 1} & self.room.state.open_decisions.keys():
                self.play(seat, "done")
            time.sleep(0.02)
        for seat in (0, 1):
            self.play(seat, "fight")

    def lay_ahead(self, visitor: BrowserGuest, cards: tuple[str, ...]):
        """Touch cards in any order: each is laid in its box on this page only, until it is taken back."""
        page = visitor.page
        touch = page.tap if visitor is self.bea else page.click
        for count, card in enumerate(cards, 1):
            visitor.wait(lambda card=card: listens(visitor, f"#own-{card}.clickable"))
            touch(f"#own-{card}", position=CARD_CORNER)
            visitor.wait(lambda count=count: page.locator("#steps .laid-ahead").count() == count)
            assert page.locator(f"#own-{card}.laid-down").count() == 1
        assert page.locator(".would-lie.lies").count() == len(cards)

    def laid(self, seat: int) -> list[int]:
        return list(self.room.view(seat).hand.laid)

    def restart(self):
        port = int(self.site.url.rpartition(":")[2])
        self.site.close()
        self.site = Site(self.database, UNHURRIED, port, suspense=HOLD)

    def right(self, seats=(0, 1)):
        """Wait until these seats can point, in their pages as well; return the right corner."""
        self.ada.wait(lambda: self.room.state.open_decisions.keys() == set(seats) and any(self.table.duel.tokens))
        for visitor in [(self.ada, self.bea)[seat] for seat in seats]:
            visitor.page.wait_for_function(CORNERS)
            assert visitor.page.evaluate(SHIELD), "the whole page is the shield"
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
            visitor.console_errors = [each for each in visitor.console_errors if not LOST.search(each)]
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


def listens(visitor: BrowserGuest, piece: str) -> bool:
    return bool(visitor.page.locator(piece).count()) and not visitor.state()["deaf"]


def both_lay(lists: Table):
    """Ada and Bea lay cards that win two boxes each: four in one plan, of which the server hears box by box."""
    ada, bea = lists.ada, lists.bea
    cards, sent = [tuple(laid[box] for box in (2, 0, 3, 1)) for laid in LAID], sent_plays(ada.page)
    lists.lay_ahead(ada, cards[0])
    assert (sent(), lists.laid(0)) == ([], [0] * 4), "the server hears of no card before its box is asked"
    ada.page.click("#offers:not(.inert) .go")
    ada.wait(lambda: lists.laid(0)[0])
    ada.page.click('#steps .laid-ahead[aria-label$="Armour 1"]')
    assert ada.page.locator("#steps .laid-ahead").count() == 2
    lists.lay_ahead(bea, cards[1][:2])
    bea.page.reload()
    bea.page.wait_for_selector('#banner:has-text("your unfinished move")')
    assert bea.page.locator("#steps .laid-ahead, .lies").count() == 0
    lists.lay_ahead(bea, cards[1])
    bea.page.tap("#offers:not(.inert) .go")
    ada.wait(lambda: lists.table.duel.box == 3)
    assert (lists.laid(0)[:3], len(sent())) == ([CARDS.index(card) + 1 for card in LAID[0][:3]], 3)
    for piece in (f"#own-{LAID[0][3]}", f"#own-{LAID[0][3]}.armed"):  # in the last box, a second touch confirms
        ada.wait(lambda piece=piece: listens(ada, f"{piece}.clickable"))
        ada.page.click(piece, position=CARD_CORNER)


def test_a_fight_is_laid_ahead_and_judged_in_two_browsers_over_a_restart(lists: Table):
    lists.until_the_fight()
    both_lay(lists)
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
    assert [each["code"].split()[0] for each in (thrown, again)] == ["throw", "throw"]
    assert min(quick["reaction"][1], slow["reaction"][1]) > 0  # the page has returned echoes
    assert (quick["seat"], first["code"]) == (1, "first 1")
    assert lists.table.purse[:2] == (10, 15)
