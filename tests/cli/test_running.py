"""`tavola running`: what an update would affect, in both kinds of database."""

import asyncio
import contextlib

from click.testing import CliRunner

import tavola
from tavola.cli import main
from tavola.store import Event, open_store

PRESENT = tavola.load("tournament").version
ROOMS = (
    ("old-days", "tournament", 1, {"days": 3}, True),
    ("old-live", "tournament", 1, {}, True),
    ("present", "tournament", PRESENT, {}, True),
    ("past", "voyage", 1, {}, False),
)
WENT = ("gone-open", "tournament", 99, {"days": 1}, True)
GONE = ("gone-over", "whist", 1, {}, False)


def running(database, rooms):
    with contextlib.closing(open_store(database)) as store:
        for code, game, version, more, awake in rooms:
            events = [Event(1, "created", {"game": game, "version": version, **more})]
            asyncio.run(store.append(code, events, awake=awake))
    told = CliRunner().invoke(main, ["running", "--database", str(database)])
    return told.exit_code, told.output.splitlines()


def test_rooms_that_an_update_affects_are_listed_by_game_and_version(database):
    """Finished matches block no update, even if they cannot be viewed; open ones that cannot go on are a status."""
    assert running(database, []) == (0, ["0 open, 0 of them by correspondence; 0 cannot continue"])
    listed = [
        "tournament  version 1  2 open (1 by correspondence), 0 over  "
        f"continues with its own rules, kept beside version {PRESENT}",
        f"tournament  version {PRESENT}  1 open (0 by correspondence), 0 over  continues",
        "voyage  version 1  0 open (0 by correspondence), 1 over  continues",
    ]
    summary = "3 open, 1 of them by correspondence; 0 cannot continue"
    assert running(database, ROOMS) == (0, [*listed, summary])
    status, lines = running(database, [GONE])
    assert (status, lines[-1]) == (0, summary)
    assert any(line.endswith("1 over  cannot continue: its rules are missing") for line in lines)
    status, lines = running(database, [WENT])
    assert (status, lines[-1]) == (1, "4 open, 2 of them by correspondence; 1 cannot continue")
