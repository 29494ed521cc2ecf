"""Statements: what one seat says to everyone or to one seat, as data.

This module parses and writes the texts of records and commands:

    promise vote not red now                          to all, about the speaker's current decision
    request to 2 board green next                     whispered to seat 2, about its next decision of the kind
    offer to 2 aloud vote not red now if vote black now       to seat 2, for all to hear
    threat to 2 not green 2 round if green 0 round    about all such decisions until the end of the round
    claim role merchant                               about one's own secret, or one's own intention
    accuse 3 role traitor                             about another's
    warn 3                                            about a seat that has broken a promise
    ask to 2 vote * now                               about another's intention, or a fact
    accept 7 · decline 7 · withdraw 7                 statement number 7
    thank to 2
"""

from collections.abc import Set
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import msgspec

from tavola.core.text import mark
from tavola.talk.language import Language
from tavola.talk.patterns import LONGEST, Pattern
from tavola.talk.statement_refusals import BadStatement


class Act(StrEnum):
    """Kinds of statements."""

    PROMISE = "promise"
    REQUEST = "request"
    OFFER = "offer"
    THREAT = "threat"
    CLAIM = "claim"
    ACCUSE = "accuse"
    WARN = "warn"
    ASK = "ask"
    ACCEPT = "accept"
    DECLINE = "decline"
    WITHDRAW = "withdraw"
    THANK = "thank"


PROMISE_ACTS = (Act.PROMISE, Act.OFFER, Act.ACCEPT)
"""Acts that promise a deed of the speaker."""
INTENT_ACTS = (*PROMISE_ACTS, Act.CLAIM)
"""The same and claims, which may be about one's own intention."""
DUE_ACTS = (*INTENT_ACTS, Act.THREAT)
"""Acts after which a deed of the speaker may be due."""
JUDGED_ACTS = (*DUE_ACTS, Act.ACCUSE)
"""Acts that are finally kept or broken, including statements about another's secret."""


class When(StrEnum):
    """The decisions that a deed is about: the current one, the next of its kind, all until the end of the round."""

    NOW = "now"
    NEXT = "next"
    ROUND = "round"


class Status(StrEnum):
    """The status of a statement.

    `open`: not settled; `accepted`: a request, an offer or a question was answered; `declined`, `withdrawn`; `kept`,
    `broken`: it came true, or did not; `void`: its decision or condition never occurred, or was not observed.
    """

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    KEPT = "kept"
    BROKEN = "broken"
    VOID = "void"


class Deed(NamedTuple):
    """An action to do or to avoid, and in which decisions of its seat."""

    pattern: Pattern
    when: When = When.NOW


