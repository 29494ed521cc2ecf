"""Reveals in the browser: pictures sampled while they play, presses that come too early, help that goes away."""

import pytest
from playwright.sync_api import expect
from test_browser import chromium, visit  # noqa: F401
from web_browser import STEP

pytestmark = pytest.mark.browser
WATCH = """() => {
  window.seen = [];
  const note = () => {
    const faces = [...document.querySelectorAll('[data-board="main"] [id^="ballot-"]')].map((one) => one.id);
    const up = faces.filter((id) => id.endsWith("-up")), down = faces.filter((id) => id.endsWith("-down"));
    window.seen.push({ at: performance.now(), up: up.join(" "), down: down.length,
                       scene: document.getElementById("room").classList.contains("in-scene"),
                       prompt: document.querySelector('[name="prompt_id"]')?.value ?? "" });
    requestAnimationFrame(note);
  };
  note();
}"""
VOTE = "() => document.querySelector('#offers:not(.inert) .choice')"


def test_every_face_of_a_ballot_is_open_for_a_second_and_a_half(chromium, site, visit):  # noqa: F811
    ada = visit(reduced_motion="no-preference")
    ada.start("voyage")
    page = ada.page
    page.evaluate(WATCH)
    for _ in range(2):
        page.wait_for_function(VOTE, timeout=60_000)
        ada.press(ada.asked()["codes"][0])
    page.wait_for_function("() => window.seen.some((one) => one.up && !one.down)", timeout=60_000)
    page.wait_for_function("() => !document.querySelector('.in-scene')", timeout=60_000)
    seen = page.evaluate("window.seen")
    open_at = [one for one in seen if one["up"] and not one["down"] and one["scene"]]
    first = open_at[0]["up"]
    whole = [one["at"] for one in open_at if one["up"] == first]
    assert whole[-1] - whole[0] >= 1500
    assert len(first.split()) == len(site.room(page.url.rpartition("/")[2]).seats)


def test_a_double_click_never_plays_twice_and_new_choices_are_deaf(site, visit):  # noqa: F811
    ada = visit()
    ada.start()
    page, room = ada.page, site.room(ada.page.url.rpartition("/")[2])
    for gap in (0, 120, 220, 300):
        state = ada.asked()
        if state["over"]:
            break
        me = room.state.seat_of(next(s.person.id for s in room.seats if s.person))
        played = sum(seat == me for seat, _ in room.state.match.history)
        box = page.locator("#offers .choice[data-codes]").last.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.click(x, y)
        page.wait_for_timeout(gap)
        page.mouse.click(x, y)
        page.wait_for_timeout(200)
        assert sum(seat == me for seat, _ in room.state.match.history) - played <= 1, gap


def test_the_press_that_skips_a_scene_chooses_nothing(visit):  # noqa: F811
    ada = visit(reduced_motion="no-preference")
    ada.start("voyage")
    page = ada.page
    for _ in range(6):
        page.wait_for_function(VOTE, timeout=60_000)
        page.evaluate(STEP, ada.asked()["codes"][0])
        page.evaluate(STEP, ada.asked()["codes"][0])
        page.wait_for_timeout(400)
        if page.locator(".in-scene").count():
            break
    expect(page.locator(".in-scene")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(".in-scene")).to_have_count(0)
    assert page.locator("#steps button").count() == 0


def test_the_cards_of_a_first_match_and_the_coach_go_away_for_good(visit):  # noqa: F811
    ada = visit(lessons=True)
    ada.start()
    page = ada.page
    expect(page.locator("#lesson li")).to_have_count(3)
    page.click("#lesson [data-dismiss]")
    expect(page.locator("#lesson")).to_be_hidden()
    page.reload()
    expect(page.locator("#question")).to_be_visible()
    expect(page.locator("#lesson")).to_be_hidden()
    while not page.locator(".coach").count():
        ada.press(ada.asked()["codes"][0])
    kind = page.locator(".coach").get_attribute("data-kind")
    page.click(".coach [data-dismiss]")
    expect(page.locator(f'.coach[data-kind="{kind}"]')).to_be_hidden()
    page.reload()
    expect(page.locator("#question")).to_be_visible()
    assert not page.locator(f'.coach[data-kind="{kind}"]:visible').count()


def test_a_match_under_way_is_found_again_on_the_first_page(visit):  # noqa: F811
    ada = visit()
    code = ada.start()
    ada.page.goto("/")
    ada.page.click(f'.resume a[href="/r/{code}"]')
    expect(ada.page.locator("#question")).to_be_visible()


@pytest.mark.parametrize("game", ["lifeboats", "voyage"])
def test_a_whole_match_by_touch_on_a_phone_covers_nothing_one_decides_about(visit, game):  # noqa: F811
    ada = visit(width=360, height=740, has_touch=True)
    ada.start(game)
    page, turns = ada.page, 0
    while not (state := ada.asked())["over"]:
        found = page.evaluate(BOXES)
        assert found["row"] <= 96
        assert (found["scrolls"] <= 0, found["small"], found["covered"]) == (True, [], []), state
        while (now := ada.state()).get("prompt") == state["prompt"] and not now["over"]:
            _tap_an_offer(page, turns)
        turns += 1
    assert turns > 8
    ada.shot(f"phone-one-screen-{game}")


def _tap_an_offer(page, turn: int) -> None:
    """A finger on one of the choices, as soon as they listen."""
    box = page.evaluate(
        """(turn) => {
          const offers = [...document.querySelectorAll("#offers:not(.inert) .choice[data-codes]")];
          const box = offers[turn % offers.length]?.getBoundingClientRect();
          return box ? [box.x + box.width / 2, box.y + box.height / 2] : null;
        }""",
        turn,
    )
    if box:
        page.touchscreen.tap(*box)
    page.wait_for_timeout(10)


BOXES = """() => {
  const box = (node) => node.getBoundingClientRect();
  const shown = (node) => box(node).width > 0 && getComputedStyle(node).visibility !== "hidden";
  const small = [...document.querySelectorAll("#room button, #room a, #room summary")].filter(shown)
    .filter((node) => Math.min(box(node).width, box(node).height) < 39.5 && !node.closest("dialog, .log, .bubble"))
    .map((node) => node.outerHTML.slice(0, 80));
  const stage = box(document.querySelector(".stage"));
  const above = ["offers", "steps"].map((id) => document.getElementById(id)).filter(shown).map(box);
  const covered = [...document.querySelectorAll(".stage .picture .clickable")].filter((part) => {
    const b = box(part), x = b.x + b.width / 2, y = b.y + b.height / 2;
    return y > stage.bottom || y < stage.top || above.some((over) => y > over.top && y < over.bottom);
  }).map((part) => part.id || part.dataset.codes);
  return { small, covered, scrolls: document.documentElement.scrollHeight - innerHeight,
           row: box(document.getElementById("offers")).height };
}"""
