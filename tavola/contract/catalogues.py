"""The catalogues of messages: brought up to date with the sources, and checked.

    python -m scripts.catalogues update [FOLDER…]   write the .po files anew, translations kept, new messages empty
    python -m scripts.catalogues check [FOLDER…]    list what is missing, left over or wrong; exit code 1 if anything is

A folder with a folder `locale` has catalogues for the sources (.py, .html) below it, except those that lie nearer to
another one. Without FOLDER all of them below `tavola/`; all others fall back on its own. Messages stand in alphabetical
order, without dates and line numbers, so that the change of a sentence changes its lines alone. Outside a checkout the
same command is `python -m tavola.contract.catalogues`.
"""

import ast
import io
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import IO, Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_keywords
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

from tavola.show.speech import DRAFTS, HOUSE, KNOWN_LANGUAGES, LANGUAGES

OF_MANY = ("marks", "Forms")
"""Calls of which every argument is a message."""
KEYWORDS = parse_keywords(("say", "many:1,2", "mark", *OF_MANY, "mark_many:1,2"))
SOURCES = [
    ("**/test_*.py", "ignore"),
    ("**.py", "tavola.contract.catalogues:python_messages"),
    ("**.html", "tavola.contract.catalogues:jinja_messages"),
]
TRANSLATIONS = tuple(language for language in LANGUAGES if language != "en")
KEPT_HEADERS = ("Language", "Plural-Forms", "MIME-Version", "Content-Type", "Content-Transfer-Encoding")
MARKED = re.compile(rb"(?:say|many|marks?)\(")
"""What a source without messages lacks: most need not be parsed."""
WIDTH = 110
Extracted = tuple[int, str, Any, list[str]]


# Extraction: Babel's own readers overlook a call inside a call, and `say.many` in a template


def python_messages(
    source: IO[bytes], keywords: Mapping[str, Any], tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Extracted]:
    """Yield the literal messages of a Python source, for Babel."""
    text = source.read()
    for call, name in _python_calls(text) if MARKED.search(text) else ():
        messages = tuple(_literal(argument) for argument in call.args)
        if name in OF_MANY:
            yield from ((call.lineno, name, message, []) for message in messages if message is not None)
        elif name in keywords and messages and messages[0] is not None:
            yield call.lineno, name, messages, []


def jinja_messages(
    source: IO[bytes], keywords: Mapping[str, Any], tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Extracted]:
    """Yield the literal messages of a Jinja template, for Babel."""
    for call in Environment(autoescape=True).parse(source.read().decode()).find_all(nodes.Call):
        name = str(getattr(call.node, "attr", None) or getattr(call.node, "name", ""))
        values = [argument.value if isinstance(argument, nodes.Const) else None for argument in call.args]
        if name in keywords and values and isinstance(values[0], str):
            yield call.lineno, name, tuple(v if isinstance(v, str) else None for v in values), []


def assembled_lines(source: str) -> list[int]:
    """Return the lines of a Python source where a message is put together from parts: no catalogue can hold it."""
    put_together = (ast.JoinedStr, ast.BinOp)
    return [
        call.lineno
        for call, name in _python_calls(source)
        if name in KEYWORDS
        and any(isinstance(argument, put_together) for argument in (call.args if name in OF_MANY else call.args[:2]))
    ]


def _python_calls(source: str | bytes) -> Iterator[tuple[ast.Call, str]]:
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        yield call, str(getattr(call.func, "attr", None) or getattr(call.func, "id", ""))


def _literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


# Catalogues


def catalogue_folders(root: Path = HOUSE) -> list[Path]:
    """Return every folder that has catalogues."""
    return sorted(path.parent for path in root.rglob("locale") if path.is_dir())


def template(folder: Path) -> Catalog:
    """Return all messages of the sources below `folder`, in their order, untranslated."""
    catalogue = Catalog(fuzzy=False)

    def is_ours(path: str) -> bool:
        return Path(path) == folder or not Path(path, "locale").is_dir()

    found = extract_from_dir(folder, SOURCES, keywords=KEYWORDS, directory_filter=is_ours)
    for _file, _line, message, _comments, context in found:
        catalogue.add(message, context=context)
    return catalogue


