"""Draw what lies around and over the chart: the two courses, the ribbon of turns, the ballots, the roles at the end."""

from functools import lru_cache

from markupsafe import Markup

from tavola.games.voyage.components import ROLES, TURNS, Phase
from tavola.games.voyage.picture.board_state import (
    BOTTOM,
    LEFT,
    MIDDLE,
    RIGHT,
    TOP,
    BoardState,
    Leg,
    ballot_of,
    points_text,
)
from tavola.games.voyage.picture.captions import NUMERALS, ballot_title, open_title, sealed_title, verdict_text
from tavola.games.voyage.picture.chart import banner, ribbon
from tavola.games.voyage.words.nouns import ROLE
from tavola.games.voyage.words.titles import COURSE, LETTER, turn_title
from tavola.show.kit import PAINTS, PieceItems, Spot, fine_and_coarse, piece, row, use
from tavola.show.speech import Say
from tavola.show.svg import group, tag

ROLE_PAY = (
    (("avalon", "5"), ("isle", "≤4: 3")),
    (("isle", "1"), ("avalon", "2")),
    (("cross", "2"), ("avalon", "1")),
    (("no-avalon", "5"), ("isle", "≥5: 3")),
    (("border", "½"), ("fog", "1"), ("avalon", "3")),
    (("sea", "2"),),
)
EMENDED_PAY = (("sea", "½"),)
COLUMN, OPEN_AT, SEALED_AT = 926, 274, 490
FIRST_TURN, TURN_WIDTH, TURN_Y = 96, 43, 697
COARSE_Y = 795
"""The middle of the row of cards that a narrow screen shows under the chart."""


def desk(shown: BoardState, say: Say, bare: Say) -> PieceItems:
    """All that lies around the chart and over it, the lowest first."""
    yield _fixed_parts(bare)
    for number, leg in enumerate(shown.turns, 1):
        if leg.sailed:
            yield _turn_disc(number, leg, say.name(leg.captain), bare)
    if shown.turn:
        yield _marker(shown.turn, shown.phase == Phase.OVER, bare)
    yield from _courses(shown, bare)
    if shown.last_ballot:
        names = tuple(say.name(seat) for seat in range(shown.players))
        yield _last_ballot(shown.last_ballot, shown.turns[shown.last_ballot - 1], shown.players, names, bare)
    if shown.cards_open >= 0:
        yield from _ballots(shown, say, bare)
    if shown.ending and shown.phase == Phase.OVER:
        yield banner(shown.ending, bare)
        yield from _roles(shown, say, bare)


# The ribbon of turns


@piece("furniture", memory=8)
def _fixed_parts(identifier: str, say: Say) -> Markup:
    """Return what never moves: the ribbon with its numerals, and the places of the two courses."""
    label = tag("text", say("Turn"), class_="i mid inked", x=FIRST_TURN - 31, y=TURN_Y + 28, font_size=17)
    names = [
        tag("text", name, class_="b inked", x=COLUMN - 30, y=y - 102, font_size=19)
        for name, y in ((say("Open"), OPEN_AT), (say("Secret"), SEALED_AT))
    ]
    fine = tag("g", use("ribbon"), use("places"), label, *names, class_="fine")
    return tag("g", fine, use("strip", class_="coarse"), id=identifier, class_="piece through")


def _on_ribbon(turn: int, fine: Markup, coarse: Markup) -> tuple[Markup, Markup]:
    """A thing in its place on the wide and on the narrow ribbon."""
    x, coarse_x = FIRST_TURN + TURN_WIDTH * (turn - 0.5), 12 + 40 * turn + (turn - 10) * 0.6
    return fine_and_coarse(fine, coarse, f"translate({x:g} {TURN_Y + 31})", f"translate({coarse_x:g} {TURN_Y + 15})")


def sailed_disc(leg: Leg, scale: float) -> Markup:
    """The course sailed, on white where it was laid openly, on black where in secret."""
    paint, edge = ("black", "silver") if leg.alternative_sailed else ("white", "black")
    disc = tag("circle", r=9, fill=f"var(--{paint})", stroke=f"var(--{edge})", stroke_width=1.2)
    pen = "white" if leg.alternative_sailed else "black"
    arrow = use("arrow", turned=(leg.sailed - 1) * 90, fill=f"var(--{pen})")
    return tag("g", disc, arrow, transform=f"scale({scale:g})")


