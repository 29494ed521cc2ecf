"""The language of a game's statements: the verbs of deeds and the facts that can be named."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from tavola.core import Game
from tavola.core.actions import Verb
from tavola.core.text import mark
from tavola.show.cards import words_of
from tavola.show.talk import Fact, Kind, Talk, Topic
from tavola.talk.patterns import LONGEST, NOT, Pattern, parse_pattern, pattern_text
from tavola.talk.statement_refusals import BadStatement

RESERVED = ("to", "aloud", "if", NOT)
"""Words of the grammar, which cannot be names of verbs or facts."""


class Language(NamedTuple):
    """The language of a game: its declared verbs by name, of deeds and of facts."""

    game: Game
    talk: Talk
    deeds: Mapping[str, Verb]
    facts: Mapping[str, Verb]

    def kind(self, verb: str) -> Kind:
        """Return the kind of decision in which a verb is chosen."""
        return next(kind for kind in self.talk.kinds if any(topic.verb == verb for topic in kind.topics))

    def topic(self, verb: str) -> Topic:
        return next(topic for topic in self.kind(verb).topics if topic.verb == verb)

    def victim(self, pattern: Pattern) -> int | None:
        """Return the seat that a deed is directed against, None if it names none."""
        against = self.topic(pattern.verb).against
        if not against:
            return None
        slot = pattern.slots[list(self.deeds[pattern.verb].arguments).index(against)]
        return None if slot.excluded else slot.place

    def fact(self, name: str) -> Fact:
        return next(fact for fact in self.talk.facts if fact.verb.name == name)

    def is_revealed(self, kind: Kind) -> bool:
        """True if such decisions are made in secret and revealed later."""
        return any(self.game.actions.verb_by_name[topic.verb].secret for topic in kind.topics)

    def choices_after(self, kind: Kind) -> int:
        """Return how many things can be chosen after a decision of a kind that can give its seat a choice; else 0."""
        verb = self.game.actions.verb_by_name.get(kind.followed_by)
        return 0 if verb is None else len(next(iter(verb.arguments.values())))

    def is_deed(self, text: str) -> bool:
        """True if a text is about a verb rather than a fact."""
        words = [word for word in text.lower().split() if word != NOT]
        return not words or words[0] not in self.facts

    def parse_deed(self, text: str) -> Pattern:
        """Return the pattern of actions in a text; raise `BadStatement` if it is invalid."""
        return parse_pattern(text, self.deeds)

    def deed_text(self, pattern: Pattern) -> str:
        return pattern_text(pattern, self.deeds)

    def parse_fact(self, text: str) -> Pattern:
        """Return the pattern of facts in a text; raise `BadStatement` if it is invalid."""
        if not self.facts:
            raise BadStatement(mark("{text}: this game has no secrets to make claims about"), text=text[:LONGEST])
        return parse_pattern(text, self.facts)

    def fact_text(self, pattern: Pattern) -> str:
        return pattern_text(pattern, self.facts)


@cache
def language_of(game: Game) -> Language:
    """Return a game's language; raise `BadStatement` if it declares no talk, `TypeError` if it does so wrongly."""
    if (talk := words_of(game).talk) is None:
        raise BadStatement(mark("you can’t make promises in this game"))
    known = game.actions.verb_by_name
    spoken = [topic.verb for kind in talk.kinds for topic in kind.topics]
    facts = {fact.verb.name: fact.verb for fact in talk.facts}
    for name in {*spoken, *(verb for kind in talk.kinds for verb in kind.verbs)} - known.keys():
        raise TypeError(f"{game.name}: talk is about {name!r}: expected one of the game's verbs")
    names = [*spoken, *facts]
    for name in names:
        if name in RESERVED or names.count(name) > 1:
            raise TypeError(f"{game.name}: talk is about {name!r}: expected each verb once, and none of {RESERVED}")
    return Language(game, talk, {name: known[name] for name in spoken}, facts)
