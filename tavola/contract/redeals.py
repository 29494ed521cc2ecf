"""The promises of every game on `redeal`: full states that agree with a view, as often as they occur.

`redeals_are_as_likely_as_the_worlds` enumerates all full states that agree with a view, called worlds, by playing. From
the start of a match, whose full state is known, every outcome of chance and every choice that the seat did not hear is
tried, with its weight. Worlds that look different to the seat than the match did are dropped. The game's `redeal` is
not used. This continues while there are few worlds.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from math import sqrt

import numpy as np

from tavola.contract.samples import (
    Sample,
    expect,
    expect_no_faults,
    legal,
    list_actions,
    play_on,
    random_legal_action,
    random_options,
    redealt,
    states_of,
)
from tavola.core import kernels
from tavola.core.compilation import UNCOMPILED
from tavola.core.game import CHANCE, Game
from tavola.core.match import Match
from tavola.core.rng import random_below, stream
from tavola.core.view import View

PLAY_ON_STEPS = 40
"""Number of actions that are played on a redealt state."""
FORGOTTEN_LIMIT = 8
"""If notes are ignored this many times in a match, some redeal should contradict them, or one of `DEALT_AGAIN` more."""
DEALT_AGAIN = 8
"""Additional redeals of a match without a contradiction so far: what a seat knows may be likely anyway."""
Worlds = dict[bytes, float]
"""Full states that a seat cannot distinguish, each with its probability."""
FIRST_ACTIONS, REDEALS = 25, 1_000
"""Maximum actions played in a match, and number of redeals of a view."""
MATCHES, MOST_WORLDS = (3, 200) if UNCOMPILED else (6, 500)
"""Number of matches, and maximum number of worlds."""
STANDARD_ERRORS = 5.0
SLACK = 4
"""Allowed deviation of a share: `STANDARD_ERRORS`, plus `SLACK` redeals. One comparison in millions exceeds it."""
COMPARED_SHARE = 4
"""One position in `COMPARED_SHARE` is compared, and the last of each match with few worlds."""


def redeals_agree_with_the_view(w: Sample) -> None:
    """A state redealt for any seat looks the same to it, has no faults, and can be played on.

    This includes seats that are not to act, and the end of the match. It runs after the tests of positions, so that
    faults of the rules themselves are found first. One seat of each position plays on, with `thorough` all seats.
    """
    for played in w.tried_indices:
        plays_on = w.random_seat()
        for seat in w.players:
            said = f"after {played} actions, redealt for seat {seat}"
            view, seed = View(w.game, states_of(w.game, w.past[played]), seat), int(random_below(w.rng, 2**31 - 1))
            dealt, again = (redealt(view, stream(seed)) for _ in range(2))
            expect(dealt.tobytes() == again.tobytes(), f"{said}: equal random streams give different states")
            expect(View(w.game, dealt, seat) == view, f"{said}: the seat's view has changed")
            expect_no_faults(w.game, dealt, said)
            if w.thorough or seat == plays_on:
                play_on(w.game, dealt, w.rng, said, PLAY_ON_STEPS)


def notes_are_compared_with_the_hands(w: Sample) -> None:
    """`faults` detects hands that contradict a seat's notes about them; otherwise a redeal could ignore the notes.

    At every position one seat's notes are removed, its view is redealt without them, and they are put back.
    """
    if not w.game.notes:
        return
    tried = [_forget_notes(w, played) for played in w.tried_indices]
    forgotten = sum(noted for noted, _ in tried)
    said = f"{forgotten} redeals without a seat's notes had no faults"
    compared = any(caught for _, caught in tried) or forgotten < FORGOTTEN_LIMIT
    again = (_forget_notes(w, played)[1] for _ in range(DEALT_AGAIN) for played in w.tried_indices)
    expect(compared or any(again), f"{said}: expected faults to compare {', '.join(w.game.notes)} with the hands")


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


# Frequencies


def redeals_are_as_likely_as_the_worlds(game: Game, seed: int = 1, count: int = MATCHES) -> None:
    """While there are few worlds, redeals give each hidden value as often as it occurs in them."""
    for number in range(count):
        rng = stream(seed, number)
        match = Match(game, random_options(game, rng))
        _compare_along(match, int(random_below(rng, match.players)), rng)


def _compare_along(match: Match, seat: int, rng: np.ndarray) -> None:
    worlds: Worlds = {match.state_bytes(): 1.0}
    while not match.over and len(match.history) < FIRST_ACTIONS:
        if (following := _play_on(match, seat, worlds, rng)) is None:
            break
        worlds = following
        if len(worlds) > 1 and not random_below(rng, COMPARED_SHARE):
            _compare(match, seat, worlds, rng)
    _compare(match, seat, worlds, rng)


def _play_on(match: Match, seat: int, worlds: Worlds, rng: np.ndarray) -> Worlds | None:
    """Play one action and return the worlds after it. If there are too many, undo it and return None."""
    actor = match.actor(rng)
    action = random_legal_action(match.game, states_of(match.game, match.state_bytes()), actor, rng)
    heard = match.game.observe_action(actor, action, seat) is not None
    match.play(action, actor)
    view, following = match.view(seat), defaultdict[bytes, float](float)
    for world, share in worlds.items():
        if len(following) > MOST_WORLDS:
            break
        for states, odds in _branches(match.game, world, actor, action if heard else None):
            if View(match.game, states, seat) == view:
                following[states.tobytes()] += share * odds
    whole = sum(following.values())
    expect(whole, f"{list_actions(match.game, [action])} leads to no world that is consistent with seat {seat}'s view")
    if len(following) > MOST_WORLDS:
        match.undo()
        return None
    return {world: share / whole for world, share in following.items()}


def _branches(game: Game, world: bytes, actor: int, heard: int | None) -> Iterator[tuple[np.ndarray, float]]:
    """Yield the worlds that may follow a world, with their weights; choices of seats are equally likely."""
    states = states_of(game, world)
    actions, weights = legal(game, states, actor)
    odds = weights if actor == CHANCE else [1] * len(actions)
    for action, weight in zip(actions, odds, strict=True):
        if weight and heard in (None, action):
            after = game.copy_states(states)
            kernels.apply_at(after, 0, actor, action)
            yield after, weight / (sum(weights) if actor == CHANCE else 1)


def _compare(match: Match, seat: int, worlds: Worlds, rng: np.ndarray) -> None:
    """Check that every redeal is one of the worlds, and that every hidden value has its share."""
    game, said = match.game, f"after {len(match.history)} actions, redealt for seat {seat}"
    dealt = Counter[bytes]()
    view = match.view(seat)
    for _ in range(REDEALS if len(worlds) > 1 else 1):
        dealt[_without_notes(game, redealt(view, rng).tobytes(), seat)] += 1
    possible = Counter[bytes]()
    for world, share in worlds.items():
        possible[_without_notes(game, world, seat)] += share  # type: ignore[assignment]
    impossible = sum(count for world, count in dealt.items() if world not in possible)
    expect(
        not impossible,
        f"{said}: {impossible} of {dealt.total()} redeals are not among the {len(possible)} possible worlds",
    )
    _compare_shares(game, dealt, possible, said)


def _without_notes(game: Game, world: bytes, seat: int) -> bytes:
    """Return a world without the notes of other seats, which redeals may leave empty."""
    states = game.copy_states(states_of(game, world))
    others = np.arange(states["hand"].shape[1]) != seat
    for name in game.notes:
        states["hand"][name][0, others] = 0
    return states.tobytes()


def _compare_shares(game: Game, dealt: Counter[bytes], possible: Counter[bytes], said: str) -> None:
    total, drawn = dealt.total(), dict(_hidden_columns(game, dealt))
    for place, column in _hidden_columns(game, possible):
        found, expected = _count(drawn[place], dealt), _count(column, possible)
        for value, share in expected.items():
            mean = total * share
            if abs(found[value] - mean) > STANDARD_ERRORS * sqrt(mean * max(0.0, 1 - share)) + SLACK:
                told = np.frombuffer(value, column.dtype).tolist()
                expect(False, f"{said}: {place} is {told} in {found[value]} of {total} redeals: expected {mean:.0f}")


def _hidden_columns(game: Game, worlds: Counter[bytes]) -> Iterator[tuple[str, np.ndarray]]:
    """Yield each hidden field of each hand and of the box with its values, one row for each world."""
    states = np.frombuffer(b"".join(worlds), game.state.dtype)
    for seat in range(states["hand"].shape[1]):
        yield from ((f"hand.{seat}.{name}", states["hand"][name][:, seat]) for name in game.hand.fields)
    if "box" in game.state.fields:
        yield from ((f"box.{name}", states["box"][name]) for name in game.state.dtype["box"].names or ())


def _count(column: np.ndarray, worlds: Counter[bytes]) -> Counter[bytes]:
    values = Counter[bytes]()
    for row, weight in zip(column, worlds.values(), strict=True):
        values[row.tobytes()] += weight
    return values
