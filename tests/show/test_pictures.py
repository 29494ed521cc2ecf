"""Pictures of all games: self-contained posters, readable words, motion that is cheap to draw."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from tavola.games import load, names
from tavola.show.cards import picture_of
from tavola.show.poster import poster
from tavola.show.speech import LANGUAGES, Say
from tavola.show.testing import contrast

LARGEST = 220_000
"""Maximum bytes of a poster without its typeface; the home page shows five."""


@pytest.mark.parametrize("name", names())
def test_a_poster_is_a_complete_svg_with_a_title_in_every_language(name):
    game, titles = load(name), set()
    for language in LANGUAGES:
        say = Say.of(game, language)
        drawn = str(poster(game, say))
        shown = ElementTree.fromstring(drawn)
        assert shown.attrib["viewBox"] == "0 0 800 1000"
        title = next(e for e in shown.iter() if e.attrib.get("class") == "poster-title").text
        assert title == say(game.title)
        titles.add(title)
        ids = set(re.findall(r'\sid="([^"]+)"', drawn))
        assert set(re.findall(r'(?:href="#|url\(#)([\w-]+)', drawn.split("</style>", 1)[1])) <= ids
        assert not re.search(r'(?:href|src)="(?!#)', drawn), "it asks for another file"
        assert len(drawn.encode()) < LARGEST
    assert len(titles) > 1


# Words by day and by night: a contrast of 4.5 to 1 with their backgrounds


COLOUR = re.compile(r"--([\w-]+):\s*(?:light-dark\((#\w+),\s*(#\w+)\)|(#\w+))")
PRINTED = {
    "lifeboats": "text/panel text/paper faint/panel accent/panel cream/plate water/plate gold/plate",
    "fairies": "text/vellum soft/vellum og/gt ob/bt or/rt text/plaq soft/plaq pale/glass pale/bandc text/stepn",
    "expedition": "ink/paper ink-2/paper card-ink/card card-soft/card card-ink/page on-railway/railway "
    "on-steamer/steamer on-camels/camels ink/halo sea-print/sea v-ink/v-paper",
    "tournament": "text/vellum text2/vellum lack/vellum text/lid text2/lid text/vellum2",
}
"""Colours of words and their backgrounds, by game. Voyage tests its own, which has more of them."""


def _palette(style: str, hour: int) -> dict[str, str]:
    """Return the colours of a style by day, 0, or by night, 1; a name's first colour counts."""
    found: dict[str, str] = {}
    for name, *colours, same in COLOUR.findall(style):
        found.setdefault(name, same or colours[hour])
    return found


@pytest.mark.parametrize("hour", [0, 1], ids=["day", "night"])
@pytest.mark.parametrize("game", PRINTED)
def test_words_stand_out_from_their_ground(game, hour):
    palette = _palette(picture_of(load(game)).style, hour)
    pairs = [pair.split("/") for pair in PRINTED[game].split()]
    found = {f"{word} on {ground}": contrast(palette[word], palette[ground]) for word, ground in pairs}
    assert {pair: weak for pair, weak in found.items() if weak < 4.5} == {}


# Motion between frames: only transform and opacity, which are cheap at sixty frames a second


KEYFRAMES = re.compile(r"@keyframes ([\w-]+)\s*\{((?:[^{}]*\{[^{}]*\})*)\s*\}")
CHEAP = {"transform", "translate", "rotate", "scale", "opacity", "animation-timing-function"}
STROKES = {"stroke-opacity", "stroke-dashoffset"}
"""Only for single lines: a lit line pulses, and a route is drawn once."""
LEAPS = [("lifeboats", "lifeboats-leap"), ("lifeboats", "lifeboats-aboard"), ("expedition", "ex-stride-0")]


def _keyframes(game: str) -> dict[str, str]:
    return dict(KEYFRAMES.findall(picture_of(load(game)).style))


@pytest.mark.parametrize("game", names())
def test_nothing_is_animated_that_lays_out_or_paints(game):
    found = _keyframes(game)
    assert len(found) == picture_of(load(game)).style.count("@keyframes")  # none is overlooked
    animated = {name: set(re.findall(r"([\w-]+)\s*:", frames)) for name, frames in found.items()}
    assert {name: dear for name, of in animated.items() if (dear := of - CHEAP - STROKES)} == {}


@pytest.mark.parametrize(("game", "name"), LEAPS)
def test_a_leap_rises_before_it_falls(game, name):
    heights = [*map(int, re.findall(r"translate(?:Y\(|:\s*\S+ )(-?\d+)px", _keyframes(game)[name])), 0]
    top = heights.index(min(heights))
    assert 0 < top < len(heights) - 1
    assert all(lower > higher for lower, higher in pairwise(heights[: top + 1]))
    assert all(higher < lower for higher, lower in pairwise(heights[top:]))


@pytest.mark.parametrize(
    ("game", "name"), [("voyage", "voyage-sail"), ("tournament", "tournament-gallop"), ("expedition", "ex-stride")]
)
def test_repeated_motions_have_two_names_with_equal_keyframes(game, name):
    found = _keyframes(game)
    assert found[f"{name}-0"] == found[f"{name}-1"]
