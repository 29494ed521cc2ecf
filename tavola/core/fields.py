"""Fields of a state, declared once: bytes for compiled rules, named values for people and type checkers.

A declaration such as

    class Boat(Record):
        lane: int = number(0, 7)
        crew: tuple[tuple[int, ...], ...] = each(SEATS, each(RANKS, number(0, 5)))

is the class of its values, which are named tuples of Python integers. Type checkers know its fields: `boat.lain` is an
error. `layout(Boat)` has the NumPy type (`.dtype`), decodes NumPy's bytes (`.unpack(bytes)`), and reads and writes the
document form of positions, tests and puzzles: `{"lane": 3, "crew": [{"officer": 1, "sailor": 0}, …]}`.
"""

import struct
from abc import ABC, abstractmethod
from collections import namedtuple
from collections.abc import Callable, Collection, Iterator
from copy import copy
from functools import cached_property
from inspect import get_annotations
from typing import TYPE_CHECKING, Any, TypeVar, cast, dataclass_transform, overload

import numpy as np

from tavola.core.errors import BadPosition

if TYPE_CHECKING:
    from typing import Self

Json = Any


LISTED_CHARACTERS = 400
"""Maximum characters of names in a message."""
WORD_BITS = 63
"""Maximum names in a bit mask that is one integer."""


class Field(ABC):
    """A kind of value: an integer, a tuple of values, or a named tuple of values.

    `dtype` is the NumPy type, `format` the same for `struct`: one character for each integer. `stored` is the format
    with its padding, since records are aligned as in C: a GPU reads no integer from elsewhere.
    """

    dtype: Any
    format: str

    @property
    def stored(self) -> str:
        """The format for `struct`, with an x for each byte between the integers."""
        return self.format

    @abstractmethod
    def source(self, at: int, makes: list[Any]) -> str:
        """Return an expression in `v`, all integers, for the value that begins at `v[at]`. It may append to `makes`."""

    @abstractmethod
    def integers(self, value: Any) -> Iterator[int]:
        """Yield the integers of a value, in order."""

    @abstractmethod
    def write(self, value: Any) -> Json:
        """Return the document form of a value."""

    @abstractmethod
    def read(self, document: Json, path: str, default: Any) -> Any:
        """Return the value of a document. Parts that it leaves out are taken from `default`.

        Raises `BadPosition` with the field's path and what was expected.
        """


