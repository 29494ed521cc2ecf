"""Everything around and over the chart: the two courses, the ribbon of turns, the ballots, the roles at the end."""

from functools import lru_cache

from markupsafe import Markup

from tavola.games.voyage.components import ROLES, TURNS, Ending, Phase, Turn
from tavola.games.voyage.picture.chart import ribbon
from tavola.games.voyage.picture.elements import CHART, box, placed, printed, seat_disc, turned_card
from tavola.games.voyage.picture.scene import BoardState, alternative_sailed, ballot_of, voted_on
from tavola.games.voyage.words.nouns import ENDING, HEADING, LETTER, ROLE, ballot_title, turn_title, verdict_text
from tavola.show.kit import PieceItems, Spot, fine_and_coarse, fitted_text, piece, row, still_piece, titled_group, use
from tavola.show.speech import Say, figure, mark
from tavola.show.svg import tag

NUMERALS = tuple("I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX".split(" "))  # noqa: SIM905
ROLE_PAY = (
    (("avalon", "5"), ("isle", "≤4: 3")),
    (("isle", "1"), ("avalon", "2")),
    (("cross", "2"), ("avalon", "1")),
    (("no-avalon", "5"), ("isle", "≥5: 3")),
    (("border", "½"), ("fog", "1"), ("avalon", "3")),
)
SAILOR_PAY = ((("sea", "2"),), (("sea", "½"),))
COLUMN, COARSE_Y = 926, 795
"""Middle of the column of course cards beside the chart, and of their row below it on a narrow screen."""
CARDS = {"white": (mark("Open"), 274, 28), "black": (mark("Hidden"), 490, 304)}
"""Course card of each ballot: its name, its height in the column, and its left edge in the row."""
ROLE_SIZE, ROLE_ROOM, COARSE_ROLE_SIZE, BOLD_LETTER, SPACE = 15.5, 80, 32, 0.68, 10
"""Font size and room of a revealed role on its card, font size below it, a glyph's average width as a share, space."""
LEFT_EDGE = 30
"""Where the first name of a narrow screen may begin."""
WIDEST_APART = 160
FIRST_TURN, TURN_WIDTH, TURN_Y = 96, 43, 697
_CHART_AREA = {"x": CHART.left, "y": CHART.top, "width": CHART.right - CHART.left, "height": CHART.bottom - CHART.top}
VEIL = still_piece("veil", "", tag("rect", class_="veil drawn", **_CHART_AREA), class_="through")


def desk(shown: BoardState, say: Say, bare: Say) -> PieceItems:
    """Yield everything around and over the chart, the lowest first."""
    t = shown.table
    yield _fixed_parts(bare)
    for number, turn in enumerate(shown.turns, 1):
        if turn.sailed:
            yield _turn_disc(number, turn, say.name(turn.captain), bare)
    if t.turn:
        yield _marker(t.turn, t.phase == Phase.OVER, bare)
    yield from _courses(shown, bare)
    if shown.last_ballot:
        names = tuple(say.name(seat) for seat in range(t.players))
        yield _last_ballot(shown.last_ballot, shown.turns[shown.last_ballot - 1], names, bare)
    if shown.cards_open >= 0:
        yield from _ballots(shown, say, bare)
    if t.ending and t.phase == Phase.OVER:
        yield ribbon("ending", bare(ENDING[t.ending]), 118, t.ending == Ending.ROUTE_LOST)
        yield from _roles(shown, say, bare)


@piece("furniture", memory=8)
def _fixed_parts(identifier: str, say: Say) -> Markup:
    words = printed(say("Turn"), "i mid inked", FIRST_TURN - 31, TURN_Y + 28, 17)
    names = [fitted_text(say(name), COLUMN - 30, y - 102, 19, 66, "b inked") for name, y, _ in CARDS.values()]
    beside = tag("g", use("ribbon"), use("places"), words, *names, class_="fine beside")
    edge = tag("path", class_="trimmed", d="M852 -300L849 40L853 180L848 330L852 480L849 640L853 760V1060H1400V-300Z")
    return still_piece(identifier, "", edge, beside, use("strip", class_="coarse below"), class_="through")


def _on_ribbon(turn: int, fine: Markup, coarse: Markup) -> tuple[Markup, Markup]:
    x, coarse_x = FIRST_TURN + TURN_WIDTH * (turn - 0.5), 12 + 40 * turn + (turn - 10) * 0.6
    return (
        tag("g", fine, class_="fine beside", transform=f"translate({x:g} {TURN_Y + 31})"),
        tag("g", coarse, class_="coarse below", transform=f"translate({coarse_x:g} {TURN_Y + 15})"),
    )


