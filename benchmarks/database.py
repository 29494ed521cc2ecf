"""A PostgreSQL for benchmarks: Debian's, started as the tests start it, on a socket, syncing as it does for a host."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.helpers.postgres import PostgresServer

ROOT = Path(__file__).resolve().parent.parent


def own_postgres() -> "PostgresServer":
    """Start one; whoever asked closes it."""
    sys.path.append(str(ROOT))
    from tests.helpers.postgres import PostgresServer

    server = PostgresServer(safe=True)
    server.start()
    return server
