"""Databases of earlier releases with unfinished matches, and what these releases read in them.

`python -m tests.store.make_release` makes them; RELEASES.md lists them.
"""

import gzip
import json
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from tavola.store.signing_key import signing_key_path
from tests.helpers import ROOT

FOLDER = ROOT / "tests" / "store"
ROW = re.compile(r"^\| `release-(\S+?)\.(sqlite|postgresql)\.gz` \| `(\w+)` \| (\w+) \|$", re.MULTILINE)
COLUMNS = {
    "sqlite": """SELECT m.name, group_concat(p.name) FROM sqlite_master m JOIN pragma_table_info(m.name) p
        WHERE m.type = 'table' GROUP BY m.name""",
    "postgresql": """SELECT c.relname, string_agg(quote_ident(a.attname), ',' ORDER BY a.attnum) FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relkind = 'r' AND c.relnamespace = 'tavola'::regnamespace GROUP BY c.relname""",
}
OF_PROCESSES = {"version", "site", "worker", "lease", "present"}
"""Tables without matches and accounts."""
Columns = dict[str, str]
"""The columns of each table, separated by commas."""


class Release(NamedTuple):
    """A database of a release, which the code of a commit wrote: `kind` is `sqlite` or `postgresql`."""

    tag: str
    kind: str
    commit: str
    digest: str = ""

    def __str__(self) -> str:
        return f"{self.tag}-{self.kind}"

    @property
    def path(self) -> Path:
        return FOLDER / f"release-{self.tag}.{self.kind}.gz"

    @property
    def told(self) -> dict[str, Any]:
        """What the release reads in it: the key, and by room what people are asked.

        If it has matches over days, also the cookies of two browsers, and the rooms of their matches.
        """
        told: dict[str, Any] = json.loads(told_path(self.tag).read_text(encoding="utf-8"))[self.kind]
        return told

    def install(self, database: Path | str) -> None:
        """Write the database to a path, with its key, or into an empty database of PostgreSQL."""
        self.unpack(database)
        if isinstance(database, Path):
            signing_key_path(database).write_bytes(bytes.fromhex(self.told["key"]))

    def unpack(self, database: Path | str) -> None:
        content = gzip.decompress(self.path.read_bytes())
        if isinstance(database, Path):
            database.write_bytes(content)
            return
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(content)


def listed(*kinds: str) -> list[Release]:
    """Return the databases of these kinds, by default all."""
    found = [Release(*row) for row in ROW.findall((FOLDER / "RELEASES.md").read_text(encoding="utf-8"))]
    assert found, "expected the databases of earlier releases in the list"
    return [release for release in found if not kinds or release.kind in kinds]


def told_path(tag: str) -> Path:
    return FOLDER / f"release-{tag}.json"


def unpack_code(commit: str, folder: Path) -> Path:
    """Write the files of a commit into a new folder, and return it."""
    folder.mkdir()
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
    return folder


def columns_of(database: Path | str) -> Columns:
    """Return the tables with matches and accounts."""
    with _connected(database) as connection:
        found = connection.execute(COLUMNS["postgresql" if isinstance(database, str) else "sqlite"]).fetchall()
    return {table: columns for table, columns in found if table not in OF_PROCESSES}


def rows_of(database: Path | str, tables: Columns) -> dict[str, list[str]]:
    """Return the rows of tables, sorted, as they are without the store."""
    with _connected(database) as connection:
        queries = {table: f"SELECT {columns} FROM {table}" for table, columns in tables.items()}
        return {table: sorted(map(repr, connection.execute(query).fetchall())) for table, query in queries.items()}


def version_of(database: Path | str) -> int:
    with _connected(database) as connection:
        ((number,),) = connection.execute("SELECT number FROM version").fetchall()
    return int(number)


@contextmanager
def _connected(database: Path | str) -> Iterator[Any]:
    if isinstance(database, str):
        with psycopg.connect(database, autocommit=True, options="-c search_path=tavola") as connection:
            yield connection
    else:
        with closing(sqlite3.connect(database)) as connection:
            yield connection
