"""Building blocks for pictures of games. Art is data: each game has `picture.css` and `shapes.svg`.

Every seat has a paint and a sign, the same in the picture, the list, the log and the talk, so nothing depends on colour
vision. Inside an element of class `red` the custom properties `--own`, `--mark`, `--shade` and `--light` are the red
paint, and the shape `sign-red` is its heart. Custom properties pass through `<use>`, selectors do not. So shapes refer
to their paint in attributes, `fill="var(--own)"`.
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
"""Sign of every paint. Seats take the paints in this order."""
PAINTS = tuple(SIGNS)
FOLDER = Path(__file__).parent

PieceItem: TypeAlias = tuple[str, Markup]
"""A piece: its id and its markup."""
PieceItems: TypeAlias = Iterator[PieceItem]

MEMORY = 1024
"""Default number of drawings that a function caches."""
LETTER_WIDTH = 0.49
"""Average width of a character, as a fraction of the font size."""


class Spot(NamedTuple):
    """A place, and a rotation in degrees."""

    x: float
    y: float
    rotation: float = 0


def read_shapes(path: Path) -> Markup:
    """Return the content of an SVG file. Every shape must begin on a line of its own, with its id first."""
    drawn = path.read_text(encoding="utf-8")
    return Markup(re.sub(r"\A.*?<svg[^>]*>\s*|\s*</svg>\s*\Z", "", drawn, flags=re.DOTALL))


SEAT_SHAPES = read_shapes(FOLDER / "seats.svg")
"""Shapes of the signs, `sign-red` and so on: 20 units across, centred."""
SEAT_STYLE = (FOLDER / "seats.css").read_text(encoding="utf-8")


def art(module: str) -> tuple[str, Markup]:
    """Return the style and the shapes of a picture: `picture.css` and `shapes.svg` beside `module` (`__file__`).

    The seats' paints and signs are included.
    """
    folder = Path(module).parent
    style = MOTION + SEAT_STYLE + (folder / "picture.css").read_text(encoding="utf-8")
    return style, SEAT_SHAPES + Markup("\n") + read_shapes(folder / "shapes.svg")


@lru_cache(maxsize=64)
def anonymous_say(game: Game, language: str) -> Say:
    """Return `say` without names: its sentences, and so their drawings, can be shared by all tables."""
    return Say.of(game, language)


@lru_cache(maxsize=4096, typed=True)
def use(name: str, x: float = 0, y: float = 0, scale: float = 1, turned: float = 0, **attributes: object) -> Markup:
    """Return a shape at a place, rotated by `turned` degrees and scaled by `scale`."""
    place = f"translate({x:g} {y:g})" if x or y else ""
    place += f" rotate({turned:g})" if turned else ""
    place += f" scale({scale:g})" if scale != 1 else ""
    placed = {"transform": place.strip()} if place else {}
    return tag("use", href=f"#{name}", **placed, **attributes)


def sign(paint: str, x: float = 0, y: float = 0, scale: float = 1) -> Markup:
    """Return the sign of a paint."""
    return use(f"sign-{paint}", x, y, scale)


def label(text: object, x: float = 0, y: float = 0, size: float = 36, class_: str = "") -> Markup:
    """Return text or a number, centred on x."""
    return tag("text", str(text), x=float(x), y=float(y), font_size=size, class_=class_ or None)


def fitted_text(text: str, x: float, y: float, size: float, room: float, class_: str, **attributes: object) -> Markup:
    """Return text on one line, condensed if it is wider than `room`, in units of the board."""
    if len(text) * size * LETTER_WIDTH > room:
        attributes |= {"textLength": room, "lengthAdjust": "spacingAndGlyphs"}
    return tag("text", text, x=float(x), y=float(y), font_size=float(size), class_=class_, **attributes)


def two_lines(text: str) -> list[str]:
    """Return a text as two lines of similar length; a single word as one."""
    words = text.split(" ")
    cuts = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    return list(min(cuts, key=lambda lines: max(map(len, lines)))) if cuts else [text]


def fitted_shape(
    name: str, x: float, y: float, width: float, height: float, class_: str = "", **attributes: object
) -> Markup:
    """Return a shape fitted into a box whose top left corner is (x, y)."""
    box = {"x": float(x), "y": float(y), "width": float(width), "height": float(height)}
    return tag("use", href=f"#{name}", **box, class_=class_ or None, **attributes)


def seat_disc(seat: int, x: float, y: float, radius: float, scale: float = 1, **edge: object) -> Markup:
    """Return a seat's sign on a disc of its paint; `scale` is for the sign, `edge` are attributes of the disc."""
    paint = PAINTS[seat]
    disc = tag("circle", cx=float(x), cy=float(y), r=float(radius), fill="var(--own)", **edge)
    return tag("g", disc, sign(paint, x, y, scale), class_=paint)


