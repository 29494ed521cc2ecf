"""Positions of Tournament for tests, in short notation.

A hand is a list of cards: `sword-3 shield-1 joker`, or in short `s3 h1 l7 a2 j` (sword, shield, lance, armour, joker).
Cards that are not listed are given to the seat `rest`, unless they are on the pile.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from tavola.core import CHANCE, Match
from tavola.games.tournament import GAME
from tavola.games.tournament.components import JOKERS, KINDS, SOUS, TOP, TOP_VALUE
from tavola.show.testing import play

Document = dict[str, Any]
PRIZE = 5
FULL_NAMES = {"j": "joker"} | {
    f"{letter}{value}": f"{kind}-{value}"
    for letter, kind in zip("shla", KINDS, strict=True)
    for value in range(1, TOP + 1)
}


def cards(words: str) -> list[str]:
    """Return full names: `sword-3` for `s3`, `joker` for `j`; full names stay as they are."""
    return [FULL_NAMES.get(word, word) for word in words.split()]


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
    held, discarded, left = [cards(words) for words in hands], cards(pile), deck(players)
    for name in chain(*held, discarded):
        left.remove(name)
    held[rest] += left
    purse = list(purse) or [SOUS] * players
    more = sum(purse) - SOUS * players
    others = [0] * (players - 1)
    document = {
        "phase": "trade",
        "dealt": len(deck(players)),
        "begun": 1,
        "purse": purse,
        "held": [len(names) for names in held],
        "won": [max(more, 0) // PRIZE, *others],
        "prizes": [max(more, 0), *others],
        "spent": [max(-more, 0), *others],
        "pile": len(discarded),
        "discarded": discarded,
        "box": {"cards": discarded, "jokers": 0},
        "hands": [
            {"cards": [name for name in names if name != "joker"], "jokers": names.count("joker")} for names in held
        ],
        **fields,
    }
    return Match(GAME, position=document, players=players, **options or {})


def offer(match: Match, seat: int, to: int | str, *steps: str) -> Match:
    """Build an offer and publish it: `offer(match, 0, "all", "give sword-3", "charge 2")`."""
    return play(match, f"offer {to}", *steps, "publish", seat=seat)


def trade(match: Match, maker: int, taker: int, *steps: str, cried: bool = False) -> Match:
    """Publish an offer, whispered to `taker` or announced, and let `taker` accept it."""
    offer(match, maker, "all" if cried else taker, *steps)
    return play(match, f"accept {maker} {match.document()['published'][maker]}", seat=taker)


def finish_trade(match: Match) -> Match:
    return play(match, *["done"] * len(match.to_act))


def fight(match: Match, *words: str) -> Match:
    """Let both fight and lay cards: `fight(match, "s3 h1 l7 j", "s2 h4 l1 a5")` by side."""
    play(match, "fight", "fight")
    for kind, *names in zip(KINDS, *map(cards, words), strict=False):
        play(match, *(f"equip {kind} {name.rpartition('-')[2]}" for name in names))
    return match


def point(match: Match, first: str, second: str) -> Match:
    return play(match, f"point {first}", f"point {second}")


def fought(first: str, second: str, *others: str, **position: Any) -> Match:
    """Return a match after a duel of the first two seats, whose hands are the cards that they lay."""
    return fight(finish_trade(match_at([first, second, *others], **position)), first, second)


def throw(match: Match, words: str) -> Match:
    return play(match, f"throw {words}", seat=CHANCE)


def facts(match: Match, *names: str) -> tuple[Any, ...]:
    document = match.document()
    return tuple(document[name] for name in names)


def held_values(match: Match, seat: int) -> set[str]:
    return set(match.document()["hands"][seat]["cards"])
