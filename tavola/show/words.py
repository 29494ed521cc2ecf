"""What the words of every game need, written once: components declared with their forms, members, names.

A game declares each of its components once, with every form that its sentences need:

    BOAT = Noun(the=(mark("the red boat"), …), aboard=(mark("aboard the red boat"), …), short=(mark("Red"), …))
    say("{name} takes an officer out: he leaves {boat}.", name=…, boat=BOAT(place, say))
    say("{name} seats a man {boat:aboard}.", …)         a form is asked for by name, each language may ask for another
    say("{boat:The} is full.", …)                       a capital asks for the form with a capital

and a `Vocabulary` says which component each argument of a verb is.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Protocol

from tavola.core.view import View
from tavola.show.speech import Say


class Noun:
    """A component in several forms; each form has a message for every place. The first form is meant where none is."""

    def __init__(self, **forms: Sequence[str]) -> None:
        self.forms = {name: tuple(messages) for name, messages in forms.items()}
        self.first = next(iter(self.forms))

    def __call__(self, place: int, say: Say) -> "Phrase":
        """The component at a place, to be filled into a sentence."""
        return Phrase(self, place, say)


class Phrase:
    """One component, to be filled into a sentence in any of its forms: `{boat}`, `{boat:aboard}`, `{boat:Aboard}`."""

    def __init__(self, noun: Noun, place: int, say: Say) -> None:
        self.noun, self.place, self.say = noun, place, say

    def __format__(self, form: str) -> str:
        name = form.lower() or self.noun.first
        said = self.say(self.noun.forms[name][self.place])
        return capital(said) if form[:1].isupper() else said

    def __str__(self) -> str:
        return format(self)


class Known(Protocol):
    """What an argument is: something that names the value at a place."""

    def __call__(self, place: int, say: Say) -> object: ...


def seat(place: int, say: Say) -> str:
    """Who sits there: for arguments that are seats."""
    return say.name(place)


class Vocabulary:
    """What the arguments of a game's verbs are, by their names; one that is left out is a number, or names itself."""

    def __init__(self, **arguments: Known) -> None:
        self.arguments = arguments

    def part(self, view: View, verb: str, argument: str, place: int, say: Say) -> str:
        """One value of an argument in a word or two, for a button: its form `short`, else its first."""
        if argument in self.arguments:
            named = self.arguments[argument](place, say)
            return format(named, "short") if isinstance(named, Phrase) and "short" in named.noun.forms else str(named)
        return view.game.actions.named[verb].arguments[argument][place]


class Phase(NamedTuple):
    """A part of a round as the strip shows it: its label, and the phases of the rules that belong to it."""

    label: str
    phases: tuple[int, ...]


def strip(parts: Sequence[Phase], phase: int, say: Say) -> list[tuple[str, bool]]:
    """The labels in their order, each with whether it is now."""
    return [(say(part.label), phase in part.phases) for part in parts]


@cache
def members_of(mask: int) -> tuple[int, ...]:
    """The places of the bits of a mask."""
    return tuple(place for place in range(mask.bit_length()) if mask >> place & 1)


def names_of(seats: Sequence[int], say: Say) -> str:
    """`Ada, Bruno and Carla`."""
    return say.listing([say.name(seat) for seat in seats])


def capital(sentence: str) -> str:
    """A sentence that begins with a phrase; never one that begins with a name."""
    return sentence[:1].upper() + sentence[1:]
