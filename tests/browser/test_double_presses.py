"""Whole matches against bots, by mouse on a desktop and by finger on a phone, some decisions with double presses."""

import json
import time
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tavola.live import Room
from tests.helpers import PATIENCE
from tests.helpers.browser import DEAF_MILLISECONDS, GLANCE, PHONE, SPOT, BrowserGuest
from tests.helpers.site import Site, site_at

pytestmark = pytest.mark.soak
GAMES = ("lifeboats", "voyage", "fairies", "expedition", "tournament")
SIZES: dict[str, dict[str, Any]] = {"mouse": {}, "finger": PHONE}
GAPS = (150, 300, 450)
EACH = 4
"""One of `EACH` decisions is pressed twice."""
PRESSES = 90
"""Maximum presses for one decision."""
CUT = 150
"""Milliseconds by which a scene may seem too short: clocks of a busy machine are imprecise."""

WATCH = """(() => {
  Object.assign(window, { staged: 0, presses: [], plays: [] });
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    if (JSON.parse(text).type === "play") window.plays.push(performance.now());
    return send.call(this, text);
  };
  document.addEventListener("pointerdown", () => window.presses.push(performance.now()), true);
  let since = null;
  const note = () => {
    const playing = Boolean(document.querySelector("#room.in-scene")), now = performance.now();
    if (playing && since === null) since = now;
    if (!playing && since !== null) { window.staged += now - since; since = null; }
  };
  document.addEventListener("DOMContentLoaded", () => new MutationObserver(note)
    .observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] }));
})()"""
"""Records the milliseconds for which scenes were on the page, and the times of presses and plays."""
GAP = "presses.at(-1) - presses.at(-2)"
CAST = "plays.some((at) => at >= presses.at(-1))"
STRAY = 600
"""Milliseconds between two presses after which the second is deliberate; a busy machine can cause any gap."""

AIM = (
    f"([turn, byWords]) => {{ {SPOT}"
    """
  const offers = document.querySelector("#offers:not(.inert)");
  if (!offers || document.querySelector(".in-scene")) return null;
  const spots = (parts) => [...parts].map(spot).filter(Boolean);
  const narrowed = Boolean(document.querySelector("#room.narrowing"));
  const asked = new Set([...document.querySelectorAll('[data-place="actions"] [value]')].map(({ value }) => value));
  const single = ({ dataset }) => dataset.codes.split("|").filter((code) => asked.has(code)).length === 1;
  const armed = [...document.querySelectorAll(".picture .armed")].filter(single);
  const sure = turn % 2 || narrowed ? [] : spots(armed);
  const go = spots(offers.querySelectorAll(".go"));
  if (sure.length || go.length) return (sure.length ? sure : go)[0];
  const words = spots(offers.querySelectorAll(".choice:not(.back)"));
  const parts = byWords ? [] : spots(document.querySelectorAll(".picture .clickable[data-codes]"));
  const open = document.querySelector('[data-place="actions"] form[data-open]');
  if (open && turn % 5 === 4) return words.at(-1);
  const all = parts.length && !(narrowed && turn % 2) ? parts : words;
  return all[turn % all.length] ?? null;
}"""
)
"""Where to press now: what is singled out, or Play; else a part of a picture or a word."""
BEGUN = """() => [...document.querySelectorAll("#steps button, #offers .go, #bubble:not([hidden])")]
  .map((part) => part.outerHTML.slice(0, 120))"""
"""Parts that a late press for the previous decision would have left in the present one."""


