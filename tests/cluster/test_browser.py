"""Workers are replaced under an open page: it comes back by itself, and what was clicked meanwhile counts once."""

import contextlib
import signal

import pytest
from playwright.sync_api import Browser, expect

from tavola.store import open_store
from tests.browser.test_pages import NEXT_PROMPT
from tests.cluster.test_workers import Served
from tests.helpers.browser import BrowserGuest

pytestmark = pytest.mark.browser
WATCHED = """
window.lines = [];
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("open", () => lines.push(["open", performance.now()]));
    this.addEventListener("close", (event) => lines.push([event.code, performance.now()]));
  }
};
"""
"""Notes when lines open, and how and when they end."""
AWAY = 8000
"""Milliseconds for which a page may be without a line, on a machine that does much else: it waits for 600 at most."""


def play(visitor: BrowserGuest):
    """Do what is asked, and see that it is done."""
    asked = visitor.wait_for_choices()
    visitor.press(asked["codes"][0])
    visitor.page.wait_for_function(NEXT_PROMPT, arg=asked["prompt"])


def test_a_page_comes_back_by_itself_when_its_worker_is_replaced(served: str, chromium: Browser):
    site = Served(served)
    ada = BrowserGuest(chromium, site.url)
    ada.context.add_init_script(WATCHED)
    try:
        code = ada.start()
        play(ada)
        site.signal(signal.SIGHUP)
        ada.page.wait_for_function("() => lines.length > 1", timeout=60_000)
        play(ada)
        expect(ada.page.locator("#banner")).not_to_contain_text("lost")
        play(ada)
        (_, _), (how, ended), (_, back) = ada.page.evaluate("lines")
        assert how == 1012, "once, and because the worker said so"
        assert back - ended < AWAY
        ada.close()
    finally:
        site.close()
    with contextlib.closing(open_store(served)) as store:
        events = store.events(code)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    commands = [event.command_id for event in events if event.command_id]
    assert len(commands) == len(set(commands))
    assert len(commands) >= 3, "all that was clicked was done"
