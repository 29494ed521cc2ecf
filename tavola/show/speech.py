"""Sentences in four languages: gettext catalogues read as they are, and the one callable every sentence goes through.

A game's `words.py` says its English with `say("…")` and `say.many("one …", "{count} …", n)`, and marks with `mark("…")`
the messages that it keeps in tables. Its functions see views and nothing else, so they can tell no secret:

    action(view, action, say)        what a seat does by it, for a button: "Vote for the green boat"
    prompt(view, say)                what is asked of the seat now, or whom everybody waits for: one plain sentence. All
                                     who wait are told the same, but where whoever comes first acts
    events(before, after, played, say)
                                     what happened between two views one action apart, for the log: a list of sentences;
                                     `played` is the action (`tavola.core.Played`), or None where it is secret to the
                                     seat of the views
    refusal(view, action, say)       why the action (any number) is not allowed now, with the rule's paragraph;
                                     an empty text if it is allowed
    scoring(view, seat, say)         how each point of a seat was made: a list of (sentence, points); what decided a
                                     tie comes last, with 0 points
    table(view, say)                 the table as text: a list of lines
    option(name, say)                (title, explanation) of an option, "players" included
    value(name, word, say)           the name of one value of an option
    about(say)                       the game in a sentence or two, for the shelf

for choosing a step at a time, where an action's arguments are asked for one after the other:

    part(view, verb, argument, place, say)    one value of an argument in a word or two, for a button: "Red"
    ask(view, verb, argument, chosen, say)    the question for the next argument; `chosen` are the places so far
    begin(view, verb, say)           what stands for a verb beside others; without it, or where it is empty, its first
                                     question, or the whole action where nothing is asked
    leads(view, action, step, say)   where argument `step` of an action has more values than one can offer: the
                                     questions and coarser words that lead to it, [("Which card?", "Africa")]. A game
                                     without such arguments has none
    choices_key(view)                all that the words of the present choices depend on besides the language, the names
                                     and what is legal, hashable: what is asked again in a match is then written once.
                                     A game without it has its choices written anew for every decision

and for who plays it the first time, or looks up:

    phases(view, say)                the parts of a round in order: a list of (label, whether it is now)
    chapter(view, say)               the heading under which the log groups what is done now: "Round 3"
    coach(view, say)                 what to think about at the seat's present decision, from its own view, in one line;
                                     an empty text where it decides nothing
    lesson(say)                      the rules in one minute: six sections (title, text), the first three are the cards
                                     of a first match: the aim, a turn, how one scores

`prompt`, `action`, `refusal` and `table` speak to `view.seat` where there is one. A message is a whole sentence, or a
whole phrase that a language can decline; nothing is glued together. `python -m scripts.catalogues update` brings the
catalogues up to date after a change.
"""

from collections.abc import Sequence
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel import Locale
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from tavola.core.game import Game

HERE = Path(__file__).parent
LANGUAGES = {"en": "English", "it": "Italiano", "fr": "Français", "de": "Deutsch"}


def mark(message: str) -> str:
    """The message itself: marks it for translation where it stands in a table, to be said later."""
    return message


@cache
def catalogue(folder: Path, language: str) -> NullTranslations:
    """What `folder/locale/language.po` says, read as it is; what it does not say, the house's own catalogue does.

    Plurals follow the rule in the catalogue's header, with as many forms as the language has. English, or a file that
    is not there, says every message as it was written.
    """
    path = folder / "locale" / f"{language}.po"
    if not path.exists():
        return NullTranslations() if folder == HERE else catalogue(HERE, language)
    compiled = BytesIO()
    with path.open("rb") as stream:
        write_mo(compiled, read_po(stream, locale=language, abort_invalid=True))
    compiled.seek(0)
    translations = GNUTranslations(compiled)
    if folder != HERE:
        translations.add_fallback(catalogue(HERE, language))
    return translations


@cache
def _locale(language: str) -> Locale:
    """English is British: its lists have no comma before "and"."""
    return Locale.parse("en_GB" if language == "en" else language)


@cache
def _list_pattern(count: int, language: str) -> str:
    """How a language lists so many things, `{0}, {1} and {2}`: finding that out takes longer than all else said."""
    return format_list([f"{{{place}}}" for place in range(count)], locale=_locale(language))


class Say:
    """Says a message in one language, with the names of the people at the table."""

    def __init__(self, folder: Path, language: str, names: Sequence[str] = ()) -> None:
        self.language, self.names = language, tuple(names)
        self._catalogue = catalogue(folder, language)

    @classmethod
    def of(cls, game: Game, language: str, names: Sequence[str] = ()) -> "Say":
        """For a game's own sentences; seats without a name are called by their number."""
        return cls(game.folder, language, names)

    def __call__(self, message: str, **values: object) -> str:
        """The message in the language, `{name}` parts filled in."""
        said = self._catalogue.gettext(message)
        return said.format_map(values) if values else said

    def many(self, one: str, more: str, count: int, **values: object) -> str:
        """The form for `count` things; `{count}` is filled in."""
        form = self._catalogue.ngettext(one, more, count)
        return form.format_map({"count": count, **values})

    def name(self, seat: int) -> str:
        """Who sits there."""
        return self.names[seat] if seat < len(self.names) else f"P{seat + 1}"

    def listing(self, items: Sequence[str]) -> str:
        """Write `a, b and c` as the language does."""
        return _list_pattern(len(items), self.language).format(*items)
