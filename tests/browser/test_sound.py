"""Sounds in the browser: offered once beside the first scene, silent before, and then what each frame declares."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_scenes import MATCH, last_voter
from tests.helpers.browser import PHONE, Visit
from tests.helpers.site import Guest, Site
from tests.helpers.staged import SceneWatcher, Staged, random_match

LISTEN = """(() => {
  window.heard = [];
  for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
    const start = kind.prototype.start;
    kind.prototype.start = function (...when) { window.heard.push(kind.name); return start.apply(this, when); };
  }
  const Real = AudioContext;
  window.devices = 0;
  window.AudioContext = class extends Real { constructor() { super(); window.devices += 1; } };
})();"""
"""Records the sounds started, and counts the audio devices opened."""


@pytest.mark.parametrize("size", [pytest.param({}, marks=pytest.mark.soak, id="desk"), pytest.param(PHONE, id="phone")])
def test_sound_is_offered_by_one_tap_in_the_first_scene_and_never_again(site: Site, visit: Visit, ada: Guest, size):
    calm, ear, match = visit(), visit(reduced_motion="no-preference", **size), random_match(*MATCH)
    staged = Staged(site, match, ada, last_voter(match))
    ear.context.add_init_script(LISTEN)
    watcher = SceneWatcher(ear, staged, ada)
    calm.become(ada)
    calm.page.goto(f"/r/{staged.code}")
    page = watcher.page
    watcher.settle()
    offer = page.locator("#hear")
    expect(offer).to_be_hidden()
    staged.advance_to(staged.at + 1)
    watcher.arrive()
    expect(offer).to_be_visible()
    _fits(page)
    assert page.evaluate("[window.heard, window.devices]") == [[], 0]
    page.locator('[data-hear="on"]').tap() if size else page.locator('[data-hear="on"]').click()
    expect(offer).to_be_hidden()
    expect(page.locator(".room.in-scene")).to_have_count(1)  # the tap has skipped nothing
    watcher.visitor.wait(lambda: bool(page.evaluate("window.heard.length")))
    before = page.evaluate("window.heard.length")
    watcher.stop_at(2)  # two cards are turned
    watcher.visitor.wait(lambda: "AudioBufferSourceNode" in page.evaluate(f"window.heard.slice({before})"))
    watcher.settle()
    assert calm.page.locator("#hear").is_hidden()  # with reduced motion there are no scenes, and no offer
    page.reload()
    page.wait_for_selector('html[data-sound="on"] .room.playing')
    staged.advance_to(staged.at + 12)
    watcher.arrive()
    expect(page.locator(".room.in-scene")).to_have_count(1)
    expect(offer).to_be_hidden()


def _fits(page: Page) -> None:
    """The offer is entirely beside Skip, and large enough for a finger."""
    boxes = [page.locator(place).bounding_box() for place in (".skip-scene", '[data-hear="on"]', '[data-hear="off"]')]
    lefts = [*(box["x"] for box in boxes[1:]), page.viewport_size["width"]]
    for box, left in zip(boxes, lefts, strict=True):
        assert box["width"] >= 40 <= box["height"]
        assert box["x"] + box["width"] <= left
