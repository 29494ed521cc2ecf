"""The lines of the log: told by the game's words, shown the newest first."""

from collections.abc import Mapping

from markupsafe import Markup

from tavola.core import PlayedAction, View
from tavola.show.cards import words_of
from tavola.show.speech import Say


def newest_first(log: Mapping[str, str]) -> dict[str, str]:
    """The log as it is shown: the newest line first, each chapter under its heading."""
    chapters: list[list[str]] = []
    for name in log:
        if name.startswith("chapter-") or not chapters:
            chapters.append([name] if name.startswith("chapter-") else ["", name])
        else:
            chapters[-1].append(name)
    order = [name for heading, *lines in reversed(chapters) for name in ([heading] if heading else []) + lines[::-1]]
    return {name: log[name] for name in order}


def inner_markup(line: str) -> str:
    """A line of the log without its element."""
    return Markup(line[line.index(">") + 1 : -len("</li>")]) if line else Markup()


def event_sentences(before: View, after: View, played: PlayedAction | None, say: Say) -> list[str]:
    """Return what happened between two views, in words."""
    return words_of(before.game).events(before, after, played, say)
