"""Tolerant parsing of JSON lines: with a byte order mark, blank lines, or 3.0 for 3.

Windows starts streams with a mark, editors leave blank lines, and to JSON Schema 3.0 is an integer. Types are strict in
other respects: "3" is not a number.
"""

from typing import Any, Generic, TypeVar

import msgspec

T = TypeVar("T")
MARK = b"\xef\xbb\xbf"
"""The byte order mark in UTF-8."""


def without_mark(line: bytes) -> bytes:
    """Return a line without a byte order mark and surrounding white space; empty for a blank line."""
    return line.strip().removeprefix(MARK).strip()


def whole_numbers(document: Any) -> Any:
    """Return a JSON document with integral floats, such as `3.0`, as integers."""
    if isinstance(document, dict):
        return {key: whole_numbers(value) for key, value in document.items()}
    if isinstance(document, list):
        return [whole_numbers(value) for value in document]
    return int(document) if isinstance(document, float) and document.is_integer() else document


class LineDecoder(Generic[T]):
    """A decoder of lines of one type."""

    def __init__(self, kind: Any) -> None:
        self._kind, self._decoder = kind, msgspec.json.Decoder(kind)

    def decode(self, line: bytes) -> T:
        """Return the decoded line; raise `msgspec.MsgspecError` or `UnicodeDecodeError` if it is invalid."""
        text = without_mark(line)
        try:
            return self._decoder.decode(text)  # type: ignore[no-any-return]
        except msgspec.ValidationError as error:
            if "got `float`" not in str(error):
                raise
        return msgspec.convert(whole_numbers(msgspec.json.decode(text)), self._kind)  # type: ignore[no-any-return]
