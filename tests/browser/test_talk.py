"""Talk in a browser: composed by touch and by keyboard; promises are kept and broken where all can see it."""

import pytest
from playwright.sync_api import expect

from tavola.live.protocol import Play
from tavola.talk import Act
from tests.helpers.browser import PHONE, STRAY_MILLISECONDS, BrowserGuest, Visit, in_looks, middle
from tests.helpers.days import HOUR
from tests.helpers.site import Site, check_text
from tests.helpers.staged import Staged, code_at, staged_at

COMPOSING = "#composing:not([hidden])"


def sit_down(site: Site, ada: BrowserGuest) -> Staged:
    staged = staged_at(site, ada, "vote", least=1)
    staged.show(ada)
    ada.page.wait_for_timeout(STRAY_MILLISECONDS)
    return staged


def said_in(staged: Staged) -> list[tuple[Act, str]]:
    talk = staged.room.state.talk
    if talk is None:
        return []
    deed_text = talk.language.deed_text
    return [(said.statement.act, deed_text(said.statement.deed.pattern)) for said in talk.said if said.statement.deed]


def test_a_promise_is_three_touches_and_none_of_them_votes(site: Site, visit: Visit):
    ada = visit(**PHONE)
    staged = sit_down(site, ada)
    page, stage = ada.page, ada.page.locator(".stage")
    before = stage.bounding_box()["height"]
    page.tap('.ticker [data-act="promise"]')
    page.wait_for_selector(COMPOSING)
    expect(page.locator(".composes .asked")).to_contain_text("I’ll vote …")
    page.touchscreen.tap(*middle(page, '.stage .picture .clickable[data-codes*="vote green"]'))
    expect(page.locator(".composes .asked")).to_contain_text("I’ll vote green.")
    expect(page.locator(".composes .asked small")).to_have_text("Covers your card and any choice it gives you.")
    assert page.locator(".composes .tag").count() == 1
    page.tap(".composes .all")
    ada.wait(lambda: said_in(staged))
    assert (said_in(staged), staged.room.moments) == ([(Act.PROMISE, "vote green")], staged.at)
    expect(page.locator('[data-seat="0"] .tag.due')).to_have_count(1)
    assert abs(stage.bounding_box()["height"] - before) <= 30  # at most the room for a second row of choices
    ada.check_layout()
    page.tap('.ticker [data-act="promise"]')
    page.wait_for_selector(COMPOSING)
    for choice in (".toggle", ".thing >> nth=0", ".all"):
        page.tap(f".composes {choice}")
    ada.wait(lambda: len(said_in(staged)) == 2)
    assert said_in(staged)[1][1].startswith("not vote ")


def test_by_keyboard_a_promise_is_p_a_number_and_a_and_escape_takes_back(site: Site, visit: Visit):
    ada = visit()
    staged = sit_down(site, ada)
    page, keys = ada.page, ada.page.keyboard
    keys.press("p")
    page.wait_for_selector(COMPOSING)
    keys.press("2")
    expect(page.locator("#room")).to_have_attribute("data-stage", "whom")
    keys.press("Escape")
    expect(page.locator("#room")).to_have_attribute("data-stage", "thing")
    keys.press("Escape")
    expect(page.locator(COMPOSING)).to_have_count(0)
    assert said_in(staged) == []
    keys.press("p")
    page.wait_for_selector(COMPOSING)
    keys.press("1")
    expect(page.locator("#room")).to_have_attribute("data-stage", "whom")
    keys.press("3")
    ada.wait(lambda: said_in(staged))
    said = staged.room.state.talk.said[0].statement
    assert (said.to, said.is_whispered) == (2, False)
    keys.press("p")
    page.wait_for_selector(COMPOSING)
    keys.press("2")
    page.click(".composes .aloud")  # to a seat, and whispered
    keys.press("3")
    ada.wait(lambda: len(said_in(staged)) == 2)
    said = staged.room.state.talk.said[1].statement
    assert (said.to, said.is_whispered) == (2, True)
    expect(page.locator("#statement-2 .tag")).to_have_count(1)


def test_a_gesture_is_shown_briefly_at_the_face_of_its_player(site: Site, visit: Visit):
    ada = visit(**PHONE)
    staged, page = sit_down(site, ada), ada.page
    page.click('.ticker [popovertarget="gestures-form"]')  # one touch from the board
    page.click('.gestures [value="praise"]')
    expect(page.locator(".gestures")).to_be_hidden()
    page.click('.ticker [data-open="talk"]')
    expect(page.locator(".chat [data-gesture=praise]")).to_contain_text("Well played")
    page.locator(".popped").evaluate("node => Promise.all(node.getAnimations().map((each) => each.finished))")
    own = page.locator('.seats [data-seat="0"] .who-face').bounding_box()
    shown = page.locator(".popped").bounding_box()
    assert abs(own["x"] - shown["x"]) < 2
    assert abs(own["y"] - shown["y"]) < 2
    ada.screenshot("gesture-360")
    expect(page.locator(".popped")).to_have_count(0)
    staged.write([("gestured", {"id": "b", "name": "Bea", "seat": 2, "gesture": "wonder"})])
    expect(page.locator('.popped use[href="#gesture-wonder"]')).to_have_count(1)
    page.click('.say [popovertarget="gestures-form"]')
    ada.screenshot("gestures-360")
    page.click('.gestures [value="laugh"]')
    expect(page.locator("#banner")).to_contain_text("Only one gesture every 5 seconds")


