"""Sentences in four languages: gettext catalogues read as they are, and the one callable every sentence goes through.

A game's `words` say their English with `say("…")` and `say.many("one …", "{count} …", n)`, and mark with `mark("…")`,
`marks("…", "…")` and `mark_many("one …", "{count} …")` the messages that they keep in tables. Where the same English
has two meanings, `say("…", context="…")` and `mark("…", context="…")` distinguish them. What a game has to say is on
its card, `tavola.show.cards.Words`. A message is a whole sentence, or a whole phrase that a language can decline;
nothing is glued together.
`python -m scripts.catalogues update` brings the catalogues up to date after a change.
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

HOUSE = Path(__file__).resolve().parent.parent
"""The folder of the catalogues that all others fall back on: refusals, statements, and what all games say."""
LANGUAGES = {"en": "English", "it": "Italiano", "fr": "Français", "de": "Deutsch"}
"""Complete languages, by their own names: menus offer them, browsers choose among them, releases need every message."""
DRAFTS: dict[str, str] = {}
"""Languages that are being translated: shown when asked for, in English where a message is missing."""
KNOWN_LANGUAGES = ChainMap(LANGUAGES, DRAFTS)


def figure(number: int, *, signed: bool = False) -> str:
    """Write a whole number with a true minus; a `signed` one with its plus, too."""
    return (f"{number:+d}" if signed else str(number)).replace("-", "\N{MINUS SIGN}")


def marks(*messages: str) -> tuple[str, ...]:
    """The messages of a table, each marked for translation."""
    return messages


def mark_many(one: str, more: str) -> tuple[str, str]:
    """Both forms of a message in a table, marked for translation: `say.many(*FORMS, count)`."""
    return one, more


@cache
def catalogue(folder: Path, language: str) -> NullTranslations:
    """Return the translations in `folder/locale/language.po`; the catalogue of the package has those that it lacks.

    Plurals follow the rule in the catalogue's header, with as many forms as the language has. English, or a language
    without a file, has every message as it was written. A fuzzy translation, of a message that has changed since, is
    shown, unless the environment variable `TAVOLA_FUZZY` is `english`.
    """
    path = folder / "locale" / f"{language}.po"
    if not path.exists():
        return NullTranslations() if folder == HOUSE else catalogue(HOUSE, language)
    translations = compiled(path, language, fuzzy=os.environ.get("TAVOLA_FUZZY") != "english")
    if folder != HOUSE:
        translations.add_fallback(catalogue(HOUSE, language))
    return translations


@cache
def _locale(language: str) -> Locale:
    """English is British: its lists have no comma before "and". A language that is not ours any more is English."""
    return Locale.parse(language if language in KNOWN_LANGUAGES and language != "en" else "en_GB")


@cache
def _list_pattern(count: int, language: str, style: Literal["standard", "or"] = "standard") -> str:
    """Return how a language lists so many things, `{0}, {1} and {2}`; kept, since finding that out takes longest."""
    return format_list([f"{{{place}}}" for place in range(count)], style=style, locale=_locale(language))


def _written(values: dict[str, object]) -> dict[str, object]:
    """The parts of a sentence: numbers below zero with a true minus, texts from right to left isolated."""
    return {key: _part(value) if isinstance(value, str | int) else value for key, value in values.items()}


def _part(value: str | int) -> object:
    if isinstance(value, str):
        return isolated(value)
    return figure(value) if value < 0 else value


class Say:
    """Says a message in one language, with the names of the people at the table."""

    def __init__(self, folder: Path, language: str, names: Sequence[str] = ()) -> None:
        self.folder, self.language, self.names = folder, language, tuple(names)
        self._catalogue = catalogue(folder, language)

    def __repr__(self) -> str:
        return f"Say({self.folder.name!r}, {self.language!r}, {self.names})"

    def __reduce__(self) -> tuple[object, ...]:
        return Say, (self.folder, self.language, self.names)

    @classmethod
    def of(cls, game: Game, language: str, names: Sequence[str] = ()) -> "Say":
        """For a game's own sentences; seats without a name are called by their number."""
        return cls(game.folder, language, names)

    def __call__(self, message: str, /, *, context: object = "", **values: object) -> str:
        """The message in the language, `{name}` parts filled in; `context`, a text, says which meaning it has here."""
        said = self._catalogue.gettext(in_context(message, str(context))).rpartition(CONTEXT_END)[2]
        return said.format_map(_written(values)) if values else said

    def own_form(self, message: str, form: str) -> str:
        """Return a noun in a form that only this language has, with the form as context; without it, the noun itself.

        `python -m scripts.catalogues check` finds what is missing.
        """
        said = self._catalogue.gettext(key := in_context(message, form))
        return self(message) if said == key else said

    def many(self, one: str, more: str, count: int, **values: object) -> str:
        """The form for `count` things; `{count}` is filled in."""
        form = self._catalogue.ngettext(one, more, abs(count))
        return form.format_map(_written({"count": count, **values}))

    def name(self, seat: int) -> str:
        """Return the name of whoever sits there."""
        return self.names[seat] if seat < len(self.names) else f"P{seat + 1}"

    def listing(self, items: Sequence[str]) -> str:
        """Write `a, b and c` as the language does."""
        return _list_pattern(len(items), self.language).format(*map(isolated, items))

    def alternatives(self, items: Sequence[str]) -> str:
        """Write `a, b or c` as the language does."""
        return _list_pattern(len(items), self.language, "or").format(*map(isolated, items))

    def load_lists(self) -> None:
        """Read how the language lists things, before anybody waits for it: its data are large."""
        self.alternatives(["a", "b"])
