"""`tavola sit ADDRESS BOT`: a bot of one's own sits down in a room, by the address that its host has made."""

from typing import TYPE_CHECKING, Any

import click

from tavola.cli.parameters import guide

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

    from tavola.bots.outside.programs import Program

ANSWER_WITHIN = 3600.0
"""Seconds for a decision: the room's own patience ends earlier, unless it waits for ever."""


@click.command(
    short_help="A bot of your own in somebody's room.", epilog=f"How a bot of your own plays: {guide('programs')}"
)
@click.argument("address")
@click.argument("bot")
def command(address: str, bot: str) -> None:
    """Let BOT, `python:module:Class` or `exec:command`, play one match in the room at ADDRESS.

    The host of the room makes the address, `ws://…/r/CODE/socket?form=json&token=…`. The bot runs here.
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
    """Sit down, answer what is asked, and return how it ended."""
    import msgspec

    socket.send('{"type":"join","command_id":"sit"}')
    asked, happened = None, []
    for text in socket:
        message: dict[str, Any] = msgspec.json.decode(text)
        if message["type"] == "echo":
            socket.send(text)
        elif message["type"] == "refused":
            click.echo(f"refused: {message['message']}", err=True)
            if message["command_id"] == "sit":
                raise click.ClickException(message["message"])
        elif message["type"] == "state":
            happened += message["happened"]
            if message["phase"] == "over":
                return f"over: {message['result']}"
            if message["prompt_id"] is not None and message["prompt_id"] != asked:
                asked = message["prompt_id"]
                line = program.ask(msgspec.json.encode({**message, "happened": happened}), ANSWER_WITHIN)
                happened = []
                answer = {"command_id": f"p{asked}", **msgspec.json.decode(line)}
                socket.send(msgspec.json.encode(answer).decode())
    return "the room has closed the connection"
