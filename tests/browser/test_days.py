"""A correspondence match in the browser: one touch replays what has happened, and notes are saved while typing."""

import re

from playwright.sync_api import expect

from tests.helpers import wait_for
from tests.helpers.browser import BrowserGuest, Visit
from tests.helpers.site import Guest, Site, begin_correspondence
from tests.web.test_since import begin, decide

RECENTLY = re.compile(r"now|\d+ min ago")
"""Time of what a guest has just done elsewhere."""


def decide_until_undo_is_offered(site: Site, ada: BrowserGuest, bea: Guest, code: str) -> None:
    """Play until Ada can take back her decision and waits for Bea, so that she may answer ahead."""
    room = site.room(code)
    own, bea_seat = (room.names.index(name) for name in ("Ada", "Bea"))
    while room.prompt_id(bea_seat) is None or not ada.page.locator(".undo").count():
        if (prompt := room.prompt_id(bea_seat)) is not None:
            bea.play(code, prompt, room.state.game.actions.code(room.view(bea_seat).legal[0]))
            wait_for(lambda: room.prompt_id(bea_seat) != prompt)
        elif (prompt := room.prompt_id(own)) is not None:
            ada.press(ada.wait_for_choices()["codes"][0])
            ada.wait(lambda: room.prompt_id(own) != prompt)


def test_undo_stands_beside_a_clock_of_days_and_a_run_of_decisions_is_laid_at_once(site: Site, visit: Visit):
    ada = visit(width=360, height=740)
    page, code = ada.page, ada.open_room(bots="1", days="3")
    with site.guest() as bea:
        bea.sit(code, "Bea")
        ada.begin()
        decide_until_undo_is_offered(site, ada, bea, code)
    expect(page.locator('.prompt[data-mine="no"] .clock')).to_be_visible()
    for width, _ in ada.sizes([(1280, 800), (360, 740)]):
        undo, clock = (page.locator(part).bounding_box() for part in (".undo button", ".clock"))
        assert undo["x"] + undo["width"] <= clock["x"] < clock["x"] + clock["width"] <= width
    page.click("#ahead > summary")
    page.select_option("#ahead-0", "crew sailor green")
    page.click("#ahead-run > summary")
    page.select_option("#ahead-then-0", "crew officer black")
    page.select_option("#ahead-then-1", "crew officer red")
    page.click("#ahead .primary")
    expect(page.locator("#ahead > summary")).to_contain_text("Your 3 advance answers are set")


def test_a_returning_player_sees_the_events_meanwhile_and_their_notes(site: Site, visit: Visit):
    with site.guest() as guest:
        code = begin(site, guest)
        decide(site, guest, code)
        ada = visit(width=360, height=740, reduced_motion="no-preference")
        ada.become(guest)
        page = ada.page
        page.goto(f"/r/{code}")
        offer = page.locator("#since")
        expect(offer).to_be_visible()
        assert page.locator(".room.in-scene").count() == 0, "nothing is played unasked"
        assert ada.overflow() <= 0
        ada.screenshot("since-360-light")
        scene, decided = offer.locator(".scenes a").last, page.locator(".seat .last .full").first
        expect(scene).to_be_hidden()
        page.set_viewport_size({"width": 1280, "height": 800})
        expect(scene).to_contain_text(RECENTLY)
        expect(decided).to_have_text(RECENTLY)
        assert ada.overflow() <= 0
        scene.click()
        expect(page.locator(".room.in-scene")).to_have_count(1)
        expect(page.locator(".room.in-scene")).to_have_count(0)
        expect(offer).to_be_visible()
        page.set_viewport_size({"width": 360, "height": 740})
        offer.locator("a.button").click()
        expect(page.locator(".room.in-scene")).to_have_count(1)
        page.locator(".stage").click(position={"x": 20, "y": 20}, delay=30)
        expect(offer).to_have_count(0)
        page.reload()
        expect(offer).to_have_count(0)

        page.locator('.ticker [data-open="notes"]').click()
        page.locator("#pad-words").fill("Bruno wants red")
        page.reload()
        expect(page.locator("#pad-words")).to_have_value("Bruno wants red")
        expect(page.locator("#pad [role=status]")).to_contain_text("Saved")

        laptop = visit()
        laptop.become(guest)
        laptop.page.goto(f"/r/{code}")
        expect(laptop.page.locator("#pad-words")).to_have_value("Bruno wants red")
        laptop.open_panel("notes")
        laptop.page.locator("#pad-words").fill("Bruno wants red\nInes lies")
        expect(laptop.page.locator("#pad [role=status]")).to_contain_text("Saved")
        laptop.screenshot("notes-1280-light")
        page.locator('.ticker [data-open="notes"]').click()
        page.locator("#pad-words").fill("Bruno wants red\nMara too")
        expect(page.locator("#pad-words")).to_have_value("Bruno wants red\nInes lies\nMara too")
        ada.screenshot("notes-360-light")
        told, ada.console_errors[:] = list(ada.console_errors), []
        assert len(told) == 1, told
        assert "409" in told[0], "the browser tells that what was written elsewhere was not overwritten"
        words, written = "SELECT words FROM notepad WHERE room = ?", [("Bruno wants red\nInes lies\nMara too",)]
        wait_for(lambda: site.hub.store.rows(words, (code,)) == written)


def test_from_the_seventh_a_waiting_match_is_one_line(site: Site, visit: Visit):
    with site.guest() as guest:
        for game in ("expedition", "lifeboats", "voyage") * 3:
            begin_correspondence(site, guest, game=game)
        ada = visit(width=360, height=740)
        ada.become(guest)
        ada.page.goto("/mine")
        rows = ada.page.locator(".waiting > li")
        expect(rows).to_have_count(8)
        for width, several_lines in ((360, 100), (1280, 62)):
            ada.page.set_viewport_size({"width": width, "height": 740})
            ada.screenshot(f"my-games-of-nine-{width}")
            boxes = [row.bounding_box() for row in rows.all()]
            heights = [box["height"] for box in boxes if box is not None]
            assert all(height >= several_lines - 8 for height in heights[:5]), heights
            assert all(44 <= height <= 48 for height in heights[5:]), heights
            assert ada.overflow() <= 0
            for row in rows.all()[5:]:
                people, left = (row.locator(part).bounding_box() for part in (".with", ".left"))
                assert people["x"] + people["width"] <= left["x"], "nothing lies on anything"
