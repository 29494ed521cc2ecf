"""`tavola serve`: the pages and the rooms, on this machine."""

import contextlib
import ipaddress
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tavola.cli.kept import database_option
from tavola.cli.prune import DAY, MEGABYTE, keeping_options

if TYPE_CHECKING:
    from tavola.web.guard import Names


@click.command(short_help="The pages and the rooms, on this machine.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for all.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@click.option(
    "--public", multiple=True, metavar="ADDRESS",
    help="What people type: https://play.example. Needed unless the site listens on this machine alone.",
)  # fmt: skip
@click.option(
    "--proxy", "proxies", multiple=True, metavar="ADDRESS",
    help="A proxy that may say for whom it asks: its own network address. Nobody else is believed.",
)  # fmt: skip
@database_option
@click.option("--scenes/--no-scenes", default=True, help="Whether everybody waits until what was played was shown.")
@keeping_options
def command(
    host: str,
    port: int,
    public: tuple[str, ...],
    proxies: tuple[str, ...],
    database: Path,
    unfinished: float,
    waiting: float,
    largest: int,
    scenes: bool,
) -> None:
    """Serve the site until interrupted, and print its address as soon as it can be opened.

    Games that have not been compiled yet are compiled meanwhile. Matches are kept in one file, in the user's data
    folder unless told. docs/hosting.md tells how a site is put on the internet.
    """
    from tavola.cli.warm import cold, compile_beside
    from tavola.store import Keeping
    from tavola.web.server import serve

    _listen_or_refuse(host, port)
    names = _names_or_refuse(public, host)
    _proxies_or_refuse(proxies)
    engine = _open_or_refuse(database)
    missing = cold()
    making = f"\nMade ready meanwhile, once: {', '.join(missing)}" if missing else ""
    try:
        serve(
            host,
            port,
            database,
            ready=lambda address: click.echo(f"Tavola is open: {address}\n{engine} keeps {database}{making}"),
            names=names,
            proxies=proxies,
            keeping=Keeping(unfinished * DAY, waiting * DAY, largest * MEGABYTE),
            scenes=scenes,
            missing=missing,
            compile_game=compile_beside,
            compilers=os.cpu_count() or 1,
        )
    except KeyboardInterrupt:
        click.echo("")


def _names_or_refuse(public: tuple[str, ...], host: str) -> "Names":
    """What the site is called. Who can be reached from elsewhere must know it: other names are somebody's trick."""
    from tavola.web.guard import Names

    try:
        names = Names.of(public)
    except ValueError as error:
        raise click.BadParameter(f"--public {' '.join(public)[:200]}: {error}") from error
    if not names.hosts and not _is_loopback(host):
        raise click.UsageError(f"--host {host}: expected --public with what people type, such as https://play.example")
    return names


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _proxies_or_refuse(proxies: tuple[str, ...]) -> None:
    for proxy in proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError as error:
            raise click.BadParameter(f"--proxy {proxy[:60]}: expected a network address such as 127.0.0.1") from error


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


def _open_or_refuse(path: Path) -> str:
    """Which program keeps the database."""
    from tavola.store import open_store

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.FileError(str(path), f"expected a folder that can be made, {error.strerror}") from error
    with contextlib.closing(open_store(path)) as store:
        return store.engine
