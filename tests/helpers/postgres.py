"""A PostgreSQL server for tests, in a temporary folder with a socket, both deleted at the end.

PostgreSQL refuses to run as root: if the tests do, it runs as the user made by Debian's package.
"""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.helpers import PATIENCE, free_port

MISSING = "PostgreSQL is not installed: `make test` installs Debian's package if it has permission"
TERMINATE_CONNECTIONS = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
)
BEATS_AHEAD = """
CREATE OR REPLACE FUNCTION tavola.beat_ahead() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.beat := NEW.beat + interval '1 hour'; RETURN NEW; END $$;
CREATE OR REPLACE TRIGGER beat_ahead BEFORE INSERT OR UPDATE ON tavola.worker
    FOR EACH ROW EXECUTE FUNCTION tavola.beat_ahead()
"""
LAST_BEAT = "UPDATE tavola.worker SET beat = clock_timestamp() - interval '1 day' WHERE id = %s"
PG_DUMP_ONLY = ("\\", "--", "SET ", "SELECT pg_catalog.set_config")
"""How lines of a dump begin that only psql, or only the server's version, understands, or that say nothing."""
_numbers = count(1)


def find_programs() -> Path | None:
    """Return the folder of initdb and postgres: Debian's newest version, or the one on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    path = str(found[-1]) if found else shutil.which("postgres")
    return Path(path).parent if path else None


class CannotStart(Exception):
    """PostgreSQL is installed but cannot be started; the message says why in one sentence."""

    def __init__(self, program: str, reason: str) -> None:
        super().__init__(f"PostgreSQL cannot be started: {program}: {reason}")


class PostgresServer:
    """A server. If `safe`, it syncs as in production; otherwise it is faster, but a power cut would lose data.

    Raises `CannotStart` if it cannot be set up.
    """

    def __init__(self, safe: bool = False) -> None:
        self._programs = find_programs()
        assert self._programs is not None, MISSING
        self._process: subprocess.Popen[bytes] | None = None
        self._in_use, self._free = list[str](), list[str]()
        self.folder = Path(tempfile.mkdtemp(prefix="tavola-pg-"))
        self._data = str(self.folder / "data")
        self._safe = safe
        try:
            self._owner = _owner()
            self._initialise()
        except CannotStart:
            shutil.rmtree(self.folder)
            raise

    def _initialise(self) -> None:
        self.folder.chmod(0o755)
        if self._owner is not None:
            os.chown(self.folder, self._owner.pw_uid, self._owner.pw_gid)
        options = ["--username", "tavola", "--auth", "trust", "--encoding", "UTF8", "--locale", "C"]
        self._run("initdb", "--pgdata", self._data, "--no-sync", *options)

    @property
    def pid(self) -> int:
        return self._process.pid

    def start(self, port: int | None = None) -> None:
        """Start the server and wait until it answers; with `port`, also on that port of this machine.

        It ends with the thread that starts it: call this from the main thread.
        """
        fixed = {
            "unix_socket_directories": str(self.folder),
            "listen_addresses": "" if port is None else "127.0.0.1",
            "port": str(port or 5432),
            **dict.fromkeys(("fsync", "full_page_writes"), "on" if self._safe else "off"),
            "shared_buffers": "32MB",
            "max_connections": "100",
            "autovacuum": "off",
            "log_min_messages": "fatal",
        }
        given = [word for name, value in fixed.items() for word in ("-c", f"{name}={value}")]
        dies_with_the_tests = ["setpriv", "--pdeathsig", "INT"]
        command = [*dies_with_the_tests, str(self._programs / "postgres"), "-D", self._data, *given]
        with (self.folder / "log").open("ab") as log:
            try:
                self._process = subprocess.Popen(command, stdout=log, stderr=log, **self._as_owner())
            except OSError as error:
                raise CannotStart(command[0], str(error)) from None
        self.port = port or 5432
        self._until_it_answers()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None

    def kill(self) -> None:
        """Kill its first process, as a crash would, and wait until its children have ended."""
        children = _children(self.pid)
        self.stop(signal.SIGKILL)
        for child in children:
            while _is_there(child):
                time.sleep(0.005)

    def close(self) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder)

    def new_database(self) -> str:
        """Return the address of an empty database, new or recycled."""
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            if self._free:
                name = self._free.pop()
                connection.execute(f"ALTER DATABASE {name} RESET ALL")
            else:
                name = f"t{next(_numbers)}"
                connection.execute(f"CREATE DATABASE {name}")
        self._in_use.append(name)
        return self.address(name)

    def dump(self, address: str) -> bytes:
        """Return a script that fills an empty database like this one, for any version of the server."""
        made = self._run("pg_dump", "--schema", "tavola", "--inserts", "--no-owner", "--no-privileges", address)
        return "".join(line for line in made.splitlines(True) if not line.startswith(PG_DUMP_ONLY)).encode()

    def recycle(self, name: str | None = None) -> None:
        """Empty the databases that are no longer needed, by default all: making new ones is slower."""
        for lent in [name] if name else list(self._in_use):
            with psycopg.connect(self.address(lent), autocommit=True) as connection:
                connection.execute(TERMINATE_CONNECTIONS, (lent,))
                connection.execute("DROP SCHEMA IF EXISTS tavola CASCADE")
                connection.execute("DROP SCHEMA public CASCADE")
                connection.execute("CREATE SCHEMA public")
            self._in_use.remove(lent)
            self._free.append(lent)

    def address(self, name: str) -> str:
        return f"postgresql://tavola@/{name}?host={self.folder}&port={self.port}"

    @property
    def socket(self) -> Path:
        return self.folder / f".s.PGSQL.{self.port}"

    def over_tcp(self, address: str, port: int) -> str:
        return f"postgresql://tavola@127.0.0.1:{port}/{address.partition('@/')[2].partition('?')[0]}"

    def _run(self, program: str, *arguments: str) -> str:
        command = [str(self._programs / program), *arguments]
        try:
            kept: dict[str, Any] = {"capture_output": True, "text": True, **self._as_owner()}
            return str(subprocess.run(command, check=True, timeout=PATIENCE, **kept).stdout)
        except subprocess.CalledProcessError as error:
            reason = _last_line(error.stderr) or f"it exited with status {error.returncode}"
            raise CannotStart(program, reason) from None
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CannotStart(program, str(error)) from None

    def _as_owner(self) -> dict[str, Any]:
        identity = {} if self._owner is None else {"user": self._owner.pw_uid, "group": self._owner.pw_gid}
        return {"cwd": self.folder, "env": {"PATH": os.defpath, "TZ": "UTC"}, **identity}

    def _until_it_answers(self) -> None:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                psycopg.connect(self.address("postgres"), connect_timeout=5).close()
            except psycopg.OperationalError:
                if self._process.poll() is not None:
                    raise CannotStart("postgres", _last_line((self.folder / "log").read_text())) from None
                if time.monotonic() > until:
                    raise CannotStart("postgres", "it does not answer") from None
                time.sleep(0.02)
            else:
                return


@contextlib.contextmanager
def running_postgres(safe: bool = False, on_port: bool = False) -> Iterator[PostgresServer]:
    """Yield a server, with `on_port` also on a port of this machine; skip the test with a reason if there is none."""
    if find_programs() is None:
        pytest.skip(MISSING)
    with contextlib.ExitStack() as stack:
        try:
            server = PostgresServer(safe)
            stack.callback(server.close)
            server.start(port=free_port() if on_port else None)
        except CannotStart as failure:
            pytest.skip(str(failure))
        yield server


def _owner() -> pwd.struct_passwd | None:
    """Return the user who runs the server if the tests run as root; otherwise None."""
    if os.getuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        raise CannotStart("postgres", "it does not run as root, and there is no user named postgres") from None


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[-1]


def keep_alive(address: str) -> None:
    """Date every heartbeat of a worker an hour ahead, so that slow workers do not count as dead."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(BEATS_AHEAD)


def let_die(address: str, worker: str) -> None:
    """Make a worker's last heartbeat a day old."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(LAST_BEAT, (worker,))


def _children(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(stat.parent.name))
    return found


def _is_there(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
