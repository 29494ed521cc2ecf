"""Sounds of games: palettes as data, and each sound of a game belongs to an event in it."""

from itertools import pairwise

import pytest

import tavola.games
from tavola.core import View
from tavola.show.cards import picture_of
from tavola.show.pictures import scene
from tavola.show.sound import LOUDEST, MOMENTS, WOOD, Part, check_palette, knock, tone
from tavola.show.testing import english_say, random_match

SEEDS = range(40)
"""Seeds of the matches that are searched until every sound has occurred."""
RARE = {"voyage": {"avalon"}, "tournament": {"first"}}
"""Sounds that random play rarely reaches, or that only a room's clocks cause."""


@pytest.mark.parametrize("name", tavola.games.names())
def test_every_game_has_six_sounds_of_its_own_and_each_is_heard(name):
    game = tavola.games.load(name)
    own = picture_of(game).sounds.keys() - set(MOMENTS)
    assert len(own) >= 6
    missing = own - RARE.get(name, set())
    for seed in SEEDS:
        if not missing:
            return
        missing -= _heard(game, seed)
    raise AssertionError(f"no frame of {len(SEEDS)} matches sounds like {missing}")


def _heard(game, seed) -> set[str]:
    *_, match = random_match(game, seed)
    say, heard = english_say(game), set()
    views = pairwise(View(game, match.states_at(at), None) for at in range(len(match.history) + 1))
    for played, (before, after) in zip(match.history, views, strict=True):
        heard |= {frame.sound for frame in scene(before, after, game.observe_action(*played, None), say)}
    return heard - {""}


@pytest.mark.parametrize(
    ("palette", "message"),
    [
        ({}, "expected a mapping with the sounds turn, line, talk, end"),
        ({**WOOD, "oars": ()}, "Picture.sounds has 'oars': expected a part"),
        ({**WOOD, "oars": (tone(20_000),)}, "'oars': expected pitches from 30 to 12000 hertz"),
        ({**WOOD, "oars": (tone(440, to=10),)}, "'oars': expected pitches from 30 to 12000 hertz"),
        ({**WOOD, "oars": knock(200, loudness=0.4)}, f"'oars': expected a loudness up to {LOUDEST}"),
        ({**WOOD, "oars": (tone(440, 1_000, after=1_200),)}, "'oars': expected an end before 2000 ms"),
        ({**WOOD, "oars": (Part("organ", 440, 440, 300, 0.05),)}, "'oars': expected a source among sine, triangle"),  # type: ignore[arg-type]
    ],
)
def test_what_is_loud_long_or_unheard_is_refused(palette, message):
    with pytest.raises(TypeError, match=message):
        check_palette(palette)