@piece("turned-{number}")
def _turn_disc(identifier: str, number: int, leg: Leg, captain: str, say: Say) -> Markup:
    title = tag("title", turn_title(number, leg.sailed, leg.preferred, captain, say))
    shapes = _on_ribbon(number, sailed_disc(leg, 1), sailed_disc(leg, 1.75))
    return tag("g", title, *shapes, id=identifier, class_="piece")


@piece("marker", memory=64)
def _marker(identifier: str, turn: int, over: bool, say: Say) -> Markup:
    """The medal of the present turn."""
    title = tag("title", say("Turn {turn} of {turns}", turn=turn, turns=TURNS))
    numeral = tag("text", NUMERALS[turn - 1], class_="b mid on-gold", y=6, font_size=17)
    if over:  # the last turn's own disc is to be seen
        rings = (tag("circle", r=13, class_="ringed"), tag("circle", r=19, class_="ringed"))
        return tag("g", title, *_on_ribbon(turn, *rings), id=identifier, class_="piece through")
    fine = tag("g", use("medal"), numeral, transform="translate(0 -10)")
    return tag("g", title, *_on_ribbon(turn, fine, use("medal", scale=0.75)), id=identifier, class_="piece")


# The two courses, and the last ballot


def _courses(shown: BoardState, say: Say) -> PieceItems:
    number = shown.laid_turn
    if not number:
        return
    leg = shown.turns[number - 1]
    black = leg.black.bit_count()
    yield _open_card(number, leg.preferred - 1, shown.players - black if leg.voted_on else -1, say)
    if leg.courses & (leg.courses - 1):
        opened = leg.sailed if leg.alternative_sailed else 0
        yield _sealed_card(number, opened, black if leg.voted_on else -1, say)


def compass(course: int, say: Say) -> Markup:
    """A course card, open."""
    return tag(
        "g",
        use("compass-card"),
        use("needle", y=-12, turned=course * 90),
        tag("text", say(COURSE[course]), class_="b mid on-gold card-words", y=71, font_size=21),
        tag("text", say(LETTER[course]), class_="b mid letter card-words", x=-40, y=-66, font_size=22),
    )


def _course_card(
    identifier: str, title: str, card: Markup, votes: int, ballot: str, y: float, word: tuple[str, str]
) -> Markup:
    """A course on the table: beside the chart on a wide screen, under it on a narrow one."""
    fine = tag(
        "g",
        tag("rect", class_="glowing", x=-62, y=-93, width=124, height=186, rx=10),
        card,
        *([tag("text", str(votes), class_="b end inked", x=60, y=-102, font_size=24)] if votes >= 0 else []),
        class_="fine",
        transform=f"translate({COLUMN} {y})",
    )
    x = 28 if ballot == "white" else 304
    kind, course = word
    lines = (
        tag("text", kind, class_="b on-desk", x=x + 76, y=COARSE_Y - 7, font_size=27),
        tag("text", course, class_="on-desk", x=x + 76, y=COARSE_Y + 26, font_size=27),
    )
    coarse = tag(
        "g",
        tag("rect", class_="touch", x=x - 4, y=COARSE_Y - 51, width=270, height=100, rx=10),
        tag("rect", class_="glowing", x=x - 2, y=COARSE_Y - 48, width=266, height=94, rx=10),
        tag("g", card, transform=f"translate({x + 34} {COARSE_Y}) scale(.46)"),
        use(f"token-{ballot}", x=x + 62, y=COARSE_Y + 34, scale=1.3),
        *lines,
        class_="coarse",
    )
    return tag("g", tag("title", title), fine, coarse, id=identifier, class_="piece", codes=f"vote {ballot}")


@piece("open-{number}", memory=512)
def _open_card(identifier: str, number: int, course: int, votes: int, say: Say) -> Markup:
    title, words = open_title(course, say), (say("Open"), say(COURSE[course]))
    return _course_card(identifier, title, compass(course, say), votes, "white", OPEN_AT, words)


@piece("sealed-{number}", memory=512)
def _sealed_card(identifier: str, number: int, opened: int, votes: int, say: Say) -> Markup:
    """The sealed course; where it was sailed the seal breaks and the card turns."""
    words = (say("Secret"), say(COURSE[opened - 1])) if opened else (say("Secret"), "?")
    card = use("sealed-card")
    if opened:
        face = tag("g", compass(opened - 1, say), class_="face")
        halves = [
            tag("g", use("seal", clip_path=f"url(#seal-{half})"), class_=f"half-{half}") for half in ("left", "right")
        ]
        card = tag("g", tag("g", use("sealed-card"), class_="back"), face, *halves, class_="turned")
    return _course_card(identifier, sealed_title(opened, say), card, votes, "black", SEALED_AT, words)


