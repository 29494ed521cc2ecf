"""Elements shared by the boards of Tournament: shapes, cards, backs, arms, coins, text."""

from functools import lru_cache

from markupsafe import Markup

from tavola.games.tournament.components import KINDS, SORTS
from tavola.games.tournament.words.nouns import sort_of, value_of
from tavola.show import kit
from tavola.show.svg import tag

CARD_WIDTH, CARD_HEIGHT = 104, 142
"""Size of the shapes; cards are scaled from it."""


def fitted_shape(name: str, x: float, y: float, width: float, height: float, class_: str = "") -> Markup:
    return kit.fitted_shape(f"tm-{name}", x, y, width, height, class_)


def rect(x: float, y: float, width: float, height: float, class_: str, round_: float = 0, fill: str = "") -> Markup:
    """Return a rectangle; `fill` names a pattern."""
    place = {"x": float(x), "y": float(y), "width": float(width), "height": float(height)}
    more = {"fill": f"url(#tm-{fill})"} if fill else {}
    return tag("rect", **place, rx=float(round_) if round_ else None, class_=class_ or None, **more)


def cloth(
    x: float, y: float, width: float, height: float, class_: str, round_: float = 0, fill: str = "diaper"
) -> Markup:
    return rect(x, y, width, height, class_, round_) + rect(x, y, width, height, "", round_, fill)


def plate(x: float, y: float, width: float, height: float, round_: float = 18, drop: float = 8) -> Markup:
    return rect(x, y + drop, width, height, "tm-ik", round_) + rect(x, y, width, height, "mat", round_)


def path(line: str, class_: str) -> Markup:
    return tag("path", d=line, class_=class_)


def inked(line: str, class_: str) -> Markup:
    return path(line, f"{class_}-ink") + path(line, class_)


def disc(x: float, y: float, radius: float, class_: str) -> Markup:
    return tag("circle", cx=float(x), cy=float(y), r=float(radius), class_=class_)


def board_text(words: object, x: float, y: float, class_: str) -> Markup:
    """Return text on a board; `class_` gives size and alignment, such as `x4b mid`."""
    return tag("text", str(words), x=float(x), y=float(y), class_=class_)


def translate(x: float, y: float, *children: str, scale: float = 1, class_: str = "", turned: float = 0) -> Markup:
    at = f"translate({x:g} {y:g})" + (f" rotate({turned:g})" if turned else "")
    return tag("g", *children, transform=at + (f" scale({scale:.3f})" if scale != 1 else ""), class_=class_ or None)


@lru_cache(maxsize=512)
def card(number: int, x: float, y: float, width: float, class_: str = "") -> Markup:
    return face(sort_of(number), str(value_of(number)), x, y, width, class_)


def metal(value: int) -> int:
    return 1 if value <= 5 else 2 if value <= 10 else 3


@lru_cache(maxsize=1024)
def face(sort: int, value: str, x: float, y: float, width: float, class_: str = "") -> Markup:
    rank = metal(int(value) if value.isdigit() else 0)
    corner = _figure(value, 21, width) if value else Markup()
    return _cardboard(f"card-{SORTS[sort]}", corner, x, y, width, f"r{rank} {class_}")


def least_value(card: int) -> str:
    """Return what is printed on a request for a card or a higher one: `5+`; nothing if any of its kind will do."""
    return f"{value_of(card)}+" if value_of(card) > 1 else ""


@lru_cache(maxsize=256)
def outline(sort: int, value: str, x: float, y: float, width: float) -> Markup:
    corner = _figure(value, 52, width, "asked") if value else Markup()
    return _cardboard(f"gap-{SORTS[sort]}", corner, x, y, width, "r2")


@lru_cache(maxsize=256)
def back(seat: int, x: float, y: float, width: float) -> Markup:
    """Return a card face down, with the arms of the seat that laid it; -1 for none."""
    crest = fitted_shape(f"arms-{seat}", 27, 42, 50, 60) if seat >= 0 else Markup()
    return _cardboard("card-back", crest, x, y, width)


def _cardboard(shape: str, printed: str, x: float, y: float, width: float, class_: str = "") -> Markup:
    drawn = fitted_shape(shape, 0, 0, 104, 144)
    return translate(x, y, drawn, printed, scale=width / CARD_WIDTH, class_=f"card {class_}".rstrip())


def _figure(value: str, x: float, width: float, class_: str = "") -> Markup:
    """Draw the value in the corner of a card, larger on a small card so that it is legible."""
    size = min(76.0, max(39.0, 39.0 * CARD_WIDTH / width)) * (1 if len(value) < (3 if class_ else 2) else 0.92)
    y = 24 + 0.35 * size
    return tag("text", value, x=float(x), y=float(y), font_size=size, class_=f"num mid {class_}".rstrip())


@lru_cache(maxsize=256)
def arms(seat: int, x: float, y: float, width: float, class_: str = "") -> Markup:
    return fitted_shape(f"arms-{seat}", x, y, width, width * 1.2, class_)


@lru_cache(maxsize=256)
def coin(sous: int, x: float, y: float, radius: float) -> Markup:
    baseline, words = (12, "x3b") if radius >= 28 else (9, "x4b")
    ring = disc(0, 3, radius, "tm-ik"), disc(0, 0, radius, "tm-or tm-o"), disc(0, 0, radius - 6, "tm-n tm-t")
    return translate(x, y, *ring, board_text(sous, 0, baseline, f"{words} mid printed"))


@lru_cache(maxsize=512)
def emblems(held: tuple[bool, ...], new: tuple[bool, ...], x: float, y: float, size: float) -> Markup:
    """Draw the four kinds small, in a square, as a set would be: new kinds are lit, missing ones struck out."""
    parts = []
    for kind, name in enumerate(KINDS):
        left, top = x + (kind % 2) * (size + 8), y + (kind // 2) * (size * 1.3 + 6)
        if new[kind]:
            parts.append(rect(left - 4, top - 4, size + 8, size * 1.3 + 6, "lit", 5))
        drawn = fitted_shape(f"art-{name}", left - 2, top - 3, size + 4, size * 1.38)
        parts.append(tag("g", drawn, class_="r2" if held[kind] else "absent"))
        if not held[kind]:
            parts.append(path(f"M{left:g} {top + size * 1.2:.1f}L{left + size:g} {top + 2:g}", "strike"))
    return tag("g", *parts)
