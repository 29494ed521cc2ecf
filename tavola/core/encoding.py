"""Views as rows of numbers, for machine learning. Computed from the declared state, so games need no encoder.

    encoder = Encoder(tavola.load("lifeboats"))
    encoder.shape, encoder.names, encoder.low, encoder.high
    encoder.encode(states, seats, out)      row i: what seats[i] sees of states[i]
    encoder.mask(states, seats, out)        row i: the legal actions of seats[i] in states[i]

A row contains the seat, the table and the seat's own hand, and nothing else. A number or a flag is one column. A choice
is one-hot; with more than twenty names it is a single column, the index, for an embedding. Members are one column each,
1 for those in the set.

A processor fills a row without loops: the columns of a game are known when it is compiled, so `RowCode` generates a few
vector instructions for each run of them. Plain Python and GPUs call `encode_run` for each run.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np
from llvmlite import ir
from numba.core import types

from tavola.core import kernels
from tavola.core.compilation import UNCOMPILED, as_records, brief, compiled, is_interpreted, specialize
from tavola.core.errors import Refusal
from tavola.core.fields import (
    WORD_BITS,
    Choice,
    Each,
    Field,
    Layout,
    ManyMembers,
    Members,
    Number,
    as_integer,
    short_repr,
)
from tavola.core.game import CHANCE, Game, game_of
from tavola.core.intrinsics import address_of, borrow, lowered
from tavola.core.view import View, thread_buffers

NUMBER, ONE_HOT, BITS = range(3)
"""Kinds of runs: a number in one column, a one-hot choice, the bits of a mask."""
NOTHING = -1
"""Seat of an empty row, and placeholder for an action that was not heard."""
HAND = "hand."
MOST_RECALLED = 10_000
MOST_NAMES = 20
"""Maximum names of a choice that is encoded one-hot."""
INDEX = ir.IntType(32)
"""Type of indices in the machine code of rows."""


class BadArray(Refusal):
    """An array with a wrong length, shape or dtype."""


class Run(NamedTuple):
    """Adjacent integers of one kind, in the state and in the row."""

    kind: int
    width: int  # bytes of each
    source: int  # the byte where they begin, in the table or in a hand
    length: int
    column: int
    span: int  # columns of each


class Columns:
    """The columns of declared fields, in order: how they are filled, their names and bounds."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.names: list[str] = []
        self.low: list[int] = []
        self.high: list[int] = []

    def add(self, field: Field, path: str, source: int = 0) -> None:
        """Add a field whose bytes begin at `source`, in the table or in a hand."""
        if isinstance(field, Layout):
            for key, part in field.fields.items():
                self.add(part, f"{path}.{key}" if path else key, source + field.dtype.fields[key][1])
        elif isinstance(field, Each):
            size = np.dtype(field.dtype).itemsize // field.length
            for place, name in enumerate(field.names or range(field.length)):
                self.add(field.field, f"{path}.{name}", source + place * size)
        else:
            self._add_value(cast(Number, field), path, source)

    def add_plain(self, path: str, low: int, high: int) -> None:
        """Add a column that is not filled from the state."""
        self.names.append(path)
        self.low.append(low)
        self.high.append(high)

    def _add_value(self, field: Number, path: str, source: int) -> None:
        if isinstance(field, ManyMembers):
            for word, first in enumerate(range(0, len(field.names), WORD_BITS)):
                names = [f"{path}.{name}" for name in field.names[first : first + WORD_BITS]]
                self._add_run(BITS, 8, source + 8 * word, names)
        elif isinstance(field, Members):
            self._add_run(BITS, field.dtype.itemsize, source, [f"{path}.{name}" for name in field.names])
        elif isinstance(field, Choice) and len(field.names) <= MOST_NAMES:
            self._add_run(ONE_HOT, field.dtype.itemsize, source, [f"{path}.{name}" for name in field.names])
        else:
            self._add_run(NUMBER, field.dtype.itemsize, source, [path], field.low, field.high)

    def _add_run(self, kind: int, width: int, source: int, names: Sequence[str], low: int = 0, high: int = 1) -> None:
        last = self.runs[-1] if self.runs else None
        following = last and (last.kind, last.width, last.span, last.source + last.length * last.width)
        if last is not None and following == (kind, width, len(names), source):
            self.runs[-1] = last._replace(length=last.length + 1)
        else:
            self.runs.append(Run(kind, width, source, 1, len(self.names), len(names)))
        for name in names:
            self.add_plain(name, low, high)


