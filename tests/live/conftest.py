"""Timeouts of the product that must not expire during a test on a slow machine, and a clock that tests turn."""

import pytest

from tests.helpers.days import HOUR, SiteClock


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send no presence updates while tests count messages, and let chat lines stay spent."""
    monkeypatch.setattr("tavola.live.presence.SETTLING", HOUR)
    monkeypatch.setattr("tavola.live.presence.CHAT_WINDOW", HOUR)


@pytest.fixture
def clock() -> SiteClock:
    return SiteClock()
