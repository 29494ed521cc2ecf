"""Words that every game needs: components with their forms, buttons, refusals, options, tables.

A game declares each of its components once, with every form that its sentences need:

    BOAT = Noun(the=(mark("the red boat"), …), aboard=(mark("aboard the red boat"), …), short=(mark("Red"), …))
    say("{name} takes an officer out: he leaves {boat}.", name=…, boat=BOAT(place, say))
    say("{name} seats a man {boat:aboard}.", …)         a form is requested by name; each language may choose another
    say("{boat:The} is full.", …)                       a capital requests the form with a capital

A language can add forms in its catalogue, as German its dative `{boat:dative}`: an entry for the noun's first form,
with the name of the new form as context (msgctxt). A `Vocabulary` maps each argument of a verb to a component. The
messages of this module are in the catalogues `tavola/locale`.
"""

import textwrap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from tavola.core.actions import Action, PlayedAction
from tavola.core.game import CHANCE
from tavola.core.text import isolated
from tavola.core.view import View
from tavola.show.speech import Name, Say, capitalized, mark, mark_many

WIDTH = 100
"""Maximum columns of the table as text."""
Indices = tuple[int, ...]
V = TypeVar("V", bound=View)
ValueNamer = Callable[[int, Say], object]
"""A function that names a value of an argument by its index."""
ActionMessage: TypeAlias = str | Callable[[Any, Indices, Say], str]
"""A marked message, or a function of the view, the argument indices and `say`."""


# Components


class Noun:
    """A component in several forms; each form has a message for every index. The first form is the default."""

    def __init__(self, **forms: Sequence[str]) -> None:
        self.forms = {name: tuple(messages) for name, messages in forms.items()}
        self.first = next(iter(self.forms))

    def __call__(self, place: int, say: Say) -> "Phrase":
        """Return the component at an index, for a sentence."""
        return _phrase(self, place, say.folder, say.language)


class Phrase:
    """A component in a sentence, in any of its forms: `{boat}`, `{boat:aboard}`, `{boat:Aboard}`."""

    def __init__(self, noun: Noun, place: int, say: Say) -> None:
        self.noun, self.index, self.say = noun, place, say

    def __format__(self, form: str) -> str:
        wanted, forms = form.lower() or self.noun.first, self.noun.forms
        if wanted in forms:
            said = self.say(forms[wanted][self.index])
        else:
            said = self.say.own_form(forms[self.noun.first][self.index], wanted)
        return capitalized(said) if form[:1].isupper() else said

    def __str__(self) -> str:
        return format(self)


@cache
def _phrase(noun: Noun, place: int, folder: Path, language: str) -> Phrase:
    """Return a component in a language: always the same object, so that sentences with it can be cached."""
    return Phrase(noun, place, Say(folder, language))


def seat_noun(place: int, say: Say) -> str:
    """Return the name of the player in a seat, for arguments that are seats."""
    return say.name(place)


class Vocabulary:
    """The arguments of a game's verbs, by name. One that is left out is a number, or is shown as it is."""

    def __init__(self, **arguments: ValueNamer) -> None:
        self.arguments = arguments

    def value_label(self, view: View, verb: str, argument: str, place: int, say: Say) -> str:
        """Return a value of an argument in a word or two, for a button: its form `short`, else its first form.

        It begins with a capital, except a player's name, which its owner spells.
        """
        if argument in self.arguments:
            named = self.arguments[argument](place, say)
            label = format(named, "short") if isinstance(named, Phrase) and "short" in named.noun.forms else str(named)
            return label if isinstance(named, Name) else capitalized(label)
        return view.game.actions.verb_by_name[verb].arguments[argument][place]

    def fill_arguments(self, view: View, action: Action | PlayedAction, say: Say) -> dict[str, object]:
        """Return the arguments of an action as values for a sentence."""
        declared = view.game.actions.verb_by_name[action.verb].arguments
        return {
            argument: self.arguments[argument](place, say) if argument in self.arguments else declared[argument][place]
            for argument, place in zip(declared, action.indices, strict=True)
        }

    def action_sentence(
        self, messages: Mapping[str, ActionMessage], view: View, action: int, say: Say, **more: object
    ) -> str:
        """Return the sentence for an action, from the message of its verb.

        A message is filled in with the action's arguments and `more`; a function returns the whole sentence.
        """
        taken = view.game.actions.action(action)
        message = messages[taken.verb]
        if callable(message):
            return message(view, taken.indices, say)
        return say(message, **self.fill_arguments(view, taken, say), **more)


class Part(NamedTuple):
    """A part of a round: its label, and the phases of the rules that belong to it."""

    label: str
    phases: tuple[int, ...]


def phase_strip(parts: Sequence[Part], phase: int, say: Say) -> list[tuple[str, bool]]:
    """Return the labels in order, each with whether it is the current part."""
    return [(say(part.label), phase in part.phases) for part in parts]