def sailed_disc(turn: Turn, scale: float) -> Markup:
    """Draw the course sailed: on white if it was open, on black if it was hidden."""
    paint, edge, pen = ("black", "silver", "white") if alternative_sailed(turn) else ("white", "black", "black")
    disc = tag("circle", r=9, fill=f"var(--{paint})", stroke=f"var(--{edge})", stroke_width=1.2)
    return placed(f"scale({scale:g})", disc, use("arrow", turned=(turn.sailed - 1) * 90, fill=f"var(--{pen})"))


@piece("turned-{number}")
def _turn_disc(identifier: str, number: int, turn: Turn, captain: str, say: Say) -> Markup:
    title = turn_title(number, turn.sailed, turn.preferred, captain, say)
    return still_piece(identifier, title, *_on_ribbon(number, sailed_disc(turn, 1), sailed_disc(turn, 1.75)))


@piece("marker", memory=64)
def _marker(identifier: str, turn: int, over: bool, say: Say) -> Markup:
    title = say("Turn {turn} of {turns}", turn=turn, turns=TURNS)
    if over:  # the last turn's own disc must be visible
        rings = (tag("circle", r=13, class_="ringed"), tag("circle", r=19, class_="ringed"))
        return still_piece(identifier, title, *_on_ribbon(turn, *rings), class_="through")
    numeral = tag("text", NUMERALS[turn - 1], class_="b mid on-gold", y=6, font_size=17)
    fine = placed("translate(0 -10)", use("medal"), numeral)
    return still_piece(identifier, title, *_on_ribbon(turn, fine, use("medal", scale=0.75)))


def _courses(shown: BoardState, say: Say) -> PieceItems:
    now = shown.table.turn  # until its courses are laid, those of the turn before are on the table
    number = now if now and shown.turns[-1].preferred else max(now - 1, 0)
    if not number:
        return
    turn, past = shown.turns[number - 1], number < len(shown.turns)
    black = turn.black.bit_count()
    yield _open_card(number, turn.preferred - 1, shown.table.players - black if voted_on(turn) else -1, past, say)
    if turn.courses & (turn.courses - 1):
        opened = turn.sailed if alternative_sailed(turn) else 0
        yield _sealed_card(number, opened, black if voted_on(turn) else -1, past, say)


def compass(course: int, say: Say) -> Markup:
    name = tag("text", say(HEADING[course]), class_="b mid on-gold card-words", y=71, font_size=21)
    letter = printed(say(LETTER[course]), "b mid letter card-words", -40, -66, 22)
    return tag("g", use("compass-card"), use("needle", y=-12, turned=course * 90), name, letter)


def _course_card(
    identifier: str, ballot: str, title: str, card: Markup, votes: int, course: str, past: bool, say: Say
) -> Markup:
    """`past`: of the last turn, while the captain chooses new courses."""
    name, y, x = CARDS[ballot]
    count = [printed(str(votes), "b end inked", 60, -102, 24)] if votes >= 0 else []
    beside = box("glowing", -62, -93, 124, 186, 10), card, *count
    below = (
        box("touch", x - 4, COARSE_Y - 51, 270, 100, 10),
        box("glowing", x - 2, COARSE_Y - 48, 266, 94, 10),
        placed(f"translate({x + 34} {COARSE_Y}) scale(.46)", card),
        use(f"token-{ballot}", x=x + 62, y=COARSE_Y + 34, scale=1.3),
        printed(say(name), "b on-desk", x + 76, COARSE_Y - 7, 27),
        printed(course, "on-desk", x + 76, COARSE_Y + 26, 27),
    )
    fine = tag("g", *beside, class_="fine beside", transform=f"translate({COLUMN} {y})")
    drawn = fine, tag("g", *below, class_="coarse below")
    shown = [tag("g", *drawn, class_="faded")] if past else drawn
    return still_piece(identifier, title, *shown, codes=f"vote {ballot}")


@piece("open-{number}", memory=512)
def _open_card(identifier: str, number: int, course: int, votes: int, past: bool, say: Say) -> Markup:
    named = say(HEADING[course])
    title = say("Open course: {course}. A white vote supports it.", course=named)
    return _course_card(identifier, "white", title, compass(course, say), votes, named, past, say)


