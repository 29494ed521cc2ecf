"""The promises of every game on `redeal`: full states that agree with a view, for every seat at every position."""

import numpy as np

from tavola.contract.samples import Sample, expect, expect_no_faults, play_on, redealt, states_of
from tavola.core import kernels
from tavola.core.rng import random_below, stream
from tavola.core.view import View

PLAY_ON_STEPS = 40
"""Number of actions that are played on a redealt state."""
FORGOTTEN_LIMIT = 8
"""If notes are ignored this many times in a match, some redeal should contradict them, or one of `DEALT_AGAIN` more."""
DEALT_AGAIN = 8
"""Additional redeals of a match without a contradiction so far: what a seat knows may be likely anyway."""


def redeals_agree_with_the_view(w: Sample) -> None:
    """A state redealt for any seat looks the same to it, has no faults, and can be played on.

    This includes seats that are not to act, and the end of the match. It runs after the tests of positions, so that
    faults of the rules themselves are found first. One seat of each position plays on, with `thorough` all seats.
    """
    for played in w.tried_indices:
        plays_on = w.random_seat()
        for seat in w.players:
            said = f"after {played} actions, redealt for seat {seat}"
            dealt = _redeal(w, states_of(w.game, w.past[played]), seat, said)
            if w.thorough or seat == plays_on:
                play_on(w.game, dealt, w.rng, said, PLAY_ON_STEPS)


def _redeal(w: Sample, states: np.ndarray, seat: int, said: str) -> np.ndarray:
    """Return a state redealt for a seat; check that equal streams give equal states."""
    view, seed = View(w.game, states, seat), int(random_below(w.rng, 2**31 - 1))
    dealt, again = (redealt(view, stream(seed)) for _ in range(2))
    expect(dealt.tobytes() == again.tobytes(), f"{said}: equal random streams give different states")
    expect(View(w.game, dealt, seat) == view, f"{said}: the seat's view has changed")
    expect_no_faults(w.game, dealt, said)
    return dealt


def notes_are_compared_with_the_hands(w: Sample) -> None:
    """`faults` detects hands that contradict a seat's notes about them; otherwise a redeal could ignore the notes.

    At every position one seat's notes are removed, its view is redealt without them, and they are put back.
    """
    if not w.game.notes:
        return
    tried = [_forget_notes(w, played) for played in w.tried_indices]
    forgotten = sum(noted for noted, _ in tried)
    said = f"{forgotten} redeals without a seat's notes had no faults"
    expect(
        any(caught for _, caught in tried)
        or forgotten < FORGOTTEN_LIMIT
        or any(_forget_notes(w, played)[1] for _ in range(DEALT_AGAIN) for played in w.tried_indices),
        f"{said}: expected faults to compare {', '.join(w.game.notes)} with the hands",
    )


def _forget_notes(w: Sample, played: int) -> tuple[bool, bool]:
    """Redeal a position for a seat without its notes; return whether it had some, and whether there are faults then."""
    seat, states = w.random_seat(), states_of(w.game, w.past[played])
    view = w.game.copy_states(View(w.game, states, seat).states)
    kept = {name: view["hand"][name][0, seat].copy() for name in w.game.notes}
    for name in kept:
        view["hand"][name][0, seat] = 0
    kernels.redeal_at(view, 0, seat, stream(int(random_below(w.rng, 2**31 - 1))))
    for name, note in kept.items():
        view["hand"][name][0, seat] = note
    noted = any(any(note.tobytes()) for note in kept.values())
    return noted, bool(w.game.faults(w.game.state.unpack(view.tobytes())))
