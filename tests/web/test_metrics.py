"""Figures for Prometheus, and readiness."""

from collections import defaultdict
from pathlib import Path

import httpx
import pytest
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from tavola.live.readiness import Readiness
from tests.helpers import PATIENCE, wait_for
from tests.helpers.site import Site, site_at
from tests.web.test_security import socket


def figures(url: str, **headers: str) -> dict[str, float]:
    """Return the value of each figure, those of all its labels together; 0 for what has not happened yet."""
    answer = httpx.get(f"{url}/metrics", headers=headers, timeout=PATIENCE)
    assert answer.status_code == 200, answer.text
    found: dict[str, float] = defaultdict(float)
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            found[sample.name] += sample.value
    return found


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def test_what_happens_is_counted(site: Site, ada, steady):
    before = figures(site.url)
    code = ada.create()
    ada.post(f"/r/{code}/fill", data={"level": "random"})
    wait_for(lambda: site.room(code).prompt_id(0) is not None)
    refused = value("tavola_refusals_total", kind="UnknownRoom")
    assert ada.get("/r/nosuchroom").status_code == 404
    with socket(site, ada, code) as line:
        line.send('{"type":"ping"}')
        wait_for(lambda: figures(site.url)["tavola_answer_seconds_count"] > before["tavola_answer_seconds_count"])
        after = figures(site.url)
    assert after["tavola_sockets"] == before["tavola_sockets"] + 1
    assert after["tavola_rooms"] >= before["tavola_rooms"]
    assert after["tavola_moves_total"] > before["tavola_moves_total"]
    assert after["tavola_commit_seconds_count"] > before["tavola_commit_seconds_count"]
    assert value("tavola_refusals_total", kind="UnknownRoom") == refused + 1
    wait_for(lambda: figures(site.url)["tavola_sockets"] == before["tavola_sockets"])


def test_figures_are_for_this_machine_or_whoever_has_the_token(tmp_path: Path):
    with site_at(tmp_path / "t.sqlite", proxies=("127.0.0.1",), metrics_token="a-token") as site:
        elsewhere = {"X-Forwarded-For": "203.0.113.7"}
        assert httpx.get(f"{site.url}/metrics", headers=elsewhere).status_code == 403
        for wrong in ("", "Basic a-token", "Bearer other"):
            assert httpx.get(f"{site.url}/metrics", headers={**elsewhere, "Authorization": wrong}).status_code == 403
        assert figures(site.url, Authorization="Bearer a-token", **elsewhere)
        assert figures(site.url)


def test_without_a_declared_proxy_what_a_proxy_forwards_gets_no_figures(site: Site):
    assert httpx.get(f"{site.url}/metrics", headers={"X-Forwarded-For": "203.0.113.7"}).status_code == 403


def test_a_site_that_compiles_or_stops_is_healthy_but_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with site_at(tmp_path / "t.sqlite") as site:

        def statuses() -> list[int]:
            return [httpx.get(f"{site.url}/{path}", timeout=PATIENCE).status_code for path in ("ready", "health")]

        assert statuses() == [200, 200]
        with monkeypatch.context() as patched:
            patched.setattr(Readiness, "waiting", ["voyage"])
            assert statuses() == [503, 200]
        monkeypatch.setattr(site.hub.tasks, "closing", True)
        assert statuses() == [503, 200]
