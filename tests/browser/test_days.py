"""A correspondence match in the browser: one touch replays what has happened, and notes are saved while typing."""

import re

from playwright.sync_api import expect

from tests.helpers import wait_for
from tests.helpers.browser import Visit
from tests.helpers.site import Guest, Site, begin_correspondence

RECENTLY = re.compile(r"now|\d+ min ago")
"""Time of what a guest has just done elsewhere."""


def decide(site: Site, guest: Guest, code: str) -> None:
    room = site.room(code)
    prompt, legal = room.prompt_id(0), room.view(0).legal
    guest.follow_redirects = False
    guest.play(code, prompt, room.state.game.actions.code(legal[0]))
    guest.follow_redirects = True
    wait_for(lambda: room.prompt_id(0) not in (None, prompt))


def test_a_returning_player_sees_the_events_meanwhile_and_their_notes(site: Site, visit: Visit):
    with site.guest() as guest:
        code = begin_correspondence(site, guest)
        guest.post(f"/r/{code}/seen")
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
        wait_for(
            lambda: (
                site.hub.store.rows("SELECT words FROM notepad WHERE room = ?", (code,))
                == [("Bruno wants red\nInes lies\nMara too",)]
            )
        )


def test_a_waiting_player_seals_an_answer_that_is_played_later(site: Site, visit: Visit):
    with site.guest() as guest, site.guest() as other:
        code = guest.create(days="3", patience="60", players="3")
        other.sit(code, "Bea")
        guest.post(f"/r/{code}/fill", data={"level": "random"})
        room = site.room(code)
        wait_for(lambda: room.state.dues)
        own, others = (room.state.names.index(name) for name in ("Ada", "Bea"))
        people = {own: guest, others: other}

        def seat_men(until) -> None:
            while not until():
                wait_for(lambda: set(room.state.open_decisions) & set(people))
                seat = next(seat for seat in room.state.open_decisions if seat in people)
                played = room.state.game.actions.code(room.view(seat).legal[0])
                people[seat].play(code, room.prompt_id(seat), played)

        seat_men(
            lambda: others in room.state.open_decisions and "crew" in str(room.state.heard_action(room.moments, None))
        )
        ada = visit(width=360, height=740)
        ada.become(guest)
        page = ada.page
        page.goto(f"/r/{code}")
        page.locator("#ahead > summary").click()
        page.locator("#ahead-0").select_option("vote red")
        page.locator("#ahead-1").select_option("vote black")
        ada.screenshot("ahead-360-light")
        page.locator("#ahead .button").click()
        expect(page.locator("#ahead > summary")).to_contain_text("is set")
        expect(page.locator("#ahead ol li")).to_have_count(2)
        page.locator("#ahead .another > summary").click()
        page.locator("#ahead-0").select_option("vote green")
        page.locator("#ahead-when").select_option("choose red")
        ada.screenshot("another-answer-360-light")
        page.locator("#ahead .another .button").click()
        expect(page.locator("#ahead > summary")).to_contain_text("Your 2 advance answers are set")
        expect(page.locator("#ahead .another")).not_to_have_attribute("open", "")
        ada.screenshot("answers-360-light")
        page.locator("#ahead form").nth(1).get_by_role("button").click()
        expect(page.locator("#ahead > summary")).to_contain_text("Your advance answer is set")
        assert ada.overflow() <= 0
        seat_men(lambda: own not in room.state.ahead)
        events = site.hub.store.events
        wait_for(lambda: any(event.body.get("ahead") for event in events(code) if event.kind == "played"))
