"""Timeouts that must not expire during a test on a slow machine, and resources that are closed after it."""

from collections.abc import Iterator

import pytest

from tests.helpers.days import HOUR
from tests.helpers.drills import register_drills
from tests.helpers.site import open_resources


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send no presence updates while tests count messages, let chat lines stay spent, and let bots finish speaking."""
    monkeypatch.setattr("tavola.live.presence.SETTLING", HOUR)
    monkeypatch.setattr("tavola.live.presence.CHAT_WINDOW", HOUR)
    monkeypatch.setattr("tavola.live.bots.bargaining.SPEAKING", HOUR)


@pytest.fixture(autouse=True)
def _drills(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    for mark in request.node.iter_markers("drills"):
        register_drills(monkeypatch, *mark.args)


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    with open_resources:
        yield
