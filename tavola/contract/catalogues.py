"""Catalogues of translations: update them from the sources, count and check messages.

    python -m scripts.catalogues update [FOLDER…]   write the .po files again: new messages empty, changed ones fuzzy
    python -m scripts.catalogues rename OLD NEW     change a message in the sources and in every catalogue
    python -m scripts.catalogues rename --file F    the same for many: OLD, a tab and NEW on each line
    python -m scripts.catalogues status [FOLDER…]   count complete, fuzzy and missing messages
    python -m scripts.catalogues check [FOLDER…]    list mistakes in translations; exit code 1 if there are any
    python -m scripts.catalogues check --release    list fuzzy and missing messages, too

Without FOLDER, all catalogues below `tavola/` are used. Translations are never lost. A translation whose message has
changed is kept for the new message, marked fuzzy with its previous English. One whose message is gone is kept as
obsolete at the end of the file, until `update --prune`. Entries are sorted and have no dates or line numbers, so that a
changed sentence changes only its own lines. Outside a checkout, run `python -m tavola.contract.catalogues`.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from os.path import relpath
from pathlib import Path
from typing import NamedTuple

import polib
from babel.messages.catalog import Catalog, Message

from tavola.contract.messages import (
    NounForms,
    catalogue_folders,
    noun_forms,
    quotations,
    read_pairs,
    rename_in_sources,
    source_files,
    template,
)
from tavola.show.po import Key, fills_in_the_same, identifiers, key_of, read_catalogue, translations
from tavola.show.speech import DRAFTS, KNOWN_LANGUAGES, LANGUAGES

TRANSLATIONS = tuple(language for language in LANGUAGES if language != "en")
FORM = re.compile(r"\{\w+:([A-Za-z_]+)\}")
"""Matches the form of a noun that a translation uses."""
PERSONS = re.compile(r"\{(\w+):[^*}]*\|")
"""Matches words in two persons, as in `{name:puts|put}`."""
NEAR = 0.6
"""Minimum similarity of two messages, from 0 to 1, for keeping a translation as fuzzy; gettext's own value."""


def catalogue_path(folder: Path, language: str) -> Path:
    """Return the path of a folder's catalogue."""
    return folder / "locale" / f"{language}.po"


def read(folder: Path, language: str) -> polib.POFile:
    """Return the catalogue of a folder, empty if it does not exist."""
    return read_catalogue(catalogue_path(folder, language), language)


# Updates


def updated(known: polib.POFile, wanted: Catalog, *, prune: bool = False) -> polib.POFile:
    """Return a catalogue of the messages `wanted`, with the translations of a `known` one."""
    stored = sorted(known, key=lambda entry: not entry.obsolete)  # if two have one key, the current one wins
    current = {key_of(entry): entry for entry in stored if any(translations(entry))}
    entries = [_entry(message, known) for message in wanted if message.id]
    missing = [entry for entry in entries if not _take(entry, current.pop(key_of(entry), None))]
    entries += _own_forms(known, current, entries)
    left = _take_nearest(missing, current)
    catalogue = polib.POFile(wrapwidth=known.wrapwidth)
    catalogue.metadata = known.metadata
    catalogue.extend(entries)
    for entry in () if prune else left:
        entry.obsolete = True
        catalogue.append(entry)
    return catalogue


def _own_forms(
    known: polib.POFile, current: dict[Key, polib.POEntry], entries: list[polib.POEntry]
) -> list[polib.POEntry]:
    """Remove from `current`, and return, the forms of nouns that only this language has, if translations use them.

    Such an entry has the form, `{boat:dative}`, as its context, and the English of the noun's first form.
    """
    asked = _asked_forms(known)
    places = {entry.msgid: entry.occurrences for entry in entries if not entry.msgctxt}
    own = [current.pop(key) for key in [*current] if key[0] in asked and key[1] in places]
    for entry in own:
        entry.occurrences, entry.obsolete = places[entry.msgid], False
    return own


def _asked_forms(catalogue: polib.POFile) -> set[str]:
    return {form.lower() for entry in catalogue for text in translations(entry) for form in FORM.findall(text)}


def _take_nearest(missing: list[polib.POEntry], left: dict[Key, polib.POEntry]) -> list[polib.POEntry]:
    """Give each entry the translation of the most similar remaining message, as fuzzy; return the unused entries."""
    used: set[Key] = set()
    for entry in missing:
        known = {key[1]: other for key, other in left.items() if key[0] in ("", entry.msgctxt) or key[1] == entry.msgid}
        for text in get_close_matches(entry.msgid, known, n=1, cutoff=NEAR):
            _take(entry, known[text])
            used.add(key_of(known[text]))
    return [entry for key, entry in left.items() if key not in used]


