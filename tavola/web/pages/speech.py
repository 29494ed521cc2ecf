"""What a page asks while a statement is composed: what may be said now, and a draft as a sentence. Nothing happens."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tavola.live.protocol import Speak, from_form
from tavola.web.site import room_of, visitor_of
from tavola.web.talk.composing import draft, speech_document

NEVER_KEPT = {"Cache-Control": "no-store"}


async def speech(request: Request) -> Response:
    """Answer what the visitor's seat may say now."""
    room, visitor = await room_of(request), visitor_of(request)
    return JSONResponse(speech_document(room, visitor), headers=NEVER_KEPT)


async def draft_page(request: Request) -> Response:
    """Answer a draft as a sentence with its token; why it cannot be said, where it cannot."""
    room, visitor = await room_of(request), visitor_of(request)
    command = from_form(Speak, {"command_id": "draft", **request.query_params})
    return JSONResponse(draft(room, visitor, command), headers=NEVER_KEPT)


ROUTES = [Route("/r/{code}/speech", speech), Route("/r/{code}/draft", draft_page)]