class Encoder:
    """Encoder of what seats see, as rows of numbers, and of their legal actions, as masks.

    `shape` is the shape of a row, `(columns,)`. `names` are the paths of the columns (`boats.green.at.sea`,
    `hand.card`); `low` and `high` are their bounds, float32 of shape `(columns,)`. The first columns are the seat,
    one-hot.

    With `recall`, from 0 to 10,000, a row ends with the last `recall` actions that the seat heard, the latest first.
    Each has two columns: its seat (chance is the number of seats) and its number; -1 for none. Secret actions of others
    are left out, as in `Game.observe_action`. Raises `BadArray` for any other `recall`.
    """

    def __init__(self, game: Game, recall: int = 0) -> None:
        recalled = as_integer(recall)
        if recalled is None or not 0 <= recalled <= MOST_RECALLED:
            raise BadArray(f"recall: expected a whole number from 0 to {MOST_RECALLED}, found {short_repr(recall)}")
        self.game, self.recall = game, recalled
        self.seats = cast(Each, game.state.fields["hand"]).length
        columns = Columns()
        for seat in range(self.seats):
            columns.add_plain(f"seat.{seat}", 0, 1)
        columns.add(game.table, "")
        table_runs = len(columns.runs)
        columns.add(game.hand, "hand")
        self.seen_columns = len(columns.names)
        for place in range(1, recalled + 1):
            columns.add_plain(f"heard.{place}.seat", NOTHING, self.seats)
            columns.add_plain(f"heard.{place}.action", NOTHING, len(game.actions) - 1)
        self.names, self.shape = tuple(columns.names), (len(columns.names),)
        self.low, self.high = np.array(columns.low, np.float32), np.array(columns.high, np.float32)
        fields: Any = game.state.dtype.fields
        # The number of the table's runs, the byte offsets of table and hands, and a hand's size.
        layout = table_runs, fields["table"][1], fields["hand"][1], game.hand.dtype.itemsize
        self.layout = np.array(layout, np.int64)
        self.program = np.array(columns.runs, np.int64).reshape(-1, len(Run._fields))

    def encode(self, states: np.ndarray, seats: Sequence[int] | np.ndarray, out: np.ndarray, heard: Any = None) -> None:
        """Write what `seats[i]` sees of `states[i]` into `out[i]`; zeros if the seat is -1.

        `out` is an array of shape `(states, columns)` whose dtype holds every bound, such as float32. With `recall`,
        `heard` is an integer array of shape `(states, recall, 2)`, as returned by `heard_by`. Raises `BadArray` for
        anything else.
        """
        self._check_states(states)
        asked = self.read_seats(len(states), seats)
        check_rows(out, len(states), self.shape[0], "out")
        self.check_type(out)
        whole = writable(self.game, states)
        encode_rows(whole, octets(whole), asked, self.program, self.layout, out, 0, len(states))
        if self.recall:
            shape = len(states), self.recall, 2
            if np.shape(heard) != shape:
                raise BadArray(f"heard: expected an array from heard_by of shape {shape}, found {np.shape(heard)}")
            out[:, self.seen_columns :] = np.reshape(heard, (len(states), -1))

    def mask(self, states: np.ndarray, seats: Sequence[int] | np.ndarray, out: np.ndarray) -> None:
        """Write 1 into `out[i, action]` for each legal action of `seats[i]` in `states[i]`, else 0.

        `out` is bool, int8 or uint8 of shape `(states, actions)`; raises `BadArray` for anything else. The row is zero
        for the seat -1 and for a seat that is not to act. Only what the seat sees is read: a view gives the same row as
        the full state.
        """
        self._check_states(states)
        asked = self.read_seats(len(states), seats)
        check_rows(out, len(states), len(self.game.actions), "out")
        check_mask(out)
        scratch = thread_buffers(self.game)
        mask_rows(
            writable(self.game, states), asked, scratch.actions, scratch.weights, out.view(np.uint8), 0, len(states)
        )

    def observe(self, view: View, history: Sequence[tuple[int, int]], is_asked: bool) -> tuple[np.ndarray, np.ndarray]:
        """Return a seat's view as a new row, float32[columns], and the mask of its legal actions, int8[actions].

        `history` is as for `heard_by`. The mask is zero unless `is_asked` and the seat is to act.
        """
        game, seat = self.game, cast(int, view.seat)
        row, mask = np.empty(self.shape, np.float32), np.empty(len(game.actions), np.int8)
        octets, scratch = np.frombuffer(view.tobytes(), np.int8), thread_buffers(game)
        asked, buffers = seat if is_asked else NOTHING, (scratch.actions, scratch.weights)
        fill = observing_kernel(game, is_interpreted(game.source_folder))
        fill(view.states, octets, seat, asked, self.program, self.layout, row, mask, *buffers)
        if self.recall:
            row[self.seen_columns :] = self.heard_by(seat, history).reshape(-1)
        return row, mask

    def heard_by(self, seat: int, history: Sequence[tuple[int, int]]) -> np.ndarray:
        """Return the last actions that a seat heard, latest first: int32 of shape `(recall, 2)`, padded with -1.

        `history` are all actions of a match, pairs of seat and number, as in `match.history`.
        """
        heard = np.full((self.recall, 2), NOTHING, np.int32)
        audible = (pair for pair in reversed(history) if pair[0] == seat or not self.game.actions.is_secret[pair[1]])
        for place, (player, number) in zip(range(self.recall), audible, strict=False):
            heard[place] = self.seats if player == CHANCE else player, number
        return heard

    def check_type(self, out: np.ndarray) -> None:
        """Raise `BadArray` unless the dtype of `out` holds every value of a row: float32, float64, int16, …"""
        least, most = int(self.low.min()), int(self.high.max())
        whole = out.dtype.kind == "i" and np.iinfo(out.dtype).min <= least and most <= np.iinfo(out.dtype).max
        if not whole and out.dtype not in (np.float32, np.float64):
            raise BadArray(f"out: expected float32, float64 or integers from {least} to {most}, found {out.dtype}")

    def _check_states(self, states: np.ndarray) -> None:
        if states.dtype.names is None or np.dtype((np.void, states.dtype)) != self.game.state.dtype:
            raise BadArray(f"states: expected states of {self.game.name}, found {states.dtype.name}")

    def read_seats(self, count: int, seats: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return `count` seats as int64, -1 for none. Raises `BadArray` for anything else."""
        asked = np.asarray(seats)
        whole = asked.dtype.kind in "iu" and asked.shape == (count,)
        if not whole or (len(asked) and not NOTHING <= asked.min() <= asked.max() < self.seats):
            raise BadArray(f"seats: expected {count} numbers from -1 to {self.seats - 1}")
        return asked.astype(np.int64)

    def __repr__(self) -> str:
        return f"Encoder({self.game.name!r}, shape={self.shape}, recall={self.recall})"


class CentralRows:
    """The whole position as one row, for a critic that sees more than a seat: the table once, then every hand.

    `shape`, `names`, `low` and `high` are as in an encoder. `program`: its runs, int64[runs, 6], whose bytes count from
    the beginning of the state.
    """

    def __init__(self, encoder: Encoder, players: int) -> None:
        seen = encoder.names[: encoder.seen_columns]
        first = next((place for place, name in enumerate(seen) if name.startswith(HAND)), len(seen))
        table, hand = slice(encoder.seats, first), slice(first, len(seen))
        hands = [f"hands.{seat}.{name.removeprefix(HAND)}" for seat in range(players) for name in seen[hand]]
        self.names = (*seen[table], *hands)
        self.shape = (len(self.names),)
        self.low, self.high = (
            np.concatenate([bounds[table], *[bounds[hand]] * players]) for bounds in (encoder.low, encoder.high)
        )
        runs, table_at, hands_at, size = encoder.layout.tolist()
        moved = [_moved(run, table_at, -encoder.seats) for run in encoder.program[:runs]]
        for seat in range(players):
            columns = seat * (len(seen) - first) - encoder.seats
            moved += [_moved(run, hands_at + seat * size, columns) for run in encoder.program[runs:]]
        self.program = np.array(moved, np.int64).reshape(-1, len(Run._fields))

    def encode(self, states: np.ndarray) -> np.ndarray:
        """Return the rows of full states: float32[states, columns]."""
        out = np.empty((len(states), *self.shape), np.float32)
        encode_positions(octets(states), self.program, out, 0, len(states))
        return out


def _moved(run: np.ndarray, source: int, column: int) -> Run:
    known = Run(*run.tolist())
    return known._replace(source=known.source + source, column=known.column + column)


def check_rows(out: np.ndarray, rows: int, columns: int, name: str) -> None:
    """Raise `BadArray` unless `out` is a writable, C-contiguous array of shape `(rows, columns)`."""
    if not isinstance(out, np.ndarray) or out.shape != (rows, columns):
        raise BadArray(f"{name}: expected an array of shape {(rows, columns)}, found {np.shape(out)}")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise BadArray(f"{name}: expected a writable, C-contiguous array")


def check_mask(out: np.ndarray) -> None:
    """Raise `BadArray` unless the dtype of `out` is allowed for masks."""
    if out.dtype not in (np.bool_, np.int8, np.uint8):
        raise BadArray(f"out: expected an array of bool, int8 or uint8, found {out.dtype}")


def octets(states: np.ndarray) -> np.ndarray:
    """Return the bytes of states, int8 of shape `(states, size of one)`: the same memory if writable, else a copy."""
    plain = np.ascontiguousarray(states).view(np.ndarray)
    signed = plain.view(np.dtype((np.void, plain.dtype.itemsize))).view(np.int8)
    rows = signed.reshape(len(states), plain.dtype.itemsize)
    return rows if rows.flags.writeable else rows.copy()


def writable(game: Game, states: np.ndarray) -> np.ndarray:
    """Return states as kernels are compiled for them: the same array, or a copy of a read-only one."""
    if not (states.flags.writeable and states.flags.c_contiguous):
        return game.copy_states(states)
    return as_records(states) if UNCOMPILED else states


@cache
def observing_kernel(game: Game, interpreted: bool) -> Callable[..., Any]:
    """Return the kernel `observe_one`, as machine code for views if compiled."""
    if interpreted:
        return observe_one
    encoder, scratch, seen = Encoder(game), thread_buffers(game), game.visible_states(game.states(1), None)
    row, mask = np.empty(encoder.shape, np.float32), np.empty(len(game.actions), np.int8)
    octets, buffers = np.frombuffer(seen.tobytes(), np.int8), (scratch.actions, scratch.weights)
    return specialize(observe_one, seen, octets, 0, 0, encoder.program, encoder.layout, row, mask, *buffers)


# Rows

# Indices into rows are unsigned: with signed ones every access would check whether it counts from the end.


@compiled
def encode_run(source, row, run, base):
    """Write the columns of a run, whose bytes begin at `base` more than it says."""
    kind, width, at, count, column, span = run[0], run[1], base + run[2], run[3], run[4], run[5]
    if width == 1 and kind == NUMBER:
        for k in range(count):
            row[np.uint64(column + k)] = source[np.uint64(at + k)]
    elif width == 1 and kind == ONE_HOT:
        for k in range(count):
            row[np.uint64(column + k * span + source[np.uint64(at + k)])] = 1
    else:
        for k in range(count):
            _encode_integer(_integer_at(source, at + k * width, width), row, kind, column + k * span, span)


@compiled
def _encode_integer(value, row, kind, column, span):
    if kind == NUMBER:
        row[np.uint64(column)] = value
    elif kind == ONE_HOT:
        row[np.uint64(column + value)] = 1
    else:
        for bit in range(span):
            row[np.uint64(column + bit)] = value >> bit & 1


@compiled
def _integer_at(source, at, width):
    """Return the signed little-endian integer of `width` bytes at an index."""
    value = int(source[np.uint64(at + width - 1)])
    for k in range(width - 2, -1, -1):
        value = (value << 8) | (int(source[np.uint64(at + k)]) & 255)
    return value


class RowCode:
    """Machine code that fills a row: the columns of one run after the other. Vectors may begin at any address.

    `row`: a pointer to the first column.
    """

    def __init__(self, builder: ir.IRBuilder, row: ir.Value) -> None:
        self.builder, self.row, self.column = builder, row, row.type.pointee

    def add(self, run: Run, base: ir.Value) -> None:
        """Add the columns of a run, whose bytes begin at `base`, a pointer, more than it says."""
        if run.kind == NUMBER:
            self._store(self._loaded(base, run.source, run.width, run.length), run.column)
            return
        for k in range(run.length):
            value = self._loaded(base, run.source + k * run.width, run.width, 1)
            if run.kind == ONE_HOT:
                self.add_one_hot(value, run.column + k * run.span, run.span)
            else:
                bits = self.builder.bitcast(value, ir.VectorType(ir.IntType(1), 8 * run.width))
                self._store(self._selected(bits, list(range(run.span))), run.column + k * run.span)

    def add_one_hot(self, value: ir.Value, column: int, span: int) -> None:
        """Add `span` columns: 1 at the place of a value, a vector of one integer, and 0 elsewhere."""
        copies = self._selected(value, [0] * span)
        self._store(self.builder.icmp_signed("==", copies, ir.Constant(copies.type, list(range(span)))), column)

    def _loaded(self, base: ir.Value, at: int, width: int, length: int) -> ir.Value:
        place = self.builder.gep(base, [INDEX(at)])
        kind = ir.VectorType(ir.IntType(8 * width), length)
        return self.builder.load(self.builder.bitcast(place, kind.as_pointer()), align=1)

    def _selected(self, vector: ir.Value, places: list[int]) -> ir.Value:
        chosen = ir.Constant(ir.VectorType(INDEX, len(places)), places)
        return self.builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), chosen)

    def _store(self, integers: ir.Value, column: int) -> None:
        place, columns = self.builder.gep(self.row, [INDEX(column)]), self._converted(integers)
        self.builder.store(columns, self.builder.bitcast(place, columns.type.as_pointer()), align=1)

    def _converted(self, integers: ir.Value) -> ir.Value:
        """Return a vector of signed integers, or of single bits, in the type of columns."""
        kind, width = ir.VectorType(self.column, integers.type.count), integers.type.element.width
        if not isinstance(self.column, ir.IntType):
            return (self.builder.uitofp if width == 1 else self.builder.sitofp)(integers, kind)
        if width > self.column.width:
            return self.builder.trunc(integers, kind)
        return (self.builder.zext if width == 1 else self.builder.sext)(integers, kind)


def _define_write_row(typing, state, source, seat, program, layout, row):
    def build(context, builder, signature, given):
        encoder = Encoder(game_of(state))
        tables, table_at, hands_at, size = encoder.layout.tolist()
        code = RowCode(builder, context.make_array(row)(context, builder, given[5]).data)
        code.add_one_hot(builder.bitcast(given[2], ir.VectorType(given[2].type, 1)), 0, encoder.seats)
        begin = builder.bitcast(given[0], ir.IntType(8).as_pointer())
        hand_at = builder.add(builder.mul(given[2], given[2].type(size)), given[2].type(hands_at))
        table, hand = (builder.gep(begin, [at]) for at in (given[2].type(table_at), hand_at))
        for place, run in enumerate(encoder.program.tolist()):
            code.add(Run(*run), table if place < tables else hand)
        return context.get_dummy_value()

    return types.void(state, source, types.int64, program, layout, row), build


@lowered(_define_write_row, on_gpu=False)
def write_row(state, source, seat, program, layout, row):
    """Write what a seat sees of a state, whose bytes are `source`, to the columns of a row; recalled actions follow."""
    row[:] = 0
    row[seat] = 1
    for r in range(len(program)):
        base = layout[1] if r < layout[0] else layout[2] + seat * layout[3]
        encode_run(source, row, program[r], base)


@compiled
def encode_rows(states, octets, seats, program, layout, out, first, last):
    """Fill the rows from `first` up to `last` of `out`; see `Encoder.encode`. `octets`: the memory of `states`."""
    octets, program, layout, out = borrow(octets), borrow(program), borrow(layout), borrow(out)
    for i in range(first, last):
        if seats[i] >= 0:
            write_row(states[i], octets[i], seats[i], program, layout, out[i])
        else:
            out[i, :] = 0


@compiled
def encode_positions(octets, program, out, first, last):
    """Fill the rows from `first` up to `last` of `out`; see `CentralRows`."""
    octets, program, out = borrow(octets), borrow(program), borrow(out)
    for i in range(first, last):
        out[i, :] = 0
        for r in range(len(program)):
            encode_run(octets[i], out[i], program[r], 0)


@compiled
def mask_rows(states, seats, actions, weights, out, first, last):
    """Fill the rows from `first` up to `last` of `out`; see `Encoder.mask`."""
    actions, weights = address_of(actions), address_of(weights)
    for i in range(first, last):
        out[i, :] = 0
        seat = seats[i]
        if seat >= 0 and kernels.to_act(states[i]) >> seat & 1:
            for k in range(kernels.legal(states[i], seat, actions, weights)):
                out[i, actions[k]] = 1


@brief
def observe_one(states, octets, seat, asked, program, layout, row, mask, actions, weights):
    """Fill the row of `seat` and the mask of `asked`, or zeros for -1, in `states[0]`, whose bytes are `octets`."""
    bytes_seen, filled = octets.reshape((1, len(octets))), row.reshape((1, len(row)))
    encode_rows(states, bytes_seen, np.full(1, seat), program, layout, filled, 0, 1)
    mask_rows(states, np.full(1, asked), borrow(actions), borrow(weights), mask.reshape((1, len(mask))), 0, 1)
