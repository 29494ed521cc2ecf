"""Hands and attacks in the browser: cards are dragged and touched onto places, and plans are taken back."""

import pytest
from playwright.sync_api import expect

from tests.helpers.browser import PHONE, SPOTS, TWO_FRAMES, Visit, drag
from tests.helpers.site import Site
from tests.helpers.staged import MY_SEAT, Staged, code_at, random_match, staged_at

TARGETS = """() => [...document.querySelectorAll(".picture .clickable")].flatMap((part) => {
  const edges = [...part.querySelectorAll(".edge")], drawn = edges.find((edge) => edge.getBoundingClientRect().width);
  if (edges.length && !drawn) return [];  // on a phone, its garden is one target
  const box = (drawn ?? part).getBoundingClientRect();
  const inside = part.closest(".hand, .stage").getBoundingClientRect();
  const row = document.getElementById("offers").getBoundingClientRect();
  const seen = Math.min(box.bottom, inside.bottom) - Math.max(box.top, inside.top);
  const beside = box.right <= row.left || row.right <= box.left, found = [];
  if (Math.min(box.width, seen) < 39.5) found.push(`small: ${box.width} by ${seen} in ${inside.height}`);
  if (box.left < inside.left - 1 || box.right > inside.right + 1) found.push("outside");
  if (box.top < row.bottom && row.top < Math.min(box.bottom, inside.bottom) && !beside) found.push("covered");
  return found.map((fault) => `${part.id}: ${fault}`);
})"""


def test_a_touch_that_may_mean_two_powers_asks_which_one(site: Site, visit: Visit):
    """R14 or R17: a touch can mean stealing a card of hers, or covering her with all three powers. The page asks."""
    ada = visit()
    staged = Staged(site, random_match("fairies", 3, 1), ada, 342)
    staged.show(ada)
    state = ada.state()
    assert {"green 1", "cover 1 green"} <= set(state["codes"])
    words = ada.page.locator("#offers .choice")
    expect(words).to_contain_text(["Steal a card", "Cover a fairy", "Use a shield", "Do nothing"])
    assert (
        words.locator(".sign use").get_attribute("href") == "#word-green"
    )  # the fairy's sign; her colour is also a seat's
    both = '.stage .picture .clickable[data-codes*="green 1"][data-codes*="cover 1 green"]'
    ada.page.mouse.click(*ada.page.evaluate(SPOTS, both)[0])
    expect(words).to_contain_text(["Steal a card", "Cover a fairy"])
    assert staged.room.moments == 342
    ada.press("cover 1 green")
    ada.wait(lambda: staged.room.moments > 342)
    assert code_at(staged.room.state.match, 342) == "cover 1 green"


WIDE = """() => [...document.querySelectorAll(".stage .picture text[data-room]")].filter((text) => {
  return text.getBoundingClientRect().width && text.getComputedTextLength() > Number(text.dataset.room) + 1;
}).map((text) => text.textContent)"""
"""The words of the board that are wider than their room."""


@pytest.mark.parametrize("locale", ["de-DE", pytest.param("fr-FR", marks=pytest.mark.soak)])
def test_all_words_on_the_board_fit_and_can_be_read(site: Site, visit: Visit, locale):
    ada = visit(locale=locale)
    Staged(site, random_match("fairies", 3, 1), ada, 342).show(ada)
    for width, height in ((1280, 800), (360, 740)):
        ada.page.set_viewport_size({"width": width, "height": height})
        ada.page.evaluate(TWO_FRAMES)
        assert ada.page.locator(".stage .picture text[data-room]").count() > 20
        assert (ada.page.evaluate(WIDE), ada.small_print()) == ([], []), width
        ada.screenshot(f"fairies-words-{locale}-{width}")


# A plan


@pytest.mark.parametrize("device", ["mouse", "finger"])
def test_cards_are_dragged_and_taken_back_and_nothing_has_happened(site: Site, visit: Visit, device):
    """Phase 1 is a plan: until it is played, only its player sees a laid card; taken back, the card is in hand."""
    ada, watching = visit(**PHONE if device == "finger" else {}), visit()
    staged = staged_at(site, ada, "lay", ("fairies", 3, 1), least=1)
    room, page = staged.room, staged.show(ada)
    hand = page.locator(".hand .picture .piece")
    laid = (code for code in ada.state()["codes"] if code.startswith("lay") and code.split()[2] == str(MY_SEAT))
    code = next(code for code in laid if page.evaluate(DRAG, code))
    # The main button says what it does and what follows, before and after each step of the plan.
    main = page.locator("#offers .choice.main")
    assert main.inner_text() == "Play no card\nyou draw nothing"
    played, held, before = room.moments, hand.count(), ada.state()["prompt"]
    card, place, half = page.evaluate(DRAG, code)
    hole = page.inner_html(half)
    drag(page, card, place, device)
    expect(hand).to_have_count(held - 1)
    assert page.inner_html(half) != hole
    assert page.evaluate(TARGETS) == []
    assert main.inner_text() == "Play 1 card\nthen you draw 1"
    watching.page.goto(page.url)
    expect(page.locator(".seats")).to_be_visible()
    ada.screenshot(f"fairies-planned-{device}")
    page.click("#offers:not(.inert) .back")
    expect(hand).to_have_count(held)
    assert page.inner_html(half) == hole == watching.page.inner_html(half)
    assert (room.moments, ada.state()["prompt"]) == (played, before)
    drag(page, card, place, device, held=True)
    expect(page.locator("#bubble")).to_be_hidden()
    expect(hand).to_have_count(held - 1)
    page.click("#offers:not(.inert) .go")
    expect(watching.page.locator(half)).not_to_have_js_property("innerHTML", hole)
    assert code_at(room.state.match, played) == code


DRAG = """(code) => {
  const means = (part) => part.dataset.codes.split("|").includes(code);
  const middle = (part) => {
    const box = part.getBoundingClientRect();
    return [box.x + box.width * .3, box.y + box.height * .4];
  };
  const card = [...document.querySelectorAll(".hand .picture .clickable")].find(means);
  const seen = (part) => part.id && part.getBoundingClientRect().width;
  const half = [...document.querySelectorAll(".stage .picture .clickable")].filter(seen).find(means);
  return card && half?.querySelector("[href$=empty]") ? [middle(card), middle(half), `#${half.id}`] : null;
}"""
