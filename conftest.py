"""Shared setup of all test runs: three tiers by marks, everything compiled once, long tests first.

`quick` leaves out tests marked `browser`, `process`, `bulk` or `soak`; `test` leaves out `soak`. A test that starts
a process or a browser must have its mark, or it fails in the quick tier, which therefore stays quick.
"""

import asyncio
import contextlib
import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tavola.show import testing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Browsers and servers of the tests stay on this machine, whatever proxies are configured.
os.environ["NO_PROXY"] = os.environ["no_proxy"] = "localhost,127.0.0.1,::1"

STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"}
"""Audit events of starting a process."""
FIRST = ("browser", "process", "bulk")
"""Marks of the longest tests, which run first: a run should end with short ones."""

# A busy machine is slow, which is not a fault.
settings.register_profile("test", suppress_health_check=[HealthCheck.too_slow], deadline=None)
settings.register_profile("soak", settings.get_profile("test"), max_examples=2_000)
settings.load_profile("test")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options `--pictures` and `--goldens`."""
    parser.addoption("--pictures", action="store_true", help="keep pictures of pages in test-output, to be looked at")
    parser.addoption("--goldens", action="store_true", help="write the lists that tests compare, to be read")


def pytest_configure(config: pytest.Config) -> None:
    """Compile before xdist starts its workers, so that no two of them compile the same code."""
    several = getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput")
    if several and not config.option.collectonly:
        command = [sys.executable, "-m", "tests.helpers.compiled"]
        subprocess.run(command, cwd=Path(__file__).parent, check=True)  # noqa: S603


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip soak tests unless `-m soak` asks for them; run long tests first."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        if "one_postgres" in getattr(item, "fixturenames", ()) or "postgresql" in _parameters(item):
            item.add_marker("process")
        if "soak" not in config.option.markexpr and item.get_closest_marker("soak"):
            item.add_marker(pytest.mark.skip(reason="soaking: make soak"))
    items.sort(key=lambda item: next((k for k, mark in enumerate(FIRST) if item.get_closest_marker(mark)), len(FIRST)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Disable garbage collection during imports, and exclude what they leave in memory from later collections."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _parameters(item: pytest.Item) -> list[object]:
    """Return the parameters of a test, and the kinds of databases among them."""
    values = list(item.callspec.params.values()) if hasattr(item, "callspec") else []
    return [*values, *(getattr(value, "kind", None) for value in values)]


_started: list[str] = []


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event in STARTS and arguments[:1] != ("/sbin/ldconfig",):  # `ctypes` looks for libraries by it, at imports
        _started.append(event)


sys.addaudithook(_note)


@pytest.fixture(autouse=True)
def starts_only_what_it_says(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail if a test starts a process in a run that leaves out the tests marked `process`."""
    before = len(_started)
    yield
    left_out = "not process" in request.config.option.markexpr
    assert not left_out or len(_started) == before, "a process was started: expected the mark `process`"


@pytest.fixture(autouse=True)
def own_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """A browser that lives as long as its worker leaves its event loop running, so other tests get their own loops."""
    if request.node.get_closest_marker("browser"):
        yield
        return
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)


@pytest.fixture(scope="session")
def chromium() -> "Iterator[Browser]":
    """The shared browser of a worker, for tests of the site and of games' pictures."""
    with contextlib.ExitStack() as stack:
        try:
            browser = stack.enter_context(testing.chromium())
        except FileNotFoundError as missing:
            pytest.skip(str(missing))
        yield browser
