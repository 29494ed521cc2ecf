"""Loops over a batch of matches, compiled for each game like those of `tavola.core.kernels`.

Each match is one row of every array. Rows are independent, so threads can share the arrays and play different parts;
each has its own scratch. On a GPU, a thread calls them for one row at a time.
"""

from typing import NamedTuple

import numpy as np

from tavola.bots.policies import choose_greedy
from tavola.core import kernels
from tavola.core.compilation import compiled
from tavola.core.encoding import encode_positions, encode_rows, mask_rows
from tavola.core.game import CHANCE
from tavola.core.intrinsics import borrow, local_array
from tavola.core.rng import seed_stream
from tavola.rl.rewards import write_rewards

ASKED, RANDOM, GREEDY, CALLED = range(4)
"""The player of a seat: the caller of `step`, a level of bots, or from `CALLED` on an opponent called from Python."""
new_stream = local_array(1, np.uint64)


class Rows(NamedTuple):
    """The arrays of a batch, shared by its threads."""

    states: np.ndarray  # by match
    blank: np.ndarray  # one empty state
    options: np.ndarray  # int64
    seed: np.ndarray  # uint64[1]
    number: np.ndarray  # int64, by match: its number, which selects the stream of the seed
    rng: np.ndarray  # uint64, by match
    to_act: np.ndarray  # int64, by match: the seat to act
    opponents: np.ndarray  # int64, by seat: its player
    turns: np.ndarray  # bool[1]: whether seats are rotated by one from match to match
    kind: np.ndarray  # int64[1]: the rule of rewards
    rewards: np.ndarray  # float32[matches, seats]
    done: np.ndarray  # bool, by match
    secret: np.ndarray  # bool, by action: whether it is hidden from others
    heard: np.ndarray  # int32[matches, seats, recalled actions, 2]: a ring buffer for each seat
    heard_count: np.ndarray  # int64[matches, seats]
    cycles: np.ndarray  # int64, by match: steps played
    most_cycles: np.ndarray  # int64[1]: steps after which it is cut off, 0 for never
    cut: np.ndarray  # bool, by match: whether it was cut off in the last step
    final: np.ndarray  # by match: the state in which the last match ended
    final_heard: np.ndarray  # what had been heard by then
    final_heard_count: np.ndarray  # int64[matches, seats]


class Scratch(NamedTuple):
    """The arrays of one thread."""

    actions: np.ndarray  # int32: legal actions
    weights: np.ndarray  # int64: chance's weights
    scores: np.ndarray  # float64: priors
    points: np.ndarray  # int64, by seat
    places: np.ndarray  # int64, by seat


class Marks(NamedTuple):
    """What a step says of each match, beside its result. Kernels copy their tuples: few need these."""

    acted: np.ndarray  # int64, by match: the seat whose action the last step played
    illegal: np.ndarray  # bool, by match: whether the chosen action is not legal
    any_illegal: np.ndarray  # bool[1]
    asked: np.ndarray  # int64, by match: the seat to observe


class Encoding(NamedTuple):
    """How rows of observations are filled: the bytes of states, arrays of an encoder, and those of whole positions."""

    octets: np.ndarray  # int8[matches, size of a state]: the memory of `states`
    final_octets: np.ndarray  # that of `final`
    program: np.ndarray  # int64[runs, 6]
    layout: np.ndarray  # int64[4]
    whole: np.ndarray  # int64[runs, 6]: of `CentralRows`
    heard_from: np.ndarray  # int64[1]: the first column of what a seat has heard


# Matches. Kernels take rows, scratch, and what else they need, then the first row and the one after the last.


@compiled
def begin_rows(rows, scratch, first, last):
    """Begin the first match of each row, and play up to the first seat to act."""
    rows, scratch = borrow(rows), borrow(scratch)
    for i in range(first, last):
        rows.number[i] = i
        _begin(rows, i)
        _advance(rows, scratch, i)


