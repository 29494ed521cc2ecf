"""Runs of an encoder: adjacent integers of a state, and the columns of a row that they fill.

A processor fills a row without loops: the runs of a game are known when it is compiled, so `RowCode` generates a few
vector instructions for each, which write every column once. Plain Python and GPUs call `encode_run` for each run.
"""

from typing import NamedTuple

import numpy as np
from llvmlite import ir

from tavola.core.compilation import compiled

NUMBER, ONE_HOT, BITS = range(3)
"""Kinds of runs: a number in one column, a one-hot choice, the bits of a mask."""
OCTET, INDEX = ir.IntType(8), ir.IntType(32)


class Run(NamedTuple):
    """Adjacent integers of one kind, in the state and in the row."""

    kind: int
    width: int  # bytes of each
    source: int  # the byte where they begin, in the table or in a hand
    length: int
    column: int
    span: int  # columns of each


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
