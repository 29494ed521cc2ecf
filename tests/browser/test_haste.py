"""Haste: presses that are too early skip nothing and play nothing, and looking decides nothing."""

import json
import re
from itertools import cycle

import pytest
from playwright.sync_api import Page, expect

from tests.helpers.browser import DEAF_MILLISECONDS, HIDE, LISTENING, PHONE, SPOTS, Visit, middle, open_stopped
from tests.helpers.site import Site
from tests.helpers.staged import (
    MATCH,
    MATCHES,
    MY_SEAT,
    SceneWatcher,
    Staged,
    code_at,
    decisions,
    last_voter,
    random_match,
    staged_at,
    views,
)

BOX = """(selector) => {
  const { left, right, top, bottom } = document.querySelector(selector).getBoundingClientRect();
  return [left, right, top, bottom];
}"""


def hold(site: Site, ada, verb: str, **which) -> tuple[Staged, Page, int]:
    """Show a decision with stopped time, once choices accept presses; return the room, the page and the moment."""
    staged, page = staged_at(site, ada, verb, **which), ada.page
    open_stopped(page, f"/r/{staged.code}", ".room.playing")
    page.clock.run_for(DEAF_MILLISECONDS)
    page.wait_for_selector(LISTENING)
    return staged, page, staged.room.moments


# Scenes


@pytest.mark.parametrize("skips", ["a click", "Enter"])
def test_accidental_presses_after_a_vote_do_not_skip_the_ballot(site: Site, visit: Visit, skips):
    """Presses 150, 300 and 450 ms after the vote end nothing, nor does one before the first face opens. It is felt."""
    ada, match = visit(reduced_motion="no-preference"), random_match(*MATCH)
    ada.page.add_init_script("window.felt = []; navigator.vibrate = (long) => window.felt.push(long);")
    staged = Staged(site, match, ada, last_voter(match))
    watcher = SceneWatcher(ada, staged)
    page, moments = watcher.page, staged.room.moments
    spot = middle(page, "#offers .choice[data-codes]")
    page.mouse.click(*spot)
    page.clock.run_for(DEAF_MILLISECONDS)
    page.mouse.click(*spot)
    watcher.visitor.wait(lambda: staged.room.moments == moments + 1)
    watcher.arrive()
    scene, skip = page.locator(".room.in-scene"), page.locator(".skip-scene")
    expect(scene).to_have_count(1)
    expect(page.locator("#question")).to_have_text("Everyone has chosen. Revealing the cards…")
    for _ in range(3):
        page.mouse.click(*spot)
        page.clock.run_for(150)
        expect(scene).to_have_count(1)
    expect(skip).to_have_attribute("aria-disabled", "true")
    box = skip.bounding_box()
    assert (box["height"] >= 40, box["width"] >= 200, page.evaluate("felt")) == (True, True, [])
    page.clock.run_for(1_300)  # the face-down cards are shown for a second, and the last press was a second ago
    assert page.evaluate("felt") == [40]
    expect(skip).to_have_attribute("aria-disabled", "false")
    page.keyboard.press(skips) if skips == "Enter" else skip.click()
    expect(scene).to_have_count(0)
    assert staged.room.moments == moments + 1
    expect(page.locator("#steps button, #offers .go, #bubble:not([hidden])")).to_have_count(0)


def test_a_second_press_of_the_last_decision_is_no_next_match(site: Site, visit: Visit):
    """The last screen appears under the pointer before a hand can stop."""
    ada, match = visit(), random_match(*MATCH)
    staged, page = Staged(site, match, ada, len(match.history) - 1), ada.page
    open_stopped(page, f"/r/{staged.code}", ".room.playing")
    page.mouse.click(5, 5)
    staged.advance_to(len(match.history))
    expect(page.locator('form[action$="/rematch"] .go')).to_be_visible()  # the story needs a process to start
    spot = middle(page, 'form[action$="/rematch"] .go')
    page.clock.run_for(450)
    page.mouse.click(*spot)
    expect(page.locator("#room.over")).to_be_visible()
    assert staged.room.state.next_room is None
    page.clock.run_for(150)
    page.mouse.click(*spot)
    ada.wait(lambda: staged.room.state.next_room is not None)


