"""Matches played in only one way: by keyboard, by touch on a phone, or by mouse on the boards.

Time runs on while choices do not accept presses; `test_scenes` tests that delay.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.helpers.browser import GLANCE, SPOTS, BrowserGuest, Visit, all_seated, play_unseen, two_boats_left
from tests.helpers.site import Site

pytestmark = pytest.mark.usefixtures("steady")
FEW = 4
"""Decisions of Lifeboats by keyboard while people are seated, and again once ballots have begun."""
GAMES = ("voyage", pytest.param("lifeboats", marks=pytest.mark.soak))
"""The longer one is begun and ended by keyboard; the soak plays all of it."""


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
    assert _decide_by_keyboard(ada) > 0
    assert room.state.phase == "over"
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


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_with_the_mouse_only_on_the_boards(site: Site, visit: Visit, game):
    """No button is pressed, except to play a plan."""
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
