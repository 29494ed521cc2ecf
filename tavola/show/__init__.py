"""Words and pictures of a view, for every game. Rules run without this package.

Public and stable, with their signatures, are the names of `__all__`. For authors of games these are too: the hooks of
the cards `Words` and `Picture`; `tavola.show.words`, `tavola.show.kit`, `tavola.show.seat_sheet` and `tavola.show.svg`,
which help to fill them; and `tavola.show.testing`. Names with a leading underscore, and the bytes of a drawing, may
change with any release.

    words_of(game), picture_of(game)           the cards of a game
    text(view), picture(view)                  the table as text, the main board as SVG, in English
    drawing(view, say, board)                  one board as a whole SVG document, in the language of `say`
    all_pieces(view, say), scene(…)            what a page receives: pieces by board and id, and the frames of a scene
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
    """Return the table as text, in English."""
    return "\n".join(words_of(view.game).table(view, Say.of(view.game, "en")))


def picture(view: View) -> str:
    """Return the main board as SVG, in English."""
    return str(drawing(view, Say.of(view.game, "en")))
