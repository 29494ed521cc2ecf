"""The command line. Each command is in a module of this package, which is imported only when it is used.

A wrong command prints one line on the error stream that says what was expected, and exits with status 2.
"""

import os
import shlex
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import click

import tavola
from tavola.core.errors import Refusal

COMMANDS = {
    "play": "play",
    "replay": "play",
    "serve": "serve",
    "config": "serve",
    "doctor": "doctor",
    "install-service": "service",
    "admin": "admin",
    "sit": "sit",
    "mcp": "sit",
    "games": "play",
    "arena": "contests",
    "ladder": "contests",
    "simulate": "contests",
    "check": "check",
    "new-game": "new_game",
    "new-ruleset": "new_ruleset",
    "perft": "bench",
    "bench": "bench",
    "warm": "warm",
    **dict.fromkeys(("backup", "verify", "restore", "move", "prune", "reports", "running"), "database"),
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
            if user := getattr(error, "user", ""):
                given, variables = sys.argv[1:] if args is None else args, getattr(error, "variables", {})
                message += f": run {command_as(user, given, **variables)}"
            click.echo(f"tavola: {' '.join(message.split())}", err=True)
            status = USAGE_ERROR
        except (KeyboardInterrupt, click.Abort):
            status = INTERRUPTED
        sys.exit(status if isinstance(status, int) else 0)


class OtherUser(click.UsageError):
    """A command that only another `user` of the system may run, with these `variables` in its environment."""

    def __init__(self, message: str, user: str, **variables: str) -> None:
        super().__init__(message)
        self.user, self.variables = user, variables


def command_as(user: str, arguments: Sequence[str], **variables: str) -> str:
    """Return the line that runs this program as another user of the system, with more variables in its environment."""
    program = sys.argv[0] if Path(sys.argv[0]).name == "tavola" else "tavola"
    given = ("env", *(f"{name}={value}" for name, value in variables.items())) if variables else ()
    switch = "runuser" if os.geteuid() == 0 else "sudo"
    return shlex.join((switch, "-u", user, "--", *given, program, *arguments))


SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True}


@click.group(cls=Commands, context_settings=SETTINGS, invoke_without_command=True)
@click.version_option(tavola.__version__, prog_name="tavola")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Play board games with friends and bots, and study them."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
