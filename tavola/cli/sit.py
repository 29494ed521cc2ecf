"""Programs in rooms: `tavola sit ADDRESS BOT` seats a bot in a room, `tavola mcp` a language model."""

import json
from typing import TYPE_CHECKING, Any

import click

from tavola.cli.parameters import guide, language_option

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

    from tavola.bots.outside.programs import Program

JOINING = "sit"
"""Id of the command that takes the seat."""
ANSWER_WITHIN = 3600.0
"""Seconds for a decision; the room's time per move ends earlier, unless it has none."""


@click.command(short_help="Let your own bot play in a room.", epilog=f"To write a bot, see {guide('programs')}")
@click.argument("address")
@click.argument("bot")
def command(address: str, bot: str) -> None:
    """Let BOT, `python:module:Class` or `exec:command`, play one match in the room at ADDRESS.

    The host of the room creates the address, `ws://…/r/CODE/socket?form=json&token=…`. The bot runs on this machine.
    """
    from websockets.exceptions import WebSocketException
    from websockets.sync.client import connect

    from tavola.bots.outside.player import Outside
    from tavola.bots.outside.programs import Program

    outside = Outside.parse(bot)
    program = Program(outside.command, outside.folder)
    try:
        with connect(address, max_size=None) as socket:
            click.echo(_play(socket, program))
    except (OSError, WebSocketException, ValueError) as error:
        raise click.ClickException(f"{address[:80]}: expected a room that answers, {error}") from error
    finally:
        program.close()


def _play(socket: "ClientConnection", program: "Program") -> str:
    from tavola.live.state_sentences import decision_time

    socket.send(json.dumps({"type": "join", "command_id": JOINING}))
    greeted, asked, happened = False, None, list[Any]()
    for text in socket:
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "echo":
            socket.send(text)
        elif message["type"] == "refused":
            if message["command_id"] == JOINING:
                raise click.ClickException(message["message"])
            click.echo(f"refused: {message['message']}", err=True)
        elif message["type"] == "state":
            if not greeted:
                click.echo(f"{message['game']}, {message['room']}: {decision_time(message['settings'])}")
            greeted = True
            happened += message["happened"]
            if message["prompt_id"] not in (None, asked):  # a new decision, with all that has happened since the last
                asked = message["prompt_id"]
                socket.send(_answer(program, {**message, "happened": happened}))
                happened = []
            if message["phase"] == "over":
                return f"over: {message['result']}"
    return "the room closed the connection"


def _answer(program: "Program", state: dict[str, Any]) -> str:
    line = program.ask(json.dumps(state).encode(), ANSWER_WITHIN)
    return json.dumps({"command_id": f"p{state['prompt_id']}", **json.loads(line)})


@click.command(
    short_help="Let a language model play (Model Context Protocol).",
    epilog=f"For the setup and the tools of a model, see {guide('programs')}",
)
@click.option("--room", "address", metavar="ADDRESS", help="Address of a seat in a room, created by its host.")
@language_option
def mcp_command(address: str | None, language: str) -> None:
    """Serve the Model Context Protocol on standard input and output, for one model.

    The model plays against bots in this process, or in the room whose host has created ADDRESS for it.
    """
    try:
        from tavola.mcp.server import make_server
    except ModuleNotFoundError as error:
        raise click.UsageError("the Model Context Protocol is not installed: run pip install 'tavola[mcp]'") from error
    make_server(address or "", language).run()