def test_tabs_are_in_reach_while_a_request_waits_and_one_has_just_come_back(site: Site, visit: Visit):
    ada = visit()
    staged, page = sit_down(site, ada), ada.page
    page.context.request.post(f"/r/{staged.code}/seen")
    page.goto("/")
    later = range(staged.at + 13, len(staged.match.history))
    staged.advance_to(next(at for at in later if "vote" in code_at(staged.match, at)))
    staged.write([("spoke", {"seat": 3, "act": "request", "to": 0, "deed": "not vote red round"})])
    page.goto(f"/r/{staged.code}")
    expect(page.locator("#since")).to_be_visible()
    expect(page.locator(".asked-card")).to_be_visible()
    ada.open_panel("notes")
    expect(page.locator("#pad-words")).to_be_in_viewport()


def test_on_a_desk_what_can_be_said_is_behind_a_button(site: Site, visit: Visit):
    ada = visit()
    sit_down(site, ada)
    page, acts = ada.page, ada.page.locator('.speak [data-act="promise"]')
    expect(acts).to_be_hidden()
    page.click("[data-say]")
    expect(acts).to_be_visible()
    ada.screenshot("say-1280")
    page.keyboard.press("Escape")
    expect(acts).to_be_hidden()
    page.click("[data-say]")
    acts.click()
    page.wait_for_selector(COMPOSING)
    expect(acts).to_be_hidden()  # the log can be read meanwhile


@in_looks
def test_axe_finds_nothing_serious_while_something_is_said(site: Site, visit: Visit, looks):
    ada, found = visit(drawn=True), dict[str, list[str]]()
    staged, page = sit_down(site, ada), ada.page
    offer = {"seat": 3, "act": "offer", "to": 0, "deed": "vote red next", "condition": "vote black now"}
    staged.write([("spoke", offer)])
    staged.write([("spoke", {"seat": 1, "act": "promise", "deed": "not vote red round"})])
    page.wait_for_selector(".asked-card")
    found |= ada.faults("asked", looks)
    page.click("[data-counter]")
    page.wait_for_selector(COMPOSING)
    found |= ada.faults("condition", looks[:1])
    page.keyboard.press("Escape")
    page.click('.speak [data-act="promise"]')
    page.wait_for_selector('.composing[data-stage="thing"]')
    found |= ada.faults("thing", looks)
    page.keyboard.press("1")
    page.wait_for_selector('.composing[data-stage="whom"]')
    expect(page.locator(".composes .asked")).to_contain_text("I’ll vote")
    found |= ada.faults("whom", looks[1:])
    assert found == {}


def test_in_the_time_to_talk_what_was_said_can_be_read(site: Site, visit: Visit):
    ada = visit()
    page, code = ada.page, ada.create(bots="3", level="random", window="60", **{"option-players": "4"})
    page.request.post(f"/r/{code}/start", form={"command_id": "begin"})
    room = site.room(code)
    seat = room.names.index("Ada")
    person = room.state.occupants[seat].person

    def play_on() -> bool:
        prompt_id = room.prompt_id(seat)
        if room.state.window is None and prompt_id is not None:
            action = room.state.match.legal_codes(seat)[0]
            site.run(room.execute(person, Play(f"{code}-{room.moments}", prompt_id, action)))
        return room.state.window is not None

    ada.wait(play_on)
    room.state.window.until += HOUR
    page.goto(f"/r/{code}")
    page.wait_for_selector(".talk-window")
    page.click("#offers .choice")  # the button says what it does
    page.click('.tabs button:has-text("Talk")')
    heights = page.evaluate("[...document.querySelectorAll('.panel.shown, .chat')].map((each) => each.clientHeight)")
    assert min(heights) >= 28, heights
    assert page.locator("#talk").is_visible()
    assert ada.overflow() <= 0


@pytest.mark.parametrize(("locale", "told"), [("en-GB", ("You put", "you vote")), ("it-IT", ("Tu metti", "tu voti"))])
def test_the_log_calls_its_reader_you(site: Site, visit: Visit, locale: str, told: tuple[str, str]):
    ada = visit(locale=locale)
    staged = staged_at(site, ada, "vote", least=1)
    staged.advance_to(staged.at + 8)
    page = staged.show(ada, "#room")
    check_text("\n".join(page.locator(".log").all_inner_texts()), *told, without=["Ada"])
    ada.screenshot(f"reader-{locale}")
    page.evaluate("document.getElementById('room').dataset.me = ''")
    check_text("\n".join(page.locator(".log").all_inner_texts()), "Ada", without=told)
