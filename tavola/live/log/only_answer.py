"""Answers that are the only possible ones: whether there is one, and whether everybody knows that.

An answer that comes by itself tells that it was the only one. Where that follows from what all others see already, or
where there are no others but bots, who look at no clock, nobody learns anything.
"""

import secrets

from tavola.core import kernels
from tavola.core.compilation import is_interpreted
from tavola.core.rng import stream
from tavola.core.view import Buffers
from tavola.live.log.state import State

WORLDS = 32
"""Tables that agree with what somebody sees and are looked at."""


def has_only_answer(state: State, seat: int) -> bool:
    """True when a seat that decides in its turn, with nobody faster or slower, has one possible answer."""
    match = state.match
    if match is None or match.open or seat not in state.open_decisions or state.occupants[seat].bot_decides:
        return False
    return len(state.view(seat).legal) == 1 and not state.is_racing(seat)


def is_evident(state: State, seat: int) -> bool:
    """True when each other seat knows that this is the only possible answer of a seat.

    It is tried on tables that agree with what each of them sees. Where that would take long nobody is said to know.
    """
    match = state.match
    if match is None or is_interpreted(state.game.source_folder):
        return False
    others = [other for other in range(match.players) if other != seat]
    return all(_knows(state, other, seat) for other in others)


def _knows(state: State, other: int, seat: int) -> bool:
    """True when a seat has the same one answer on every table that another seat can imagine."""
    seen, own, buffers = state.view(other), state.view(seat).legal, Buffers(state.game)
    for _ in range(WORLDS):
        states = state.game.copy_states(seen.states)
        kernels.redeal_at(states, 0, other, stream(secrets.randbits(63)))
        count = kernels.legal_at(states, 0, seat, buffers.actions, buffers.weights)
        if tuple(buffers.actions[:count].tolist()) != tuple(own):
            return False
    return True