def read_catalogue(folder: Path, language: str) -> Catalog:
    """Return the catalogue as it lies in the folder; an empty one where there is none."""
    path = folder / "locale" / f"{language}.po"
    if not path.exists():
        return Catalog(locale=language, fuzzy=False)
    with path.open("rb") as stream:
        return read_po(stream, locale=language, abort_invalid=True)


def updated_text(folder: Path, language: str) -> str:
    """Return the text of the catalogue with the messages of the sources and the translations it has."""
    catalogue = read_catalogue(folder, language)
    catalogue.update(template(folder), no_fuzzy_matching=True)
    catalogue.fuzzy = False
    catalogue.header_comment = (
        f"# Tavola in {KNOWN_LANGUAGES[language]}. `python -m scripts.catalogues update` keeps this file."
    )
    stream = io.BytesIO()
    write_po(stream, catalogue, width=WIDTH, no_location=True, ignore_obsolete=True, sort_output=True)
    header = re.compile(rf'^"(?!(?:{"|".join(KEPT_HEADERS)}):)[A-Z][\w-]+: .*\\n"\n', re.MULTILINE)
    head, blank, body = stream.getvalue().decode().partition("\n\n")
    return header.sub("", head + "\n") + blank[1:] + body


# Checks


def problems(folder: Path, language: str) -> list[str]:
    """Return the faults of a catalogue, a line each; none for one that is complete, or a draft without a mistake."""
    wanted, catalogue = template(folder), read_catalogue(folder, language)
    found = [f"obsolete: {message.id!r}" for message in catalogue if message.id and wanted.get(_key(message)) is None]
    found += [f"obsolete: {message.id!r}" for message in catalogue.obsolete.values()]
    for message in wanted:
        translated = catalogue.get(_key(message))
        if message.id and (language not in DRAFTS or _is_begun(translated)):
            found += _problems_of(message, translated)
    return found


def untranslated(folder: Path, language: str) -> int:
    """Return how many messages a catalogue lacks."""
    catalogue = read_catalogue(folder, language)
    return sum(not _is_begun(catalogue.get(_key(message))) for message in template(folder) if message.id)


def _is_begun(message: Message | None) -> bool:
    return message is not None and any(_forms(message.string))


def _problems_of(wanted: Message, message: Message | None) -> Iterator[str]:
    if message is None or isinstance(message.id, str) != isinstance(wanted.id, str):
        yield f"missing: {wanted.id!r}"
        return
    identifiers, strings = _forms(wanted.id), _forms(message.string)
    if len(strings) < len(identifiers) or not all(strings):
        yield f"empty: {wanted.id!r}"
        return
    if message.fuzzy:
        yield f"fuzzy: {wanted.id!r}"
    for string in strings:
        if _placeholders([string]) != _placeholders(identifiers):
            yield f"placeholders: {wanted.id!r} has other names than {string!r}"
        if _ending(string) != _ending(identifiers[-1]):
            yield f"ending: {wanted.id!r} ends otherwise than {string!r}"


def _key(message: Message) -> str:
    return str(_forms(message.id)[0])


def _forms(text: str | Iterable[str] | None) -> list[str]:
    return [text] if isinstance(text, str) else list(text or ())


def _placeholders(texts: list[str]) -> set[str]:
    """Return the names in braces; a text with a stray brace has a name that no other has."""
    try:
        return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError as error:
        return {str(error)}


def _ending(text: str) -> str:
    return text[-1] if text[-1] in ".?!" else ""


def main(arguments: list[str]) -> int:
    """Run the command; return the exit code."""
    command, *named = arguments or [""]
    if command not in ("update", "check"):
        print(__doc__)
        return 2
    wrong, folders = 0, [Path(name).resolve() for name in named] or catalogue_folders()
    for folder in folders:
        for language in (*TRANSLATIONS, *DRAFTS):
            path = folder / "locale" / f"{language}.po"
            if command == "update":
                path.write_text(updated_text(folder, language), encoding="utf-8")
            for problem in problems(folder, language):
                print(f"{folder.name}/locale/{path.name}: {problem}")
                wrong += 1
    for language, name in DRAFTS.items():
        left = sum(untranslated(folder, language) for folder in folders)
        print(f"{name} is a draft: {left:,} messages are in English")
    return int(wrong > 0 and command == "check")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
