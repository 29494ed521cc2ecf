"""`tavola move FROM TO`: everything from one database into another."""

from pathlib import Path

import click


@click.command(short_help="Everything from one database into another, a file or PostgreSQL.")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def command(source: str, target: str) -> None:
    """Copy every room and the key of the cookies from FROM to TO, each a file or postgresql://user@host/database.

    TO must be empty or not be there yet. No server may have either of them open. Every event's checksum is checked, as
    it is read and where it was written, before anything is in TO; FROM stays as it is.
    """
    from tavola.store import is_postgres_url, move

    rooms = move(*(text if is_postgres_url(text) else Path(text) for text in (source, target)))
    click.echo(f"{'the database' if is_postgres_url(target) else target}: {rooms} rooms")
