"""The kit's seat sheet: a row a seat."""

from tavola.show.seat_sheet import Column, Print, SeatSheet
from tavola.show.svg import tag

SIGN = tag("circle", r=4)
SHEET = SeatSheet(Print(42, 32, "row"), 5, (Column(Print(222, 28, "end")), Column(Print(292, 28, "end"), SIGN)))
NAME = '<text x="42" y="32" class="row">Carl…</text>'


def test_a_row_has_the_sign_the_shortened_name_and_the_numbers_in_their_columns():
    assert SHEET.row(SIGN, "Carlotta", (3, -2)) == (
        f'{SIGN}{NAME}<text x="222" y="28" class="end">3</text>{SIGN}<text x="292" y="28" class="end">−2</text>'
    )


def test_a_column_without_a_number_is_empty():
    assert SHEET.row(SIGN, "Carlotta", (None, None)) == f"{SIGN}{NAME}"


def test_a_name_is_marked_and_pressed_into_its_room():
    pressed = SHEET._replace(name=Print(32, 0, "b", size=15, room=20)).row(SIGN, "Carlotta", (None, None), "gone")
    assert 'font-size="15" class="b gone"' in pressed
    assert 'textLength="20"' in pressed
