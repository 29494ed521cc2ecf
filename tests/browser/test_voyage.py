"""A game of secret roles in the browser; whole matches are in `test_whole_matches`."""

import pytest
from playwright.sync_api import expect

from tests.helpers.browser import PHONE, Visit, play_unseen
from tests.helpers.site import Site

pytestmark = pytest.mark.usefixtures("steady")


@pytest.mark.soak
def test_guesses_are_only_in_the_own_replay_and_the_summary_card_opens_over_the_page(site: Site, visit: Visit):
    ada, bruno = visit(), visit(**PHONE, locale="fr-FR")
    code = ada.open_room(players="4", bots="2", game="voyage")
    bruno.sit(code, "Bea")
    ada.begin()
    room = site.room(code)
    ada.open_panel("notes")
    ada.page.select_option("#note-1", "traitor")
    ada.wait(lambda: any(event.kind == "noted" for event in site.hub.store.events(code)))
    play_unseen(site, room, [ada, bruno])
    assert room.state.phase == "over"
    for guest in (ada, bruno):
        guest.screenshot(f"voyage-over-{guest.page.viewport_size['width']}")
        expect(guest.page.locator(".ending .result")).to_have_count(4)
        assert guest.overflow() <= 0
    ada.page.click("text=Summary card")
    expect(ada.page.locator("#sheet dt").first).to_be_visible()
    ada.screenshot("voyage-card")
    for guest, there in ((ada, True), (bruno, False)):
        guest.page.goto(f"/r/{code}/replay?as=0")
        assert (guest.page.locator("#notes-title").count() > 0) == there
