"""Small drawings from real shapes beside the rules in one minute."""

from markupsafe import Markup

from tavola.show.kit import fitted_shape
from tavola.show.speech import Say
from tavola.show.svg import tag

SECTIONS = (
    (("king-21", 30, 10, 62, 70), ("king-22", 92, 10, 62, 70), ("shield-king", 158, 30, 70, 81)),
    (("card-star-g", 20, 16, 80, 118), ("back-wand", 120, 22, 72, 108)),
    (("star-g", 20, 30, 64, 64), ("star-b", 88, 30, 64, 64), ("star-r", 156, 30, 64, 64)),
    (("star-r", 60, 10, 66, 66), ("tail-j", 60, 74, 66, 66), ("fairy-r-on", 140, 24, 86, 93)),
    (("fairy-g-on", 20, 28, 86, 93), ("fairy-g-veil", 134, 28, 86, 93)),
    (("king-all", 20, 8, 122, 144), ("shield-peek", 158, 44, 64, 74)),
)
"""The shapes of each of the six sections: left, top, width and height."""


def lesson(number: int, say: Say) -> Markup:
    """The drawing of one of the six sections."""
    shapes = (fitted_shape(*shape) for shape in SECTIONS[number])
    return tag("svg", *shapes, viewBox="0 0 240 160", class_="picture fairies", aria_hidden="true")
