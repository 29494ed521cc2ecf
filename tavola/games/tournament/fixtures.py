"""Positions of Tournament for tests, in short notation.

A hand is a list of cards: `sword-3 shield-1 joker`, or in short `s3 h1 l7 a2 j` (sword, shield, lance, armour, joker).
Cards that are not listed are given to the seat `rest`, unless they are on the pile.
"""

from collections.abc import Sequence
from typing import Any

from tavola.core import CHANCE, Match
from tavola.games.tournament import GAME
from tavola.games.tournament.components import JOKERS, KINDS, SOUS, TOP_VALUE

Document = dict[str, Any]
PRIZE = 5
SHORT = {"s": "sword", "h": "shield", "l": "lance", "a": "armour", "j": "joker"}


def card(word: str) -> str:
    """Return a card's full name: `sword-3` for `s3`, `joker` for `j`; full names stay as they are."""
    kind = SHORT.get(word[0], "")
    return word if "-" in word or len(word) > 3 else "joker" if kind == "joker" else f"{kind}-{word[1:]}"


def cards(words: str) -> list[str]:
    return [card(word) for word in words.split()]


def hand(words: str) -> Document:
    listed = cards(words)
    return {"cards": [one for one in listed if one != "joker"], "jokers": listed.count("joker")}


def deck(players: int) -> list[str]:
    valued = [f"{kind}-{value}" for kind in KINDS for value in range(1, int(TOP_VALUE[players]) + 1)]
    return valued + ["joker"] * int(JOKERS[players])


def match_at(
    hands: Sequence[str],
    *,
    pile: str = "",
    rest: int = -1,
    purse: Sequence[int] = (),
    options: Document | None = None,
    **fields: Any,
) -> Match:
    """Return a match at a position: the barter of the first round unless `fields` of the table set another.

    If `purse` does not add up to ten sous each, the first seat has won or spent the difference.
    """
    players = len(hands)
    held = [hand(words) for words in hands]
    left = deck(players)
    for name in (one for words in (*hands, pile) for one in cards(words)):
        left.remove(name)
    others = hand(" ".join(left))
    held[rest] = {"cards": held[rest]["cards"] + others["cards"], "jokers": held[rest]["jokers"] + others["jokers"]}
    purse = list(purse) or [SOUS] * players
    more = sum(purse) - SOUS * players
    given = options or {}
    won = [max(more, 0) // PRIZE, *[0] * (players - 1)]
    document = {
        "phase": "trade",
        "dealt": len(deck(players)),
        "begun": 1,
        "purse": purse,
        "held": [len(one["cards"]) + one["jokers"] for one in held],
        "won": won,
        "prizes": [max(more, 0), *[0] * (players - 1)],
        "spent": [max(-more, 0), *[0] * (players - 1)],
        "pile": len(cards(pile)),
        "discarded": cards(pile),
        "box": {"cards": cards(pile), "jokers": 0},
        "hands": held,
        **fields,
    }
    return Match(GAME, position=document, players=players, **given)


def play(match: Match, *codes: str, seat: int | None = None) -> Match:
    for code in codes:
        match.play(code, match.to_act[0] if seat is None else seat)
    return match


def offer(match: Match, seat: int, to: int | str, *steps: str) -> Match:
    """Build an offer and publish it: `offer(match, 0, "all", "give sword-3", "charge 2")`."""
    return play(match, f"offer {to}", *steps, "publish", seat=seat)


def finish_trade(match: Match) -> Match:
    for seat in match.to_act:
        match.play("done", seat)
    return match


def fight(match: Match, *words: str) -> Match:
    """Let both fight and lay cards: `fight(match, "s3 h1 l7 j", "s2 h4 l1 a5")` by side."""
    pair = match.to_act
    for seat in pair:
        match.play("fight", seat)
    for box, kind in enumerate(KINDS[: len(cards(words[0]))]):
        for seat, laid in zip(pair, words, strict=True):
            name = cards(laid)[box]
            match.play(f"equip {kind} {name.rpartition('-')[2]}", seat)
    return match


def point(match: Match, first: str, second: str) -> Match:
    for seat, corner in zip(match.to_act, (first, second), strict=True):
        match.play(f"point {corner}", seat)
    return match


def throw(match: Match, words: str) -> Match:
    match.play(f"throw {words}", CHANCE)
    return match


def held_values(match: Match, seat: int) -> set[str]:
    return set(match.document()["hands"][seat]["cards"])
