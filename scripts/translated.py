"""Translations as the style guides in docs/style want them: spaces, apostrophes, forms of address, terms.

docs/style/exceptions.toml lists what is allowed, with the reason.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scripts.phrases import Finding, Phrase, Text, findings
from tavola.contract.catalogues import catalogue_path, read, written
from tavola.contract.messages import catalogue_folders
from tavola.show.po import Key, key_of, translations

STYLE = Path(__file__).resolve().parent.parent / "docs" / "style"
GUIDES = {"de": "german.md", "fr": "french.md", "it": "italian.md"}
PLACEHOLDERS = re.compile(r"\{[^{}]*\}|```.*?```|`[^`\n]*`|https?://\S+|^\|[-:| ]+\|$", re.DOTALL | re.MULTILINE)
"""What no rule is for: placeholders, and code and the rules of tables in rulebooks."""
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
"""What can be corrected without reading: a pattern, and what to write instead."""
ADDRESS = {
    "de": Phrase("address", "du", (r"(?<=[a-zäöüß,] )(?-i:Sie|Ihnen|Ihre?[nmrs]?)\b",)),
    "fr": Phrase("address", "vous", (r"\b(?:tu|toi|te|ton|ta|tes)\b|\bt’",)),
    "it": Phrase("address", "tu", (r"\b(?:voi|vostr[oaie])\b|(?:^|[.:;!?] )\w+(?:ate|ete|ite)\b",)),
}


def phrases(language: str) -> list[Phrase]:
    """Return what is banned in a language."""
    typography = Phrase("typography", "run python -m scripts.prose --fix", tuple(p for p, _ in CORRECTIONS[language]))
    return [*([typography] if typography.patterns else []), ADDRESS[language], *_terms(language)]


def _terms(language: str) -> Iterator[Phrase]:
    """Yield the terms that a guide lists in the last column of its table, but for those with a remark in brackets."""
    for line in (STYLE / GUIDES[language]).read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if len(cells) == 4 and cells[0] != "game" and set(cells[0]) != {"-"}:
            unless = re.sub(r"\([^)]*\)", "()", cells[3])
            banned = [term.strip() for term in re.split(r"[,;·]", unless)]
            patterns = tuple(_word(term) for term in banned if term and "(" not in term)
            if patterns:
                yield Phrase("terms", cells[2], patterns, "" if cells[0] == "all" else cells[0].lower())


def _word(term: str) -> str:
    """Return the pattern of a term; a capital, as of a German noun, has to be there."""
    word = rf"(?<!\w){re.escape(term)}(?!\w)"
    return f"(?-i:{word})" if term[:1].isupper() else word


# Texts


def translated_texts(language: str) -> Iterator[Text]:
    """Yield every translation of a language, and its rulebooks."""
    for folder in catalogue_folders():
        path = catalogue_path(folder, language)
        for entry in read(folder, language):
            for text in () if entry.obsolete else translations(entry):
                yield Text(path, entry.linenum, text, entry.msgid, entry.comment)
        rules = folder / f"RULES.{language}.md"
        if rules.exists():
            yield Text(rules, 1, rules.read_text(encoding="utf-8"))


def translated_findings(language: str) -> Iterator[Finding]:
    """Yield whatever a guide bans and no exception allows."""
    allowed = tomllib.loads((STYLE / "exceptions.toml").read_text(encoding="utf-8"))["allowed"]
    found = findings(translated_texts(language), phrases(language), PLACEHOLDERS)
    for finding in (*found, *_translated_twice(language)):
        if not any(_allows(exception, language, finding) for exception in allowed):
            yield finding


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


def _allows(exception: Mapping[str, Any], language: str, finding: Finding) -> bool:
    """Return whether an exception is for a finding: all that it names has to agree."""
    text, words = finding.text, finding.words.strip(" .:;!?").lower()
    return (
        finding.phrase.name == exception["rule"]
        and language in exception.get("languages", GUIDES)
        and exception.get("comment", "") in text.comment
        and (text.message in exception["messages"] if "messages" in exception else True)
        and (words in exception["words"] if "words" in exception else True)
    )


# Corrections


def corrected(text: str, language: str) -> str:
    """Return a translation with the spaces and apostrophes of its language; what no rule is for stays."""
    kept = [*PLACEHOLDERS.finditer(text)]
    starts, ends = [0, *(found.end() for found in kept)], [*(found.start() for found in kept), len(text)]
    between = [_corrected_part(text[start:end], language) for start, end in zip(starts, ends, strict=True)]
    return "".join(part + (found[0] if found else "") for part, found in zip(between, [*kept, None], strict=True))


def _corrected_part(text: str, language: str) -> str:
    for pattern, right in CORRECTIONS[language]:
        text = re.sub(pattern, right, text)
    return text


def correct_files(language: str) -> None:
    """Write the catalogues and rulebooks of a language as `corrected` returns them."""
    for folder in catalogue_folders():
        catalogue = read(folder, language)
        for entry in catalogue:
            entry.msgstr = corrected(entry.msgstr, language)
            entry.msgstr_plural = {form: corrected(text, language) for form, text in entry.msgstr_plural.items()}
        catalogue_path(folder, language).write_text(written(catalogue), encoding="utf-8")
        rules = folder / f"RULES.{language}.md"
        if rules.exists():
            rules.write_text(corrected(rules.read_text(encoding="utf-8"), language), encoding="utf-8")
