"""Guesses that a player notes about others, for his own eyes, and the summary card of a game. Not every game has them.

A game that does says so in its words: `notes(view, say)` lists what may be guessed, pairs of key and label;
`helps(view, say)` lists the sections of the card, pairs of title and lines, each a pair of label and text.
"""

from typing import NamedTuple

from tavola.core import View
from tavola.live import Room
from tavola.show.speech import Say
from tavola.web.render import kept


class Guess(NamedTuple):
    """What a player thinks of another: `mark` is the key of a guess, or empty."""

    seat: int
    name: str
    mark: str


def marks(view: View, say: Say) -> list[tuple[str, str]]:
    """What may be guessed, pairs of key and label; empty in most games and for who only watches."""
    words = view.game.words
    return words.notes(view, say) if view.seat is not None and hasattr(words, "notes") else []


def guesses(room: Room, seat: int, at: int | None = None) -> list[Guess]:
    """What a seat thought of every other after `at` actions."""
    noted = room.notes(seat, at)
    return [Guess(other, name, noted.get(other, "")) for other, name in enumerate(room.names) if other != seat]


def editor(room: Room, view: View, say: Say) -> str:
    """The fragment in which a seat notes its guesses; empty where there is nothing to guess."""
    may_be = marks(view, say)
    if not may_be or room.state.phase != "playing" or view.seat is None:
        return ""
    others = tuple(guesses(room, view.seat))
    return kept("notes.html", say.language, code=room.id, marks=tuple(may_be), others=others)


def remembered(room: Room, view: View, at: int, say: Say) -> list[tuple[str, str]]:
    """The guesses of the view's seat after `at` actions, for the replay: pairs of name and label."""
    labels = dict(marks(view, say))
    if view.seat is None or not labels:
        return []
    return [(guess.name, labels[guess.mark]) for guess in guesses(room, view.seat, at) if guess.mark]


def has_card(room: Room) -> bool:
    """Whether the game has a summary card."""
    return hasattr(room.state.game.words, "helps")
