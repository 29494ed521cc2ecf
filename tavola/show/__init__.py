"""Sentences and pictures of a view: no game is known here, and rules run without it.

Public and stable, with their signatures, are the names of `__all__` and, for who writes a game, the hooks of the cards
`Words` and `Picture`, what `tavola.show.words`, `tavola.show.kit`, `tavola.show.seat_sheet` and `tavola.show.svg` offer
to fill them with, and `tavola.show.testing`. What begins with an underscore, and the bytes of a drawing, may change
with any release.

    words_of(game), picture_of(game)           the cards of a game
    text(view), picture(view)                  the table as text, the main board as SVG, in English
    drawing(view, say, board)                  one board that stands alone, in the language of `say`
    all_pieces(view, say), scene(…)            what a page is sent: pieces by board and id, and the frames between two
"""

from tavola.core.view import View
from tavola.show.board import Board, Frame, Pieces
from tavola.show.cards import Picture, Words, picture_of, words_of
from tavola.show.pictures import all_pieces, drawing, scene, scene_length
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
    "picture_of",
    "scene",
    "scene_length",
    "text",
    "words_of",
]


def text(view: View) -> str:
    """The table in text, in English."""
    return "\n".join(words_of(view.game).table(view, Say.of(view.game, "en")))


def picture(view: View) -> str:
    """The picture, in English."""
    return str(drawing(view, Say.of(view.game, "en")))
