"""Seat sheets: a row a seat with its sign, its name and columns of numbers.

A game says once where everything stands, and draws each row from what it counts:

    SHEET = SeatSheet(Print(42, 32, "row"), 10, (Column(Print(222, 28, "end")), Column(Print(292, 28, "end"))))
    SHEET.row(seat_disc(seat, 20, 24), say.name(seat), (3, 12))

The piece around a row is the game's: its id, its place, and what marks it. What columns count is told above them by
drawings that are `tavola.show.kit.titled`.
"""

from typing import NamedTuple

from markupsafe import Markup

from tavola.core.text import shorten
from tavola.show.kit import fitted_text
from tavola.show.speech import figure
from tavola.show.svg import tag


class Print(NamedTuple):
    """Words on a sheet: where they stand, in units from the corner of their row, and their class."""

    x: float
    y: float
    class_: str
    size: float = 0
    """Of the letters, where the class does not say it."""
    room: float = 0
    """The width into which they are pressed, of those with a size."""

    def __call__(self, words: object, more: str = "") -> Markup:
        """Draw the words, or a number; `more` are further classes."""
        written = figure(words) if isinstance(words, int) else str(words)
        class_ = f"{self.class_} {more}".rstrip()
        if self.size:
            return fitted_text(written, self.x, self.y, self.size, self.room, class_)
        return tag("text", written, x=float(self.x), y=float(self.y), class_=class_)


class Column(NamedTuple):
    """A column of numbers: how they are printed, and what stands before each of them."""

    number: Print
    sign: Markup = Markup()


class SeatSheet(NamedTuple):
    """The look of all rows: how a name is printed, with how many letters at most, and the columns."""

    name: Print
    letters: int
    columns: tuple[Column, ...]

    def row(self, seal: Markup, name: str, numbers: tuple[object, ...], more: str = "") -> Markup:
        """Draw what stands in a row: the seat's sign, its name, the numbers; a column whose number is None is empty.

        `more` are further classes of the name.
        """
        cells = [
            column.sign + column.number(number)
            for column, number in zip(self.columns, numbers, strict=True)
            if number is not None
        ]
        return Markup("").join((seal, self.name(shorten(name, self.letters), more), *cells))
