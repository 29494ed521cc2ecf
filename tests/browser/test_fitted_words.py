"""Choices on a phone in the languages with the longest words: none is cut off, whichever way one goes to it."""

import pytest
from playwright.sync_api import Browser

from tests.helpers.browser import PHONE, BrowserGuest
from tests.helpers.site import Site
from tests.helpers.staged import SceneWatcher, Staged, decisions, random_match

pytestmark = pytest.mark.browser
MATCHES = {
    "lifeboats": (4, 8),
    "voyage": (5, 16),
    "fairies": (3, 2),
    "expedition": (3, 2),
    "tournament": (3, 5),
}
"""Players and seeds of random matches with many kinds of decisions."""

CUT = """async () => {
  const { draw, now } = await import(document.querySelector("[type=module]").src.replace("main.js", "choices.js"));
  const offers = document.getElementById("offers"), narrowing = now(), cut = new Set(), seen = new Set();
  let shown = 0;
  const look = () => {
    draw();
    const row = narrowing.options.map(({ word }) => word).join("|");
    if (seen.has(row)) return;
    seen.add(row);
    const right = offers.getBoundingClientRect().right;
    for (const choice of [...offers.querySelectorAll(".choice"), ...document.querySelectorAll("#steps button")]) {
      shown += 1;
      const wide = choice.scrollWidth - choice.clientWidth, high = choice.scrollHeight - choice.clientHeight;
      const beyond = offers.contains(choice) ? choice.getBoundingClientRect().right - right : 0;
      const whole = wide <= 1 && high <= 2 && beyond <= 1 && !choice.textContent.includes("…");
      if (!whole) cut.add(`${choice.textContent} ${[wide, high, Math.round(beyond)]}`);
    }
    for (const { codes } of narrowing.options) {
      if (codes.length < 2 || codes.length === narrowing.open.length) continue;
      narrowing.touch(codes);
      look();
      narrowing.back();
    }
  };
  look();
  draw();
  return [shown, [...cut]];
}"""
"""How many choices the present decision has, in all its steps, and the words of those that are cut off."""


@pytest.mark.parametrize("locale", ["de-DE", pytest.param("it-IT", marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", MATCHES)
def test_no_choice_is_cut_off_in_the_longest_words(chromium: Browser, site: Site, game, locale):
    players, seed = MATCHES[game]
    match = random_match(game, players, seed)
    guest = BrowserGuest(chromium, site.url, locale=locale, **PHONE)
    staged = Staged(site, match, guest)
    looker = SceneWatcher(guest, staged, before=guest)
    shown, cut = 0, []
    for stop in sorted(decisions(match)):
        staged.advance_to(stop.at)
        looker.settle()
        count, found = looker.page.evaluate(CUT)
        shown += count
        cut += [(stop.at, words) for words in found]
    guest.close()
    assert cut == []
    assert shown > 20
