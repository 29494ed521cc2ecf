"""Find the phrases that docs/style/english.md bans, in messages, Markdown and docstrings.

    python -m scripts.prose             print the number of findings by phrase and kind of text
    python -m scripts.prose messages    print every finding: file, line, phrase and cure (or markdown, docstrings)

Exit code 1 if there is a finding. Quotations, code and rulebooks' terms in backticks are not searched.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tavola.contract.messages import catalogue_folders, found_messages

ROOT = Path(__file__).resolve().parent.parent
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


def findings(text: Text) -> Iterator[tuple[int, Phrase]]:
    """Yield the line and the phrase of every finding in a text."""
    searched = UNSEARCHED.sub(lambda quoted: re.sub(r"[^\n]", "·", quoted[0]), text.text)
    for phrase in PHRASES:
        for found in phrase.pattern.finditer(searched):
            yield text.line + searched.count("\n", 0, found.start()), phrase


def main(arguments: list[str]) -> int:
    """Run the command; return the exit code."""
    counts: Counter[tuple[str, str]] = Counter()
    for kind in arguments or KINDS:
        for text in KINDS[kind]():
            for line, phrase in findings(text):
                counts[phrase.name, kind] += 1
                if arguments:
                    print(f"{text.path.relative_to(ROOT)}:{line}: {phrase.name}: write {phrase.cure}")
    print(f"{'':14}" + "".join(f"{kind:>12}" for kind in KINDS))
    for phrase in PHRASES:
        print(f"{phrase.name:14}" + "".join(f"{counts[phrase.name, kind]:>12,}" for kind in KINDS))
    print(f"{'all':14}" + "".join(f"{sum(n for (_, k), n in counts.items() if k == kind):>12,}" for kind in KINDS))
    return int(bool(counts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