def _entry(message: Message, catalogue: polib.POFile) -> polib.POEntry:
    one, more = message.id if isinstance(message.id, tuple) else (message.id, "")
    forms = catalogue.metadata["Plural-Forms"].partition("nplurals=")[2].partition(";")[0] if more else 0
    return polib.POEntry(
        msgctxt=message.context,
        msgid=one,
        msgid_plural=more,
        msgstr_plural=dict.fromkeys(range(int(forms)), ""),
        occurrences=sorted((file, "") for file, _ in message.locations),
        flags=sorted(message.flags),
        comment="\n".join(message.auto_comments),
    )


def _take(entry: polib.POEntry, known: polib.POEntry | None) -> bool:
    """Give an entry the translation of a `known` one, as fuzzy if that was made for another English text."""
    if known is None:
        return False
    if entry.msgid_plural:
        entry.msgstr_plural |= dict(zip(entry.msgstr_plural, translations(known), strict=False))
    else:
        entry.msgstr = translations(known)[0]
    entry.tcomment = known.tcomment
    made_for = _english(known)
    if known.fuzzy and known.previous_msgid:
        made_for = known.previous_msgctxt or "", known.previous_msgid, known.previous_msgid_plural or ""
    if made_for != _english(entry):
        entry.previous_msgctxt, entry.previous_msgid, entry.previous_msgid_plural = (text or None for text in made_for)
    if made_for != _english(entry) or (known.fuzzy and not known.previous_msgid):
        entry.flags.append("fuzzy")
    return True


def _english(entry: polib.POEntry) -> tuple[str, str, str]:
    return entry.msgctxt or "", entry.msgid, entry.msgid_plural or ""


def written(catalogue: polib.POFile) -> str:
    """Return the text of a catalogue as it is stored."""
    catalogue.sort(key=lambda entry: (entry.obsolete, entry.msgid, entry.msgctxt or ""))
    name = KNOWN_LANGUAGES.get(catalogue.metadata["Language"], catalogue.metadata["Language"])
    catalogue.header = f"Tavola in {name}. `python -m scripts.catalogues update` keeps this file."
    return str(catalogue)


# Renaming


def renamed(catalogue: polib.POFile, pairs: Mapping[str, str]) -> int:
    """Change the English of entries and keep their translations as fuzzy; return how many have changed.

    If the new message already has an entry, the old one becomes obsolete.
    """
    present = {key_of(entry): place for place, entry in enumerate(catalogue) if not entry.obsolete}
    changed = {key: place for key, place in present.items() if pairs.keys() & {*identifiers(catalogue[place])}}
    taken = present.keys() - changed.keys()
    for place in changed.values():
        entry = catalogue[place]
        one, more = pairs.get(entry.msgid, entry.msgid), pairs.get(entry.msgid_plural, entry.msgid_plural)
        key = entry.msgctxt or "", one
        if key in taken:
            entry.obsolete = True
            continue
        taken.add(key)
        flags = [flag for flag in entry.flags if flag != "fuzzy"]
        fresh = polib.POEntry(msgctxt=entry.msgctxt, msgid=one, msgid_plural=more, flags=flags, comment=entry.comment)
        fresh.occurrences, fresh.msgstr_plural = entry.occurrences, dict.fromkeys(entry.msgstr_plural, "")
        if any(translations(entry)):
            _take(fresh, entry)
        catalogue[place] = fresh
    return len(changed)


def rename(folders: Sequence[Path], pairs: Mapping[str, str]) -> None:
    """Rename messages in sources and catalogues; print the places, and files that still quote an old message."""
    entries: Counter[str] = Counter()
    for folder in folders:
        for place in rename_in_sources(source_files(folder), pairs):
            print(f"{relpath(place)}: renamed")
        for language in (*TRANSLATIONS, *DRAFTS):
            catalogue = read(folder, language)
            if changed := renamed(catalogue, pairs):
                entries[language] += changed
                catalogue_path(folder, language).write_text(written(catalogue), encoding="utf-8")
    print(f"entries renamed: {', '.join(f'{n} {language}' for language, n in entries.items()) or 'none'}")
    for place, text in quotations([*folders, Path("tests"), Path("docs")], pairs):
        print(f"{relpath(place)}: still has {text!r}")


# Checks


def problems(folder: Path, language: str) -> list[str]:
    """Return the mistakes in translations, one line each. Fuzzy translations are not checked."""
    catalogue = read(folder, language)
    entries = (entry for entry in catalogue if not entry.obsolete and not entry.fuzzy)
    found = [mistake for entry in entries if any(translations(entry)) for mistake in _mistakes(entry)]
    return [*found, *_missing_forms(catalogue, noun_forms(folder))]


def _missing_forms(catalogue: polib.POFile, nouns: Sequence[NounForms]) -> Iterator[str]:
    """Yield forms that translations use but nothing declares, and those missing for some messages of a noun."""
    declared = {name for noun in nouns for name in noun.names}
    for form in sorted(_asked_forms(catalogue) - declared) if nouns else ():
        own = {entry.msgid for entry in catalogue if entry.msgctxt == form and not entry.obsolete}
        lacking = [text for noun in nouns if own & {*noun.first} for text in noun.first if text not in own]
        yield from (f"form {form}: missing for {text!r}" for text in lacking)
        if not own:
            yield f"form {form}: not a form of any noun"