class Number(Field):
    """A whole number from `low` to `high`, both included."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high
        sizes = (np.int8, np.int16, np.int32, np.int64)
        self.dtype = next(np.dtype(s) for s in sizes if np.iinfo(s).min <= low and high <= np.iinfo(s).max)
        # `struct` calls eight bytes q on every machine, NumPy l on most.
        self.format = self.dtype.char.replace("l", "q")

    def source(self, at: int, makes: list[Any]) -> str:
        return f"v[{at}]"

    def integers(self, value: Any) -> Iterator[int]:
        yield value

    def write(self, value: Any) -> Json:
        return value

    def read(self, document: Json, path: str, default: Any) -> Any:
        good = isinstance(document, int) and not isinstance(document, bool) and self.low <= document <= self.high
        return document if good else refuse(path, f"a whole number from {self.low} to {self.high}", document)


class Flag(Number):
    """A flag: 0 or 1."""

    def __init__(self) -> None:
        super().__init__(0, 1)

    def write(self, value: Any) -> Json:
        return bool(value)

    def read(self, document: Json, path: str, default: Any) -> Any:
        return int(document) if isinstance(document, bool) else refuse(path, "true or false", document)


class Choice(Number):
    """One of `names`, stored as its index."""

    def __init__(self, *names: str) -> None:
        super().__init__(0, len(names) - 1)
        self.names = names

    def write(self, value: Any) -> Json:
        return self.names[value]

    def read(self, document: Json, path: str, default: Any) -> Any:
        known = isinstance(document, str) and document in self.names
        return self.names.index(document) if known else refuse(path, f"one of {join_names(self.names)}", document)


class Members(Number):
    """Any of at most 63 `names`, stored as a bit mask, written as a list."""

    def __init__(self, *names: str) -> None:
        super().__init__(0, (1 << len(names)) - 1)
        self.names = names

    def write(self, value: Any) -> Json:
        return [name for place, name in enumerate(self.names) if value >> place & 1]

    def read(self, document: Json, path: str, default: Any) -> Any:
        good = isinstance(document, list) and all(isinstance(name, str) and name in self.names for name in document)
        if not good or len(set(document)) < len(document):
            refuse(path, f"a list of distinct names among {join_names(self.names)}", document)
        return sum(1 << self.names.index(name) for name in document)


class ManyMembers(Members):
    """Any of more than 63 `names`: a bit mask stored as an array of 63-bit words."""

    def __init__(self, *names: str) -> None:
        self.low, self.high, self.names = 0, (1 << len(names)) - 1, names
        words = -(-len(names) // WORD_BITS)
        self.dtype, self.format = (np.dtype(np.int64), (words,)), "q" * words

    def source(self, at: int, makes: list[Any]) -> str:
        return f"({' | '.join(f'v[{at + word}] << {WORD_BITS * word}' for word in range(len(self.format)))})"

    def integers(self, value: Any) -> Iterator[int]:
        for word in range(len(self.format)):
            yield value >> WORD_BITS * word & (1 << WORD_BITS) - 1


class Each(Field):
    """One value for each of `names`, an object in documents; or a list of `names` values if that is a number."""

    def __init__(self, names: tuple[str, ...] | int, field: Field) -> None:
        self.names = names if isinstance(names, tuple) else None
        self.length = len(names) if isinstance(names, tuple) else names
        self.field = field
        inner, shape = field.dtype if isinstance(field.dtype, tuple) else (field.dtype, ())
        self.dtype = (inner, (self.length, *shape))
        self.format = field.format * self.length
        self._holds_numbers = isinstance(field, Number) and len(field.format) == 1

    @property
    def stored(self) -> str:
        return self.field.stored * self.length

    def source(self, at: int, makes: list[Any]) -> str:
        size = len(self.field.format)
        end = at + size * self.length
        if self._holds_numbers:
            return f"v[{at}:{end}]"
        return f"({''.join(f'{self.field.source(start, makes)}, ' for start in range(at, end, size))})"

    def integers(self, value: Any) -> Iterator[int]:
        if self._holds_numbers:
            yield from value
        else:
            for part in value:
                yield from self.field.integers(part)

    def write(self, value: Any) -> Json:
        values = list(value) if type(self.field) is Number else [self.field.write(part) for part in value]
        return dict(zip(self.names, values, strict=True)) if self.names else values

    def read(self, document: Json, path: str, default: Any) -> Any:
        given = self._given_parts(document, path)
        return tuple(
            self.field.read(given[place], f"{path}.{self._name(place)}", default[place])
            if place in given
            else default[place]
            for place in range(self.length)
        )

    def _given_parts(self, document: Json, path: str) -> dict[int, Json]:
        if self.names is None:
            if not isinstance(document, list) or len(document) > self.length:
                refuse(path, f"a list of at most {self.length} values", document)
            return dict(enumerate(document))
        check_keys(document, path, self.names)
        return {self.names.index(name): value for name, value in document.items()}

    def _name(self, place: int) -> str:
        return self.names[place] if self.names else str(place)


class Layout(Field):
    """The named fields of a declared record, in order. Its values are instances of the record's class."""

    def __init__(self, made: "RecordType", fields: dict[str, Field]) -> None:
        # An uncompiled record finds NumPy's own methods before its fields.
        clash = sorted(set(dir(np.void)) & fields.keys())
        if clash:
            raise TypeError(
                f"{made.__name__}: {clash[0]!r} is an attribute of NumPy records: expected another field name"
            )
        self.record_type, self.fields = made, fields
        self.dtype = _aligned([(key, field.dtype) for key, field in fields.items()])
        self.format = "".join(field.format for field in fields.values())
        self._make: Any = made._make  # type: ignore[attr-defined]

    def marked(self, mark: str) -> "Layout":
        """Return the same layout with a different NumPy type, marked by a title of its first field."""
        twin, names = copy(self), list(self.dtype.names)
        formats, offsets = zip(*(self.dtype.fields[name][:2] for name in names), strict=True)
        titles = [mark, *(None for _ in names[1:])]
        parts: Any = {"names": names, "formats": formats, "offsets": offsets, "titles": titles}
        parts["itemsize"] = self.dtype.itemsize
        twin.dtype = np.dtype(parts, align=True)
        return twin

    @property
    def stored(self) -> str:
        text = ""
        for key, field in self.fields.items():
            text += "x" * (self.dtype.fields[key][1] - struct.calcsize(f"={text}")) + field.stored
        return text + "x" * int(self.dtype.itemsize - struct.calcsize(f"={text}"))

    @cached_property
    def _struct(self) -> struct.Struct:
        return struct.Struct(f"={self.stored}")

    def unpack(self, stored: bytes) -> Any:
        """Return the value of NumPy's bytes of this type: named tuples of integers."""
        return self._constructor(self._struct.unpack(stored))

    @cached_property
    def _constructor(self) -> Callable[[tuple[int, ...]], Any]:
        """Return a function from integers to the value: one expression, since views are unpacked after every action."""
        makes: list[Any] = []
        written = f"lambda v: {self.source(0, makes)}"
        return eval(written, {"makes": makes})  # type: ignore[no-any-return]  # noqa: S307 - made of numbers only

    def without_gaps(self, stored: bytes) -> bytes:
        """Return the integers in NumPy's bytes, one after the other."""
        return struct.pack(f"={self.format}", *self._struct.unpack(stored))

    def pack(self, value: Any) -> bytes:
        """Return NumPy's bytes of a value."""
        return self._struct.pack(*self.integers(value))

    def source(self, at: int, makes: list[Any]) -> str:
        if self._make not in makes:
            makes.append(self._make)
        place, parts = makes.index(self._make), []
        for field in self.fields.values():
            parts.append(field.source(at, makes))
            at += len(field.format)
        return f"makes[{place}](({', '.join(parts)},))"

    def integers(self, value: Any) -> Iterator[int]:
        for field, part in zip(self.fields.values(), value, strict=True):
            yield from field.integers(part)

    def write(self, value: Any) -> Json:
        return {key: field.write(part) for (key, field), part in zip(self.fields.items(), value, strict=True)}

    def read(self, document: Json, path: str, default: Any) -> Any:
        check_keys(document, path, self.fields)
        return self._make(
            field.read(document[key], f"{path}.{key}" if path else key, value) if key in document else value
            for (key, field), value in zip(self.fields.items(), default, strict=True)
        )


