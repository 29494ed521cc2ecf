"""What to think about: everybody's purse, hand and victories, what one is sure that others hold, and the schedule."""

from functools import lru_cache

from markupsafe import Markup

from tavola.games.tournament.components import CYCLE, JOKER, SEATS, Known, Phase, Seen, Table
from tavola.games.tournament.picture.elements import arms, board_text, face, fitted_shape, rect
from tavola.games.tournament.words.nouns import (
    card_name,
    pairs_of,
    resting_seat,
    round_text,
    seat_text,
    sort_of,
    value_of,
)
from tavola.show.kit import pitch
from tavola.show.seat_sheet import Column, Print, SeatSheet
from tavola.show.speech import Say
from tavola.show.svg import group, tag
from tavola.show.words import members_of

WIDTH, ROW = 460, 46
HEIGHT = ROW * SEATS + 116
ROUNDS_AHEAD = 4
"""Rounds that are shown ahead."""
SHEET = SeatSheet(
    Print(48, 30, "s1"),
    11,
    (
        Column(Print(190, 30, "s1b"), fitted_shape("purse", 158, 8, 27, 29)),
        Column(Print(252, 30, "s1"), fitted_shape("card-back", 226, 8, 21, 29)),
        Column(Print(398, 30, "s1b end"), fitted_shape("laurel", 404, 12, 34, 17)),
    ),
)


def side(view: Seen, say: Say) -> dict[str, Markup]:
    """A row a seat, and the rounds to come."""
    t = view.table
    drawn = {f"row-{seat}": _row(t, seat, say) for seat in range(t.players)}
    return {**drawn, **_rounds(t, say)}


def _row(t: Table, seat: int, say: Say) -> Markup:
    numbers = int(t.purse[seat]), int(t.held[seat]), int(t.won[seat]) or None
    row = _seat_row(seat, say.name(seat), numbers, bool(t.out >> seat & 1))
    return group(f"row-{seat}", tag("title", seat_text(t, seat, say)), row, y=ROW * seat)


@lru_cache(maxsize=512)
def _seat_row(seat: int, name: str, numbers: tuple[int | None, ...], out: bool) -> Markup:
    row = SHEET.row(arms(seat, 8, 4, 31, "out" if out else ""), name, numbers, "struck-out" if out else "")
    return tag("g", rect(4, ROW - 1, WIDTH - 8, 1.5, "rule"), row)


def _rounds(t: Table, say: Say) -> dict[str, Markup]:
    """The duels of this round and the next ones."""
    if t.phase == Phase.OVER or not t.begun:
        return {}
    drawn = {}
    ahead = min(ROUNDS_AHEAD, int(CYCLE[t.players]), int(t.rounds) - int(t.begun) + 1)
    for step in range(ahead):
        begun = int(t.begun) + step
        pairs, rests = pairs_of(t, begun), resting_seat(t, begun)
        told = round_text(begun, pairs, say)
        fought = int(t.fought) if not step and t.phase != Phase.TRADE else 0
        x, y = 4 + 228 * (step % 2), ROW * t.players + 8 + 54 * (step // 2)
        drawn[f"round-{step}"] = group(
            f"round-{step}", tag("title", told), _pairs(begun, tuple(pairs), rests, fought, not step), x=x, y=y
        )
    return drawn


@lru_cache(maxsize=256)
def _pairs(begun: int, pairs: tuple[tuple[int, int], ...], rests: int | None, fought: int, now: bool) -> Markup:
    parts = [
        rect(0, 0, 222, 48, "lid tm-o" if now else "later", 8),
        board_text(begun, 24, 31, "s1b mid printed-if-now" if now else "s1b mid"),
    ]
    for number, (one, other) in enumerate(pairs):
        x = 46.0 + 60 * number
        pair = arms(one, x, 9, 25) + arms(other, x + 27, 9, 25)
        parts.append(tag("g", pair, class_="spent" if number < fought else None))
    return tag("g", *parts, class_="parchment" if now else None)


def sure_cards(view: Seen, say: Say) -> dict[str, Markup]:
    """Draw what only the seat knows: cards that others are sure to hold."""
    if view.hand is None or view.table.phase == Phase.OVER:
        return {}
    drawn = {}
    for seat in range(view.table.players):
        known = view.hand.known[seat]
        numbers = _sure_numbers(known)
        if numbers:
            named = say.listing([card_name(number, say) for number in numbers])
            told = tag("title", say("Only you know: {name} holds {cards}.", name=say.name(seat), cards=named))
            drawn[f"sure-{seat}"] = group(f"sure-{seat}", told, _small_cards(tuple(numbers)), x=282, y=ROW * seat + 1)
    return drawn


def _sure_numbers(known: Known) -> list[int]:
    return [*members_of(known.cards), *[JOKER] * known.jokers]


@lru_cache(maxsize=256)
def _small_cards(numbers: tuple[int, ...]) -> Markup:
    step = pitch(len(numbers), 82, 34.0)
    faces = [face(sort_of(number), str(value_of(number)), step * k, 0, 31) for k, number in enumerate(numbers)]
    return tag("g", *faces, class_="parchment")
