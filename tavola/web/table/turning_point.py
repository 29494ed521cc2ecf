"""The moment that settled a match: the first from which those who won were ahead to the end."""

from collections.abc import Iterable, Iterator

import numpy as np

from tavola.core import Match, Moment, Result, kernels
from tavola.live import Room
from tavola.show.cards import words_of
from tavola.show.speech import Say

MOST_LINES = 4
"""A decision that had more to tell is told by the last of its lines."""


def settled_moment(results: Iterable[Result]) -> int:
    """The moment after the action that brought the winners ahead for good, counted with all that is hidden.

    `results`: of every moment of a match that is over; the first and the last are among them.
    """
    winners = [result.winners for result in results]
    return max((moment for moment in range(1, len(winners)) if winners[moment] != winners[-1]), default=0) + 1


def states_of(match: Match) -> Iterator[np.ndarray]:
    """Every state of a match, each an array of one of its own."""
    yield match.states_at(0)
    state = match.states_at(0)
    for seat, number in match.history:
        kernels.apply_at(state, 0, seat, number)
        yield match.game.copy_states(state)


def turning_point_lines(room: Room, moment: int, say: Say) -> tuple[int, list[str]]:
    """The action that settled it and what was told then; the last one where that was a secret, such as a deal.

    Actions are counted as in the record of a match that is over: secret steps, too.
    """
    last = room.state.recorded_actions
    tellings = ((at, public_lines(room, at, say)) for at in (moment, last))
    return next(((at, lines) for at, lines in tellings if lines), (last, []))


def public_lines(room: Room, at: int, say: Say) -> list[str]:
    """Return what everybody was told of action number `at` of the record, but for who has won."""
    before, after = (room.view(None, Moment(count)) for count in (at - 1, at))
    words, match = words_of(room.state.game), room.state.match
    assert match is not None
    told = words.events(before, after, room.state.game.observe_action(*match.history[at - 1], None), say)
    won = words.prompt(room.view(None), say)
    return [line for line in told if line != won][-MOST_LINES:]
