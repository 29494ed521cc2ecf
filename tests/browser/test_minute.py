"""The played minute: of every game on a phone, each step by one touch; before a first match, and never again."""

import pytest
from playwright.sync_api import Page, expect

from tavola import games
from tavola.show.cards import words_of
from tests.helpers.browser import PHONE, Visit

pytestmark = pytest.mark.browser
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
"""Where the light stands, what a finger would touch there, how much of the sentence is cut, how far from the edge the
button that skips is, and whether the light stands on what a choice is known by."""


AT_REST = "() => document.getAnimations().every((each) => each.playState !== 'running')"
"""The light has come to where it goes."""


def _play(page: Page) -> int:
    done = 0
    while not page.locator(".minute-page.at-end").count():
        page.wait_for_function(AT_REST)
        lit = page.evaluate(LIT)
        assert "spot" in lit["touched"], lit
        assert (lit["cut"] <= 1, lit["wide"], lit["skip"] > 4) == (True, 0, True), lit
        assert lit["shown"] or "Pfeil nach" not in lit["said"], lit
        page.mouse.click(lit["x"], lit["y"])
        page.click("#minute-told button")
        done += 1
    return done


def test_the_minutes_of_all_games_are_played_on_a_phone(visit: Visit):
    ada = visit(**PHONE, lessons=True, locale="de-DE")
    for name in games.names():
        ada.page.goto(f"/games/{name}/minute")
        assert _play(ada.page) == len(words_of(games.load(name)).minute.steps)
        expect(ada.page.locator(".ended .primary")).to_be_in_viewport()
    ada.screenshot("minute-end-360")


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
