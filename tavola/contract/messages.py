"""Messages of the sources, found at calls of `say` and `mark`, for the catalogues of translations; their renaming.

A folder with a folder `locale` has catalogues for the sources (.py, .html) below it, except those that are closer to
another such folder. Babel's own readers miss a call inside a call, and `say.many` in a template.
"""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_keywords
from jinja2 import Environment, nodes

from tavola.show.speech import SHARED_FOLDER

SPEAKERS = {"Forms": "Said by one player to another."}
"""Calls whose messages are direct speech, with the comment for translators."""
OF_MANY = ("marks", "Forms")
"""Calls with a message in every argument."""
KEYWORDS = parse_keywords(("say", "many:1,2", "mark", *OF_MANY, "mark_many:1,2"))
IN_CONTEXT = "in_context"
"""Name of calls with a context, as Babel sees them."""
SOURCES = [
    ("**/test_*.py", "ignore"),
    ("**.py", "tavola.contract.messages:python_messages"),
    ("**.html", "tavola.contract.messages:jinja_messages"),
]
MARKED = re.compile(rb"(?:say|many|marks?)\(")
"""Missing in sources without messages: most need not be parsed."""
LINE = 120
"""Maximum columns of a source: a longer literal continues on the next line."""
STRING = r"\"[^\"\\\n]*\"|'[^'\\\n]*'"
CALL = re.compile(rf"(\b({'|'.join(KEYWORDS)})\(\s*)({STRING})(?:(\s*,\s*)({STRING}))?")
"""A call in a template: the text before the first message, its name, the message, a comma, the second message."""
QUOTING = (".py", ".html", ".md", ".js", ".txt")
"""Suffixes of files that may quote a message."""
ESCAPES = {r"\n": "\n", r"\t": "\t", r"\\": "\\"}
Extracted = tuple[int, str, Any, list[str]]


def python_messages(
    source: IO[bytes], keywords: Mapping[str, Any], tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Extracted]:
    """Yield the literal messages of a Python source, for Babel."""
    text = source.read()
    calls = list(python_calls(text)) if MARKED.search(text) else []
    spoken = {id(node): SPEAKERS[name] for call, name in calls if name in SPEAKERS for node in ast.walk(call)}
    for call, name in calls:
        comments = [spoken[id(call)]] if id(call) in spoken else []
        messages = tuple(_literal(argument) for argument in call.args)
        named = {keyword.arg: _literal(keyword.value) for keyword in call.keywords}
        if name in OF_MANY:
            yield from ((call.lineno, name, message, comments) for message in messages if message is not None)
        elif name in KEYWORDS and messages and messages[0] is not None:
            yield call.lineno, *_with_context(name, messages, named.get("context")), comments


def jinja_messages(
    source: IO[bytes], keywords: Mapping[str, Any], tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Extracted]:
    """Yield the literal messages of a Jinja template, for Babel."""
    for call in Environment(autoescape=True).parse(source.read().decode()).find_all(nodes.Call):
        name = str(getattr(call.node, "attr", None) or getattr(call.node, "name", ""))
        messages = tuple(_literal(argument) for argument in call.args)
        named = {keyword.key: _literal(keyword.value) for keyword in call.kwargs}
        if name in KEYWORDS and messages and messages[0] is not None:
            yield call.lineno, *_with_context(name, messages, named.get("context")), []


def _with_context(name: str, messages: Sequence[str | None], context: str | None) -> tuple[str, Sequence[str | None]]:
    return (IN_CONTEXT, (context, messages[0])) if context else (name, messages)


