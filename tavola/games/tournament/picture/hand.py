"""What only the seat holds: its cards by kind, the best in front, and an outline for what is missing.

A wide screen shows the fine drawing, woodcuts in columns; a narrow one the coarse one, tiles as large as a finger.
"""

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from tavola.games.tournament.components import (
    CARDS,
    JOKER,
    KIND_COUNT,
    KINDS,
    SORT_COUNT,
    SORTS,
    Hand,
    Phase,
    Seen,
    Table,
)
from tavola.games.tournament.picture.elements import (
    board_text,
    card,
    cloth,
    face,
    fitted_shape,
    outline,
    rect,
    translate,
)
from tavola.games.tournament.words.nouns import KIND, card_name, cards_of, kinds_without_cards, sort_of, value_of
from tavola.show.kit import anonymous_say, fine_and_coarse, pitch
from tavola.show.speech import Say
from tavola.show.svg import group, tag

WIDTH, HEIGHT = 800, 264
STRIP = (0, 0, 720, 180)
"""What a narrow screen shows: two units are a pixel."""
CARD_WIDE = 118.0
CARD_TALL = CARD_WIDE * 142 / 104
PITCH = 160.0
FLOOR = 256.0
MOST_IN_STACK = 5
"""So many cards of a kind lie one above the other; more lie in two stacks."""


class HeldCard(NamedTuple):
    """One card: its number, which of several alike it is, and whether the draft gives it."""

    number: int
    copy: int
    given: bool

    @property
    def name(self) -> str:
        """The id of its piece."""
        return f"own-{CARDS[self.number]}" + (f"-{self.copy}" if self.copy else "")


def hand(view: Seen, say: Say) -> dict[str, Markup]:
    """The cloth, the cards by kind, the outlines."""
    assert view.hand is not None
    held = _held_cards(view.hand)
    assert view.seat is not None
    fights = not view.table.out >> view.seat & 1
    gaps = kinds_without_cards(cards_of(view.hand)) if fights and view.table.phase <= Phase.TRADE else []
    stand_in, bare = view.hand.jokers, anonymous_say(view.game, say.language)
    drawn = {"cloth": _CLOTH}
    tiles = _tiles(held, gaps)
    for kind in gaps:
        drawn[f"missing-{kind}"] = _missing_kind(kind, gaps.index(kind) < stand_in, tiles[f"missing-{kind}"], bare)
    for sort in range(SORT_COUNT):
        column = [one for one in held if sort_of(one.number) == sort]
        for index, one in enumerate(column):
            given = _can_be_given(view.table, view, one)
            drawn[one.name] = _card(one, given, _spot(sort, index, len(column)), tiles[one.name], bare)
    return drawn


_CLOTH = group("cloth", cloth(-900, -400, 2800, 1200, "tm-vl2"), class_="through")


def _held_cards(hand: Hand) -> list[HeldCard]:
    """The cards by kind, the lowest of each first."""
    given = [number - 1 for number in hand.draft.given if number]
    found: list[HeldCard] = []
    copies = Counter[int]()
    for number in cards_of(hand):
        found.append(HeldCard(number, copies[number], copies[number] < given.count(number)))
        copies[number] += 1
    return found


class Tile(NamedTuple):
    """The place of a card on a narrow screen."""

    x: float
    y: float
    width: float
    height: float


