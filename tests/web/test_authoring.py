"""An author's site: edits appear on the page by themselves, and so do errors."""

import contextlib
import logging
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from tavola.cli.new_game import new_game
from tavola.web.requests.guard import HostNames
from tavola.web.serve.server import show_tracebacks
from tests.helpers import PATIENCE, ROOT, environment
from tests.helpers.drills import write_package_metadata

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
    patience = time.monotonic() + PATIENCE
    while time.monotonic() < patience:
        with contextlib.suppress(httpx.TransportError):  # the server restarts
            page = web.get(path)
            if text in page.text:
                return page
        time.sleep(0.1)
    raise AssertionError(page.text[:2000])


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
        failed = await web.get("/fails", headers=PAGE)
        assert "ValueError: expected &lt;something&gt;" in failed.text
    finally:
        logging.getLogger().handlers[:] = before
