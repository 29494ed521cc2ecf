"""Lines of JSON as programs write them: with a byte order mark, with blank lines between, with 3.0 for 3.

Windows begins a stream with a mark, editors leave blank lines, and to JSON Schema 3.0 is an integer. What is typed is
strict otherwise: "3" is not a number.
"""

from typing import Any, Generic, TypeVar

import msgspec

T = TypeVar("T")
MARK = b"\xef\xbb\xbf"
"""The byte order mark in UTF-8."""


def without_mark(line: bytes) -> bytes:
    """Return a line without a byte order mark and without white space around it; empty for a blank line."""
    return line.strip().removeprefix(MARK).strip()


def whole_numbers(document: Any) -> Any:
    """Return a document of JSON in which whole numbers are integers, `3.0` among them."""
    if isinstance(document, dict):
        return {key: whole_numbers(value) for key, value in document.items()}
    if isinstance(document, list):
        return [whole_numbers(value) for value in document]
    return int(document) if isinstance(document, float) and document.is_integer() else document


class LineDecoder(Generic[T]):
    """Reads lines of one kind."""

    def __init__(self, kind: Any) -> None:
        self._kind, self._decoder = kind, msgspec.json.Decoder(kind)

    def decode(self, line: bytes) -> T:
        """Return what a line says; `msgspec.MsgspecError` or `UnicodeDecodeError` where it is none."""
        text = without_mark(line)
        try:
            return self._decoder.decode(text)  # type: ignore[no-any-return]
        except msgspec.ValidationError as error:
            if "got `float`" not in str(error):
                raise
        return msgspec.convert(whole_numbers(msgspec.json.decode(text)), self._kind)  # type: ignore[no-any-return]
