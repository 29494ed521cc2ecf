"""`tavola restore FILE`: a backup takes the database's place."""

from pathlib import Path

import click

from tavola.cli.database import database_option


@click.command(short_help="Put a backup in the database's place.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@database_option
def command(file: Path, database: Path | str) -> None:
    """Put FILE, made by `tavola backup`, in the database's place, and its key with it. No server may have it open.

    FILE is checked first. The present database is kept beside under another name; one on PostgreSQL must be empty.
    """
    from tavola.store import is_postgres_url, restore

    kept = restore(file, database)
    name = "the database" if is_postgres_url(database) else database
    click.echo(f"{name}: restored" + (f"; what was there is now {kept}" if kept else ""))