@piece("last-{number}", memory=256)
def _last_ballot(identifier: str, number: int, leg: Leg, players: int, names: tuple[str, ...], say: Say) -> Markup:
    """Draw everybody's vote of the last ballot, until the next is revealed: under the chart of a narrow screen."""
    cards = [
        _small_ballot(seat, ballot_of(leg, seat), names[seat], leg.captain == seat, say) for seat in range(players)
    ]
    coarse = [tag("g", card, transform=f"translate({598 + 35 * seat} 814)") for seat, card in enumerate(cards)]
    count = f"{NUMERALS[number - 1]}: {players - leg.black.bit_count()} – {leg.black.bit_count()}"
    coarse_head = tag("text", count, class_="b on-desk", x=582, y=776, font_size=27)
    return tag(
        "g",
        tag("title", say("The last ballot: turn {turn}", turn=number)),
        tag("g", coarse_head, *coarse, class_="coarse"),
        id=identifier,
        class_="piece",
    )


def _small_ballot(seat: int, face: str, name: str, captain: bool, say: Say) -> Markup:
    ring = (tag("rect", class_="ringed", x=-17, y=-23, width=34, height=46, rx=6),) if captain else ()
    return tag(
        "g", tag("title", ballot_title(name, face, say)), use(f"small-{face}"), *ring, seat_disc(seat, 0.66, y=-6)
    )


@lru_cache(maxsize=8)
def ballot_card(face: str, say: Say) -> Markup:
    """A ballot before a seat."""
    named = say("White") if face == "white" else say("Black")
    return tag("title", named) + use(f"ballot-{face}", scale=0.62)


# The ballots across the chart


def _ballots(shown: BoardState, say: Say, bare: Say) -> PieceItems:
    """All cards down, each turned in its order, the count, and what it comes to."""
    number, leg = shown.turn, shown.turns[-1]
    yield _veil()
    for place, spot in enumerate(row(shown.players, MIDDLE, 340, min(112, 740 / shown.players))):
        seat = (leg.captain + 1 + place) % shown.players
        face = shown.ballot_face(seat)
        wins = not shown.verdict or (face == "black") == leg.alternative_sailed
        yield _ballot(number, seat, face, spot, seat == leg.captain, wins, say.name(seat), bare)
    faces = [shown.ballot_face(seat) for seat in range(shown.players)]
    yield _count(number, faces.count("white"), faces.count("black"))
    if shown.verdict:
        yield ribbon(f"verdict-{number}", verdict_text(leg, shown.players, bare), 500, leg.alternative_sailed)


@piece("veil", memory=1)
def _veil(identifier: str) -> Markup:
    veil = tag("rect", class_="veil drawn", x=LEFT, y=TOP, width=RIGHT - LEFT, height=BOTTOM - TOP)
    return tag("g", veil, id=identifier, class_="piece through")


@piece("ballot-{number}-{seat}-{face}", face=lambda face: "down" if face == "back" else "up", memory=2048)
def _ballot(
    identifier: str, number: int, seat: int, face: str, at: Spot, captain: bool, wins: bool, name: str, say: Say
) -> Markup:
    card = use("ballot-back")
    if face != "back":
        front = tag("g", use(f"ballot-{face}"), class_="face")
        card = tag("g", tag("g", card, class_="back"), front, class_="turned")
    ring = (tag("rect", class_="ringed", x=-49, y=-71, width=98, height=142, rx=13, stroke_width=5),) if captain else ()
    fade = "" if wins else "faded"
    return group(
        identifier,
        tag("title", ballot_title(name, face, say)),
        tag("g", *ring, card, class_=fade),
        seat_disc(seat, 1.15, y=92),
        *((use("hat", x=0, y=74, scale=0.9),) if captain else ()),
        x=at.x,
        y=at.y,
        class_="through",
    )


@piece("count-{number}", memory=256)
def _count(identifier: str, number: int, white: int, black: int) -> Markup:
    """The count as it grows."""
    halves = [
        tag(
            "g",
            use(f"token-{ballot}", scale=2.4),
            tag("text", str(votes), class_="b mid on-desk", x=58, y=17, font_size=48),
            transform=f"translate({MIDDLE + x} 216)",
        )
        for ballot, votes, x in (("white", white, -130), ("black", black, 70))
    ]
    return tag("g", *halves, id=identifier, class_="piece through")


