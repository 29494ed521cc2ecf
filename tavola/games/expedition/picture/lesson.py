"""Small drawings from real pieces, for the rules in one minute."""

import itertools

from markupsafe import Markup

from tavola.games.expedition.picture.elements import flag
from tavola.games.expedition.picture.geometry import Curve, Dot, heading, path_of, point_at
from tavola.show.kit import fitted_shape, use
from tavola.show.speech import Say
from tavola.show.svg import tag

A, B, C, D, E = Dot(34, 122), Dot(110, 108), Dot(186, 124), Dot(150, 46), Dot(110, 40)


def _curve(first: Dot, last: Dot) -> Curve:
    return Curve(first, Dot((first.x + last.x) / 2, (first.y + last.y) / 2 - 8), last)


def _route(travel: str, *spots: Dot) -> Markup:
    drawn = []
    for first, last in itertools.pairwise(spots):
        curve = _curve(first, last)
        line, tip = path_of(curve), point_at(curve, 0.56)
        drawn.append(tag("path", class_="casing", d=line))
        drawn += [tag("path", class_=f"{layer} {travel}-{layer}", d=line) for layer in ("sleeper", "edge", "core")]
        drawn.append(use("tip", tip.x, tip.y, 0.9, heading(curve, 0.56), fill=f"var(--{travel})"))
    return tag("g", *drawn)


def _lit_line(first: Dot, last: Dot) -> Markup:
    line = path_of(_curve(first, last))
    return tag("path", class_="lit", d=line) + tag("path", class_="dashes", d=line, stroke="var(--railway)")


def _spots(*signs: tuple[str, Dot]) -> list[Markup]:
    return [use(f"point-{sign}", spot.x, spot.y) for sign, spot in signs]


_AIM = (
    _route("railway", A, B, C),
    *_spots(("start", A), ("europe", B), ("africa", C)),
    use("goal-own", C.x, C.y),
    fitted_shape("place-giza", 160, 30, 70, 70),
    use("head-railway", C.x, C.y - 38, 0.9),
)
_TURN = (
    _route("railway", A, B),
    _lit_line(B, C),
    _lit_line(B, D),
    *_spots(("start", A), ("europe", B), ("orient", C), ("africa", D)),
    use("head-railway", B.x, B.y - 38),
)
_POINTS = (
    fitted_shape("place-agra", 20, 30, 90, 90),
    tag("g", flag(0, 150, 112, 1.8)),
    use("point-orient", 150, 118, 1.4),
    use("goal-own", 150, 118, 1.4),
)
_STATIONS = (
    use("point-green", 60, 60, 2.6),
    use("point-red", 150, 60, 2.6),
    use("point-west", 60, 122, 1.3),
    use("point-east", 172, 122, 1.3),
)
_VOUCHERS = use("ticket", 30, 30, 1.6, -6), use("ticket", 52, 80, 1.5, 4)
_LOOPS = (
    _route("camels", A, B, C, E, B),
    *_spots(("start", A), ("africa", B), ("africa", C), ("orient", E)),
    use("head-camels", B.x, B.y - 38, 0.8),
)


def lesson(number: int, say: Say) -> Markup:
    parts = (_AIM, _TURN, _POINTS, _STATIONS, _VOUCHERS, _LOOPS)[number]
    return tag("svg", *parts, viewBox="0 0 240 160", class_="picture expedition", aria_hidden="true")
