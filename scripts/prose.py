"""Find the phrases that docs/style/english.md bans, in messages, Markdown and docstrings.

    python -m scripts.prose             print the number of findings by phrase and kind of text
    python -m scripts.prose messages    print every finding: file, line, what was found and the cure
    python -m scripts.prose --check     exit code 1 if a number in scripts/prose_baseline.txt has grown
    python -m scripts.prose --write     lower the numbers in that file to what is found now

The file counts the findings of each phrase by kind of text and folder. What is not in it must have none. Quotations,
code and rulebooks' terms in backticks are not searched.
"""

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

from tavola.contract.messages import catalogue_folders, found_messages

ROOT = Path(__file__).resolve().parent.parent
BASELINE = ROOT / "scripts" / "prose_baseline.txt"
UNSEARCHED = re.compile(r"```.*?```|`[^`\n]*`|“[^”]*”|\"[^\"\n]*\"|https?://\S+|^>.*$", re.DOTALL | re.MULTILINE)


class Phrase(NamedTuple):
    """A banned phrase: its name, what to write instead, and the patterns that find it."""

    name: str
    cure: str
    patterns: tuple[str, ...]

    @property
    def pattern(self) -> re.Pattern[str]:
        """One pattern for all; the module `re` keeps it compiled."""
        return re.compile("|".join(self.patterns), re.IGNORECASE | re.MULTILINE)


PHRASES = (
    Phrase("he, his", "they, their, you, or the role", (r"\b(?:he|him|his|himself)\b",)),
    Phrase(
        "fused who",
        "anyone who …, players who …",
        (r"\b(?:for|of|to|by|with|from|than|only|and|or) who (?!is\b.*\?)\w+", r"(?:^|[.;:] )Who (?!.*\?)"),
    ),
    Phrase(
        "somebody",
        "the role: player, guest, operator",
        (r"\b(?:some|any|every|no)body\b", r"\bwhom?ever\b"),
    ),
    Phrase("tell", "show, send, return, notify", (r"\b(?:tell|tells|told|telling)\b",)),
    Phrase("so many", "the parameter in backticks", (r"\bso (?:many|long|much)\b(?! (?:as|that|for))",)),
    Phrase("anew", "again, from scratch", (r"\banew\b", r"\bonce more\b")),
    Phrase("is no", "is not a", (r"\b(?:is|are|was|were) no\b(?! (?:longer|more than))",)),
    Phrase("no more", "no longer, unless", (r"\bno more\b(?! than)", r"\bbut for\b", r"\bnot any more\b")),
    Phrase("may not", "must not, cannot", (r"\bmay not\b",)),
    Phrase(
        "stands, lies",
        "is in, is stored in",
        (r"\b(?:stands?|stood|lies?|lay|lain) (?:in|on|at|there|here|ready|beside|below|above)\b",),
    ),
    Phrase(
        "house words",
        "e-mail, sign in, correspondence, limits",
        (
            r"(?<!by the )\bletters?\b(?! of the rule)",
            r"\b(?:the shelf|the door|by post|of the house|(?:come|comes|came) in)\b",
            r"\bkeeps? (?:him|one)self\b",
        ),
    ),
)


class Text(NamedTuple):
    """A piece of English and where it begins."""

    path: Path
    line: int
    text: str


def messages() -> Iterator[Text]:
    """Yield every message of the interface."""
    for folder in catalogue_folders():
        for file, line, message, _context in found_messages(folder):
            for form in [message] if isinstance(message, str) else message:
                yield Text(folder / file, line, form)


def markdown() -> Iterator[Text]:
    """Yield every page of the project that is written by hand in English."""
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("[!.]*/**/*.md")]):
        if not re.search(r"/build/|\.(?:de|fr|it)\.md$|RULES\.md$|/docs/style/|/node_modules/", path.as_posix()):
            yield Text(path, 1, path.read_text(encoding="utf-8"))


def docstrings() -> Iterator[Text]:
    """Yield every docstring, those of attributes included."""
    for path in sorted(
        path for folder in ("tavola", "tests", "scripts", "benchmarks") for path in (ROOT / folder).rglob("*.py")
    ):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                yield Text(path, node.lineno, node.value.value)


KINDS = {"messages": messages, "markdown": markdown, "docstrings": docstrings}