def fine_and_coarse(
    fine: str, coarse: str, fine_at: str | None = None, coarse_at: str | None = None
) -> tuple[Markup, Markup]:
    """Return two drawings of a thing, `fine` for wide screens, `coarse` for narrow ones, with their transforms."""
    return tag("g", fine, class_="fine", transform=fine_at), tag("g", coarse, class_="coarse", transform=coarse_at)


def titled(title: str, *children: str, **attributes: object) -> Markup:
    """Return a part of a piece with a title."""
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
    """Return a piece with a stable id and a title, at a place and rotated as `at` says."""
    told = (tag("title", title),) if title else ()
    inside = (tag("g", *children, transform=f"rotate({at.rotation:.2f})"),) if at.rotation else children
    return group(identifier, *told, *inside, x=at.x, y=at.y, scale=scale, class_=class_, codes=codes)


def still_piece(identifier: str, title: str, *parts: str, class_: str = "", **attributes: object) -> Markup:
    """Return a piece that never slides: its parts have fixed places on the board. An empty title is left out."""
    told = (tag("title", title),) if title else ()
    return tag("g", *told, *parts, id=identifier, class_=f"piece {class_}".rstrip(), **attributes)


# Cached pieces

Arguments = ParamSpec("Arguments")
Names: TypeAlias = Sequence[str] | Callable[[Any], object]
"""Names of an argument's values in an id: a list indexed by the value, or a function."""
Draw: TypeAlias = Callable[Concatenate[str, Arguments], Markup]


def piece(
    pattern: str, /, *, memory: int = MEMORY, **names: Names
) -> Callable[[Draw[Arguments]], Callable[Arguments, PieceItem]]:
    """Decorate a drawing function: add the id of its piece, and cache its last `memory` drawings.

    `pattern` is formatted with the arguments by name; `names` translates values of arguments. The function takes the id
    as first argument. Callers omit it and receive the id and the piece:

        @piece("buoy-{lane}-{paint}", paint=PAINTS)
        def _buoy(identifier: str, lane: int, paint: int, say: Say) -> Markup:
            return group(identifier, use("buoy"), x=40 * lane)

        dict([_buoy(3, 0, say)])         {"buoy-3-red": <g id="buoy-3-red" …>}

    Arguments must be hashable, and the drawing must depend on them only. The declaration raises `TypeError` if the
    pattern names something else than an argument.
    """

    def remember(draw: Draw[Arguments]) -> Callable[Arguments, PieceItem]:
        parameters = [*signature(draw).parameters.values()][1:]
        known = [each.name for each in parameters]
        omitted = {each.name: each.default for each in parameters if each.default is not each.empty}
        _check_pattern(pattern, names, known, draw)

        def drawn(*given: Any, **named: Any) -> PieceItem:
            values = omitted | dict(zip(known, given, strict=False)) | named
            told = {name: _called(value, names.get(name)) for name, value in values.items()}
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


# Layouts: on a table, in a hand, along a line


def pitch(count: int, room: float, most: float) -> float:
    """Return the distance between `count` things: `most`, or less if they must overlap to fit.

    `room` is the distance from the first to the last.
    """
    return min(most, room / max(1, count - 1))


def row(count: int, middle: float, y: float, apart: float) -> list[Spot]:
    """Return `count` places side by side, `apart` from each other, centred on `middle`."""
    return [Spot(middle + apart * (place - (count - 1) / 2), y) for place in range(count)]


@lru_cache(maxsize=256)
def fan(count: int, middle: float, y: float, width: float, most: float, bend: float = 900) -> tuple[Spot, ...]:
    """Return the places of cards in a hand: on an arc, at most `most` apart and together at most `width` wide.

    `y` is that of the middle card, `bend` the radius.
    """
    apart = pitch(count, width, most)
    turns = [apart * (place - (count - 1) / 2) / bend for place in range(count)]
    return tuple(
        Spot(middle + bend * math.sin(turn), y + bend * (1 - math.cos(turn)), math.degrees(turn)) for turn in turns
    )


def crowd(count: int, left: float, right: float, y: float, most: float, down: float) -> list[Spot]:
    """Return the places of people between two edges, in up to three ranks, the hindmost first.

    They are at most `most` apart, and ranks `down` apart.
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
