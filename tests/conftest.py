"""Fixtures: one site for all tests of a worker, and databases."""

import asyncio
import inspect
import random
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tavola.club.sending.mail import MailServer
from tavola.live import Hub
from tavola.live.bots import thinking
from tavola.live.log.dice import Dice
from tavola.live.time import clocks
from tests.helpers import PATIENCE
from tests.helpers.browser import BrowserGuest, Visit
from tests.helpers.days import SiteClock
from tests.helpers.mail import Mailbox, mail_server
from tests.helpers.postgres import PostgresServer, running_postgres
from tests.helpers.push import PushService, push_service
from tests.helpers.rooms import open_hub
from tests.helpers.site import Guest, Site, site_at


def pytest_configure(config: pytest.Config) -> None:
    """Save pictures if requested; make expectations about pages wait as long as everything else."""
    config.addinivalue_line("markers", "hub(**settings): settings of the fixture `hub`")
    config.addinivalue_line("markers", "drills(*names): games of the tests that the registry has, too, in `tests/live`")
    expect.set_options(timeout=PATIENCE * 1000)
    BrowserGuest.keeps_pictures = config.option.pictures


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    """Run a test that is a coroutine function in a loop: that of its hub, or one of its own."""
    test = pyfuncitem.obj
    if inspect.iscoroutinefunction(test):
        runner: Any = pyfuncitem.funcargs.get("runner")
        run = asyncio.run if runner is None else runner.run
        pyfuncitem.obj = lambda **arguments: run(test(**arguments))


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No racer is late: a slow machine cannot answer in five seconds."""
    monkeypatch.setattr(clocks, "RACE_SECONDS", PATIENCE)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tavola.sqlite"


def _mail() -> Iterator[tuple[Mailbox, MailServer]]:
    """The mailbox of a mail server, and how a site reaches it."""
    with mail_server() as made:
        yield made


mail, shared_mail = pytest.fixture(_mail), pytest.fixture(_mail, scope="module")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PushService]:
    with push_service(tmp_path_factory.mktemp("push")) as made:
        yield made


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture
def hub(request: pytest.FixtureRequest, runner: asyncio.Runner, path: Path | str) -> Iterator[Hub]:
    """A hub on an empty store, in the loop in which the test runs.

    Its settings are those of the marks `hub`, with a `seed` of its dice. It has the clock of a test that uses one.
    """
    settings = {"clock": request.getfixturevalue("clock")} if "clock" in request.fixturenames else {}
    for mark in reversed(list(request.node.iter_markers("hub"))):
        settings |= mark.kwargs
    if "seed" in settings:
        settings["dice"] = Dice(random.Random(settings.pop("seed")))
    opening = open_hub(path, **settings)
    yield runner.run(opening.__aenter__())
    runner.run(opening.__aexit__(None, None, None))


@pytest.fixture
def clock() -> SiteClock:
    return SiteClock()


@pytest.fixture(scope="session")
def one_postgres() -> Iterator[PostgresServer]:
    """The PostgreSQL server of all tests; if it cannot be started, they are skipped, and one test says why."""
    with running_postgres() as server:
        yield server


@pytest.fixture
def postgres(one_postgres: PostgresServer) -> Iterator[PostgresServer]:
    """A PostgreSQL server whose databases are recycled after the test."""
    yield one_postgres
    one_postgres.recycle()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """An empty database, once of each kind."""
    if request.param == "sqlite":
        return tmp_path / "tavola.sqlite"
    return request.getfixturevalue("postgres").new_database()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The real site on a port of this machine; bots play at random and at once."""
    with site_at(tmp_path_factory.mktemp("site") / "tavola.sqlite") as running:
        yield running


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chance and bots draw from a seed, so that a test always meets the same match."""
    dice = random.Random(3)
    seeded, draw_outcome = Dice(dice), Dice.draw_outcome
    monkeypatch.setattr(Dice, "draw_outcome", lambda self, outcomes, weights: draw_outcome(seeded, outcomes, weights))
    monkeypatch.setattr(thinking, "secrets", SimpleNamespace(choice=dice.choice, randbits=lambda bits: 1))


def _guest(site: Site) -> Iterator[Guest]:
    with site.guest() as guest:
        yield guest


ada, bruno, bea, eve, phone, thief = (pytest.fixture(_guest) for _ in range(6))


@pytest.fixture
def visit(chromium: Browser, site: Site) -> Iterator[Visit]:
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(closing(BrowserGuest(chromium, site.url, **settings)))


@pytest.fixture
def served(postgres: PostgresServer) -> str:
    return postgres.new_database()
