"""Tournament in the browser: three guests and a bot barter by touching cards, and two of them race to a corner."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

import tavola
from tavola.games.tournament.components import CARDS, Phase
from tavola.games.tournament.words.nouns import right_corner
from tavola.live.time.delays import Suspense
from tests.helpers.browser import GLANCE, PHONE, BrowserGuest, sent_plays
from tests.helpers.site import Site, site_at

KEPT = (("sword-9", "shield-9", "lance-1", "armour-1"), ("sword-1", "shield-1", "lance-9", "armour-9"))
"""First cards of Ada and Bea: two winning boxes each, so that God must judge."""
BARTERS = ((0, 1), (1, 2), (0, 2))
"""Seats that whisper and are whispered to; each seat may publish two offers."""
CORNERS = ("crown", "chalice", "globe", "all")


class Dealer:
    """Chance as the test needs it: first the cards in `KEPT` for Ada and Bea, then any."""

    def __init__(self, codes):
        self.codes, self.dealt = codes, 0

    def __call__(self, outcomes, weights):
        """Return an outcome, by its place or itself, as the room expects."""
        names = [self.codes(outcome) for outcome in outcomes]
        if not names[0].startswith("deal "):
            return outcomes[-1]
        turn, seat = divmod(self.dealt, 4)
        self.dealt += 1
        kept = {f"deal {card}" for cards in KEPT for card in cards}
        if seat < 2 and turn < 4:
            return outcomes[names.index(f"deal {KEPT[seat][turn]}")]
        return next((o for o, name in zip(outcomes, names, strict=True) if name not in kept), outcomes[0])


@pytest.fixture
def dealt(monkeypatch: pytest.MonkeyPatch):
    code = tavola.load("tournament").actions.code
    monkeypatch.setattr("tavola.live.log.dice.Dice.draw_outcome", Dealer(code))


class Table:
    """Three guests, each with their own browser, and a bot."""

    def __init__(self, site: Site, browser: Browser):
        self.site = site
        sizes = ({}, {**PHONE, "color_scheme": "dark"}, {"width": 1100})
        self.guests = [BrowserGuest(browser, site.url, **size) for size in sizes]
        options = {"option-rounds": "1", "option-offer_limit": "2"}
        self.code = self.guests[0].open_room("4", game="tournament", **options)
        for guest, name in zip(self.guests[1:], ("Bea", "Carla"), strict=True):
            guest.sit(self.code, name)
        self.guests[0].page.click('form[action$="/fill"] button')
        for guest in self.guests:
            guest.page.wait_for_selector(".room.playing")
            guest.page.wait_for_selector(".hand .clickable")

    @property
    def room(self):
        return self.site.room(self.code)

    def seen(self, seat=None):
        return self.room.view(seat)

    def until(self, phases):
        self.guests[0].wait(lambda: self.seen().table.phase in phases)

    def close(self):
        for guest in self.guests:
            guest.close()


def offer(table: Table, maker, taker):
    """Whisper an offer: touch the taker's arms and a card of the hand, move the slider to a sou, and send."""
    page, hand = table.guests[maker].page, table.seen(maker).hand
    kept = {card for cards in KEPT for card in cards}
    card = next(name for number, name in enumerate(CARDS) if hand.cards >> number & 1 and name not in kept)
    before = table.seen().table.published[maker]
    table.guests[maker].wait_for_choices()
    page.click(f"#to-{taker}")
    page.wait_for_selector("#send")
    page.click(f"#own-{card}", position={"x": 14, "y": 6})
    page.wait_for_selector(f'[data-removes="give {card}"]')
    slider = page.locator("#scale-sous")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector('form[data-steps*="charge 1"]', state="attached")
    moments = table.room.moments
    assert table.seen(maker).hand.draft.to == 0, "nothing of a draft is sent"
    _insist(table.guests[maker], "#send", lambda: table.seen().table.published[maker] > before)
    page.wait_for_selector("#send", state="detached")
    assert table.room.moments > moments
    return before


def _insist(guest: BrowserGuest, piece, happened):
    """Press until it has happened: a bot may be faster, and then the piece is still there."""
    while not happened():
        guest.page.click(f"{piece}.clickable", position={"x": 8, "y": 8})
        guest.wait(lambda: happened() or guest.page.locator(f"{piece}.clickable").count())


@pytest.mark.soak
def test_three_guests_and_a_bot_barter_race_and_end(dealt, chromium: Browser, tmp_path: Path):
    with site_at(tmp_path / "t.sqlite", suspense=Suspense(0.5, 0.0)) as site:
        table = Table(site, chromium)
        for number, (maker, taker) in enumerate(BARTERS, 1):
            place = offer(table, maker, taker)
            sales = table.seen().table.sales
            ware = f"#answer-{maker}-{place}"
            _insist(table.guests[taker], ware, lambda sales=sales: table.seen().table.sales > sales)
            assert table.seen(taker).hand.known[maker] is not None
            assert table.seen().table.sales >= number
        _done(table)
        _duel(table)
        _race(table)
        _to_the_end(table)
        table.close()


