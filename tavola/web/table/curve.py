"""The curve of fortunes: everybody's points from mark to mark, and where the match was settled."""

from bisect import bisect_left
from collections.abc import Sequence

from markupsafe import Markup

from tavola.core.text import shorten
from tavola.show.kit import PAINTS
from tavola.show.speech import figure
from tavola.show.svg import tag
from tavola.web.table.story import Story

WIDTH, HEIGHT = 340, 150
LEFT, RIGHT, TOP, BOTTOM = 6.0, 226.0, 10.0, 122.0
"""Where the lines run; names and points stand to the right of them, and below what settled it."""
PITCH = 17.0
LETTERS = 10
LINES_ACROSS = 4


def curve(story: Story, names: Sequence[str], title: str, settled: str) -> Markup:
    """Draw the curve; `settled` is what stands under the line at the moment that settled the match."""
    across = [LEFT + (RIGHT - LEFT) * place / max(1, len(story.marks) - 1) for place in range(len(story.marks))]
    low, high = (pick(map(pick, story.points)) for pick in (min, max))
    heights = [[_height(count, low, high) for count in points] for points in story.points]
    order = sorted(range(len(names)), key=lambda seat: (heights[-1][seat], seat))
    grid = [
        tag("path", d=f"M{LEFT:g} {y:g}H{RIGHT:g}", class_="across")
        for y in (TOP + (BOTTOM - TOP) * part / (LINES_ACROSS - 1) for part in range(LINES_ACROSS))
    ]
    lines = [_line(seat, across, [row[seat] for row in heights]) for seat in reversed(order)]
    ends = _ends(order, [heights[-1][seat] for seat in order], story.points[-1], names)
    parts = [tag("title", title), *grid, _settled(story, across, settled), *lines, *ends]
    return tag("svg", *parts, class_="curve", viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=title)


def _height(count: int, low: int, high: int) -> float:
    return BOTTOM - (BOTTOM - TOP) * (count - low) / max(1, high - low)


def _line(seat: int, across: Sequence[float], heights: Sequence[float]) -> Markup:
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in zip(across, heights, strict=True))
    return tag("g", tag("path", d=path, class_="under"), tag("path", d=path, class_="over"), class_=_paint(seat))


def _paint(seat: int) -> str:
    return PAINTS[seat] if seat < len(PAINTS) else ""


def _ends(order: Sequence[int], heights: Sequence[float], points: Sequence[int], names: Sequence[str]) -> list[Markup]:
    """Sign, points and name at the end of each line; those that would touch stand one below the other."""
    found = []
    for seat, y, height in zip(order, _apart(heights), heights, strict=True):
        lead = tag("path", d=f"M{RIGHT:g} {height:.1f}L{RIGHT + 8:g} {y:.1f}", class_="lead")
        disc = tag("circle", cx=RIGHT + 16, cy=round(y, 1), r=7.5, class_="disc")
        sign = tag("use", href=f"#seal-{_paint(seat)}", x=RIGHT + 11, y=round(y - 5, 1), width=10, height=10)
        count = tag("text", figure(points[seat]), x=RIGHT + 27, y=round(y + 4.5, 1), class_="count")
        name = tag("text", shorten(names[seat], LETTERS), x=RIGHT + 50, y=round(y + 4.5, 1), class_="who")
        found.append(tag("g", lead, disc, sign, count, name, class_=_paint(seat)))
    return found


def _apart(heights: Sequence[float]) -> list[float]:
    """Places from above downwards, as near to these as they can be without touching each other or the rim."""
    places: list[float] = []
    for height in heights:
        places.append(max(height, places[-1] + PITCH) if places else height)
    below = HEIGHT - PITCH / 2 + PITCH
    for number in reversed(range(len(places))):
        below = places[number] = min(places[number], below - PITCH)
    return places


def _settled(story: Story, across: Sequence[float], words: str) -> Markup:
    x = across[min(bisect_left(story.marks, story.settled), len(across) - 1)]
    line = tag("path", d=f"M{x:.1f} {TOP - 6:g}V{BOTTOM + 8:g}", class_="settled")
    anchor = "end" if x > RIGHT - 30 else "start" if x < LEFT + 30 else "middle"
    return line + tag("text", words, x=round(x, 1), y=HEIGHT - 6.0, class_="when", text_anchor=anchor)
