"""Phrases that the style guides ban, and functions that find them in texts."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

STYLE = Path(__file__).resolve().parent.parent / "docs" / "style"


class Phrase(NamedTuple):
    """A banned phrase: its name, what to write instead, and the patterns that find it.

    `game` is the folder of the game in which the phrase is banned; empty for all texts.
    """

    name: str
    cure: str
    patterns: tuple[str, ...]
    game: str = ""

    @property
    def pattern(self) -> re.Pattern[str]:
        """All patterns as one; the module `re` caches it."""
        return re.compile("|".join(self.patterns), re.IGNORECASE | re.MULTILINE)


class Text(NamedTuple):
    """A text with its place, and what exceptions are matched with: its English message, and comments on that."""

    path: Path
    line: int
    text: str
    message: str = ""
    comment: str = ""


class Finding(NamedTuple):
    """A banned phrase in a text, with its line and the words found."""

    text: Text
    line: int
    phrase: Phrase
    words: str


def findings(texts: Iterable[Text], phrases: Iterable[Phrase], unsearched: re.Pattern[str]) -> Iterator[Finding]:
    """Yield every banned phrase in texts, outside what is `unsearched`."""
    for text in texts:
        searched = unsearched.sub(lambda found: re.sub(r"[^\n]", "·", found[0]), text.text)
        for phrase in phrases:
            if not phrase.game or phrase.game in text.path.parts:
                for found in phrase.pattern.finditer(searched):
                    yield Finding(text, text.line + searched.count("\n", 0, found.start()), phrase, found[0])


def without_exceptions(found: Iterable[Finding], language: str) -> Iterator[Finding]:
    """Yield the findings that docs/style/exceptions.toml does not allow in a language."""
    allowed = tomllib.loads((STYLE / "exceptions.toml").read_text(encoding="utf-8"))["allowed"]
    for finding in found:
        if not any(_allows(exception, language, finding) for exception in allowed):
            yield finding


def _allows(exception: Mapping[str, Any], language: str, finding: Finding) -> bool:
    """Return whether an exception applies to a finding: everything that it names has to match."""
    text, words = finding.text, finding.words.strip(" .:;!?").lower()
    return (
        finding.phrase.name == exception["rule"]
        and language in exception.get("languages", (language,))
        and exception.get("comment", "") in text.comment
        and (text.message in exception["messages"] if "messages" in exception else True)
        and (words in exception["words"] if "words" in exception else True)
    )


PHRASES = (
    Phrase("he, his", "they, their, you, or the role", (r"\b(?:he|him|his|himself)\b",)),
    Phrase(
        "fused who",
        "anyone who …, players who …",
        (r"\b(?:for|of|to|by|with|from|than|only|and|or) who (?!is\b.*\?)\w+", r"(?:^|[.;:] )Who (?!.*\?)"),
    ),
    Phrase("somebody", "the role: player, guest, operator", (r"\b(?:some|any|every|no)body\b", r"\bwhom?ever\b")),
    Phrase("tell", "show, send, return, notify", (r"\b(?:tell|tells|told|telling)\b",)),
    Phrase("so many", "the parameter in backticks", (r"\bso (?:many|long|much)\b(?! (?:as|that|for))",)),
    Phrase("anew", "again, from scratch", (r"\banew\b", r"\bonce more\b")),
    Phrase("is no", "is not a", (r"\b(?:is|are|was|were) no\b(?! (?:longer|more than))",)),
    Phrase("no more", "no longer, unless", (r"\bno more\b(?! than)", r"\bbut for\b", r"\bnot any more\b")),
    Phrase("may not", "must not, cannot", (r"\bmay not\b",)),
    Phrase(
        "stands, lies",
        "is in, is stored in",
        (r"\b(?:stands?|stood|lies?|lay|lain) (?:in|on|at|there|here|ready|beside|below|above)\b",),
    ),
    Phrase(
        "house words",
        "e-mail, sign in, correspondence, limits",
        (
            r"(?<!by the )(?<!capital )(?<!two-)\bletters?\b(?! of the rule)",
            r"\b(?:the shelf|the door|by post|of the house|(?:come|comes|came) in)\b",
            r"\bkeeps? (?:him|one)self\b",
        ),
    ),
)
