"""Draw what only a seat holds: its role, its two ballots, and as captain the course it lays in secret.

A wide screen shows the fine drawing, a narrow one the coarse one, a strip.
"""

from markupsafe import Markup

from tavola.games.voyage.components import BALLOTS, COURSES, Phase, Seen
from tavola.games.voyage.picture.board_state import BoardState, points_text
from tavola.games.voyage.picture.chart import course_arrow
from tavola.games.voyage.picture.desk import compass, face_of, role_card, role_pay
from tavola.games.voyage.words.nouns import ROLE
from tavola.games.voyage.words.titles import COURSE, LETTER, role_way
from tavola.show.kit import PieceItems, piece, use
from tavola.show.speech import Say
from tavola.show.svg import tag

WIDTH, HEIGHT = 460, 152
STRIP = (0, 0, 460, 116)


def hand(view: Seen, say: Say) -> PieceItems:
    """The role, and what the present decision is made with."""
    if view.hand is None or not view.hand.role:
        return
    points = 0 if view.table.phase == Phase.OVER else view.standing.points[view.seat or 0]
    choosing = view.table.phase == Phase.COURSES and view.seat == view.table.captain
    yield _role(view.hand.role - 1, view.table.sailor, points, view.table.phase == Phase.OVER, choosing, say)
    if choosing:
        leg = view.table.turns[view.table.turn - 1]
        for course in range(len(COURSES)):
            if leg.courses >> course & 1:
                yield _secret_choice(course, say)
        yield _hand_caption(say("Lay one in secret"))
        return
    voting = view.table.phase == Phase.BALLOT
    preferred = view.table.turns[view.table.turn - 1].preferred - 1 if voting else -1
    alternative = view.hand.alternatives[view.table.turn - 1] - 1 if voting and view.seat == view.table.captain else -1
    for place, ballot in enumerate(BALLOTS):
        course = (preferred, alternative)[place]
        yield _ballot(ballot, course, view.hand.card, voting, alternative >= 0, say)
    if alternative >= 0:
        yield _own_secret_card(alternative, say)


def own_course(view: Seen, say: Say) -> PieceItems:
    """On the chart: the arrow of the alternative that the captain himself has laid."""
    if view.hand and view.seat == view.table.captain and view.table.phase == Phase.BALLOT:
        course = view.hand.alternatives[view.table.turn - 1] - 1
        yield course_arrow("own-laid", view.table.ship, course, BoardState.of(view).goal(course), "black", say)


@piece("own-words", memory=16)
def _hand_caption(identifier: str, text: str) -> Markup:
    line = tag("text", text, class_="i mid printed fine", x=317, y=148, font_size=16)
    return tag("g", line, id=identifier, class_="piece through")


def _fine_and_coarse(card: Markup, wide: str, narrow: str, *words: Markup) -> tuple[Markup, Markup]:
    """A card in its place on a wide screen and on a narrow one, with the words that only the narrow one needs."""
    fine = tag("g", card, class_="fine", transform=wide)
    return fine, tag("g", tag("g", card, transform=narrow), *words, class_="coarse")


@piece("own-role", memory=512)
def _role(identifier: str, role: int, sailor: int, points: int, over: bool, brief: bool, say: Say) -> Markup:
    """The role as a portrait card with its points; how many it would have now."""
    name = say(ROLE[role])
    now = [] if over else [say("now {points}", points=points_text(points))]
    card = tag("g", role_card(role, sailor, say), class_="fine", transform="translate(48 76) scale(.57)")
    x, size = (126, 15) if brief else (131, 18)  # beside four courses there is less room
    wide = [card, *(tag("text", text, class_="i mid printed fine", x=x, y=83, font_size=size) for text in now)]
    if not brief:
        wide.append(tag("g", *role_pay(role, sailor), class_="fine", transform="translate(134 42) scale(.7)"))
    if brief:
        told = [tag("text", name, class_="b mid printed", x=88, y=110, font_size=18)]
    else:
        told = [
            tag("text", name, class_="b printed", x=98, y=27, font_size=22 if len(name) < 11 else 18),
            tag("g", *role_pay(role, sailor), transform="translate(176 58)"),
            *(tag("text", text, class_="i printed", x=98, y=101, font_size=18) for text in now),
        ]
    head = tag("g", face_of(role), transform=f"translate({88 if brief else 48} {46 if brief else 58}) scale(.68)")
    title = tag("title", f"{name}: {role_way(role, sailor, say)}")
    return tag("g", title, *wide, tag("g", head, *told, class_="coarse"), id=identifier, class_="piece")


@piece("own-{ballot}", memory=256)
def _ballot(identifier: str, ballot: str, course: int, played: int, voting: bool, third: bool, say: Say) -> Markup:
    """One of the two ballots; the one played stands out, the other fades."""
    place = BALLOTS.index(ballot)
    mine = played == place + 1
    named = say("White") if ballot == "white" else say("Black")
    means = say(COURSE[course]) if course >= 0 else say("Sealed") if ballot == "black" else ""
    fade = "" if voting and (mine or not played) else "idle"
    x, at, up = 214 + 104 * place + (0 if third else 32), 300 + 106 * place, 4 if mine else 0
    glow = tag("rect", class_="glowing", x=-46, y=-68, width=92, height=136, rx=11)
    words = means if voting else named
    drawn = _fine_and_coarse(
        tag("g", glow, use(f"ballot-{ballot}"), class_=fade),
        f"translate({x} {64 - up}) rotate({10 * place - 5}) scale(.84)",
        f"translate({at} {49 - up}) scale(.68)",
        tag("text", words, class_="b mid printed", x=at, y=112, font_size=17),
    )
    caption = tag("text", words, class_="b mid printed fine", x=x, y=146, font_size=17)
    title = tag("title", f"{named}: {means}" if means and voting else named)
    return tag("g", title, *drawn, caption, id=identifier, class_="piece", codes=f"vote {ballot}")


@piece("own-secret", memory=16)
def _own_secret_card(identifier: str, course: int, say: Say) -> Markup:
    title = tag("title", say("Your secret course: {course}", course=say(COURSE[course])))
    card = tag("g", compass(course, say), use("seal", x=30, y=-58, scale=0.62))
    fine = tag("g", card, class_="fine", transform="translate(414 66) rotate(4) scale(.6)")
    return tag("g", title, fine, id=identifier, class_="piece through")


@piece("secret-{course}", course=COURSES, memory=16)
def _secret_choice(identifier: str, course: int, say: Say) -> Markup:
    """A course card in the captain's hand: touched, it is the one that lies in secret."""
    others = (preferred for preferred in COURSES if preferred != COURSES[course])
    at = 218 + 65 * course
    card = tag(
        "g",
        tag("rect", class_="glowing", x=-62, y=-93, width=124, height=186, rx=10),
        compass(course, say),
        use("seal", x=34, y=-58, scale=0.62),
    )
    drawn = _fine_and_coarse(
        card,
        f"translate({200 + 70 * course} {66 + 2 * abs(2 * course - 3)}) rotate({4 * course - 6}) scale(.59)",
        f"translate({at} 46) scale(.45)",
        tag("rect", class_="touch", x=at - 32, y=0, width=64, height=116),
        tag("text", say(LETTER[course]), class_="b mid printed", x=at, y=111, font_size=21),
    )
    return tag(
        "g",
        tag("title", say("In secret: {course}", course=say(COURSE[course]))),
        *drawn,
        id=identifier,
        class_="piece",
        codes="|".join(f"courses {preferred} {COURSES[course]}" for preferred in others),
    )
