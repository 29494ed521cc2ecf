"""On a phone, upright or turned, no button is covered: every pair of panels is opened together."""

import itertools
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.helpers import wait_for
from tests.helpers.browser import PHONE, TWO_FRAMES, Visit
from tests.helpers.rooms import play_legal
from tests.helpers.site import Site
from tests.helpers.staged import Staged, decisions, random_match

UPRIGHT, TURNED, SMALL = (360, 740), (740, 360), (320, 568)
MATCHES = {
    "lifeboats": ("lifeboats", 4, 8),
    "voyage": ("voyage", 5, 16),
    "fairies": ("fairies", 3, 2),
    "expedition": ("expedition", 3, 2),
    "tournament": ("tournament", 3, 5),
}
COVERED = """() => {
  const opened = (node) => node?.closest(".chron.open, .settings, .ahead[open], #bubble, [popover], dialog");
  const name = (node) => `${node?.tagName}.${node?.getAttribute("class")} ${node?.textContent.trim().slice(0, 30)}`;
  const hidden = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect(), pane = opened(node);
    const pressed = [[left + 5, top + 5], [right - 5, top + 5], [left + 5, bottom - 5], [right - 5, bottom - 5]];
    const spots = [[(left + right) / 2, (top + bottom) / 2], ...(node.matches(".rim-arrow") ? [] : pressed)];
    const beyond = pane && (spots.some(([x, y]) => x > innerWidth || y > innerHeight || y < 0 ||
      y > pane.getBoundingClientRect().bottom || x > pane.getBoundingClientRect().right));
    if (beyond || node.closest(".log, .chat")) return null;
    const over = spots.map(([x, y]) => document.elementFromPoint(x, y)).find((seen) =>
      !node.contains(seen) && !seen?.closest(".picture:has(.quarter)") && !(opened(seen) && opened(seen) !== pane));
    return over === undefined ? null : `${name(node)} is under ${name(over)}`;
  };
  const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().width > 1;
  return [...document.querySelectorAll("#room :is(button, a[href], summary)")].filter(seen).map(hidden).filter(Boolean);
}"""
"""The buttons that something covers at their middle or a corner. A panel on top may cover
others, and so may the quarters of Tournament's throw, which fill the window; of the arrows at the rim of a map
only the middle counts."""
LOW = """() => [...document.querySelectorAll("#offers .choice")].map((choice) => choice.getBoundingClientRect().height)
  .filter((height) => height < 39.5)"""
SHUT = """() => {
  document.querySelectorAll("#room details[open]").forEach((panel) => { panel.open = false; });
  document.querySelectorAll(":popover-open").forEach((panel) => panel.hidePopover());
  document.querySelector(".chron").classList.remove("open");
}"""
ENLARGED = """(percent) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:root { font-size: ${percent}% }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""
FONT_SIZE = "(words) => parseFloat(getComputedStyle(document.querySelector(words)).fontSize)"
OPENERS = ".tools .menu > summary, .tools [popovertarget], .ticker [data-open], .ticker [data-act], #ahead > summary"


@pytest.mark.parametrize("game", MATCHES)
def test_every_choice_can_be_pressed_upright_and_turned(site: Site, visit: Visit, game):
    match, ada = random_match(*MATCHES[game]), visit(**PHONE)
    staged = Staged(site, match, ada)
    for stop in sorted(decisions(match))[::2][:4]:
        staged.advance_to(stop.at)
        ada.page.goto(f"/r/{staged.code}")
        ada.page.wait_for_selector("#offers:not(.inert) .choice")
        for width, height in (UPRIGHT, TURNED, SMALL):
            ada.page.set_viewport_size({"width": width, "height": height})
            ada.page.evaluate(TWO_FRAMES)
            where = (stop.name, width)
            assert ada.page.evaluate(COVERED) == [], where
            assert ada.page.evaluate(LOW) == [], where
            assert ada.overflow() <= 0, where
            ada.screenshot(f"phone-{game}-{stop.at:03}-{width}", full_page=False)


def test_text_grows_with_the_systems_font_size_and_covers_nothing(site: Site, visit: Visit):
    """At twice the usual size: words grow in rooms by an eighth, elsewhere by as much as the system's."""
    match, ada = random_match(*MATCHES["lifeboats"]), visit(**PHONE)
    staged = Staged(site, match, ada)
    staged.advance_to(max(decisions(match)).at)
    sizes = {}
    for percent in (100, 200):
        for path, words in ((f"/r/{staged.code}", "#offers:not(.inert) .choice"), ("/games/lifeboats/rules", "main p")):
            ada.page.goto(path)
            ada.page.evaluate(ENLARGED, percent)
            ada.page.wait_for_selector(words)
            ada.page.evaluate(TWO_FRAMES)
            assert ada.overflow() <= 0, path
            sizes[words, percent] = ada.page.evaluate(FONT_SIZE, words)
            if path.startswith("/r/"):
                assert ada.page.evaluate(COVERED) == []
    grown = {words: sizes[words, 200] / sizes[words, 100] for words, _ in sizes}
    assert grown == {"#offers:not(.inert) .choice": pytest.approx(1.125), "main p": pytest.approx(2)}


@pytest.mark.parametrize("game", ["lifeboats", "voyage"])
def test_no_two_panels_cover_each_others_buttons(site: Site, visit: Visit, game):
    """In a match over days while others decide: then one can compose, write notes and answer ahead."""
    ada, bea = visit(**PHONE), visit()
    code = ada.open_room(game=game, players="3", bots="1", days="3")
    bea.sit(code, "Bea")
    ada.begin()
    room = site.room(code)
    while 0 in room.state.dues:
        site.run(play_legal(room, room.state.occupants[0].person))
    wait_for(lambda: room.state.dues)
    for width, height in (UPRIGHT, TURNED, SMALL):
        ada.page.set_viewport_size({"width": width, "height": height})
        ada.page.goto(f"/r/{code}")
        expect(ada.page.locator("#ahead")).to_be_visible()
        for first, second in _pairs(ada.page):
            _open(ada.page, first)
            _open(ada.page, second)
            ada.page.evaluate(TWO_FRAMES)
            assert ada.page.evaluate(COVERED) == [], (first, second, width)
            ada.page.evaluate(SHUT)
            _end_statement(ada.page)


def _pairs(page: Page) -> Iterator[tuple[int, int]]:
    """Yield the numbers of two openers of panels."""
    return itertools.combinations(range(page.locator(OPENERS).count()), 2)


def _open(page: Page, number: int) -> None:
    """Press the opener of a panel unless another panel has taken it away."""
    opener = page.locator(OPENERS).nth(number)
    if not opener.is_visible():
        return
    opener.evaluate("(button) => button.click()")
    if opener.get_attribute("data-act"):
        page.wait_for_selector(".room.composing")


def _end_statement(page: Page) -> None:
    """Leave what is being composed: it begins with one question, so that one step back ends it."""
    if page.locator(".room.composing").count():
        page.evaluate("document.querySelector('[data-unsay]').click()")
        page.wait_for_selector(".room:not(.composing)")
