"""What others have done to a seat since its own last action, in a few words, from what the seat itself saw."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from tavola.core.actions import PlayedAction
from tavola.games.fairies.components import WAND_COUNT, Phase, Seen, Table
from tavola.games.fairies.words.nouns import FAIRY, HALF, any_card, held_cards, laid_card, top_card, victim_of
from tavola.show.cards import Witnessed
from tavola.show.speech import Say, mark
from tavola.show.words import members_of


class Deed(NamedTuple):
    """What a seat did to another: a sign, and words for it in the language of the reader."""

    seat: int
    sign: str
    """A shape: that of a power, or of a half."""
    told: Callable[[Say], str]
    half: int = -1
    """The half of one's own wand that shows it; -1 for none."""
    value: int = -1
    """The value that the half shows since then."""


def deeds(seat: int, actions: Sequence[Witnessed]) -> list[Deed]:
    """Return what was done to a seat, the oldest first; of one half only the last."""
    found: dict[object, Deed] = {}
    done = (deed for action in actions if _concerns(seat, *action) for deed in _deeds_of(seat, *action))
    for number, deed in enumerate(done):
        key = ("half", deed.half) if deed.half >= 0 else number
        found.pop(key, None)
        found[key] = deed
    return [*found.values()]


def _concerns(me: int, before: Seen, after: Seen, played: PlayedAction | None) -> bool:
    """Return whether an action was done to a seat; most were not, and only this is asked of them."""
    if not played:  # R14: stolen in secret, but the seat knows its own cards before and after
        return before.hand != after.hand and before.table.phase == Phase.STEAL
    return played.seat != me == victim_of(before, played.verb, played.indices)


def _deeds_of(me: int, before: Seen, after: Seen, played: PlayedAction | None) -> Iterator[Deed]:
    t = before.table
    if not played:
        assert before.hand is not None
        assert after.hand is not None
        for card in Counter(held_cards(before.hand)) - Counter(held_cards(after.hand)):
            yield Deed(t.seat, "pw-g", partial(_said, mark("stole {what}"), any_card, card))
        return
    yield from _done_to(t, played)
    if t.phase == Phase.EXCHANGE:  # R15: it can break a wand
        for fairy in members_of(t.fairies[me].up & ~after.table.fairies[me].up):
            yield Deed(t.seat, "pw-b", partial(_said, mark("{what:bare} fell asleep"), FAIRY, fairy))


def _done_to(t: Table, played: PlayedAction) -> Iterator[Deed]:
    """Return what an action has done to its victim."""
    seat, verb, places = played.seat, played.verb, played.indices
    match verb:
        case "blue":
            yield Deed(seat, "pw-b", partial(_said, mark("took {what}"), any_card, top_card(t, *places)))
        case "red":
            yield Deed(seat, "pw-r", partial(_said, mark("took {what}"), any_card, WAND_COUNT + places[0]))
        case "cover":
            yield Deed(seat, "pw-3", partial(_said, mark("covered {what:bare}"), FAIRY, places[1]))
        case "lay" | "joker":
            _, half, value = laid_card(verb, places)
            told = partial(_said, mark("{what:bare} now {value}"), HALF, half, value=value)
            yield Deed(seat, ("half-star", "half-tail")[half % 2], told, half, value)


def _said(message: str, name: Callable[[int, Say], object], what: int, say: Say, **values: object) -> str:
    return say(message, what=name(what, say), **values)
