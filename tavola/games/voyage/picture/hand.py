"""What only a seat holds: its role, its two ballots, and as captain the course it lays in secret.

A wide screen shows the fine drawing, a narrow one the coarse one, a strip.
"""

from collections.abc import Iterator
from functools import lru_cache

from markupsafe import Markup

from tavola.games.voyage.components import BALLOT, BALLOTS, CHOOSE_COURSES, COURSES, OVER, Seen
from tavola.games.voyage.picture.chart import laid
from tavola.games.voyage.picture.desk import compass, face_of, pays, role_card
from tavola.games.voyage.picture.shown import Shown, signed
from tavola.games.voyage.words.titles import COURSE, LETTER, role_way
from tavola.games.voyage.words.vocabulary import ROLE
from tavola.show.kit import use
from tavola.show.speech import Say
from tavola.show.svg import tag

WIDTH, HEIGHT = 460, 250
STRIP = (0, 0, 460, 140)
Pieces = Iterator[tuple[str, Markup]]


def hand(view: Seen, say: Say) -> Pieces:
    """The role, and what the present decision is made with."""
    if view.hand is None or not view.hand.role:
        return
    points = 0 if view.table.phase == OVER else view.standing.points[view.seat or 0]
    choosing = view.table.phase == CHOOSE_COURSES and view.seat == view.table.captain
    yield "own-role", _role(view.hand.role - 1, view.table.sailor, points, view.table.phase == OVER, choosing, say)
    if choosing:
        leg = view.table.turns[view.table.turn - 1]
        for course in range(len(COURSES)):
            if leg.courses >> course & 1:
                yield f"secret-{COURSES[course]}", _secret(course, say)
        yield "own-words", _words(say("Lay one in secret"))
        return
    voting = view.table.phase == BALLOT
    preferred = view.table.turns[view.table.turn - 1].preferred - 1 if voting else -1
    alternative = view.hand.alternatives[view.table.turn - 1] - 1 if voting and view.seat == view.table.captain else -1
    for place, ballot in enumerate(BALLOTS):
        course = (preferred, alternative)[place]
        yield f"own-{ballot}", _ballot(ballot, course, view.hand.card, voting, alternative >= 0, say)
    if alternative >= 0:
        yield "own-secret", _laid_in_secret(alternative, say)
    yield "own-words", _words(say("Only you see this"))


def own_course(view: Seen, say: Say) -> Pieces:
    """On the chart: the arrow of the alternative that the captain himself has laid."""
    if view.hand and view.seat == view.table.captain and view.table.phase == BALLOT:
        course = view.hand.alternatives[view.table.turn - 1] - 1
        yield "own-laid", laid("own-laid", view.table.ship, course, Shown.of(view).goal(course), "black", say)


@lru_cache(maxsize=16)
def _words(text: str) -> Markup:
    line = tag("text", text, class_="i printed", x=190, y=25, font_size=17)
    eye = use("eye", transform="translate(174 19) scale(1.1)", class_="seeing")
    return tag("g", tag("g", eye, line, class_="fine"), id="own-words", class_="piece through")


@lru_cache(maxsize=512)
def _role(role: int, sailor: int, points: int, over: bool, brief: bool, say: Say) -> Markup:
    """The role as a portrait card; how many points it would have now."""
    name = say(ROLE[role])
    now = "" if over else say("now {points}", points=signed(points))
    medal = (
        ()
        if over
        else (
            tag("circle", cx=52, cy=-108, r=24, class_="outlined", fill="var(--gold)"),
            tag("text", signed(points), class_="b mid on-gold", x=52, y=-99, font_size=27),
        )
    )
    fine = tag("g", role_card(role, sailor, say), *medal, class_="fine", transform="translate(80 126) scale(.93)")
    told = (
        (tag("text", name, class_="b mid printed", x=88, y=131, font_size=20),)
        if brief
        else (
            tag("text", name, class_="b printed", x=104, y=31, font_size=24 if len(name) < 11 else 19),
            tag("g", *pays(role, sailor), transform="translate(180 66) scale(1.05)"),
            tag("text", now, class_="i printed", x=104, y=112, font_size=19),
        )
    )
    at = (88, 54) if brief else (52, 68)
    coarse = tag(
        "g", tag("g", face_of(role), transform=f"translate({at[0]} {at[1]}) scale(.74)"), *told, class_="coarse"
    )
    return tag("g", tag("title", f"{name}: {role_way(role, sailor, say)}"), fine, coarse, id="own-role", class_="piece")


