"""A pseudo-language for tests: the English messages, a third longer, with accents on every character."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations
from itertools import count
from pathlib import Path

import pytest

from tavola.core.text import CONTEXT_END
from tavola.show import speech

CODE = "eo"
"""Not a language of the site, but one whose lists and dates Babel knows."""
ACCENTS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "áƀçđéƒğħíĵķĺɱñóƥɋŕšŧúṽŵẋýžÁƁÇĐÉƑĞĦÍĴĶĹṀÑÓƤɊŔŠŦÚṼŴẊÝŽ"
)
LETTER = re.compile(r"(\{[^{}|]*\}|\{\w+:(?=[^{}]*\|))|([A-Za-z])")
"""A placeholder, the beginning of words in two persons, which are changed as others are, or one character."""


def pseudo(message: str) -> str:
    """Return a message with accents, every third character doubled; placeholders stay."""
    letters = count()

    def changed(found: re.Match[str]) -> str:
        if found[1]:
            return found[1]
        letter = found[2].translate(ACCENTS)
        return letter if next(letters) % 3 else letter + letter.lower()

    context, end, text = message.rpartition(CONTEXT_END)
    return context + end + LETTER.sub(changed, text)


class PseudoTranslations(NullTranslations):
    def gettext(self, message: str) -> str:
        return pseudo(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return pseudo(msgid1 if n == 1 else msgid2)


@contextmanager
def pseudo_language() -> Iterator[str]:
    """Add the pseudo-language to the site as a draft; yield its code."""
    catalogue, translations = speech.catalogue, PseudoTranslations()

    def with_pseudo(folder: Path, language: str) -> NullTranslations:
        return translations if language == CODE else catalogue(folder, language)

    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(speech.DRAFTS, CODE, "Pseudo")
        patched.setattr(speech, "catalogue", with_pseudo)
        yield CODE
