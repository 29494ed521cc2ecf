"""Scripts of the pages by themselves: ballots laid ahead, sliders, and a board that moves and zooms."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page

from tavola.show.words import Scale
from tavola.web.render import render_cached
from tests.helpers.browser import DEAF_MILLISECONDS, script_page

# Ballots that are chosen before they are asked


BOXES = ("sword", "shield", "lance", "armour")
AHEAD = """import { Ahead, lostCards } from "/choices/ahead.js";
Object.assign(window, { ahead: new Ahead(), lostCards, ready: true });"""


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


@pytest.fixture
def page(opened: Callable[..., Page]):
    return opened("/ahead")


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


# Sliders


STOPS = (("pay 2", "you pay 2"), ("pay 1", "you pay 1"), ("", "nothing"), ("charge 1", "you get 1"))
PRICE = Scale("price", "Price", STOPS, 2, ("pay", "charge"))
CODES = ["offer all", "give salt", "pay 1", "pay 2", "charge 1", "done"]


def page_with(steps, now):
    buttons = "".join(f'<button name="code" value="{code}" data-words="{code}">{code}</button>' for code in CODES)
    planned = json.dumps(steps).replace('"', "&quot;")
    scales = render_cached("scales.html", "en", scales=(PRICE._replace(now=now),))
    return f"""<!doctype html><title>Scale</title><link rel="icon" href="data:,">
<main><div id="room" data-me="0" data-play-plan="Play" data-take-back="Back">
<p id="question"></p><div id="narrow">
<div id="steps"></div><div data-place="scales">{scales}</div><div id="offers"></div></div>
<svg class="picture"><g id="coin" data-codes="pay 1|pay 2|charge 1"><rect width="60" height="60"/></g></svg>
<div data-place="actions"><form data-open data-planned="offer give pay charge" data-drafted="offer give pay charge"
 data-steps="{planned}" data-asks="{{}}"><input type="hidden" name="prompt_id" value="7">{buttons}</form></div>
</div></main>
<div id="announcer"></div><script type="module" src="/scale.js"></script>"""


SCALE = """import { refresh, touch } from "/choices/choices.js";
window.plans = [];
document.addEventListener("plan", ({ detail }) => window.plans.push(detail.codes));
refresh(); Object.assign(window, { touch, ready: true });"""


@pytest.fixture
def planned(opened: Callable[..., Page]):
    def show(steps, now):
        FILES["/scale"] = page_with(steps, now)
        page = opened("/scale")
        page.clock.run_for(DEAF_MILLISECONDS)
        return page

    return show


def test_a_scale_names_its_present_stop_and_plans_the_one_it_is_moved_to(planned: Callable[..., Page]):
    page = planned(["offer all", "give salt"], 2)
    slider = page.locator("#scale-price")
    assert (slider.input_value(), slider.get_attribute("aria-valuetext")) == ("2", "nothing")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".scale output").text_content() == "you get 1"
    assert slider.get_attribute("aria-valuetext") == "you get 1"
    assert page.evaluate("plans") == [["offer all", "give salt", "charge 1"]]


def test_another_stop_takes_the_place_of_the_one_before_and_none_takes_it_out(planned: Callable[..., Page]):
    for key, plan in (("Home", ["offer all", "pay 2"]), ("ArrowLeft", ["offer all"])):
        page = planned(["offer all", "charge 1"], 3)
        page.focus("#scale-price")
        page.keyboard.press(key)
        assert page.evaluate("plans") == [plan]


def test_what_it_chooses_is_no_button_and_a_touch_on_it_leads_to_the_slider(planned: Callable[..., Page]):
    page = planned(["offer all", "give salt"], 2)
    codes = "(choice) => (choice.dataset.codes ?? '').split('|')"
    offered = page.evaluate(f"[...document.querySelectorAll('#offers .choice')].flatMap({codes})")
    assert not {"pay 1", "pay 2", "charge 1"} & set(offered)
    assert "done" in offered
    assert page.evaluate("touch(['pay 1', 'pay 2', 'charge 1'])")
    assert page.evaluate("document.activeElement.id") == "scale-price"
    assert page.evaluate("plans") == []


# A large board: by finger, wheel and keys, and searched by names


PAGE = """<!doctype html><title>Zoom</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css">
<div id="room" data-me="0"><section class="stage"><div class="board">
<svg class="picture game" data-board="main" data-zoom tabindex="0" viewBox="0 0 1600 1000">
<g id="angkor" class="piece" data-find="Ängkor" data-focus="" data-rim="pin"><title>Angkor</title>
<circle cx="1200" cy="400" r="20"/></g>
<g id="tahiti" class="piece clickable" data-find="Tahiti" data-codes="go"><circle cx="300" cy="700" r="40"/></g>
<g id="late"></g></svg>
<svg class="picture overview" viewBox="0 0 1600 1000"><rect class="seen"/></svg>
<input data-finds list="names"><datalist id="names"></datalist>
<button data-grow="2">+</button><button data-next>o</button>
</div><p data-mine="yes"></p><div id="bubble" hidden><div class="said"></div></div></section></div>
<div id="announcer"></div>
<script type="module" src="/zoom.js"></script>"""
STYLE = """body{margin:0}.board{position:relative}.rim-arrow{position:absolute;width:44px;height:44px;
  margin:-22px 0 0 -22px}