def phases_of(*strips: Sequence[Part]) -> Callable[[View, Say], list[tuple[str, bool]]]:
    """Return the hook `phases` of a game: the strip with a part for the present phase; without one, the last strip."""

    def phases(view: View, say: Say) -> list[tuple[str, bool]]:
        phase = view.table.phase
        shown = next((parts for parts in strips if any(phase in part.phases for part in parts)), strips[-1])
        return phase_strip(shown, phase, say)

    return phases


@lru_cache(maxsize=4096)
def members_of(mask: int) -> tuple[int, ...]:
    """Return the indices of the bits set in a mask."""
    return tuple(place for place in range(mask.bit_length()) if mask >> place & 1)


def names_of(seats: Sequence[int], say: Say) -> str:
    """Return the names of seats as a list, such as "Ada, Bruno and Carla"."""
    return say.listing([say.name(seat) for seat in seats])


def say_pairs(texts: Iterable[tuple[str, str]], say: Say) -> list[tuple[str, str]]:
    """Return titles with their texts, for a lesson."""
    return [(say(title), say(text)) for title, text in texts]


def say_lesson(messages: Sequence[str], say: Say) -> list[tuple[str, str]]:
    """Return the titles and texts of a lesson, from marked messages in turn: a title, its text, a title …"""
    return say_pairs(zip(messages[::2], messages[1::2], strict=True), say)


def lesson_of(messages: Sequence[str]) -> Callable[[Say], list[tuple[str, str]]]:
    """Return the hook `lesson` of a game, from its messages as in `say_lesson`."""
    return partial(say_lesson, messages)


class Consequence(NamedTuple):
    """The effect of a choice, as far as its seat can know it."""

    brief: str
    """A few words for the button and the board, at most 34 characters: "she sinks: two men, one yours"."""
    sentence: str = ""
    """The effect in one or two sentences, shown while the choice is pointed at or touched first; empty to use
    `brief`."""
    tone: Literal["plain", "good", "grave"] = "plain"
    """`good`: an advantage for the seat; `grave`: cannot be undone."""


def told_by_last_word(
    by_verb: Mapping[Any, Callable[[V, int, Indices, Say], Consequence | None]], at_once: Collection[str] = ()
) -> Callable[[V, int, int, Say], Consequence | None]:
    """Return the hook `consequence` of a game whose actions take effect with their last word.

    `by_verb` maps a verb to a function of (view, seat, arguments, say); other verbs have no consequences. The verbs
    `at_once` take effect with their first word.
    """

    def consequence(view: V, action: int, step: int, say: Say) -> Consequence | None:
        verb, places = view.game.actions.action(action)
        if view.seat is None or verb not in by_verb or step != (0 if verb in at_once else len(places)):
            return None
        return by_verb[verb](view, view.seat, places, say)

    return consequence


class Foreseen(NamedTuple):
    """Secret ballots that will be held whatever others play: a seat may choose for all of them in advance."""

    ballots: Sequence[Mapping[int, str]]
    """The present ballot first. Each maps the numbers of actions to the piece of the hand that they spend."""
    pieces: Mapping[str, int]
    """Number of each piece in the seat's hand."""


class Scale(NamedTuple):
    """A choice among steps of a plan that form a scale, made with a slider, such as sous or a minimum.

    `Words.sliders` returns them. The step of the chosen stop is put into the plan, in place of what it `replaces`.
    """

    name: str
    """Identifier on the page: alphabetic."""
    label: str
    stops: tuple[tuple[str, str], ...]
    """Stops from left to right: a code, empty if no step is needed, and a short label."""
    now: int
    """Index of the plan's current stop."""
    replaces: tuple[str, ...]
    """Verbs and whole codes whose steps it replaces."""


# The end

WON = mark_many("{names} {names:wins|win} with {count} point.", "{names} {names:wins|win} with {count} points.")
SHARED = mark_many("{names} share the victory with {count} point.", "{names} share the victory with {count} points.")


def victory_sentence(view: View, say: Say) -> str:
    """Return the sentence that names the winners and their points."""
    winners = view.standing.winners
    message = SHARED if len(winners) > 1 else WON
    return say.many(*message, view.standing.points[winners[0]], names=names_of(winners, say))


def tied_seats(view: View, seat: int) -> list[int]:
    """Return the other seats with the same number of points."""
    points = view.standing.points
    return [other for other, equal in enumerate(points) if other != seat and equal == points[seat]]


# Prompts

Prompt: TypeAlias = str | Callable[[View, Say], str]
"""A marked message, or a function of the view and `say`."""


