"""The settings of a site: one frozen object, from the command to the server."""

import socket
from dataclasses import dataclass, field
from pathlib import Path

from tavola.club.mail import MailServer
from tavola.club.notices import PAUSE
from tavola.club.outbox import TAKEN_FOR
from tavola.club.reach import Reach
from tavola.live import HubSettings
from tavola.live.readiness import Compile
from tavola.web.door.guard import HostNames
from tavola.web.door.limits import Limits
from tavola.web.serve.affinity import AffinityRouter


@dataclass(frozen=True)
class PostSettings:
    """Through which mail server letters go, and how far pushes reach.

    Nobody is asked for an address without `mail`. `pause`: seconds until word of a turn is due; `taken_for`: seconds
    for which a letter is a worker's.
    """

    mail: MailServer | None = None
    reach: Reach = field(default_factory=Reach)
    pause: float = PAUSE
    taken_for: float = TAKEN_FOR


@dataclass(frozen=True)
class SiteSettings:
    """The settings of a site: from which database it is served, where, to whom, and by which process.

    `database` is a file, made when it does not exist, or an address of PostgreSQL's. `port` 0 takes a free one.

    `names`: what people call the site, this machine's own names unless told. `proxies`: network addresses of those who
    may say for whom they ask and whether it was encrypted; nobody unless told. `hub`: how its rooms are run.

    `missing` games run as plain Python until `compile_game` has compiled them, `compilers` at once.

    `listening`: a socket that several workers share; this one then ends with who started it. `affinity`: which of them
    had better serve a room. `author`: faults are shown on the pages as they were raised. `post`: how word is sent.
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
    post: PostSettings = field(default_factory=PostSettings)
