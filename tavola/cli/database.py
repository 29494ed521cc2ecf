"""Commands for a database: backup, verify, restore, move, prune, reports, running.

Root runs them as the owner of the database: every file that they write is the owner's. Other users are refused.
"""

import asyncio
import contextlib
import os
import pwd
import re
import shlex
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource
from platformdirs import user_data_path

from tavola.cli.parameters import FILE
from tavola.core.errors import UnknownGame, UnknownVersion
from tavola.games import load

F = TypeVar("F", bound=Callable[..., Any])
DAY = 24 * 3600.0
MEGABYTE = 1_000_000
KEYLESS = "without a key: after a restore every visitor is a new guest"
PASSWORD = re.compile(r"(://[^:@/]*:)[^@/]+(?=@)|([?&](?:ssl)?password=)[^&]+")
"""A password in the address of a database, after the user or in the query."""


def database_option(function: F) -> F:
    """Add `--database FILE`; the command gets `database`, by default a path in the user's data folder.

    A PostgreSQL URL stays a string; on the command line, one with a password is refused.
    """

    def given(ctx: click.Context, parameter: click.Parameter, value: str | None) -> Path | str:
        from tavola.store import is_postgres_url

        if value and is_postgres_url(value):
            if ctx.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE:
                _refuse_password(parameter.opts[0], value, "TAVOLA_DATABASE or ~/.pgpass")
            return value
        path = Path(value) if value else user_data_path("tavola", ensure_exists=True) / "tavola.sqlite"
        refuse_strangers(path)
        return path

    said = "Database file, or postgresql://…; by default a file in the user's data folder."
    path = click.Path(dir_okay=False)
    return click.option("--database", type=path, callback=given, envvar="TAVOLA_DATABASE", help=said)(function)


def _refuse_password(name: str, address: str, places: str) -> None:
    if PASSWORD.search(address):
        raise click.UsageError(f"{name}: expected its password in {places}; everyone here can read command lines")


def without_password(text: str) -> str:
    """Return a text with `(set)` in place of the password of a database."""
    return PASSWORD.sub(r"\1\2(set)", text)


def refuse_strangers(database: Path) -> None:
    """Raise `WrongUser` unless the database is missing, or the user is its owner or root: others cannot share it."""
    from tavola.store import WrongUser

    try:
        found = database.stat()
    except PermissionError:
        found = _first_visible(database.absolute()).stat()
    except OSError:
        return
    if os.geteuid() not in (0, found.st_uid):
        owner = user_name(found.st_uid)
        raise WrongUser(f"{database}: expected the user {owner}, to whom it belongs, or root", owner)


def _first_visible(path: Path) -> Path:
    """Return the first folder above a path, from inside, whose owner can be seen."""
    for folder in path.parents:
        with contextlib.suppress(PermissionError):
            folder.stat()
            return folder
    return Path("/")


def user_name(number: int) -> str:
    """Return the name of a user of the system, `#` and the number for one without a name."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"#{number}"


def retention_options(function: F) -> F:
    """Add `--unfinished DAYS --waiting DAYS --largest MB`: how long rooms are kept, and the database's maximum size."""
    unfinished = click.option(
        "--unfinished", type=click.FloatRange(min=0), default=30, metavar="DAYS",
        help="How long to keep an unfinished match after its last move.",
    )  # fmt: skip
    waiting = click.option(
        "--waiting", type=click.FloatRange(min=0), default=7, metavar="DAYS",
        help="How long to keep a table without a match.",
    )  # fmt: skip
    largest = click.option(
        "--largest", type=click.IntRange(min=1), default=2000, metavar="MB",
        help="Maximum size of the database; beyond it, the oldest rooms are deleted, finished or not.",
    )  # fmt: skip
    return unfinished(waiting(largest(function)))


