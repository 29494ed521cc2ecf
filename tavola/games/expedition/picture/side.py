"""The side board: the supplies, the public goals with their distances, and a row for each seat; the strip of goals."""

from functools import lru_cache

from markupsafe import Markup

from tavola.games.expedition.atlas import POINTS
from tavola.games.expedition.components import ARROWS, GOALS, Seen, Table
from tavola.games.expedition.gazetteer import place_name
from tavola.games.expedition.picture import elements
from tavola.games.expedition.picture.elements import (
    DISTANCES,
    Distances,
    chips,
    code_of,
    distances_to,
    point_title,
    sheet_shape,
)
from tavola.games.expedition.words.nouns import COLOUR
from tavola.show.kit import PieceItem, PieceItems, fitted_shape, fitted_text, piece, seat_disc, still_piece, titled, use
from tavola.show.seat_sheet import Column, Print, SeatSheet
from tavola.show.speech import Say
from tavola.show.svg import fill_marks, tag

WIDTH, HEIGHT = 280, 312
GOAL_WIDE, GOAL_HIGH, SUPPLIES_AT = 92, 43, 92
ROWS_AT, ROW = 136, 28
STRIP = (920, 42)
"""Size of the strip: a page 1280 pixels wide shows it in this size."""


def strip(table: Table, say: Say) -> PieceItems:
    """Yield the public goals in one row, which stays in sight whatever part of the map is shown."""
    yield from (_goal("strip", *goal, say) for goal in _public_goals(table))


def _public_goals(table: Table) -> list[tuple[int, int, Distances]]:
    away = distances_to(table, table.goals)
    return [(slot, goal - 1, away[goal]) for slot, goal in enumerate(table.goals) if goal]


def side(view: Seen, say: Say, bare: Say) -> PieceItems:
    t: Table = view.table
    yield from (_goal("public", *goal, bare) for goal in _public_goals(t))
    yield _supplies(tuple(ARROWS - route.count for route in t.expedition), t.bank, t.deck + t.beneath, bare)
    yield _columns(bool(t.variant_b), bare)
    yield from (_row(t, seat, say) for seat in range(t.players))


@piece("supplies", memory=512)
def _supplies(identifier: str, left: tuple[int, ...], bank: int, deck: int, say: Say) -> Markup:
    drawn = []
    for colour, count in enumerate(left):
        named = COLOUR(colour, say)
        told = say.many("{count} {colour:single} left", "{count} {colour:arrows} left", count, colour=named)
        parts = use(f"head-{elements.TRAVELS[colour]}", 0, -3, 0.55), tag("text", str(count), x=18, y=6, class_="b")
        drawn.append(titled(told, *parts, transform=f"translate({20 + colour * 58} 22)"))
    vouchers = tag("title", say.many("{count} voucher in the bank", "{count} vouchers in the bank", bank))
    cards = tag("title", say.many("{count} card in the deck", "{count} cards in the deck", deck))
    stack = (
        tag("rect", x=-8, y=-11, width=16, height=22, rx=2, class_="sheet"),
        tag("path", d="M-5-8H5V0H-5z", fill="var(--sea)"),
    )
    number = tag("text", str(bank), x=16, y=6, class_="b")
    drawn += [
        tag("g", vouchers, use("point-red"), number, transform="translate(194 22)"),
        tag("g", cards, *stack, tag("text", str(deck), x=13, y=6, class_="b"), transform="translate(246 22)"),
    ]
    return still_piece(identifier, "", *drawn, transform=f"translate(0 {SUPPLIES_AT})")


PITCH = STRIP[0] / GOALS
SHAPES = sheet_shape("public", GOAL_WIDE - 4, GOAL_HIGH - 3), sheet_shape("strip", PITCH - 8, 36)
_PUBLIC = "M3 3H85V22H3z", (4, 2, 20, 20), (26, 17, 13, 58, "b"), 82, "3 23"
_STRIP = "M3 3H39V33H3z", (5, 2, 32, 32), (44, 15, 14, PITCH - 56, "b"), PITCH - 54, "43 19"
"""A goal's land, drawing and name, and the width and place of its distances: on the side board, on the strip."""


@piece("{name}-{slot}")
def _goal(identifier: str, name: str, slot: int, place: int, distances: Distances, say: Say) -> Markup:
    """Only the distances change with every arrow: the rest is cached with a mark in their place."""
    wide = (_PUBLIC if name == "public" else _STRIP)[3]
    return fill_marks(_kept_goal(identifier, name, slot, place, say), {DISTANCES: chips(distances, wide, 15, False)})


@lru_cache(maxsize=1024)
def _kept_goal(identifier: str, name: str, slot: int, place: int, say: Say) -> Markup:
    land, drawing, named, _, below = _PUBLIC if name == "public" else _STRIP
    row, column = divmod(slot, 3)
    at = f"{4 + column * (GOAL_WIDE + 1)} {3 + row * GOAL_HIGH}" if name == "public" else f"{4 + slot * PITCH:g} 3"
    return still_piece(
        identifier,
        point_title(place + 1, say),
        use(f"sheet-{name}", class_="sheet"),
        tag("path", d=land, fill=f"var(--{POINTS[place + 1].region}-land)"),
        fitted_shape(f"place-{code_of(place)}", *drawing),
        fitted_text(place_name(place + 1, say), *named),
        tag("g", DISTANCES, transform=f"translate({below})"),
        class_="card",
        transform=f"translate({at})",
        data_shape=f"place-{code_of(place)}",
        data_number=place + 1,
        data_look=f"point-{code_of(place)}",
    )


COLUMNS = (138, 180, 222, 264)
SHEET = SeatSheet(Print(32, 0, "b", 15, 84), 14, tuple(Column(Print(x, 0, "mid")) for x in COLUMNS))


@piece("columns", memory=16)
def _columns(identifier: str, without_cards: bool, say: Say) -> Markup:
    columns = (
        (say("Goals reached, private and public"), tag("circle", r=8, class_="coarse-stamp")),
        (say("Tokens collected, and tokens still on the map"), tag("g", use("flag", -8, 14, 0.62), class_="white")),
        (say("Vouchers"), use("point-red", 0, 0, 0.85)),
        (say("Cards in hand"), tag("rect", x=-7, y=-9, width=14, height=19, rx=2, class_="sheet")),
    )
    shown = [
        titled(told, drawn, transform=f"translate({x} {ROWS_AT - 8})")
        for x, (told, drawn) in zip(COLUMNS, columns, strict=True)
    ]
    return still_piece(identifier, "", *(shown[1:3] if without_cards else shown))


def _row(t: Table, seat: int, say: Say) -> PieceItem:
    explorer = t.explorers[seat]
    goals, cards = (None, None) if t.variant_b else (explorer.own + explorer.public, explorer.cards)
    numbers = goals, f"{explorer.collected}/{explorer.tokens}", explorer.vouchers, cards
    return _seat_row(seat, say.name(seat), numbers, seat == t.seat)


@piece("row-{seat}")
def _seat_row(identifier: str, seat: int, name: str, numbers: tuple[object, ...], turn: bool) -> Markup:
    back = (tag("rect", y=-21, width=WIDTH, height=ROW, rx=4, class_="turn"),) if turn else ()
    shown = SHEET.row(seat_disc(seat, 16, -5, 10, 0.62, class_="edged"), name, numbers)
    at = f"translate(0 {ROWS_AT + 26 + seat * ROW})"
    return still_piece(identifier, "", *back, shown, class_="row", transform=at)
