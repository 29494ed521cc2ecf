"""The question to one seat: what another asks or offers it, with its answers; and what one may ask all at a ballot."""

from markupsafe import Markup

from tavola.live import Room
from tavola.show.speech import Say
from tavola.web.render import render_fragment
from tavola.web.talk.composing import open_ballot


def asked_markup(room: Room, say: Say, log_say: Say, seat: int | None) -> Markup:
    """Return the card of what a seat is asked, and the deed that it may ask all for."""
    return render_fragment("asked.html", ballot=open_ballot(room, seat))
