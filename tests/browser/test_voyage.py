"""A game of secret roles in the browser: two guests and two bots sail to the end, one on a phone."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_pages import open_room, sit
from tests.helpers.browser import BrowserGuest, Visit, play_out, play_unseen
from tests.helpers.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("steady")]


@pytest.mark.soak
def test_two_guests_and_two_bots_sail_to_the_end(site: Site, visit: Visit):
    ada = visit(hurried=True)
    bruno = visit(width=360, height=640, color_scheme="dark", locale="fr-FR", has_touch=True, hurried=True)
    guests = [ada, bruno]
    code = open_room(ada, players="4", bots="2", game="voyage")
    sit(bruno, code, "Bea")
    ada.page.click("text=Start the match")
    room = site.room(code)
    ada.open_panel("notes")
    ada.page.select_option("#note-1", "traitor")
    play_out(guests, {turn: f"voyage-{turn}" for turn in (2, 9)}, most=9)
    play_unseen(site, room, guests, 50)
    play_out(guests, {3: "voyage-late"})  # perhaps nothing: a ship without luck is lost before
    assert room.state.phase == "over"
    for guest in guests:
        guest.screenshot(f"voyage-over-{guest.page.viewport_size['width']}")
        expect(guest.page.locator(".ending .result")).to_have_count(4)
        assert guest.overflow() <= 0
    _secrets_stayed_secret(ada, bruno, code)


def _secrets_stayed_secret(ada: BrowserGuest, bruno: BrowserGuest, code: str):
    """What was guessed is in the own replay and in nobody else's; the summary card opens over the page."""
    ada.page.click("text=Summary card")
    expect(ada.page.locator("#sheet dt").first).to_be_visible()
    ada.screenshot("voyage-card")
    for guest, there in ((ada, True), (bruno, False)):
        guest.page.goto(f"/r/{code}/replay?as=0")
        assert (guest.page.locator("#notes-title").count() > 0) == there
