"""How a view becomes sentences and pictures: no game is known here, and rules run without it."""

from tavola.core.view import View
from tavola.show.board import Board, Frame, Pieces, all_pieces, drawing, scene, scene_length
from tavola.show.speech import Say

__all__ = ["Board", "Frame", "Pieces", "all_pieces", "drawing", "picture", "scene", "scene_length", "text"]


def text(view: View) -> str:
    """The table in text, in English."""
    return "\n".join(view.game.words.table(view, Say.of(view.game, "en")))


def picture(view: View) -> str:
    """The picture, in English."""
    return str(drawing(view, Say.of(view.game, "en")))
