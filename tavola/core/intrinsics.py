"""What rules and kernels need and Numba lacks: arrays without reference counting, records cleared and copied whole."""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

# Arrays that are passed on


def borrow(arrays):
    """Return arrays, alone or in a (named) tuple; in compiled code without their owners, which the caller keeps alive.

    Every compiled call with an array as argument updates its owner's reference count, with atomic instructions that
    cost more than the rules of a game. Without an owner there is nothing to count.
    """
    return arrays


@overload(borrow)
def _borrow(arrays):
    return lambda arrays: _borrow_intrinsic(arrays)


@intrinsic
def _borrow_intrinsic(typing, arrays):
    def build(context, builder, signature, arguments):
        return _without_owner(context, builder, arrays, arguments[0])

    return arrays(arrays), build


def _without_owner(context, builder, kind, value):
    if isinstance(kind, types.BaseTuple):
        parts = zip(kind, cgutils.unpack_tuple(builder, value), strict=True)
        return context.make_tuple(builder, kind, [_without_owner(context, builder, *part) for part in parts])
    built = context.make_array(kind)(context, builder, value)
    built.meminfo = cgutils.get_null_value(built.meminfo.type)
    built.parent = cgutils.get_null_value(built.parent.type)
    return built._getvalue()


# Records of a state


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
