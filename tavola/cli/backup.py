"""`tavola backup FILE`: a whole copy of the database, also while it is being served."""

from pathlib import Path

import click

from tavola.cli.database import database_option


@click.command(short_help="A copy of the database, also while it is being served.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@database_option
def command(file: Path, database: Path | str) -> None:
    """Copy the database to FILE, checked and synced, and the key of the cookies to FILE.secret beside it.

    FILE is a file also where the database is on PostgreSQL.

    Who has the key can be anybody on the site: keep both where only you can read them.
    """
    from tavola.store import backup

    rooms = backup(database, file)
    click.echo(f"{file}: {rooms} rooms")
