"""Sounds in the browser: offered once when a match is over, silent before, and then what each frame declares."""

import pytest
from playwright.sync_api import expect

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
def test_sound_is_offered_when_a_match_is_over_and_never_again(site: Site, visit: Visit, ada: Guest, size):
    ear, match = visit(reduced_motion="no-preference", **size), random_match(*MATCH)
    ear.context.add_init_script(LISTEN)
    staged = Staged(site, match, ada, last_voter(match))
    watcher = SceneWatcher(ear, staged, ada)
    page = watcher.page
    watcher.settle()
    staged.advance_to(staged.at + 1)
    watcher.arrive()
    expect(page.locator(".room.in-scene")).to_have_count(1)
    assert page.locator("#hear").count() == 0
    staged.advance_to(len(match.history))
    watcher.settle()
    expect(page.locator("#hear")).to_be_visible()
    assert page.evaluate("[window.heard, window.devices]") == [[], 0]
    for answer in ("on", "off"):
        box = page.locator(f'[data-hear="{answer}"]').bounding_box()
        assert box["width"] >= 40 <= box["height"]
    page.locator('[data-hear="on"]').tap() if size else page.locator('[data-hear="on"]').click()
    expect(page.locator("#hear")).to_be_hidden()
    watcher.visitor.wait(lambda: bool(page.evaluate("window.heard.length")))
    _next_match_sounds(site, watcher, ada)


def _next_match_sounds(site: Site, watcher: SceneWatcher, ada: Guest) -> None:
    match = watcher.staged.match
    staged = Staged(site, match, ada, last_voter(match))
    page = watcher.page
    page.goto(f"/r/{staged.code}")
    page.wait_for_selector('html[data-sound="on"] .room.playing')
    page.locator(".phases-place").click()  # browsers play sounds only after a touch
    before = page.evaluate("window.heard.length")
    watcher.staged = staged
    staged.advance_to(staged.at + 1)
    watcher.arrive()
    watcher.stop_at(2)  # two cards are turned
    watcher.visitor.wait(lambda: "AudioBufferSourceNode" in page.evaluate(f"window.heard.slice({before})"))
    staged.advance_to(len(match.history))
    watcher.settle()
    expect(page.locator(".ending")).to_have_count(1)
    expect(page.locator("#hear")).to_be_hidden()
