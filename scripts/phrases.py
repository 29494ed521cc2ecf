"""Phrases that the style guides ban, and where they are found in a text."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple


class Phrase(NamedTuple):
    """A banned phrase: its name, what to write instead, and the patterns that find it.

    `game`: the folder of the game that the phrase is banned in; empty for all texts.
    """

    name: str
    cure: str
    patterns: tuple[str, ...]
    game: str = ""

    @property
    def pattern(self) -> re.Pattern[str]:
        """One pattern for all; the module `re` keeps it compiled."""
        return re.compile("|".join(self.patterns), re.IGNORECASE | re.MULTILINE)


class Text(NamedTuple):
    """A text, where it begins, and what exceptions ask for: the message that it translates, comments on that."""

    path: Path
    line: int
    text: str
    message: str = ""
    comment: str = ""


class Finding(NamedTuple):
    """A banned phrase in a text: where it is, and the words themselves."""

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
                    line = text.line + searched.count("\n", 0, found.start())
                    yield Finding(text, line, phrase, found[0])


PHRASES = (
    Phrase("he, his", "they, their, you, or the role", (r"\b(?:he|him|his|himself)\b",)),
    Phrase(
        "fused who",
        "anyone who …, players who …",
        (r"\b(?:for|of|to|by|with|from|than|only|and|or) who (?!is\b.*\?)\w+", r"(?:^|[.;:] )Who (?!.*\?)"),
    ),
    Phrase(
        "somebody",
        "the role: player, guest, operator",
        (r"\b(?:some|any|every|no)body\b", r"\bwhom?ever\b"),
    ),
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
            r"(?<!by the )\bletters?\b(?! of the rule)",
            r"\b(?:the shelf|the door|by post|of the house|(?:come|comes|came) in)\b",
            r"\bkeeps? (?:him|one)self\b",
        ),
    ),
)
