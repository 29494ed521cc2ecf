"""The ledger: turns by seats, every vote in black and white, the captain ringed, what was sailed, and the counts."""

from collections.abc import Mapping
from functools import lru_cache

from markupsafe import Markup

from tavola.games.voyage.components import ROLES, TURNS, Phase
from tavola.games.voyage.picture.board_state import BoardState, Leg, ballot_of, points_text
from tavola.games.voyage.picture.captions import ballot_title
from tavola.games.voyage.picture.desk import face_of, sailed_disc, seat_disc
from tavola.games.voyage.words.nouns import ROLE, count_visited
from tavola.games.voyage.words.titles import turn_title
from tavola.show.kit import PieceItem, PieceItems, piece, use
from tavola.show.speech import Say, mark
from tavola.show.svg import tag

WIDTH, HEIGHT = 466, 197
FIRST, COLUMN = 99, 18.6
"""The middle of the first turn's column, and the width of a column."""
SAILED_Y, SEATS_TOP, SEATS_BOTTOM = 37, 48, 168
GUESS_X = 66
VISITED = {
    "isle": mark("Islands visited: {count}"),
    "cross": mark("Islands with the cross visited: {count}"),
    "sea": mark("Open sea visited: {count}"),
    "fog": mark("Fog visited: {count}"),
    "border": mark("Border and start visited: {count}"),
}


def row_y(seat: int, players: int) -> float:
    """The middle of a seat's row."""
    height = (SEATS_BOTTOM - SEATS_TOP) / players
    return SEATS_TOP + height * (seat + 0.5)


def ledger(shown: BoardState, say: Say, bare: Say) -> PieceItems:
    """The page, a column a turn, and what has been visited."""
    yield _page(shown.players, bare)
    names = tuple(say.name(seat) for seat in range(shown.players))
    for seat in range(shown.players):
        yield _row(seat, shown.players, names[seat], shown.turn > 0 and seat == shown.captain)
    present = bool(shown.turns) and shown.phase != Phase.OVER
    yield from _past_columns(shown.turns[:-1] if present else shown.turns, names, bare)
    if present:
        number, leg = len(shown.turns), shown.turns[-1]
        faces = tuple(shown.ballot_face(seat) or ("none" if leg.preferred else "") for seat in range(shown.players))
        yield _column(number, leg, faces, True, names, bare)
    visited = count_visited(shown.explored, shown.crosses, shown.plains, shown.avalon)
    yield _counts(visited, shown.avalons, bare)
    if shown.phase == Phase.OVER and shown.ending:
        for seat in set(range(shown.players)) - shown.face_down_seats:
            yield _known_role(seat, shown.players, shown.roles[seat] - 1, shown.points[seat], bare)


@piece("ledger", memory=32)
def _page(identifier: str, players: int, say: Say) -> Markup:
    numbers = []
    for turn in (*range(1, 10), *range(10, TURNS + 1, 2)):  # two figures need the room of two columns
        x, close = round(FIRST + COLUMN * (turn - 1), 1), " close" if turn > 9 else ""
        numbers.append(tag("text", str(turn), class_=f"mid on-card{close}", x=x, y=20, font_size=14.5))
    height, bottom = (SEATS_BOTTOM - SEATS_TOP) / players, SEATS_BOTTOM + 4
    lines = "".join(f"M8 {row_y(seat, players) - height / 2:g}H458" for seat in range(players))
    return tag(
        "g",
        tag("path", class_="page", d="M3 3L462 2L463 194L4 195Z"),
        tag("path", class_="fine-line", d=f"{lines}M8 {SEATS_BOTTOM}H458M86 6V{bottom}M83 6V{bottom}"),
        tag("text", say("Turn"), class_="i pencilled", x=12, y=20, font_size=15),
        tag("text", say("Sailed"), class_="i pencilled", x=12, y=SAILED_Y + 5, font_size=15),
        *numbers,
        id=identifier,
        class_="piece through",
    )


@piece("row-{seat}", memory=128)
def _row(identifier: str, seat: int, players: int, name: str, captain: bool) -> Markup:
    y = row_y(seat, players)
    hat = (use("hat", x=40, y=y - 1, scale=0.6),) if captain else ()
    title = tag("title", name)
    return tag("g", title, seat_disc(seat, 0.5, 20, y), *hat, id=identifier, class_="piece")


