"""`tavola serve`: run the site on this machine.

Its settings are from a file, the environment, and the command line, each over the one before it. Each is declared once,
as an option of the command. `mail-from` in the file, `TAVOLA_MAIL_FROM` in the environment and `--mail-from` on the
command line are the same one.
"""

import asyncio
import atexit
import contextlib
import ipaddress
import os
import signal
import socket
import stat
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from tavola.cli.database import DAY, MEGABYTE, PASSWORD, database_option, retention_options, without_password
from tavola.cli.parameters import FILE, file_errors, guide, print_tables
from tavola.web.requests.limits import PEOPLE, Limits, address_of, limit_text

if TYPE_CHECKING:
    from tavola.bots.outside.player import Outside
    from tavola.club.sending.mail import MailServer
    from tavola.web.requests.guard import HostNames
    from tavola.web.serve.settings import SiteSettings


SECRETS = ("mail_password", "metrics_token")
"""Settings that are never given on a command line, which every user of a machine can read, and never shown."""
NOT_SETTINGS = ("config", "listening", "place", "help", "send_to", "as_json", "check")
SOURCES = {
    ParameterSource.COMMANDLINE: "command line",
    ParameterSource.ENVIRONMENT: "environment",
    ParameterSource.DEFAULT_MAP: "file",
}
OTHERS_READ = stat.S_IRGRP | stat.S_IROTH
AUTHOR_HELP = (
    "Run GAME as plain Python, reload it after every edit, and show tracebacks on the page. Only for a local site."
)
SCENES_HELP = "Whether bots and clocks wait until an action has been shown."
BOT_HELP = "Your own bot, which hosts can seat as NAME: python:module:Class or exec:command. Only for a local site."


