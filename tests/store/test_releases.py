"""Databases of earlier releases are migrated, and their unfinished matches go on where the release left them."""

import hashlib
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tavola import __version__
from tavola.club import notices
from tavola.club.sending import mailer, outbox
from tavola.core.registry import load
from tavola.live import Hub, Person, Room
from tavola.store import open_store
from tavola.store.postgres.schema import MIGRATIONS
from tavola.store.sqlite.schema import VERSION
from tavola.web import emails
from tests.cli import answer
from tests.helpers import ROOT, releases, wait_for
from tests.helpers.days import HOUR, NOON, SiteClock
from tests.helpers.mail import text_of
from tests.helpers.postgres import PostgresServer
from tests.helpers.releases import Release
from tests.helpers.rooms import matches_log, open_hub, play_to_end
from tests.helpers.site import Guest, Site, site_at
from tests.store.make_release import asked, by_code

PEOPLE = [Person(name[0] * 8, name) for name in ("Ada", "Bea", "Carla")]
RELEASES = releases.listed()
WITH_DAYS = [release for release in RELEASES if "first" in release.told]
each_release = pytest.mark.parametrize("release", RELEASES, ids=str)


@pytest.fixture
def database(release: Release, request: pytest.FixtureRequest, path: Path) -> Path | str:
    place = path if release.kind == "sqlite" else request.getfixturevalue("postgres").new_database()
    release.install(place)
    return place


def test_each_database_is_the_one_that_its_release_wrote():
    assert {release.path for release in RELEASES} == set(releases.FOLDER.glob("release-*.gz"))
    for release in RELEASES:
        assert release.digest == hashlib.sha256(release.path.read_bytes()).hexdigest()


def test_the_versions_of_databases_rise_with_those_of_releases():
    """An older release names this one when it refuses a database: raise its version with that of the databases."""
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d\S*) \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    assert rows[-1] == (__version__, str(VERSION), str(len(MIGRATIONS)))
    earlier = {f"v{tag}" for tag, *_ in rows[:-1]}
    assert earlier == {release.tag for release in RELEASES} - {f"v{__version__}"}, "the database of each is kept"


async def rooms_of(hub: Hub) -> dict[str, Room]:
    return {line.id: await hub.room(line.id) for line in hub.store.rooms()}


def told_of(release: Release) -> dict[str, Any]:
    """Return what people were asked by the release in each room."""
    return {code: told["asked"] for code, told in release.told["rooms"].items()}


@each_release
async def test_nothing_is_lost_and_everyone_is_asked_what_the_release_asked(release: Release, database: Path | str):
    """Version 1 of Tournament, that of 0.2.0, loses one of the notes of an exchange: see decision 0031."""
    tables = releases.columns_of(database)
    before = releases.rows_of(database, tables)
    async with open_hub(database, clock=SiteClock()) as hub:
        rooms = await rooms_of(hub)
        assert {code: asked(room) for code, room in rooms.items()} == told_of(release)
        for code, room in rooms.items():
            assert (room.state.phase, room.state.seq) == ("playing", release.told["rooms"][code]["events"])
            assert matches_log(hub, room)
        live = {room.state.game.name: room for room in rooms.values() if not room.state.settings.days}
        exchanged, version = live["tournament"].state, 1 if release.tag == "v0.2.0" else 2
        assert exchanged.game is load("tournament", version)
        hands = exchanged.match.document()["hands"]
        assert [hands[0]["known"][1]["jokers"], hands[1]["known"][0]["jokers"]] == [version - 1, 1]
        assert releases.rows_of(database, tables) == before
        await play_to_end(live["lifeboats"], PEOPLE)
        assert live["lifeboats"].state.phase == "over"
    status, output = answer("running", "--database", database)
    days = len(rooms) - 2
    summary = f"{1 + days} open, {days} of them by correspondence; 0 cannot continue"
    assert (status, output.splitlines()[-1]) == (0, summary)


@each_release
async def test_a_restored_backup_asks_everyone_what_the_release_asked(
    release: Release, database: Path | str, postgres: PostgresServer, tmp_path: Path
):
    """It is restored to a database of the other kind, which keeps the key."""
    copy = tmp_path / "copy"
    other = postgres.new_database() if release.kind == "sqlite" else tmp_path / "other.sqlite"
    for words in (("backup", copy, "--database", database), ("verify", copy), ("restore", copy, "--database", other)):
        status, output = answer(*words)
        assert status == 0, output
    async with open_hub(other, clock=SiteClock()) as hub:
        assert {code: asked(room) for code, room in (await rooms_of(hub)).items()} == told_of(release)
        assert hub.store.signing_key().hex() == release.told["key"]


