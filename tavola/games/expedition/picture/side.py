"""What there is to think about: the supplies, the public goals with their distances, and everybody's row."""

from collections.abc import Iterator
from functools import lru_cache

from markupsafe import Markup

from tavola.games.expedition.atlas import POINTS
from tavola.games.expedition.components import ARROWS, COLOUR_COUNT, GOALS, Seen, Table
from tavola.games.expedition.gazetteer import place_name
from tavola.games.expedition.picture.elements import (
    TRAVELS,
    Distances,
    chips,
    code_of,
    distances_to,
    fitted_text,
    point_title,
    scallop,
)
from tavola.games.expedition.words.nouns import COLOUR
from tavola.show.kit import PAINTS, sign, use
from tavola.show.speech import Say
from tavola.show.svg import tag

WIDTH, HEIGHT = 280, 478
ROWS_AT, ROW = 302, 28
PieceItems = Iterator[tuple[str, Markup]]


def side(view: Seen, say: Say, bare: Say) -> PieceItems:
    """The lowest first."""
    t: Table = view.table
    yield "supplies", _supplies(tuple(ARROWS - route.count for route in t.expedition), t.bank, t.deck + t.beneath, bare)
    for slot in range(GOALS):
        goal = t.goals[slot]
        if goal:
            yield f"public-{slot}", _goal(slot, goal - 1, distances_to(t, goal), bare)
    yield "columns", _columns(bool(t.variant_b), bare)
    for seat in range(t.players):
        yield f"row-{seat}", _row(t, seat, say)


@lru_cache(maxsize=512)
def _supplies(left: tuple[int, ...], bank: int, deck: int, say: Say) -> Markup:
    """Arrows that are left of each colour, vouchers in the bank, cards in the deck."""
    drawn = []
    for colour in range(COLOUR_COUNT):
        told = say.many(
            "{count} {colour:single} left", "{count} {colour:arrows} left", left[colour], colour=COLOUR(colour, say)
        )
        parts = use(f"head-{TRAVELS[colour]}", 0, -3, 0.55), tag("text", str(left[colour]), x=18, y=6, class_="b")
        drawn.append(tag("g", tag("title", told), *parts, transform=f"translate({20 + colour * 58} 22)"))
    vouchers = tag("title", say.many("{count} voucher in the bank", "{count} vouchers in the bank", bank))
    cards = tag("title", say.many("{count} card in the deck", "{count} cards in the deck", deck))
    stack = (
        tag("rect", x=-8, y=-11, width=16, height=22, rx=2, class_="sheet"),
        tag("path", d="M-5-8H5V0H-5z", fill="var(--sea)"),
    )
    drawn += [
        tag(
            "g",
            vouchers,
            use("point-red", 0, 0),
            tag("text", str(bank), x=16, y=6, class_="b"),
            transform="translate(194 22)",
        ),
        tag("g", cards, *stack, tag("text", str(deck), x=13, y=6, class_="b"), transform="translate(246 22)"),
    ]
    return tag("g", *drawn, id="supplies", class_="piece")


@lru_cache(maxsize=1024)
def _goal(slot: int, place: int, distances: Distances, say: Say) -> Markup:
    """A public goal: a small stamp with its picture, its name and how far the heads are."""
    region, (row, column) = POINTS[place + 1].region, divmod(slot, 3)
    inside = (
        tag("title", point_title(place + 1, say)),
        tag("path", class_="sheet", d=scallop(88, 112)),
        tag("path", d="M6 6H82V66H6z", fill=f"var(--{region}-land)"),
        tag("use", href=f"#place-{code_of(place)}", x=17, y=9, width=54, height=54),
        tag("path", d="M6 6H82V66H6z", class_="frame"),
        use(f"point-{region}", 15, 15, 0.8),
        fitted_text(place_name(place + 1, say), 44, 82, 14, 78, "b mid"),
        tag("g", chips(distances, 78, 18, False), transform="translate(5 88)"),
    )
    return tag(
        "g",
        *inside,
        id=f"public-{slot}",
        class_="piece card",
        transform=f"translate({4 + column * 92} {48 + row * 120})",
        data_shape=f"place-{code_of(place)}",
        data_number=place + 1,
        data_look=f"point-{code_of(place)}",
    )


COLUMNS = (138, 180, 222, 264)


@lru_cache(maxsize=16)
def _columns(without_cards: bool, say: Say) -> Markup:
    """What the columns of the rows are: goals reached, tokens, vouchers, cards."""
    told = (
        say("Goals reached, private and public"),
        say("Own tokens: collected, and still on the map"),
        say("Vouchers"),
        say("Cards in hand"),
    )
    signs = (
        tag("circle", r=8, class_="coarse-stamp"),
        tag("g", use("flag", -8, 14, 0.62), class_="white"),
        use("point-red", 0, 0, 0.85),
        tag("rect", x=-7, y=-9, width=14, height=19, rx=2, class_="sheet"),
    )
    shown = [
        tag("g", tag("title", title), drawn, transform=f"translate({x} {ROWS_AT - 8})")
        for x, title, drawn in zip(COLUMNS, told, signs, strict=True)
    ]
    return tag("g", *(shown[1:3] if without_cards else shown), id="columns", class_="piece")


def _row(t: Table, seat: int, say: Say) -> Markup:
    explorer = t.explorers[seat]
    numbers = (
        explorer.own + explorer.public,
        f"{explorer.collected}/{explorer.tokens}",
        explorer.vouchers,
        explorer.cards,
    )
    turn = seat == t.seat
    return _seat_row(seat, say.name(seat), tuple(map(str, numbers)), turn, bool(t.variant_b))


@lru_cache(maxsize=1024)
def _seat_row(seat: int, name: str, numbers: tuple[str, ...], turn: bool, without_cards: bool) -> Markup:
    disc = tag("circle", cx=16, cy=-5, r=10, fill="var(--own)", class_="edged"), sign(PAINTS[seat], 16, -5, 0.62)
    back = (tag("rect", y=-21, width=WIDTH, height=ROW, rx=4, class_="turn"),) if turn else ()
    shown = (1, 2) if without_cards else (0, 1, 2, 3)
    cells = [tag("text", numbers[cell], x=COLUMNS[cell], y=0, class_="mid") for cell in shown]
    return tag(
        "g",
        *back,
        tag("g", *disc, class_=PAINTS[seat]),
        fitted_text(name if len(name) <= 14 else f"{name[:13]}…", 32, 0, 15, 84, "b"),
        *cells,
        id=f"row-{seat}",
        class_="piece row",
        transform=f"translate(0 {ROWS_AT + 26 + seat * ROW})",
    )
