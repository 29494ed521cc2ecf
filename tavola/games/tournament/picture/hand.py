"""What only the seat itself sees: its cards by kind, the best in front, with outlines for missing kinds.

A wide screen shows the fine drawing, woodcuts in columns; a narrow one the coarse drawing, tiles as large as a finger.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from tavola.games.tournament.components import (
    CARDS,
    JOKER,
    JOKER_SORT,
    KIND_COUNT,
    KINDS,
    SORT_COUNT,
    SORTS,
    Phase,
    Seen,
)
from tavola.games.tournament.picture import elements as draw
from tavola.games.tournament.picture.tiltyard import BOX_CODES, box_spot, ground
from tavola.games.tournament.words import nouns
from tavola.show.kit import PieceItem, PieceItems, anonymous_say, fine_and_coarse, piece, pitch
from tavola.show.speech import Say, capitalized
from tavola.show.svg import group, tag

WIDTH, HEIGHT = 800, 264
STRIP = (0, 0, 720, 180)
"""What a narrow screen shows; two units are a pixel."""
CARD_WIDE = 118.0
CARD_TALL = CARD_WIDE * 142 / 104
PITCH, FLOOR, TALL_TILE = 160.0, 256.0, 120.0
MOST_COLUMNS, WIDEST_TILE = 9, 150.0
"""On a narrow screen: maximum number of columns still as wide as a finger, and maximum width of one."""
MOST_IN_STACK = 5
"""Maximum cards of a kind in one stack; more are in two stacks."""


class HeldCard(NamedTuple):
    """A card in hand: its number, its number among copies, and whether the draft gives it."""

    number: int
    copy: int
    given: bool

    @property
    def name(self) -> str:
        return CARDS[self.number] + (f"-{self.copy}" if self.copy else "")


def hand(view: Seen, say: Say) -> tuple[PieceItem, ...]:
    assert view.seat is not None
    t, own = view.table, nouns.own_hand(view)
    needs_set = t.phase <= Phase.TRADE and not t.out >> view.seat & 1
    may_give = nouns.can_offer(t, view.seat, own.draft) and not all(own.draft.given)
    cards = tuple(nouns.cards_of(own))
    return _hand(cards, own.draft.given, needs_set, may_give, anonymous_say(view.game, say.language))


@lru_cache(maxsize=2048)
def _hand(
    cards: tuple[int, ...], given: tuple[int, ...], needs_set: bool, may_give: bool, say: Say
) -> tuple[PieceItem, ...]:
    """Draw a hand: kept, since it stays the same while others trade and while the rest of an offer is built."""
    held, jokers = _held_cards(cards, given), cards.count(JOKER)
    gaps = nouns.kinds_without_cards(cards) if needs_set else []
    tiles = _tiles(held, gaps)
    drawn = [("cloth", _CLOTH)]
    drawn += [_missing_kind(kind, place < jokers, tiles[str(kind)], say) for place, kind in enumerate(gaps)]
    for sort in range(SORT_COUNT):
        column = [one for one in held if nouns.sort_of(one.number) == sort]
        for index, one in enumerate(column):
            spot = _spot(sort, index, len(column))
            drawn.append(_card(one, may_give and not one.given, spot, tiles[one.name], say))
    return tuple(drawn)


_CLOTH = group("cloth", draw.cloth(-900, -400, 2800, 1200, "tm-vl2"), class_="through")


def _held_cards(cards: Sequence[int], draft: Sequence[int]) -> list[HeldCard]:
    """Return the cards in a hand; `draft`: those that an offer being built gives, as in `Draft`."""
    given = nouns.listed(draft)
    copies = [cards[:place].count(number) for place, number in enumerate(cards)]
    return [HeldCard(number, copy, copy < given.count(number)) for number, copy in zip(cards, copies, strict=True)]


class Tile(NamedTuple):
    """A card's place on a narrow screen."""

    x: float
    y: float
    width: float
    height: float


