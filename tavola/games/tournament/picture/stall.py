"""The table of the market: planks, the sign with its hourglass, and before each trader what he has brought.

Cards lie there face down and sous in coins, as everybody sees them; offers are laid over them from above.
"""

from collections.abc import Iterator

from markupsafe import Markup

from tavola.games.tournament.components import Table
from tavola.games.tournament.picture import elements as draw
from tavola.games.tournament.words import nouns
from tavola.show.kit import PAINTS, PieceItem, PieceItems, piece, pitch
from tavola.show.speech import Say
from tavola.show.svg import group, tag

COINS = (10, 5, 1)
MOST_BACKS, MOST_COINS = 14, 9
"""So many cards and coins of one trader are drawn; of more the number tells."""
NARROW = 300.0
"""Below this width a place shows arms and numbers alone."""
LOWEST, TALLEST = 130.0, 236.0
"""The height of a place, at least and at most."""
GAP = 8.0
HIGH, COIN, DIGIT = 190.0, 44.0, 21.0
"""The height of a place from which the number of sous has room below the coins; the width of one, and of a figure."""

PLANKS = group("stall", draw.cloth(-900, -900, 2800, 2800, "tm-wd", fill="wood"), class_="through")


def places(t: Table, left: float, top: float, width: float, height: float, say: Say) -> PieceItems:
    if height < LOWEST:
        return
    rows = min(-(-t.players // 2), max(1, int(height / LOWEST)), 2 if t.players > 3 else t.players)
    tall = min(TALLEST, height / rows - GAP)
    above, most = top + (height - rows * (tall + GAP)) / 2, -(-t.players // rows)
    for seat in range(t.players):
        row, column = divmod(seat, most)
        here = min(most, t.players - row * most)
        wide = width / here - GAP
        yield _place_of(t, seat, (left + column * (wide + GAP), above + row * (tall + GAP), wide, tall), say)


def _place_of(t: Table, seat: int, box: tuple[float, float, float, float], say: Say) -> PieceItem:
    away = bool(t.done >> seat & 1)
    return _place(seat, box, t.purse[seat], t.held[seat], away, say.name(seat), nouns.seat_text(t, seat, say))


@piece("place-{seat}", memory=512)
def _place(
    identifier: str,
    seat: int,
    box: tuple[float, float, float, float],
    purse: int,
    cards: int,
    away: bool,
    name: str,
    told: str,
) -> Markup:
    x, y, wide, tall = box
    parts = [
        draw.path(f"M6 9H{wide + 6:.0f}V{tall + 9:.0f}H6Z", "tm-shade"),
        tag("g", draw.rect(0, 0, wide, tall, "cloth", 8), class_=PAINTS[seat]),
        draw.rect(0, 0, wide, tall, "", 8, "diaper"),
        draw.cloth(9, 9, wide - 18, tall - 18, "mat-bare", 5, "grain"),
    ]
    inside = _small_place if wide < NARROW else _large_place
    drawn = tag("g", *inside(seat, wide, tall, purse, cards, name), class_="spent" if away else None)
    return group(
        identifier, tag("title", told), tag("g", *parts, drawn, class_="parchment"), x=x, y=y, class_="through"
    )


def _small_place(seat: int, wide: float, tall: float, purse: int, cards: int, name: str) -> Iterator[Markup]:
    middle = wide / 2
    yield draw.arms(seat, middle - 27, 18, 54)
    yield draw.board_text(f"{purse}", middle + 4, tall - 20, "x3b end")
    yield draw.fitted_shape("sou-5", middle - 62, tall - 52, 38, 38)
    yield draw.back(-1, middle + 14, tall - 54, 26) + draw.board_text(cards, middle + 46, tall - 20, "x3b")


def _large_place(seat: int, wide: float, tall: float, purse: int, cards: int, name: str) -> Iterator[Markup]:
    size = min(74.0, (tall - 84) * 0.7)
    yield draw.arms(seat, 22, 18, 50)
    yield draw.board_text(name[:13], 86, 60, "x3b")
    yield from _purse_laid(purse, wide - 36 - 3 * size - 60, tall)
    shown = min(cards, MOST_BACKS)
    fan = pitch(shown, min(2.1 * size, wide - size - 160), 16.0)
    right = wide - 24 - size - fan * (shown - 1)
    for number in range(shown):
        yield draw.back(-1, right + fan * number, tall - size * 1.36 - 16, size)
    if cards:
        spot = wide - 24 - size / 2
        yield draw.rect(spot - 27, tall - size * 0.68 - 38, 54, 44, "lid tm-o", 8)
        yield draw.board_text(cards, spot, tall - size * 0.68 - 4, "x3b mid")


def _purse_laid(purse: int, room: float, tall: float) -> Iterator[Markup]:
    """Coins with their number below them, or before them where the place is low: never over them."""
    tight = tall < HIGH
    left = 34.0 + DIGIT * len(str(purse)) if tight else 20.0
    top, coins = (tall - 62 if tight else tall - 118), list(_coins(purse))
    step = pitch(len(coins), room - left + 20, 24.0)
    for number, sous in enumerate(coins):
        down = 0 if tight else number % 2 * 12
        yield draw.fitted_shape(f"sou-{sous}", left + step * number, top + down, COIN, COIN)
    yield draw.board_text(purse, 22 if tight else 34, tall - 28 if tight else tall - 24, "x3b")


def _coins(purse: int) -> Iterator[int]:
    shown = 0
    for sous in COINS:
        while purse >= sous and shown < MOST_COINS:
            yield sous
            purse, shown = purse - sous, shown + 1


@piece("awning", memory=256)
def sign(identifier: str, words: str, trading: int, players: int) -> Markup:
    board = draw.path("M330 4H670L650 30L670 58H330L350 30Z", "tm-vl tm-b")
    name = draw.board_text(words, 518, 44, "x3b mid")
    tag_ = draw.rect(432, 62, 136, 44, "lid tm-o", 8), tag("text", "", x=500.0, y=96.0, class_="x3b mid", data_clock="")
    time = tag("g", *tag_, class_="time")
    tent = draw.cloth(-900, -900, 2800, 906, "tm-az")  # on a tall stage
    shown = tag("g", board, hourglass(358, 9, trading / max(players, 1)), name, time, class_="parchment")
    return group(identifier, tent, draw.fitted_shape("awning", -300, 0, 1600, 96), shown, class_="through")


def hourglass(x: float, y: float, left: float) -> Markup:
    """An hourglass 32 wide and 45 high; `left`: the share of its sand that is still above."""
    above, below = 20 * left, 26 * (1 - left)
    half = 10 * left
    sand = [f"M{30 - half:.1f} {42 - above:.1f}H{30 + half:.1f}L30 42Z"] if left else []
    sand += [f"M{30 - 14 * (1 - left):.1f} 71H{30 + 14 * (1 - left):.1f}L30 {71 - below:.1f}Z"] if left < 1 else []
    glass = draw.path("M8 4H52V12H8ZM8 72H52V80H8Z", "tm-wd tm-o")
    glass += draw.path(
        "M14 12H46C46 30 34 36 34 42C34 48 46 54 46 72H14C14 54 26 48 26 42C26 36 14 30 14 12Z", "tm-gl tm-o"
    )
    return draw.translate(x, y, glass, *(draw.path(line, "tm-or") for line in sand), scale=0.54)
