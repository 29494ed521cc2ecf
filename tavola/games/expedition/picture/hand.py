"""The hand: goals as picture postcards, vouchers, and a passport with a stamp for each place reached.

A wide screen shows the fine drawing, a narrow one the coarse one below it, in fewer and larger strokes.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from markupsafe import Markup

from tavola.games.expedition.atlas import POINTS
from tavola.games.expedition.components import Phase, Seen
from tavola.games.expedition.gazetteer import place_name, region_name
from tavola.games.expedition.network import PLACE_COUNT
from tavola.games.expedition.picture.elements import (
    COARSE_DISTANCES,
    DISTANCES,
    Distances,
    chips,
    code_of,
    distances_to,
    flag,
    point_title,
    sheet_shape,
)
from tavola.games.expedition.words.nouns import goals_of
from tavola.show.kit import PieceItems, fine_and_coarse, fitted_shape, fitted_text, piece, still_piece, two_lines, use
from tavola.show.speech import Say
from tavola.show.svg import fill_marks, tag

WIDTH, HEIGHT = 1280, 152
STRIP = (0, 0, 720, 180)
"""The part that a narrow screen shows: two units are a pixel."""
MOST_UPRIGHT = 6
"""Maximum number of upright cards, in one row; more are drawn flat in two rows."""
CACHE = 1024
"""Maximum number of cached prints of each kind: enough for all cards in all languages."""
CARDS_WIDE, COARSE_WIDE = 872, 616
LEAST_COLUMNS = 4
"""Minimum number of columns on a narrow screen, which limits the width of a card."""
ROOM_BESIDE = 140
"""Minimum width of a small card that has its name beside its drawing."""


class Card(NamedTuple):
    """A card of the hand: its place of research, its distances, the token there, and whether it has just been drawn."""

    place: int
    distances: Distances
    token: int  # the seat and one; 0 without a token
    drawn: bool  # one of two, of which one is kept

    @property
    def code(self) -> str:
        return code_of(self.place)


def hand(view: Seen, say: Say) -> PieceItems:
    assert view.seat is not None
    cards = _cards(view)
    yield "desk", _DESK
    for number, card in enumerate(cards):
        yield _card(card, number, len(cards), view.table.phase == Phase.TOKENS, say)
    yield _vouchers(view.table.explorers[view.seat].vouchers, say)
    yield _passport(tuple(place for place in range(PLACE_COUNT) if view.table.laid[place] == view.seat + 1), say)


def _cards(view: Seen) -> list[Card]:
    """Drawn ones first; in variant B there are tokens instead of cards."""
    assert view.hand is not None
    t = view.table
    drawn = [card - 1 for card in view.hand.drawn if card] if t.phase == Phase.KEEP else []
    held = [place for place in goals_of(view) if place not in drawn]
    away = distances_to(t, [place + 1 for place in (*drawn, *held)])
    return [Card(place, away[place + 1], t.token[place], place in drawn) for place in (*drawn, *held)]


_WOOD, _WEAVE = (
    tag("path", fill=fill, d=f"M-400 0H{WIDTH + 400}V260H-400z") for fill in ("var(--desk)", "url(#ex-weave)")
)
_DESK = still_piece("desk", "", _WOOD, _WEAVE, class_="through")


@piece("card-{card.code}", memory=2048)
def _card(identifier: str, card: Card, number: int, count: int, placing: bool, say: Say) -> Markup:
    """Only the distances change with every arrow: the rest is cached with marks in their places."""
    kept = _kept_card(identifier, card._replace(distances=()), number, count, placing, say)
    upright = count <= MOST_UPRIGHT
    fine = chips(card.distances, 108 if upright else 76, 16 if upright else 17, upright)
    coarse = chips(card.distances, 99, 30 if upright else 28, False)
    return fill_marks(kept, {DISTANCES: fine, COARSE_DISTANCES: coarse})


@lru_cache(maxsize=2048)
def _kept_card(identifier: str, card: Card, number: int, count: int, placing: bool, say: Say) -> Markup:
    fine = (_upright_card if count <= MOST_UPRIGHT else _lying_card)(card, number, count, say)
    return still_piece(
        identifier,
        point_title(card.place + 1, say),
        *fine_and_coarse(fine, _coarse_card(card, number, count, say)),
        class_="card" + (" drawn" if card.drawn else ""),
        codes=f"{'keep' if card.drawn else 'token' if placing else 'exchange'} {card.code}",
        data_shape=f"place-{card.code}",
        data_number=card.place + 1,
        data_look=f"point-{card.code}",
    )


def _window(place: int, name: str) -> Markup:
    width, height, size, inset = WINDOWS[name]
    region = POINTS[place + 1].region
    parts = (
        tag("path", d=f"M0 0H{width:g}V{height:g}H0z", fill=f"var(--{region}-land)"),
        use(f"sky-{name}", class_="sky"),
        use(f"hills-{name}", fill=f"var(--{region})", opacity=0.35),
        fitted_shape(f"place-{code_of(place)}", width / 2 - size / 2, height - size - 1, size, size),
        tag("path", d=f"M0 0H{width:g}V{height:g}H0z", class_="frame"),
    )
    return tag("g", tag("g", *parts), transform=f"translate({inset} {inset})")


def _window_shapes(name: str) -> tuple[Markup, Markup]:
    width, height, *_ = WINDOWS[name]
    sky = "".join(f"M1 {4 + 4.4 * line:.1f}H{width - 1:g}" for line in range(int(height / 5)))
    hills = f"M0 {height - 10:g}q{width / 4:g}-5 {width / 2:g}-1t{width / 2:g}-1V{height:g}H0z"
    return tag("path", id=f"sky-{name}", d=sky), tag("path", id=f"hills-{name}", d=hills)


SHEETS = {"upright": (130, 134), "lying": (138, 66)}
WINDOWS = {"upright": (114, 70, 62, 8), "lying": (52, 54, 48, 6)}
"""A card's sheet, and its window: width, height, the size of the drawing in it, and its inset."""
SHAPES = (
    *(sheet_shape(name, *size) for name, size in SHEETS.items()),
    *chain.from_iterable(map(_window_shapes, WINDOWS)),
)
LEANS = (-1.6, 0.9, -0.7, 1.2, -1, 0.6)
_UPRIGHT = (19, 19, 1), (65, 94, 16, 116, "b mid"), (65, 108, 12.5, 112, "i mid soft")
_LYING = (13, 13, 0.7), (62, 22, 15, 72, "b"), (62, 36, 12, 72, "i soft")
"""The region's sign on a card, and the texts of the place and its region."""
TICKETS = (("882 16", -5), ("880 55", 3), ("884 98", -3))