@lru_cache(maxsize=512)
def _past_columns(legs: tuple[Leg, ...], names: tuple[str, ...], say: Say) -> tuple[PieceItem, ...]:
    """The columns of turns that are over."""
    drawn = []
    for number, leg in enumerate(legs, 1):
        faces = tuple(ballot_of(leg, seat) if leg.voted_on else "" for seat in range(len(names)))
        drawn.append(_column(number, leg, faces, False, names, say))
    return tuple(drawn)


@piece("column-{number}", memory=2048)
def _column(
    identifier: str, number: int, leg: Leg, faces: tuple[str, ...], present: bool, names: tuple[str, ...], say: Say
) -> Markup:
    players = len(faces)
    drawn = []
    if present:
        drawn.append(tag("rect", class_="now", x=-9.3, y=6, width=18.6, height=SEATS_BOTTOM - 4, rx=4))
    if leg.sailed:
        title = tag("title", turn_title(number, leg.sailed, leg.preferred, names[leg.captain], say))
        drawn.append(tag("g", title, sailed_disc(leg, 0.92), transform=f"translate(0 {SAILED_Y})"))
    for seat, face in enumerate(faces):
        y = row_y(seat, players)
        title = tag("title", ballot_title(names[seat], "" if face == "none" else face, say))
        if face == "none":
            drawn.append(tag("g", title, tag("circle", class_="missing", r=6.6), transform=f"translate(0 {y:g})"))
        elif face:
            drawn.append(tag("g", title, use(f"token-{face}"), transform=f"translate(0 {y:g}) scale(.76)"))
        if seat == leg.captain:
            drawn.append(tag("circle", class_="ringed", r=8.7, cy=y))
    x = FIRST + COLUMN * (number - 1)
    return tag("g", *drawn, id=identifier, class_="piece", transform=f"translate({x:g} 0)")


@piece("visited", memory=512)
def _counts(identifier: str, visited: tuple[int, ...], avalons: tuple[int, int], say: Say) -> Markup:
    drawn = []
    for place, ((shape, told), count) in enumerate(zip(VISITED.items(), visited, strict=True)):
        title, sign = tag("title", say(told, count=count)), use(f"mark-{shape}", scale=1.05)
        number = tag("text", str(count), class_="b on-card", x=16, y=6, font_size=17)
        drawn.append(tag("g", title, sign, number, transform=f"translate({26 + 66 * place} 182)"))
    hidden = {"times": avalons[0], "count": avalons[1]}
    title = tag("title", say("Fog: {count} tiles face down, Avalon among them {times} times", **hidden))
    number = tag("text", say("{times} in {count}", **hidden), class_="b on-card", x=18, y=6, font_size=17)
    fog = tag("g", title, use("mark-avalon", scale=1.1), number, transform="translate(366 182)")
    return tag("g", *drawn, fog, id=identifier, class_="piece")


@piece("known-{seat}", memory=512)
def _known_role(identifier: str, seat: int, players: int, role: int, points: int, say: Say) -> Markup:
    """The role of a seat, once it is turned up."""
    y = row_y(seat, players)
    return tag(
        "g",
        tag("title", say(ROLE[role])),
        tag("g", face_of(role), transform=f"translate({GUESS_X} {y:g}) scale(.135)"),
        tag("text", points_text(points), class_="b mid on-desk", x=GUESS_X + 10, y=y + 8, font_size=14.5),
        id=identifier,
        class_="piece",
    )


def guess_marks(players: int, noted: Mapping[int, str], say: Say) -> dict[str, Markup]:
    """Private guesses beside the seats, by the key of the role."""
    kept = ((seat, ROLES.index(key)) for seat, key in sorted(noted.items()) if key in ROLES)
    return dict(_guess(seat, players, role, say) for seat, role in kept)


@piece("guess-{seat}", memory=512)
def _guess(identifier: str, seat: int, players: int, role: int, say: Say) -> Markup:
    y = row_y(seat, players)
    return tag(
        "g",
        tag("title", say("Your guess: {role}", role=say(ROLE[role]))),
        tag("g", face_of(role), transform=f"translate({GUESS_X} {y:g}) scale(.135)", class_="guess"),
        tag("text", "?", class_="b", x=GUESS_X + 6, y=y + 4, font_size=15, fill="var(--vermilion)"),
        id=identifier,
        class_="piece",
    )
