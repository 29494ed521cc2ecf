"""Exact renaming of messages in the literals of Python sources and templates."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tavola.contract.messages import KEYWORDS, MARKED, OF_MANY, message_literals

LINE = 120
"""Maximum columns of a source: a longer literal continues on the next line."""
STRING = r"\"[^\"\\\n]*\"|'[^'\\\n]*'"
CALL = re.compile(rf"(\b({'|'.join(KEYWORDS)})\(\s*)({STRING})(?:(\s*,\s*)({STRING}))?")
"""A call in a template: the text before the first message, its name, the message, a comma, the second message."""
QUOTING = (".py", ".html", ".md", ".js", ".txt")
"""Suffixes of files that may quote a message."""
ESCAPES = {r"\n": "\n", r"\t": "\t", r"\\": "\\"}


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
            place = text.find(old if " " in old else f'"{old}"')
            if place >= 0:
                yield f"{path}:{text.count(chr(10), 0, place) + 1}", old
