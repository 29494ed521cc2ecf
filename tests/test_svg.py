"""Writing SVG: everything from outside is text, numbers are short, a piece can slide."""

from markupsafe import Markup

from tavola.show.svg import group, palette, tag


def test_text_and_attributes_are_escaped():
    assert tag("title", "<b>&", Markup("<i>1</i>")) == "<title>&lt;b&gt;&amp;<i>1</i></title>"
    assert tag("g", codes='x"><script>') == '<g data-codes="x&#34;&gt;&lt;script&gt;"></g>'


def test_names_of_attributes():
    drawn = tag("text", class_="big", font_size=20, viewBox="0 0 1 1", codes="lane 3", left_out=None)
    assert drawn == '<text class="big" font-size="20" viewBox="0 0 1 1" data-codes="lane 3"></text>'


def test_numbers_are_short():
    assert tag("circle", r=3.0, cx=1 / 3, cy=-0.0001) == '<circle r="3" cx="0.33" cy="0"></circle>'


def test_a_piece_says_where_it_is_twice_and_has_no_style():
    piece = group("boat", x=10, y=2.5, scale=0.5, like="a boat", class_="red", codes="lane 1")
    assert piece == (
        '<g id="boat" class="piece red" transform="translate(10 2.5) scale(0.5)"'
        ' data-to="translate(10px,2.5px) scale(0.5)" data-like="a boat" data-codes="lane 1"></g>'
    )
    assert "scale" not in group("boat", x=1)


def test_a_palette_follows_the_system_unless_the_root_says_otherwise():
    css = palette("chess", {"board": "#fff", "line": "#000"}, {"board": "#111"})
    day, system, chosen = css.strip().split("\n")
    assert day == ".picture.chess{--board:#fff;--line:#000}"
    assert system.startswith("@media (prefers-color-scheme:dark){:root:not([data-theme=light]) .picture.chess")
    assert chosen.startswith(":root[data-theme=dark] .picture.chess")
    assert "--line" not in system + chosen
