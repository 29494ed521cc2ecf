"""The minute-long tutorial of every game on a phone: one touch per step, and only before a first match."""

from playwright.sync_api import Page, expect

from tavola import games
from tavola.show.cards import words_of
from tests.helpers.browser import PHONE, Visit

LIT = """() => {
  const spot = document.querySelector(".spot").getBoundingClientRect(), learn = document.querySelector(".learn");
  const x = spot.x + spot.width / 2, y = spot.y + spot.height / 2, seen = document.elementFromPoint(x, y);
  const asked = document.getElementById("minute-asks");
  return {x, y, touched: seen?.className ?? "", cut: learn.scrollHeight - learn.clientHeight,
    said: asked.textContent, wide: document.documentElement.scrollWidth - innerWidth,
    skip: innerWidth - document.querySelector(".skip-minute").getBoundingClientRect().right,
    shown: [...document.querySelectorAll("[data-plate]")].some((sign) => {
      const box = sign.getBoundingClientRect(), across = box.x + box.width / 2, down = box.y + box.height / 2;
      return Math.hypot(across - x, down - y) < 3;
    })};
}"""
"""The place of the light, what a touch there hits, the length of text cut off, the overflow, the distance of Skip from
the edge, and whether the light is on the sign of a choice."""


AT_REST = "() => document.getAnimations().every((each) => each.playState !== 'running')"
"""True when the light has arrived."""


def _play(page: Page, game: str) -> None:
    """Play the whole minute, and press its last button twice, as some people do."""
    steps = len(words_of(games.load(game)).minute.steps)
    page.goto(f"/games/{game}/minute")
    done = 0
    while not page.locator(".minute-page.at-end").count():
        page.wait_for_function(AT_REST)
        lit = page.evaluate(LIT)
        assert "spot" in lit["touched"], lit
        assert (lit["cut"] <= 1, lit["wide"], lit["skip"] > 4) == (True, 0, True), lit
        assert lit["shown"] or "Pfeil nach" not in lit["said"], lit
        page.mouse.click(lit["x"], lit["y"])
        done += 1
        page.click("#minute-told button", click_count=2 if done == steps else 1)
    assert done == steps
    assert page.url.endswith("/minute")


def test_the_minutes_of_all_games_are_played_on_a_phone(visit: Visit):
    ada = visit(**PHONE, lessons=True, locale="de-DE")
    for name in games.names():
        _play(ada.page, name)
        expect(ada.page.locator(".ended .primary")).to_be_in_viewport()
    ada.screenshot("minute-end-360")


def test_a_second_press_at_the_end_of_a_minute_leads_nowhere(visit: Visit):
    """On a desktop, a link appears where the last button was."""
    _play(visit(lessons=True, locale="de-DE").page, "lifeboats")


def test_a_first_match_begins_with_the_minute_and_no_other_does(visit: Visit):
    ada = visit(lessons=True)
    ada.page.goto("/")
    ada.page.click('form:has(input[value="lifeboats"]) .button.primary')
    ada.page.wait_for_url("**/r/*/minute")
    ada.page.mouse.click(5, 790)
    expect(ada.page.locator("#minute-told")).to_be_hidden()
    ada.page.click(".skip-minute")
    ada.wait_for_choices()
    assert not ada.page.url.endswith("/minute")
    ada.page.reload()
    ada.wait_for_choices()
