"""The hand: a seat's role, its two ballots, and the hidden course of a captain.

A wide screen shows the fine drawing, a narrow one the coarse one, a strip.
"""

from markupsafe import Markup

from tavola.games.voyage.components import BALLOTS, COURSES, Phase, Seen
from tavola.games.voyage.picture.chart import course_arrow
from tavola.games.voyage.picture.desk import compass, face_of, role_card, role_pay
from tavola.games.voyage.picture.elements import box, placed, printed
from tavola.games.voyage.picture.scene import BoardState
from tavola.games.voyage.words.nouns import HEADING, LETTER, ROLE, SAILOR_WAY, WAY, current_turn, own_alternative
from tavola.show.kit import PieceItems, fine_and_coarse, piece, still_piece, use
from tavola.show.speech import Say
from tavola.show.svg import tag
from tavola.show.words import members_of

HAND_SIZE = (460, 152)
STRIP = (0, 0, 460, 116)


def hand(view: Seen, say: Say) -> PieceItems:
    """Yield the role, and the pieces of the present decision."""
    if view.hand is None or not view.hand.role:
        return
    t, over = view.table, view.table.phase == Phase.OVER
    points = 0 if over else view.standing.points[view.seat or 0]
    choosing = t.phase == Phase.COURSES and view.seat == t.captain
    alternative = own_alternative(view) - 1 if t.phase == Phase.BALLOT and view.seat == t.captain else -1
    crowded = 1 if choosing else 2 if alternative >= 0 else 0
    yield _role(view.hand.role - 1, t.sailor, points, over, crowded, say)
    if choosing:
        yield from (_secret_choice(course, say) for course in members_of(current_turn(t).courses))
        caption = printed(say("Choose one to hide"), "i mid printed fine", 317, 148, 16)
        yield "own-words", still_piece("own-words", "", caption, class_="through")
        return
    voting = t.phase == Phase.BALLOT
    courses = current_turn(t).preferred - 1 if voting else -1, alternative
    for ballot, course in zip(BALLOTS, courses, strict=True):
        yield _ballot(ballot, course, view.hand.card, voting, alternative >= 0, say)
    if alternative >= 0:
        yield _own_secret_card(alternative, say)


def own_course(view: Seen, say: Say) -> PieceItems:
    """Yield the arrow of the captain's own hidden course, for the chart."""
    if view.hand and view.seat == view.table.captain and view.table.phase == Phase.BALLOT:
        course = own_alternative(view) - 1
        yield course_arrow("own-laid", view.table.ship, course, BoardState.of(view).goal(course), "black", say)


@piece("own-role", memory=512)
def _role(identifier: str, role: int, sailor: int, points: int, over: bool, crowded: int, say: Say) -> Markup:
    """The role as a portrait card with the points it would have now. `crowded`: 1 beside four courses."""
    name, pay = say(ROLE[role]), role_pay(role, sailor)
    counted = say.many("{count} point", "{count} points", points)
    card = tag("g", role_card(role, sailor, say), class_="fine own-role", transform="translate(48 74) scale(.59)")
    brief, x = crowded == 1, (142, 126, 134)[crowded]
    lines = () if over else ((counted, 66), (say("so far"), 84))
    wide = [card, *(printed(text, "i mid printed fine", x, y, 15) for text, y in lines)]
    if brief:
        told = [printed(name, "b mid printed", 88, 110, 18)]
    else:
        wide.append(tag("g", *pay, class_="fine", transform=f"translate({x} 34) scale({0.7 if crowded else 0.78})"))
        named = printed(name, "b printed", 98, 27, 22 if len(name) < 11 else 18)
        now = [] if over else [printed(f"{counted} {say('so far')}", "i printed", 98, 101, 18)]
        told = [named, placed("translate(176 58)", *pay), *now]
    head = placed(f"translate({88 if brief else 48} {46 if brief else 58}) scale(.68)", face_of(role))
    title = say.labelled(name, say((*WAY, SAILOR_WAY[sailor])[role]))
    return still_piece(identifier, title, *wide, tag("g", head, *told, class_="coarse"))


@piece("own-{ballot}", memory=256)
def _ballot(identifier: str, ballot: str, course: int, played: int, voting: bool, third: bool, say: Say) -> Markup:
    place = BALLOTS.index(ballot)
    mine = played == place + 1
    named = say("White") if ballot == "white" else say("Black")
    means = say(HEADING[course]) if course >= 0 else say("Hidden") if ballot == "black" else ""
    words = means if voting else named
    x, at, up = 214 + 104 * place + (0 if third else 32), 300 + 106 * place, 4 if mine else 0
    glow, fade = box("glowing", -46, -68, 92, 136, 11), "" if voting and (mine or not played) else "idle"
    card = tag("g", glow, use(f"ballot-{ballot}"), class_=fade)
    coarse = placed(f"translate({at} {49 - up}) scale(.68)", card) + printed(words, "b mid printed", at, 112, 17)
    drawn = fine_and_coarse(card, coarse, f"translate({x} {64 - up}) rotate({10 * place - 5}) scale(.84)")
    title = say.labelled(named, means) if means and voting else named
    caption = printed(words, "b mid printed fine", x, 146, 17)
    return still_piece(identifier, title, *drawn, caption, codes=f"vote {ballot}")


@piece("own-secret", memory=16)
def _own_secret_card(identifier: str, course: int, say: Say) -> Markup:
    card = tag("g", compass(course, say), use("seal", x=30, y=-58, scale=0.62))
    fine = tag("g", card, class_="fine", transform="translate(414 66) rotate(4) scale(.6)")
    title = say("Your hidden course: {course}", course=say(HEADING[course]))
    return still_piece(identifier, title, fine, class_="through")


@piece("secret-{course}", course=COURSES, memory=16)
def _secret_choice(identifier: str, course: int, say: Say) -> Markup:
    at, glow = 218 + 65 * course, box("glowing", -62, -93, 124, 186, 10)
    card = tag("g", glow, compass(course, say), use("seal", x=34, y=-58, scale=0.62))
    fanned = f"translate({209 + 66 * course} {62 + 2 * abs(2 * course - 3)}) rotate({3 * course - 4.5}) scale(.555)"
    touch = tag("rect", class_="touch", x=at - 32, y=0, width=64, height=116)
    letter = printed(say(LETTER[course]), "b mid printed", at, 111, 21)
    drawn = fine_and_coarse(card, placed(f"translate({at} 46) scale(.45)", card) + touch + letter, fanned)
    codes = "|".join(f"courses {other} {COURSES[course]}" for other in COURSES if other != COURSES[course])
    return still_piece(identifier, say("Hidden: {course}", course=say(HEADING[course])), *drawn, codes=codes)