@click.command(short_help="Back up the database, even while it is being served.")
@click.argument("file", type=FILE)
@database_option
@click.option(
    "--keep", type=click.IntRange(min=1), metavar="N",
    help="Write to a new file, FILE-20260131-031500 with the time in UTC, and delete the oldest of these, except N.",
)  # fmt: skip
@click.option(
    "--to", "receiver", metavar="COMMAND",
    help="Program to run on the finished backup, without a shell: its last arguments are the backup and the key.",
)  # fmt: skip
@click.pass_context
def backup_command(
    ctx: click.Context, file: Path, database: Path | str, keep: int | None, receiver: str | None
) -> None:
    """Copy the database to FILE, checked and synced, and the key of the cookies to FILE.secret beside it.

    FILE is a file even if the database is on PostgreSQL. Without `--keep`, an earlier backup in FILE is replaced.

    Anyone who has the key can impersonate any user of the site: keep both where only you can read them. The exit status
    is 1 if COMMAND fails; the backup is kept.
    """
    from tavola.store import backup, backup_and_rotate

    command = _words_or_refuse(receiver)
    if keep is None:
        rooms, deleted = backup(database, file), list[Path]()
    else:
        file, rooms, deleted = backup_and_rotate(database, file, keep)
    click.echo(f"{file}: {rooms} rooms{'' if has_key(file) else f'; {KEYLESS}'}")
    for old in deleted:
        click.echo(f"{old}: deleted")
    if command and not _is_sent(command, file):
        ctx.exit(1)


def has_key(file: Path) -> bool:
    """Return whether the key of a backup is beside it."""
    from tavola.store.signing_key import signing_key_path

    return signing_key_path(file).exists()


def _words_or_refuse(receiver: str | None) -> list[str]:
    try:
        words = shlex.split(receiver or "")
    except ValueError as error:
        raise click.BadParameter(f"--to {receiver!r}: expected a command: {error}") from error
    if receiver is not None and not words:
        raise click.BadParameter("--to: expected a command")
    return words


def _is_sent(command: list[str], file: Path) -> bool:
    """Run a program on a backup; say why if it fails."""
    from tavola.store.signing_key import signing_key_path

    paths = [str(path.absolute()) for path in (file, signing_key_path(file)) if path.exists()]
    try:
        status = subprocess.run([*command, *paths], stdin=subprocess.DEVNULL, check=False).returncode  # noqa: S603
    except OSError as error:
        click.echo(f"tavola: --to {command[0]}: expected a program that can be run: {error.strerror}", err=True)
        return False
    if status:
        click.echo(f"tavola: --to {command[0]}: expected exit status 0, got {status}; {file} is kept", err=True)
    return status == 0


@click.command(short_help="Check that a backup is whole and has its key.")
@click.argument("file", metavar="BACKUP", type=FILE)
@click.pass_context
def verify_command(ctx: click.Context, file: Path) -> None:
    """Check the checksum of every event in BACKUP, and the key beside it, without changing anything.

    The exit status is 1 if the key is missing, and 2 if something is damaged.
    """
    from tavola.store import verify_backup

    found = verify_backup(file)
    writer = f", written by Tavola {found.release}" if found.release else ""
    checked = "" if found.version > 1 else "; this version has no checksums"
    click.echo(f"{file}: {found.rooms} rooms, {found.events} events, version {found.version}{writer}{checked}")
    if not found.has_key:
        click.echo(f"{file}: {KEYLESS}")
        ctx.exit(1)
    click.echo(f"{file}: its key is intact")


@click.command(short_help="Restore the database from a backup.")
@click.argument("file", type=FILE)
@database_option
def restore_command(file: Path, database: Path | str) -> None:
    """Replace the database and its key by FILE, made by `tavola backup`. The database must not be open in a server.

    FILE is checked first. The present database is kept beside it under another name; one on PostgreSQL must be empty.
    """
    from tavola.store import is_postgres_url, restore

    kept = restore(file, database)
    name = "the database" if is_postgres_url(database) else database
    click.echo(f"{name}: restored" + (f"; the previous database is now {kept}" if kept else ""))
    if not has_key(file):
        stays = not isinstance(database, Path) or has_key(database)
        lost = "the next start makes a new one, and every visitor is a new guest"
        click.echo(f"{file}: without a key: {'the database keeps the key that it has' if stays else lost}")


