"""Passing arrays on in compiled code without reference counting."""

from numba.core import cgutils, types
from numba.extending import intrinsic, overload


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
