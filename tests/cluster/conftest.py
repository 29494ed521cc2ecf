"""Timeouts between workers, which must not expire because a machine is slow."""

import pytest

from tavola.live.bots import thinking
from tavola.live.cluster import lobby
from tavola.store.postgres import cluster
from tavola.web.serve import affinity
from tests.helpers import PATIENCE
from tests.helpers.days import HOUR


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the news of workers in this process valid for an hour, and wait for their database."""
    monkeypatch.setattr(cluster, "CLUSTER_TIMEOUT", PATIENCE)
    monkeypatch.setattr(affinity, "HEARTBEAT_TIMEOUT", HOUR)
    for module, name in ((thinking, "NEWS_VALID"), (lobby, "NEWS_VALID"), (lobby, "LOOKS_FOR")):
        monkeypatch.setattr(module, name, HOUR)
