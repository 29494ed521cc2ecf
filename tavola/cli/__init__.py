"""The command line. Each command is in a module of this package, which is imported only when it is used.

A wrong command prints one line on the error stream that says what was expected, and exits with status 2.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

import tavola
from tavola.core.errors import Refusal

COMMANDS = {
    "play": "play",
    "replay": "play",
    "serve": "serve",
    "config": "serve",
    "sit": "sit",
    "mcp": "sit",
    "games": "games",
    "arena": "contests",
    "ladder": "contests",
    "simulate": "simulate",
    "check": "check",
    "new-game": "new_game",
    "new-ruleset": "new_ruleset",
    "perft": "bench",
    "bench": "bench",
    "warm": "warm",
    **dict.fromkeys(("backup", "restore", "move", "prune", "reports", "running"), "database"),
}
"""Module of each command. Its function is called `command` in a module of that name, elsewhere `NAME_command`."""
USAGE_ERROR = 2
INTERRUPTED = 130


class Commands(click.Group):
    """The commands, each imported on demand, with a common form of error messages."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            ctx.fail(f"unknown command {cmd_name[:60]!r}: expected one of {', '.join(COMMANDS)}")
        name = cmd_name.replace("-", "_")
        module = COMMANDS[cmd_name]
        function = "command" if name == module else f"{name}_command"
        found: click.Command = getattr(import_module(f"tavola.cli.{module}"), function)
        return found

    def main(self, args: Sequence[str] | None = None, *rest: Any, **more: Any) -> NoReturn:
        """Run a command and exit with its status."""
        more["standalone_mode"] = False
        try:
            status = super().main(args, *rest, **more)
        except (click.ClickException, Refusal) as error:
            message = error.format_message() if isinstance(error, click.ClickException) else str(error)
            click.echo(f"tavola: {' '.join(message.split())}", err=True)
            status = USAGE_ERROR
        except (KeyboardInterrupt, click.Abort):
            status = INTERRUPTED
        sys.exit(status if isinstance(status, int) else 0)


SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=Commands, context_settings=SETTINGS, invoke_without_command=True)
@click.version_option(tavola.__version__, prog_name="tavola")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Play board games with friends and bots, and study them."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
