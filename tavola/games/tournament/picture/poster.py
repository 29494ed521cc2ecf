"""The poster of Tournament: the art is `poster.svg`, the title is drawn in the reader's language."""

from markupsafe import Markup

from tavola.show.poster import poster_art, poster_title
from tavola.show.speech import Say

ART = poster_art(__file__)


def poster(say: Say) -> Markup:
    return ART + poster_title(say("Tournament"), 112, 92, 640, "var(--text)")
