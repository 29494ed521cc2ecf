"""The form of an answer ahead, without script: what a script sends over the socket."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tavola.live.protocol import AnswerAhead, from_form
from tavola.web.site import command_id, form_of, limit_posts, redirect, room_of, visitor_of


@limit_posts
async def answer_ahead(request: Request) -> Response:
    """Leave an answer, or take it back where nothing is chosen: fields `codes-0`, `codes-1` …, `unless-0` in order."""
    room, visitor, fields = await room_of(request), visitor_of(request), await form_of(request)
    lists = {
        name: tuple(value for field, value in sorted(fields.items()) if field.startswith(f"{name}-") and value)
        for name in ("codes", "unless")
    }
    made = from_form(AnswerAhead, {"command_id": command_id(request), **lists})
    await room.execute(visitor.person, made)
    return redirect(f"/r/{room.id}")


ROUTES = [Route("/r/{code}/answer-ahead", answer_ahead, methods=["POST"])]
