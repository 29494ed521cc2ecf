"""The OpenAPI document: what programs can request over HTTP, and the schemas of all messages of a room's socket."""

from functools import cache
from typing import Any

import msgspec
from starlette.responses import JSONResponse, Response

from tavola import __version__
from tavola.live.log.room_settings import SETTINGS
from tavola.live.protocol import KINDS
from tavola.live.server_messages import RoomState, ServerMessage, TextState
from tavola.web.site import Routes

CODE = {"name": "code", "in": "path", "required": True, "schema": {"type": "string"}, "description": "The room's code."}
SCHEMAS = "#/components/schemas"
routes = Routes()


class Refusal(msgspec.Struct, frozen=True):
    """A refusal as JSON: its kind, a sentence in the visitor's language, and a detail in English or nothing."""

    refused: str
    sentence: str
    detail: str


class ProgramAddress(msgspec.Struct, frozen=True):
    """The address at which a program joins: `ws://…/r/CODE/socket?form=json&token=…`."""

    socket: str


@cache
def document() -> dict[str, Any]:
    """Return the document: OpenAPI 3.1, whose schemas are JSON Schema."""
    messages = tuple(dict.fromkeys((*KINDS.values(), RoomState, TextState, *ServerMessage.__args__)))
    kinds = (*messages, Refusal, ProgramAddress)
    _, schemas = msgspec.json.schema_components(kinds, ref_template=f"{SCHEMAS}/{{name}}")
    settings = schemas["StateSettings"]
    settings["required"] = [*SETTINGS]
    for name, declared in SETTINGS.items():
        settings["properties"][name]["description"] = declared.help
    names = {"client": [kind.__name__ for kind in KINDS.values()], "server": [kind.__name__ for kind in messages]}
    names["server"] = [name for name in names["server"] if name == "Echo" or name not in names["client"]]
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tavola", "version": __version__, "description": "API for programs that play or watch."},
        "paths": {
            "/r/{code}/program": {"post": _program()},
            "/r/{code}/socket": {"get": _socket(names)},
            "/r/{code}/record": {"get": _operation("The record of a finished match.", 200, "text/plain")},
            "/r/{code}/words": {"get": _operation("The table as text.", 200, "text/plain")},
        },
        "components": {"schemas": schemas},
    }


def _operation(summary: str, status: int, kind: str, schema: str = "") -> dict[str, Any]:
    found = {"schema": {"$ref": f"{SCHEMAS}/{schema}"} if schema else {"type": "string"}}
    refused = {"application/json": {"schema": {"$ref": f"{SCHEMAS}/Refusal"}}}
    return {
        "summary": summary,
        "parameters": [CODE],
        "responses": {
            str(status): {"description": summary, "content": {kind: found}},
            "default": {"description": "A refusal.", "content": refused},
        },
    }


def _program() -> dict[str, Any]:
    fields = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "maxLength": 24}}}
    form = {"required": True, "content": {"application/x-www-form-urlencoded": {"schema": fields}}}
    summary = "Create an address for a program; only the host can. Send `Accept: application/json`."
    return {**_operation(summary, 200, "application/json", "ProgramAddress"), "requestBody": form}


def _socket(names: dict[str, list[str]]) -> dict[str, Any]:
    asked = {
        "form": "`json`: states as RoomState; `text`: states as TextState.",
        "token": "Identifies the program. Without it, the cookie does; without either, the program only watches.",
    }
    query = [
        {"name": name, "in": "query", "required": name == "form", "schema": {"type": "string"}, "description": said}
        for name, said in asked.items()
    ]
    sides = {f"x-{side}-messages": [{"$ref": f"{SCHEMAS}/{name}"} for name in listed] for side, listed in names.items()}
    return {
        "summary": "Open a WebSocket; each text frame is one message.",
        "parameters": [CODE, *query],
        "responses": {"101": {"description": "The socket is open; the server sends a state immediately."}},
        **sides,
    }


@routes.get("/openapi.json")
async def openapi_page() -> Response:
    """Return the document."""
    return JSONResponse(document())
