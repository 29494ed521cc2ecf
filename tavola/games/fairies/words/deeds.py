"""What others have done to a seat since its own last action, in a few words, from what the seat itself saw."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from tavola.core import CHANCE
from tavola.games.fairies.components import COLOURED_COUNT, VALUE, WAND_COUNT, Phase, Seen
from tavola.games.fairies.words.nouns import FAIRY, HALF, any_card, held_cards, shield_owner, top_card
from tavola.show.cards import Witnessed
from tavola.show.speech import Say, mark
from tavola.show.words import Indices, members_of

STOLE, TOOK, COVERED, SLEEPS, NOW = (
    mark("stole {what}"),
    mark("took {what}"),
    mark("covered {what:bare}"),
    mark("{what:bare} fell asleep"),
    mark("{what:bare} now {value}"),
)


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
    for number, deed in enumerate(deed for action in actions for deed in _deeds_of(seat, action)):
        key = ("half", deed.half) if deed.half >= 0 else number
        found.pop(key, None)
        found[key] = deed
    return [*found.values()]


def _deeds_of(me: int, action: Witnessed) -> Iterator[Deed]:
    before, after, played = action
    if before.table.phase == Phase.STEAL and before.table.victim == me:
        yield from _stolen(before, after)
    elif played is not None and played.seat not in (me, CHANCE) and played.verb in _BY_VERB:
        yield from _BY_VERB[played.verb](me, before, played.seat, played.indices)
    if before.table.phase == Phase.EXCHANGE:
        yield from _put_to_sleep(me, before, after)


def _stolen(before: Seen, after: Seen) -> Iterator[Deed]:
    """R14: the seat knows its own cards before and after."""
    assert before.hand is not None
    assert after.hand is not None
    for card in Counter(held_cards(before.hand)) - Counter(held_cards(after.hand)):
        yield Deed(before.table.seat, "pw-g", partial(_said, STOLE, any_card, card))


def _put_to_sleep(me: int, before: Seen, after: Seen) -> Iterator[Deed]:
    """R15: an exchange can break a wand."""
    for fairy in members_of(before.table.fairies[me].up & ~after.table.fairies[me].up):
        yield Deed(before.table.seat, "pw-b", partial(_said, SLEEPS, FAIRY, fairy))


def _blue(me: int, before: Seen, seat: int, places: Indices) -> Iterator[Deed]:
    if places[0] == me:
        yield Deed(seat, "pw-b", partial(_said, TOOK, any_card, top_card(before.table, me, places[1])))


def _red(me: int, before: Seen, seat: int, places: Indices) -> Iterator[Deed]:
    if shield_owner(before.table, places[0]) == me:
        yield Deed(seat, "pw-r", partial(_said, TOOK, any_card, WAND_COUNT + places[0]))


def _cover(me: int, before: Seen, seat: int, places: Indices) -> Iterator[Deed]:
    if places[0] == me:
        yield Deed(seat, "pw-3", partial(_said, COVERED, FAIRY, places[1]))


def _lay(me: int, before: Seen, seat: int, places: Indices) -> Iterator[Deed]:
    if places[1] == me:
        yield _laid(seat, places[0] // 4, int(VALUE[places[0]]))


def _joker(me: int, before: Seen, seat: int, places: Indices) -> Iterator[Deed]:
    if places[1] == me:
        yield _laid(seat, places[2], int(VALUE[COLOURED_COUNT + places[0]]))


def _laid(seat: int, half: int, value: int) -> Deed:
    told = partial(_said, NOW, HALF, half, value=value)
    return Deed(seat, ("half-star", "half-tail")[half % 2], told, half, value)


def _said(message: str, name: Callable[[int, Say], object], what: int, say: Say, **values: object) -> str:
    return say(message, what=name(what, say), **values)


_BY_VERB: dict[str, Callable[[int, Seen, int, Indices], Iterator[Deed]]] = {
    "blue": _blue,
    "red": _red,
    "cover": _cover,
    "lay": _lay,
    "joker": _joker,
}