def _tiles(held: list[HeldCard], gaps: list[int]) -> dict[str, Tile]:
    """Two rows, in the order of the kinds; what is missing has its place among them."""
    names = []
    for sort in range(SORT_COUNT):
        names += [one.name for one in held if sort_of(one.number) == sort]
        names += [f"missing-{sort}"] if sort in gaps else []
    columns = max(7, -(-len(names) // 2))
    width = 720 / columns
    return {
        name: Tile(width * (number % columns) + 2, 88.0 * (number // columns) + 3, width - 5, 82.0)
        for number, name in enumerate(names)
    }


def _spot(sort: int, index: int, count: int) -> tuple[float, float]:
    """The place of a card in its column; the best lies in front, below."""
    x, stacks = 8 + PITCH * sort, 1 if count <= MOST_IN_STACK else 2
    deep = -(-count // stacks)
    stack, level = divmod(index, deep)
    step = pitch(deep, FLOOR - CARD_TALL - 8, 54.0)
    here = deep if stack < stacks - 1 else count - deep * (stacks - 1)
    return x + 34 * stack, FLOOR - CARD_TALL - step * (here - 1 - level)


@lru_cache(maxsize=8192)
def _card(one: HeldCard, adds: bool, spot: tuple[float, float], tile: Tile, say: Say) -> Markup:
    """A card twice: for the wide screen and for the narrow one; `adds`: a touch puts it into an offer."""
    told = card_name(one.number, say)
    told = say("{card}.", card=f"{told[:1].upper()}{told[1:]}")
    x, y = spot
    fine = translate(x, y, _fine_card(one.number))
    coarse = translate(tile.x, tile.y, _coarse_card(one.number, tile.width, tile.height))
    class_ = "card-of-hand parchment" + (" lifted" if one.given else "")
    code = f"give {CARDS[one.number]}"
    return group(
        one.name,
        tag("title", told),
        *fine_and_coarse(fine, coarse),
        class_=class_,
        codes=_codes(one.number),
        data_adds=code if adds else None,
        data_first="offer all" if adds else None,
        data_removes=code if one.given else None,
    )


def _can_be_given(t: Table, view: Seen, one: HeldCard) -> bool:
    """Return whether a touch puts the card into one's offer, one that is begun or a new one to all."""
    assert view.seat is not None
    assert view.hand is not None
    draft = view.hand.draft
    if t.phase != Phase.TRADE or t.done >> view.seat & 1 or one.given or all(draft.given):
        return False
    return bool(draft.to) or t.published[view.seat] < t.offer_limit


@lru_cache(maxsize=64)
def _codes(number: int) -> str:
    """Return the actions that touching a card can mean."""
    if number == JOKER:
        return "|".join(["give joker", *(f"equip {kind} joker" for kind in KINDS)])
    return f"give {CARDS[number]}|equip {KINDS[sort_of(number)]} {value_of(number)}"


@lru_cache(maxsize=64)
def _fine_card(number: int) -> Markup:
    return card(number, 0, 0, CARD_WIDE) + rect(0, 0, CARD_WIDE - 2, CARD_TALL - 1, "edge", 9)


@lru_cache(maxsize=512)
def _coarse_card(number: int, width: float, height: float) -> Markup:
    """A tile: the field of its kind, the value, the emblem."""
    sort = sort_of(number)
    rank = 1 if value_of(number) <= 5 else 2 if value_of(number) <= 10 else 3
    size = min(width * 0.52, 52.0)
    drawn = fitted_shape(f"art-{SORTS[sort]}", width - size - 3, height / 2 - size * 0.62, size, size * 1.34)
    return tag(
        "g",
        rect(2, 4, width, height, "tm-ik", 8),
        rect(0, 0, width, height, f"tm-kd-{SORTS[sort]} tm-o", 8),
        drawn,
        board_text(value_of(number), 7 if width > 60 else 4, height / 2 + 13, "tile"),
        rect(0, 0, width, height, "edge", 8),
        class_=f"r{rank}",
    )


@lru_cache(maxsize=512)
def _missing_kind(kind: int, joker: bool, tile: Tile, say: Say) -> Markup:
    """A kind of which there is none; a joker stands in for it as 0."""
    told = say("You hold no card of this kind: {kind}.", kind=KIND(kind, say))
    if joker:
        told = say("You hold no card of this kind: {kind}. A joker stands in and counts 0.", kind=KIND(kind, say))
    parts = tag("title", told), *_gap(kind, joker, tile, say)
    return group(f"missing-{kind}", *parts, class_="parchment")


@lru_cache(maxsize=256)
def _gap(kind: int, joker: bool, tile: Tile, say: Say) -> tuple[Markup, Markup]:
    x, y = _spot(kind, 0, 1)
    note = (
        rect(14, 96, 90, 54, "lid tm-o", 8)
        + fitted_shape("art-joker", 18, 98, 38, 51)
        + board_text("= 0", 80, 133, "x4b mid")
    )
    edge = rect(-3, -3, CARD_WIDE + 4, CARD_TALL + 5, "lacking", 10)
    fine = translate(x, y, edge, outline(kind, "", 0, 0, CARD_WIDE), note if joker else Markup())
    word = board_text(say("missing"), x + CARD_WIDE / 2, y - 12, "x4 italic mid soft")
    size = min(tile.width * 0.5, 48.0)
    middle = tile.width / 2
    ghost = tag("g", fitted_shape(f"art-{KINDS[kind]}", middle - size / 2, 8, size, size * 1.34), class_="absent r2")
    mark = board_text("= 0" if joker else "?", middle, tile.height - 8, "x4b mid")
    coarse = translate(tile.x, tile.y, rect(2, 2, tile.width - 4, tile.height - 4, "lacking", 8), ghost, mark)
    return fine_and_coarse(fine + word, coarse)


def laid_cards(view: Seen, say: Say) -> dict[str, Markup]:
    """On the lists: the own cards that lie face down, as their owner knows them."""
    from tavola.games.tournament.picture.tiltyard import box_spot

    t, hand_ = view.table, view.hand
    if hand_ is None or view.seat not in t.duel.seats or t.phase != Phase.ARMING:
        return {}
    side = t.duel.seats.index(view.seat)
    drawn = {}
    for box in range(KIND_COUNT):
        if not hand_.laid[box]:
            continue
        x, y, width = box_spot(side, box)
        number = hand_.laid[box] - 1
        told = tag("title", say("You have laid {card}: only you see it.", card=card_name(number, say)))
        small = face(sort_of(number), str(value_of(number)), width * 0.4, width * 0.62, width * 0.54, "known")
        drawn[f"laid-{box}"] = group(f"laid-{box}", told, small, x=x, y=y, class_="through")
    return drawn
