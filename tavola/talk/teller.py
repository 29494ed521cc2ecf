"""Sentences for statements: direct speech from the game's own words, in the reader's language.

teller = Teller(language, Say.of(game, "it", names))
teller.statement(said, talk)         Mara promette a tutti: «Non voto rosso.»
teller.verdict(said, talk)           Mara mantiene la parola data: «Non voto rosso.»
"""

from collections.abc import Mapping

from tavola.show.speech import SHARED_FOLDER, Say, capitalized, mark
from tavola.show.talk import Fact, Forms, Topic
from tavola.talk.conversation import Conversation, Said
from tavola.talk.language import Language
from tavola.talk.patterns import Pattern, Slot
from tavola.talk.statements import Act, Deed, Statement, Status, When

HOLE = "…"
WHEN = {
    When.NOW: mark("{words}"),
    When.NEXT: mark("{words} next time"),
    When.ROUND: mark("{words} for the rest of the round"),
}
FRAMES: dict[Act, tuple[str, str]] = {
    Act.PROMISE: (
        mark("{name} {name:promises|promise} everyone: “{words}.”"),
        mark("{name} {name:promises|promise} {hearer}: “{words}.”"),
    ),
    Act.REQUEST: (
        mark("{name} {name:asks|ask} everyone: “{words}!”"),
        mark("{name} {name:asks|ask} {hearer}: “{words}!”"),
    ),
    Act.OFFER: ("", mark("{name} {name:offers|offer} {hearer}: “{condition}, and {words}.”")),
    Act.THREAT: ("", mark("{name} {name:threatens|threaten} {hearer}: “{condition}, and {words}.”")),
    Act.CLAIM: (
        mark("{name} {name:claims|claim}: “{words}.”"),
        mark("{name} {name:claims|claim} to {hearer}: “{words}.”"),
    ),
    Act.ACCUSE: (
        mark("{name} {name:accuses|accuse} {about}: “{words}.”"),
        mark("{name} {name:accuses|accuse} {about} to {hearer}: “{words}.”"),
    ),
    Act.WARN: (
        mark("{name} {name:warns|warn} everyone: {about} {about:breaks|break} promises."),
        mark("{name} {name:warns|warn} {hearer}: {about} {about:breaks|break} promises."),
    ),
    Act.ASK: (mark("{name} {name:asks|ask} everyone: “{words}”"), mark("{name} {name:asks|ask} {hearer}: “{words}”")),
    Act.ACCEPT: (
        mark("{name} {name:agrees|agree}: “{words}.”"),
        mark("{name} {name:agrees|agree} with {hearer}: “{words}.”"),
    ),
    Act.DECLINE: (mark("{name} {name:declines|decline}."), mark("{name} {name:turns|turn} {hearer} down.")),
    Act.WITHDRAW: (mark("{name} {name:takes|take} it back: “{words}.”"),) * 2,
    Act.THANK: ("", mark("{name} {name:thanks|thank} {hearer}.")),
}
"""The sentences of each act of speech, to everyone and to one seat."""
WHISPERED = mark("Whispered: {sentence}")
WHISPERS = mark("{name} whispers to {hearer}.")
VERDICTS: dict[tuple[bool, Status], str] = {
    (False, Status.KEPT): mark("{name} {name:keeps|keep} a promise: “{words}.”"),
    (False, Status.BROKEN): mark("{name} {name:breaks|break} a promise: “{words}.”"),
    (True, Status.KEPT): mark("{name} {name:carries|carry} out the threat: “{words}.”"),
    (True, Status.BROKEN): mark("{name} {name:doesn’t|don’t} carry out the threat: “{words}.”"),
}
FACT_VERDICTS: dict[tuple[bool, Status], str] = {
    (False, Status.KEPT): mark("{name} told the truth: “{words}.”"),
    (False, Status.BROKEN): mark("{name} lied: “{words}.”"),
    (True, Status.KEPT): mark("{name} {name:was|were} right about {about}: “{words}.”"),
    (True, Status.BROKEN): mark("{name} {name:was|were} wrong about {about}: “{words}.”"),
}
EXCLUDED = {False: mark("not {this}"), True: mark("anything but {this}")}
"""An excluded argument, by whether the sentence itself is negative."""
SPEECH: dict[Act, str] = {
    Act.REQUEST: mark("{words}!"),
    Act.OFFER: mark("{condition}, and {words}."),
    Act.THREAT: mark("{condition}, and {words}."),
    Act.ASK: mark("{words}"),
}
"""Direct speech that does not end like a plain sentence."""


