"""Find the phrases that the guides in docs/style ban: in messages, Markdown, docstrings, errors and translations.

    python -m scripts.prose             print the number of findings by kind of text and phrase
    python -m scripts.prose messages    print every finding: file, line, words and cure
    python -m scripts.prose --check     exit code 1 if a number in scripts/prose_baseline.txt has grown
    python -m scripts.prose --write     lower the numbers in that file to the present ones
    python -m scripts.prose --fix       correct spaces and apostrophes of translations

The file has the allowed number of findings by kind of text, folder and phrase; 0 if it is not listed. In English,
quotations, code, terms in backticks and addresses of links are not searched. docs/style/exceptions.toml lists
exceptions with reasons.
"""

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

from scripts.phrases import PHRASES, Finding, Text, findings, without_exceptions
from scripts.translated import GUIDES, correct_files, translated_findings
from tavola.contract.messages import catalogue_folders, found_messages

ROOT = Path(__file__).resolve().parent.parent
BASELINE = ROOT / "scripts" / "prose_baseline.txt"
UNSEARCHED = re.compile(
    r"```.*?```|`[^`\n]*`|“[^”]*”|\"[^\"\n]*\"|https?://\S+|\]\([^)\s]*\)|^>.*$", re.DOTALL | re.MULTILINE
)
QUERY = re.compile(r"\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|ALTER|DROP)\b")


def messages() -> Iterator[Text]:
    """Yield every message of the interface."""
    for folder in catalogue_folders():
        for found in found_messages(folder):
            for form in [found.english] if isinstance(found.english, str) else found.english:
                yield Text(folder / found.file, found.line, form, form)


def markdown() -> Iterator[Text]:
    """Yield every hand-written page of the project in English."""
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("[!.]*/**/*.md")]):
        if not re.search(r"/build/|\.(?:de|fr|it)\.md$|RULES\.md$|/docs/style/|/node_modules/", path.as_posix()):
            yield Text(path, 1, path.read_text(encoding="utf-8"))


def docstrings() -> Iterator[Text]:
    """Yield every docstring, including those of attributes."""
    for folder in ("tavola", "tests", "scripts", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield from (text for text, documents in _strings_of(path) if documents)


def strings() -> Iterator[Text]:
    """Yield every sentence in the sources that is neither a message nor a docstring: errors, helps, lines of logs."""
    known = {text.text for text in messages()}
    for path in sorted(path for path in (ROOT / "tavola").rglob("*.py") if not path.name.startswith("test_")):
        for text, documents in _strings_of(path):
            if not documents and text.text.count(" ") > 2 and text.text not in known and not QUERY.match(text.text):
                yield text._replace(message=text.text)


def _strings_of(path: Path) -> list[tuple[Text, bool]]:
    """Return every string in a source, and whether it is a docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return [(Text(path, one.lineno, one.value), id(one) in documented) for one in found if isinstance(one.value, str)]


def _english(texts: Callable[[], Iterator[Text]]) -> Iterator[Finding]:
    return without_exceptions(findings(texts(), PHRASES, UNSEARCHED), "en")


KINDS: dict[str, Callable[[], Iterator[Finding]]] = {
    "messages": partial(_english, messages),
    "markdown": partial(_english, markdown),
    "docstrings": partial(_english, docstrings),
    "strings": partial(_english, strings),
    **{language: partial(translated_findings, language) for language in GUIDES},
}


def line_of(finding: Finding) -> str:
    """Return a line with a finding's place, words and cure."""
    place, words = finding.text.path.relative_to(ROOT), " ".join(finding.words.split()) or finding.words
    return f"{place}:{finding.line}: {words!r} ({finding.phrase.name}): write {finding.phrase.cure}"


class Cell(NamedTuple):
    """Key of a number in the baseline."""

    kind: str
    folder: str
    phrase: str


Counts: TypeAlias = Mapping[Cell, int]


def folder_of(path: Path) -> str:
    """Return the folder in which a file is counted: at most two levels, three for games."""
    parts = path.relative_to(ROOT).parent.parts
    return "/".join(parts[: 3 if parts[1:2] == ("games",) else 2]) or "."


def findings_by_cell(kinds: Iterable[str]) -> dict[Cell, list[Finding]]:
    """Return all findings in texts of these kinds."""
    cells: dict[Cell, list[Finding]] = {}
    for kind in kinds:
        for finding in KINDS[kind]():
            cells.setdefault(Cell(kind, folder_of(finding.text.path), finding.phrase.name), []).append(finding)
    return cells


def read_baseline(text: str) -> Counter[Cell]:
    """Return the numbers of a baseline, whose lines have a kind, a folder, a phrase and a number."""
    rows = (re.split(r" {2,}", line) for line in text.splitlines())
    return Counter({Cell(kind, folder, phrase): int(number) for kind, folder, phrase, number in rows})


def baseline_text(counts: Counts) -> str:
    """Return the text of a baseline, without zeros."""
    rows = ((cell, number) for cell, number in sorted(counts.items()) if number)
    return "".join(f"{cell.kind:12}{cell.folder:30}{cell.phrase:20}{number:6}\n" for cell, number in rows)


def grown(found: Mapping[Cell, list[Finding]], allowed: Counts) -> list[str]:
    """Return a line for each number that is larger than allowed, followed by its findings."""
    lines = []
    for cell, there in found.items():
        if len(there) > (most := allowed.get(cell, 0)):
            lines.append(f"{cell.kind} in {cell.folder}: {len(there)} of {cell.phrase!r}, expected at most {most}")
            lines += map(line_of, there)
    return lines


def print_table(counts: Counts) -> None:
    """Print the number of findings by kind of text and phrase."""
    sums: Counter[tuple[str, str]] = Counter()
    for cell, number in counts.items():
        sums.update({(cell.kind, cell.phrase): number, (cell.kind, "all"): number})
    for (kind, phrase), number in sums.items():
        print(f"{kind:12}{phrase:20}{number:8,}")


def main(arguments: list[str]) -> int:
    """Run the command; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", choices=[*KINDS, []], help=", ".join(KINDS))
    for name in ("check", "write", "fix"):
        parser.add_argument(f"--{name}", action="store_true")
    given = parser.parse_args(arguments)
    for language in GUIDES if given.fix else ():
        correct_files(language)
    against_baseline = given.check or given.write
    found = findings_by_cell(KINDS if against_baseline else given.kinds or KINDS)
    counts = Counter({cell: len(there) for cell, there in found.items()})
    if against_baseline:
        allowed = read_baseline(BASELINE.read_text(encoding="utf-8"))
        if given.write:
            BASELINE.write_text(baseline_text(allowed & counts), encoding="utf-8")
        wrong = grown(found, allowed)
        print("".join(f"{line}\n" for line in wrong), end="")
        return int(bool(wrong))
    for there in found.values() if given.kinds else ():
        print("".join(f"{line_of(finding)}\n" for finding in there), end="")
    print_table(counts)
    return int(bool(counts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
