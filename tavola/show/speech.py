"""Sentences in four languages: gettext catalogues, and the callable `Say` that every sentence goes through.

A game's `words` use `say("…")` and `say.many("one …", "{count} …", n)`, and mark messages in tables with `mark("…")`,
`marks("…", "…")` and `mark_many("one …", "{count} …")`. If the same English has two meanings, `say("…", context="…")`
and `mark("…", context="…")` distinguish them. `tavola.show.cards.Words` lists what a game has to say. A message is a
whole sentence, or a whole phrase that a language can decline. Never concatenate parts. `python -m scripts.catalogues
update` updates the catalogues after a change.
"""

import os
from collections import ChainMap
from collections.abc import Sequence
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import Literal

from babel import Locale
from babel.lists import format_list

from tavola.core.game import Game
from tavola.core.text import CONTEXT_END, in_context, isolated
from tavola.core.text import mark as mark  # noqa: PLC0414 - games import it from here
from tavola.show.po import compiled

SHARED_FOLDER = Path(__file__).resolve().parent.parent
"""Folder of the catalogues that all others fall back on: refusals, statements, and sentences of all games."""
LANGUAGES = {"en": "English", "it": "Italiano", "fr": "Français", "de": "Deutsch"}
"""Complete languages, by their own names. Menus offer them, browsers choose among them, releases need every message."""
DRAFTS: dict[str, str] = {}
"""Languages in translation: used only on request, in English if a message is missing."""
KNOWN_LANGUAGES = ChainMap(LANGUAGES, DRAFTS)


def figure(number: int, *, signed: bool = False) -> str:
    """Return a number with a true minus sign, and with a plus sign if `signed`."""
    return (f"{number:+d}" if signed else str(number)).replace("-", "\N{MINUS SIGN}")


def marks(*messages: str) -> tuple[str, ...]:
    """Return messages for a table, each marked for translation."""
    return messages


def mark_many(one: str, more: str) -> tuple[str, str]:
    """Return both forms of a message for a table, marked for translation: `say.many(*FORMS, count)`."""
    return one, more


@cache
def catalogue(folder: Path, language: str) -> NullTranslations:
    """Return the translations in `folder/locale/language.po`, with the package's catalogue as fallback.

    Plurals follow the rule in the catalogue's header. For English, or a language without a file, messages stay as
    written. Fuzzy translations, whose message has changed since, are used unless the environment variable
    `TAVOLA_FUZZY` is `english`.
    """
    path = folder / "locale" / f"{language}.po"
    if not path.exists():
        return NullTranslations() if folder == SHARED_FOLDER else catalogue(SHARED_FOLDER, language)
    translations = compiled(path, language, fuzzy=os.environ.get("TAVOLA_FUZZY") != "english")
    if folder != SHARED_FOLDER:
        translations.add_fallback(catalogue(SHARED_FOLDER, language))
    return translations


@cache
def _locale(language: str) -> Locale:
    """Return the locale of a language. English is British: no comma before "and". Unknown languages are English."""
    return Locale.parse(language if language in KNOWN_LANGUAGES and language != "en" else "en_GB")


@cache
def _list_pattern(count: int, language: str, style: Literal["standard", "or"] = "standard") -> str:
    """Return a language's pattern for a list of `count` things, `{0}, {1} and {2}`. Cached, since it is slow."""
    return format_list([f"{{{place}}}" for place in range(count)], style=style, locale=_locale(language))


def _written(values: dict[str, object]) -> dict[str, object]:
    """Return values for a sentence: numbers below zero with a true minus, right-to-left texts isolated."""
    return {key: _part(value) if isinstance(value, str | int) else value for key, value in values.items()}


def _part(value: str | int) -> object:
    if isinstance(value, str):
        return isolated(value)
    return figure(value) if value < 0 else value


class Say:
    """Sentences in one language, with the names of the people at the table."""

    def __init__(self, folder: Path, language: str, names: Sequence[str] = ()) -> None:
        self.folder, self.language, self.names = folder, language, tuple(names)
        self._catalogue = catalogue(folder, language)

    def __repr__(self) -> str:
        return f"Say({self.folder.name!r}, {self.language!r}, {self.names})"

    def __reduce__(self) -> tuple[object, ...]:
        return Say, (self.folder, self.language, self.names)

    @classmethod
    def of(cls, game: Game, language: str, names: Sequence[str] = ()) -> "Say":
        """Return `say` for a game's own sentences; seats without a name are called by their number."""
        return cls(game.folder, language, names)

    def __call__(self, message: str, /, *, context: object = "", **values: object) -> str:
        """Return a message in the language, its `{name}` parts filled in; `context` selects one of its meanings."""
        said = self._catalogue.gettext(in_context(message, str(context))).rpartition(CONTEXT_END)[2]
        return said.format_map(_written(values)) if values else said

    def own_form(self, message: str, form: str) -> str:
        """Return a noun in a form that only this language has (the context of its entry), or else the noun itself.

        `python -m scripts.catalogues check` finds missing forms.
        """
        said = self._catalogue.gettext(key := in_context(message, form))
        return self(message) if said == key else said

    def many(self, one: str, more: str, count: int, **values: object) -> str:
        """Return the form for `count` things, with `{count}` filled in."""
        form = self._catalogue.ngettext(one, more, abs(count))
        return form.format_map(_written({"count": count, **values}))

    def name(self, seat: int) -> str:
        """Return the name of the player in a seat."""
        return self.names[seat] if seat < len(self.names) else f"P{seat + 1}"

    def listing(self, items: Sequence[str]) -> str:
        """Return `a, b and c` as the language writes it."""
        return _list_pattern(len(items), self.language).format(*map(isolated, items))

    def alternatives(self, items: Sequence[str]) -> str:
        """Return `a, b or c` as the language writes it."""
        return _list_pattern(len(items), self.language, "or").format(*map(isolated, items))

    def labelled(self, label: str, text: str) -> str:
        """Return `label: text` as the language writes it: French has a space before the colon."""
        return self(mark("{label}: {text}"), label=label, text=text)

    def load_lists(self) -> None:
        """Load the language's rules for lists in advance: their data are large."""
        self.alternatives(["a", "b"])