@media (max-width:700px){svg.picture[data-zoom]{width:360px!important;height:320px!important}}
.overview{width:80px}
svg.picture[data-zoom]{width:800px;height:500px;touch-action:none;display:block}"""
ZOOM = """import "/board/find.js"; import * as zoom from "/board/zoom.js";
zoom.settleZoom(document); Object.assign(window, zoom, { ready: true });"""
LIT = """(spots) => {
  document.getElementById("late").innerHTML = spots.map(([x, y, more]) =>
    `<circle class="lit ${more ?? ""}" cx="${x}" cy="${y}" r="10"/>`).join("");
  turnTo(".lit", document, { asked: true });
}"""


@pytest.fixture
def desk(opened: Callable[..., Page]):
    return opened("/zoom", width=900, height=600)


@pytest.fixture
def phone(opened: Callable[..., Page]):
    return opened("/zoom", width=360, height=640)


def view(page: Page):
    """Return the visible part of the board: left, top, width, height."""
    return [float(edge) for edge in page.get_attribute("svg[data-zoom]", "viewBox").split()]


def spot(page: Page, x, y):
    """Return the point of the board at a point of the window."""
    left, top, width, _ = view(page)
    return left + x * width / 800, top + y * width / 800


def sees(page: Page, *points):
    """Return whether all these points of the board are visible."""
    left, top, width, height = view(page)
    return all(left < x < left + width and top < y < top + height for x, y in points)


def classes(page: Page):
    return set(page.get_attribute("svg[data-zoom]", "class").split())


def test_no_size_makes_a_view_that_does_not_exist(desk: Page):
    """Also while the picture has no size, or less than is kept for keys."""
    views = desk.evaluate(
        """() => {
          const picture = document.querySelector("svg[data-zoom]"), zoom = new Zoom(picture), shown = [];
          const bad = [-400, 0, NaN, Infinity, -Infinity, 1e9, 400];
          for (const x of bad) for (const y of bad) for (const width of bad) shown.push(zoom.within(x, y, width));
          for (const [style, size] of [["display", "none"], ["width", "0"], ["height", "0"], ["height", "40px"]]) {
            picture.style.setProperty(style, size);
            lookAt(document.getElementById("angkor"));
            turnTo(".clickable", document, { asked: true });
            zoom.grow(2, zoom.at(10, 10));
            zoom.set(NaN, -3, -1);
            const { x, y, width, height } = picture.viewBox.baseVal;
            shown.push({ x, y, width, height });
            picture.style.removeProperty(style);
          }
          return shown.map(({ x, y, width, height }) => [x, y, width, height]);
        }"""
    )
    assert len(views) == 7**3 + 4
    for left, top, width, height in views:
        assert 0 < width <= 1600
        assert height == pytest.approx(width * 10 / 16)
        assert 0 <= left <= 1600 - width + 1e-9
        assert 0 <= top <= 1000 - height + 1e-9


def test_the_wheel_grows_round_the_pointer_and_never_beyond_the_board(desk: Page):
    before = spot(desk, 600, 200)
    desk.mouse.move(600, 200)
    desk.mouse.wheel(0, -100)
    desk.wait_for_function("() => document.querySelector('svg[data-zoom]').viewBox.baseVal.width < 1600")
    assert spot(desk, 600, 200) == pytest.approx(before)
    desk.mouse.wheel(0, 100)
    desk.mouse.wheel(0, 100)
    desk.wait_for_function("() => document.querySelector('svg[data-zoom]').viewBox.baseVal.width === 1600")
    assert view(desk) == [0, 0, 1600, 1000]


def test_a_drag_moves_the_board_also_where_it_begins_on_a_choice_and_a_touch_does_not(desk: Page):
    desk.click("[data-grow]")
    desk.evaluate("lookAt(document.getElementById('tahiti'))")
    before = view(desk)
    x, y = (300 - before[0]) * 800 / before[2], (700 - before[1]) * 800 / before[2]
    desk.mouse.click(x, y)
    desk.mouse.move(x, y)
    desk.mouse.down()
    desk.mouse.move(x + 5, y)
    assert view(desk) == before, "a finger that hardly slips means what lies there"
    desk.mouse.move(x - 50, y - 40, steps=5)
    desk.mouse.up()
    after, scale = view(desk), before[2] / 800
    assert [after[0] - before[0], after[1] - before[1]] == pytest.approx([50 * scale, 40 * scale])
    desk.mouse.move(x, y)
    assert view(desk) == after, "no finger is down any more"


def test_keys_move_and_grow_it(desk: Page):
    desk.focus("svg[data-zoom]")
    desk.keyboard.press("+")
    grown = view(desk)
    assert grown[2] == pytest.approx(1600 / 1.25)
    for axis, key in enumerate(("ArrowRight", "ArrowDown")):
        desk.keyboard.press(key)
        assert view(desk)[axis] > grown[axis], key
    desk.keyboard.press("0")
    assert view(desk) == [0, 0, 1600, 1000]


def test_what_can_be_read_follows_the_scale(desk: Page):
    assert "whole" in classes(desk), "half a pixel a unit: not even large print can be read"
    desk.evaluate("document.querySelector('svg[data-zoom]').focus()")
    desk.keyboard.press("+")
    assert not {"whole", "near"} & classes(desk)
    desk.keyboard.press("+")
    desk.keyboard.press("+")
    assert "near" in classes(desk)
    pixel = desk.evaluate("getComputedStyle(document.querySelector('svg[data-zoom]')).getPropertyValue('--pixel')")
    assert float(pixel.removesuffix("px")) == pytest.approx(view(desk)[2] / 800, rel=0.01)


def test_the_overview_is_there_while_a_part_is_shown_and_leads_elsewhere(desk: Page):
    small = desk.locator(".overview")
    assert "needed" not in small.get_attribute("class")
    desk.click("[data-grow]")
    assert "needed" in small.get_attribute("class")
    frame = desk.locator(".seen")
    assert [float(frame.get_attribute(name)) for name in ("x", "y", "width", "height")] == pytest.approx(view(desk))
    box = small.bounding_box()
    desk.mouse.click(box["x"] + box["width"] * 0.9, box["y"] + box["height"] * 0.9)
    assert view(desk)[:2] == [800, 500]


def test_a_part_is_found_by_its_name_without_its_marks(desk: Page):
    desk.focus("[data-finds]")
    names = desk.evaluate("[...document.getElementById('names').children].map((name) => name.value)")
    assert names == ["Ängkor", "Tahiti"]
    desk.fill("[data-finds]", "ang")
    assert view(desk)[2] == 1600
    desk.keyboard.press("Enter")
    left, top, width, height = view(desk)
    assert width < 1000
    assert (left + width / 2, top + height / 2) == pytest.approx((1200, 400), abs=1)
    desk.fill("[data-finds]", "Tahiti")
    left, _, width, _ = view(desk)
    assert left < 300 < left + width


def test_the_zoom_is_kept_when_the_page_is_shown_again(desk: Page):
    desk.click("[data-grow]")
    desk.click("[data-next]")
    before = view(desk)
    desk.evaluate("document.querySelector('svg[data-zoom]').setAttribute('viewBox', '0 0 1600 1000')")
    desk.evaluate("settleZoom(document)")
    assert view(desk) == before


LATE = '<circle cx="1300" cy="200" r="30" data-glance=""/>'


def glance(page: Page, drawn):
    page.evaluate("(drawn) => { document.getElementById('late').innerHTML = drawn; glance(document); }", drawn)


def test_what_must_be_seen_is_turned_to_and_one_is_brought_back(desk: Page):
    desk.click("[data-grow]")
    desk.evaluate("lookAt(document.getElementById('tahiti'))")
    before = view(desk)
    glance(desk, LATE)
    assert view(desk) == before, "a hand has just moved it"
    desk.clock.fast_forward(4_000)
    desk.evaluate("document.querySelector('[data-mine]').dataset.mine = 'no'")
    glance(desk, LATE)
    seen = view(desk)
    assert sees(desk, (1270, 170), (1330, 230))
    glance(desk, "")
    assert view(desk) == seen, "others decide"
    desk.evaluate("document.querySelector('[data-mine]').dataset.mine = 'yes'")
    glance(desk, "")
    assert view(desk) == before


def test_it_turns_to_the_nearest_choice_only_where_none_is_in_sight(desk: Page):
    desk.click("[data-grow]")
    desk.evaluate("lookAt(document.getElementById('angkor'))")
    before = view(desk)
    desk.evaluate("turnTo('.piece', document)")
    assert view(desk) == before, "one is in sight"
    desk.evaluate("turnTo('.clickable', document)")
    assert sees(desk, (260, 660), (340, 740))


def test_on_a_phone_all_that_is_lit_is_shown_as_large_as_can_be_read(phone: Page):
    phone.evaluate(LIT, [[300, 700], [520, 760]])
    near = view(phone)
    assert sees(phone, (300, 700), (520, 760))
    phone.evaluate(LIT, [[310, 700], [330, 720]])
    assert view(phone) == near, "it is in sight, and not much could be gained"
    phone.evaluate(LIT, [[300, 700], [720, 960]])
    assert sees(phone, (300, 700), (720, 960))
    assert view(phone)[2] > near[2]


def test_of_what_lies_too_far_apart_it_shows_what_makes_most_sense(phone: Page):
    spots = [[100, 100], [120, 120], [1500, 900]]
    phone.evaluate(LIT, spots)
    assert [sees(phone, spot) for spot in spots] == [True, True, False]
    phone.evaluate(LIT, [*spots[:2], [1500, 900, "sensible"]])
    assert [sees(phone, spot) for spot in spots] == [False, False, True]


def test_what_matters_out_of_sight_is_an_arrow_at_the_rim_that_leads_there(phone: Page):
    arrow = phone.locator(".rim-arrow")
    assert arrow.count() == 0, "it begins at what matters"
    phone.evaluate(LIT, [[100, 900]])
    box, board = arrow.bounding_box(), phone.locator("svg[data-zoom]").bounding_box()
    assert arrow.get_attribute("title") == "Angkor"
    assert board["x"] <= box["x"] <= 360 - box["width"]
    arrow.click()
    assert (sees(phone, (1200, 400)), arrow.count()) == (True, 0)


def test_of_what_is_large_all_is_seen(desk: Page):
    desk.click("[data-grow]")
    desk.click("[data-grow]")
    desk.clock.fast_forward(4_000)
    glance(desk, '<rect x="200" y="100" width="900" height="300" data-glance=""/>')
    assert sees(desk, (200, 100), (1100, 400))


def test_on_a_phone_it_begins_at_what_matters(phone: Page):
    assert view(phone)[2] < 1600
    assert sees(phone, (1200, 400))


FILES = {
    "/ahead": "<!doctype html><script type=module src=/ahead.js></script>",
    "/zoom": PAGE,
    "/style.css": STYLE,
    **{f"/{name}.js": script for name, script in {"ahead": AHEAD, "scale": SCALE, "zoom": ZOOM}.items()},
}


@pytest.fixture(scope="module")
def opened(chromium: Browser):
    """A function that opens a page of `FILES`, whose time the test lets run."""
    with script_page(chromium, FILES, stopped=True, reduced_motion="reduce") as opened:
        yield opened