def _mistakes(entry: polib.POEntry) -> Iterator[str]:
    if not all(translations(entry)):
        yield f"empty form: {entry.msgid!r}"
        return
    if not fills_in_the_same(entry):
        yield f"placeholders: {entry.msgid!r} and {translations(entry)!r} have different names"
    for name in sorted(_persons(identifiers(entry)) - _persons(translations(entry))):
        yield f"second person: {entry.msgid!r} has words in two persons for {name}, {translations(entry)!r} has none"
    for text in translations(entry):
        if _ending(text) != _ending(identifiers(entry)[-1]):
            yield f"ending: {entry.msgid!r} ends differently from {text!r}"


def _persons(texts: Sequence[str]) -> set[str]:
    """Return the placeholders with words in two persons in every text."""
    return set.intersection(*({*PERSONS.findall(text)} for text in texts))


def _ending(text: str) -> str:
    return text[-1] if text[-1] in ".?!" else ""


class Status(NamedTuple):
    """Number of complete messages in a language, and the English of all others."""

    complete: int
    fuzzy: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def unfinished(self) -> list[str]:
        """Lines about what a release still needs."""
        return [f"fuzzy: {text!r}" for text in self.fuzzy] + [f"missing: {text!r}" for text in self.missing]


def status(catalogue: polib.POFile, wanted: Catalog) -> Status:
    """Return how many messages are translated, and which are missing or fuzzy."""
    ids = ((message.context or "", message.id) for message in wanted if message.id)
    keys = sorted((context, text if isinstance(text, str) else text[0]) for context, text in ids)
    known = {key_of(entry): entry for entry in catalogue if not entry.obsolete and all(translations(entry))}
    fuzzy = tuple(key[1] for key in keys if key in known and known[key].fuzzy)
    missing = tuple(key[1] for key in keys if key not in known)
    return Status(len(keys) - len(fuzzy) - len(missing), fuzzy, missing)


# The command


def _update(folders: Sequence[Path], languages: Sequence[str], *, prune: bool) -> None:
    for folder in folders:
        wanted = template(folder)
        for language in languages:
            catalogue = updated(read(folder, language), wanted, prune=prune)
            catalogue_path(folder, language).write_text(written(catalogue), encoding="utf-8")


def _print_status(folders: Sequence[Path], languages: Sequence[str]) -> None:
    print(f"{'':12}" + "".join(f"  {language:>4} complete  fuzzy  missing" for language in languages))
    sums: Counter[tuple[str, int]] = Counter()
    for folder in folders:
        wanted, row = template(folder), f"{folder.name:12}"
        for language in languages:
            found = status(read(folder, language), wanted)
            counts = found.complete, len(found.fuzzy), len(found.missing)
            sums.update({(language, place): count for place, count in enumerate(counts)})
            row += _counts_cell(*counts)
        print(row)
    totals = ([sums[language, place] for place in range(3)] for language in languages)
    print(f"{'all':12}" + "".join(_counts_cell(*counts) for counts in totals))


def _counts_cell(complete: int, fuzzy: int, missing: int) -> str:
    return f"  {complete:13,}{fuzzy:7,}{missing:9,}"


def _check(folders: Sequence[Path], languages: Sequence[str], *, release: bool) -> int:
    """Print mistakes, for a release also unfinished messages unless the language is a draft; return their number."""
    wrong = 0
    for folder in folders:
        for language in languages:
            found = problems(folder, language)
            if release and language not in DRAFTS:
                found += status(read(folder, language), template(folder)).unfinished
            for problem in found:
                print(f"{folder.name}/locale/{language}.po: {problem}")
            wrong += len(found)
    return wrong


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("update", "status", "check", "rename"):
        command = commands.add_parser(name)
        if name == "rename":
            command.add_argument("pair", nargs="*", metavar="OLD NEW")
            command.add_argument("--file", type=Path)
        else:
            command.add_argument("folders", nargs="*", type=Path)
        if name in ("update", "check"):
            command.add_argument("--prune" if name == "update" else "--release", action="store_true")
    return parser


def main(arguments: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    parser = _parser()
    given, languages = parser.parse_args(arguments), (*TRANSLATIONS, *DRAFTS)
    if given.command == "rename":
        if (given.file is None) != (len(given.pair) == 2):
            parser.error("rename: expected OLD and NEW, or --file")
        pairs = read_pairs(given.file.read_text(encoding="utf-8")) if given.file else dict([given.pair])
        rename(catalogue_folders(), pairs)
        return 0
    folders = [folder.resolve() for folder in given.folders] or catalogue_folders()
    if given.command == "update":
        _update(folders, languages, prune=given.prune)
    if given.command == "check":
        return int(_check(folders, languages, release=given.release) > 0)
    _print_status(folders, languages)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
