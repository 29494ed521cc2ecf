"""Statements: what one seat says to all or to one, as data.

The texts of records and commands are read and written here:

    promise vote not red now                          to all, about the speaker's present decision
    request to 2 board green next                     whispered to seat 2, about its next decision of the kind
    offer to 2 aloud vote not red now if vote black now       to seat 2, for all to hear
    threat to 2 not green 2 round if green 0 round    about all such decisions until the end of the round
    claim role merchant                               about an own secret, or about what one is going to do
    accuse 3 role traitor                             about another's
    ask to 2 vote * now                               what another is going to do, or a fact
    accept 7 · decline 7 · withdraw 7                 statement number 7
    thank to 2
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import msgspec

from tavola.core.text import mark
from tavola.talk.language import Language
from tavola.talk.patterns import LONGEST, Pattern
from tavola.talk.statement_refusals import BadStatement


class Act(StrEnum):
    """The acts of speech."""

    PROMISE = "promise"
    REQUEST = "request"
    OFFER = "offer"
    THREAT = "threat"
    CLAIM = "claim"
    ACCUSE = "accuse"
    ASK = "ask"
    ACCEPT = "accept"
    DECLINE = "decline"
    WITHDRAW = "withdraw"
    THANK = "thank"


WORD_ACTS = (Act.PROMISE, Act.OFFER, Act.ACCEPT)
"""The acts by which a seat gives its word about a deed of its own."""
INTENT_ACTS = (*WORD_ACTS, Act.CLAIM)
"""Those, and the claim, which may be of what one is going to do."""
DUE_ACTS = (*INTENT_ACTS, Act.THREAT)
"""All after which a deed of the speaker may be due."""
JUDGED_ACTS = (*DUE_ACTS, Act.ACCUSE)
"""All that are kept or broken in the end: also what is said of another's secret."""


class When(StrEnum):
    """The decisions that a deed is about: the present one, the next of its kind, all until the end of the round."""

    NOW = "now"
    NEXT = "next"
    ROUND = "round"


class Status(StrEnum):
    """What became of a statement.

    `open`: nothing yet; `accepted`: a request, an offer or a question was answered; `declined`, `withdrawn`; `kept`,
    `broken`: what was said came true, or did not; `void`: its decision or its condition never came, or nobody saw it.
    """

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    KEPT = "kept"
    BROKEN = "broken"
    VOID = "void"


class Deed(NamedTuple):
    """What somebody does or does not do, and in which of his decisions."""

    pattern: Pattern
    when: When = When.NOW


@dataclass(frozen=True)
class Statement:
    """One statement. `to` None is all; to one seat it is whispered unless `aloud`.

    `deed`: the speaker's own of a promise, an offer, a threat or a claim, the hearer's of a request or a question;
    `condition`: the hearer's, of an offer or a threat; `fact`: of a claim, an accusation or a question; `about`: the
    seat that is accused; `answers`: the number of the statement that is accepted, declined or withdrawn.
    """

    speaker: int
    act: Act
    to: int | None = None
    aloud: bool = False
    deed: Deed | None = None
    condition: Deed | None = None
    fact: Pattern | None = None
    about: int | None = None
    answers: int | None = None

    @property
    def is_whispered(self) -> bool:
        """True when nobody but the speaker and one seat hears it."""
        return self.to is not None and not self.aloud

    @property
    def verb(self) -> str:
        """The verb, or the fact, that it is about; empty where it is about neither."""
        about = self.deed.pattern if self.deed is not None else self.fact
        return "" if about is None else about.verb


class Shape(NamedTuple):
    """What a kind of statement must say, and what it may."""

    needs: frozenset[str]
    may: frozenset[str] = frozenset()
    either: frozenset[str] = frozenset()
    """Exactly one of these is said, where there are any."""


def _names(*names: str) -> frozenset[str]:
    return frozenset(names)


ADDRESS = _names("to", "aloud")
SHAPES: dict[Act, Shape] = {
    Act.PROMISE: Shape(_names("deed"), ADDRESS),
    Act.REQUEST: Shape(_names("deed"), ADDRESS),
    Act.OFFER: Shape(_names("to", "deed", "condition"), ADDRESS),
    Act.THREAT: Shape(_names("to", "deed", "condition"), ADDRESS),
    Act.CLAIM: Shape(_names(), ADDRESS, _names("deed", "fact")),
    Act.ACCUSE: Shape(_names("about", "fact"), ADDRESS),
    Act.ASK: Shape(_names(), ADDRESS, _names("deed", "fact")),
    Act.ACCEPT: Shape(_names("answers")),
    Act.DECLINE: Shape(_names("answers")),
    Act.WITHDRAW: Shape(_names("answers")),
    Act.THANK: Shape(_names("to"), ADDRESS),
}
"""What each act must say and may say."""
PARTS = ("to", "aloud", "deed", "condition", "fact", "about", "answers")


