"""What settled a match: the first moment from which those who won were ahead to the end."""

from tavola.core import Match, Result, kernels
from tavola.live import Room
from tavola.show.speech import Say

MOST_LINES = 4
"""A decision that had more to tell is told by the last of its lines."""


def turning_point(match: Match) -> int:
    """The moment after the action that brought the winners ahead for good, counted with all that is hidden."""
    result = match.result()
    assert result is not None
    # Played once from the beginning: every other room waits meanwhile, and matches of thousands of actions occur.
    states, unsettled = match.states_at(0), 0
    for moment, (seat, number) in enumerate(match.history[:-1], 1):
        kernels.apply_at(states, 0, seat, number)
        if Result.of(states, match.players).winners != result.winners:
            unsettled = moment
    return unsettled + 1


def turning_point_lines(room: Room, moment: int, say: Say) -> tuple[int, list[str]]:
    """The moment that settled it and what was told then; the last one where that was a secret, such as a deal."""
    tellings = ((at, public_lines(room, at, say)) for at in (moment, room.moments))
    return next(((at, lines) for at, lines in tellings if lines), (room.moments, []))


def public_lines(room: Room, moment: int, say: Say) -> list[str]:
    """What everybody was told of the action before a moment, but for who has won."""
    before, after = (room.view(None, at) for at in (moment - 1, moment))
    words = room.state.game.words
    told = words.events(before, after, room.state.heard_action(moment, None), say)
    won = words.prompt(room.view(None), say)
    return [line for line in told if line != won][-MOST_LINES:]