# Steps


def test_a_second_press_of_one_step_is_no_next_step(site: Site, visit: Visit):
    """The first press chooses officer or sailor; presses 187 and 450 ms later do nothing.

    A boat that glows because a person aboard was chosen plays when it is touched, whatever else it may mean.
    """
    ada = visit(**PHONE)
    staged, page, moments = hold(site, ada, "crew", least=2)
    spot = middle(page, "#offers .choice[data-codes]")
    page.touchscreen.tap(*spot)
    expect(page.locator("#steps button")).to_have_count(1)
    for gap in (187, 263):
        page.clock.run_for(gap)
        page.touchscreen.tap(*spot)
    expect(page.locator("#steps button")).to_have_count(1)
    page.clock.run_for(DEAF_MILLISECONDS)
    page.touchscreen.tap(*middle(page, "#offers .choice[data-codes]"))
    page.clock.run_for(DEAF_MILLISECONDS)
    assert staged.room.moments == moments
    page.touchscreen.tap(*middle(page, '.picture .armed[data-codes*="|"]'))
    ada.wait(lambda: staged.room.moments == moments + 1)


def test_one_touch_that_cannot_be_taken_back_is_asked_for_again(site: Site, visit: Visit):
    """A vote by mouse: a boat is previewed, another press changes it, and Play or the same press plays it."""
    ada = visit()
    staged, page, moments = hold(site, ada, "vote", least=2)
    code = page.locator("#offers .choice[data-codes]").last.get_attribute("data-codes")
    word = page.locator("#offers .choice").first.inner_text().partition("\n")[0]
    page.locator("#offers .choice").first.click()
    expect(page.locator("#offers .go")).to_contain_text(word)
    expect(page.locator("#offers .go")).to_have_accessible_name(re.compile("^Play: Vote "))
    page.clock.run_for(DEAF_MILLISECONDS)
    page.locator(f'#offers .choice[data-codes="{code}"]').click()
    expect(page.locator(f'#offers .go[data-codes="{code}"]')).to_have_count(1)
    expect(page.locator("#question")).to_have_text(re.compile(code.rpartition(" ")[2], re.IGNORECASE))
    for _ in range(3):
        page.clock.run_for(150)
        page.locator("#offers .go").click(force=True)
    assert staged.room.moments == moments
    page.keyboard.press("Escape")
    expect(page.locator("#offers .go")).to_have_count(0)
    page.clock.run_for(DEAF_MILLISECONDS)
    page.locator(f'#offers .choice[data-codes="{code}"]').click()
    page.clock.run_for(DEAF_MILLISECONDS)
    page.locator("#offers .go").click()
    ada.wait(lambda: staged.room.moments == moments + 1)
    assert code_at(staged.room.state.match, moments) == code


def test_a_token_is_placed_only_by_the_play_button(site: Site, visit: Visit):
    """Expedition: a place is chosen step by step, and the last touch asks for confirmation."""
    ada = visit(**PHONE)
    staged, page, moments = hold(site, ada, "token", game=("expedition", 3, 2), least=1)
    for _ in range(4):
        if page.locator("#offers .go").count():
            break
        page.touchscreen.tap(*middle(page, "#offers .choice[data-codes]"))
        page.clock.run_for(DEAF_MILLISECONDS)
    assert staged.room.moments == moments
    page.touchscreen.tap(*middle(page, "#offers .go"))
    ada.wait(lambda: staged.room.moments > moments)