class Hasty:
    """A player with one device; records presses, plays sent, and what was shown of scenes."""

    def __init__(self, site: Site, browser: Browser, game: str, device: str) -> None:
        self.guest = BrowserGuest(browser, site.url, hurried=True, **SIZES[device])
        self.page, self.device = self.guest.page, device
        self.plays, self.scenes = list[dict[str, Any]](), list[int]()
        self.table = {gap: {"decisions": 0, "presses": 0, "cast": 0, "scenes": 0, "cut": 0} for gap in GAPS}
        self.gaps, self.turn = cycle(GAPS), 0
        self.guest.context.add_init_script(WATCH)
        self.page.on("websocket", self._listen)
        self.code = self.guest.start(game)
        self.site, self.room = site, site.room(self.code)
        self.seat = next(seat for seat, place in enumerate(self.room.state.occupants) if place.person)

    def _listen(self, line: Any) -> None:
        line.on("framesent", lambda text: self._sent(json.loads(text)))
        line.on("framereceived", lambda text: self._came(json.loads(text)))

    def _sent(self, message: dict[str, Any]) -> None:
        self.plays += [message] if message["type"] == "play" else []

    def _came(self, message: dict[str, Any]) -> None:
        if message["type"] == "scene":
            self.scenes.append(sum(frame["milliseconds"] for frame in message["frames"]))

    def press(self, spot: list[float]) -> None:
        (self.page.mouse.click if self.device == "mouse" else self.page.touchscreen.tap)(*spot)

    def play(self) -> None:
        decisions = 0
        while self._settle(hurried=True):
            decisions += 1
            self._decide(next(self.gaps) if decisions % EACH == 0 else 0)
        assert self.room.state.phase == "over"
        assert decisions > 2

    def _settle(self, *, hurried: bool) -> bool:
        """Let events be shown, in haste or in full; return False when the match is over."""
        self.page.emulate_media(reduced_motion="reduce" if hurried else "no-preference")
        end = time.monotonic() + PATIENCE
        while not ((state := self.guest.state())["codes"] or self._planned()) or self.page.locator(".in-scene").count():
            if state["over"]:
                return False
            assert time.monotonic() < end, (state, self.room.state.match and self.room.moments)
            if hurried:
                self.site.run(_skip(self.room, self.seat))
            if hurried and state["deaf"]:
                self.page.clock.run_for(DEAF_MILLISECONDS)
            self.page.wait_for_timeout(GLANCE)
        return True

    def _planned(self) -> int:
        """Return whether, on a slow machine, a deliberate second press has already planned a whole turn."""
        return self.page.locator("#offers .go").count()

    def _decide(self, gap: int) -> None:
        """Press until something is sent; with a gap, each press is two."""
        if gap:
            self.page.emulate_media(reduced_motion="no-preference")
            self.table[gap]["decisions"] += 1
        sent, number = len(self.plays), self.guest.state()["prompt"]
        for tried in range(PRESSES):
            if (state := self.guest.state())["over"] or state["prompt"] != number or len(self.plays) > sent:
                return
            if state["deaf"]:
                self.page.clock.run_for(DEAF_MILLISECONDS)
            spot = self.page.evaluate(AIM, [self.turn, tried > PRESSES // 2])
            self.turn += 1
            if spot and gap:
                if self._twice(spot, gap):
                    return
            elif spot:
                self.press(spot)
            self.page.wait_for_timeout(GLANCE)
        raise AssertionError((self.device, number, self.guest.state()))

    def _twice(self, spot: list[float], gap: int) -> bool:
        """Press twice; return whether that has played, after everything that followed was shown."""
        counts, before = self.table[gap], self.page.evaluate("staged")
        self.scenes.clear()
        sent, moments = len(self.plays), self.room.moments
        hasty = self._press_twice(spot, gap)
        if len(self.plays) == sent:
            return False
        self.guest.wait(lambda: self.room.moments > moments)
        goes_on = self._settle(hurried=False)
        counts["scenes"] += bool(self.scenes)
        counts["cut"] += self.page.evaluate("staged") - before < sum(self.scenes) - CUT
        if hasty and goes_on and not self.page.locator("form[data-open]").count():
            assert self.page.evaluate(BEGUN) == []
        return True

    def _press_twice(self, spot: list[float], gap: int) -> bool:
        """Press twice and count the effects; return False if the machine was so slow that both were deliberate."""
        self.press(spot)
        self.page.wait_for_timeout(gap)
        self.press(spot)
        self.page.wait_for_timeout(700)
        hasty = self.page.evaluate(GAP) < STRAY
        self.table[gap]["presses"] += hasty
        self.table[gap]["cast"] += hasty and self.page.evaluate(CAST)
        return hasty


async def _skip(room: Room, seat: int) -> None:
    person = room.state.occupants[seat].person
    if person is not None:
        room.skip_scene(person)


@pytest.mark.parametrize("device", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_what_is_pressed_twice_is_played_once_and_shown_in_full(chromium: Browser, tmp_path: Path, game, device):
    with site_at(tmp_path / "t.sqlite", scenes=True, bot_pause=0.2, beat=0.5) as site:
        hasty = Hasty(site, chromium, game, device)
        hasty.play()
        print(game, device, json.dumps(hasty.table))
        assert all(not counts["cast"] and not counts["cut"] for counts in hasty.table.values()), hasty.table
        assert sum(counts["decisions"] for counts in hasty.table.values()) or game == "voyage"  # which may end early
        hasty.guest.close()
