"""The picture kit: what the pictures of several games are made of. Art is data: `picture.css` and `shapes.svg` a game.

Every seat has a paint and a sign, the same in the picture, the list, the log and the talk, so that nothing depends on
seeing colours. Inside an element of the class `red` the custom properties `--own`, `--mark`, `--shade` and `--light`
are the paint of red, and the shape `sign-red` is its heart. Custom properties pass through `<use>`, selectors do not:
shapes name their paint in attributes, `fill="var(--own)"`.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from inspect import signature
from pathlib import Path
from string import Formatter
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeAlias, cast

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

PieceItem: TypeAlias = tuple[str, Markup]
"""The id of a piece, and the piece."""
PieceItems: TypeAlias = Iterator[PieceItem]

MEMORY = 1024
"""Drawings that a function keeps, unless it says otherwise."""
LETTER_WIDTH = 0.49
"""The width of a letter as a part of the size of the print, on average."""


class Spot(NamedTuple):
    """The place of something, and how far it is turned, in degrees."""

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


def fitted_text(text: str, x: float, y: float, size: float, room: float, class_: str, **attributes: object) -> Markup:
    """Words on one line that are pressed together where they would be wider than `room`, in the board's units."""
    if len(text) * size * LETTER_WIDTH > room:
        attributes |= {"textLength": room, "lengthAdjust": "spacingAndGlyphs"}
    return tag("text", text, x=float(x), y=float(y), font_size=float(size), class_=class_, **attributes)


def two_lines(text: str) -> list[str]:
    """Words in two lines as equal as can be; a single word in one."""
    words = text.split(" ")
    cuts = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    return list(min(cuts, key=lambda lines: max(map(len, lines)))) if cuts else [text]


def fitted_shape(
    name: str, x: float, y: float, width: float, height: float, class_: str = "", **attributes: object
) -> Markup:
    """A shape from the definitions, fitted into a box: `x` and `y` are its corner, above and left."""
    box = {"x": float(x), "y": float(y), "width": float(width), "height": float(height)}
    return tag("use", href=f"#{name}", **box, class_=class_ or None, **attributes)


def seat_disc(seat: int, x: float, y: float, radius: float, scale: float = 1, **edge: object) -> Markup:
    """A seat's sign on a disc of its paint; the sign is `scale` times as large, `edge` are attributes of the disc."""
    paint = PAINTS[seat]
    disc = tag("circle", cx=float(x), cy=float(y), r=float(radius), fill="var(--own)", **edge)
    return tag("g", disc, sign(paint, x, y, scale), class_=paint)


def fine_and_coarse(
    fine: str, coarse: str, fine_at: str | None = None, coarse_at: str | None = None
) -> tuple[Markup, Markup]:
    """A thing drawn twice: `fine` shows on a wide screen, `coarse` on a narrow one; each may have its own transform."""
    return tag("g", fine, class_="fine", transform=fine_at), tag("g", coarse, class_="coarse", transform=coarse_at)


def titled(title: str, *children: str, **attributes: object) -> Markup:
    """A part of a piece that says what it is."""
    return tag("g", tag("title", title), *children, **attributes)


def titled_group(
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


# Pieces with a memory

Arguments = ParamSpec("Arguments")
Names: TypeAlias = Sequence[str] | Callable[[Any], object]
"""The name of an argument in an id: by its place in a list, or by a function."""
Draw: TypeAlias = Callable[Concatenate[str, Arguments], Markup]


def piece(
    pattern: str, /, *, memory: int = MEMORY, **names: Names
) -> Callable[[Draw[Arguments]], Callable[Arguments, PieceItem]]:
    """Give a drawing function the id of what it draws, and a memory of its last `memory` drawings.

    `pattern` is filled with the arguments by their names; `names` says what an argument is called where that is not
    what it is. The function takes the id first; who calls it leaves the id out and gets both, the id and the piece:

        @piece("buoy-{lane}-{paint}", paint=PAINTS)
        def _buoy(identifier: str, lane: int, paint: int, say: Say) -> Markup:
            return group(identifier, use("buoy"), x=40 * lane)

        dict([_buoy(3, 0, say)])         {"buoy-3-red": <g id="buoy-3-red" …>}

    Arguments are hashable: they are all that the drawing depends on. A pattern that names no argument is a `TypeError`
    where the function is declared.
    """

    def remember(draw: Draw[Arguments]) -> Callable[Arguments, PieceItem]:
        form = signature(draw)
        _check_pattern(pattern, names, [*form.parameters][1:], draw)

        def drawn(*given: Any, **named: Any) -> PieceItem:
            bound = form.bind("", *given, **named)
            bound.apply_defaults()
            told = {name: _called(value, names.get(name)) for name, value in bound.arguments.items()}
            identifier = pattern.format_map(told)
            return identifier, draw(identifier, *given, **named)

        drawn.__doc__, drawn.__name__ = draw.__doc__, getattr(draw, "__name__", "drawn")
        return cast(Callable[Arguments, PieceItem], lru_cache(maxsize=memory)(drawn))

    return remember


def _called(value: Any, names: Names | None) -> object:
    if names is None:
        return value
    return names(value) if callable(names) else names[value]


def _check_pattern(pattern: str, names: dict[str, Names], known: list[str], draw: object) -> None:
    asked = {re.split(r"[.\[]", field)[0] for _, field, _, _ in Formatter().parse(pattern) if field is not None}
    for name in sorted((asked | names.keys()) - {*known}):
        raise TypeError(f"the id {pattern!r} of {draw!r} names {name!r}: expected one of its arguments, {known}")


# Places of many: on a table, in a hand, along a line


def pitch(count: int, room: float, most: float) -> float:
    """Return how far apart to lay `count` things that overlap where they must: `most`, or less where `room` is short.

    `room` is the distance from the first to the last.
    """
    return min(most, room / max(1, count - 1))


def row(count: int, middle: float, y: float, apart: float) -> list[Spot]:
    """So many places side by side, `apart` from each other, around `middle`."""
    return [Spot(middle + apart * (place - (count - 1) / 2), y) for place in range(count)]


@lru_cache(maxsize=256)
def fan(count: int, middle: float, y: float, width: float, most: float, bend: float = 900) -> tuple[Spot, ...]:
    """The cards of a hand: on the arc of a wide circle, at most `most` apart and together `width` wide.

    `y` is that of the middle card; `bend` the radius.
    """
    apart = pitch(count, width, most)
    turns = [apart * (place - (count - 1) / 2) / bend for place in range(count)]
    return tuple(
        Spot(middle + bend * math.sin(turn), y + bend * (1 - math.cos(turn)), math.degrees(turn)) for turn in turns
    )


def crowd(count: int, left: float, right: float, y: float, most: float, down: float) -> list[Spot]:
    """People who stand together between two edges, in as many ranks as they need, the hindmost first.

    They stand at most `most` apart, and ranks `down` apart.
    """
    across = right - left
    in_rank = max(1, int(across / most) + 1)
    ranks = max(1, math.ceil(count / in_rank))
    if ranks > 3:
        ranks, in_rank = 3, math.ceil(count / 3)
    spots = []
    for rank in range(ranks):
        here = min(in_rank, count - rank * in_rank)
        apart = pitch(here, across, most)
        spots += row(here, (left + right) / 2 + (rank % 2) * apart / 3, y - rank * down, apart)
    return sorted(spots, key=lambda spot: spot.y)
