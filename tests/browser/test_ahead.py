"""Ballots that are chosen before they are asked: what the page lets players lay, change and send."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page

from tests.helpers.script_pages import script_page

BOXES = ("sword", "shield", "lance", "armour")
BEGIN = """import { Ahead, lostCards } from "/choices/ahead.js";
Object.assign(window, { ahead: new Ahead(), lostCards, ready: true });"""
FILES = {"/": "<!doctype html><script type=module src=/begin.js></script>", "/begin.js": BEGIN}


def ballots(hand, first=0):
    """Return the data of a page: for each box from `first` on, the cards of its kind and the jokers."""
    boxes = [
        [
            {"code": f"equip {box} {value}", "label": "", "words": [], "piece": piece}
            for piece in sorted(hand)
            for kind, _, value in [piece.partition("-")]
            if kind in (box, "joker")
        ]
        for box in BOXES[first:]
    ]
    return {"ballots": boxes, "pieces": hand, "asks": {}}


@pytest.fixture(scope="module")
def opened(chromium: Browser):
    with script_page(chromium, FILES) as opened:
        yield opened


@pytest.fixture
def page(opened: Callable[..., Page]):
    return opened()


def ask(page: Page, told):
    page.evaluate("(told) => ahead.ask(told)", told)


def open_codes(page: Page):
    return {code.removeprefix("equip ") for code in page.evaluate("[...ahead.open.keys()]")}


def test_a_joker_that_another_box_needs_may_not_lie_elsewhere(page: Page):
    ask(page, ballots({"sword-3": 1, "shield-2": 1, "shield-5": 1, "lance-1": 1, "joker": 1}))
    assert open_codes(page) == {"sword 3", "shield 2", "shield 5", "lance 1", "armour "}
    ask(page, ballots({"sword-3": 1, "shield-2": 1, "lance-1": 1, "joker": 2}))
    assert {"sword ", "shield ", "lance ", "armour "} <= open_codes(page)
    page.evaluate("ahead.lay('equip lance ')")
    assert open_codes(page) == {"sword 3", "shield 2", "lance 1", "lance ", "armour "}
    page.evaluate("ahead.lay('equip lance 1')")
    assert "sword " in open_codes(page), "what was laid for another is free again"


def test_laid_cards_are_sent_box_by_box_and_unsent_ones_are_reported_lost(page: Page):
    hand = {"sword-3": 1, "shield-2": 1, "lance-1": 1, "armour-9": 1}
    ask(page, ballots(hand))
    for box, value in (("lance", 1), ("sword", 3), ("armour", 9), ("shield", 2)):
        assert not page.evaluate("ahead.whole")
        page.evaluate(f"ahead.lay('equip {box} {value}')")
    assert page.evaluate("[ahead.whole, ahead.due ?? null]") == [True, None], "nothing is sent before Play"
    page.evaluate("ahead.going = true")
    for first, (box, value) in enumerate(zip(BOXES, (3, 2, 1, 9), strict=True)):
        assert page.evaluate("ahead.due") == f"equip {box} {value}"
        page.evaluate("ahead.send()")
        assert f"{box} {value}" not in open_codes(page), "what is on its way may not be changed"
        assert page.evaluate("ahead.cards.length") == 3 - first
        if first < 3:
            ask(page, ballots({piece: 1 for piece in hand if piece.partition("-")[0] in BOXES[first + 1 :]}, first + 1))
    assert not page.evaluate("lostCards()")
    ask(page, None)
    ask(page, ballots(hand))
    page.evaluate("ahead.lay('equip lance 1')")
    assert page.evaluate("[lostCards(), lostCards()]") == [True, False]


def test_a_card_whose_box_was_filled_otherwise_is_no_longer_laid(page: Page):
    ask(page, ballots({"sword-3": 1, "shield-2": 1, "lance-1": 1, "armour-9": 1}))
    for code in ("equip sword 3", "equip armour 9"):
        page.evaluate(f"ahead.lay({json.dumps(code)})")
    ask(page, ballots({"shield-2": 1, "lance-1": 1, "armour-9": 1}, 1))  # time ran out, and another sword was laid
    assert page.evaluate("ahead.cards.map(({ code }) => code)") == ["equip armour 9"]
    assert page.evaluate("ahead.take()")
    assert not page.evaluate("ahead.take()")
