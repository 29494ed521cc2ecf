"""`tavola prune`: what the database need not keep for ever."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tavola.cli.database import database_option

if TYPE_CHECKING:
    from tavola.store import PrunableRoom

F = TypeVar("F", bound=Callable[..., Any])
DAY = 24 * 3600.0
MEGABYTE = 1_000_000


def retention_options(function: F) -> F:
    """Add `--unfinished DAYS --waiting DAYS --largest MB`: how long rooms are kept, how large the database may grow."""
    unfinished = click.option(
        "--unfinished", type=click.FloatRange(min=0), default=30, show_default=True, metavar="DAYS",
        help="How long a match that nobody goes on with is kept.",
    )  # fmt: skip
    waiting = click.option(
        "--waiting", type=click.FloatRange(min=0), default=7, show_default=True, metavar="DAYS",
        help="How long a table is kept where no match has begun.",
    )  # fmt: skip
    largest = click.option(
        "--largest", type=click.IntRange(min=1), default=2000, show_default=True, metavar="MB",
        help="How large the database may grow: beyond it the oldest rooms go, finished or not.",
    )  # fmt: skip
    return unfinished(waiting(largest(function)))


@click.command(short_help="What the database need not keep for ever.")
@database_option
@retention_options
@click.option("--yes", is_flag=True, help="Delete it. No server may have the database open.")
def command(database: Path | str, unfinished: float, waiting: float, largest: int, yes: bool) -> None:
    """Say what would be deleted: matches nobody finished, tables where none began, what is too much.

    A running server does the same by itself, every hour, with the same options. Only `--yes` deletes, and gives the
    space back to the disk.
    """
    from tavola.store import Retention, open_reader

    keeping = Retention(unfinished * DAY, waiting * DAY, largest * MEGABYTE)
    with contextlib.closing(open_reader(database)) as reading:
        found = reading.prunable_rooms(keeping, time.time())
    for old in found:
        day = time.strftime("%Y-%m-%d", time.localtime(old.line.at))
        click.echo(f"{old.line.id}  {day}  {old.line.seq:5} events  {old.why}")
    if yes:
        _delete(database, found)
    click.echo(f"{len(found)} rooms {'deleted' if yes else 'would be deleted: --yes deletes them'}")


def _delete(database: Path | str, found: "Sequence[PrunableRoom]") -> None:
    from tavola.store import open_exclusive

    with contextlib.closing(open_exclusive(database)) as store:
        asyncio.run(store.delete_rooms([old.line for old in found]))
        asyncio.run(store.shrink())
