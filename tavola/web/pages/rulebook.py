"""RULES.md as a page: CommonMark without raw HTML, every numbered paragraph an anchor (`R14` is `#r14`)."""

import re
from functools import cache
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from tavola.core import Game
from tavola.core.errors import TranslatableRefusal
from tavola.show.cards import picture_of, words_of
from tavola.show.speech import Say, mark
from tavola.web.door.visitor import site_say

if TYPE_CHECKING:
    from markdown_it.token import Token

TABLE_MARKUP = re.compile(r"(<table.*?</table>)", re.DOTALL)
PARAGRAPH = re.compile(r"\W*R(\d{1,3})\b")


class NoRules(TranslatableRefusal):
    """A game whose rules are not written down."""

    message = mark("No rules are written down for this game yet.")


@cache
def rules_of(game: Game, language: str) -> tuple[Markup, str]:
    """The rules of a game as a piece of a page, and the language they are written in."""
    for name, written in ((f"RULES.{language}.md", language), ("RULES.md", "en")):
        path = game.folder / name
        if path.exists():
            return Markup(_fold_provenance(_render_markdown(path.read_text(encoding="utf-8")), written)), written
    raise NoRules


def _fold_provenance(text: str, language: str) -> str:
    """The table of provenance, which stands before the first heading, behind a link."""
    opening, heading, rest = text.partition("<h2>")
    summary = escape(site_say(language)("Where it comes from"))
    folded = TABLE_MARKUP.sub(
        rf'<details class="provenance"><summary>{summary}</summary>\1</details>', opening, count=1
    )
    return folded + heading + rest


@cache
def lesson_sections(game: Game, language: str) -> list[dict[str, object]]:
    """The rules in one minute: sections with title, text and a drawing made of the game's own pieces."""
    say = Say.of(game, language)
    return [
        {"title": title, "text": text, "picture": picture_of(game).lesson(number, say)}
        for number, (title, text) in enumerate(words_of(game).lesson(say))
    ]


def _render_markdown(text: str) -> str:
    from markdown_it import MarkdownIt  # the server itself starts without it: rules are drawn beside it

    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    tokens = markdown.parse(text)
    seen: set[str] = set()
    for place, token in enumerate(tokens):
        if token.type == "table_open":
            token.attrSet("tabindex", "0")  # on a phone it scrolls, by keyboard too
        found = PARAGRAPH.match(token.content) if token.type == "inline" else None
        if found and found[1] not in seen:
            seen.add(found[1])
            _opening_token(tokens, place).attrSet("id", f"r{found[1]}")
    html: str = markdown.renderer.render(tokens, markdown.options, {})
    return html


def _opening_token(tokens: list["Token"], place: int) -> "Token":
    kinds = ("paragraph_open", "heading_open", "td_open", "th_open")
    opening = next(p for p in range(place - 1, -1, -1) if tokens[p].type in kinds)
    # The paragraph of a tight list is not written, so its anchor goes to the item.
    hidden = tokens[opening].hidden and opening > 0
    return tokens[opening - 1] if hidden else tokens[opening]
