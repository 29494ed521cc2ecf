"""Sentences in four languages: gettext catalogues, and the callable `Say` that every sentence goes through.

A game's `words` use `say("…")` and `say.many("one …", "{count} …", n)`, and mark messages in tables with `mark("…")`,
`marks("…", "…")` and `mark_many("one …", "{count} …")`. If the same English has two meanings, `say("…", context="…")`
and `mark("…", context="…")` distinguish them. `tavola.show.cards.Words` lists what a game has to say. A message is a
whole sentence, or a whole phrase that a language can decline. Never concatenate parts. `python -m scripts.catalogues
update` updates the catalogues after a change.

Log lines call the player who reads them *you*. So the verb of a player has a second form, after a bar:

    say("{name} {name:puts|put} {man} {boat:aboard}.", name=say.name(seat), …)     "Ada puts …" or "You put …"
    say("{name:*’s|Your} {fairy} wakes.", …)                                        `*` stands for the name
"""

import os
import re
from collections import ChainMap
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from gettext import NullTranslations
from pathlib import Path
from typing import Literal, Self

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
KNOWN_LANGUAGES = ChainMap(DRAFTS, LANGUAGES)  # listed from the last to the first


CAPITAL = "^"
STARTS = re.compile(r"(?:^|(?<=[.!?] ))\{(\w+)\}")
"""Matches a placeholder at the start of a sentence."""
YOU = mark("you", context="the reader")


def figure(number: int, *, signed: bool = False) -> str:
    """Return a number with a true minus sign, and with a plus sign if `signed`."""
    return (f"{number:+d}" if signed else str(number)).replace("-", "\N{MINUS SIGN}")


def capitalized(words: str) -> str:
    """Return the words with a capital at the start."""
    return words[:1].upper() + words[1:]


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


@lru_cache(maxsize=16_384, typed=True)
def _translated(catalogue: NullTranslations, message: str, context: object) -> str:
    return catalogue.gettext(in_context(message, str(context))).rpartition(CONTEXT_END)[2]


def _filled(message: str, values: dict[str, object]) -> str:
    if NAMES.isdisjoint(map(type, values.values())):
        return _filled_without_names(message, **values)
    names = {key for key, value in values.items() if isinstance(value, Name)}
    message = STARTS.sub(lambda at: f"{{{at[1]}:{CAPITAL}}}" if at[1] in names else at[0], message)
    return message.format_map({key: _part(value) for key, value in values.items()})


@lru_cache(maxsize=16_384, typed=True)
def _filled_without_names(message: str, /, **values: object) -> str:
    """Fill in a message that depends on no reader; tables say the same few thousand again and again."""
    return message.format_map({key: _part(value) for key, value in values.items()})


def _part(value: object) -> object:
    """Return a value for a sentence: a number below zero with a true minus, a right-to-left text isolated."""
    if isinstance(value, str) and not isinstance(value, Name):
        return isolated(value)
    return figure(value) if isinstance(value, int) and value < 0 else value


class Name(str):
    """The name of a player as a value of a sentence, which calls the player who reads it *you*.

    `{name}` is the name or *you*, with a capital at the start of a sentence. `{name:takes|take}` is its first text, or
    for the reader the second; `*` in the first one stands for the name.
    """

    say: "Say"
    seats: frozenset[int]

    def __new__(cls, text: str, seats: Iterable[int], say: "Say") -> "Name":
        made = super().__new__(cls, text)
        made.say, made.seats = say, frozenset(seats)
        return made

    def __format__(self, form: str) -> str:
        if form in ("", CAPITAL):
            you = self.say(YOU)
            form = f"*|{capitalized(you) if form else you}"
        others, _, own = form.partition("|")
        return self.say.for_reader(self, others, own)


class Names(Name):
    """Several names in a list. Words in two persons depend on whether the reader is in it; `*` is each of the names."""

    items: Sequence[Name]
    pattern: str

    def __format__(self, form: str) -> str:
        others, _, own = form.partition("|")
        if others not in ("", CAPITAL) and "*" not in others:
            return self.say.for_reader(self, others, own)
        inside = f"{others}|{own[:1].lower()}{own[1:]}" if own else ""
        first, *more = self.items
        return self.pattern.format(format(first, form), *(format(name, inside) for name in more))


NAMES = {Name, Names}


class Say:
    """Sentences in one language, with the names of the people at the table.

    `reader`: the seat whose player reads log lines and is *you* in them; None for no seat.
    """

    def __init__(self, folder: Path, language: str, names: Sequence[str] = (), reader: int | None = None) -> None:
        self.folder, self.language, self.names, self.reader = folder, language, tuple(names), reader
        self._catalogue = catalogue(folder, language)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.folder.name!r}, {self.language!r}, {self.names}, {self.reader})"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.folder, self.language, self.names, self.reader)

    @classmethod
    def of(cls, game: Game, language: str, names: Sequence[str] = ()) -> Self:
        """Return `say` for a game's own sentences; seats without a name are called by their number."""
        return cls(game.folder, language, names)

    def to_reader(self, seat: int | None) -> Self:
        """Return the same for the player in a seat, who is *you* in log lines."""
        return type(self)(self.folder, self.language, self.names, seat)

    def elsewhere(self, folder: Path) -> Self:
        """Return the same with the sentences of another folder."""
        return type(self)(folder, self.language, self.names, self.reader)

    def for_reader(self, name: Name, others: str, own: str) -> str:
        """Return what a sentence says of a player: `own` if the reader is that player, else `others` with the name."""
        return own if self.reader in name.seats else others.replace("*", isolated(str(name)))

    def __call__(self, message: str, /, *, context: object = "", **values: object) -> str:
        """Return a message in the language, its `{name}` parts filled in; `context` selects one of its meanings."""
        said = _translated(self._catalogue, message, context)
        return _filled(said, values) if values else said

    def own_form(self, message: str, form: str) -> str:
        """Return a noun in a form that only this language has (the context of its entry), or else the noun itself.

        `python -m scripts.catalogues check` finds missing forms.
        """
        said = self._catalogue.gettext(key := in_context(message, form))
        return self(message) if said == key else said

    def many(self, one: str, more: str, count: int, **values: object) -> str:
        """Return the form for `count` things, with `{count}` filled in."""
        return _filled(self._catalogue.ngettext(one, more, abs(count)), {"count": count, **values})

    def name(self, seat: int) -> str:
        """Return the name of the player in a seat, for a sentence (`Name`)."""
        return Name(self.names[seat] if seat < len(self.names) else f"P{seat + 1}", (seat,), self)

    def listing(self, items: Sequence[str]) -> str:
        """Return `a, b and c` as the language writes it."""
        pattern = _list_pattern(len(items), self.language)
        told, names = pattern.format(*map(isolated, map(str, items))), [one for one in items if isinstance(one, Name)]
        if not names or len(names) < len(items):
            return told
        if len(names) == 1:
            return names[0]
        listed = Names(told, frozenset().union(*(name.seats for name in names)), self)
        listed.items, listed.pattern = names, pattern
        return listed

    def alternatives(self, items: Sequence[str]) -> str:
        """Return `a, b or c` as the language writes it."""
        return _list_pattern(len(items), self.language, "or").format(*map(isolated, items))

    def labelled(self, label: str, text: str) -> str:
        """Return `label: text` as the language writes it: French has a space before the colon."""
        return self(mark("{label}: {text}"), label=label, text=text)

    def load_lists(self) -> None:
        """Load the language's rules for lists in advance: their data are large."""
        self.alternatives(["a", "b"])
