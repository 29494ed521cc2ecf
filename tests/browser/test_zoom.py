"""A large board moves and zooms by finger, wheel and keys, and can be searched by names."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page

from tests.helpers.script_pages import script_page

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
<script type="module" src="/begin.js"></script>"""
STYLE = """body{margin:0}.board{position:relative}.rim-arrow{position:absolute;width:44px;height:44px;
  margin:-22px 0 0 -22px}
@media (max-width:700px){svg.picture[data-zoom]{width:360px!important;height:320px!important}}
.overview{width:80px}
svg.picture[data-zoom]{width:800px;height:500px;touch-action:none;display:block}"""
BEGIN = """import "/board/find.js"; import * as zoom from "/board/zoom.js";
zoom.settleZoom(document); Object.assign(window, zoom, { ready: true });"""


FILES = {"/": PAGE, "/style.css": STYLE, "/begin.js": BEGIN}
LIT = """(spots) => {
  document.getElementById("late").innerHTML = spots.map(([x, y, more]) =>
    `<circle class="lit ${more ?? ""}" cx="${x}" cy="${y}" r="10"/>`).join("");
  turnTo(".lit", document, { asked: true });
}"""


@pytest.fixture(scope="module")
def opened(chromium: Browser):
    with script_page(chromium, FILES, stopped=True, reduced_motion="reduce") as opened:
        yield opened


@pytest.fixture
def page(opened: Callable[..., Page]):
    return opened(width=900, height=600)


@pytest.fixture
def phone(opened: Callable[..., Page]):
    return opened(width=360, height=640)


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


def test_no_size_makes_a_view_that_does_not_exist(page: Page):
    """Also while the picture has no size, or less than is kept for keys."""
    views = page.evaluate(
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


def test_the_wheel_grows_round_the_pointer_and_never_beyond_the_board(page: Page):
    before = spot(page, 600, 200)
    page.mouse.move(600, 200)
    page.mouse.wheel(0, -100)
    page.wait_for_function("document.querySelector('svg[data-zoom]').viewBox.baseVal.width < 1600")
    assert spot(page, 600, 200) == pytest.approx(before)
    page.mouse.wheel(0, 100)
    page.mouse.wheel(0, 100)
    page.wait_for_function("document.querySelector('svg[data-zoom]').viewBox.baseVal.width === 1600")
    assert view(page) == [0, 0, 1600, 1000]


def test_a_drag_moves_the_board_also_where_it_begins_on_a_choice_and_a_touch_does_not(page: Page):
    page.click("[data-grow]")
    page.evaluate("lookAt(document.getElementById('tahiti'))")
    before = view(page)
    x, y = (300 - before[0]) * 800 / before[2], (700 - before[1]) * 800 / before[2]
    page.mouse.click(x, y)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 5, y)
    assert view(page) == before, "a finger that hardly slips means what lies there"
    page.mouse.move(x - 50, y - 40, steps=5)
    page.mouse.up()
    after = view(page)
    assert after[0] - before[0] == pytest.approx(50 * before[2] / 800)
    assert after[1] - before[1] == pytest.approx(40 * before[2] / 800)
    page.mouse.move(x, y)
    assert view(page) == after, "no finger is down any more"


def test_keys_move_and_grow_it(page: Page):
    page.focus("svg[data-zoom]")
    page.keyboard.press("+")
    grown = view(page)
    assert grown[2] == pytest.approx(1600 / 1.25)
    page.keyboard.press("ArrowRight")
    assert view(page)[0] > grown[0]
    page.keyboard.press("ArrowDown")
    assert view(page)[1] > grown[1]
    page.keyboard.press("0")
    assert view(page) == [0, 0, 1600, 1000]


