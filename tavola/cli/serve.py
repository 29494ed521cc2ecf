"""`tavola serve`: the pages and the rooms, on this machine."""

import socket
from pathlib import Path

import click
from platformdirs import user_data_path


@click.command(short_help="The pages and the rooms, on this machine.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for all.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@click.option("--database", type=click.Path(dir_okay=False), help="The file that keeps the matches.")
def command(host: str, port: int, database: str | None) -> None:
    """Serve the site until interrupted, and print its address as soon as it can be opened.

    Matches are kept in one file, in the user's data folder unless told.
    """
    from tavola.cli.warm import cold, with_progress
    from tavola.store import ENGINE
    from tavola.web.server import serve

    path = Path(database) if database else user_data_path("tavola", ensure_exists=True) / "tavola.sqlite"
    _listen_or_refuse(host, port)
    _open_or_refuse(path)
    missing = cold()
    if missing:
        with_progress(missing)
    try:
        serve(host, port, path, ready=lambda address: click.echo(f"Tavola is open: {address}\n{ENGINE} keeps {path}"))
    except KeyboardInterrupt:
        click.echo("")


def _listen_or_refuse(host: str, port: int) -> None:
    """Refuse at once what the server would only find out when everything is compiled."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(address)
    except OSError as error:
        reason = (error.strerror or "no such address").lower()
        raise click.UsageError(
            f"{host} port {port}: expected an address that is free to listen on, {reason}"
        ) from error


def _open_or_refuse(path: Path) -> None:
    from tavola.store import Store

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.FileError(str(path), f"expected a folder that can be made, {error.strerror}") from error
    Store.open(path).close()
