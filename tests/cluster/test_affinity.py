"""Workers that share a socket hand connections over: all people of a room are served by one worker.

Two whole sites on one database, each with its own port, so that a test can choose where a person connects.
"""

import asyncio
import contextlib
import dataclasses
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from websockets.sync.client import connect

from tavola.web.requests import wire
from tavola.web.requests.limits import UNHURRIED
from tavola.web.serve.affinity import AffinityRouter
from tests.helpers import PATIENCE, wait_for
from tests.helpers.days import HOUR
from tests.helpers.postgres import PostgresServer, keep_alive
from tests.helpers.site import TLS, Site, site_at

TURNS = 8


@contextlib.contextmanager
def pair(database: str, folder: Path, limits=UNHURRIED) -> Iterator[tuple[Site, Site]]:
    with (
        site_at(database, limits, homes=AffinityRouter(folder / "0", 2)) as one,
        site_at(database, limits, homes=AffinityRouter(folder / "1", 2)) as other,
    ):
        yield one, other


@pytest.fixture(scope="module")
def kept(one_postgres: PostgresServer):
    yield one_postgres.new_database()
    one_postgres.recycle()


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory):
    return tmp_path_factory.mktemp("places")


@pytest.fixture(scope="module")
def sites(kept: str, places: Path):
    with pair(kept, places) as both:
        keep_alive(kept)
        yield both


def room_at(site: Site) -> str:
    """Return a new room whose home is this site."""
    with site.guest() as guest:
        while True:  # rooms belong to both in turn
            code = guest.create()
            if site.hub.settings.has_affinity(code):
                return code


def connected(site: Site) -> int:
    return len(site.server.server_state.connections)


def raw(site: Site) -> socket.socket:
    return socket.create_connection(("127.0.0.1", int(site.url.rpartition(":")[2])), timeout=PATIENCE)


def said(line: socket.socket, *parts: bytes) -> bytes:
    """Return the first line of the answer; empty if the connection is closed."""
    with contextlib.suppress(ConnectionError):
        for part in parts:
            line.sendall(part)
            time.sleep(0.02)
        return line.recv(100_000).partition(b"\r\n")[0]
    return b""


def asking(code: str) -> bytes:
    return f"GET /r/{code} HTTP/1.1\r\nHost: 127.0.0.1\r\n".encode()