T = TypeVar("T")
R = TypeVar("R", bound="Record")


def number(low: int, high: int) -> int:
    """Declare a whole number from `low` to `high`, both included."""
    return cast(int, Number(low, high))


def flag() -> int:
    """Declare a flag: 1 or 0."""
    return cast(int, Flag())


def choice(*names: str) -> int:
    """Declare one of `names`; the value is its index."""
    return cast(int, Choice(*names))


def members(*names: str) -> int:
    """Declare any of `names`; the value is a bit mask. More than 63 names are 63-bit words for the rules."""
    return cast(int, (Members if len(names) <= WORD_BITS else ManyMembers)(*names))


@overload
def each(names: tuple[str, ...] | int, part: type[R]) -> tuple[R, ...]: ...
@overload
def each(names: tuple[str, ...] | int, part: T) -> tuple[T, ...]: ...
def each(names: tuple[str, ...] | int, part: object) -> object:
    """Declare one `part` for each of `names` (an object in documents), or a list of `names` parts if that is a number.

    A part is a field, `each(3, number(0, 5))`, or a declared record, `each(COLOURS, Boat)`.
    """
    return Each(names, layout(part) if isinstance(part, RecordType) else cast(Field, part))


def one(part: type[R]) -> R:
    """Declare a record inside a record."""
    return cast(R, layout(part))


