"""Tutorials: a game shown in four to six steps on its own boards, each one touch. Nothing counts.

A game declares a match that was played (a record) and steps. A step is a moment of that match, a sentence that ends
with what to touch, and what is touched: an action that is legal there for the learner's seat, or a piece. The page
lights the place. `tests/show/test_minute.py` checks each step against its position.
"""

from collections.abc import Mapping
from functools import cache

from markupsafe import Markup

from tavola.core.game import Game
from tavola.core.match import Match, read_record
from tavola.core.view import View
from tavola.show.board import CODES
from tavola.show.cards import Minute, Step, words_of
from tavola.show.pictures import all_pieces
from tavola.show.speech import Say

FEWEST, MOST = 4, 6
"""Minimum and maximum number of steps."""


@cache
def minute_match(game: Game) -> Match:
    """Return the match of a game's tutorial."""
    return read_record(_minute_of(game).record).match()


def minute_names(game: Game, learner: str) -> tuple[str, ...]:
    """Return the names at the table of a tutorial: the record's, and the learner's for their seat."""
    minute = _minute_of(game)
    names = read_record(minute.record).names
    return (*names[: minute.seat], learner, *names[minute.seat + 1 :])


def step_view(game: Game, step: Step) -> View:
    """Return the learner's view at a step."""
    return View(game, minute_match(game).states_at(step.at), _minute_of(game).seat)


def step_boards(game: Game, step: Step, say: Say) -> Mapping[str, Mapping[str, Markup]]:
    """Return the boards of a step as the learner sees them: pieces by board and id."""
    return all_pieces(step_view(game, step), say)


def places_to_touch(game: Game, step: Step, say: Say) -> list[tuple[str, str]]:
    """Return the pieces that a step lights, as pairs of board and id."""
    boards = step_boards(game, step, say)
    if step.part:
        return [(board, step.part) for board, drawn in boards.items() if step.part in drawn]
    return [
        (board, name)
        for board, drawn in boards.items()
        for name, piece in drawn.items()
        if any(step.code in codes.split("|") for codes in CODES.findall(piece))
    ]


def _minute_of(game: Game) -> Minute:
    minute = words_of(game).minute
    if minute is None:
        raise LookupError(f"{game.name} declares no minute: expected Words(minute=…)")
    return minute