def test_rooms_are_made_by_all_in_turn_and_stay_where_they_were_made(sites: tuple[Site, Site]):
    one, other = sites
    with one.guest() as guest:
        codes = [guest.create() for _ in range(TURNS)]
    made = [sum(code in {room.id for room in site.hub.residents._kept.values()} for code in codes) for site in sites]
    assert made == [TURNS // 2, TURNS // 2]
    assert all(one.hub.settings.has_affinity(code) != other.hub.settings.has_affinity(code) for code in codes)


def test_all_lines_of_a_room_are_at_its_home_wherever_they_arrive(sites: tuple[Site, Site]):
    one, other = sites
    code = room_at(other)
    with contextlib.ExitStack() as lines:
        for site in (one, other, one, other):
            address = f"{site.url.replace('http', 'ws', 1)}/r/{code}/socket?form=json"
            assert '"state"' in lines.enter_context(connect(address, open_timeout=PATIENCE)).recv()
        wait_for(lambda: (connected(one), connected(other)) == (0, 4))
        assert code not in {room.id for room in one.hub.rooms}, "where nobody of it is it is not worked out"


def test_one_connection_goes_from_room_to_room(sites: tuple[Site, Site]):
    one, other = sites
    here, there = room_at(one), room_at(other)
    with one.guest() as guest:
        for code, home in ((here, one), (there, other), (here, one), (there, other)):
            assert guest.get(f"/r/{code}").status_code == 200
            wait_for(lambda: connected(home) == sum(map(connected, sites)) == 1)  # noqa: B023 - called at once
        assert guest.sit(there, "Bea").status_code == 200, "what is sent with a form goes along"
        assert guest.get("/").status_code == 200, "and what is no room is answered by either"
    assert "Bea" in [place.person.name for place in other.room(there).state.occupants if place.person]


def test_what_arrives_in_parts_is_served_wherever_it_is(sites: tuple[Site, Site]):
    one, other = sites
    code = room_at(other)
    with raw(one) as line:
        assert said(line, b"GE", asking(code)[2:], b"\r\n") == b"HTTP/1.1 200 OK"
        wait_for(lambda: (connected(one), connected(other)) == (1, 0))
    with raw(one) as line:
        assert said(line, asking(code), b"X-Late: yes\r\n", b"\r\n") == b"HTTP/1.1 200 OK"
        wait_for(lambda: (connected(one), connected(other)) == (0, 1))


def test_unfinished_requests_are_disconnected_at_the_home_worker_too(kept: str, tmp_path: Path):
    with pair(kept, tmp_path, dataclasses.replace(UNHURRIED, headers=PATIENCE)) as (one, other):
        code = room_at(other)
        one.change_limits(headers=0.3)  # of both workers
        with raw(one) as slow, raw(one) as silent:
            assert (said(slow, asking(code)), said(silent)) == (b"", b"")
        wait_for(lambda: connected(one) == connected(other) == 0)


def test_connections_of_one_address_are_bounded_at_the_home_too(kept: str, tmp_path: Path):
    with pair(kept, tmp_path, dataclasses.replace(UNHURRIED, connections_an_address=6)) as (one, other):
        code = room_at(other)
        wait_for(lambda: connected(one) == connected(other) == 0)
        with contextlib.ExitStack() as lines:
            opened = [lines.enter_context(raw(one)) for _ in range(9)]
            answers = [said(line, asking(code), b"\r\n") for line in opened]
        assert answers.count(b"HTTP/1.1 200 OK") <= 6
        assert b"" in answers
        wait_for(lambda: connected(one) == connected(other) == 0)
        limiters = [cast(Any, site.server.config).limiter for site in (one, other)]
        assert [limiter.connections for limiter in limiters] == [0, 0]


def test_work_of_one_address_is_bounded_over_all_workers(kept: str, tmp_path: Path):
    little = dataclasses.replace(UNHURRIED, work_an_address=(0.0, 100))
    with pair(kept, tmp_path, little) as (one, other), one.guest() as guest, other.guest() as elsewhere:
        here, there = (each.counters.named_limiter("work_an_address") for each in (one, other))

        def is_known_at_both() -> bool:
            """Charge again: the first message to the other worker may be lost."""
            here.charge("127.0.0.1", 20)
            return guest.get("/seats.css").status_code == 429 and not there.allows("127.0.0.1")

        wait_for(is_known_at_both)
        assert elsewhere.get("/seats.css").status_code == 429, "he asks here for the first time"


@contextlib.contextmanager
def held_up(site: Site) -> Iterator[None]:
    go_on, stopped = threading.Event(), threading.Event()
    site.loop.call_soon_threadsafe(lambda: (stopped.set(), go_on.wait(PATIENCE)))
    assert stopped.wait(PATIENCE)
    try:
        yield
    finally:
        go_on.set()


def asked_for(site: Site, code: str, answers) -> threading.Thread:
    def ask() -> None:
        answers.append(httpx.get(f"{site.url}/r/{code}", timeout=PATIENCE, verify=TLS).status_code)

    thread = threading.Thread(target=ask)
    thread.start()
    return thread


@pytest.mark.parametrize(("offers", "given_up"), [(1_000_000, 0), (5, 21)])
def test_a_worker_that_accepts_nothing_is_waited_for_but_not_for_long(sites, monkeypatch, offers, given_up):
    """Those given to it are answered when it goes on; after some offers, the others are answered by another."""
    monkeypatch.setattr(wire, "MOST_OFFERS", offers)
    one, other = sites
    code, answers = room_at(other), []
    with held_up(other):
        threads = [asked_for(one, code, answers) for _ in range(40)]
        wait_for(lambda: len(answers) >= given_up)
        time.sleep(0.3)
        assert bool(answers) == bool(given_up)
    for thread in threads:
        thread.join(PATIENCE)
    assert (answers, code in {room.id for room in one.hub.rooms}) == ([200] * 40, bool(given_up))


def test_a_worker_that_is_stuck_for_long_gets_no_connections(sites: tuple[Site, Site], places: Path):
    one, other = sites
    code, answers = room_at(other), []
    with held_up(other):
        long_ago = time.monotonic() - 2 * HOUR
        os.utime(places / "1", (long_ago, long_ago))
        asked_for(one, code, answers).join(PATIENCE)
        assert answers == [200], "another one answers"
    assert code in {room.id for room in one.hub.rooms}


def test_heartbeats_of_workers_are_measured_by_a_monotonic_clock(tmp_path: Path):
    """By the wall clock of a machine that was set back, it would count as alive for as long as that."""
    router = AffinityRouter(tmp_path / "0", 2)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other, contextlib.closing(socket.socket()) as line:
        other.bind(str(tmp_path / "1"))
        now = time.monotonic()
        for beat, taken in ((now, True), (now - 2 * HOUR, False), (time.time() + HOUR, False)):
            os.utime(tmp_path / "1", (beat, beat))
            assert router.hand_over(line.fileno(), b"GET / ", [1]) is taken
    router.close(lambda line, asked: None)


def test_a_stopped_worker_gets_no_connections(kept: str, tmp_path: Path):
    with site_at(kept, homes=AffinityRouter(tmp_path / "0", 2)) as one:
        with site_at(kept, homes=AffinityRouter(tmp_path / "1", 2)) as other:
            code = room_at(other)
        assert (tmp_path / "1").exists(), "his place is still there"
        assert httpx.get(f"{one.url}/r/{code}", timeout=PATIENCE, verify=TLS).status_code == 200


def test_an_unusable_socket_path_does_not_prevent_serving(kept: str, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    with site_at(kept, homes=AffinityRouter(tmp_path / "nowhere" / "0", 2)) as alone, alone.guest() as guest:
        for _ in range(3):
            assert guest.create()
    assert "served where they arrive" in caplog.text


def test_rooms_without_a_keeper_are_looked_after_where_they_are_at_home(sites: tuple[Site, Site], monkeypatch):
    with sites[0].guest() as guest:
        codes = [guest.quick() for _ in range(TURNS)]
    homes = [(code, site) for code in codes for site in sites]

    def kept_at_home():
        return all((code in site.hub.leases) == site.hub.settings.has_affinity(code) for code, site in homes)

    wait_for(kept_at_home)
    looks = [(site, site.hub.leases.claim_ownerless) for site in sites]
    for site in sites:  # their lateness must not matter: they look when the test says so
        monkeypatch.setattr(site.hub.leases, "claim_ownerless", lambda: asyncio.sleep(0))
    for site, look in looks:
        site.run(look())
    for site in sites:
        site.run(site.hub.leases.release(codes))
    for site, look in looks:
        site.run(look())
    assert kept_at_home()
