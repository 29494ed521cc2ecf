"""Tutorials as pages of their own: no room, no clock, no result; the last step leads to the match."""

from functools import cache
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tavola.core import Game
from tavola.live import Room
from tavola.show.cards import words_of
from tavola.show.minute import minute_names, places_to_touch, step_boards
from tavola.web.render import game_say, game_title, render_page
from tavola.web.requests.visitor import Visitor, site_say
from tavola.web.site import Routes, visitor_of

BOARDS = ("main", "hand")
"""Boards that a tutorial shows."""
routes = Routes()


@cache
def minute_steps(game: Game, language: str) -> list[dict[str, Any]]:
    """Return the steps of a tutorial: sentences, boards with their pieces, and ids of the places to highlight."""
    minute = words_of(game).minute
    if minute is None:
        return []
    say = game_say(game, language, minute_names(game, site_say(language)("You")))
    steps = []
    for step in minute.steps:
        boards = {board: pieces for board, pieces in step_boards(game, step, say).items() if board in BOARDS}
        places = " ".join(f"{board}:{name}" for board, name in places_to_touch(game, step, say))
        steps.append({"asks": say(step.asks), "told": say(step.told), "boards": boards, "places": places})
    return steps


@routes.get("/games/{name}/minute")
async def minute_page(request: Request, game: Game) -> Response:
    """Show a game's tutorial, which leads to a match or back to the home page."""
    return _page(request, game, "")


@routes.get("/r/{code}/minute")
async def room_minute_page(request: Request, room: Room, visitor: Visitor) -> Response:
    """Show the tutorial to a player at a table; their time per move starts when they return."""
    seat = room.state.seat_of(visitor.id)
    if seat is not None:
        room.caretaker.begin_lesson(seat)
    return _page(request, room.state.game, room.id)


def _page(request: Request, game: Game, code: str) -> Response:
    language = visitor_of(request).language
    steps = minute_steps(game, language)
    if not steps:
        raise HTTPException(404)
    return render_page(request, "minute.html", game=game, name=game_title(game, language), steps=steps, code=code)