def _upright_card(card: Card, number: int, count: int, say: Say) -> Markup:
    away = tag("g", DISTANCES, transform="translate(11 113)")
    token = flag(card.token - 1, 96, 44, 0.82) if card.token else Markup()
    at = f"translate({14 + number * 142} {8 + number % 2 * 3}) rotate({LEANS[number]})"
    return tag("g", _fine_print(card.place, True, say), away, token, transform=at)


def _lying_card(card: Card, number: int, count: int, say: Say) -> Markup:
    row, column = divmod(number, (count + 1) // 2)
    away = tag("g", DISTANCES, transform="translate(59 43)")
    token = flag(card.token - 1, 44, 38, 0.6) if card.token else Markup()
    apart = min(145, CARDS_WIDE / max(1, (count + 1) // 2))
    at = f"translate({8 + column * apart:g} {6 + row * 73})"
    return tag("g", _fine_print(card.place, False, say), away, token, transform=at)


@lru_cache(maxsize=2 * CACHE)
def _fine_print(place: int, upright: bool, say: Say) -> Markup:
    sign, named, below = _UPRIGHT if upright else _LYING
    region, name = POINTS[place + 1].region, "upright" if upright else "lying"
    parts = (
        use(f"sheet-{name}", 2.5, 3, class_="cast"),
        use(f"sheet-{name}", class_="sheet"),
        _window(place, name),
        use(f"point-{region}", *sign),
        fitted_text(place_name(place + 1, say), *named),
        fitted_text(region_name(region, say), *below),
    )
    return Markup("").join(parts)


def _coarse_card(card: Card, number: int, count: int, say: Say) -> Markup:
    many = count > MOST_UPRIGHT
    columns = max(LEAST_COLUMNS, (count + 1) // 2 if many else count)
    row, column = divmod(number, columns)
    wide = COARSE_WIDE / columns - 6
    nearest = tag("g", COARSE_DISTANCES, transform=f"translate({(wide - 99) / 2:g} {53 if many else 135})")
    token = flag(card.token - 1, *((4, 40, 0.62) if many else (wide - 30, 42, 0.8))) if card.token else Markup()
    if many:
        printed = _coarse_lying_print(card.place, wide, bool(card.token), say)
    else:
        printed = _coarse_upright_print(card.place, wide, say)
    at = f"translate({6 + column * COARSE_WIDE / columns:g} {4 + row * 88})"
    return tag("g", printed, nearest, token, transform=at)


def _coarse_name(place: int, x: float, middle: float, room: float, say: Say) -> list[Markup]:
    lines = two_lines(place_name(place + 1, say))
    first = middle + 8 - 12 * (len(lines) - 1)
    return [fitted_text(line, x, first + 24 * row, 24, room, "b mid") for row, line in enumerate(lines)]


@lru_cache(maxsize=CACHE)
def _coarse_upright_print(place: int, wide: float, say: Say) -> Markup:
    region, href = POINTS[place + 1].region, f"#place-{code_of(place)}"
    parts = (
        tag("rect", class_="sheet", width=wide, height=170, rx=5),
        tag("rect", x=4, y=4, width=wide - 8, height=80, rx=3, fill=f"var(--{region}-land)"),
        tag("use", href=href, x=wide / 2 - 37, y=8, width=74, height=74),
        use(f"point-{region}", 18, 19),
        *_coarse_name(place, wide / 2, 109, wide - 8, say),
    )
    return Markup("").join(parts)


@lru_cache(maxsize=CACHE)
def _coarse_lying_print(place: int, wide: float, flagged: bool, say: Say) -> Markup:
    """The coarse print of one of many: its name is beside the drawing, or on it if narrow."""
    left, x, opacity = (48, 3.0, None) if wide >= ROOM_BESIDE else (23 if flagged else 4, wide / 2 - 23, 0.3)
    room = wide - 4 - left
    parts = (
        tag("rect", class_="sheet", width=wide, height=84, rx=5),
        tag("rect", x=3, y=3, width=wide - 6, height=48, rx=3, fill=f"var(--{POINTS[place + 1].region}-land)"),
        tag("use", href=f"#place-{code_of(place)}", x=x, y=4, width=46, height=46, opacity=opacity),
        *_coarse_name(place, left + room / 2, 27, room, say),
    )
    return Markup("").join(parts)


@piece("vouchers", memory=128)
def _vouchers(identifier: str, count: int, say: Say) -> Markup:
    title = say.many("{count} voucher", "{count} vouchers", count)
    ticket = tag("g", use("ticket"), fitted_text(say("Voucher").upper(), 61, 19, 14, 62, "b mid stamped"))
    fine = [tag("g", ticket, transform=f"translate({at}) rotate({turned})") for at, turned in TICKETS[:count]]
    if count:
        tally = tag("circle", r=15, class_="tally"), tag("text", str(count), y=7, class_="b mid tallied")
        fine.append(tag("g", *tally, transform="translate(986 20)"))
    coarse = (
        tag("rect", class_="sheet", x=624, y=2, width=92, height=82, rx=5),
        tag("text", str(count), x=670, y=32, font_size=30, class_="b mid stamped"),
        use("ticket", 630, 40, 0.76),
    )
    parts = tag("g", *fine, class_="fine"), tag("g", *coarse, class_="coarse")
    return still_piece(identifier, title, *parts, class_="card", codes="voucher")


_BOOK = (
    tag("rect", width=262, height=136, rx=4, class_="cover"),
    tag("path", d="M6 6H130V130H6zM132 6H256V130H132z", fill="var(--page)"),
    tag("path", d="".join(f"M12 {y}H124M138 {y}H250" for y in range(26, 130, 13)), class_="ruled"),
    tag("path", d="M122 6h18V130h-18z", fill="var(--shadow)", opacity=0.5),
)
_COARSE_BOOK = (
    tag("rect", x=626, y=90, width=88, height=86, rx=6, class_="cover"),
    tag("rect", x=634, y=98, width=72, height=70, fill="var(--page)"),
    tag("circle", cx=670, cy=133, r=28, class_="coarse-stamp"),
)


@piece("passport", memory=256)
def _passport(identifier: str, stamps: tuple[int, ...], say: Say) -> Markup:
    title = say.many("Your passport: {count} goal reached", "Your passport: {count} goals reached", len(stamps))
    count = tag("text", str(len(stamps)), x=248, y=20, font_size=14, class_="b end soft")
    coarse_count = tag("text", str(len(stamps)), x=670, y=143, font_size=30, class_="b mid")
    fine = *_BOOK, fitted_text(say("Passport").upper(), 14, 20, 13, 100, "soft"), count, *_postmarks(stamps, say)
    shown = tag("g", *fine, class_="fine", transform="translate(1008 8)")
    return still_piece(identifier, title, shown, tag("g", *_COARSE_BOOK, coarse_count, class_="coarse"))


STAMPS = ((4, 4, 2, 27), (8, 4, 2, 25), (18, 6, 3, 18), (PLACE_COUNT, 9, 9, 12))
"""Maximum number of stamps, columns, rows, and radius; up to four are in a zigzag."""


def _postmarks(stamps: tuple[int, ...], say: Say) -> Iterator[Markup]:
    columns, rows, radius = next(form for most, *form in STAMPS if len(stamps) <= most)
    for number, place in enumerate(stamps):
        row, column = divmod(number, columns)
        if len(stamps) <= 4:
            row = number % 2
        x, y = 6 + 250 * (column + 0.5) / columns, 30 + 100 * (row + 0.5) / rows
        at = f"translate({x:g} {y:g}) rotate({(-9, 7, -5, 10)[number % 4]})"
        yield tag("g", postmark(place, radius, say), transform=at)


def postmark(place: int, radius: float, say: Say) -> Markup:
    colour, size = f"var(--{POINTS[place + 1].region})", radius * 1.26
    parts = [
        tag("circle", r=radius, stroke=colour, stroke_width=2.2, fill="none"),
        tag("circle", r=radius - 3.5, stroke=colour, fill="none"),
        fitted_shape(f"place-{code_of(place)}", -size / 2, -size * 0.7, size, size),
    ]
    if radius > 20:
        wide = radius + 2
        parts += [
            tag("path", d=f"M-{wide:g} 7H{wide:g}V21H-{wide:g}z", fill="var(--page)", stroke=colour, stroke_width=1.3),
            fitted_text(place_name(place + 1, say), 0, 18, 12.5, 2 * wide - 6, "b mid", fill=colour),
        ]
    return tag("g", *parts)
