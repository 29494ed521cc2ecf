"""Writing SVG: outside text is escaped, numbers are short, pieces slide, many fit in one place."""

import re

import pytest
from markupsafe import Markup

from tavola.show.board import PACES, Board, Frame, used_shapes
from tavola.show.kit import PAINTS, SEAT_SHAPES, SEAT_STYLE, Spot, crowd, fan, row, sign, use
from tavola.show.svg import fill_marks, group, tag
from tavola.show.testing import contrast


def test_text_and_attributes_are_escaped():
    assert tag("title", "<b>&", Markup("<i>1</i>")) == "<title>&lt;b&gt;&amp;<i>1</i></title>"
    assert tag("g", codes='x"><script>') == '<g data-codes="x&#34;&gt;&lt;script&gt;"></g>'


def test_what_is_put_into_what_is_kept_is_escaped_unless_it_is_markup():
    kept = Markup("<p>\ue002</p>\ue003")
    assert fill_marks(kept, {"\ue002": "<b>", "\ue003": Markup("<i/>")}) == Markup("<p>&lt;b&gt;</p><i/>")


def test_names_of_attributes():
    drawn = tag("text", class_="big", font_size=20, viewBox="0 0 1 1", codes="lane 3", left_out=None)
    assert drawn == '<text class="big" font-size="20" viewBox="0 0 1 1" data-codes="lane 3"></text>'


def test_numbers_are_short():
    assert tag("circle", r=3.0, cx=1 / 3, cy=-0.0001) == '<circle r="3" cx="0.33" cy="0"></circle>'


def test_a_piece_says_where_it_is_twice_and_has_no_style():
    assert group("boat", x=10, y=2.5, scale=0.5, like="a boat", class_="red", codes="lane 1") == (
        '<g id="boat" class="piece red" transform="translate(10 2.5) scale(0.5)"'
        ' data-to="translate(10px,2.5px) scale(0.5)" data-like="a boat" data-codes="lane 1"></g>'
    )
    assert "scale" not in group("boat", x=1)


def test_every_paint_has_a_sign_and_four_colours():
    for paint in PAINTS:
        assert f'id="sign-{paint}"' in SEAT_SHAPES
        assert f".{paint} {{ --own: #" in SEAT_STYLE
        assert sign(paint, 3, 4, 2) == f'<use href="#sign-{paint}" transform="translate(3 4) scale(2)"></use>'
    assert use("boat", class_="red") == '<use href="#boat" class="red"></use>'


@pytest.mark.parametrize("paint", PAINTS)
def test_the_sign_on_a_paint_can_be_read(paint):
    """Even with poor eyesight: a contrast of at least 3 to 1."""
    found = re.search(rf"\.{paint} {{ --own: (#\w+); --mark: (#\w+)", SEAT_STYLE)
    assert contrast(found[1], found[2]) >= 3


def test_many_lie_side_by_side_and_in_a_fan():
    assert row(3, 100, 5, 10) == [Spot(90, 5), Spot(100, 5), Spot(110, 5)]
    cards = fan(5, 200, 50, 160, 100)
    assert [round(card.x) for card in cards] == [120, 160, 200, 240, 280]
    assert cards[2] == Spot(200, 50, 0)
    assert cards[0].y == cards[4].y > 50
    assert cards[0].rotation == -cards[4].rotation < 0
    assert len(fan(1, 200, 50, 160, 100)) == 1


def test_a_crowd_stays_between_its_edges_in_at_most_three_ranks():
    for count in range(40):
        spots = crowd(count, 100, 400, 200, 48, 30)
        assert len(spots) == count
        assert len({spot.y for spot in spots}) <= 3
        assert all(80 <= spot.x <= 420 for spot in spots)
        assert spots == sorted(spots, key=lambda spot: spot.y)


def test_only_the_shapes_that_are_used_come_along():
    shapes = '<g id="a"><use href="#b"/></g>\n<path id="b"/>\n<path id="c" fill="url(#d)"/>\n<pattern id="d"/>'
    assert used_shapes(shapes, '<use href="#a"/>') == '<g id="a"><use href="#b"/></g>\n<path id="b"/>'
    assert used_shapes(shapes, '<use href="#c"/>') == '<path id="c" fill="url(#d)"/>\n<pattern id="d"/>'


def test_a_frame_hurries_but_never_below_its_least():
    assert [Frame(dict, 1000, 0).duration(pace) for pace in PACES] == [1000, 560]
    assert [Frame(dict, 1500, 1500).duration(pace) for pace in PACES] == [1500, 1500]
    assert Board((1000, 500)).bleed == (-300, -150, 1600, 800)
