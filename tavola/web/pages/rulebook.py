"""RULES.md as a page: CommonMark without raw HTML, an anchor for every numbered paragraph (`R14` is `#r14`)."""

import re
from functools import cache
from typing import TYPE_CHECKING

from markupsafe import Markup

from tavola.core import Game
from tavola.core.errors import TranslatableRefusal
from tavola.show.cards import picture_of, words_of
from tavola.show.speech import Say, mark
from tavola.web.requests.visitor import site_say

if TYPE_CHECKING:
    from markdown_it.token import Token

TABLE = re.compile(r"<table.*?</table>", re.DOTALL)
NOTES = re.compile(r"(?:<p><em>(?:(?!</?p>|<em>).)*</em></p>\n?)+", re.DOTALL)
"""Paragraphs entirely in italics: the source of a rule, and its reason."""
PARAGRAPH = re.compile(r"\W*R(\d{1,3})\b")


class NoRules(TranslatableRefusal):
    """A game without written rules."""

    message = mark("This game has no written rules yet.")


@cache
def rules_of(game: Game, language: str) -> tuple[Markup, str]:
    """Return the rules of a game as HTML, and the language in which they are written."""
    for name, written in ((f"RULES.{language}.md", language), ("RULES.md", "en")):
        path = game.folder / name
        if path.exists():
            return Markup(_fold_provenance(render_markdown(path.read_text(encoding="utf-8")), written)), written
    raise NoRules


def _fold_provenance(text: str, language: str) -> str:
    """Fold what players need not read: the table of labels in the opening, and the notes on rules."""
    say = site_say(language)
    fold = Markup('<details class="provenance"><summary>{}</summary>{}</details>')

    def folded(found: re.Match[str]) -> str:
        return fold.format(say("Where it comes from"), Markup(found[0]))

    opening, heading, rest = text.partition("<h2>")
    return NOTES.sub(folded, TABLE.sub(folded, opening, count=1) + heading + rest)


@cache
def lesson_sections(game: Game, language: str) -> list[dict[str, object]]:
    """Return the rules in one minute: sections with title, text and a drawing of the game's own pieces."""
    say = Say.of(game, language)
    return [
        {"title": title, "text": text, "picture": picture_of(game).lesson(number, say)}
        for number, (title, text) in enumerate(words_of(game).lesson(say))
    ]


def render_markdown(text: str) -> str:
    """Return Markdown as HTML, with an anchor for every numbered paragraph; HTML in it is shown as text."""
    from markdown_it import MarkdownIt  # not loaded by the server itself: rules are rendered in other processes

    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    tokens = markdown.parse(text)
    seen: set[str] = set()
    for place, token in enumerate(tokens):
        if token.type == "table_open":
            token.attrSet("tabindex", "0")  # on narrow screens it scrolls, by keyboard too
        found = PARAGRAPH.match(token.content) if token.type == "inline" else None
        if found and found[1] not in seen:
            seen.add(found[1])
            _opening_token(tokens, place).attrSet("id", f"r{found[1]}")
    html: str = markdown.renderer.render(tokens, markdown.options, {})
    return html


def _opening_token(tokens: list["Token"], place: int) -> "Token":
    kinds = ("paragraph_open", "heading_open", "td_open", "th_open")
    opening = next(p for p in range(place - 1, -1, -1) if tokens[p].type in kinds)
    # Paragraphs of tight lists are not rendered, so the anchor belongs to the item.
    hidden = tokens[opening].hidden and opening > 0
    return tokens[opening - 1] if hidden else tokens[opening]
