"""Databases of earlier releases, made by `make_release.py`, are migrated with their unfinished matches."""

import gzip
import hashlib
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tavola import __version__
from tavola.cli import main
from tavola.core.registry import load
from tavola.live import Person
from tavola.store.postgres.schema import MIGRATIONS
from tavola.store.sqlite.schema import VERSION
from tests.helpers import ROOT
from tests.helpers.rooms import matches_log, open_hub, play_to_end

RELEASES = sorted(Path(__file__).parent.glob("release-*.sqlite.gz"))
assert RELEASES, "expected the databases of earlier releases beside this file"
PEOPLE = [Person(name[0] * 8, name) for name in ("Ada", "Bea", "Carla")]


def test_each_database_is_the_one_that_its_release_wrote():
    told = (RELEASES[0].parent / "RELEASES.md").read_text(encoding="utf-8")
    for release in RELEASES:
        assert f"`{release.name}` | {hashlib.sha256(release.read_bytes()).hexdigest()}" in told


def test_the_versions_of_databases_rise_with_those_of_releases():
    """An older release names this one when it refuses a database: raise its version with that of the databases."""
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d\S*) \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    assert rows[-1] == (__version__, str(VERSION), str(len(MIGRATIONS)))


def unpacked(release: Path, folder: Path) -> Path:
    path = folder / "tavola.sqlite"
    path.write_bytes(gzip.decompress(release.read_bytes()))
    return path


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name.partition(".sqlite")[0])
async def test_the_matches_of_a_release_go_on_by_the_version_they_name(release: Path, tmp_path: Path):
    """Version 1 of Tournament has the rule that lost a note: see decision 0031, although this release kept it."""
    path = unpacked(release, tmp_path)
    async with open_hub(path) as hub:
        rooms = {room.state.game.name: room for room in [await hub.room(line.id) for line in hub.store.rooms()]}
        assert rooms["tournament"].state.game is load("tournament", 1)
        hands = rooms["tournament"].state.match.document()["hands"]
        assert [hands[0]["known"][1]["jokers"], hands[1]["known"][0]["jokers"]] == [0, 1]
        for room in rooms.values():
            assert room.state.phase == "playing"
            assert matches_log(hub, room)
            assert room.state.dues.keys() == (room.state.open_decisions.keys() if room.state.settings.days else set())
        await play_to_end(rooms["lifeboats"], PEOPLE)
        assert rooms["lifeboats"].state.phase == "over"
    told = CliRunner().invoke(main, ["running", "--database", str(path)])
    days = len(rooms) - 2
    summary = f"{1 + days} open, {days} of them by correspondence; 0 cannot continue"
    assert (told.exit_code, told.output.splitlines()[-1]) == (0, summary)
