"""Views as rows of numbers: every declared field in its column, nothing hidden, legal actions, what was heard."""

import contextlib
from itertools import islice

import numpy as np
import pytest

import tavola
from tavola.contract.samples import redealt
from tavola.core import CHANCE, Encoder, Match, kernels, stream
from tavola.core.encoding import MOST_NAMES, BadArray, octets, write_row
from tavola.show.testing import random_match

GAME = tavola.load("lifeboats")
ENCODER = Encoder(GAME)


def positions(game, seed, every, **options):
    for number, match in enumerate(random_match(game, seed, **options)):
        if number % every == 0 or match.over:
            yield match


def encoded(encoder, states, seat):
    row = np.full((1, *encoder.shape), 99, np.float32)
    encoder.encode(states, [seat], row)
    return row[0]


def masked(encoder, states, seat):
    row = np.full((1, len(encoder.game.actions)), True)
    encoder.mask(states, [seat], row)
    return row[0]


def leaves(document, path):
    if isinstance(document, dict):
        for key, value in document.items():
            yield from leaves(value, f"{path}.{key}" if path else key)
    elif isinstance(document, list):
        for place, value in enumerate(document):
            yield from leaves(value, f"{path}.{place}")
    else:
        yield path, document


def expected_columns(encoder, view):
    """Return what a document of the view says, by the names of columns, without columns that are 0."""
    place = {name: number for number, name in enumerate(encoder.names)}
    found = dict(leaves(view.document()["table"], "")) | dict(leaves(view.document()["hand"], "hand"))
    columns = {f"seat.{view.seat}": 1}
    for path, value in found.items():
        is_one_of_many = path in place and encoder.high[place[path]] >= MOST_NAMES  # in a single column
        if isinstance(value, str) and not is_one_of_many:
            # A choice of few names, or the n-th of some members, which have their own names instead.
            columns[f"{path}.{value}" if f"{path}.{value}" in place else f"{path.rpartition('.')[0]}.{value}"] = 1
        elif not isinstance(value, str):
            columns[path] = int(value)
    return columns


@pytest.mark.parametrize("name", tavola.game_names())
def test_each_column_is_what_the_document_of_the_view_says(name):
    game = tavola.load(name)
    encoder = Encoder(game)
    assert len(set(encoder.names)) == len(encoder.names) == encoder.shape[0]
    seen = np.zeros(encoder.shape, bool)
    wide = {n for n, field in enumerate(encoder.high) if field >= MOST_NAMES}
    for match in positions(game, 3, every=29):
        view = match.view(len(match.history) % match.players)
        row = encoded(encoder, view.states, view.seat)
        assert ((row >= encoder.low) & (row <= encoder.high)).all()
        expected = expected_columns(encoder, view)
        told = {encoder.names[place]: int(row[place]) for place in np.flatnonzero(row) if place not in wide}
        narrow = {path: value for path, value in expected.items() if value and encoder.names.index(path) not in wide}
        assert told == narrow
        assert all(row[encoder.names.index(path)] == value for path, value in expected.items())
        seen |= row != 0
    assert seen.sum() > 40


@pytest.mark.parametrize("name", tavola.game_names())
def test_worlds_that_a_seat_cannot_tell_apart_give_it_the_same_rows(name):
    """A redeal changes only what is hidden from the seat."""
    game, rng = tavola.load(name), stream(5)
    encoder, worlds = Encoder(game), 0
    for match in positions(game, 4, every=61):
        for seat in range(match.players):
            view = match.view(seat)
            other = redealt(view, rng)
            whole = np.frombuffer(match.state_bytes(), game.state.dtype)
            worlds += other.tobytes() != whole.tobytes()
            rows = [encoded(encoder, states, seat).tobytes() for states in (view.states, whole, other)]
            assert rows[0] == rows[1] == rows[2]
            masks = [masked(encoder, states, seat) for states in (view.states, whole, other)]
            assert all(np.flatnonzero(mask).tolist() == match.legal_numbers(seat) for mask in masks)
    assert worlds


def test_a_row_without_a_seat_is_empty_and_other_rows_keep_their_order():
    states = GAME.states(3)
    for place, players in enumerate((3, 4, 5)):
        kernels.start_at(states, place, GAME.options.array({"players": players}))
    out = np.ones((3, *ENCODER.shape), np.int16)
    ENCODER.encode(states, np.array([2, -1, 0]), out)
    players = ENCODER.names.index("players")
    assert (out[0, players], out[0, 2], out[2, players], out[2, 0]) == (3, 1, 5, 1)
    assert not out[1].any()
    assert octets(states).base is not None


