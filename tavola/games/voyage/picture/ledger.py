"""The ledger: turns by seats, with each vote, the captain, the course sailed, and the counts.

A past turn is a piece. In the present one each seat has its own, because votes change one after the other.
"""

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from tavola.games.voyage.components import ROLES, TURNS, Phase, Turn
from tavola.games.voyage.picture.desk import face_of, sailed_disc
from tavola.games.voyage.picture.elements import box, printed, seat_disc
from tavola.games.voyage.picture.scene import BoardState, ballot_of, voted_on
from tavola.games.voyage.words.nouns import ROLE, ballot_title, count_visited, turn_title
from tavola.show.kit import PieceItems, piece, still_piece, titled, use
from tavola.show.speech import Say, figure, mark
from tavola.show.svg import tag

LEDGER_SIZE = (466, 197)
FIRST, COLUMN = 99, 18.6
"""Middle of the first turn's column, and the width of a column."""
SAILED_Y, SEATS_TOP, SEATS_BOTTOM = 37, 48, 168
GUESS_X = 66
VISITED = {
    "isle": mark("Islands visited: {count}"),
    "cross": mark("Islands with a cross visited: {count}"),
    "sea": mark("Open sea tiles visited: {count}"),
    "fog": mark("Fog tiles visited: {count}"),
    "border": mark("Border tiles, start included: {count}"),
}


def row_y(seat: int, players: int) -> float:
    """Return the middle of a seat's row."""
    return SEATS_TOP + (SEATS_BOTTOM - SEATS_TOP) / players * (seat + 0.5)


def ledger(shown: BoardState, say: Say, bare: Say) -> PieceItems:
    """Yield the page, the seats, the turns, and the counts of visited tiles."""
    t, turns = shown.table, shown.turns
    yield _page(t.players, bare)
    names = tuple(say.name(seat) for seat in range(t.players))
    for seat, name in enumerate(names):
        yield _row(seat, t.players, name, t.turn > 0 and seat == t.captain)
    past = turns if t.phase == Phase.OVER else turns[:-1]
    for number, turn in enumerate(past, 1):
        yield _column(number, turn, names, bare)
    if len(past) < len(turns):
        yield from _present_turn(shown, names, bare)
    yield _counts(tuple(count_visited(t)), shown.avalons, bare)
    if t.phase == Phase.OVER and t.ending:
        for seat in set(range(t.players)) - shown.face_down_seats:
            yield _known_role(seat, t.players, t.roles[seat] - 1, shown.points[seat], bare)


@piece("ledger", memory=32)
def _page(identifier: str, players: int, say: Say) -> Markup:
    numbers = []
    for turn in (*range(1, 10), *range(10, TURNS + 1, 2)):  # two digits need the width of two columns
        close = " close" if turn > 9 else ""
        numbers.append(printed(str(turn), f"mid on-card{close}", round(FIRST + COLUMN * (turn - 1), 1), 20, 14.5))
    height, bottom = (SEATS_BOTTOM - SEATS_TOP) / players, SEATS_BOTTOM + 4
    lines = "".join(f"M8 {row_y(seat, players) - height / 2:g}H458" for seat in range(players))
    return still_piece(
        identifier,
        "",
        tag("path", class_="page", d="M3 3L462 2L463 194L4 195Z"),
        tag("path", class_="fine-line", d=f"{lines}M8 {SEATS_BOTTOM}H458M86 6V{bottom}M83 6V{bottom}"),
        printed(say("Turn"), "i pencilled", 12, 20, 15),
        printed(say("Sailed"), "i pencilled", 12, SAILED_Y + 5, 15),
        *numbers,
        class_="through",
    )


@piece("row-{seat}", memory=128)
def _row(identifier: str, seat: int, players: int, name: str, captain: bool) -> Markup:
    y = row_y(seat, players)
    hat = (use("hat", x=40, y=y - 1, scale=0.6),) if captain else ()
    return still_piece(identifier, name, seat_disc(seat, 0.5, 20, y), *hat)


@piece("column-{number}", memory=2048)
def _column(identifier: str, number: int, turn: Turn, names: tuple[str, ...], say: Say) -> Markup:
    faces = [ballot_of(turn, seat) if voted_on(turn) else "" for seat in range(len(names))]
    marks = (_mark(seat, face, seat == turn.captain, names, say) for seat, face in enumerate(faces))
    parts = *_sailed(number, turn, names, say), *(part for mark in marks for part in mark)
    return still_piece(identifier, "", *parts, transform=_in_column(number))


