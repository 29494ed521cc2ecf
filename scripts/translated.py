"""Checks of translations against the style guides in docs/style: spaces, apostrophes, forms of address, terms."""

import re
from collections.abc import Iterator

from scripts.phrases import STYLE, Finding, Phrase, Text, findings, without_exceptions
from tavola.contract.catalogues import catalogue_path, read, written
from tavola.contract.messages import catalogue_folders
from tavola.show.po import Key, key_of, translations

GUIDES = {"de": "german.md", "fr": "french.md", "it": "italian.md"}
PLACEHOLDERS = re.compile(r"(\{[^{}]*\}|```.*?```|`[^`\n]*`|https?://\S+|^\|[-:| ]+\|$)", re.DOTALL | re.MULTILINE)
"""Parts without rules: placeholders, and code and table lines in rulebooks."""
NARROW, NO_BREAK = "\u202f", "\u00a0"
CORRECTIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "fr": (
        (rf"[ {NO_BREAK}](?=[;!?»])", NARROW),
        (rf"(?<=«)[ {NO_BREAK}]", NARROW),
        (rf"[ {NARROW}](?=:)", NO_BREAK),
        ("'", "’"),
    ),
    "it": (("'", "’"),),
    "de": (),
}
"""Automatic corrections: a pattern, and its replacement."""
ADDRESS = {
    "de": Phrase("address", "du", (r"(?<=[a-zäöüß,] )(?-i:Sie|Ihnen|Ihre?[nmrs]?)\b",)),
    "fr": Phrase("address", "vous", (r"\b(?:tu|toi|te|ton|ta|tes)\b|\bt’",)),
    "it": Phrase("address", "tu", (r"\b(?:voi|vostr[oaie])\b|(?:^|[.:;!?] )\w+(?:ate|ete|ite)\b",)),
}


def phrases(language: str) -> list[Phrase]:
    """Return the phrases that are banned in a language."""
    typography = Phrase("typography", "run python -m scripts.prose --fix", tuple(p for p, _ in CORRECTIONS[language]))
    return [*([typography] if typography.patterns else []), ADDRESS[language], *_terms(language)]


def _terms(language: str) -> Iterator[Phrase]:
    """Yield the terms in the last column of a guide's table, except those with a remark in brackets."""
    for line in (STYLE / GUIDES[language]).read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if len(cells) == 4 and cells[0] != "game" and set(cells[0]) != {"-"}:
            unless = re.sub(r"\([^)]*\)", "()", cells[3])
            banned = [term.strip() for term in re.split(r"[,;·]", unless)]
            patterns = tuple(_word(term) for term in banned if term and "(" not in term)
            if patterns:
                yield Phrase("terms", cells[2], patterns, "" if cells[0] == "all" else cells[0].lower())


def _word(term: str) -> str:
    """Return the pattern of a term; an initial capital, as of a German noun, must match."""
    word = rf"(?<!\w){re.escape(term)}(?!\w)"
    return f"(?-i:{word})" if term[:1].isupper() else word


def translated_texts(language: str) -> Iterator[Text]:
    """Yield every translation into a language, and its rulebooks."""
    for folder in catalogue_folders():
        path = catalogue_path(folder, language)
        for entry in read(folder, language):
            for text in () if entry.obsolete else translations(entry):
                yield Text(path, entry.linenum, text, entry.msgid, entry.comment)
        rules = folder / f"RULES.{language}.md"
        if rules.exists():
            yield Text(rules, 1, rules.read_text(encoding="utf-8"))


def translated_findings(language: str) -> Iterator[Finding]:
    """Yield all findings for a language."""
    found = findings(translated_texts(language), phrases(language), PLACEHOLDERS)
    yield from without_exceptions((*found, *_translated_twice(language)), language)


def _translated_twice(language: str) -> Iterator[Finding]:
    """Yield each translation that differs from that of the same message in an earlier catalogue."""
    first: dict[Key, tuple[str, list[str]]] = {}
    for folder in catalogue_folders():
        for entry in read(folder, language):
            if not entry.obsolete and all(translations(entry)):
                name, texts = first.setdefault(key_of(entry), (folder.name, translations(entry)))
                if texts != translations(entry):
                    phrase = Phrase("translated twice", f"{texts[0]!r} as in {name}, or name a context", ())
                    text = Text(catalogue_path(folder, language), entry.linenum, "", entry.msgid, entry.comment)
                    yield Finding(text, entry.linenum, phrase, translations(entry)[0])


def corrected(text: str, language: str) -> str:
    """Return a translation with the spaces and apostrophes of its language; parts without rules stay."""
    parts = PLACEHOLDERS.split(text)
    for pattern, right in CORRECTIONS[language]:
        parts[::2] = (re.sub(pattern, right, part) for part in parts[::2])
    return "".join(parts)


def correct_files(language: str) -> None:
    """Rewrite the catalogues and rulebooks of a language with `corrected`."""
    for folder in catalogue_folders():
        catalogue = read(folder, language)
        for entry in catalogue:
            entry.msgstr = corrected(entry.msgstr, language)
            entry.msgstr_plural = {form: corrected(text, language) for form, text in entry.msgstr_plural.items()}
        catalogue_path(folder, language).write_text(written(catalogue), encoding="utf-8")
        rules = folder / f"RULES.{language}.md"
        if rules.exists():
            rules.write_text(corrected(rules.read_text(encoding="utf-8"), language), encoding="utf-8")