def test_a_finger_that_looks_plays_nothing(site: Site, visit: Visit):
    """The first touch of a lit boat describes it, the second plays; the bubble is whole, and gone afterwards."""
    ada = visit(**PHONE)
    staged, page, moments = hold(site, ada, "vote", least=2)
    code = page.locator(".picture .clickable[data-codes]").first.get_attribute("data-codes")
    spot = middle(page, f'.picture .clickable[data-codes="{code}"]')
    page.touchscreen.tap(*spot)
    expect(page.locator("#offers .go")).to_have_count(1)
    _bubble_is_whole(page)
    assert staged.room.moments == moments
    page.clock.run_for(DEAF_MILLISECONDS)
    page.touchscreen.tap(*spot)  # the tap passes through the bubble
    ada.wait(lambda: staged.room.moments == moments + 1)
    expect(page.locator("#bubble")).to_be_hidden()


def _bubble_is_whole(page: Page) -> None:
    expect(page.locator("#bubble h3")).to_be_visible()
    left, right, top, bottom = page.evaluate(BOX, "#bubble")
    assert 0 <= left < right <= page.viewport_size["width"]
    assert 0 <= top < bottom <= page.viewport_size["height"]


TOUCHED = ".picture .clickable[data-codes], #offers .choice:not(.back)"
BEGUN = "#steps button, #offers .go"
"""What a late press for the previous decision would leave in the present one."""


@pytest.mark.soak
@pytest.mark.parametrize("device", [{}, PHONE], ids=["mouse", "finger"])
@pytest.mark.parametrize("game", MATCHES)
def test_what_is_pressed_twice_is_played_once(site: Site, visit: Visit, game, device):
    """At every kind of decision, on parts of the picture and words, until something is played."""
    ada, match = visit(**device), random_match(*MATCHES[game])
    page, presses, plays = ada.page, cycle((150, 300, 450)), list[str]()
    press = page.touchscreen.tap if device else page.mouse.click
    page.on("websocket", lambda line: line.on("framesent", lambda text: plays.append(json.loads(text)["type"])))
    for stop in sorted(decisions(match)):
        staged = Staged(site, match, ada, stop.at)
        SceneWatcher(ada, staged)
        plays.clear()
        for turn, gap in zip(range(60), presses, strict=False):
            spots = page.evaluate(SPOTS, "#offers .go") or page.evaluate(SPOTS, TOUCHED)
            press(*spots[turn % len(spots)])
            page.clock.run_for(gap)
            sent = plays.count("play")
            press(*spots[turn % len(spots)])
            page.clock.run_for(DEAF_MILLISECONDS)
            assert plays.count("play") == sent, stop
            if sent:
                break
        assert sent, stop
        ada.wait(lambda: staged.room.moments > stop.at)  # noqa: B023 - called at once
        assert page.locator("form[data-open]").count() or page.locator(BEGUN).count() == 0, stop


# Bubbles


