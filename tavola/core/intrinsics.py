"""What rules and kernels need and Numba lacks: arrays that cost nothing to pass or to make, records changed as a whole.

Each is a Python function together with the machine code that replaces it in compiled code, on a processor or a GPU.
"""

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.registry import cpu_target
from numba.extending import intrinsic


class Intrinsic:
    """A function that Python calls as it is, and whose machine code `define` generates, as for `numba.extending`.

    Unless `on_gpu`, that code is only for processors, and Numba compiles the function itself for a GPU.
    """

    def __init__(self, function: Callable[..., Any], define: Callable[..., Any], on_gpu: bool = True) -> None:
        update_wrapper(self, function)
        self.function, self.define, self.on_gpu = function, define, on_gpu

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)

    @cached_property
    def _numba_type_(self) -> Any:
        made = intrinsic(self.define)
        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(made)


def lowered(define: Callable[..., Any], on_gpu: bool = True) -> Callable[[Callable[..., Any]], Intrinsic]:
    """Decorate a Python function with the definition of its machine code."""
    return lambda function: Intrinsic(function, define, on_gpu)


# Arrays


def _define_borrow(typing, arrays):
    return arrays(arrays), lambda context, builder, signature, given: _without_owner(context, builder, arrays, given[0])


@lowered(_define_borrow)
def borrow(arrays: Any) -> Any:
    """Return arrays, alone or in a (named) tuple; in compiled code without their owners, which the caller keeps alive.

    Every compiled call with an array as argument updates its owner's reference count, with atomic instructions that
    cost more than the rules of a game. Without an owner there is nothing to count.
    """
    return arrays


def _define_address(typing, array):
    made = types.CPointer(array.dtype)(array)
    return made, lambda context, builder, signature, given: context.make_array(array)(context, builder, given[0]).data


@lowered(_define_address)
def address_of(array: Any) -> Any:
    """Return an array of one dimension; in compiled code its address, which has neither a length nor slices.

    It is passed in one register, where an array takes seven words on the stack. The caller keeps the array alive.
    """
    return array


def _without_owner(context, builder, kind, value):
    if isinstance(kind, types.BaseTuple):
        parts = zip(kind, cgutils.unpack_tuple(builder, value), strict=True)
        return context.make_tuple(builder, kind, [_without_owner(context, builder, *part) for part in parts])
    built = context.make_array(kind)(context, builder, value)
    built.meminfo = cgutils.get_null_value(built.meminfo.type)
    built.parent = cgutils.get_null_value(built.parent.type)
    return built._getvalue()


def local_array(shape: int | tuple[int, ...], dtype: type[np.generic]) -> Callable[[], np.ndarray]:
    """Return a function that returns a new array of zeros, for use until the rule that called it returns.

    Compiled code keeps it on the stack, so it needs no allocation, which a GPU lacks. A rule must not return it.
    """
    lengths = shape if isinstance(shape, tuple) else (shape,)
    kind = types.Array(getattr(types, np.dtype(dtype).name), len(lengths), "C")

    def define(typing):
        return kind(), lambda context, builder, signature, arguments: on_stack(context, builder, kind, lengths, True)

    return Intrinsic(lambda: np.zeros(shape, dtype), define)


def on_stack(context, builder, kind, lengths, is_zeroed):
    """Generate a new array of a function's own, as machine code."""
    item = context.get_data_type(kind.dtype)
    size, count = context.get_abi_sizeof(item), int(np.prod(lengths))
    with builder.goto_entry_block():
        place = builder.alloca(ir.ArrayType(item, count))
    if is_zeroed:
        cgutils.memset(builder, place, ir.Constant(cgutils.intp_t, size * count), 0)
    steps = [size * int(np.prod(lengths[axis + 1 :])) for axis in range(len(lengths))]
    built = context.make_array(kind)(context, builder)
    context.populate_array(
        built,
        data=builder.bitcast(place, built.data.type),
        shape=cgutils.pack_array(builder, [ir.Constant(cgutils.intp_t, each) for each in lengths]),
        strides=cgutils.pack_array(builder, [ir.Constant(cgutils.intp_t, each) for each in steps]),
        itemsize=ir.Constant(cgutils.intp_t, size),
        meminfo=None,
    )
    return built._getvalue()


# Bits


def _define_lowest_bit(typing, mask):
    false = ir.Constant(ir.IntType(1), 0)
    return types.int64(types.int64), lambda context, builder, signature, given: builder.cttz(given[0], false)


@lowered(_define_lowest_bit)
def lowest_bit(mask: int) -> int:
    """Return the place of the lowest bit that is set in a mask of 64 bits other than 0."""
    return (int(mask) & -int(mask)).bit_length() - 1


def _define_count_bits(typing, mask):
    return types.int64(types.int64), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])


@lowered(_define_count_bits)
def count_bits(mask: int) -> int:
    """Return how many bits are set in a mask that is not negative."""
    return int(mask).bit_count()


# Records of a state


def _define_clear(typing, record):
    def build(context, builder, signature, arguments):
        cgutils.memset(builder, arguments[0], ir.Constant(cgutils.intp_t, record.size), 0)
        return context.get_dummy_value()

    return types.void(record), build


@lowered(_define_clear)
def clear_record(record: Any) -> None:
    """Set every field of a record, and of all records in it, to 0."""
    for name in record.dtype.names:
        record[name] = 0


def _define_copy(typing, target, source):
    def build(context, builder, signature, arguments):
        cgutils.raw_memcpy(builder, *arguments, ir.Constant(cgutils.intp_t, target.size), 1)
        return context.get_dummy_value()

    return (types.void(target, source), build) if target == source else None


@lowered(_define_copy)
def copy_record(target: Any, source: Any) -> None:
    """Copy every field of a record, and of all records in it, into another record of the same type."""
    for name in source.dtype.names:
        target[name] = source[name]
