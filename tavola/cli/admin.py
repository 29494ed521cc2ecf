"""`tavola admin`: administer a site. Without a subcommand it prints a link to the administration page.

The key of the database is what makes someone an administrator. The subcommands send forms of that page to the running
site, because only the server may write to a database file.
"""

import copy
import http.client
import json
import socket
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import click

from tavola.cli.serve import command as serve_command
from tavola.cli.serve import names_of_checked

SHOWN = ("config", "host", "port", "public", "database")
"""Settings of `tavola serve` that matter here; the others may be in the same file."""
PATIENCE = 60.0
"""Maximum seconds for the answer of the site."""
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared, not listened on
"""Where to reach a site that listens on all addresses."""


def _settings() -> list[click.Parameter]:
    """Return the options of `tavola serve`, as they can be given before a subcommand."""
    known = [copy.copy(each) for each in serve_command.params]
    for each in known:
        if isinstance(each, click.Option) and each.name not in SHOWN:
            each.hidden = True
    return known


@click.group(
    short_help="Administer a site: reports, bans, rooms.",
    params=_settings(),
    invoke_without_command=True,
    context_settings=serve_command.context_settings,
)
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Print a link to the administration page, valid once and for 15 minutes; or run one of the commands.

    A person is ROOM/NAME, by a room and the name that they have there, or the name of their account. Give the same
    settings as to `tavola serve`. For the commands the site must be running. `tavola reports` lists the reports.
    """
    ctx.obj = _Site(options)
    if ctx.invoked_subcommand is None:
        click.echo(ctx.obj.link())


class _Site:
    """The site with these settings."""

    def __init__(self, options: dict[str, Any]) -> None:
        from tavola.web.requests.visitor import Visitors
        from tavola.web.serve.listening import unix_path

        self._host, self._port = EVERYWHERE.get(options["host"], options["host"]), options["port"]
        self._unix = unix_path(self._host)
        self._home = names_of_checked(options).home
        self._address = self._home or f"http://localhost:{self._port}"
        self._visitors = Visitors(_key_or_refuse(options["database"]), (), "")

    def link(self) -> str:
        from tavola.web.requests.visitor import ENTRANCE

        return f"{self._address}/admin/enter/{self._visitors.new_token(ENTRANCE)}"

    def invitation(self) -> str:
        return f"{self._address}/invited/{self._visitors.new_token('invitation', 8)}"

    def send(self, act: str, **fields: str) -> None:
        """Send a form of the administration page; raise `click.ClickException` if the site refuses it."""
        headers = {
            "Host": self._home.partition("//")[2] or f"localhost:{self._port}",
            "Cookie": f"{self._visitors.administrator_cookie}={self._visitors.new_token('administrator')}",
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/json",
            "Accept-Language": "en",
        }
        try:
            with closing(http.client.HTTPConnection(self._host, self._port, timeout=PATIENCE)) as connection:
                if self._unix is not None:
                    connection.sock = socket.socket(socket.AF_UNIX)
                    connection.sock.settimeout(PATIENCE)
                    connection.sock.connect(str(self._unix))
                connection.request("POST", f"/admin/{act}", urlencode(fields), headers)
                answer = connection.getresponse()
                text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            place = self._host if self._unix else f"{self._host} port {self._port}"
            raise click.ClickException(f"{place}: expected the running site, {error or 'no answer'}") from error
        if answer.status >= http.client.BAD_REQUEST:
            raise click.ClickException(_sentence(text) or f"expected an answer, got status {answer.status}")


def _key_or_refuse(database: Path | str) -> bytes:
    from tavola.store import stored_key

    if isinstance(database, Path) and not database.exists():
        cure = "give the site's --config or --database, or start the site first"
        raise click.UsageError(f"{database}: expected a Tavola database, found none: {cure}")
    return stored_key(database)


def _sentence(text: bytes) -> str:
    try:
        return str(json.loads(text)["sentence"])
    except (ValueError, KeyError, TypeError):
        return ""


@command.command("done")
@click.argument("report", metavar="ROOM/NUMBER")
@click.option("--reopen", is_flag=True, help="Mark it as open again.")
@click.pass_obj
def done_command(site: _Site, report: str, reopen: bool) -> None:
    """Mark a report as done; `tavola reports` shows its room and number."""
    site.send("reopen" if reopen else "done", report=report)


@command.command("ban")
@click.argument("who", metavar="PERSON|NETWORK")
@click.option("--until", required=True, metavar="DAY", help="The day on which they are readmitted: 2030-12-31, in UTC.")
@click.option("--address", is_flag=True, help="Also exclude the address at which the person took their seat.")
@click.pass_obj
def ban_command(site: _Site, who: str, until: str, address: bool) -> None:
    """Exclude a person, or a network such as 203.0.113.0/24, until a day. Bots play on for them."""
    site.send("ban", who=who, until=until, **({"address": "yes"} if address else {}))


@command.command("announce")
@click.argument("words", default="")
@click.option("--until", metavar="TIME", help="When it ends, in UTC: 2030-12-31 or 2030-12-31T22:00.")
@click.pass_obj
def announce_command(site: _Site, words: str, until: str | None) -> None:
    """Show WORDS on every page, at the tables too; without WORDS, show nothing any more."""
    site.send("announce", words=words, until=until or "")


@command.command("drain")
@click.argument("until", metavar="TIME", default="")
@click.pass_obj
def drain_command(site: _Site, until: str) -> None:
    """Let no match begin until TIME, before a restart; running ones go on. Without TIME, let matches begin again.

    TIME is in UTC: 2030-12-31T22:00. Pages show it in English as 31 Dec 2030, 22:00 UTC.
    """
    site.send("drain", until=until)


@command.command("invitation")
@click.pass_obj
def invitation_command(site: _Site) -> None:
    """Print an invitation to a site with `--invite`: a link that anyone can open for 30 days, and pass on."""
    click.echo(site.invitation())


def _add_act(act: str, fields: Mapping[str, str], said: str) -> None:
    params: list[click.Parameter] = [click.Argument([field], metavar=shown) for field, shown in fields.items()]

    @command.command(act, help=said, params=params)
    @click.pass_obj
    def send(site: _Site, /, **given: str) -> None:
        site.send(act, **given)


_add_act(
    "close",
    {"room": "ROOM"},
    "Close a room: its match ends without a result, and only administrators can still open it.",
)
_add_act("rename", {"who": "PERSON", "name": "NAME"}, "Give a person another name, in rooms and for their account.")
_add_act(
    "forget", {"who": "PERSON"}, "Delete a person's account, or everything of a guest. Their moves stay, anonymous."
)
_add_act("unban", {"who": "PERSON|NETWORK"}, "Readmit a person or network that was excluded under this name.")
