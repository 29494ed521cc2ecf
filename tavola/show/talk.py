"""Declarations of a game's talk: what players may promise, ask for and claim, and in which words.

    TALK = Talk(
        kinds=(Kind(Topic("vote", Forms("I vote {ballot}", "I do not vote {ballot}", …))), …),
        revealed=revealed,
        vocabulary=VOCABULARY,
    )

is part of the game's `words` and of its card, `WORDS = Words(…, talk=TALK)`. Verbs and arguments are those of the
rules, the names of arguments those of the game's vocabulary, so nothing is declared twice. Rules do not depend on talk.
`tavola.talk` reads it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tavola.core.actions import Verb
from tavola.core.view import View
from tavola.show.words import Vocabulary


class Forms(NamedTuple):
    """A verb in direct speech: messages marked for translation, filled in with the verb's arguments.

    `i`, `i_not`: the speaker about themselves, "I vote {ballot}", "I do not vote {ballot}". `you`, `you_not`: to
    another seat, a request such as "vote {ballot}" or "do not vote {ballot}", or a fact such as "you are {role}" or
    "you are not {role}". They begin in lower case and have no full stop, since they are quoted in sentences.
    """

    i: str
    i_not: str
    you: str
    you_not: str


class Known(NamedTuple):
    """An action, or a fact, as far as it is known: an index is None if it is still unknown.

    `is_more`: more about an action of which a part was already known, not another action.
    """

    verb: str
    indices: tuple[int | None, ...]
    is_more: bool = False


@dataclass(frozen=True)
class Topic:
    """A verb that players may talk about.

    `instead`: other forms for some values of its first argument, such as a captain among colours. `holes`: marked
    messages for arguments that are left open, by name; `…` by default. `against`: the argument that names the seat that
    the action harms; `between`: the forms in which that seat is the other of the two who talk, "steal from me".
    """

    verb: str
    forms: Forms
    instead: Mapping[int, Forms] = field(default_factory=dict)
    holes: Mapping[str, str] = field(default_factory=dict)
    against: str = ""
    between: Forms | None = None


@dataclass(frozen=True)
class Fact:
    """A fact about a seat's own secrets that may be claimed, declared like a verb: `verb("role", role=ROLES)`."""

    verb: Verb
    forms: Forms
    holes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """A kind of decision: the topics among which it is made, and verbs `beside` them that are not talked about.

    With `whole_turn`, everything that a seat does until another seat's turn is one decision. `followed_by`: the verb of
    the choice that such a decision can give its seat at once, about the same things in the same order; a promise covers
    it too. `bargained`: bots bargain about it; not where two opponents have nothing to give each other. `lasting`: the
    next such decision means the same, so it can be threatened now.
    """

    topics: tuple[Topic, ...]
    beside: tuple[str, ...] = ()
    whole_turn: bool = False
    followed_by: str = ""
    bargained: bool = True
    lasting: bool = False

    @property
    def verbs(self) -> frozenset[str]:
        """All verbs by which such a decision is made."""
        return frozenset((*(topic.verb for topic in self.topics), *self.beside))


Revealed = Mapping[int, Sequence[Known]]
"""What everyone has learned of each seat's secret actions."""


@dataclass(frozen=True)
class LeftOut:
    """The default of a hook: it returns an empty value of its kind. Unlike a nameless function it can be pickled."""

    kind: type

    def __call__(self, *asked: object) -> Any:
        return self.kind()


_nothing_revealed, _no_facts = LeftOut(dict), LeftOut(tuple)


@dataclass(frozen=True, kw_only=True)
class Talk:
    """The talk of a game.

    `revealed(before, after)`: what two public views one action apart reveal of secret actions. For secret verbs only
    this hook decides when and what everyone learns of them. `true_facts(view)`: every fact that is true of the view's
    seat, from its own hand.
    """

    kinds: tuple[Kind, ...]
    vocabulary: Vocabulary
    facts: tuple[Fact, ...] = ()
    revealed: Callable[[View, View], Revealed] = _nothing_revealed
    true_facts: Callable[[View], Collection[Known]] = _no_facts