def _in_column(number: int) -> str:
    return f"translate({FIRST + COLUMN * (number - 1):g} 0)"


def _sailed(number: int, turn: Turn, names: tuple[str, ...], say: Say) -> Iterator[Markup]:
    if turn.sailed:
        title = turn_title(number, turn.sailed, turn.preferred, names[turn.captain], say)
        yield titled(title, sailed_disc(turn, 0.92), transform=f"translate(0 {SAILED_Y})")


def _mark(seat: int, face: str, captain: bool, names: tuple[str, ...], say: Say) -> Iterator[Markup]:
    """Yield the vote of a seat in a turn, and the captain's ring. `face`: "none" if the vote is still to come."""
    y = row_y(seat, len(names))
    if face:
        title = ballot_title(names[seat], "" if face == "none" else face, say)
        yield titled(title, use(f"token-{face}"), transform=f"translate(0 {y:g}) scale(.76)")
    if captain:
        yield tag("circle", class_="ringed", r=8.7, cy=y)


def _present_turn(shown: BoardState, names: tuple[str, ...], say: Say) -> PieceItems:
    number, turn = len(shown.turns), shown.turns[-1]
    sailed = turn._replace(courses=0, losing=0, black=0, reached=0)
    yield _present_column(number, sailed if turn.sailed else sailed._replace(preferred=0), names, say)
    for seat in range(len(names)):
        face = shown.ballot_face(seat) or ("none" if turn.preferred else "")
        if face or seat == turn.captain:
            yield _present_mark(number, seat, face, seat == turn.captain, names, say)


@piece("now-{number}", memory=512)
def _present_column(identifier: str, number: int, turn: Turn, names: tuple[str, ...], say: Say) -> Markup:
    now = box("now", -9.3, 6, 18.6, SEATS_BOTTOM - 4, 4)
    return still_piece(identifier, "", now, *_sailed(number, turn, names, say), transform=_in_column(number))


@piece("vote-{number}-{seat}", memory=2048)
def _present_mark(
    identifier: str, number: int, seat: int, face: str, captain: bool, names: tuple[str, ...], say: Say
) -> Markup:
    return still_piece(identifier, "", *_mark(seat, face, captain, names, say), transform=_in_column(number))


@piece("visited", memory=512)
def _counts(identifier: str, visited: tuple[int, ...], avalons: tuple[int, int], say: Say) -> Markup:
    drawn = []
    for place, ((shape, told), count) in enumerate(zip(VISITED.items(), visited, strict=True)):
        parts = use(f"mark-{shape}", scale=1.05), printed(str(count), "b on-card", 16, 6, 17)
        drawn.append(titled(say(told, count=count), *parts, transform=f"translate({24 + 62 * place} 182)"))
    hidden = {"times": avalons[0], "count": avalons[1]}
    title = say("Fog tiles face down: {count} (Avalon: {times})", **hidden)
    number = printed(say("{times} of {count} left", **hidden), "b on-card", 18, 6, 15)
    fog = titled(title, use("mark-avalon", scale=1.1), number, transform="translate(340 182)")
    return still_piece(identifier, "", *drawn, fog)


def _face(role: int, y: float, class_: str | None = None) -> Markup:
    return tag("g", face_of(role), transform=f"translate({GUESS_X} {y:g}) scale(.135)", class_=class_)


@piece("known-{seat}", memory=512)
def _known_role(identifier: str, seat: int, players: int, role: int, points: int, say: Say) -> Markup:
    y = row_y(seat, players)
    scored = printed(figure(points), "b mid on-desk", GUESS_X + 10, y + 8, 14.5)
    return still_piece(identifier, say(ROLE[role]), _face(role, y), scored)


def guess_marks(players: int, noted: Mapping[int, str], say: Say) -> dict[str, Markup]:
    """Return private guesses beside the seats, by the key of the role."""
    kept = ((seat, ROLES.index(key)) for seat, key in sorted(noted.items()) if key in ROLES)
    return dict(_guess(seat, players, role, say) for seat, role in kept)


@piece("guess-{seat}", memory=512)
def _guess(identifier: str, seat: int, players: int, role: int, say: Say) -> Markup:
    y, title = row_y(seat, players), say("Your guess: {role}", role=say(ROLE[role]))
    doubt = tag("text", "?", class_="b", x=GUESS_X + 6, y=y + 4, font_size=15, fill="var(--vermilion)")
    return still_piece(identifier, title, _face(role, y, "guess"), doubt)