def test_what_can_be_read_follows_the_scale(page: Page):
    assert "whole" in classes(page), "half a pixel a unit: not even large print can be read"
    page.evaluate("document.querySelector('svg[data-zoom]').focus()")
    page.keyboard.press("+")
    assert not {"whole", "near"} & classes(page)
    page.keyboard.press("+")
    page.keyboard.press("+")
    assert "near" in classes(page)
    pixel = page.evaluate("getComputedStyle(document.querySelector('svg[data-zoom]')).getPropertyValue('--pixel')")
    assert float(pixel.removesuffix("px")) == pytest.approx(view(page)[2] / 800, rel=0.01)


def test_the_overview_is_there_while_a_part_is_shown_and_leads_elsewhere(page: Page):
    small = page.locator(".overview")
    assert "needed" not in small.get_attribute("class")
    page.click("[data-grow]")
    assert "needed" in small.get_attribute("class")
    frame = page.locator(".seen")
    assert [float(frame.get_attribute(name)) for name in ("x", "y", "width", "height")] == pytest.approx(view(page))
    box = small.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.9, box["y"] + box["height"] * 0.9)
    assert view(page)[:2] == [800, 500]


def test_a_part_is_found_by_its_name_without_its_marks(page: Page):
    page.focus("[data-finds]")
    assert page.evaluate("[...document.getElementById('names').children].map((name) => name.value)") == [
        "Ängkor",
        "Tahiti",
    ]
    page.fill("[data-finds]", "ang")
    assert view(page)[2] == 1600
    page.keyboard.press("Enter")
    left, top, width, height = view(page)
    assert width < 1000
    assert (left + width / 2, top + height / 2) == pytest.approx((1200, 400), abs=1)
    page.fill("[data-finds]", "Tahiti")
    left, _, width, _ = view(page)
    assert left < 300 < left + width


def test_the_zoom_is_kept_when_the_page_is_shown_again(page: Page):
    page.click("[data-grow]")
    page.click("[data-next]")
    before = view(page)
    page.evaluate("document.querySelector('svg[data-zoom]').setAttribute('viewBox', '0 0 1600 1000')")
    page.evaluate("settleZoom(document)")
    assert view(page) == before


LATE = '<circle cx="1300" cy="200" r="30" data-glance=""/>'


def glance(page: Page, drawn):
    page.evaluate("(drawn) => { document.getElementById('late').innerHTML = drawn; glance(document); }", drawn)


def test_what_must_be_seen_is_turned_to_and_one_is_brought_back(page: Page):
    page.click("[data-grow]")
    page.evaluate("lookAt(document.getElementById('tahiti'))")
    before = view(page)
    glance(page, LATE)
    assert view(page) == before, "a hand has just moved it"
    page.clock.fast_forward(4_000)
    page.evaluate("document.querySelector('[data-mine]').dataset.mine = 'no'")
    glance(page, LATE)
    seen = view(page)
    assert sees(page, (1270, 170), (1330, 230))
    glance(page, "")
    assert view(page) == seen, "others decide"
    page.evaluate("document.querySelector('[data-mine]').dataset.mine = 'yes'")
    glance(page, "")
    assert view(page) == before


def test_it_turns_to_the_nearest_choice_only_where_none_is_in_sight(page: Page):
    page.click("[data-grow]")
    page.evaluate("lookAt(document.getElementById('angkor'))")
    before = view(page)
    page.evaluate("turnTo('.piece', document)")
    assert view(page) == before, "one is in sight"
    page.evaluate("turnTo('.clickable', document)")
    assert sees(page, (260, 660), (340, 740))


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
    assert sees(phone, (1200, 400))
    assert arrow.count() == 0


def test_of_what_is_large_all_is_seen(page: Page):
    page.click("[data-grow]")
    page.click("[data-grow]")
    page.clock.fast_forward(4_000)
    glance(page, '<rect x="200" y="100" width="900" height="300" data-glance=""/>')
    assert sees(page, (200, 100), (1100, 400))


def test_on_a_phone_it_begins_at_what_matters(phone: Page):
    assert view(phone)[2] < 1600
    assert sees(phone, (1200, 400))
