"""`tavola reports`: the persons whom people have reported, and the lines these had written."""

import contextlib
import time
from pathlib import Path

import click

from tavola.cli.database import database_option


@click.command(short_help="Whom people have reported, and what he had written.")
@database_option
@click.option("--most", type=click.IntRange(min=1), default=100, show_default=True, help="So many, the newest first.")
def command(database: Path | str, most: int) -> None:
    """List what people have reported: whom, in which room, when, and the lines. The server may run meanwhile."""
    from tavola.store import open_reader

    with contextlib.closing(open_reader(database)) as reading:
        found = reading.reports(most)
    for report in found:
        click.echo(f"{spelled(report.at)}  room {report.room}  {report.about}")
        for line in report.lines:
            click.echo(f"    {spelled(line.at)}  {line.name}: {line.text}")
    click.echo(f"{len(found)} reports" if len(found) != 1 else "1 report")


def spelled(at: float) -> str:
    """Return a time in seconds since 1970 as local time, to the minute."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
