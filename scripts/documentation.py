"""Hook of mkdocs.yml: include pages of the documentation that are in the root of the checkout.

`python -m scripts.documentation` writes the settings of a room, as they are declared, into the guide to programs.
"""

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "docs" / "programs.md"
INCLUDED = {
    "architecture.md": ("ARCHITECTURE.md", r"(.*)"),
    "changes.md": ("CHANGELOG.md", r"(.*)"),
    "adding-a-game.md": ("CONTRIBUTING.md", r"(## Add a game.*)"),
}
"""The file of each page, and the part of it that is shown."""
LINKS = {"docs/decisions": "decisions/index.md", "CONTRIBUTING.md": "adding-a-game.md", "CHANGELOG.md": "changes.md"}


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return the file of a page, with its links changed to pages of the documentation."""
    if page.file.src_uri not in INCLUDED:
        return markdown
    name, part = INCLUDED[page.file.src_uri]
    found = re.search(part, (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)
    if found is None:
        raise LookupError(f"{name}: expected a part that matches {part}")
    return re.sub(r"\]\(([^):#]+)", lambda at: f"]({LINKS.get(at[1], at[1].removeprefix('docs/'))}", found[1])


def settings_table() -> str:
    """Return the settings of a room as a table of the guide."""
    from tavola.live.log.room_settings import SETTINGS

    rows = [f"| `{name}` | {_values(declared)} | {declared.help} |" for name, declared in SETTINGS.items()]
    return "\n".join(["| setting | values | |", "|---|---|---|", *rows])


def _values(declared: Any) -> str:
    allowed = declared.allowed or declared.choices
    if isinstance(allowed, range):
        return f"{allowed[0]:,} to {allowed[-1]:,}"
    return ", ".join(f"`{str(value).lower()}`" for value in allowed)


def with_settings(guide: str) -> str:
    """Return the guide with the present table of settings."""
    return re.sub(r"(?m)^\| setting \|(?:.*\n\|)*.*$", lambda _: settings_table(), guide)


if __name__ == "__main__":
    GUIDE.write_text(with_settings(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
