"""Small drawings from real pieces beside the rules in one minute."""

from markupsafe import Markup

from tavola.show.kit import fitted_shape
from tavola.show.speech import Say
from tavola.show.svg import tag

WIDTH, HEIGHT = 240, 160


def lesson(number: int, say: Say) -> Markup:
    """The drawing of one of the six sections."""
    parts = (_aim, _turn, _score, _wands, _powers, _king)[number]()
    return tag("svg", parts, viewBox=f"0 0 {WIDTH} {HEIGHT}", class_="picture fairies", aria_hidden="true")


def _aim() -> Markup:
    return (
        fitted_shape("king-21", 30, 10, 62, 70)
        + fitted_shape("king-22", 92, 10, 62, 70)
        + fitted_shape("shield-king", 158, 30, 70, 81)
    )


def _turn() -> Markup:
    return fitted_shape("card-star-g", 20, 16, 80, 118) + fitted_shape("back-wand", 120, 22, 72, 108)


def _score() -> Markup:
    return (
        fitted_shape("star-g", 20, 30, 64, 64)
        + fitted_shape("star-b", 88, 30, 64, 64)
        + fitted_shape("star-r", 156, 30, 64, 64)
    )


def _wands() -> Markup:
    return (
        fitted_shape("star-r", 60, 10, 66, 66)
        + fitted_shape("tail-j", 60, 74, 66, 66)
        + fitted_shape("fairy-r-on", 140, 24, 86, 93)
    )


def _powers() -> Markup:
    return fitted_shape("fairy-g-on", 20, 28, 86, 93) + fitted_shape("fairy-g-veil", 134, 28, 86, 93)


def _king() -> Markup:
    return fitted_shape("king-all", 20, 8, 122, 144) + fitted_shape("shield-peek", 158, 44, 64, 74)
