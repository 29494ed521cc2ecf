"""`tavola mcp`: language models sit down, over the Model Context Protocol on standard input and output."""

import click

from tavola.cli.parameters import guide, language_option


@click.command(
    short_help="A seat for a language model (Model Context Protocol).",
    epilog=f"How it is set up, and what a model can do: {guide('programs')}",
)
@click.option("--room", "address", default="", metavar="ADDRESS", help="A seat in somebody's room, by its address.")
@language_option
def command(address: str, language: str) -> None:
    """Serve the Model Context Protocol on standard input and output, for one model.

    It plays against bots in this process, or in the room whose host has made ADDRESS for it.
    """
    try:
        from tavola.mcp.server import make_server
    except ModuleNotFoundError as error:
        raise click.UsageError("the Model Context Protocol is not installed: pip install 'tavola[mcp]'") from error
    make_server(address, language).run()
