"""The texts on the plate in the reader's language: names far and near, the oceans, the title, the legend."""

from collections.abc import Iterator

from markupsafe import Markup

from tavola.games.expedition.atlas import POINT_NUMBER, POINTS
from tavola.games.expedition.gazetteer import printed_name, region_name
from tavola.games.expedition.picture.geometry import LAYOUT, Dot
from tavola.show.kit import piece, still_piece
from tavola.show.speech import Say, mark
from tavola.show.svg import tag

LEGEND_AT = (634, 894, 756, 52)
"""Left, top, width, height: a page's buttons are to the right of it."""
_COLUMNS = (
    (("europe", "africa"), 59),
    (("orient", "far-east"), 139),
    (("north-america", "south-america"), 143),
    (("oceans",), 57),
    (("green", "red"), 136),
)
"""Entries of the legend, and the width of the longest word of a column in any language."""
_STATIONS = {"green": mark("one more arrow"), "red": mark("a voucher")}
_OCEANS = ((mark("Pacific Ocean"), 176, 588), (mark("Indian Ocean"), 1098, 694), (mark("Atlantic Ocean"), 578, 418))


def legend_entries() -> Iterator[tuple[str, Dot]]:
    """Yield the entries of the legend: region or kind of station, and the middle of its sign."""
    x, y, _, height = LEGEND_AT
    x += 18
    for signs, width in _COLUMNS:
        for row, sign in enumerate(signs):
            yield sign, Dot(x, y + height / 2 - 1 + 21 * (row - (len(signs) - 1) / 2))
        x += width + 40


@piece("printed", memory=8)
def map_labels(identifier: str, title: str, say: Say) -> Markup:
    """Draw the texts of the sheet, and both layers of names: a page shows the one for its scale."""
    return still_piece(
        identifier,
        "",
        tag("g", *_oceans(say), class_="oceans"),
        tag("g", *_words(title, say), class_="words"),
        tag("g", *_names(LAYOUT["far"].get(say.language, LAYOUT["far"]["en"]), say), class_="names far"),
        tag("g", *_names(LAYOUT["near"], say), class_="names near"),
        class_="through",
    )


def _names(places: dict[str, tuple[float, float, str]], say: Say) -> Iterator[Markup]:
    for code, (x, y, anchor) in places.items():
        point = POINT_NUMBER[code]
        anchored = None if anchor == "start" else anchor
        kind = None if POINTS[point].kind == "place" else POINTS[point].kind
        yield tag("text", printed_name(point, say), x=float(x), y=float(y), text_anchor=anchored, class_=kind)


def _oceans(say: Say) -> Iterator[Markup]:
    """Each name is one word above the other."""
    for message, x, y in _OCEANS:
        for line, word in enumerate(say(message).upper().split(" ")):
            yield tag("text", word, x=x, y=y + 25 * line)


def _words(title: str, say: Say) -> Iterator[Markup]:
    yield tag("text", title.upper(), class_="title", x=227, y=868)
    yield tag("text", say("The wonders of the world"), class_="under", x=227, y=899)
    yield tag("text", say("for three expeditions"), class_="under", x=227, y=919)
    for sign, place in legend_entries():
        said = say(_STATIONS[sign]) if sign in _STATIONS else region_name(sign, say)
        yield tag("text", said, class_="key", x=place.x + 14, y=place.y + 5)
