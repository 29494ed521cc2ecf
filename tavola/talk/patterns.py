"""Patterns: actions of a game, or facts about a seat, with wildcards.

    vote not red            any vote but red
    crew * green            a man of either rank aboard the green boat
    not green 2             no use of the green fairy against seat 2

A pattern is a declared verb and one word for each argument: a name, `not` and a name, or `*` for any. `not` before the
verb negates the whole pattern.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tavola.core.actions import Verb
from tavola.core.text import mark
from tavola.show.talk import Known
from tavola.talk.statement_refusals import BadPattern

NOT, ANY = "not", "*"
LONGEST = 60
"""Maximum characters of a text quoted in a refusal."""


class Slot(NamedTuple):
    """A condition on one argument: `place` None fits any; `excluded`: any but that one."""

    place: int | None
    excluded: bool = False

    def fits(self, index: int | None) -> bool | None:
        """True if an argument fits; None if it is not known."""
        if self.place is None:
            return True
        return None if index is None else (index == self.place) != self.excluded


@dataclass(frozen=True)
class Pattern:
    """A verb with a condition for each argument; `negated`: no such action."""

    verb: str
    slots: tuple[Slot, ...]
    negated: bool = False

    def fits(self, done: Iterable[Known]) -> bool | None:
        """True if actions or facts fit the pattern; None while that is not known."""
        found = [self._fits_one(known) for known in done]
        some = True if True in found else None if None in found else False
        return some if not self.negated or some is None else not some

    def _fits_one(self, known: Known) -> bool | None:
        if known.verb != self.verb:
            return False
        fitting = [slot.fits(index) for slot, index in zip(self.slots, known.indices, strict=True)]
        return False if False in fitting else None if None in fitting else True


def parse_pattern(text: str, verbs: Mapping[str, Verb]) -> Pattern:
    """Return the pattern of a text over `verbs`; raise `BadPattern` with what was expected."""
    words = text.lower().split()
    negated = words[:1] == [NOT]
    name, *rest = words[negated:] or [""]
    if name not in verbs:
        raise BadPattern(
            mark("you can’t speak of {text} here: choose one of {verbs}"), text=text[:LONGEST], verbs=", ".join(verbs)
        )
    verb, slots = verbs[name], []
    for argument, names in verb.arguments.items():
        slot, rest = _parse_slot(rest, names)
        if slot is None:
            raise _slot_refusal(text, verb, argument)
        slots.append(slot)
    if rest:
        raise BadPattern(mark("{text} says too much: write {form}"), text=text[:LONGEST], form=_form(verb))
    return Pattern(name, tuple(slots), negated)


def _parse_slot(words: list[str], names: tuple[str, ...]) -> tuple[Slot | None, list[str]]:
    """Return the slot given by the first words, None if they are invalid, and the remaining words."""
    excluded = words[:1] == [NOT]
    following = words[excluded:]
    if not following:
        return None, words
    if following[0] == ANY and not excluded:
        return Slot(None), following[1:]
    return (Slot(names.index(following[0]), excluded) if following[0] in names else None), following[1:]


def _slot_refusal(text: str, verb: Verb, argument: str) -> BadPattern:
    return BadPattern(
        mark(
            "{text} is incomplete: write {form}, with one of {names} as {argument} (“not” before it excludes it, “*”"
            " leaves it open)"
        ),
        text=text[:LONGEST],
        form=_form(verb),
        argument=argument,
        names="|".join(verb.arguments[argument]),
    )


def _form(verb: Verb) -> str:
    return " ".join((verb.name, *(argument.upper() for argument in verb.arguments)))


def pattern_text(pattern: Pattern, verbs: Mapping[str, Verb]) -> str:
    """Return the text of a pattern, which `parse_pattern` reads back."""
    names = verbs[pattern.verb].arguments.values()
    said = (_slot_text(slot, values) for slot, values in zip(pattern.slots, names, strict=True))
    return " ".join(([NOT] if pattern.negated else []) + [pattern.verb, *said])


def _slot_text(slot: Slot, names: tuple[str, ...]) -> str:
    if slot.place is None:
        return ANY
    return f"{NOT} {names[slot.place]}" if slot.excluded else names[slot.place]