def check_shape(statement: Statement) -> None:
    """Refuse a statement that lacks what its act needs, or says what it has no place for."""
    given = {part for part in PARTS if getattr(statement, part) is not None and getattr(statement, part) is not False}
    shape = SHAPES[statement.act]
    missing = shape.needs - given
    chosen = shape.either & given
    if missing or len(chosen) != min(1, len(shape.either)):
        wanted = ", ".join(sorted(missing)) or " or ".join(sorted(shape.either))
        raise BadStatement(mark("to {act} one says more: expected {wanted}"), act=str(statement.act), wanted=wanted)
    more = given - shape.needs - shape.may - shape.either
    if more or (statement.aloud and statement.to is None):
        parts = ", ".join(sorted(more)) or "aloud"
        raise BadStatement(mark("to {act} one does not say {parts}"), act=str(statement.act), parts=parts)


# Documents, as programs send and get them


def deed_text(deed: Deed, language: Language) -> str:
    """Return the text of a deed: its pattern, and when."""
    return f"{language.deed_text(deed.pattern)} {deed.when}"


def parse_deed(text: str, language: Language) -> Deed:
    """Return the deed that a text writes; without a word for when it is about the present decision."""
    *words, last = text.lower().split() or [""]
    if words and last in tuple(When):
        return Deed(language.parse_deed(" ".join(words)), When(last))
    return Deed(language.parse_deed(text))


def parse_act(word: str) -> Act:
    """Return the act of that name, or refuse with those that there are."""
    if word not in tuple(Act):
        raise BadStatement(
            mark("{word} is no act of speech: expected one of {acts}"), word=word[:LONGEST], acts=", ".join(Act)
        )
    return Act(word)


class StatementTexts(msgspec.Struct, frozen=True):
    """A statement with its deeds and facts as texts, the speaker left out: the form on the wire and in the log."""

    act: str
    to: int | None = None
    aloud: bool = False
    deed: str = ""
    condition: str = ""
    fact: str = ""
    about: int | None = None
    answers: int | None = None

    def without_defaults(self) -> dict[str, object]:
        """Return a document of what is said, and nothing else."""
        said, bare = msgspec.structs.asdict(self), msgspec.structs.asdict(StatementTexts(""))
        return {key: value for key, value in said.items() if value != bare[key]}


def read_statement(speaker: int, texts: StatementTexts, language: Language) -> Statement:
    """Return the statement that a seat makes with these texts; `BadStatement` says what was expected."""
    statement = Statement(
        speaker,
        parse_act(texts.act),
        texts.to,
        texts.aloud,
        parse_deed(texts.deed, language) if texts.deed else None,
        parse_deed(texts.condition, language) if texts.condition else None,
        language.parse_fact(texts.fact) if texts.fact else None,
        texts.about,
        texts.answers,
    )
    check_shape(statement)
    return statement


def statement_texts(statement: Statement, language: Language) -> StatementTexts:
    """Return the texts of a statement: `read_statement` reads them back."""
    if statement.answers is not None:  # to whom it goes follows from what it answers
        return StatementTexts(str(statement.act), answers=statement.answers)
    return StatementTexts(
        str(statement.act),
        statement.to,
        statement.aloud,
        deed_text(statement.deed, language) if statement.deed is not None else "",
        deed_text(statement.condition, language) if statement.condition is not None else "",
        language.fact_text(statement.fact) if statement.fact is not None else "",
        statement.about,
    )


# One line of text, for records and people who type


def statement_line(statement: Statement, language: Language) -> str:
    """Return a statement as one line, the speaker left out."""
    texts = statement_texts(statement, language)
    words = [texts.act]
    for number in (texts.answers, texts.about):
        words += [] if number is None else [str(number)]
    words += [] if texts.to is None else ["to", str(texts.to)]
    words += ["aloud"] if texts.aloud else []
    words += [text for text in (texts.deed, texts.fact) if text]
    return " ".join([*words, "if", texts.condition] if texts.condition else words)


def parse_line(speaker: int, line: str, language: Language) -> Statement:
    """Return the statement that a line writes; `BadStatement` says what was expected."""
    head, _, condition = f" {line.lower()} ".partition(" if ")
    words = head.split() or [""]
    act = parse_act(words[0])
    needs = SHAPES[act].needs
    numbered = "answers" if "answers" in needs else "about" if "about" in needs else ""
    rest, fields = words[1:], dict[str, object]()
    if numbered:
        fields[numbered], rest = _take_number(act, rest, "a number")
    if rest[:1] == ["to"]:
        fields["to"], rest = _take_number(act, rest[1:], "a seat")
    if rest[:1] == ["aloud"]:
        fields["aloud"], rest = True, rest[1:]
    content = " ".join(rest)
    if content:
        fields["deed" if language.is_deed(content) else "fact"] = content
    if condition.strip():
        fields["condition"] = condition.strip()
    return read_statement(speaker, StatementTexts(str(act), **fields), language)  # type: ignore[arg-type]


def _take_number(act: Act, words: list[str], wanted: str) -> tuple[int, list[str]]:
    if not words or not (words[0].isascii() and words[0].isdecimal() and len(words[0]) < 7):
        raise BadStatement(mark("to {act} one says more: expected {wanted}"), act=str(act), wanted=wanted)
    return int(words[0]), words[1:]
