"""The part of a game's card that says what may be spoken of at the table, and in which words.

    TALK = Talk(
        kinds=(Kind(Topic("vote", Forms("I vote {ballot}", "I do not vote {ballot}", …))), …),
        revealed=revealed,
        vocabulary=VOCABULARY,
    )

stands in the game's `words` and is given to its card, `WORDS = Words(…, talk=TALK)`. Verbs and their arguments are
those of the rules, the arguments' names those of the game's vocabulary: nothing is declared twice. Rules know nothing
of it. `tavola.talk` reads it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tavola.core.actions import Verb
from tavola.core.view import View
from tavola.show.words import Vocabulary


class Forms(NamedTuple):
    """A verb in direct speech: messages, marked as they stand here, that its arguments fill in.

    `i`, `i_not`: the speaker of himself, "I vote {ballot}", "I do not vote {ballot}"; `you`, `you_not`: to another seat
    that it shall or shall not, "vote {ballot}", "do not vote {ballot}", of a fact that it is or is not so, "you are
    {role}", "you are not {role}". They begin small and end without a full stop: they are put into sentences.
    """

    i: str
    i_not: str
    you: str
    you_not: str


class Known(NamedTuple):
    """An action, or a fact, as far as it is known: an index is None where nobody can say yet.

    `is_more`: more of an action of which something was known before, and no other action.
    """

    verb: str
    indices: tuple[int | None, ...]
    is_more: bool = False


@dataclass(frozen=True)
class Topic:
    """A verb that may be spoken of.

    `instead`: forms for values of its first argument that need words of their own: a captain among colours. `holes`:
    by argument what stands where it is left open, a marked message; `…` unless told.
    """

    verb: str
    forms: Forms
    instead: Mapping[int, Forms] = field(default_factory=dict)
    holes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Fact:
    """A fact of a seat's own secrets that may be claimed, declared as a verb is: `verb("role", role=ROLES)`."""

    verb: Verb
    forms: Forms
    holes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """A kind of decision: the topics among which it is chosen, and verbs `beside` them of which nobody speaks.

    With `whole_turn` all that a seat does until it is another's turn counts as one decision.
    """

    topics: tuple[Topic, ...]
    beside: tuple[str, ...] = ()
    whole_turn: bool = False

    @property
    def verbs(self) -> frozenset[str]:
        """Return every verb by which such a decision is made."""
        return frozenset((*(topic.verb for topic in self.topics), *self.beside))


Revealed = Mapping[int, Sequence[Known]]
"""By seat what all have learned of its secret actions."""


def _nothing_revealed(before: View, after: View) -> Revealed:
    return {}


def _no_facts(view: View) -> Collection[Known]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Talk:
    """What may be spoken of in a game.

    `revealed(before, after)`: what two public views one action apart show of secret actions; where a verb is spoken of
    that is secret, this alone tells when and what everybody learns of it, so nothing can be told earlier. `true_facts`
    (view): every fact that is true of the view's seat, from its own hand.
    """

    kinds: tuple[Kind, ...]
    vocabulary: Vocabulary
    facts: tuple[Fact, ...] = ()
    revealed: Callable[[View, View], Revealed] = _nothing_revealed
    true_facts: Callable[[View], Collection[Known]] = _no_facts
