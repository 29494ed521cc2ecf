"""Where the site listens: at an address and a port, or at a Unix socket, which a proxy on the same machine forwards to.

Anyone who can connect to the Unix socket counts as the proxy, so only its owner and its group can.
"""

import contextlib
import errno
import ipaddress
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tavola.web.requests.wire import BACKLOG

UNIX = "unix:"
"""Beginning of a host that is a Unix socket: `unix:/run/tavola/tavola.sock`."""
UNIX_MODE = 0o660


def unix_path(host: str) -> Path | None:
    """Return the path of a Unix socket; None for an address. Raise `ValueError` unless the path is absolute."""
    if not host.startswith(UNIX):
        return None
    path = Path(host.removeprefix(UNIX))
    if not path.is_absolute():
        raise ValueError("expected an absolute path, such as unix:/run/tavola/tavola.sock")
    return path


@contextlib.contextmanager
def listening_socket(host: str, port: int) -> Iterator[socket.socket]:
    """Listen while the context lasts; yield the socket, or raise `OSError`. `port` is not used with a Unix socket."""
    if (path := unix_path(host)) is None:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.create_server((host, port), family=family, backlog=BACKLOG) as listening:
            yield listening
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        _remove_stale(path)
        listening.bind(str(path))
        try:
            path.chmod(UNIX_MODE)  # before anyone can connect
            listening.listen(BACKLOG)
            yield listening
        finally:
            path.unlink(missing_ok=True)


def _remove_stale(path: Path) -> None:
    """Remove the socket of a server that was killed; raise `OSError` if a server listens there."""
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as tried:
        tried.setblocking(False)
        code = tried.connect_ex(str(path))
    if code != errno.ECONNREFUSED:
        code = errno.EADDRINUSE if code in (0, errno.EAGAIN) else code
        raise OSError(code, os.strerror(code))
    path.unlink()


def site_url(name: tuple[Any, ...] | str) -> str:
    """Return the address at which a browser, or the proxy, reaches a socket of that name."""
    if isinstance(name, str):
        return f"{UNIX}{name}"
    host, port = name[:2]
    shown = "localhost" if ipaddress.ip_address(host).is_unspecified else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/"
