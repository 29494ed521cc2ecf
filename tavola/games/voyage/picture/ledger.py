"""The ledger: turns by seats, with each vote, the captain, the course sailed, and the counts."""

from collections.abc import Mapping

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
    """Yield the page, a column for each turn, and the counts of visited tiles."""
    t, turns = shown.table, shown.turns
    yield _page(t.players, bare)
    names = tuple(say.name(seat) for seat in range(t.players))
    for seat, name in enumerate(names):
        yield _row(seat, t.players, name, t.turn > 0 and seat == t.captain)
    for number, turn in enumerate(turns, 1):
        present = number == len(turns) and t.phase != Phase.OVER
        faces = tuple(_ballot_face(shown, turn, seat, present) for seat in range(t.players))
        yield _column(number, turn, faces, present, names, bare)
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


def _ballot_face(shown: BoardState, turn: Turn, seat: int, present: bool) -> str:
    """What the ledger shows of a vote: "none" if it is still to come."""
    if present:
        return shown.ballot_face(seat) or ("none" if turn.preferred else "")
    return ballot_of(turn, seat) if voted_on(turn) else ""


@piece("column-{number}", memory=2048)
def _column(
    identifier: str, number: int, turn: Turn, faces: tuple[str, ...], present: bool, names: tuple[str, ...], say: Say
) -> Markup:
    drawn = [box("now", -9.3, 6, 18.6, SEATS_BOTTOM - 4, 4)] if present else []
    if turn.sailed:
        title = turn_title(number, turn.sailed, turn.preferred, names[turn.captain], say)
        drawn.append(titled(title, sailed_disc(turn, 0.92), transform=f"translate(0 {SAILED_Y})"))
    for seat, (face, name) in enumerate(zip(faces, names, strict=True)):
        y = row_y(seat, len(faces))
        place = f"translate(0 {y:g})"
        if face == "none":
            drawn.append(titled(ballot_title(name, "", say), tag("circle", class_="missing", r=6.6), transform=place))
        elif face:
            drawn.append(titled(ballot_title(name, face, say), use(f"token-{face}"), transform=f"{place} scale(.76)"))
        if seat == turn.captain:
            drawn.append(tag("circle", class_="ringed", r=8.7, cy=y))
    return still_piece(identifier, "", *drawn, transform=f"translate({FIRST + COLUMN * (number - 1):g} 0)")


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