def python_calls(source: str | bytes) -> Iterator[tuple[ast.Call, str]]:
    """Yield every call of a source in its order, with the last name of what it calls."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        yield call, str(getattr(call.func, "attr", None) or getattr(call.func, "id", ""))


def _literal(node: ast.AST | nodes.Expr) -> str | None:
    return node.value if isinstance(node, ast.Constant | nodes.Const) and isinstance(node.value, str) else None


def message_literals(source: bytes) -> Iterator[ast.Constant]:
    """Yield the literals of a Python source that are messages."""
    for call, name in python_calls(source):
        if name in KEYWORDS:
            messages = call.args if name in OF_MANY else call.args[: 2 if KEYWORDS[name] else 1]
            yield from (node for node in messages if isinstance(node, ast.Constant) and isinstance(node.value, str))


class NounForms(NamedTuple):
    """The forms of a noun declared in English, and the messages of the first form that are literals."""

    names: tuple[str, ...]
    first: tuple[str, ...]


def noun_forms(folder: Path) -> list[NounForms]:
    """Return every noun that is declared below `folder`."""
    sources = (path.read_bytes() for path in sorted(folder.rglob("*.py")))
    calls = (call for source in sources if b" Noun(" in source for call, name in python_calls(source) if name == "Noun")
    return [
        NounForms(
            tuple(keyword.arg for keyword in call.keywords if keyword.arg),
            tuple(text for node in ast.walk(call.keywords[0].value) if (text := _literal(node))),
        )
        for call in calls
        if call.keywords
    ]


def assembled_lines(source: str) -> list[int]:
    """Return the lines of a Python source with a message or a context that is not a literal: catalogues miss it."""
    put_together = (ast.JoinedStr, ast.BinOp)
    return [
        call.lineno
        for call, name in python_calls(source)
        if name in KEYWORDS
        and (
            any(isinstance(argument, put_together) for argument in (call.args if name in OF_MANY else call.args[:2]))
            or any(named.arg == "context" and not _literal(named.value) for named in call.keywords)
        )
    ]


def catalogue_folders() -> list[Path]:
    """Return every folder that has catalogues."""
    return sorted(path.parent for path in SHARED_FOLDER.rglob("locale") if path.is_dir())


def source_files(folder: Path) -> list[Path]:
    """Return the sources below `folder` that have messages for its catalogues."""
    return sorted({folder / found.file for found in found_messages(folder)})


class Found(NamedTuple):
    """A message with its place: the file below the folder of its catalogues, and the comments for translators."""

    file: Path
    line: int
    english: str | tuple[str, ...]
    comments: list[str]
    context: str | None


def found_messages(folder: Path) -> Iterator[Found]:
    """Yield the messages of the sources below `folder`."""

    def is_ours(path: Any) -> bool:
        return Path(path) == folder or not Path(path, "locale").is_dir()

    keywords = {**KEYWORDS, **parse_keywords((f"{IN_CONTEXT}:1c,2",))}
    found = extract_from_dir(folder, SOURCES, keywords=keywords, directory_filter=is_ours)
    for file, line, message, comments, context in found:
        yield Found(Path(file), line, message, comments, context)


def template(folder: Path) -> Catalog:
    """Return all messages of the sources below `folder`, untranslated, each with the files that it is in."""
    catalogue = Catalog(fuzzy=False)
    for found in found_messages(folder):
        places = [(found.file.as_posix(), 0)]
        catalogue.add(found.english, locations=places, auto_comments=found.comments, context=found.context)
    return catalogue


# Renaming


def read_pairs(text: str) -> dict[str, str]:
    r"""Return old and new messages: a pair a line, separated by a tab; `\n`, `\t` and `\\` are escapes.

    Empty lines and lines that begin with `#` are skipped. Raises `ValueError` for any other line.
    """
    pairs: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            parts = [re.sub(r"\\[nt\\]", lambda found: ESCAPES[found[0]], part) for part in line.split("\t")]
            if len(parts) != 2 or not all(parts) or parts[0] in pairs:
                raise ValueError(f"line {number}: expected a message, a tab and its new text, got {line!r}")
            pairs[parts[0]] = parts[1]
    return pairs


def rename_in_sources(paths: Iterable[Path], pairs: Mapping[str, str]) -> Iterator[str]:
    """Rename messages in sources, and yield each file that has changed."""
    for path in paths:
        source = path.read_bytes()
        changed = (_renamed_python if path.suffix == ".py" else _renamed_template)(source, pairs)
        if changed != source:
            path.write_bytes(changed)
            yield str(path)


def _renamed_python(source: bytes, pairs: Mapping[str, str]) -> bytes:
    if not MARKED.search(source):
        return source
    lines = source.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines))]
    for literal in sorted(message_literals(source), key=lambda node: (-node.lineno, -node.col_offset)):
        if literal.value in pairs and literal.end_lineno and literal.end_col_offset:
            start = starts[literal.lineno - 1] + literal.col_offset
            end = starts[literal.end_lineno - 1] + literal.end_col_offset
            column = len(lines[literal.lineno - 1][: literal.col_offset].decode())
            new = _python_literal(pairs[str(literal.value)], column, chr(source[start]))
            source = source[:start] + new.encode() + source[end:]
    return source


def _python_literal(text: str, column: int, quote: str) -> str:
    """Return a literal that begins in a column; inside the parentheses of a call it may continue on lines below.

    The quote is kept if possible: inside an f-string it must not change.
    """
    parts, rows = re.findall(r"\s*\S+\s*$|\s*\S+", text), [""]
    for part in parts:
        if rows[-1] and len(_quoted(rows[-1] + part, quote)) + column >= LINE:
            rows.append("")
        rows[-1] += part
    return f"\n{' ' * column}".join(_quoted(row, quote) for row in rows)


def _quoted(text: str, quote: str) -> str:
    other = "'\""[quote == "'"]
    quote = other if quote in text and other not in text else quote
    escaped = text.replace("\\", r"\\").replace("\n", r"\n").replace("\t", r"\t")
    return quote + escaped.replace(quote, f"\\{quote}") + quote


def _renamed_template(source: bytes, pairs: Mapping[str, str]) -> bytes:
    def renamed(literal: str) -> str:
        new = pairs.get(literal[1:-1])
        if new is None or "\\" in new or "\n" in new:
            return literal
        quote = literal[0] if literal[0] not in new else "'\""[literal[0] == "'"]
        return literal if quote in new else f"{quote}{new}{quote}"

    def rewritten(call: re.Match[str]) -> str:
        begin, name, first, comma, second = call.groups(default="")
        plural = name in ("many", "mark_many", *OF_MANY)
        return begin + renamed(first) + comma + (renamed(second) if plural and second else second)

    return CALL.sub(rewritten, source.decode()).encode()


def quotations(folders: Iterable[Path], pairs: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the file and line of each text that still has an old message; single words only in quotes."""
    for path in sorted({path for folder in folders for path in folder.rglob("*") if path.suffix in QUOTING}):
        text = path.read_text(encoding="utf-8")
        for old in pairs:
            if (place := text.find(old if " " in old else f'"{old}"')) >= 0:
                yield f"{path}:{text.count(chr(10), 0, place) + 1}", old
