"""The played minutes: each step's action is legal where it is asked for, its place is drawn, its words exist."""

import pytest

from tavola import games
from tavola.show.board import CODES
from tavola.show.cards import words_of
from tavola.show.minute import FEWEST, MOST, minute_match, minute_names, places_to_touch, step_boards, step_view
from tavola.show.speech import LANGUAGES, Say

LONGEST = 115
"""Maximum characters of a sentence above the board of a phone."""
STEPS = [
    pytest.param(games.load(name), step, id=f"{name}-{number}")
    for name in games.names()
    for number, step in enumerate(words_of(games.load(name)).minute.steps, 1)
]


@pytest.mark.parametrize("name", games.names())
def test_a_minute_has_four_to_six_steps_of_a_match_that_was_played(name):
    game = games.load(name)
    minute = words_of(game).minute
    assert FEWEST <= len(minute.steps) <= MOST
    assert max(step.at for step in minute.steps) <= len(minute_match(game).history)
    assert minute_names(game, "Ada")[minute.seat] == "Ada"
    assert len(minute_names(game, "Ada")) == minute_match(game).players


@pytest.mark.parametrize(("game", "step"), STEPS)
def test_what_a_step_asks_for_can_be_done_where_it_is_asked(game, step):
    view, say = step_view(game, step), Say.of(game, "en", minute_names(game, "Ada"))
    if step.code:
        assert game.actions.number(step.code) in view.legal
    places = places_to_touch(game, step, say)
    assert places, "nothing would be lit"
    assert {board for board, _ in places} <= {"main", "hand"}
    if step.code and step.part:
        board, part = places[0]
        assert any(step.code in codes.split("|") for codes in CODES.findall(step_boards(game, step, say)[board][part]))


@pytest.mark.parametrize(("game", "step"), STEPS)
def test_a_step_speaks_every_language_shortly(game, step):
    for message in (step.asks, step.told):
        said = {language: Say.of(game, language)(message) for language in LANGUAGES}
        assert len({*said.values()}) == len(LANGUAGES), "it is not translated"
        assert all(text.endswith(".") and len(text) <= LONGEST for text in said.values()), said
