"""A letter as a page: one table, the reader's own faces of type, dark where his mail program is.

Mail programs read neither style sheets of a site nor scripts: every style stands at its element. Nothing is fetched, so
nobody learns when a letter is read.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tavola.web.door.visitor import site_say
from tavola.web.render import render_fragment


class LetterPage(NamedTuple):
    """What a letter says. `day`: which day of its match it is, 0 where it is about none.

    `facts`: something in a few words, and what it is; `others`: matches that wait, too: game, time left, address.
    """

    title: str
    words: Sequence[str]
    button: str
    address: str
    day: int = 0
    facts: Sequence[tuple[str, str]] = ()
    others: Sequence[tuple[str, str, str]] = ()
    quiet: str = ""


def page_markup(page: LetterPage, language: str) -> str:
    """Return a letter as a whole page of HTML."""
    return str(render_fragment("letter.html", page=page, say=site_say(language), language=language))
