"""`tavola install-service`: units for systemd that serve the site, restart it, and back it up every night."""

import pwd
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from tavola.cli.database import PASSWORD
from tavola.cli.parameters import file_errors
from tavola.cli.serve import command as serve
from tavola.cli.serve import names_of_checked
from tavola.web.serve.supervisor import own_command

SERVICE = """[Unit]
Description=Tavola, board games with friends and bots
Wants=network-online.target
After=network-online.target postgresql.service

[Service]
Type=exec
User={user}
Environment=TAVOLA_CONFIG={config} TAVOLA_CACHE=/var/cache/tavola
ExecStart={program} serve --database {database}
ExecReload=/bin/kill -HUP $MAINPID
Restart=always
RestartSec=2
TimeoutStopSec=45
LimitNOFILE=65536
RuntimeDirectory=tavola
MemoryMax={memory}M
{hardening}
[Install]
WantedBy=multi-user.target
"""
BACKUP = """[Unit]
Description=Backup of Tavola

[Service]
Type=oneshot
User={user}
Nice=10
ExecStart={program} backup --keep 14 --database {database} /var/lib/tavola/backups/tavola
{hardening}"""
TIMER = """[Unit]
Description=Backup of Tavola every night

[Timer]
OnCalendar=*-*-* 03:15
RandomizedDelaySec=15m
Persistent=true

[Install]
WantedBy=timers.target
"""
# Machine code is made at run time, so memory cannot be denied execution.
HARDENING = """StateDirectory=tavola tavola/backups
StateDirectoryMode=0700
CacheDirectory=tavola
UMask=0077
CapabilityBoundingSet=
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
PrivateDevices=yes
PrivateTmp=yes
PrivateUsers=yes
RemoveIPC=yes
LockPersonality=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
"""
ALONE, EACH_WORKER = 2_000, 600
"""Megabytes of memory for one process, and for each of several workers."""
SPECIAL = re.compile(r"[\s\"'\\$\x00-\x1f]")
"""Characters that separate, quote or replace words in a unit."""
HIDDEN = ("/home", "/root", "/run/user")
"""Folders that `ProtectHome` hides from the service."""


@click.command(short_help="Write units for systemd: the site, and a backup every night.")
@click.option(
    "--config", required=True, help="Settings of the site (TOML).",
    type=click.Path(exists=True, dir_okay=False, path_type=Path, resolve_path=True),
)  # fmt: skip
@click.option("--user", default="tavola", help="User of the system who runs the site.")
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), default="/etc/systemd/system",
    help="Where units are written.",
)  # fmt: skip
@click.option("--replace", is_flag=True, help="Replace units that differ.")
def install_service_command(config: Path, user: str, folder: Path, replace: bool) -> None:
    """Check the settings, and write tavola.service, tavola-backup.service and tavola-backup.timer.

    The last 14 backups are in /var/lib/tavola/backups. The program is the one that runs this command.
    """
    try:
        pwd.getpwnam(user)
    except KeyError:
        made = f"useradd --system --home /var/lib/tavola {user}"
        raise click.UsageError(f"--user {user}: expected a user of the system: {made}") from None
    units = units_of(_settings_in(config), config, user)
    with file_errors(folder, "a folder where this user can write units"):
        _write_units(units, folder, replace)
    click.echo("Start it: systemctl daemon-reload && systemctl enable --now tavola.service tavola-backup.timer")


def _write_units(units: Mapping[str, str], folder: Path, replace: bool) -> None:
    there = {name: (folder / name).read_text() for name in units if (folder / name).exists()}
    differing = [name for name, text in there.items() if text != units[name]]
    if differing and not replace:
        raise click.UsageError(f"{folder}: expected --replace, because {', '.join(differing)} would change")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in units.items():
        (folder / name).write_text(text)
        click.echo(folder / name)


def units_of(settings: Mapping[str, Any], config: Path, user: str) -> dict[str, str]:
    """Return the text of each unit by its file name, for the settings of `tavola serve`."""
    workers, database = settings["workers"], settings["database"]
    is_outside = isinstance(database, Path) and not database.is_relative_to("/var/lib/tavola")
    values = {
        "user": user,
        "config": _as_word(config),
        "program": " ".join(map(_as_word, own_command(()))),
        "database": _as_word(database),
        "memory": ALONE if workers == 1 else EACH_WORKER * (workers + 1),
        "hardening": HARDENING + (f"ReadWritePaths={_as_word(database.parent)}\n" if is_outside else ""),
    }
    texts = {"tavola.service": SERVICE, "tavola-backup.service": BACKUP, "tavola-backup.timer": TIMER}
    return {name: text.format(**values) for name, text in texts.items()}


def _settings_in(config: Path) -> dict[str, Any]:
    """Return the settings of a file, checked as `tavola serve` does, with a database that a unit can name."""
    ctx = serve.make_context("serve", ["--config", str(config)])
    names_of_checked(ctx.params)
    is_given = ctx.get_parameter_source("database") is not ParameterSource.DEFAULT
    _database_or_refuse(config, str(ctx.params["database"]) if is_given else "")
    return ctx.params


def _database_or_refuse(config: Path, database: str) -> None:
    example = 'database = "/var/lib/tavola/tavola.sqlite"'
    if PASSWORD.search(database):
        raise click.UsageError(f"{config}: expected a database without a password, because everyone can read units")
    if not database.startswith(("/", "postgresql://", "postgres://")):
        raise click.UsageError(f"{config}: expected the absolute path of a database: {example}")
    if any(Path(database).is_relative_to(folder) for folder in HIDDEN):
        raise click.UsageError(f"{config}: expected a database outside {', '.join(HIDDEN)}: {example}")


def _as_word(value: object) -> str:
    """Return a path or an address as one word of a unit, in which systemd replaces nothing."""
    text = str(value)
    if SPECIAL.search(text):
        raise click.UsageError(f"{text!r}: expected no spaces, quotes, backslashes or $, because systemd reads them")
    return text.replace("%", "%%")
