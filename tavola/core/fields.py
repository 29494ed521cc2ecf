"""Fields of a state, declared once: bytes for the compiled rules, named values for people.

A declaration such as

    Boat = record("Boat", lane=number(0, 7), crew=each(SEATS, each(RANKS, number(0, 5))))

gives the NumPy type (`Boat.dtype`), plain Python values (`Boat.plain(array)`), and the document form read and written
by positions, tests and puzzles: `{"lane": 3, "crew": [{"officer": 1, "sailor": 0}, ...]}`.
"""

from abc import ABC, abstractmethod
from collections import namedtuple
from typing import Any

import numpy as np

from tavola.core.errors import BadPosition

Json = Any


class Field(ABC):
    """One kind of value. `default` in `read` is the value (as `raw` gives it) that left-out parts keep."""

    dtype: Any

    @abstractmethod
    def raw(self, stored: Any) -> Any:
        """What NumPy stores, as nested tuples and lists of integers that NumPy assigns back."""

    @abstractmethod
    def plain(self, raw: Any) -> Any:
        """What Python code reads: integers, tuples, named tuples."""

    @abstractmethod
    def write(self, raw: Any) -> Json:
        """The document form."""

    @abstractmethod
    def read(self, document: Json, path: str, default: Any) -> Any:
        """A document to its raw value, or `BadPosition` with the field's path and what was expected."""


class number(Field):
    """A whole number from `low` to `high`, both included."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high
        sizes = (np.int8, np.int16, np.int32, np.int64)
        self.dtype = next(np.dtype(s) for s in sizes if np.iinfo(s).min <= low and high <= np.iinfo(s).max)

    def raw(self, stored: Any) -> Any:
        return int(stored)

    def plain(self, raw: Any) -> Any:
        return raw

    def write(self, raw: Any) -> Json:
        return raw

    def read(self, document: Json, path: str, default: Any) -> Any:
        good = isinstance(document, int) and not isinstance(document, bool) and self.low <= document <= self.high
        return document if good else refuse(path, f"a whole number from {self.low} to {self.high}", document)


class flag(number):
    """Yes or no."""

    def __init__(self) -> None:
        super().__init__(0, 1)

    def write(self, raw: Any) -> Json:
        return bool(raw)

    def read(self, document: Json, path: str, default: Any) -> Any:
        return int(document) if isinstance(document, bool) else refuse(path, "true or false", document)


class choice(number):
    """One of `names`; stored as its place in the list."""

    def __init__(self, *names: str) -> None:
        super().__init__(0, len(names) - 1)
        self.names = names

    def write(self, raw: Any) -> Json:
        return self.names[raw]

    def read(self, document: Json, path: str, default: Any) -> Any:
        known = isinstance(document, str) and document in self.names
        return self.names.index(document) if known else refuse(path, f"one of {', '.join(self.names)}", document)


class members(number):
    """Any of `names`; stored as a bit mask, written as a list."""

    def __init__(self, *names: str) -> None:
        super().__init__(0, (1 << len(names)) - 1)
        self.names = names

    def write(self, raw: Any) -> Json:
        return [name for place, name in enumerate(self.names) if raw >> place & 1]

    def read(self, document: Json, path: str, default: Any) -> Any:
        good = isinstance(document, list) and all(isinstance(name, str) and name in self.names for name in document)
        if not good or len(set(document)) < len(document):
            refuse(path, f"a list of different names among {', '.join(self.names)}", document)
        return sum(1 << self.names.index(name) for name in document)


class each(Field):
    """One value for each of `names` (an object in documents), or a list of `names` values when that is a number."""

    def __init__(self, names: tuple[str, ...] | int, field: Field) -> None:
        self.names = names if isinstance(names, tuple) else None
        self.length = len(names) if isinstance(names, tuple) else names
        self.field = field
        inner, shape = field.dtype if isinstance(field.dtype, tuple) else (field.dtype, ())
        self.dtype = (inner, (self.length, *shape))

    def raw(self, stored: Any) -> Any:
        return [self.field.raw(value) for value in stored]

    def plain(self, raw: Any) -> Any:
        return tuple(map(self.field.plain, raw))

    def write(self, raw: Any) -> Json:
        values = [self.field.write(value) for value in raw]
        return dict(zip(self.names, values, strict=True)) if self.names else values

    def read(self, document: Json, path: str, default: Any) -> Any:
        given = self._given(document, path)
        return [
            self.field.read(given[place], f"{path}.{self._name(place)}", default[place])
            if place in given
            else default[place]
            for place in range(self.length)
        ]

    def _given(self, document: Json, path: str) -> dict[int, Json]:
        if self.names is None:
            if not isinstance(document, list) or len(document) > self.length:
                refuse(path, f"a list of at most {self.length} values", document)
            return dict(enumerate(document))
        if not isinstance(document, dict) or not document.keys() <= set(self.names):
            refuse(path, f"an object with keys among {', '.join(self.names)}", document)
        return {self.names.index(name): value for name, value in document.items()}

    def _name(self, place: int) -> str:
        return self.names[place] if self.names else str(place)


class record(Field):
    """Named fields, in order."""

    def __init__(self, name: str, **fields: Field) -> None:
        # An uncompiled record finds NumPy's own methods before its fields.
        clash = sorted(set(dir(np.void)) & fields.keys())
        if clash:
            raise TypeError(f"{name}: NumPy has a meaning for the name {clash[0]!r}, expected another")
        self.name, self.fields = name, fields
        self.dtype = np.dtype([_column(key, field.dtype) for key, field in fields.items()])
        self.tuple = namedtuple(name, fields)  # type: ignore[misc]

    def raw(self, stored: Any) -> Any:
        return tuple(field.raw(stored[key]) for key, field in self.fields.items())

    def plain(self, raw: Any) -> Any:
        return self.tuple(*(field.plain(value) for field, value in zip(self.fields.values(), raw, strict=True)))

    def write(self, raw: Any) -> Json:
        return {key: field.write(value) for (key, field), value in zip(self.fields.items(), raw, strict=True)}

    def read(self, document: Json, path: str, default: Any) -> Any:
        if not isinstance(document, dict) or not document.keys() <= self.fields.keys():
            refuse(path, f"an object with keys among {', '.join(self.fields)}", document)
        return tuple(
            field.read(document[key], f"{path}.{key}" if path else key, value) if key in document else value
            for (key, field), value in zip(self.fields.items(), default, strict=True)
        )


def _column(key: str, dtype: Any) -> tuple[Any, ...]:
    return (key, *dtype) if isinstance(dtype, tuple) else (key, dtype)


def refuse(path: str, expected: str, found: Json) -> Any:
    """Raise `BadPosition`, naming the field and what was expected."""
    shown = repr(found) if len(repr(found)) <= 60 else f"{repr(found)[:57]}..."
    raise BadPosition(f"{path or 'the position'}: expected {expected}, found {shown}")
