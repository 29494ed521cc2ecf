"""Positions of Fairies for tests, written as one line a seat.

A hand is a list of cards: `green-star-2 gold-5 crown`. The cards in front of a seat are one word for each fairy, star
before tail, the visible card last. In `green:1.0/3 red:2/g5 blue:1/-~ +four`, the green wand has a star 0 on a star 1
and a tail 3. The red wand has a star 2 and a joker of 5, the blue one only a star, and the shield `four` is on the
table. A complete wand belongs to an awake fairy unless `~` follows.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tavola.core import CHANCE, Match
from tavola.games.fairies import GAME
from tavola.games.fairies.components import COPIES, KINGS, PILE, TREASURES, WANDS
from tavola.show.testing import play

Document = dict[str, Any]
THREE, STRONG = "green:1/1 blue:1/1 red:1/1", "green:3/3 blue:3/3 red:2/2"
"""Gardens of three awake fairies."""


def match_at(
    hands: Sequence[str],
    gardens: Sequence[str] = (),
    *,
    healed: str = "",
    looked: dict[int, str] | None = None,
    deck: Sequence[str] | None = None,
    **fields: Any,
) -> Match:
    """Return a match at a position: phase 1 of seat 0, unless `fields` of the table set another.

    `healed`: the numbers of the pieces that are face up. `looked`: face-down King cards that a player has looked at, by
    place from 1. The place is marked, and the seat that is looking knows the card. `deck`: the whole deck, by default
    all remaining cards. Missing cards are put under a card of their own half in front of the last seat, whose wands
    must have one. In phase 2, one action is left by default.
    """
    options = {name: fields.pop(name) for name in ("rounds", "first_player") if name in fields}
    players = len(hands)
    laid = [garden(words) for words in (*gardens, *[""] * (players - len(gardens)))]
    held = [hand(words) for words in hands]
    left = Counter({kind: int(count) for kind, count in zip(WANDS, COPIES, strict=True)})
    for seat in range(players):
        left.subtract(held[seat]["wands"])
        left.subtract(card for half in laid[seat]["halves"].values() for card in half["cards"])
        laid[seat]["wands"] = sum(held[seat]["wands"].values())
        laid[seat]["kings"] = len(held[seat]["kings"])
    left.subtract(card for card in [fields.get("aside", "none")] if card != "none")
    if deck is not None:
        _put_beneath(laid[-1], left - Counter(deck))
        left = Counter(deck)
    document = {"phase": "empower", "begun": 1, "dealt": 4 * players, "deck": left.total(), "fairies": laid, **fields}
    document.setdefault("energy", int(document["phase"] in ("energy", "equal", "steal", "refill", "exchange")))
    # By default the seat that began the round is as many turns back as are finished.
    document.setdefault("first", (fields.get("seat", 0) - fields.get("turns", 0)) % players)
    document |= _kings(laid, held, healed, looked or {})
    _note_looked_at(held, looked or {}, fields)
    document["box"]["deck"] = {kind: left[kind] for kind in WANDS}
    return Match(GAME, position={**document, "hands": held}, players=players, **options)


def garden(words: str) -> Document:
    halves: Document = {}
    up, shields = [], []
    for word in words.split():
        if word.startswith("+"):
            shields.append(word[1:])
            continue
        fairy, _, cards = word.rstrip("~").partition(":")
        for half, stack in zip(("star", "tail"), cards.split("/"), strict=True):
            kinds = [f"gold-{c[1:]}" if c[0] == "g" else f"{fairy}-{half}-{c}" for c in stack.split(".") if c != "-"]
            halves[f"{fairy}-{half}"] = {"count": len(kinds), "cards": kinds}
        if "-" not in cards and not word.endswith("~"):
            up.append(fairy)
    return {"up": up, "halves": halves, "shields": shields, "points": 0}


def hand(words: str) -> Document:
    cards = words.split()
    wands = Counter(card for card in cards if card not in TREASURES)
    return {"wands": dict(wands), "kings": [card for card in cards if card in TREASURES]}


def _kings(laid: list[Document], held: list[Document], healed: str, looked: dict[int, str]) -> Document:
    owned = {shield for one in laid for shield in one["shields"]} | {king for one in held for king in one["kings"]}
    gone = owned | {f"piece-{number}" for number in healed} | set(looked.values())
    grid = [looked.get(place, "none") for place in range(1, 10)]
    rest = [king for king in KINGS if king not in gone]
    marked = [str(place) for place in looked]
    return {"healed": list(healed), "looked": marked, "pile": PILE - len(owned), "box": {"grid": grid, "kings": rest}}


def _note_looked_at(held: list[Document], looked: dict[int, str], fields: Document) -> None:
    seen = {int(fields[name]) for name in ("place", "other") if name in fields} & looked.keys()
    held[fields.get("seat", 0)]["grid"] = [looked[place] if place in seen else "none" for place in range(1, 10)]


def _put_beneath(laid: Document, cards: Counter[str]) -> None:
    """Put cards under those in front of a seat: coloured cards on their own half, jokers on the first."""
    for card in cards.elements():
        name = card.rpartition("-")[0]
        half = laid["halves"]["green-star" if name == "gold" else name]
        half["cards"].insert(0, card)
        half["count"] += 1


def deal_all(match: Match) -> Match:
    """Play the first legal action of chance until a player must act."""
    while match.to_act == (CHANCE,):
        match.play(match.legal_numbers(CHANCE)[0], CHANCE)
    return match


def wands_text(match: Match, seat: int) -> str:
    """Return the visible values of a seat's wands: `green:0/3 blue:2/- …`, with `~` for a fairy that is face down."""
    one = match.document()["fairies"][seat]
    words = []
    for fairy in ("green", "blue", "red"):
        star, tail = (one["halves"][f"{fairy}-{half}"] for half in ("star", "tail"))
        shown = [_short(half["cards"][half["count"] - 1]) if half["count"] else "-" for half in (star, tail)]
        words.append(f"{fairy}:{'/'.join(shown)}{'' if fairy in one['up'] else '~'}")
    return " ".join(words)


def _short(card: str) -> str:
    colour, _, value = card.rpartition("-")
    return f"g{value}" if colour == "gold" else value


def points(match: Match) -> tuple[int, ...]:
    return match.score().points


def legal_codes(match: Match, *beginnings: str) -> list[str]:
    """Return the legal codes that begin with one of `beginnings`."""
    return [code for code in match.legal_codes() if code.startswith(beginnings)]


def steal(match: Match, victim: int, card: str) -> Match:
    """Use the green fairy against `victim`; play the theft of a card by chance, and the deals that follow."""
    play(match, f"green {victim}", f"steal {card}")
    return deal_all(match)
