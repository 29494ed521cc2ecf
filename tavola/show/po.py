"""Gettext catalogues: reading, comparing, compiling for `tavola.show.speech`, and writing."""

from collections.abc import Iterable
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import TypeAlias

import polib
from babel.messages.plurals import get_plural

UNWRAPPED = 0
"""Do not wrap messages: a change is then a change of one line, and a search finds the whole message."""
Key: TypeAlias = tuple[str, str]
"""The context of an entry, which may be empty, and its English."""


def read_catalogue(path: Path, language: str) -> polib.POFile:
    """Return a catalogue, with its language's plural rule unless its header has one; empty if the file does not exist.

    Raises `OSError` with the line if the file is not a catalogue.
    """
    catalogue = polib.pofile(str(path), encoding="utf-8") if path.exists() else polib.POFile()
    catalogue.wrapwidth = UNWRAPPED
    header = {
        "Language": language,
        "Plural-Forms": str(get_plural(language).plural_forms),
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
    }
    catalogue.metadata = {name: catalogue.metadata.get(name, value) for name, value in header.items()}
    return catalogue


def compiled(path: Path, language: str, *, fuzzy: bool) -> GNUTranslations:
    """Return the translations of a catalogue, including `fuzzy` ones with the right placeholders if requested."""
    catalogue = read_catalogue(path, language)
    for entry in catalogue:
        if fuzzy and entry.fuzzy and fills_in_the_same(entry):
            entry.flags.remove("fuzzy")
    return GNUTranslations(BytesIO(catalogue.to_binary()))


def key_of(entry: polib.POEntry) -> Key:
    """Return the key of an entry in its catalogue."""
    return entry.msgctxt or "", entry.msgid


def identifiers(entry: polib.POEntry) -> list[str]:
    """Return the English of an entry: one text, or singular and plural."""
    return [entry.msgid, entry.msgid_plural] if entry.msgid_plural else [entry.msgid]


def translations(entry: polib.POEntry) -> list[str]:
    """Return the translation of an entry: one text, or one for each plural form; empty texts if it is missing."""
    return [text for _, text in sorted(entry.msgstr_plural.items())] if entry.msgid_plural else [entry.msgstr]


def fills_in_the_same(entry: polib.POEntry) -> bool:
    """Return whether every text of a translation has the placeholders of its message.

    If one of the English forms lacks a placeholder, the translation may omit it: "the only card" needs no number.
    """
    english = [placeholders([text]) for text in identifiers(entry)]
    needed, known = set.intersection(*english), set.union(*english)
    return all(needed <= placeholders([text]) <= known for text in translations(entry))


def placeholders(texts: Iterable[str]) -> set[str]:
    """Return the names in braces; a text with a stray brace gets a name that no other text has."""
    try:
        parts = [part for text in texts for part in Formatter().parse(text)]
        inner = placeholders([form for _, _, form, _ in parts if form]) if parts else set()
        return inner | {name for _, name, _, _ in parts if name is not None}
    except ValueError as error:
        return {str(error)}