@dataclass(frozen=True)
class Prompts:
    """Prompts by phase: a question to a seat, or the news of whom the others are waiting for.

    `over` returns the sentence at the end. `chance` is used while chance acts, `own` for a seat that is to act,
    `others` for everyone else. If `own` contains what only the seat knows, `public` has a question without it. A
    message may contain `{names}`, the seats to act, and the `values` of the view. A function returns the whole
    sentence.
    """

    over: Callable[[View, Say], str]
    chance: Mapping[int, Prompt]
    own: Mapping[int, Prompt]
    others: Mapping[int, Prompt]
    public: Mapping[int, Prompt] = field(default_factory=dict)
    values: Callable[[View, Say], Mapping[str, object]] = lambda view, say: {}

    def __call__(self, view: View, say: Say) -> str:
        """Return the prompt for the seat of the view, or for a spectator."""
        if not view.to_act:
            return self.over(view, say)
        phase = view.table.phase
        prompts = self.own if view.seat in view.to_act else self.others
        if phase in self.chance and CHANCE in view.to_act:
            prompts = self.chance
        return self._say(prompts[phase], view, say)

    def reminder(self, view: View, say: Say) -> str:
        """Return the question to the seat of the view, which is to act, without what only that seat knows."""
        phase = view.table.phase
        return self._say(self.public.get(phase, self.own[phase]), view, say)

    def _say(self, prompt: Prompt, view: View, say: Say) -> str:
        if callable(prompt):
            return prompt(view, say)
        return say(prompt, **{"names": names_of(view.to_act, say), **self.values(view, say)})


@dataclass(frozen=True)
class Coach:
    """Advice for a seat at its decision, by phase: a message, or a function of the view and the seat."""

    advice: Mapping[int, str | Callable[[Any, int, Say], str]]

    def __call__(self, view: View, say: Say) -> str:
        """Return the advice for the seat of the view; empty if it is not to act."""
        if view.seat is None or view.seat not in view.to_act:
            return ""
        advice = self.advice[view.table.phase]
        return advice(view, view.seat, say) if callable(advice) else say(advice)


# Refusals

Why: TypeAlias = str | Callable[[Any, int, Any, Indices, Say], str]
"""A marked message, or a function of the table, the seat, its hand, the argument indices, and `say`."""


@dataclass(frozen=True)
class Refusals:
    """Reasons why an action is not allowed, tried in order: chance's, over, watching, wrong phase, the game's own.

    - `chance` has a message for each verb of chance.
    - `over` returns the sentence at the end.
    - `when` has, for each verb, its phases and a message for all others, which may contain `{name}`, the seats to act.
    - `meanwhile` has messages for phases that replace that of `when`.
    - `others` returns whose turn it is, for a seat that is not to act; empty to use `why`.
    - `why` explains the rest by verb: a message, or a function.
    """

    chance: Mapping[str, str]
    over: Callable[[View, Say], str]
    over_phase: int
    when: Mapping[str, tuple[tuple[int, ...], str]]
    why: Mapping[str, Why]
    meanwhile: Mapping[int, str] = field(default_factory=dict)
    others: Callable[[View, Say], str] = lambda view, say: ""
    watching: str = "R1"

    def __call__(self, view: View, action: int, say: Say) -> str:
        """Return why the action is not allowed now, with the paragraph of RULES.md; empty if it is allowed."""
        if action in view.legal:
            return ""
        verb, places = view.game.actions.action(action)
        if verb in self.chance:
            return say(self.chance[verb])
        if view.table.phase == self.over_phase:
            return self.over(view, say)
        if view.seat is None:
            return say("You’re watching: only the players at the table can act ({rule}).", rule=self.watching)
        phases, message = self.when[verb]
        if view.table.phase not in phases:
            return say(self.meanwhile.get(view.table.phase, message), name=names_of(view.to_act, say))
        if view.seat not in view.to_act and (elsewhere := self.others(view, say)):
            return elsewhere
        why = self.why[verb]
        return why(view.table, view.seat, view.hand, places, say) if callable(why) else say(why)


# Options

COMMON_VALUES = {"off": mark("off"), "on": mark("on")}


@dataclass(frozen=True)
class OptionWords:
    """The options of a game: title and explanation of each, and names of values that are not shown as they are."""

    titles: Mapping[str, Sequence[str]]
    values: Mapping[str, Mapping[str, str]]
    seats: tuple[str, ...] = ()

    def option(self, name: str, say: Say) -> tuple[str, str]:
        """Return the title of an option and what it changes."""
        title, explanation = self.titles[name]
        return say(title), say(explanation)

    def value(self, name: str, word: str, say: Say) -> str:
        """Return the name of an option's value; seats are counted from 0."""
        known = {**COMMON_VALUES, **self.values.get(name, {})}
        if word in known:
            return say(known[word])
        return say("Player {number}", number=int(word) + 1) if name in self.seats else word


# The table as text


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of cells as aligned lines; the first row has the headings."""
    from rich.cells import cell_len  # imported late: pages do not need it

    cells = [[isolated(cell) for cell in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    padded = ([cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)] for row in cells)
    return ["  ".join(row).rstrip() for row in padded]


def wrap_notes(notes: Sequence[str]) -> list[str]:
    """Return notes for below a table, wrapped to its width."""
    return [line for note in notes for line in textwrap.wrap(note, WIDTH)]
