"""The plate: land with its source, points where they are on the Earth, few crossings, names that do not overlap."""

import base64
import hashlib
import itertools
import math
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from tavola.games.expedition.atlas import LINES, POINT_NUMBER, POINTS
from tavola.games.expedition.picture import BOARDS, SHAPES, geometry
from tavola.games.expedition.picture.geometry import LAYOUT, LEFT, RIGHT, SPOTS
from tavola.games.expedition.picture.map_labels import LEGEND_AT, legend_entries, map_labels
from tavola.show.speech import LANGUAGES, Say
from tavola.show.testing import present

GAME = Path(__file__).parent
PICTURE = GAME / "picture"
FONT = GAME.parents[1] / "web" / "static" / "fonts" / "alegreya-latin-500-normal.woff2"
PLACES = [point.code for point in POINTS if point.kind == "place"]
NAMED = [point.code for point in POINTS if not point.pair]
FAR, NEAR, KEY = 20, 14, 18.6  # units, as in picture.css
POINT, SIGN = 9.5, 10  # the radius of a point, and of a sign in the legend
TOUCH = 40  # square units of a name that a flag may touch; names are drawn above flags
WIDE_STAGE, LEAST_PRINT = 970, 11  # CSS pixels


# The land


def test_what_is_kept_of_natural_earth_says_where_it_is_from_and_is_what_was_made():
    told = (PICTURE / "land.md").read_text(encoding="utf-8")
    assert "Natural Earth" in told
    assert "public domain" in told
    assert "world-atlas` 2.0.2 (ISC" in told
    for name in ("land.svg", "map.svg"):
        digest = hashlib.sha256((PICTURE / name).read_bytes()).hexdigest()
        assert re.search(rf"`{re.escape(name)}` .* {digest} \|", told), f"{name} is not the one that land.md describes"


def test_the_plate_is_drawn_round_the_land():
    outline = present(re.search(r' d="([^"]*)"', (PICTURE / "land.svg").read_text(encoding="utf-8")))[1]
    assert 30_000 < len(outline) < 70_000
    assert f'<path id="land" d="{outline}"/>' in (PICTURE / "map.svg").read_text(encoding="utf-8")


# Points and lines


def test_points_are_drawn_where_they_are_on_the_earth_and_apart():
    for point, spot in zip(POINTS, SPOTS, strict=True):
        if point.pair:
            assert spot.x in (LEFT + 4, RIGHT - 4)
        else:
            assert math.dist(spot, geometry.project(point.longitude, point.latitude)) < 9
            assert LEFT + 10 < spot.x < RIGHT - 10
        assert geometry.TOP + 10 < spot.y < geometry.BOTTOM - 10
    assert min(math.dist(one, other) for one, other in itertools.combinations(SPOTS, 2)) > 27


CURVES = [geometry.line_curve(*ends) for ends in LINES]
CHAINS = np.array([[geometry.point_at(curve, step / 24) for step in range(25)] for curve in CURVES])
"""Every line as 25 dots: float64[lines, 25, 2]."""


def crosses(one, other):
    (p, q), (r, s) = (one[:-1, None], one[1:, None]), (other[None, :-1], other[None, 1:])

    def side(a, b, c):
        return np.sign((b - a)[..., 0] * (c - a)[..., 1] - (b - a)[..., 1] * (c - a)[..., 0])

    return bool(np.any((side(p, q, r) * side(p, q, s) < 0) & (side(r, s, p) * side(r, s, q) < 0)))


def test_hardly_any_lines_cross():
    low, high = CHAINS.min(axis=1), CHAINS.max(axis=1)
    found = [
        (LINES[one], LINES[other])
        for one, other in itertools.combinations(range(len(LINES)), 2)
        if (low[one] <= high[other]).all() and (low[other] <= high[one]).all()
        if not {*LINES[one]} & {*LINES[other]} and crosses(CHAINS[one], CHAINS[other])
    ]
    assert len(found) <= 3, found


def test_lines_keep_clear_of_points_they_do_not_join():
    for ends, chain in zip(LINES, CHAINS, strict=True):
        for number, spot in enumerate(SPOTS):
            if number not in ends:
                assert np.hypot(*(chain - np.array(spot)).T).min() > POINT + 2, (ends, number)


# Drawings and names


def test_every_place_has_a_drawing_of_its_own():
    assert set(LAYOUT["drawings"]) == set(PLACES)
    drawn = {code: present(re.search(rf'<symbol id="place-{code}"[^>]*>(.*)</symbol>', SHAPES))[1] for code in PLACES}
    assert len(set(drawn.values())) == len(PLACES)
    plate = (PICTURE / "map.svg").read_text(encoding="utf-8")
    assert all(f'<symbol id="place-{code}"' in plate and f'href="#place-{code}"' in plate for code in PLACES)


