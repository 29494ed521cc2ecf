"""Reports are kept and listed, and a full database deletes matches of the person with the most."""

import asyncio
import contextlib

from click.testing import CliRunner

from tavola.cli import main
from tavola.store import Event, Retention, open_store


def test_reports_are_listed_newest_first_even_within_the_same_minute(database):
    with contextlib.closing(open_store(database)) as store:
        for number, name in enumerate(("Ada", "Bruno"), 1):
            lines = [{"name": name, "text": f"buy {number}", "at": 5.0}]
            body = {"id": "x", "speaker": 1, "lines": lines}
            events = [Event(1, "created", at=1.0), Event(2, "reported", body, at=100.0 + number)]
            asyncio.run(store.append(f"room{number}", events, awake=False))
        assert [(report.room, report.about) for report in store.reports(10)] == [("room2", "Bruno"), ("room1", "Ada")]
        assert [report.lines[0].text for report in store.reports(1)] == ["buy 2"]
    told = CliRunner().invoke(main, ["reports", "--database", str(database)]).output
    assert told.index("Bruno: buy 2") < told.index("Ada: buy 1")
    assert told.endswith("2 reports\n")


def test_a_full_database_deletes_rooms_of_the_person_with_the_most(database):
    """An old match of a person with only this one stays."""
    with contextlib.closing(open_store(database)) as store:
        big = {"text": "x" * 4000}
        rooms = [("honest", [Event(1, "created", {"maker": "ada"}, at=1.0), Event(2, "over", big, at=1.0)], False)]
        for number in range(150):
            events = [Event(1, "created", {"maker": "flood"}), Event(2, "over", big, at=2.0 + number)]
            rooms.append((f"room{number}", events, False))
        asyncio.run(store.append_batches(rooms))
        gone = [old.line.id for old in store.prunable_rooms(Retention(largest=400_000), 0.0)]
        assert gone == [f"room{number}" for number in range(len(gone))]
        assert gone