def _done(table: Table):
    while table.seen().table.phase == Phase.TRADE:
        for guest in table.guests:
            if "done" in guest.state()["codes"]:
                guest.press("done")
        table.guests[0].page.wait_for_timeout(GLANCE)


def _duel(table: Table):
    """Ada and Bea lay cards that win two boxes each: four cards in one plan, by mouse and by finger."""
    ada, bruno = table.guests[:2]
    for guest in (ada, bruno):
        guest.wait_for_choices()
        guest.press("fight")
    sent = sent_plays(ada.page)
    _lay_all(table, 0)
    assert sent() == [], "the server hears of no card before its box is asked"
    assert list(table.seen(0).hand.laid) == [0] * 4
    ada.page.click("#offers .go")
    ada.wait(lambda: table.seen(0).hand.laid[0])
    ada.page.click('#steps .laid-ahead[aria-label$="Armour 1"]')
    assert ada.page.locator("#steps .laid-ahead").count() == 2
    _lay_all(table, 1, most=2)
    bruno.page.reload()
    bruno.page.wait_for_selector('#banner:has-text("your unfinished move")')
    assert bruno.page.locator("#steps .laid-ahead, .lies").count() == 0
    _lay_all(table, 1)
    bruno.page.tap("#offers .go")
    ada.wait(lambda: table.seen().table.duel.box == 3)
    assert list(table.seen(0).hand.laid)[:3] == [CARDS.index(card) + 1 for card in KEPT[0][:3]]
    assert len(sent()) == 3
    for again in (False, True):  # the last box, where a second touch confirms
        ada.wait(lambda again=again: _listens(ada, f"#own-{KEPT[0][3]}{'.armed' * again}.clickable"))
        ada.page.click(f"#own-{KEPT[0][3]}", position={"x": 14, "y": 6})
    table.until((Phase.THROW, Phase.POINTING))
    assert tuple(table.seen().table.duel.points) == (2, 2)


def _lay_all(table: Table, seat, most=4):
    """Touch a card of each kind, in any order: it is laid in its box on this page only, until it is taken back."""
    guest, lies = table.guests[seat], 0
    touch = guest.page.tap if seat else guest.page.click
    for card in [KEPT[seat][box] for box in (2, 0, 3, 1)][:most]:
        guest.wait(lambda card=card: _listens(guest, f"#own-{card}.clickable"))
        touch(f"#own-{card}", position={"x": 14, "y": 6})
        lies += 1
        guest.wait(lambda lies=lies: guest.page.locator("#steps .laid-ahead").count() == lies)
        assert guest.page.locator(f"#own-{card}.laid-down").count() == 1
    assert guest.page.locator(".would-lie.lies").count() == lies
    if most == 4:
        guest.wait(lambda: _listens(guest, "#offers .go"))


def _listens(guest: BrowserGuest, piece):
    return guest.page.locator(piece).count() and not guest.state()["deaf"]


def _race(table: Table):
    """The whole page is the shield; both point at the right corner until the clocks decide."""
    while table.seen().table.phase in (Phase.THROW, Phase.POINTING, Phase.RACE):
        table.until((Phase.POINTING,))
        duel = table.seen().table.duel
        right = CORNERS[right_corner(duel.tokens, duel.dots)]
        for guest in table.guests[:2]:
            quarter = f'.quarter.clickable[data-codes="point {right}"]'
            guest.page.wait_for_selector(quarter)
            size = guest.page.viewport_size
            stage = guest.page.locator(".stage").bounding_box()
            assert (stage["width"], stage["height"]) == (size["width"], size["height"])
            place = CORNERS.index(right)
            x, y = (0.25 + 0.5 * (place % 2)) * size["width"], (0.2 + 0.6 * (place // 2)) * size["height"]
            guest.page.mouse.click(x, y)
        table.guests[0].wait(lambda: table.seen().table.phase != Phase.POINTING)
    assert table.seen().table.duel.victor or table.seen().table.won[0] + table.seen().table.won[1] == 1


def _to_the_end(table: Table):
    while not all(guest.state()["over"] for guest in table.guests):
        for guest in table.guests:
            codes = guest.state()["codes"]
            if codes:
                guest.press("pass" if "pass" in codes else codes[0])
        table.guests[0].page.wait_for_timeout(GLANCE)
    view = table.seen()
    assert view.table.phase == Phase.OVER
    for guest in table.guests:
        guest.page.wait_for_selector(".ending .result:last-child")
        assert guest.page.locator(".ending .result").count() == 4
        assert guest.overflow() <= 0
