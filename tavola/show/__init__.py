"""Sentences and pictures of a view: no game is known here, and rules run without it.

Public and stable, with their signatures, are the names of `__all__` and, for who writes a game, the hooks of the cards
`Words` and `Picture`, what `tavola.show.words`, `tavola.show.kit`, `tavola.show.seat_sheet` and `tavola.show.svg` offer
to fill them with, and `tavola.show.testing`. What begins with an underscore, and the bytes of a drawing, may change
with any release.

    text(view), picture(view)                  the table as text, the main board as SVG, in English
    drawing(view, say, board)                  one board that stands alone, in the language of `say`
    all_pieces(view, say), scene(…)            what a page is sent: pieces by board and id, and the frames between two
"""

from tavola.core.view import View
from tavola.show.board import Board, Frame, Pieces, all_pieces, drawing, scene, scene_length
from tavola.show.cards import Picture, Words
from tavola.show.speech import Say

__all__ = [
    "Board",
    "Frame",
    "Picture",
    "Pieces",
    "Say",
    "Words",
    "all_pieces",
    "drawing",
    "picture",
    "scene",
    "scene_length",
    "text",
]


def text(view: View) -> str:
    """The table in text, in English."""
    return "\n".join(view.game.words.table(view, Say.of(view.game, "en")))


def picture(view: View) -> str:
    """The picture, in English."""
    return str(drawing(view, Say.of(view.game, "en")))