def test_why_not_is_one_sentence_and_its_paragraph_lies_behind_a_word(site: Site, visit: Visit):
    ada = visit(**PHONE)
    staged, page, _ = hold(site, ada, "crew", least=2)
    unlit = "g[id^=boat-][data-codes]:not(.clickable)"
    while not page.locator(unlit).count():
        staged.advance_to(staged.at + 1)
        page.clock.run_for(DEAF_MILLISECONDS)
        page.wait_for_timeout(50)
    page.touchscreen.tap(*middle(page, unlit))
    expect(page.locator("#bubble a")).to_have_text("Why?")  # until then the bubble shows a description
    expect(page.locator("#bubble p")).to_have_count(1)
    _bubble_is_whole(page)
    said = page.locator("#bubble p").inner_text()
    assert not re.search(r"\bR\d+", said), said
    assert said.count(".") == 1, said
    page.locator("#bubble a").click()
    page.locator('#sheet #why-answer a[href^="/games/lifeboats/rules#r"]').first.click()
    expect(page.locator("#sheet article")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    prompt = ada.state()["prompt"]
    while ada.state()["prompt"] == prompt:
        staged.advance_to(staged.at + 1)
        page.wait_for_timeout(50)
    page.clock.run_for(DEAF_MILLISECONDS)
    expect(page.locator("#bubble")).to_be_hidden()


# Away


def test_a_bot_that_plays_for_me_lies_over_nothing(site: Site, visit: Visit):
    """On a phone, the notice that a bot plays has its own row."""
    ada = visit(**PHONE)
    staged, page, _ = hold(site, ada, "vote", least=2)
    staged.write([("taken", {"seat": MY_SEAT})])
    expect(page.locator(".notice")).to_be_visible()
    left, right, top, bottom = page.evaluate(BOX, ".notice")
    for other in (".prompt-place", "#offers", ".seats", ".stage", ".bar", ".ticker"):
        one = page.evaluate(BOX, other)
        assert one[3] <= top + 0.5 or one[2] >= bottom - 0.5 or one[1] <= left or one[0] >= right, other
    ada.check_layout()


AWAY = """() => {
  window.called = [];
  window.Notification = class { static permission = "default";
    static async requestPermission() { window.called.push("asked"); return (this.permission = "granted"); }
    constructor(title, { body }) { window.called.push(body); }
    close() {} };
}"""
ON_A_PHONE = """() => {
  window.Notification = class extends window.Notification { constructor() { throw new TypeError("a worker may"); } };
  const registration = { active: {}, showNotification: async (title, { body }) => { window.called.push(body); } };
  Object.defineProperty(navigator, "serviceWorker", { value: { register: async (address) => {
    if (!(await fetch(address)).ok) throw new Error(address);
    return { ...registration, getNotifications: async () => [] };
  } } });
}"""


@pytest.mark.parametrize("phone", [False, True])
def test_a_player_on_another_tab_is_called_only_after_opting_in(site: Site, visit: Visit, phone):
    """The question appears when the player returns after missing a turn, and not before."""
    ada = visit(**PHONE if phone else {})
    ada.page.add_init_script(f"({AWAY})(){f'; ({ON_A_PHONE})()' if phone else ''}")
    match, page = random_match(*MATCH), ada.page
    staged = Staged(site, match, ada)
    asked = [MY_SEAT in view.to_act for view in views(match, None)]
    others = [at for at, (seat, _) in enumerate(match.history) if seat != MY_SEAT]
    turns = [at for at in others if asked[at : at + 2] == [False, True]][:2]
    _miss(staged, ada, turns[0])
    assert page.evaluate("called") == []
    page.evaluate(HIDE, False)
    page.click('#calling [data-call="yes"]')
    expect(page.locator("#calling")).to_be_hidden()
    assert page.evaluate("called") == ["asked"]
    _miss(staged, ada, turns[1])
    ada.wait(lambda: page.evaluate("called.length"))
    assert page.evaluate("called") == [page.locator("#question").get_attribute("data-sentence")]
    page.evaluate(HIDE, False)
    expect(page.locator("#calling")).to_be_hidden()


def _miss(staged: Staged, ada, turn) -> None:
    staged.advance_to(turn)
    page = staged.show(ada, ".room.playing")
    expect(page.locator("#calling")).to_be_hidden()
    page.evaluate("Notification.permission = localStorage.getItem('tavola.calling') ? 'granted' : 'default'")
    page.evaluate(HIDE, True)
    staged.advance_to(turn + 1)
    expect(page).to_have_title(re.compile("^●"))


# Pace


def test_the_pace_is_changed_at_the_table(site: Site, visit: Visit):
    ada = visit()
    room, page = site.room(ada.start()), ada.page
    assert room.state.settings.pace == "calm"
    page.click(".bar .menu summary")
    page.click('.settings button[value="brisk"]')
    expect(page.locator('.settings button[value="brisk"]')).to_have_attribute("aria-pressed", "true")
    assert room.state.settings.pace == "brisk"
