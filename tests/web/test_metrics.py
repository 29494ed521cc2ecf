"""What operators and authors see: figures for Prometheus, readiness, logs, and tracebacks on the pages."""

import contextlib
import json
import logging
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import httpx
import pytest
from prometheus_client import REGISTRY, Counter, Gauge, Histogram
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from tavola import metrics
from tavola.cli.new_game import new_game
from tavola.live.readiness import Readiness
from tavola.web.requests.guard import HostNames
from tavola.web.serve.logs import FORMATTERS, OnceAMinute
from tavola.web.serve.server import show_tracebacks
from tests.helpers import PATIENCE, ROOT, environment, wait_for
from tests.helpers.drills import write_package_metadata
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
    before, code = figures(site.url), ada.create()
    ada.post(f"/r/{code}/fill", data={"level": "random"})
    wait_for(lambda: site.room(code).prompt_id(0) is not None)
    refused = value("tavola_refusals_total", kind="UnknownRoom")
    assert ada.get("/r/nosuchroom").status_code == 404
    with socket(site, ada, code) as line:
        line.send('{"type":"ping"}')
        wait_for(lambda: figures(site.url)["tavola_answer_seconds_count"] > before["tavola_answer_seconds_count"])
        after = figures(site.url)
    assert after["tavola_sockets"] == before["tavola_sockets"] + 1
    assert after["tavola_rooms"] >= 1, "at least this one; rooms of other tests may leave at any time"
    assert after["tavola_moves_total"] > before["tavola_moves_total"]
    assert after["tavola_commit_seconds_count"] > before["tavola_commit_seconds_count"]
    assert value("tavola_refusals_total", kind="UnknownRoom") == refused + 1
    wait_for(lambda: figures(site.url)["tavola_sockets"] == before["tavola_sockets"])


def test_figures_are_for_this_machine_or_whoever_has_the_token(path: Path):
    with site_at(path, proxies=("127.0.0.1",), metrics_token="a-token") as site:
        elsewhere = {"X-Forwarded-For": "203.0.113.7"}
        assert httpx.get(f"{site.url}/metrics", headers=elsewhere).status_code == 403
        for wrong in ("", "Basic a-token", "Bearer other"):
            assert httpx.get(f"{site.url}/metrics", headers={**elsewhere, "Authorization": wrong}).status_code == 403
        assert figures(site.url, Authorization="Bearer a-token", **elsewhere)
        assert figures(site.url)


def test_without_a_declared_proxy_what_a_proxy_forwards_gets_no_figures(path: Path):
    with site_at(path, names=HostNames.parse(["https://play.example"])) as site:
        assert figures(site.url)
        for passed in ({"X-Forwarded-For": "203.0.113.7"}, {"Host": "play.example"}):
            assert httpx.get(f"{site.url}/metrics", headers=passed).status_code == 403


def test_the_dashboard_shows_every_figure_and_no_other():
    """A histogram is shown by its quantiles; its number of observations may be shown, too."""
    panels = json.loads((ROOT / "docs" / "grafana.json").read_text())["panels"]
    asked = [target["expr"] for panel in panels for target in panel["targets"]]
    labels, needed, shown = dict[str, set[str]](), set[str](), set[str]()
    for each in vars(metrics).values():
        if isinstance(each, Counter | Gauge | Histogram):
            (family,), kind = each.describe(), type(each)
            name = family.name + {Counter: "_total", Gauge: "", Histogram: "_bucket"}[kind]
            needed.add(name)
            labels[name] = {*each._labelnames, *(("le",) if kind is Histogram else ())}
            labels[f"{family.name}_count"] = set(each._labelnames)
    for query in asked:
        (name,) = re.findall(r"tavola_\w+", query)
        shown.add(name)
        assert name in labels, query
        assert set(re.findall(r"\w+", "".join(re.findall(r"by \((.*?)\)", query)))) <= labels[name], query
    assert needed <= shown
    assert len({panel["id"] for panel in panels}) == len({str(panel["gridPos"]) for panel in panels}) == len(panels)


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


# Logs


