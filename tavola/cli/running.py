"""`tavola running`: the matches that an update would touch, by the rules they began with."""

import contextlib
from pathlib import Path

import click

from tavola.cli.database import database_option
from tavola.core.errors import UnknownGame, UnknownVersion
from tavola.games import load

UNREADABLE = 1
"""The exit status where there are matches that this version of Tavola cannot go on with."""


@click.command(short_help="Which matches an update would touch.")
@database_option
@click.pass_context
def command(ctx: click.Context, database: Path | str) -> None:
    """List the rooms by game and version of its rules, and whether this version of Tavola goes on with them.

    Asked of the version to come, before it serves, it says what would become of them. Exit status 1 where it has not
    the rules of one that is open. The server may run meanwhile.
    """
    from tavola.store import open_reader
    from tavola.store.running import rules_in_use

    with contextlib.closing(open_reader(database)) as reading:
        found = rules_in_use(reading)
    for rules in found:
        counted = f"{rules.open} open ({rules.by_days} by correspondence), {rules.over} over"
        click.echo(f"{rules.game}  version {rules.version}  {counted}  {fate(rules.game, rules.version)}")
    stuck = sum(rules.open for rules in found if not is_kept(rules.game, rules.version))
    total = sum(rules.open for rules in found)
    click.echo(f"{total} open, {sum(rules.by_days for rules in found)} of them by correspondence; {stuck} cannot go on")
    if stuck:
        ctx.exit(UNREADABLE)


def fate(game: str, version: int) -> str:
    """Say what becomes of matches under these rules."""
    if not is_kept(game, version):
        return "cannot be read: its rules are not here"
    return (
        "goes on"
        if load(game).version == version
        else f"goes on with its rules, kept beside version {load(game).version}"
    )


def is_kept(game: str, version: int) -> bool:
    """True where the rules are here."""
    with contextlib.suppress(UnknownGame, UnknownVersion):
        load(game, version)
        return True
    return False