def test_all_points_have_their_names_near_and_most_places_far():
    assert list(LAYOUT["near"]) == NAMED
    for language in LANGUAGES:
        far = LAYOUT["far"][language]
        assert POINTS[0].code in far
        assert len(far) > 55


def test_both_layers_can_be_read_where_they_are_shown():
    zoom = (GAME.parents[1] / "web" / "static" / "js" / "board" / "zoom.js").read_text(encoding="utf-8")
    near, far = present(re.search(r"NEAR = ([\d.]+), FAR = ([\d.]+)", zoom)).groups()
    assert float(near) * NEAR >= LEAST_PRINT
    assert float(far) * FAR >= LEAST_PRINT - 0.25
    assert float(far) <= WIDE_STAGE / geometry.WIDTH, "at 1280 pixels the far names are shown"
    assert BOARDS["main"].zoom
    style = (PICTURE / "picture.css").read_text(encoding="utf-8")
    assert f".far text{{font-size:{FAR}px}}" in style
    assert f",{NEAR}px)" in style


BOXES = """(size) => [...document.querySelectorAll("text")].map((text) => {
  const box = text.getBBox(), middle = Number(text.getAttribute("y")) - size * 0.31;
  const [top, bottom] = [middle - size * 0.4, middle + size * 0.4];
  return { name: text.textContent, left: box.x, right: box.x + box.width, top, bottom };
})"""


@pytest.fixture(scope="module")
def page(chromium: Browser):
    return chromium.new_page()


def measured(page: Page, words, size):
    """The boxes of words, in units, in the site's own font."""
    font = base64.b64encode(FONT.read_bytes()).decode()
    page.set_content(
        f'<style>@font-face{{font-family:A;src:url("data:font/woff2;base64,{font}")}}'
        f"text{{font:500 {size}px A}}</style>"
        f'<svg width="1600" height="1000" viewBox="0 0 1600 1000">{words}</svg>'
    )
    page.evaluate("document.fonts.ready")
    return page.evaluate(BOXES, size)


def flags():
    """The cloth of a token's flag on each place, as in shapes.svg."""
    cloths = {}
    for code, (across, down, side) in LAYOUT["flags"].items():
        pole, foot = SPOTS[POINT_NUMBER[code]].x + across, SPOTS[POINT_NUMBER[code]].y + down
        left, right = sorted((pole, pole + 27 * side))
        cloths[code] = {"left": left, "right": right, "top": foot - 37, "bottom": foot - 16}
    return cloths


def shared_area(one, other):
    wide = min(one["right"], other["right"]) - max(one["left"], other["left"])
    high = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return max(0, wide) * max(0, high)


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("layer", "size"), [("far", FAR), ("near", NEAR)])
def test_names_touch_no_name_no_point_and_no_drawing(page: Page, language, layer, size):
    names = present(re.search(rf'<g class="names {layer}">.*?</g>', map_labels("Expedition", Say(GAME, language))[1]))
    found = measured(page, names[0], size)
    assert len(found) > 55
    for one, other in itertools.combinations(found, 2):
        assert not shared_area(one, other), f"{one['name']} and {other['name']}"
    things = [(spot.x, spot.y, POINT) for spot in SPOTS]
    things += [(x, y, size * 0.4) for x, y, size in LAYOUT["drawings"].values()]
    for name, (x, y, half) in itertools.product(found, things):
        thing = {"left": x - half, "right": x + half, "top": y - half, "bottom": y + half}
        assert not shared_area(name, thing), f"{name['name']} lies on what is drawn at {x}, {y}"
    assert all(box["left"] > LEFT and box["right"] < RIGHT for box in found)
    for (place, flag), name in itertools.product(flags().items(), found):
        assert shared_area(flag, name) < TOUCH, f"the flag on {place} covers {name['name']}"


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_legend_touch_no_sign_and_stay_in_its_frame(page: Page, language):
    keys = "".join(re.findall(r'<text class="key".*?</text>', map_labels("Expedition", Say(GAME, language))[1]))
    found = measured(page, keys, KEY)
    left, top, width, height = LEGEND_AT
    signs = [{"left": x - SIGN, "right": x + SIGN, "top": y - 8, "bottom": y + 8} for _, (x, y) in legend_entries()]
    assert len(found) == len(signs)
    assert not any(shared_area(word, sign) for word in found for sign in signs)
    assert all(word["right"] < left + width and top < word["top"] < word["bottom"] < top + height for word in found)
    assert not any(shared_area(one, other) for one, other in itertools.combinations(found, 2))