def record(message: str, *values: object, level: int = logging.WARNING) -> logging.LogRecord:
    try:
        raise RuntimeError("out of wine")
    except RuntimeError:
        return logging.LogRecord("tavola.club", level, "file", 1, message, values, sys.exc_info())


def test_a_record_is_one_line_of_json():
    text = FORMATTERS["json"].format(record("%s “guests”\nwait", 3))
    assert "\n" not in text
    found = json.loads(text)
    assert (found["level"], found["logger"], found["message"]) == ("warning", "tavola.club", "3 “guests”\nwait")
    assert found["time"].endswith("+00:00")
    assert "RuntimeError: out of wine" in found["traceback"]


def test_only_warnings_are_left_out():
    passes = OnceAMinute()
    assert [passes.filter(record("GET /", level=logging.DEBUG)) for _ in range(3)] == [True] * 3
    assert [passes.filter(record("the disk is full")) for _ in range(3)] == [True, False, False]


def test_requests_are_logged_without_the_codes_of_rooms(path: Path, caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.DEBUG, "tavola.web.requests.guard"), site_at(path) as site, site.guest() as guest:
        code = guest.create()
    said = [each.getMessage() for each in caplog.records]
    assert any(line.startswith("GET /r/… in ") for line in said), said
    assert code not in caplog.text


# An author’s site


PAGE = {"Accept": "text/html"}


@pytest.fixture
def served(tmp_path: Path):
    folder = new_game("harbour", tmp_path / "harbour")
    write_package_metadata(folder)
    command = [sys.executable, "-m", "tavola", "serve", "--author", "harbour", "--port", "0", "--database"]
    found = environment(PYTHONPATH=f"{ROOT}:{folder.parent}")
    with subprocess.Popen([*command, tmp_path / "t.sqlite"], stdout=subprocess.PIPE, text=True, env=found) as server:
        url = server.stdout.readline().rpartition(" ")[2].strip()
        with httpx.Client(base_url=url, headers=PAGE, follow_redirects=True, timeout=PATIENCE) as web:
            yield folder, web
        server.terminate()


def until(web: httpx.Client, path, text):
    pages = [httpx.Response(503)]

    def is_there():
        with contextlib.suppress(httpx.TransportError):  # the server restarts
            pages.append(web.get(path))
        return text in pages[-1].text

    wait_for(is_there, lambda: pages[-1].text[:2000])
    return pages[-1]


@pytest.mark.process
def test_an_edit_is_on_the_page_and_a_mistake_is_shown_until_it_is_mended(served: tuple[Path, httpx.Client]):
    folder, web = served
    until(web, "/", "<article")
    room = web.post("/quick", data={"game": "harbour", "level": "search"}).url.path
    rules = folder / "rules.py"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text + "\nthis is no Python\n", encoding="utf-8")
    broken = until(web, "/", "SyntaxError")
    assert (broken.status_code, broken.headers["X-Traceback"]) == (500, "yes")
    assert "Refresh" in broken.headers
    rules.write_text(text, encoding="utf-8")
    until(web, "/", "<article")
    assert "prompt_id" in until(web, room, "prompt_id").text, "the match goes on"


async def test_what_is_logged_is_shown_once_by_the_next_page_and_by_nothing_else():
    async def fine(request: pytest.FixtureRequest):
        return PlainTextResponse("fine")

    async def fails(request: pytest.FixtureRequest):
        raise ValueError("expected <something>")

    app = Starlette(routes=[Route("/", fine), Route("/fails", fails)])
    before = list(logging.getLogger().handlers)
    show_tracebacks(app, HostNames(frozenset({"tavola"})))
    try:
        web = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://tavola")
        try:
            raise RuntimeError("a bot failed")
        except RuntimeError:
            logging.getLogger("tavola").exception("in a room")
        assert (await web.get("/")).text == "fine", "a program asks for no page"
        assert (await web.get("/", headers={**PAGE, "Host": "evil.example"})).text == "fine", "a name that is not ours"
        assert "RuntimeError: a bot failed" in (await web.get("/", headers=PAGE)).text
        assert (await web.get("/", headers=PAGE)).text == "fine"
        assert "ValueError: expected &lt;something&gt;" in (await web.get("/fails", headers=PAGE)).text
    finally:
        logging.getLogger().handlers[:] = before