@pytest.mark.soak
@pytest.mark.process
@pytest.mark.parametrize("release", releases.listed("sqlite"), ids=str)
def test_the_copy_before_a_migration_is_read_by_the_release_that_refuses_the_migrated_database(
    release: Release, database: Path | str, path: Path, tmp_path: Path
):
    """The release itself reads both. A database that needs no migration is not copied."""
    tree, before = releases.unpack_code(release.commit, tmp_path / "code"), releases.version_of(path)
    open_store(path).close()
    migrated = path.read_bytes()
    copies = [file for file in tmp_path.glob("*-before-*") if file.suffix != ".secret"]
    assert len(copies) == (before < VERSION)
    for copy in copies:
        assert by_code(tree, "tell", str(copy)) == {"key": release.told["key"], **release.told["rooms"]}
        with pytest.raises(subprocess.CalledProcessError):
            by_code(tree, "tell", str(path))
        assert path.read_bytes() == migrated


# Matches over days


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SiteClock:
    """The time of a site an hour after the release was stopped."""
    clock = SiteClock(NOON + HOUR)
    for module in (mailer, notices, outbox, emails):
        monkeypatch.setattr(module, "time", SimpleNamespace(time=clock))
    return clock


@pytest.fixture
def browsers(release: Release) -> Iterator[dict[str, Guest]]:
    """The browsers in which two players are signed in."""
    made = {name: Guest("http://127.0.0.1", "en", {}) for name in release.told["cookies"]}
    for name, guest in made.items():
        guest.cookies.update(release.told["cookies"][name])
    yield made
    for guest in made.values():
        guest.close()


def visit(site: Site, browsers: dict[str, Guest]) -> None:
    for guest in browsers.values():
        guest.base_url = guest.headers["Origin"] = site.url


def await_silence(site: Site) -> None:
    """Wait until no message is left to send."""
    site.call(site.app.state.site.club.ring)
    wait_for(lambda: site.hub.store.rows("SELECT count(*) FROM outbox WHERE ended = ''") == [(0,)])


def played(site: Site, code: str) -> list[tuple[int, str, bool]]:
    """Return the decisions of a match: seat, code, and whether it was given ahead."""
    events = [event.body for event in site.hub.store.events(code) if event.kind == "played"]
    return [(body["seat"], body["code"], "ahead" in body) for body in events]


@pytest.mark.parametrize("release", WITH_DAYS, ids=str)
def test_a_match_over_days_goes_on_in_the_same_browsers_and_every_message_is_sent_once(
    release: Release, database: Path | str, browsers: dict[str, Guest], mail, clock: SiteClock
):
    """One e-mail was sent by the release, and one waited. An answer ahead is played after the first decision."""
    first, second, (box, server) = release.told["first"], release.told["second"], mail
    told = release.told["rooms"][first]["asked"]["0"]
    with site_at(database, mail=server, clock=clock) as site:
        visit(site, browsers)
        await_silence(site)
        assert box.recipients == ["bea@example.org"], "Ada knows"
        assert second in text_of(box.emails[0])
        ada, before = browsers["Ada"], played(site, first)
        prompt, codes = ada.choices(first)
        assert (prompt, sorted(codes)) == (told["prompt"], told["codes"])
        assert "Bea wants green" in ada.get(f"/r/{first}").text
        site.app.state.site.club.notices.pause = 0.0
        assert ada.play(first, told["prompt"], told["codes"][0]).status_code == 200
        room = site.room(first)
        wait_for(lambda: 0 in room.state.dues and room.state.dues[0].number != told["prompt"])
        new = played(site, first)[len(before) :]
        assert [(seat, ahead) for seat, _, ahead in new if seat < 2] == [(0, False), (1, True)]
        assert new[0][1] == told["codes"][0]
        box.wait(2)
        await_silence(site)
    with site_at(database, mail=server, clock=clock) as site:
        visit(site, browsers)
        await_silence(site)
        assert played(site, first)[len(before) :] == new
        assert browsers["Bea"].choices(second)[0] == release.told["rooms"][second]["asked"]["0"]["prompt"]
    assert box.recipients == ["bea@example.org", "ada@example.org"]