def _tiles(held: list[HeldCard], gaps: list[int]) -> dict[str, Tile]:
    """Return columns by kind, two cards deep, the best below; missing kinds have a tile too."""
    columns: list[list[str]] = []
    for sort in range(SORT_COUNT):
        names = [one.name for one in held if nouns.sort_of(one.number) == sort] + [str(sort)] * (sort in gaps)
        columns += _two_deep(names)
    if len(columns) > MOST_COLUMNS:  # then not by kind
        columns = _two_deep([name for column in columns for name in column])
    wide = min(WIDEST_TILE, STRIP[2] / max(1, len(columns)))
    tiles: dict[str, Tile] = {}
    for number, column in enumerate(columns):
        tall = STRIP[3] / len(column)
        for place, name in enumerate(column):
            tiles[name] = Tile(wide * number + 2, tall * place + 3, wide - 5, tall - 8)
    return tiles


def _two_deep(names: list[str]) -> list[list[str]]:
    return [names[first : first + 2] for first in range(0, len(names), 2)]


def _spot(sort: int, index: int, count: int) -> tuple[float, float]:
    """Return a card's place in its column; the best is in front, below."""
    x, stacks = 8 + PITCH * sort, 1 if count <= MOST_IN_STACK else 2
    deep = -(-count // stacks)
    stack, level = divmod(index, deep)
    step = pitch(deep, FLOOR - CARD_TALL - 8, 54.0)
    here = deep if stack < stacks - 1 else count - deep * (stacks - 1)
    return x + 34 * stack, FLOOR - CARD_TALL - step * (here - 1 - level)


@piece("own-{one.name}", memory=8192)
def _card(identifier: str, one: HeldCard, adds: bool, spot: tuple[float, float], tile: Tile, say: Say) -> Markup:
    """Draw a card for the wide screen and for the narrow one; `adds`: touching it adds it to an offer."""
    edge = draw.rect(0, 0, CARD_WIDE - 2, CARD_TALL - 1, "edge", 9)
    fine = draw.translate(*spot, draw.card(one.number, 0, 0, CARD_WIDE) + edge)
    coarse = draw.translate(tile.x, tile.y, _coarse_card(one.number, tile.width, tile.height))
    code, kinds = f"give {CARDS[one.number]}", KINDS if one.number == JOKER else [KINDS[nouns.sort_of(one.number)]]
    equips = (f"equip {kind} {nouns.value_of(one.number) or 'joker'}" for kind in kinds)
    return group(
        identifier,
        tag("title", say("{card}.", card=capitalized(nouns.card_name(one.number, say)))),
        *fine_and_coarse(fine, coarse),
        class_="card-of-hand parchment" + (" lifted" if one.given else ""),
        codes="|".join([code, *equips]),
        data_adds=code if adds else None,
        data_first="offer all" if adds else None,
        data_removes=code if one.given else None,
    )


@lru_cache(maxsize=512)
def _coarse_card(number: int, width: float, height: float) -> Markup:
    sort, value, low = nouns.sort_of(number), nouns.value_of(number), height < TALL_TILE
    size = min(width * 0.52, 52.0) if low else min(width * 0.78, 78.0)
    x, y = (width - size - 3, height / 2 - size * 0.62) if low else ((width - size) / 2, height * 0.94 - size * 1.3)
    return tag(
        "g",
        draw.rect(2, 4, width, height, "tm-ik", 8),
        draw.rect(0, 0, width, height, f"tm-kd-{SORTS[sort]} tm-o", 8),
        draw.fitted_shape(f"art-{SORTS[sort]}", x, y, size, size * 1.34),
        draw.board_text(value, 7 if width > 60 else 4, height / 2 + 13 if low else 42, "tile"),
        draw.rect(0, 0, width, height, "edge", 8),
        class_=f"r{draw.metal(value)}",
    )


@piece("missing-{kind}", memory=512)
def _missing_kind(identifier: str, kind: int, joker: bool, tile: Tile, say: Say) -> Markup:
    told = say("You don’t have {kind:a}.", kind=nouns.KIND(kind, say))
    if joker:
        told = say("You don’t have {kind:a}. A joker takes its place and counts 0.", kind=nouns.KIND(kind, say))
    shown = fine_and_coarse(_fine_gap(kind, joker, say), _coarse_gap(kind, joker, tile))
    return group(identifier, tag("title", told), *shown, class_="parchment")


def _fine_gap(kind: int, joker: bool, say: Say) -> Markup:
    x, y = _spot(kind, 0, 1)
    parts = [draw.rect(-3, -3, CARD_WIDE + 4, CARD_TALL + 5, "lacking", 10), draw.outline(kind, "", 0, 0, CARD_WIDE)]
    if joker:
        note = draw.fitted_shape("art-joker", 18, 98, 38, 51), draw.board_text("= 0", 80, 133, "x4b mid")
        parts += [draw.rect(14, 96, 90, 54, "lid tm-o", 8), *note]
    words = draw.board_text(say("missing"), x + CARD_WIDE / 2, y - 12, "x4 italic mid soft")
    return draw.translate(x, y, *parts) + words


def _coarse_gap(kind: int, joker: bool, tile: Tile) -> Markup:
    size, middle = min(tile.width * 0.5, 48.0), tile.width / 2
    edge = draw.rect(2, 2, tile.width - 4, tile.height - 4, "lacking", 8)
    art = draw.fitted_shape(f"art-{KINDS[kind]}", middle - size / 2, 8, size, size * 1.34)
    words = draw.board_text("= 0" if joker else "?", middle, tile.height - 8, "x4b mid")
    return draw.translate(tile.x, tile.y, edge, tag("g", art, class_="absent r2"), words)


def laid_cards(view: Seen, say: Say) -> PieceItems:
    t, held = view.table, view.hand
    if held is None or view.seat not in t.duel.seats or t.phase != Phase.ARMING:
        return
    side = t.duel.seats.index(view.seat)
    to_fill = [box for box in range(t.duel.box, KIND_COUNT) if not held.laid[box]]
    for box in to_fill:
        x, y, width = box_spot(side, box)
        told = say("{name}’s box for {kind:the}.", name=say.name(view.seat), kind=nouns.KIND(box, say))
        own = group(f"slot-{box}", tag("title", told), ground(width), x=x, y=y, class_="box", codes=BOX_CODES[box])
        yield f"slot-{box}", own
    for card in dict.fromkeys(nouns.cards_of(held)):
        for box in to_fill:
            if nouns.sort_of(card) in (box, JOKER_SORT):
                yield _would_lie(card, box, side, anonymous_say(view.game, say.language))
    for box, laid in enumerate(held.laid):
        if laid:
            x, y, width = box_spot(side, box)
            told = say("You played {card}. Only you can see it.", card=nouns.card_name(laid - 1, say))
            small = draw.card(laid - 1, width * 0.4, width * 0.62, width * 0.54, "known")
            yield f"laid-{box}", group(f"laid-{box}", tag("title", told), small, x=x, y=y, class_="through")


@piece("lies-{box}-{card}", memory=1024)
def _would_lie(identifier: str, card: int, box: int, side: int, say: Say) -> Markup:
    x, y, width = box_spot(side, box)
    told = tag("title", say("{card}.", card=capitalized(nouns.card_name(card, say))))
    height = width * draw.CARD_HEIGHT / draw.CARD_WIDTH
    drawn = draw.card(card, 0, 0, width) + draw.rect(0, 0, width, height, "edge", 9)
    code = f"equip {KINDS[box]} {nouns.value_of(card) or 'joker'}"
    return group(identifier, told, drawn, x=x, y=y, class_="would-lie through", data_lies=code)
