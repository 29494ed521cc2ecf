"""A slider of the page: its position, the plan made by moving it, and no button for its choices."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page

from tavola.show.words import Scale
from tavola.web.render import render_cached
from tests.helpers.browser import DEAF_MILLISECONDS
from tests.helpers.script_pages import script_page

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
<div id="announcer"></div><script type="module" src="/begin.js"></script>"""


BEGIN = """import { refresh, touch } from "/choices/choices.js";
window.plans = [];
document.addEventListener("plan", ({ detail }) => window.plans.push(detail.codes));
refresh(); Object.assign(window, { touch, ready: true });"""


@pytest.fixture(scope="module")
def planned(chromium: Browser):
    files = {"/": "", "/begin.js": BEGIN}
    with script_page(chromium, files) as opened:

        def show(steps, now):
            files["/"] = page_with(steps, now)
            page = opened()
            page.wait_for_timeout(DEAF_MILLISECONDS)
            return page

        yield show


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
    offered = page.evaluate(
        "[...document.querySelectorAll('#offers .choice')].flatMap((b) => (b.dataset.codes ?? '').split('|'))"
    )
    assert not {"pay 1", "pay 2", "charge 1"} & set(offered)
    assert "done" in offered
    assert page.evaluate("touch(['pay 1', 'pay 2', 'charge 1'])")
    assert page.evaluate("document.activeElement.id") == "scale-price"
    assert page.evaluate("plans") == []