class Finding(NamedTuple):
    """A banned phrase in a text: where it is, and the words themselves."""

    kind: str
    path: Path
    line: int
    phrase: Phrase
    words: str

    @property
    def cell(self) -> "Cell":
        """Where it counts in the baseline: by kind of text, folder and phrase."""
        return self.kind, folder_of(self.path), self.phrase.name

    def __str__(self) -> str:
        return (
            f"{self.path.relative_to(ROOT)}:{self.line}: {self.words!r} ({self.phrase.name}): write {self.phrase.cure}"
        )


def findings(kind: str, text: Text) -> Iterator[Finding]:
    """Yield every banned phrase in a text."""
    searched = UNSEARCHED.sub(lambda quoted: re.sub(r"[^\n]", "·", quoted[0]), text.text)
    for phrase in PHRASES:
        for found in phrase.pattern.finditer(searched):
            line = text.line + searched.count("\n", 0, found.start())
            yield Finding(kind, text.path, line, phrase, " ".join(found[0].split()))


def all_findings(kinds: Iterable[str]) -> list[Finding]:
    """Return every banned phrase in texts of these kinds."""
    return [finding for kind in kinds for text in KINDS[kind]() for finding in findings(kind, text)]


# The baseline

Cell: TypeAlias = tuple[str, str, str]


def folder_of(path: Path) -> str:
    """Return the folder that a file counts in: two levels at most, three for games."""
    parts = path.relative_to(ROOT).parent.parts
    return "/".join(parts[: 3 if parts[1:2] == ("games",) else 2]) or "."


def read_baseline(text: str) -> Counter[Cell]:
    """Return the numbers of a baseline: a row for each kind and folder, a column for each phrase."""
    head, *rows = [re.split(r" {2,}", line.strip()) for line in text.splitlines()]
    return Counter(
        {
            (kind, folder, phrase): int(number)
            for kind, folder, *numbers in rows
            for phrase, number in zip(head, numbers, strict=True)
        }
    )


def baseline_text(counts: Mapping[Cell, int]) -> str:
    """Return the text of a baseline; rows without findings are left out."""
    names = [phrase.name for phrase in PHRASES]
    lines = [f"{'':42}" + "".join(f"{name:>14}" for name in names)]
    for kind, folder in sorted({(kind, folder) for (kind, folder, _), number in counts.items() if number}):
        numbers = [counts.get((kind, folder, name), 0) for name in names]
        lines.append(f"{kind:12}{folder:30}" + "".join(f"{number:>14}" for number in numbers))
    return "".join(f"{line}\n" for line in lines)


def grown(found: Iterable[Finding], allowed: Mapping[Cell, int]) -> list[str]:
    """Return a line for each number that is larger than allowed, followed by its findings."""
    cells: dict[Cell, list[Finding]] = {}
    for finding in found:
        cells.setdefault(finding.cell, []).append(finding)
    lines = []
    for (kind, folder, phrase), there in cells.items():
        most = allowed.get((kind, folder, phrase), 0)
        if len(there) > most:
            lines += [f"{kind} in {folder}: {len(there)} of {phrase!r}, expected {most} at most", *map(str, there)]
    return lines


# The command


def print_table(found: Iterable[Finding]) -> None:
    """Print the number of findings by phrase and kind of text."""
    counts = Counter((finding.phrase.name, finding.kind) for finding in found)
    print(f"{'':14}" + "".join(f"{kind:>12}" for kind in KINDS))
    for phrase in PHRASES:
        print(f"{phrase.name:14}" + "".join(f"{counts[phrase.name, kind]:>12,}" for kind in KINDS))
    print(f"{'all':14}" + "".join(f"{sum(n for (_, k), n in counts.items() if k == kind):>12,}" for kind in KINDS))


def main(arguments: list[str]) -> int:
    """Run the command; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", choices=[*KINDS, []], help=", ".join(KINDS))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    against_baseline = given.check or given.write
    found = all_findings(KINDS if against_baseline else given.kinds or KINDS)
    if against_baseline:
        allowed = read_baseline(BASELINE.read_text(encoding="utf-8"))
        if given.write:
            BASELINE.write_text(baseline_text(allowed & Counter(finding.cell for finding in found)), encoding="utf-8")
        wrong = grown(found, allowed)
        print("".join(f"{line}\n" for line in wrong), end="")
        return int(bool(wrong))
    for finding in found if given.kinds else ():
        print(finding)
    print_table(found)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
