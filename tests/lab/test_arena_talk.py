"""The arena where bots talk: reproducible by its seed, judged, and printed as a table."""

from typing import Any

import pytest

from tavola.bargain import BadTemper
from tavola.cli.parameters import parse_entry
from tavola.lab import BadEntry, Entry, arena
from tests.lab.test_outside import shown

ENTRIES = ["search@40+bold", "search@40+treacherous", "greedy"]


def told(report):
    return [(one.entry, one.mean, one.wins_kept, one.wins_broken) for one in report.talk]


def test_entries_with_a_temper_are_read_and_written():
    assert str(Entry.parse("search:40+faithful")) == "search@40+faithful"
    assert parse_entry("greedy+bold") == Entry("greedy", temper="bold")
    with pytest.raises(BadTemper, match="expected one of faithful"):
        Entry.parse("search:40+merry")


@pytest.mark.bulk
def test_talk_is_the_same_by_its_seed_wherever_it_is_played_and_read_back(tmp_path):
    results = tmp_path / "talk.jsonl"
    short: dict[str, Any] = {"matches": 3, "seed": 4, "options": {"moves": 2}, "talk": True}
    here = arena("lifeboats", ENTRIES, **short, processes=1, results=results)
    pool = arena("lifeboats", ENTRIES, **short, on="pool", processes=1)
    assert told(here) == told(pool) == told(arena("lifeboats", ENTRIES, **short, processes=1, results=results))
    assert [one.wins for one in here.standings] == [one.wins for one in pool.standings]
    bold, treacherous = here.talk
    assert bold.mean["statements"] > 1
    judged = treacherous.mean["kept"] + treacherous.mean["broken"]
    assert judged > 0
    assert treacherous.mean["given"] >= judged - 1e-9  # means are added in another order
    text = shown(here)
    assert "trust at the end" in text
    assert "search@40+treacherous" in text


def test_tempers_and_talk_belong_together():
    with pytest.raises(BadEntry, match="expected a bot with a temper"):
        arena("lifeboats", ["greedy"] * 3, matches=1, talk=True)
    with pytest.raises(BadEntry, match="expected --talk"):
        arena("lifeboats", ENTRIES, matches=1)
