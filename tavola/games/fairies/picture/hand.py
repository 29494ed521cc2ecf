"""What only the seat itself sees: its cards in a fan, the card it looks at, and what it may turn up."""

from functools import lru_cache

from markupsafe import Markup

from tavola.games.fairies.components import (
    COLOURED,
    COLOURED_COUNT,
    CROWN,
    FAIRIES,
    JOKER_VALUES,
    PIECES,
    PLACES_OF_HALVES,
    SEATS,
    SHIELDS,
    TREASURES,
    VALUE,
    WAND_COUNT,
    WANDS,
    Seen,
)
from tavola.games.fairies.picture.garden import COLOUR, text, use
from tavola.games.fairies.picture.places import FAIRY_X, GARDEN_HEIGHT, GARDEN_WIDTH, HEAD_Y, SLOTS, pane_place
from tavola.games.fairies.words.nouns import SHIELD, SHIELD_RULE, any_card, covered, king_card
from tavola.show.speech import Say
from tavola.show.svg import group, tag
from tavola.show.words import members_of

WIDTH, HEIGHT = 720, 236
CARD_WIDTH, CARD_HEIGHT = 118, 174
STEEP = 3.2  # degrees between two cards


def hand(view: Seen, say: Say) -> dict[str, Markup]:
    """The cards of the seat, sorted, in a fan."""
    assert view.hand is not None
    held = [(kind, copy) for kind, count in enumerate(view.hand.wands) for copy in range(count)]
    held += [(WAND_COUNT + shield, 0) for shield in members_of(view.hand.kings)]
    step = min(CARD_WIDTH * 0.86, (WIDTH - CARD_WIDTH - 30) / max(1, len(held) - 1))
    left = (WIDTH - CARD_WIDTH - step * (len(held) - 1)) / 2
    drawn = {}
    for k, (card, copy) in enumerate(held):
        identifier = f"card-{card}-{copy}"
        lean = k - (len(held) - 1) / 2
        turned = tag("g", _face(card), transform=f"rotate({lean * STEEP:.1f} {CARD_WIDTH / 2} {HEIGHT * 2})")
        parts = tag("title", _told(card, say)), turned
        drawn[identifier] = group(identifier, *parts, x=left + step * k, y=26, codes=_codes(card), like=f"card-{card}")
    return drawn


def _told(card: int, say: Say) -> str:
    name = any_card(card, say)
    return f"{name[:1].upper()}{name[1:]}." + (f" {say(SHIELD_RULE[card - WAND_COUNT])}" if card >= WAND_COUNT else "")


@lru_cache(maxsize=64)
def _face(card: int) -> Markup:
    edge = tag("rect", class_="edge", x=1, y=1, width=CARD_WIDTH - 2, height=CARD_HEIGHT - 2, rx=9)
    if card >= WAND_COUNT:
        shield = "king" if card - WAND_COUNT == CROWN else TREASURES[card - WAND_COUNT]
        blank = use("card-shield", 0, 0, CARD_WIDTH, CARD_HEIGHT)
        return blank + use(f"shield-{shield}", 19, 24, 80, 93) + edge
    which = "star" if card >= COLOURED_COUNT or card // 4 % 2 == 0 else "tail"
    colour = COLOUR[min(card // 8, 3)]
    value = tag("text", str(VALUE[card]), x=CARD_WIDTH / 2, y=_VALUE_Y[which], class_="num value")
    index = tag("text", str(VALUE[card]), x=20, y=32, class_="num name")
    return use(f"card-{which}-{colour}", 0, 0, CARD_WIDTH, CARD_HEIGHT) + value + index + edge


_VALUE_Y = {"star": 78, "tail": 108}


@lru_cache(maxsize=64)
def _codes(card: int) -> str:
    """What touching a card can mean."""
    if card >= WAND_COUNT:
        shield = card - WAND_COUNT
        if shield == CROWN:
            return "crown"
        return "|".join(
            [f"use {SHIELDS[shield]}", *(f"wake {fairy}" for fairy in FAIRIES if SHIELDS[shield] == "wake")]
        )
    if card < COLOURED_COUNT:
        places = [f"lay {COLOURED[card]} {seat}" for seat in range(SEATS)]
    else:
        value = JOKER_VALUES[card - COLOURED_COUNT]
        places = [f"joker {value} {seat} {half}" for seat in range(SEATS) for half in PLACES_OF_HALVES]
    return "|".join([*places, f"return {WANDS[card]}"])


def mine(view: Seen, say: Say) -> dict[str, Markup]:
    """On the table: the own garden marked, the covered fairies to be turned up, the King cards one knows."""
    assert view.seat is not None
    assert view.hand is not None
    t = view.table
    slot = SLOTS[t.players][view.seat]
    frame = tag("rect", class_="mine", x=12, y=12, width=GARDEN_WIDTH - 24, height=GARDEN_HEIGHT - 24, rx=4)
    drawn = {"mine": group("mine", frame, x=slot.x, y=slot.y, class_="through")}
    for fairy in covered(t.fairies[view.seat]):
        drawn[f"wake-{fairy}"] = group(
            f"wake-{fairy}",
            tag("rect", class_="hit", width=148, height=96, rx=10),
            tag("rect", class_="edge", width=148, height=96, rx=10),
            x=slot.x + FAIRY_X[fairy] - 74,
            y=slot.y + HEAD_Y - 2,
            codes=f"wake {FAIRIES[fairy]}",
            class_="through",
        )
    for place, card in enumerate(view.hand.grid):
        if card:
            drawn[f"known-{place}"] = _known(place, card - 1, say)
    return drawn


def _known(place: int, card: int, say: Say) -> Markup:
    """A King card that one has looked at, as one remembers it: small, in the corner of its pane."""
    x, y = pane_place(place)
    told = tag("title", say("Only you know: {card}.", card=king_card(card, say)))
    if card < PIECES:
        shown = text(str(card + 1), 55, 74, "points tx-b mid")
    else:
        name = "king" if card - PIECES == CROWN else SHIELDS[card - PIECES]
        shown = use(f"shield-{name}", 26, 30, 58, 67, aria_label=str(SHIELD(card - PIECES, say)))
    return group(f"known-{place}", told, tag("g", shown, opacity=0.92), x=x, y=y, codes="take", class_="through")