def read_settings(ctx: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """Use the settings of a TOML file where neither the environment nor the command line has another value.

    Raises `click.ClickException` for a file that is not TOML, has an unknown setting, or shows secrets to other users.
    """
    if path is None:
        return None
    try:
        with file_errors(path, "a file that can be read"):
            found = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise click.FileError(str(path), f"expected TOML: {error}") from error
    known = {_name_in_file(each): each for each in _settings_of(ctx.command)}
    if unknown := [name for name in found if name not in known]:
        raise click.FileError(str(path), f"expected settings out of {', '.join(known)}; found {unknown[0][:60]!r}")
    values = {str(known[name].name): _as_given(path, known[name], value) for name, value in found.items()}
    has_secret = any(name in values for name in SECRETS) or PASSWORD.search(str(values.get("database", "")))
    if has_secret and path.stat().st_mode & OTHERS_READ:
        raise click.FileError(str(path), "expected a file with a password that only its owner can read: chmod 600")
    ctx.default_map = {**(ctx.default_map or {}), **values}
    return path


def _settings_of(command: click.Command) -> list[click.Parameter]:
    return [each for each in command.params if each.name not in NOT_SETTINGS]


def _name_in_file(option: click.Parameter) -> str:
    return option.opts[0].removeprefix("--")


def _as_given(path: Path, option: click.Parameter, value: Any) -> Any:
    """Return a value of the file as the command line gives it: a table as NAME=VALUE, one text as a list of one."""
    if isinstance(value, Mapping):
        texts = {name: ",".join(map(str, each)) if isinstance(each, list) else each for name, each in value.items()}
        value = [f"{name}={text}" for name, text in texts.items()]
    if option.multiple and isinstance(value, str):
        return [value]
    if option.multiple is not isinstance(value, list):
        form = "a list of texts" if option.multiple else "one value"
        raise click.FileError(str(path), f"{_name_in_file(option)}: expected {form}")
    return list(map(str, value)) if option.multiple else value


def refuse_on_command_line(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Return the value of a secret setting; refuse one on the command line."""
    name = str(parameter.name)
    if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
        places = f"as TAVOLA_{name.upper()} or in a settings file"
        raise click.UsageError(f"{parameter.opts[0]}: expected it {places}; everyone here can read command lines")
    return value


def settings_table(ctx: click.Context) -> list[tuple[str, str, str]]:
    """Return name, value and source of each setting in force."""
    table = []
    for each in _settings_of(ctx.command):
        source = ctx.get_parameter_source(str(each.name))
        shown = _shown(each, ctx.params[str(each.name)])
        table.append((_name_in_file(each), shown, SOURCES.get(source, "default") if source else "default"))
    return table


def _shown(option: click.Parameter, value: Any) -> str:
    if value is None or value == ():
        return ""
    if option.name in SECRETS:
        return "(set)"
    text = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return without_password(text)


@click.command(
    short_help="Serve the site from this machine.",
    epilog=f"To put the site on the internet, see {guide('hosting')}; for several workers, {guide('workers')}",
    context_settings={"auto_envvar_prefix": "TAVOLA"},
)
@click.option(
    "--config", type=FILE, is_eager=True, expose_value=False, callback=read_settings,
    help="File with settings (TOML). TAVOLA_NAME in the environment and --name on the command line have precedence.",
)  # fmt: skip
@click.option(
    "--host", default="127.0.0.1",
    help="Address to listen on: 0.0.0.0 for all, unix:/run/tavola/tavola.sock for a proxy on this machine.",
)  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="Port to listen on; 0 picks a free port.")
@click.option(
    "--public", multiple=True, metavar="ADDRESS",
    help="Public address of the site: https://play.example, or https://play.example/games for a site below a path."
    " Without it, only localhost or its IP address works.",
)  # fmt: skip
@click.option(
    "--proxy", multiple=True, metavar="ADDRESS",
    help="Network address of a reverse proxy whose forwarded headers are trusted.",
)  # fmt: skip
@click.option(
    "--people", type=click.IntRange(1, 100_000), default=PEOPLE, metavar="N",
    help="People who can play at one address, such as that of a club or a school: its limits are made for them.",
)  # fmt: skip
@click.option(
    "--limit", multiple=True, metavar="NAME=VALUE",
    help="Another value of a limit: sockets=20, or rooms=0.5,30 for 0.5 a second and 30 at once.",
)  # fmt: skip
@database_option
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, metavar="N",
    help="Number of processes; several need PostgreSQL. SIGHUP replaces them one by one while matches run.",
)  # fmt: skip
@click.option("--listening", type=int, hidden=True, help="Descriptor of the socket that workers share.")
@click.option("--place", type=FILE, hidden=True, help="Path of the socket where a worker receives connections.")
@click.option("--scenes/--no-scenes", default=True, show_default=False, help=SCENES_HELP)
@click.option("--author", metavar="GAME", help=AUTHOR_HELP)
@click.option("--bot", multiple=True, metavar="NAME=BOT", help=BOT_HELP)
@click.option(
    "--mail", metavar="SERVER",
    help="Server for e-mails: smtp://user@mail.example:587 or smtps://…; password in TAVOLA_MAIL_PASSWORD.",
)  # fmt: skip
@click.option("--mail-from", metavar="ADDRESS", help="Sender address of the e-mails.")
@click.option(
    "--mail-ca", type=FILE, metavar="FILE",
    help="Certificate of the mail server's authority, if this machine does not know it.",
)  # fmt: skip
@click.option("--invite", is_flag=True, help="Let only people with an account or an invitation play.")
@click.option("--contact", type=FILE, metavar="FILE", help="Your name and address, in Markdown.")
@click.option("--privacy", type=FILE, metavar="FILE", help="What you do with personal data, in Markdown.")
@click.option("--terms", type=FILE, metavar="FILE", help="Terms of use, in Markdown.")
@click.option("--log-format", type=click.Choice(("text", "json")), default="text", help="Form of the log.")
@click.option(
    "--log-level", type=click.Choice(("warning", "info", "debug")), default="warning",
    help="What is logged: info adds that the site has started or compiled a game, debug each request.",
)  # fmt: skip
@click.option("--mail-password", hidden=True, callback=refuse_on_command_line)
@click.option("--metrics-token", hidden=True, callback=refuse_on_command_line)
@retention_options
def command(
    host: str, port: int, database: Path | str, workers: int, listening: int | None, author: str | None, **more: Any
) -> None:
    """Serve the site until interrupted, and print its address as soon as it can be opened.

    Games that are not compiled yet can be played while they are being compiled. Matches are stored in one file, by
    default in the user's data folder.
    """
    from tavola.web.serve.logs import configure_logging

    names = names_of_checked({"host": host, "author": author, "workers": workers, "database": database, **more})
    configure_logging(more["log_format"], more["log_level"])
    if listening is None:
        _listen_or_refuse(host, port)
    engine = _open_or_refuse(database) if listening is None else ""
    if workers > 1 and listening is None:
        _serve_workers(host, port, workers, f"Database: {engine}, for {workers} workers")
    elif author is not None and listening is None:
        _serve_an_author(host, port, author, database)
    else:
        here = {"database": database, "host": host, "port": port, "names": names, "proxies": more["proxy"]}
        settings = _site_settings(more, **here, author=author is not None)
        kept = f"Database: {engine}, {without_password(str(database))}"
        _serve_site(_shared(settings, listening, more["place"], workers), kept)


@click.command(
    short_help="Print the settings of `tavola serve`.",
    params=[*command.params],
    context_settings=command.context_settings,
)
@click.option("--check", is_flag=True, help="Check the settings, and print nothing if they can be used.")
@click.pass_context
def config_command(ctx: click.Context, /, check: bool, **options: Any) -> None:
    """Check the settings, and print those in force, with the limits that follow from them.

    A setting is from the command line, the environment (TAVOLA_NAME), the file given by --config, or the default. The
    exit status is 2 if a setting is refused.
    """
    from rich.table import Table

    names_of_checked(options)
    if check:
        return
    settings = Table("setting", "value", "from", box=None)
    for row in settings_table(ctx):
        settings.add_row(*row)
    limits = Table("limit", "value", "usual value", box=None)
    for name, value in vars(limits_or_refuse(options)).items():
        limits.add_row(name, limit_text(value), limit_text(getattr(Limits(), name)))
    print_tables([settings, limits])


def names_of_checked(options: Mapping[str, Any]) -> "HostNames":
    """Return the host names of the site after a check of all settings that need no other check."""
    names = _names_or_refuse(options["public"], options["host"])
    is_forwarded = bool(options["proxy"]) or options["host"].startswith("unix:")
    _proxies_or_refuse(options["proxy"])
    _workers_or_refuse(options["workers"], options["database"])
    for asked, risk in ((options["bot"], "--bot runs programs"), (options["author"], "--author shows tracebacks")):
        if asked and (not names.is_local or is_forwarded):
            raise click.UsageError(f"{risk}: expected a local site, without --public, --proxy or a Unix socket")
    _read_bots(options["bot"])
    mail_or_refuse(options, names)
    _texts_or_refuse(options)
    limits_or_refuse(options)
    return names


def _texts_or_refuse(options: Mapping[str, Any]) -> dict[str, str]:
    """Return the operator's own texts by name, those that are given."""
    from tavola.web.site_words import TEXT_TITLES

    texts = {}
    for name in TEXT_TITLES:
        if (path := options[name]) is not None:
            try:
                texts[name] = path.read_text("utf-8")
            except (OSError, UnicodeDecodeError) as error:
                reason = getattr(error, "strerror", None) or "expected UTF-8"
                raise click.BadParameter(f"--{name} {path}: expected a text that can be read: {reason}") from error
    return texts


def limits_or_refuse(options: Mapping[str, Any]) -> Limits:
    """Return the limits that follow from the settings."""
    try:
        return Limits().for_people(options["people"]).with_changes(options["limit"])
    except ValueError as error:
        raise click.BadParameter(f"--limit {error}") from error


def _site_settings(options: Mapping[str, Any], **given: Any) -> "SiteSettings":
    from tavola.cli.warm import FOR_ROOMS, compile_in_background, uncompiled_games
    from tavola.live import HubSettings
    from tavola.live.settings import READING
    from tavola.store import Retention
    from tavola.web.serve.settings import MailSettings, SiteSettings

    scenes, outside = options["scenes"], _read_bots(options["bot"])
    retention = Retention(options["unfinished"] * DAY, options["waiting"] * DAY, options["largest"] * MEGABYTE)
    return SiteSettings(
        **given,
        hub=HubSettings(scenes=scenes, reading=READING if scenes else 0.0, retention=retention, outside=outside),
        mail=MailSettings(mail_or_refuse(options, given["names"])),
        limits=limits_or_refuse(options),
        texts=_texts_or_refuse(options),
        by_invitation=options["invite"],
        metrics_token=options["metrics_token"] or "",
        log_format=options["log_format"],
        log_level=options["log_level"],
        missing=tuple(uncompiled_games(FOR_ROOMS)),
        compile_game=compile_in_background,
        compilers=os.cpu_count() or 1,
    )


def _read_bots(bots: tuple[str, ...]) -> "dict[str, Outside]":
    from tavola.bots.outside.player import Outside
    from tavola.live.settings import is_bot_name

    read = {}
    for text in bots:
        name, equals, bot = text.partition("=")
        if not equals or not is_bot_name(name):
            expected = "NAME=BOT, such as mine=exec:./bot; NAME has lowercase letters, digits or -, and is not a level"
            raise click.BadParameter(f"--bot {text[:60]!r}: expected {expected}")
        read[name] = Outside.parse(bot)
    return read


def _shared(settings: "SiteSettings", listening: int | None, place: Path | None, workers: int) -> "SiteSettings":
    from tavola.web.serve.affinity import AffinityRouter

    if listening is None:
        return settings
    affinity = None if place is None else AffinityRouter(place, workers)
    return replace(settings, listening=socket.socket(fileno=listening), affinity=affinity)


def _serve_site(settings: "SiteSettings", kept: str) -> None:
    """Serve, and print the address and the database; a worker prints that it is ready, for its supervisor."""
    from tavola.web.serve.server import serve
    from tavola.web.serve.supervisor import READY, own_command

    making = f"\nCompiling in the background, to run faster: {', '.join(settings.missing)}" if settings.missing else ""

    def said(address: str) -> str:
        return READY if settings.listening is not None else f"Tavola is running: {address}\n{kept}{making}"

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # end as with Ctrl-C, so that started programs end too
    restarts = _restart_on_hangup() if settings.listening is None and not sys.stdin.isatty() else []
    try:
        serve(settings, lambda address: click.echo(said(address)))
    except KeyboardInterrupt:
        click.echo("")
    if restarts:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # until the new program handles it
        atexit._run_exitfuncs()  # exec skips them
        command = own_command(sys.argv[1:])
        os.execv(command[0], command)  # noqa: S606


def _restart_on_hangup() -> list[int]:
    """End on SIGHUP as on SIGTERM; return a list that is then no longer empty. Without a terminal, it means: reload."""
    received: list[int] = []

    def restart(number: int, frame: object) -> None:
        received.append(number)
        os.kill(os.getpid(), signal.SIGTERM)

    signal.signal(signal.SIGHUP, restart)
    return received


def _names_or_refuse(public: tuple[str, ...], host: str) -> "HostNames":
    """Return the host names of the site; without `--public`, it is reached by its IP address from other machines."""
    from tavola.web.requests.guard import HostNames
    from tavola.web.serve.listening import unix_path

    try:
        address = address_of(host)
        is_here = unix_path(host) is not None or host == "localhost" or bool(address and address.is_loopback)
    except ValueError as error:
        raise click.BadParameter(f"--host {host[:200]}: {error}") from error
    try:
        return HostNames.parse(public, beyond_this_machine=not is_here)
    except ValueError as error:
        raise click.BadParameter(f"--public {' '.join(public)[:200]}: {error}") from error


def mail_or_refuse(options: Mapping[str, Any], names: "HostNames") -> "MailServer | None":
    """Return the mail server; refuse one without `--public`, because links in e-mails could lead to a forged host."""
    from tavola.club.sending.mail import MailServer, clean_address
    from tavola.core import Refusal

    server, sender = options["mail"], options["mail_from"]
    if server is None and sender is None:
        return None
    if server is None or sender is None:
        raise click.UsageError("expected --mail and --mail-from together")
    if not names.hosts:
        raise click.UsageError("--mail: expected --public with the site's address, because e-mails link to it")
    try:
        return MailServer.parse(server, clean_address(sender), options["mail_password"] or "", options["mail_ca"])
    except Refusal as refusal:
        raise click.BadParameter(f"--mail {server[:100]} --mail-from {sender[:100]}: {refusal}") from refusal


def _proxies_or_refuse(proxies: tuple[str, ...]) -> None:
    for proxy in proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError as error:
            raise click.BadParameter(f"--proxy {proxy[:60]}: expected a network address such as 127.0.0.1") from error


def _workers_or_refuse(workers: int, database: Path | str) -> None:
    from tavola.store import is_postgres_url

    if workers > 1 and not is_postgres_url(database):
        raise click.UsageError(
            f"--workers {workers}: expected --database postgresql://…; a file allows only one worker"
        )


def _listen_or_refuse(host: str, port: int) -> None:
    """Refuse an unusable address now, not only after everything has been compiled."""
    from tavola.web.serve.listening import UNIX, listening_socket

    try:
        with listening_socket(host, port):
            return
    except OSError as error:
        reason = (error.strerror or str(error) or "no such address").lower()
        shown = host if host.startswith(UNIX) else f"{host} port {port}"
        raise click.UsageError(f"{shown}: expected an address that is free to listen on, {reason}") from error


def _serve_workers(host: str, port: int, workers: int, kept: str) -> None:
    """Listen once, and let workers serve on the socket; each worker runs this command again."""
    from tavola.web.serve.listening import listening_socket, site_url
    from tavola.web.serve.supervisor import Supervisor, own_command

    with listening_socket(host, port) as listening, tempfile.TemporaryDirectory(prefix="tavola-") as places:
        address = site_url(listening.getsockname())
        crew = Supervisor(workers, own_command(sys.argv[1:]), listening.fileno(), Path(places))
        if not asyncio.run(crew.serve(lambda: click.echo(f"Tavola is running: {address}\n{kept}"))):
            raise click.ClickException("expected workers that start: the first one ended at once; see its error above")


def _serve_an_author(host: str, port: int, game: str, database: Path | str) -> None:
    """Listen, and run this command again after every edit. The game is not loaded here, because it may be broken."""
    from tavola.core.registry import game_folder
    from tavola.web.serve.authoring import serve_with_reload
    from tavola.web.serve.listening import listening_socket, site_url

    with listening_socket(host, port) as listening:
        address = site_url(listening.getsockname())
        kept = f"Database: {without_password(str(database))}"
        click.echo(f"Tavola is running: {address}\n{game} is reloaded after every edit\n{kept}")
        serve_with_reload(sys.argv[1:], listening.fileno(), game_folder(game))


def _open_or_refuse(database: Path | str) -> str:
    """Return the backend of the database; refuse one that cannot be opened, or whose key is damaged."""
    from tavola.store import open_store

    if isinstance(database, Path):
        with file_errors(database, "a folder that can be created"):
            database.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(open_store(database)) as store:
        store.signing_key()
        return store.backend