class Teller:
    """A writer of sentences for statements in one language. `say` is the game's."""

    def __init__(self, language: Language, say: Say) -> None:
        self.language, self.say = language, say
        self._own = say.elsewhere(SHARED_FOLDER)

    def whisper(self, speaker: int, hearer: int) -> str:
        """Return the sentence for those who cannot hear a whisper."""
        return self._own(WHISPERS, name=self.say.name(speaker), hearer=self.say.name(hearer))

    def statement(self, said: Said, talk: Conversation) -> str:
        """Return the whole sentence, for those who heard it."""
        spoken = said.statement
        to_all, to_one = FRAMES[spoken.act]
        message = to_all if spoken.to is None else to_one
        sentence = self._own(message, **self._people(spoken), **self._words(spoken, talk))
        return self._own(WHISPERED, sentence=sentence) if spoken.is_whispered else sentence

    def speech(self, spoken: Statement, talk: Conversation) -> str:
        """Return a statement as direct speech."""
        told = self._own(SPEECH.get(spoken.act, mark("{words}.")), **self._words(spoken, talk))
        return told.replace(f"{HOLE}.", HOLE).replace(f"{HOLE}!", HOLE)

    def open_verb(self, verb: str) -> str:
        """Return a verb's sentence with its arguments left open: "Vote …"."""
        declared = self.language.deeds.get(verb)
        topic = self.language.topic(verb) if declared is not None else self.language.fact(verb)
        slots = (Slot(None),) * len((declared or self.language.facts[verb]).arguments)
        return capitalized(self._content(Pattern(verb, slots), topic, you=declared is not None))

    def verdict(self, said: Said, talk: Conversation) -> str:
        """Return the outcome of a statement that was kept or broken; else an empty string."""
        spoken, status = said.statement, said.status
        if status not in (Status.KEPT, Status.BROKEN):
            return ""
        if spoken.fact is not None:
            message = FACT_VERDICTS[spoken.act is Act.ACCUSE, status]
        else:
            message = VERDICTS[spoken.act is Act.THREAT, status]
        return self._own(message, **self._people(spoken), words=self._words(spoken, talk, alone=True)["words"])

    def _people(self, spoken: Statement) -> dict[str, str]:
        named = {"name": spoken.speaker, "hearer": spoken.to, "about": spoken.about}
        return {part: self.say.name(seat) for part, seat in named.items() if seat is not None}

    def _words(self, spoken: Statement, talk: Conversation, *, alone: bool = False) -> dict[str, str]:
        """Return the words between quotation marks; `alone`: the deed without its condition."""
        if spoken.answers is not None:
            return self._answered_words(spoken, talk)
        of_hearer = spoken.act is Act.REQUEST
        if spoken.deed is not None:
            words = self._deed(spoken.deed, you=of_hearer, other=spoken.speaker if of_hearer else spoken.to)
        elif spoken.fact is not None:
            words = self._content(spoken.fact, self.language.fact(spoken.fact.verb), you=spoken.act is Act.ACCUSE)
        else:
            return {"words": ""}
        if spoken.condition is None:
            return {"words": capitalized(words)}
        told = {"condition": capitalized(self._deed(spoken.condition, you=True, other=spoken.speaker)), "words": words}
        return {**told, "words": capitalized(words)} if alone else told

    def _answered_words(self, spoken: Statement, talk: Conversation) -> dict[str, str]:
        asked = talk.said[(spoken.answers or 1) - 1].statement
        if spoken.act is Act.ACCEPT:
            deed = asked.condition or asked.deed
            return {"words": capitalized(self._deed(deed, you=False, other=asked.speaker)) if deed is not None else ""}
        return {"words": self._words(asked, talk, alone=True)["words"]}

    def _deed(self, deed: Deed, *, you: bool, other: int | None) -> str:
        """Return a deed of the speaker or of the hearer (`you`) in words; `other` is the other one of the two."""
        topic = self.language.topic(deed.pattern.verb)
        return self._own(WHEN[deed.when], words=self._content(deed.pattern, topic, you=you, other=other))

    def _content(self, pattern: Pattern, declared: Topic | Fact, *, you: bool, other: int | None = None) -> str:
        pattern = self._plain(pattern)
        forms = self._forms(pattern, declared, other)
        plain, negative = (forms.you, forms.you_not) if you else (forms.i, forms.i_not)
        verb = self.language.deeds.get(pattern.verb) or self.language.facts[pattern.verb]
        filled = zip(verb.arguments.items(), pattern.slots, strict=True)
        holes, but = declared.holes, EXCLUDED[pattern.negated]
        values = {argument: self._argument(argument, names, slot, holes, but) for (argument, names), slot in filled}
        return self.say(negative if pattern.negated else plain, **values)

    def _forms(self, pattern: Pattern, declared: Topic | Fact, other: int | None) -> Forms:
        if not isinstance(declared, Topic):
            return declared.forms
        victim = self.language.victim(pattern)
        if declared.between is not None and victim is not None and victim == other:
            return declared.between
        first = pattern.slots[0].place if pattern.slots else None
        return declared.forms if first is None else declared.instead.get(first, declared.forms)

    def _plain(self, pattern: Pattern) -> Pattern:
        """Return `not vote red` for `vote not red` if voting is the only option."""
        verb = self.language.deeds.get(pattern.verb)
        alone = verb is not None and len(self.language.kind(pattern.verb).verbs) == 1
        if alone and len(pattern.slots) == 1 and pattern.slots[0].excluded:
            return Pattern(pattern.verb, (Slot(pattern.slots[0].place),), not pattern.negated)
        return pattern

    def _argument(
        self, argument: str, names: tuple[str, ...], slot: Slot, holes: Mapping[str, str], but: str
    ) -> object:
        if slot.place is None:
            return AnyForm(self.say(holes[argument]) if argument in holes else HOLE)
        named = self.language.talk.vocabulary.arguments.get(argument)
        value: object = names[slot.place] if named is None else named(slot.place, self.say)
        return Excluded(value, self._own, but) if slot.excluded else value


class AnyForm(str):
    """Text that is the same in every grammatical form."""

    def __format__(self, form: str) -> str:
        return str(self)


class Excluded:
    """An excluded argument in the form that the sentence requires, in words of `EXCLUDED`."""

    def __init__(self, value: object, say: Say, words: str) -> None:
        self.value, self.say, self.words = value, say, words

    def __format__(self, form: str) -> str:
        return self.say(self.words, this=format(self.value, form))
