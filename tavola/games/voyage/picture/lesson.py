"""Small drawings from real pieces, beside the six sections of the rules in one minute."""

from markupsafe import Markup

from tavola.games.voyage.components import COURSES
from tavola.games.voyage.picture.chart import ARROW
from tavola.games.voyage.picture.desk import compass, role_card
from tavola.show.kit import use
from tavola.show.speech import Say
from tavola.show.svg import tag

SIZE = (400, 200)


def _water(x: float, y: float, *shapes: str) -> Markup:
    return tag("g", use("wash-1", x, y), use("pen-2", x, y), *(use(shape, x, y) for shape in shapes))


def _aim(say: Say) -> list[Markup]:
    """Six roles, one of them yours."""
    places = [
        f"translate({62 + 55 * k} {112 + 3 * abs(2 * k - 5)}) rotate({3 * (2 * k - 5)}) scale(.58)" for k in range(6)
    ]
    return [tag("g", role_card(role, 1, say), transform=place) for role, place in enumerate(places)]


def _turn(say: Say) -> list[Markup]:
    """The captain lays one course openly, one sealed."""
    west = COURSES.index("west")
    return [
        use("hat", 200, 46, 2),
        tag("g", compass(west, say), transform="translate(110 104) rotate(-4) scale(.92)"),
        use("sealed-card", 290, 104, 0.92, 4),
    ]


def _score(say: Say) -> list[Markup]:
    """What is visited counts, each for some of the roles."""
    marks = ("avalon", "isle", "cross", "sea", "fog", "border")
    return [use(f"mark-{mark}", 80 + 120 * (k % 3), 58 + 88 * (k // 3), 2.6) for k, mark in enumerate(marks)]


def _vote(say: Say) -> list[Markup]:
    """White is for the open course, black for the sealed one."""
    return [
        tag("g", compass(3, say), transform="translate(60 100) scale(.7)"),
        use("ballot-white", 160, 100, 0.95, -5),
        use("ballot-black", 250, 100, 0.95, 5),
        use("sealed-card", 342, 100, 0.7),
    ]


def _sail(say: Say) -> list[Markup]:
    """Straight over what is visited to the first square that is not."""
    waters = [_water(80 + 84 * place, 110, *(("isle-1",) if place == 2 else ())) for place in (1, 2, 3)]
    paint = {"fill": "var(--white)", "stroke": "var(--black)", "stroke_width": 2.2}
    arrow = tag("path", d=ARROW, **paint, transform="translate(282 110) rotate(180)")
    return [
        use("billow-edge-a6", 74, 108),
        use("billow-a6", 74, 108),
        *waters,
        arrow,
        use("goal-ring", 74, 108),
        use("caravel", 332, 96, 0.68),
    ]


def _end(say: Say) -> list[Markup]:
    """Avalon, or the margin."""
    return [use("avalon-isle", 120, 116, 1.9), use("rip", 292, 100, 0.9), use("caravel", 292, 100, 0.62, 9)]


SECTIONS = (_aim, _turn, _score, _vote, _sail, _end)


def lesson(number: int, say: Say) -> Markup:
    """The drawing beside section `number` of the rules in one minute, from 0."""
    width, height = SIZE
    return tag(
        "svg", *SECTIONS[number](say), viewBox=f"0 0 {width} {height}", class_="picture voyage", role="presentation"
    )
