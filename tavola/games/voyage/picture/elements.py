"""The elements of which the pictures of Voyage are written: printed words, boxes, things in a place, still pieces."""

from markupsafe import Markup

from tavola.show.kit import PAINTS, use
from tavola.show.svg import tag


def printed(text: str, class_: str, x: float, y: float, size: float) -> Markup:
    """Words on one line."""
    return tag("text", text, class_=class_, x=x, y=y, font_size=size)


def box(class_: str, x: float, y: float, width: float, height: float, rx: float, **more: object) -> Markup:
    """A rectangle with round corners."""
    return tag("rect", class_=class_, x=x, y=y, width=width, height=height, rx=rx, **more)


def placed(transform: str, *parts: str) -> Markup:
    """Things in their place."""
    return tag("g", *parts, transform=transform)


def still_piece(identifier: str, title: str, *parts: str, class_: str = "", codes: str | None = None) -> Markup:
    """A piece that never slides: its parts stand where they stand on the board."""
    told = (tag("title", title),) if title else ()
    return tag("g", *told, *parts, id=identifier, class_=f"piece {class_}".rstrip(), codes=codes)


def turned_card(back: Markup, face: Markup, *more: Markup) -> Markup:
    """A card that turns from its back to its face."""
    return tag("g", tag("g", back, class_="back"), tag("g", face, class_="face"), *more, class_="turned")


def seat_disc(seat: int, scale: float, x: float = 0, y: float = 0) -> Markup:
    """The sign of a seat on a disc of its paint."""
    place = f"translate({x:g} {y:g}) scale({scale:g})"
    return tag("g", use("disc"), use(f"sign-{PAINTS[seat]}"), class_=PAINTS[seat], transform=place)