@dataclass_transform(frozen_default=True, field_specifiers=(number, flag, choice, members, each, one))
class RecordType(type):
    """Metaclass of declared records: creates a named tuple that knows its layout."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> "RecordType":
        if not bases:
            return super().__new__(cls, name, bases, body)
        fields = {key: value for key, value in body.items() if isinstance(value, Field)}
        values = namedtuple(name, fields)  # type: ignore[misc]
        others = {key: value for key, value in body.items() if key not in fields}
        made = super().__new__(cls, name, (*bases, values), {**others, "__slots__": ()})
        for key in get_annotations(made).keys() - fields.keys():
            raise TypeError(f"{name}.{key}: expected a declaration, such as `{key}: int = number(0, 7)`")
        made.__layout__ = Layout(made, fields)  # type: ignore[attr-defined]
        return made


class Record(metaclass=RecordType):
    """Base class of declared records; see the module docstring."""

    __slots__ = ()
    if TYPE_CHECKING:

        def _replace(self, **changes: Any) -> Self:
            """Return a copy with some fields changed."""

        def __iter__(self) -> Iterator[Any]:
            """Yield its values, in order."""


def layout(record: type[Record] | RecordType) -> Layout:
    """Return the layout of a declared record: how its values are stored, read and written."""
    return record.__layout__  # type: ignore[union-attr,no-any-return]


def _aligned(fields: list[tuple[Any, ...]]) -> np.dtype:
    """Return the type of a record aligned as in C, with fields for the bytes between: NumPy copies no others."""
    plain, filled, at = np.dtype(fields, align=True), list[tuple[Any, ...]](), 0
    for field in fields:
        part, offset = plain.fields[field[0]][:2]  # type: ignore[index]
        filled += [*_gap(at, offset), field]
        at = offset + part.itemsize
    return np.dtype([*filled, *_gap(at, plain.itemsize)], align=True)


def _gap(begin: int, end: int) -> list[tuple[Any, ...]]:
    return [(f"gap at {begin}", np.int8, (end - begin,))] if begin < end else []


def refuse(path: str, expected: str, found: Json) -> Any:
    """Raise `BadPosition`, naming the field and what was expected."""
    raise BadPosition(f"{path or 'the position'}: expected {expected}, found {short_repr(found)}")


def check_keys(document: Json, path: str, names: Collection[str]) -> None:
    """Raise `BadPosition` unless the document is an object whose keys are among `names`."""
    if not isinstance(document, dict):
        refuse(path, f"an object with keys among {join_names(names)}", document)
    for key in document:
        if key not in names:
            refuse(path, f"keys among {join_names(names)}", key)


def join_names(names: Collection[str]) -> str:
    """Return names for a message: all, or the first of many and their number."""
    text = ", ".join(names)
    if len(text) <= LISTED_CHARACTERS:
        return text
    return f"{text[: text.rindex(', ', 0, LISTED_CHARACTERS)]} … ({len(names)} in all)"


def short_repr(found: object) -> str:
    """Return the repr of any object in at most 60 characters, for a message."""
    try:
        text = repr(found)
    except (ValueError, RecursionError):  # numbers with thousands of digits, endless nesting
        return f"a value of type {type(found).__name__}, too large to show"
    return text if len(text) <= 60 else f"{text[:57]}..."


def as_integer(value: object) -> int | None:
    """Return an integer as int, including NumPy's and arrays of dimension 0; None for anything else, such as True."""
    if isinstance(value, np.ndarray):
        return int(value) if value.ndim == 0 and value.dtype.kind in "iu" else None
    good = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    return int(value) if good else None  # type: ignore[call-overload]