@pytest.mark.parametrize("name", tavola.game_names())
def test_the_loops_for_gpus_write_the_rows_of_processors(name):
    game = tavola.load(name)
    encoder = Encoder(game)
    row = np.ones(encoder.shape, np.float32)
    for match in positions(game, 6, every=97):
        for seat in range(match.players):
            states = game.copy_states(match.view(seat).states)
            write_row(states[0], octets(states)[0], seat, encoder.program, encoder.layout, row)
            assert row.tolist() == encoded(encoder, states, seat).tolist()


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int16, np.int64])
def test_rows_are_the_same_numbers_in_every_type(kind):
    states, out = Match(GAME, seed=1).view(0).states, np.zeros((1, *ENCODER.shape), kind)
    ENCODER.encode(states, [0], out)
    assert (out[0] == encoded(ENCODER, states, 0)).all()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        *(({"seats": seats}, "1 numbers from -1 to 5") for seats in ([9], [0, 1], [0.5])),
        ({"out": np.zeros((1, 3), np.float32)}, "of shape"),
        ({"out": np.zeros((1, 414), np.int8)}, "integers from -1 to 200, found int8"),
        ({"out": np.zeros((2, 414), np.float32)[::2]}, None),
        ({"out": np.zeros((1, 828), np.float32)[:, ::2]}, "C-contiguous array"),
        ({"states": np.zeros(1, np.int64)}, "states of lifeboats"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_was_expected(change, said):
    asked = {"states": Match(GAME, seed=1).view(0).states, "seats": [0], "out": np.zeros((1, 414), np.float32)} | change
    with pytest.raises(BadArray, match=said) if said else contextlib.nullcontext():
        ENCODER.encode(**asked)


def test_masks_are_refused_in_other_types_and_recall_without_bounds():
    states = Match(GAME, seed=1).view(0).states
    with pytest.raises(BadArray, match="bool, int8 or uint8"):
        ENCODER.mask(states, [0], np.zeros((1, len(GAME.actions)), np.float32))
    with pytest.raises(BadArray, match="recall: expected a whole number"):
        Encoder(GAME, recall=-1)
    with pytest.raises(BadArray, match="heard: expected an array from heard_by"):
        Encoder(GAME, recall=2).encode(states, [0], np.zeros((1, 418), np.float32))


def test_a_seat_recalls_what_it_heard_and_no_secret_of_another():
    encoder, secrets = Encoder(GAME, recall=6), 0
    assert encoder.names[-2:] == ("heard.6.seat", "heard.6.action")
    for match in islice(random_match(GAME, 5), 150):
        for seat in range(match.players):
            heard = encoder.heard_by(seat, match.history)
            pairs = [(CHANCE if by == encoder.seats else by, number) for by, number in heard.tolist() if by >= 0]
            told = [(by, n) for by, n in match.history if GAME.observe_action(by, n, seat) is not None]
            assert pairs == told[:-7:-1]
            secrets += any(encoder.game.actions.is_secret[number] and by == seat for by, number in pairs)
            row = np.zeros((1, *encoder.shape), np.float32)
            encoder.encode(match.view(seat).states, [seat], row, heard[np.newaxis])
            assert row[0, -12:].tolist() == heard.ravel().tolist()
    assert secrets


@pytest.mark.parametrize("name", tavola.game_names())
def test_one_view_is_observed_as_rows_are(name):
    game = tavola.load(name)
    encoder, match = Encoder(game, recall=2), Match(game, seed=5)
    for seat in range(match.players):
        row, mask = encoder.observe(match.view(seat), match.history, is_asked=True)
        out, heard = np.ones((1, *encoder.shape), np.float32), encoder.heard_by(seat, match.history)
        encoder.encode(match.view(seat).states, [seat], out, heard[np.newaxis])
        assert (row.dtype, mask.dtype, row.tolist()) == (np.float32, np.int8, out[0].tolist())
        assert np.flatnonzero(mask).tolist() == match.legal_numbers(seat)
        assert not encoder.observe(match.view(seat), match.history, is_asked=False)[1].any()