@lru_cache(maxsize=256)
def _ballot(ballot: str, course: int, played: int, voting: bool, third: bool, say: Say) -> Markup:
    """One of the two ballots; the one played stands out, the other fades."""
    place = BALLOTS.index(ballot)
    mine = played == place + 1
    named = say("White") if ballot == "white" else say("Black")
    means = say(COURSE[course]) if course >= 0 else say("Sealed") if ballot == "black" else ""
    fade = "" if voting and (mine or not played) else "idle"
    x, tilt = ((212, -5), (312, 5))[place]
    x = x - 8 if third else x + 14
    y = 118 if mine else 126
    glow = tag("rect", class_="glowing", x=-46, y=-68, width=92, height=136, rx=11)
    fine = tag(
        "g",
        tag(
            "g", glow, use(f"ballot-{ballot}"), class_=fade, transform=f"translate({x} {y}) rotate({tilt}) scale(1.06)"
        ),
        tag("text", means if voting else named, class_="b mid printed", x=x, y=226, font_size=18),
        class_="fine",
    )
    at = 300 + 106 * place
    coarse = tag(
        "g",
        tag(
            "g", glow, use(f"ballot-{ballot}"), class_=fade, transform=f"translate({at} {52 if mine else 57}) scale(.8)"
        ),
        tag("text", means if voting else "", class_="b mid printed", x=at, y=131, font_size=18),
        class_="coarse",
    )
    title = tag("title", f"{named}: {means}" if means and voting else named)
    return tag("g", title, fine, coarse, id=f"own-{ballot}", class_="piece", codes=f"vote {ballot}")


@lru_cache(maxsize=16)
def _laid_in_secret(course: int, say: Say) -> Markup:
    title = tag("title", say("Your secret course: {course}", course=say(COURSE[course])))
    card = tag("g", compass(course, say), use("seal", transform="translate(30 -58) scale(.62)"))
    fine = tag("g", card, class_="fine", transform="translate(404 120) rotate(4) scale(.72)")
    return tag("g", title, fine, id="own-secret", class_="piece through")


@lru_cache(maxsize=16)
def _secret(course: int, say: Say) -> Markup:
    """A course card in the captain's hand: touched, it is the one that lies in secret."""
    others = (preferred for preferred in COURSES if preferred != COURSES[course])
    card = tag(
        "g",
        tag("rect", class_="glowing", x=-62, y=-93, width=124, height=186, rx=10),
        compass(course, say),
        use("seal", transform="translate(34 -58) scale(.62)"),
    )
    fine = tag(
        "g",
        card,
        class_="fine",
        transform=f"translate({206 + 70 * course} {132 + 3 * abs(2 * course - 3)}) rotate({4 * course - 6}) scale(.6)",
    )
    at = 218 + 65 * course
    coarse = tag(
        "g",
        tag("rect", class_="touch", x=at - 32, y=2, width=64, height=136),
        tag("g", card, transform=f"translate({at} 55) scale(.5)"),
        tag("text", say(LETTER[course]), class_="b mid printed", x=at, y=130, font_size=22),
        class_="coarse",
    )
    return tag(
        "g",
        tag("title", say("In secret: {course}", course=say(COURSE[course]))),
        fine,
        coarse,
        id=f"secret-{COURSES[course]}",
        class_="piece",
        codes="|".join(f"courses {preferred} {COURSES[course]}" for preferred in others),
    )
