"""Seat sheets: one row for each seat with its sign, its name and columns of numbers.

A game declares the layout once, and draws each row from its numbers:

    SHEET = SeatSheet(Print(42, 32, "row"), 10, (Column(Print(222, 28, "end")), Column(Print(292, 28, "end"))))
    SHEET.row(seat_disc(seat, 20, 24), say.name(seat), (3, 12))

The game draws the piece around a row: its id, its place, and its marks. Drawings above the columns explain them; they
are `tavola.show.kit.titled`.
"""

from typing import NamedTuple

from markupsafe import Markup

from tavola.core.text import shorten
from tavola.show.kit import fitted_text
from tavola.show.speech import figure
from tavola.show.svg import tag


class Print(NamedTuple):
    """Text on a sheet: its place, in units from the corner of its row, and its class."""

    x: float
    y: float
    class_: str
    size: float = 0
    """Font size, if the class does not set it."""
    room: float = 0
    """Maximum width of text with a `size`, to which it is condensed."""

    def __call__(self, words: object, more: str = "") -> Markup:
        """Draw text or a number; `more` are further classes."""
        written = figure(words) if isinstance(words, int) else str(words)
        class_ = f"{self.class_} {more}".rstrip()
        if self.size:
            return fitted_text(written, self.x, self.y, self.size, self.room, class_)
        return tag("text", written, x=float(self.x), y=float(self.y), class_=class_)


class Column(NamedTuple):
    """A column of numbers: how they are printed, and the sign before each of them."""

    number: Print
    sign: Markup = Markup()


class SeatSheet(NamedTuple):
    """The layout of all rows: how a name is printed, its maximum number of characters, and the columns."""

    name: Print
    letters: int
    columns: tuple[Column, ...]

    def row(self, seal: Markup, name: str, numbers: tuple[object, ...], more: str = "") -> Markup:
        """Draw a row: the seat's sign, its name and its numbers; None leaves a column empty.

        `more` are further classes of the name.
        """
        pairs = zip(self.columns, numbers, strict=True)
        cells = [column.sign + column.number(number) for column, number in pairs if number is not None]
        return Markup("").join((seal, self.name(shorten(name, self.letters), more), *cells))
