"""Clocks of the product that must not run out while a slow machine is still at a test."""

import pytest

from tests.helpers.days import HOUR


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told who came and went while a test counts what people are told; lines of chat stay spent."""
    monkeypatch.setattr("tavola.live.presence.SETTLING", HOUR)
    monkeypatch.setattr("tavola.live.presence.CHAT_WINDOW", HOUR)