@piece("sealed-{number}", memory=512)
def _sealed_card(identifier: str, number: int, opened: int, votes: int, past: bool, say: Say) -> Markup:
    """The hidden course; if it was sailed (`opened`, from 1) the seal breaks and the card turns."""
    if not opened:
        title = say("Hidden course: only the captain knows it. A black vote supports it.")
        return _course_card(identifier, "black", title, use("sealed-card"), votes, "?", past, say)
    named = say(HEADING[opened - 1])
    halves = [
        tag("g", use("seal", clip_path=f"url(#seal-{half})"), class_=f"half-{half}") for half in ("left", "right")
    ]
    card = turned_card(use("sealed-card"), compass(opened - 1, say), *halves)
    title = say("The ship sailed the hidden course: {course}.", course=named)
    return _course_card(identifier, "black", title, card, votes, named, past, say)


@piece("last-{number}", memory=256)
def _last_ballot(identifier: str, number: int, turn: Turn, names: tuple[str, ...], say: Say) -> Markup:
    black = turn.black.bit_count()
    head = printed(say.labelled(NUMERALS[number - 1], f"{len(names) - black} – {black}"), "b on-desk", 582, 776, 27)
    cards = []
    for seat, name in enumerate(names):
        face, ring = ballot_of(turn, seat), (box("ringed", -17, -23, 34, 46, 6),) if turn.captain == seat else ()
        small = tag("title", ballot_title(name, face, say)), use(f"small-{face}"), *ring, seat_disc(seat, 0.66, y=-6)
        cards.append(placed(f"translate({598 + 35 * seat} 814)", tag("g", *small)))
    title = say("Last vote: turn {turn}", turn=number)
    return still_piece(identifier, title, tag("g", head, *cards, class_="coarse below"))


@lru_cache(maxsize=8)
def ballot_card(face: str, say: Say) -> Markup:
    return tag("title", say("White") if face == "white" else say("Black")) + use(f"ballot-{face}", scale=0.62)


def _ballots(shown: BoardState, say: Say, bare: Say) -> PieceItems:
    t, turn = shown.table, shown.turns[-1]
    yield "veil", VEIL
    for place, spot in enumerate(row(t.players, CHART.middle, 340, min(112, 740 / t.players))):
        seat = (turn.captain + 1 + place) % t.players
        face = shown.ballot_face(seat)
        wins = not shown.verdict or (face == "black") == alternative_sailed(turn)
        yield _ballot(t.turn, seat, face, spot, seat == turn.captain, wins, say.name(seat), bare)
    faces = [shown.ballot_face(seat) for seat in range(t.players)]
    yield _count(t.turn, faces.count("white"), faces.count("black"))
    if shown.verdict:
        tie = 2 * turn.black.bit_count() == t.players
        told = verdict_text(turn.sailed, turn.preferred, tie, bare)
        yield ribbon(f"verdict-{t.turn}", told, 500, alternative_sailed(turn))


@piece("ballot-{number}-{seat}-{face}", face=lambda face: "down" if face == "back" else "up", memory=2048)
def _ballot(
    identifier: str, number: int, seat: int, face: str, at: Spot, captain: bool, wins: bool, name: str, say: Say
) -> Markup:
    card = use("ballot-back") if face == "back" else turned_card(use("ballot-back"), use(f"ballot-{face}"))
    ring = (box("ringed", -49, -71, 98, 142, 13, stroke_width=5),) if captain else ()
    hat = (use("hat", x=0, y=74, scale=0.9),) if captain else ()
    laid = tag("g", *ring, card, class_="" if wins else "faded")
    title = ballot_title(name, face, say)
    return titled_group(identifier, title, laid, seat_disc(seat, 1.15, y=92), *hat, at=at, class_="through")


@piece("count-{number}", memory=256)
def _count(identifier: str, number: int, white: int, black: int) -> Markup:
    halves = []
    for ballot, votes, x in (("white", white, -130), ("black", black, 70)):
        count = printed(str(votes), "b mid on-desk", 58, 17, 48)
        halves.append(placed(f"translate({CHART.middle + x} 216)", use(f"token-{ballot}", scale=2.4), count))
    return still_piece(identifier, "", *halves, class_="through")


def face_of(role: int) -> Markup:
    """Draw a role's head in a ring, 124 units wide."""
    head = placed("translate(0 36)", use(f"portrait-{ROLES[role]}", clip_path="url(#clip-head)"))
    sky = tag("circle", r=62, class_=f"sky-{ROLES[role]}", fill="var(--sky)")
    return tag("g", sky, head, tag("circle", r=62, fill="none", stroke="var(--line)", stroke_width=5))


