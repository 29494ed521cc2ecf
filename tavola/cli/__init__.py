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

COMMANDS = (
    "play",
    "replay",
    "serve",
    "sit",
    "mcp",
    "games",
    "arena",
    "ladder",
    "simulate",
    "check",
    "new-game",
    "new-ruleset",
    "perft",
    "bench",
    "warm",
    "backup",
    "restore",
    "move",
    "prune",
    "reports",
    "running",
)
SHARED_MODULES = {
    "replay": "play",
    "mcp": "sit",
    "arena": "contests",
    "ladder": "contests",
    "perft": "bench",
    **dict.fromkeys(("backup", "restore", "move", "prune", "reports", "running"), "database"),
}
"""Module of each command that has none of its own; its function is called `NAME_command`."""
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
        module = import_module(f"tavola.cli.{SHARED_MODULES.get(name, name)}")
        found: click.Command = getattr(module, f"{name}_command" if name in SHARED_MODULES else "command")
        return found

    def main(self, args: Sequence[str] | None = None, *rest: Any, **more: Any) -> NoReturn:
        """Run a command and exit with its status."""
        more["standalone_mode"] = False
        try:
            status = super().main(args, *rest, **more)
        except click.ClickException as error:
            status = complain(error.format_message())
        except Refusal as refusal:
            status = complain(str(refusal))
        except (KeyboardInterrupt, click.Abort):
            status = INTERRUPTED
        sys.exit(status if isinstance(status, int) else 0)


def complain(message: str) -> int:
    """Print an error in one line; return the exit status."""
    click.echo(f"tavola: {' '.join(message.split())}", err=True)
    return USAGE_ERROR


SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=Commands, context_settings=SETTINGS, invoke_without_command=True)
@click.version_option(tavola.__version__, prog_name="tavola")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Play board games with friends and bots, and study them."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