# The roles


def portrait(role: int) -> Markup:
    """The picture on a role card, in its arch."""
    return tag(
        "g",
        use("arch", class_=f"sky-{ROLES[role]}"),
        tag("g", use(f"portrait-{ROLES[role]}", x=0, y=3, scale=1.02), clip_path="url(#clip-arch)"),
    )


def face_of(role: int) -> Markup:
    """A role's head in a ring, 124 units wide."""
    return tag(
        "g",
        tag("circle", r=62, class_=f"sky-{ROLES[role]}", fill="var(--sky)"),
        tag("g", use(f"portrait-{ROLES[role]}", clip_path="url(#clip-head)"), transform="translate(0 36)"),
        tag("circle", r=62, fill="none", stroke="var(--line)", stroke_width=5),
    )


def role_pay(role: int, sailor: int) -> list[Markup]:
    """Return what a role is paid for, in signs: 20 units high, centred."""
    signs = EMENDED_PAY if sailor and ROLES[role] == "sailor" else ROLE_PAY[role]
    size = 14.5 if len(signs) == 3 else 16
    widths = [
        30 + sum(0.32 if letter in " :" else 1.05 if letter in "½≤≥" else 0.62 for letter in text) * size
        for _, text in signs
    ]
    x = -(sum(widths) + 7 * (len(signs) - 1)) / 2
    drawn = []
    for (mark, text), width in zip(signs, widths, strict=True):
        drawn.append(use(f"mark-{mark}", x=x + 13, y=0))
        drawn.append(tag("text", text, class_="b on-card", x=round(x + 29, 1), y=5.5, font_size=size))
        x += width + 7
    return drawn


@lru_cache(maxsize=64)
def role_card(role: int, sailor: int, say: Say) -> Markup:
    """A role as a portrait card, 150 units wide and 257 high."""
    name = say(ROLE[role])
    return tag(
        "g",
        use("role-card"),
        portrait(role),
        use("role-frame"),
        tag("text", name, class_="b mid on-gold card-words", y=83.5, font_size=19 if len(name) < 12 else 16),
        tag("g", *role_pay(role, sailor), transform="translate(0 109)", class_="card-words"),
    )


def _roles(shown: BoardState, say: Say, bare: Say) -> PieceItems:
    """R19: the roles turned up, the last place first."""
    for seat, spot in enumerate(row(shown.players, MIDDLE, 246, min(118, 740 / shown.players))):
        down = seat in shown.face_down_seats
        told = (0, 0, 0) if down else (shown.roles[seat], shown.points[seat], shown.places[seat])
        yield _role(seat, told, shown.sailor, spot, say.name(seat), bare)


@piece("role-{seat}-{told}", told=lambda told: "up" if told[0] else "down", memory=512)
def _role(identifier: str, seat: int, told: tuple[int, int, int], sailor: int, at: Spot, name: str, say: Say) -> Markup:
    role, points, place = told
    card, title, printed, medal = use("role-back"), name, "", Markup()
    if role:
        printed = say(ROLE[role - 1])
        title = say("{name}: {role}, {points} points", name=name, role=printed, points=points_text(points))
        face = tag("g", role_card(role - 1, sailor, say), class_="face")
        card = tag("g", tag("g", card, class_="back"), face, class_="turned")
        paint = "gold" if place == 1 else "card"
        medal = tag("circle", cx=58, cy=-112, r=33, fill=f"var(--{paint})", class_="outlined")
        medal += tag("text", points_text(points), class_=f"b mid on-{paint}", x=58, y=-98, font_size=44)
    scaled = tag("g", card, medal, transform="scale(.62)", class_="dealt")
    named = tag("text", printed, class_="b mid on-desk coarse", y=140 + seat % 2 * 32, font_size=27)
    return group(
        identifier, tag("title", title), scaled, seat_disc(seat, 1, y=92), named, x=at.x, y=at.y, class_="through"
    )


def seat_disc(seat: int, scale: float, x: float = 0, y: float = 0) -> Markup:
    """The sign of a seat on a disc of its paint."""
    place = f"translate({x:g} {y:g}) scale({scale:g})"
    return tag("g", use("disc"), use(f"sign-{PAINTS[seat]}"), class_=PAINTS[seat], transform=place)