@dataclass(frozen=True)
class Statement:
    """One statement. `to` None is everyone; to one seat it is whispered unless `aloud`.

    `deed`: the speaker's in a promise, an offer, a threat or a claim, the hearer's in a request or a question;
    `condition`: the hearer's deed in an offer or a threat; `fact`: of a claim, an accusation or a question; `about`:
    the seat that is accused or warned about; `answers`: the number of the statement that is accepted, declined or
    withdrawn.
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
        """True if only the speaker and one seat hear it."""
        return self.to is not None and not self.aloud

    @property
    def verb(self) -> str:
        """The verb or the fact that it is about; empty without either."""
        about = self.deed.pattern if self.deed is not None else self.fact
        return "" if about is None else about.verb


class Shape(NamedTuple):
    """Required and optional parts of a kind of statement."""

    needs: Set[str]
    may: Set[str] = frozenset()
    either: Set[str] = frozenset()
    """Exactly one of these is required, if there are any."""


ADDRESS = {"to", "aloud"}
SHAPES: dict[Act, Shape] = {
    Act.PROMISE: Shape({"deed"}, ADDRESS),
    Act.REQUEST: Shape({"deed"}, ADDRESS),
    Act.OFFER: Shape({"to", "deed", "condition"}, ADDRESS),
    Act.THREAT: Shape({"to", "deed", "condition"}, ADDRESS),
    Act.CLAIM: Shape(set(), ADDRESS, {"deed", "fact"}),
    Act.ACCUSE: Shape({"about", "fact"}, ADDRESS),
    Act.WARN: Shape({"about"}, ADDRESS),
    Act.ASK: Shape(set(), ADDRESS, {"deed", "fact"}),
    Act.ACCEPT: Shape({"answers"}),
    Act.DECLINE: Shape({"answers"}),
    Act.WITHDRAW: Shape({"answers"}),
    Act.THANK: Shape({"to"}, ADDRESS),
}
PARTS = ("to", "aloud", "deed", "condition", "fact", "about", "answers")


def _check_shape(statement: Statement) -> None:
    """Raise `BadStatement` if a part is missing or superfluous."""
    given = {part for part in PARTS if getattr(statement, part) is not None and getattr(statement, part) is not False}
    shape = SHAPES[statement.act]
    missing = shape.needs - given
    if missing or len(shape.either & given) != min(1, len(shape.either)):
        wanted = ", ".join(sorted(missing)) or " or ".join(sorted(shape.either))
        raise BadStatement(mark("{act}: add {wanted}"), act=str(statement.act), wanted=wanted)
    more = given - shape.needs - shape.may - shape.either
    if more or (statement.aloud and statement.to is None):
        parts = ", ".join(sorted(more)) or "aloud"
        raise BadStatement(mark("{act}: leave out {parts}"), act=str(statement.act), parts=parts)


# Documents of the protocol


def deed_text(deed: Deed, language: Language) -> str:
    """Return the text of a deed: its pattern, and when."""
    return f"{language.deed_text(deed.pattern)} {deed.when}"


def parse_deed(text: str, language: Language) -> Deed:
    """Return the deed of a text; without a word for when, it is about the current decision."""
    *words, last = text.lower().split() or [""]
    if words and last in tuple(When):
        return Deed(language.parse_deed(" ".join(words)), When(last))
    return Deed(language.parse_deed(text))


def parse_act(word: str) -> Act:
    """Return the act of that name; raise `BadStatement` for an unknown one."""
    if word not in tuple(Act):
        raise BadStatement(
            mark("“{word}” isn’t an act of speech: choose one of {acts}"), word=word[:LONGEST], acts=", ".join(Act)
        )
    return Act(word)


class StatementTexts(msgspec.Struct, frozen=True):
    """A statement with deeds and facts as texts, without its speaker: the form in the protocol and in the log."""

    act: str
    to: int | None = None
    aloud: bool = False
    deed: str = ""
    condition: str = ""
    fact: str = ""
    about: int | None = None
    answers: int | None = None

    def without_defaults(self) -> dict[str, object]:
        said, bare = msgspec.structs.asdict(self), msgspec.structs.asdict(StatementTexts(""))
        return {key: value for key, value in said.items() if value != bare[key]}


def read_statement(speaker: int, texts: StatementTexts, language: Language) -> Statement:
    """Return a seat's statement from its texts; raise `BadStatement` with what was expected."""
    act = parse_act(texts.act)
    deed, condition = (parse_deed(text, language) if text else None for text in (texts.deed, texts.condition))
    fact = language.parse_fact(texts.fact) if texts.fact else None
    statement = Statement(speaker, act, texts.to, texts.aloud, deed, condition, fact, texts.about, texts.answers)
    _check_shape(statement)
    return statement


def statement_texts(statement: Statement, language: Language) -> StatementTexts:
    """Return the texts of a statement, which `read_statement` reads back."""
    if statement.answers is not None:  # the addressee follows from the statement that is answered
        return StatementTexts(str(statement.act), answers=statement.answers)
    deed, condition = (deed_text(each, language) if each else "" for each in (statement.deed, statement.condition))
    fact = language.fact_text(statement.fact) if statement.fact is not None else ""
    return StatementTexts(str(statement.act), statement.to, statement.aloud, deed, condition, fact, statement.about)


# A line of text, for records and commands


def statement_line(statement: Statement, language: Language) -> str:
    """Return a statement as one line, without its speaker."""
    texts = statement_texts(statement, language)
    words = [texts.act]
    for number in (texts.answers, texts.about):
        words += [] if number is None else [str(number)]
    words += [] if texts.to is None else ["to", str(texts.to)]
    words += ["aloud"] if texts.aloud else []
    words += [text for text in (texts.deed, texts.fact) if text]
    return " ".join([*words, "if", texts.condition] if texts.condition else words)


def parse_line(speaker: int, line: str, language: Language) -> Statement:
    """Return the statement of a line; raise `BadStatement` with what was expected."""
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
    if content := " ".join(rest):
        fields["deed" if language.is_deed(content) else "fact"] = content
    if condition.strip():
        fields["condition"] = condition.strip()
    return read_statement(speaker, StatementTexts(str(act), **fields), language)  # type: ignore[arg-type]


def _take_number(act: Act, words: list[str], wanted: str) -> tuple[int, list[str]]:
    if not words or not (words[0].isascii() and words[0].isdecimal() and len(words[0]) < 7):
        raise BadStatement(mark("{act}: add {wanted}"), act=str(act), wanted=wanted)
    return int(words[0]), words[1:]
