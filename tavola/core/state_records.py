"""Functions for rules that clear or copy a whole record of a state, whatever its fields."""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload


def clear_record(record):
    """Set every field of a record, and of all records in it, to 0."""
    for name in record.dtype.names:
        record[name] = 0


def copy_record(target, source):
    """Copy every field of a record, and of all records in it, into another record of the same type."""
    for name in source.dtype.names:
        target[name] = source[name]


@overload(clear_record)
def _clear(record):
    return lambda record: _clear_bytes(record)


@overload(copy_record)
def _copy(target, source):
    if target == source:
        return lambda target, source: _copy_bytes(target, source)
    return None


@intrinsic
def _clear_bytes(typing, record):
    def build(context, builder, signature, arguments):
        cgutils.memset(builder, arguments[0], ir.Constant(cgutils.intp_t, record.size), 0)
        return context.get_dummy_value()

    return types.void(record), build


@intrinsic
def _copy_bytes(typing, target, source):
    def build(context, builder, signature, arguments):
        cgutils.raw_memcpy(builder, *arguments, ir.Constant(cgutils.intp_t, record_size), 1)
        return context.get_dummy_value()

    record_size = target.size
    return types.void(target, source), build
