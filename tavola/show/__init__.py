"""How a view becomes sentences and pictures: no game is known here, and rules run without it."""

from tavola.core.view import View
from tavola.show.speech import Say
from tavola.show.svg import drawing


def text(view: View) -> str:
    """The table in text, in English."""
    return "\n".join(view.game.words.table(view, Say.of(view.game, "en")))


def picture(view: View) -> str:
    """The picture, in English."""
    return str(drawing(view, Say.of(view.game, "en")))
