"""Small drawings from real pieces, beside the six sections of the rules in one minute."""

from markupsafe import Markup

from tavola.games.voyage.components import COURSES, ROLES
from tavola.games.voyage.picture.chart import ARROW
from tavola.games.voyage.picture.desk import compass, role_card
from tavola.games.voyage.picture.elements import placed
from tavola.show.kit import use
from tavola.show.speech import Say
from tavola.show.svg import tag


def _water(x: float, *shapes: str) -> Markup:
    return tag("g", use("wash-1", x, 110), use("pen-2", x, 110), *(use(shape, x, 110) for shape in shapes))


def _aim(say: Say) -> list[Markup]:
    """Six roles, one of them yours."""
    return [
        placed(
            f"translate({62 + 55 * k} {112 + 3 * abs(2 * k - 5)}) rotate({3 * (2 * k - 5)}) scale(.58)",
            role_card(k, 1, say),
        )
        for k in range(len(ROLES))
    ]


def _turn(say: Say) -> list[Markup]:
    """The captain lays one course openly, one sealed."""
    west = placed("translate(110 104) rotate(-4) scale(.92)", compass(COURSES.index("west"), say))
    return [use("hat", 200, 46, 2), west, use("sealed-card", 290, 104, 0.92, 4)]


def _score(say: Say) -> list[Markup]:
    """What is visited counts, each for some of the roles."""
    marks = ("avalon", "isle", "cross", "sea", "fog", "border")
    return [use(f"mark-{mark}", 80 + 120 * (k % 3), 58 + 88 * (k // 3), 2.6) for k, mark in enumerate(marks)]


def _vote(say: Say) -> list[Markup]:
    """White is for the open course, black for the sealed one."""
    ballots = use("ballot-white", 160, 100, 0.95, -5), use("ballot-black", 250, 100, 0.95, 5)
    return [placed("translate(60 100) scale(.7)", compass(3, say)), *ballots, use("sealed-card", 342, 100, 0.7)]


def _sail(say: Say) -> list[Markup]:
    """Straight over what is visited to the first square that is not."""
    waters = _water(164), _water(248, "isle-1"), _water(332)
    paint = {"fill": "var(--white)", "stroke": "var(--black)", "stroke_width": 2.2}
    arrow = tag("path", d=ARROW, **paint, transform="translate(282 110) rotate(180)")
    fog = use("billow-edge-a6", 74, 108), use("billow-a6", 74, 108)
    return [*fog, *waters, arrow, use("goal-ring", 74, 108), use("caravel", 332, 96, 0.68)]


def _end(say: Say) -> list[Markup]:
    """Avalon, or the margin."""
    return [use("avalon-isle", 120, 116, 1.9), use("rip", 292, 100, 0.9), use("caravel", 292, 100, 0.62, 9)]


SECTIONS = (_aim, _turn, _score, _vote, _sail, _end)


def lesson(number: int, say: Say) -> Markup:
    """The drawing beside section `number` of the rules in one minute, from 0."""
    drawn = SECTIONS[number](say)
    return tag("svg", *drawn, viewBox="0 0 400 200", class_="picture voyage", role="presentation")
