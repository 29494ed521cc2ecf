"""Guesses that a player notes about others, for his own eyes: `Words.guess_labels`. Most games have none."""

from typing import NamedTuple

from tavola.core import View
from tavola.live import Room
from tavola.show.cards import words_of
from tavola.show.speech import Say
from tavola.web.render import render_cached


class Guess(NamedTuple):
    """A player's guess about another: `mark` is the key of a guess, or empty."""

    seat: int
    name: str
    mark: str


def guess_labels(view: View, say: Say) -> list[tuple[str, str]]:
    """Return what may be guessed, pairs of key and label; empty in most games and for who only watches."""
    return words_of(view.game).guess_labels(view, say) if view.seat is not None else []


def guesses_of_seat(room: Room, seat: int) -> list[Guess]:
    """Return what a seat thinks of every other."""
    noted = room.state.guesses_of(seat)
    return [Guess(other, name, noted.get(other, "")) for other, name in enumerate(room.names) if other != seat]


def guess_editor(room: Room, view: View, say: Say) -> str:
    """The fragment in which a seat notes its guesses; empty where there is nothing to guess."""
    may_be = guess_labels(view, say)
    if not may_be or room.state.phase != "playing" or view.seat is None:
        return ""
    others = tuple(guesses_of_seat(room, view.seat))
    return render_cached("notes.html", say.language, code=room.id, marks=tuple(may_be), others=others)
