"""The words in pictures can be read by day and by night: 4.5 to 1 against the ground that each stands on."""

import re

import pytest

from tavola.games import load
from tavola.show.cards import picture_of
from tavola.show.testing import contrast

COLOUR = re.compile(r"--([\w-]+):\s*(?:light-dark\((#\w+),\s*(#\w+)\)|(#\w+))")
PRINTED = {
    "lifeboats": "text/panel text/paper faint/panel accent/panel cream/plate water/plate gold/plate",
    "fairies": "text/vellum soft/vellum og/gt ob/bt or/rt text/wall",
    "expedition": "ink/paper ink-2/paper card-ink/card card-soft/card card-ink/page on-railway/railway "
    "on-steamer/steamer on-camels/camels ink/halo sea-print/sea v-ink/v-paper",
    "tournament": "text/vellum text2/vellum lack/vellum text/lid text2/lid text/vellum2",
}
"""By game the words' colours and their grounds. Voyage tests its own, which has more of them."""


def _palette(style: str, hour: int) -> dict[str, str]:
    """The colours of a style by day, 0, or by night, 1: the first that is stated for a name."""
    found: dict[str, str] = {}
    for name, *colours, same in COLOUR.findall(style):
        found.setdefault(name, same or colours[hour])
    return found


@pytest.mark.parametrize("hour", [0, 1], ids=["day", "night"])
@pytest.mark.parametrize("game", PRINTED)
def test_words_stand_out_from_their_ground(game, hour):
    palette = _palette(picture_of(load(game)).style, hour)
    pairs = [pair.split("/") for pair in PRINTED[game].split()]
    weak = {
        f"{word} on {ground}": round(found, 2)
        for word, ground in pairs
        if (found := contrast(palette[word], palette[ground])) < 4.5
    }
    assert weak == {}