@click.command(short_help="Copy one database to another, each a file or PostgreSQL.")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def move_command(source: str, target: str) -> None:
    """Copy every room and the key of the cookies from FROM to TO, each a file or postgresql://user@host/database.

    TO must be empty or must not exist. Neither must be open in a server. Every event's checksum is verified, when it is
    read and after it is written, before anything appears in TO. FROM is not changed.
    """
    from tavola.store import is_postgres_url, move

    for name, text in (("FROM", source), ("TO", target)):
        _refuse_password(name, text, "~/.pgpass")
    for text in (source, target):
        if not is_postgres_url(text):
            refuse_strangers(Path(text))
    rooms = move(source, target)
    click.echo(f"{'the database' if is_postgres_url(target) else target}: {rooms} rooms")


@click.command(short_help="List or delete old rooms.")
@database_option
@retention_options
@click.option("--yes", is_flag=True, help="Delete the rooms. The database must not be open in a server.")
def prune_command(database: Path | str, unfinished: float, waiting: float, largest: int, yes: bool) -> None:
    """List rooms to delete: old unfinished matches, old tables without a match, and the oldest if there are too many.

    A running server deletes the same every hour, with the same options. This command deletes only with `--yes`, and
    then returns the space to the disk.
    """
    from tavola.store import Retention, open_exclusive, open_reader

    keeping = Retention(unfinished * DAY, waiting * DAY, largest * MEGABYTE)
    with contextlib.closing(open_reader(database)) as reading:
        found = reading.prunable_rooms(keeping, time.time())
    for old in found:
        day = time.strftime("%Y-%m-%d", time.localtime(old.line.at))
        click.echo(f"{old.line.id}  {day}  {old.line.seq:5} events  {old.why}")
    if yes:
        with contextlib.closing(open_exclusive(database)) as store:
            asyncio.run(store.delete_rooms([old.line for old in found]))
            asyncio.run(store.shrink())
    click.echo(f"{len(found)} rooms {'deleted' if yes else 'would be deleted; use --yes to delete them'}")


@click.command(short_help="List reported people and what they wrote.")
@database_option
@click.option("--most", type=click.IntRange(min=1), default=100, help="Maximum number of reports, newest first.")
def reports_command(database: Path | str, most: int) -> None:
    """List reports of people: the time, the room and the report's number, its state, the speaker, and the lines.

    The server can be running. `tavola admin done ROOM/NUMBER` marks a report as done.
    """
    from tavola.store import open_reader

    with contextlib.closing(open_reader(database)) as reading:
        found = reading.reports(most)
    for report in found:
        state = "done" if report.done else "open"
        click.echo(f"{spelled(report.at)}  {report.room}/{report.number}  {state}  {report.about}")
        for line in report.lines:
            click.echo(f"    {spelled(line.at)}  {line.name}: {line.text}")
    click.echo(f"{len(found)} reports" if len(found) != 1 else "1 report")


def spelled(at: float) -> str:
    """Return a time in seconds since 1970 as text, in local time to the minute."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


@click.command(short_help="Show which matches an update would affect.")
@database_option
@click.pass_context
def running_command(ctx: click.Context, database: Path | str) -> None:
    """Count the rooms by game and version of its rules, and show whether this version of Tavola can continue them.

    Run it with a new version before that serves the site, to see what an update would change. The exit status is 1 if
    the rules of an open match are missing. The server can be running.
    """
    from tavola.store import open_reader
    from tavola.store.reports import rules_in_use

    with contextlib.closing(open_reader(database)) as reading:
        found = rules_in_use(reading.rows)
    for rules in found:
        counted = f"{rules.open} open ({rules.by_days} by correspondence), {rules.over} over"
        click.echo(f"{rules.game}  version {rules.version}  {counted}  {fate(rules.game, rules.version)}")
    stuck = sum(rules.open for rules in found if not is_kept(rules.game, rules.version))
    total = sum(rules.open for rules in found)
    by_days = sum(rules.by_days for rules in found)
    click.echo(f"{total} open, {by_days} of them by correspondence; {stuck} cannot continue")
    if stuck:
        ctx.exit(1)


def fate(game: str, version: int) -> str:
    """Return, in words, whether matches under these rules can continue."""
    if not is_kept(game, version):
        return "cannot continue: its rules are missing"
    present = load(game).version
    return "continues" if present == version else f"continues with its own rules, kept beside version {present}"


def is_kept(game: str, version: int) -> bool:
    """Return whether this version of Tavola has the rules."""
    with contextlib.suppress(UnknownGame, UnknownVersion):
        load(game, version)
        return True
    return False