def role_pay(role: int, sailor: int) -> list[Markup]:
    """Draw the signs of a role's points: 20 units high, centred."""
    signs = (*ROLE_PAY, SAILOR_PAY[sailor])[role]
    size = 15.4 if len(signs) == 3 else 16
    widths = [
        30 + sum(0.32 if letter in " :" else 1.05 if letter in "½≤≥" else 0.62 for letter in text) * size
        for _, text in signs
    ]
    x = -(sum(widths) + 7 * (len(signs) - 1)) / 2
    drawn = []
    for (sign, text), width in zip(signs, widths, strict=True):
        drawn += [use(f"mark-{sign}", x=x + 13, y=0), printed(text, "b on-card", round(x + 29, 1), 5.5, size)]
        x += width + 7
    return drawn


@lru_cache(maxsize=64)
def role_card(role: int, sailor: int, say: Say) -> Markup:
    """Draw a role as a portrait card, 150 units wide and 257 high."""
    name, kind = say(ROLE[role]), ROLES[role]
    figure = tag("g", use(f"portrait-{kind}", x=0, y=3, scale=1.02), clip_path="url(#clip-arch)")
    return tag(
        "g",
        use("role-card"),
        tag("g", use("arch", class_=f"sky-{kind}"), figure),
        use("role-frame"),
        fitted_text(name, 0, 83.5, 19, 112, "b mid on-gold card-words"),
        tag("g", *role_pay(role, sailor), transform="translate(0 109)", class_="card-words pay"),
    )


def _roles(shown: BoardState, say: Say, bare: Say) -> PieceItems:
    """R19: the roles turned up, the last place first."""
    t, apart = shown.table, min(WIDEST_APART, 740 / shown.table.players)
    names = [bare(ROLE[role - 1]) if role else "" for role in t.roles[: t.players]]
    widest = max(map(len, names)) * COARSE_ROLE_SIZE * BOLD_LETTER
    lowered = widest + SPACE > apart  # every other name: they would touch
    spots = row(t.players, CHART.middle, 246, apart)
    # In a row of every other name, the first is moved in from the edge, towards the next.
    beside = min(2 * apart - SPACE, (spots[0].x + 2 * apart - LEFT_EDGE - SPACE) / 1.5) if lowered else apart - SPACE
    for seat, spot in enumerate(spots):
        told = (0, 0, 0) if seat in shown.face_down_seats else (t.roles[seat], shown.points[seat], shown.places[seat])
        inwards = max(0, LEFT_EDGE + min(beside, len(names[seat]) * COARSE_ROLE_SIZE * BOLD_LETTER) / 2 - spot.x)
        coarse = Spot(inwards, 172 if lowered and seat % 2 else 140)
        yield _role(seat, told, t.sailor, spot, coarse, beside, say.name(seat), bare)


@piece("role-{seat}-{told}", told=lambda told: "up" if told[0] else "down", memory=512)
def _role(
    identifier: str,
    seat: int,
    told: tuple[int, int, int],
    sailor: int,
    at: Spot,
    coarse_at: Spot,
    room: float,
    name: str,
    say: Say,
) -> Markup:
    role, points, place = told
    card, title, words, medal = use("role-back"), name, "", Markup()
    if role:
        words = say(ROLE[role - 1])
        counted = say.many("{count} point", "{count} points", points)
        title = say("{name}: {role}, {points}", name=name, role=words, points=counted)
        card = turned_card(card, role_card(role - 1, sailor, say))
        paint = "gold" if place == 1 else "card"
        medal = tag("circle", cx=58, cy=-112, r=33, fill=f"var(--{paint})", class_="outlined")
        medal += tag("text", figure(points), class_=f"b mid on-{paint}", x=58, y=-98, font_size=44, data_room=50)
    scaled = tag("g", card, medal, transform="scale(.62)", class_="dealt")
    named = fine_and_coarse(
        _role_name(words, "on-card", Spot(0, 65), ROLE_SIZE, ROLE_ROOM),
        _role_name(words, "on-desk", coarse_at, COARSE_ROLE_SIZE, room),
    )
    return titled_group(identifier, title, scaled, seat_disc(seat, 1, y=92), *named, at=at, class_="through")


def _role_name(words: str, class_: str, at: Spot, size: float, room: float) -> Markup:
    return tag("text", words, class_=f"b mid {class_}", x=at.x, y=at.y, font_size=size, data_room=round(room))