@compiled
def forget_rows(rows, scratch, marks, first, last):
    """Forget what the last step did: matches that end before any seat acts are skipped."""
    rows = borrow(rows)
    for i in range(first, last):
        rows.done[i] = False
        rows.cut[i] = False
        rows.rewards[i, :] = 0
        marks.acted[i] = rows.to_act[i]


@compiled
def mark_illegal(rows, scratch, marks, chosen, first, last):
    """Mark the rows whose chosen action is not legal for the seat to act."""
    rows, scratch = borrow(rows), borrow(scratch)
    for i in range(first, last):
        allowed = kernels.is_allowed(rows.states[i], rows.to_act[i], chosen[i], scratch.actions, scratch.weights)
        marks.illegal[i] = not allowed
        if not allowed:
            marks.any_illegal[0] = True


@compiled
def sample_rows(rows, scratch, seed, level, chosen, first, last):
    """Write the choice of a level of bots in each row; row `i` uses stream `i` of the seed."""
    rows, scratch = borrow(rows), borrow(scratch)
    rng = new_stream()
    for i in range(first, last):
        seed_stream(rng, seed, i)
        chosen[i] = _choose(rows, scratch, i, rows.to_act[i], level, rng)


@compiled
def step_rows(rows, scratch, marks, chosen, first, last):
    """Play a legal action in each row, then chance and opponents until a seat must act."""
    rows, scratch = borrow(rows), borrow(scratch)
    for i in range(first, last):
        rows.done[i] = False
        rows.cut[i] = False
        rows.rewards[i, :] = 0
        rows.cycles[i] += 1
        marks.acted[i] = rows.to_act[i]
        _play(rows, i, rows.to_act[i], chosen[i])
        _advance(rows, scratch, i)


@compiled
def answer_rows(rows, scratch, chosen, first, last):
    """Continue the step in rows where an opponent was called, by its legal action; -1 for other rows."""
    rows, scratch = borrow(rows), borrow(scratch)
    for i in range(first, last):
        if chosen[i] >= 0:
            _play(rows, i, rows.to_act[i], chosen[i])
            _advance(rows, scratch, i)


@compiled
def cut_rows(rows, scratch, first, last):
    """Cut off the matches that have reached the maximum of steps, and begin the next ones."""
    rows, scratch = borrow(rows), borrow(scratch)
    for i in range(first, last):
        if rows.cycles[i] >= rows.most_cycles[0]:
            rows.done[i] = True
            rows.cut[i] = True
            _begin_next(rows, i)
            _advance(rows, scratch, i)


# What seats see


@compiled
def observe_rows(rows, scratch, encoding, out, first, last):
    """Write what the seat to act sees of each match."""
    rows, encoding, out = borrow(rows), borrow(encoding), borrow(out)
    encode_rows(rows.states, encoding.octets, rows.to_act, encoding.program, encoding.layout, out, first, last)
    if rows.heard.shape[2]:
        for i in range(first, last):
            seat = rows.to_act[i]
            _recall(rows.heard[i, seat], rows.heard_count[i, seat], encoding.heard_from[0], out[i])


@compiled
def observe_all_rows(rows, scratch, marks, encoding, out, first, last):
    """Write what each seat sees of each match; `out` has three dimensions."""
    rows, encoding, out = borrow(rows), borrow(encoding), borrow(out)
    for seat in range(out.shape[1]):
        marks.asked[first:last] = seat
        encode_rows(
            rows.states, encoding.octets, marks.asked, encoding.program, encoding.layout, out[:, seat], first, last
        )
        for i in range(first, last):
            _recall(rows.heard[i, seat], rows.heard_count[i, seat], encoding.heard_from[0], out[i, seat])


@compiled
def observe_final_rows(rows, scratch, marks, seats, encoding, out, first, last):
    """Write what `seats` saw at the end of each match that the last step ended, and zeros for other matches."""
    rows, encoding, out = borrow(rows), borrow(encoding), borrow(out)
    for i in range(first, last):
        marks.asked[i] = seats[i] if rows.done[i] else -1
    encode_rows(rows.final, encoding.final_octets, marks.asked, encoding.program, encoding.layout, out, first, last)
    for i in range(first, last):
        seat = marks.asked[i]
        if seat >= 0:
            heard, count = rows.final_heard[i, seat], rows.final_heard_count[i, seat]
            _recall(heard, count, encoding.heard_from[0], out[i])


