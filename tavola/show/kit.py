"""The picture kit: what the pictures of several games are made of. Art is data: `picture.css` and `shapes.svg` a game.

Every seat has a paint and a sign, the same in the picture, the list, the log and the talk, so that nothing depends on
seeing colours. Inside an element of the class `red` the custom properties `--own`, `--mark`, `--shade` and `--light`
are the paint of red, and the shape `sign-red` is its heart. Custom properties pass through `<use>`, selectors do not:
shapes name their paint in attributes, `fill="var(--own)"`.
"""

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from tavola.core.game import Game
from tavola.show.speech import Say
from tavola.show.svg import MOTION, group, tag

SIGNS = {
    "red": "heart",
    "green": "tree",
    "violet": "diamond",
    "yellow": "star",
    "blue": "ring",
    "white": "cross",
    "black": "square",
}
"""The sign of every paint. Seats take the paints in this order."""
PAINTS = tuple(SIGNS)
FOLDER = Path(__file__).parent


class Spot(NamedTuple):
    """Where something lies, and how far it is turned, in degrees."""

    x: float
    y: float
    rotation: float = 0


def read_shapes(path: Path) -> Markup:
    """The inside of an SVG file; every shape begins on a line of its own, with its id first."""
    drawn = path.read_text(encoding="utf-8")
    return Markup(re.sub(r"\A.*?<svg[^>]*>\s*|\s*</svg>\s*\Z", "", drawn, flags=re.DOTALL))


SEAT_SHAPES = read_shapes(FOLDER / "seats.svg")
"""The signs as shapes, `sign-red` and so on: 20 units across, centred."""
SEAT_STYLE = (FOLDER / "seats.css").read_text(encoding="utf-8")


def art(module: str) -> tuple[str, Markup]:
    """The style and the shapes of a picture: `picture.css` and `shapes.svg` beside the module that asks (`__file__`).

    The seats' paints and signs are part of them.
    """
    folder = Path(module).parent
    style = MOTION + SEAT_STYLE + (folder / "picture.css").read_text(encoding="utf-8")
    return style, SEAT_SHAPES + Markup("\n") + read_shapes(folder / "shapes.svg")


@lru_cache(maxsize=64)
def anonymous_say(game: Game, language: str) -> Say:
    """The language alone: what it says is the same for every table, so its drawings are shared by all."""
    return Say.of(game, language)


@lru_cache(maxsize=4096, typed=True)
def use(name: str, x: float = 0, y: float = 0, scale: float = 1, turned: float = 0, **attributes: object) -> Markup:
    """A shape from the definitions, at a place, turned by degrees and so many times as large."""
    place = f"translate({x:g} {y:g})" if x or y else ""
    place += f" rotate({turned:g})" if turned else ""
    place += f" scale({scale:g})" if scale != 1 else ""
    placed = {"transform": place.strip()} if place else {}
    return tag("use", href=f"#{name}", **placed, **attributes)


def sign(paint: str, x: float = 0, y: float = 0, scale: float = 1) -> Markup:
    """The sign of a paint."""
    return use(f"sign-{paint}", x, y, scale)


def label(text: object, x: float = 0, y: float = 0, size: float = 36, class_: str = "") -> Markup:
    """Words or a number in the picture, centred on x."""
    return tag("text", str(text), x=float(x), y=float(y), font_size=size, class_=class_ or None)


def piece(
    identifier: str,
    title: str,
    *children: str,
    at: Spot = Spot(0, 0),  # noqa: B008
    scale: float = 1,
    class_: str = "",
    codes: str | None = None,
) -> Markup:
    """A piece that says what it is: a group with a stable id and a title, in its place and turned as that says."""
    told = (tag("title", title),) if title else ()
    inside = (tag("g", *children, transform=f"rotate({at.rotation:.2f})"),) if at.rotation else children
    return group(identifier, *told, *inside, x=at.x, y=at.y, scale=scale, class_=class_, codes=codes)


# Places of many: on a table, in a hand, along a line


def row(count: int, middle: float, y: float, pitch: float) -> list[Spot]:
    """So many places side by side, `pitch` apart, around `middle`."""
    return [Spot(middle + pitch * (place - (count - 1) / 2), y) for place in range(count)]


@lru_cache(maxsize=256)
def fan(count: int, middle: float, y: float, width: float, most: float, bend: float = 900) -> tuple[Spot, ...]:
    """The cards of a hand: on the arc of a wide circle, at most `most` apart and together `width` wide.

    `y` is that of the middle card; `bend` the radius.
    """
    pitch = min(most, width / max(1, count - 1))
    turns = [pitch * (place - (count - 1) / 2) / bend for place in range(count)]
    return tuple(
        Spot(middle + bend * math.sin(turn), y + bend * (1 - math.cos(turn)), math.degrees(turn)) for turn in turns
    )


def pile(count: int, x: float, y: float, step: float = 4) -> list[Spot]:
    """Things on top of each other, the lowest first, each a little higher."""
    return [Spot(x - step * place / 2, y - step * place) for place in range(count)]


def track(count: int, first: Spot, last: Spot) -> list[Spot]:
    """The places of a track, both ends included."""
    steps = max(1, count - 1)
    return [
        Spot(first.x + (last.x - first.x) * place / steps, first.y + (last.y - first.y) * place / steps)
        for place in range(count)
    ]


def graph(places: Sequence[Spot], edges: Sequence[tuple[int, int]]) -> str:
    """The lines of a map between numbered places, as one path."""
    return "".join(
        f"M{places[one].x:g} {places[one].y:g}L{places[other].x:g} {places[other].y:g}" for one, other in edges
    )


def crowd(count: int, left: float, right: float, y: float, pitch: float, down: float) -> list[Spot]:
    """People who stand together between two edges, in as many ranks as they need, the hindmost first."""
    across = right - left
    in_rank = max(1, int(across / pitch) + 1)
    ranks = max(1, math.ceil(count / in_rank))
    if ranks > 3:
        ranks, in_rank = 3, math.ceil(count / 3)
    spots = []
    for rank in range(ranks):
        here = min(in_rank, count - rank * in_rank)
        apart = min(pitch, across / max(1, here - 1))
        spots += row(here, (left + right) / 2 + (rank % 2) * apart / 3, y - rank * down, apart)
    return sorted(spots, key=lambda spot: spot.y)
