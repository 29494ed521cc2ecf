"""The settings of a site: one frozen object, from the command to the server."""

import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tavola.club.notices import PAUSE
from tavola.club.sending.mail import MailServer
from tavola.club.sending.outbox import TAKEN_FOR
from tavola.club.sending.reach import Reach
from tavola.live import HubSettings
from tavola.live.readiness import Compile
from tavola.web.requests.guard import HostNames
from tavola.web.requests.limits import Limits
from tavola.web.serve.affinity import AffinityRouter


@dataclass(frozen=True)
class MailSettings:
    """The mail server, and how notifications are sent. Without `mail`, players are not asked for an address.

    `pause`: seconds before a turn notification is sent; `taken_for`: seconds of a worker's lease on a message.
    """

    mail: MailServer | None = None
    reach: Reach = field(default_factory=Reach)
    pause: float = PAUSE
    taken_for: float = TAKEN_FOR


@dataclass(frozen=True)
class SiteSettings:
    """The settings of a site: its database, addresses, limits and processes.

    `database` is a file, created if missing, or an address of PostgreSQL. `host` is an address or a Unix socket such
    as `unix:/run/tavola/tavola.sock`. `port` 0 chooses a free one.

    `names`: host names of the site, by default those of this machine. `proxies`: network addresses whose forwarding
    headers are trusted, by default none. `hub`: how rooms are run.

    `missing` games run as plain Python until `compile_game` has compiled them, `compilers` at once.

    `listening`: a socket that several workers share; this worker then ends with its parent. `affinity`: which of them
    should serve a room. `author`: errors are shown on the pages as tracebacks. `mail`: how notifications are sent.
    `metrics_token`: the token with which other machines can read `/metrics`. `texts`: the operator's own, in Markdown,
    by their names in `tavola.web.site_words.TEXT_TITLES`. `by_invitation`: only people with an account or an invitation
    can open rooms, take seats and register.

    `log_format`, `log_level`: see `tavola.web.serve.logs.configure_logging`.
    """

    database: Path | str
    host: str = "127.0.0.1"
    port: int = 8000
    names: HostNames = field(default_factory=HostNames)
    proxies: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    hub: HubSettings = field(default_factory=HubSettings)
    missing: tuple[str, ...] = ()
    compile_game: Compile | None = None
    compilers: int = 1
    listening: socket.socket | None = None
    affinity: AffinityRouter | None = None
    author: bool = False
    mail: MailSettings = field(default_factory=MailSettings)
    metrics_token: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    by_invitation: bool = False
    log_format: str = "text"
    log_level: str = "warning"