@compiled
def _recall(heard, count, column, row):
    """Write the last actions heard, the latest first, to the columns of a row from `column` on."""
    recall = heard.shape[0]
    for k in range(recall):
        at = (count - 1 - k) % recall
        row[column + 2 * k] = heard[at, 0] if k < count else -1
        row[column + 2 * k + 1] = heard[at, 1] if k < count else -1


@compiled
def state_rows(rows, scratch, encoding, out, first, last):
    """Write the whole position of each match."""
    encode_positions(encoding.octets, encoding.whole, out, first, last)


@compiled
def mask_of_rows(rows, scratch, out, first, last):
    """Write the legal actions of the seat to act in each match."""
    mask_rows(rows.states, rows.to_act, scratch.actions, scratch.weights, out, first, last)


# Steps


@compiled
def _begin(rows, i):
    seed_stream(rows.rng[i : i + 1], rows.seed[0], rows.number[i])
    rows.states[i] = rows.blank[0]
    kernels.start(rows.states[i], rows.options)
    rows.heard_count[i, :] = 0
    rows.cycles[i] = 0


@compiled
def _play(rows, i, seat, action):
    """Play an action of a seat or of chance in row `i`, and record it for those that hear it."""
    kernels.apply(rows.states[i], seat, action)
    recall = rows.heard.shape[2]
    if recall:
        seats = rows.heard.shape[1]
        for hearer in range(seats):
            if hearer == seat or not rows.secret[action]:
                at = rows.heard_count[i, hearer] % recall
                rows.heard[i, hearer, at, 0] = seats if seat == CHANCE else seat
                rows.heard[i, hearer, at, 1] = action
                rows.heard_count[i, hearer] += 1


@compiled
def _advance(rows, scratch, i):
    """Play on in row `i` until a seat must act; a match that ends writes its rewards, and the next one begins."""
    s = rows.states[i]
    rng = rows.rng[i : i + 1]
    while True:
        mask = kernels.to_act(s)
        if not mask:
            _end(rows, scratch, i)
            continue
        seat = kernels.actor(mask, rng)
        turned = rows.number[i] if rows.turns[0] else 0
        level = RANDOM if seat == CHANCE else rows.opponents[(seat - turned) % rows.options[0]]
        if level == ASKED or level >= CALLED:
            rows.to_act[i] = seat
            return
        _play(rows, i, seat, _choose(rows, scratch, i, seat, level, rng))


@compiled
def _choose(rows, scratch, i, seat, level, rng):
    if level == GREEDY:
        return choose_greedy(rows.states, i, seat, scratch.actions, scratch.weights, scratch.scores, rng)
    return kernels.random_action(rows.states[i], seat, rng, scratch.actions, scratch.weights)


@compiled
def _end(rows, scratch, i):
    """Begin the next match in row `i`, and report the first one that ended in this step with its rewards."""
    if not rows.done[i]:
        rows.done[i] = True
        scratch.places[:] = 0
        kernels.score(rows.states[i], scratch.points, scratch.places)
        write_rewards(scratch.points, scratch.places, rows.options[0], rows.kind[0], rows.rewards, i)
        _begin_next(rows, i)
        return
    rows.number[i] += len(rows.number)
    _begin(rows, i)


@compiled
def _begin_next(rows, i):
    rows.final[i] = rows.states[i]
    # One by one: slices of unknown lengths would compile the text of an error.
    for hearer in range(rows.heard.shape[1]):
        rows.final_heard_count[i, hearer] = rows.heard_count[i, hearer]
        for at in range(rows.heard.shape[2]):
            rows.final_heard[i, hearer, at, 0] = rows.heard[i, hearer, at, 0]
            rows.final_heard[i, hearer, at, 1] = rows.heard[i, hearer, at, 1]
    rows.number[i] += len(rows.number)
    _begin(rows, i)
