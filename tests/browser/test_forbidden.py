"""Browsers and networks that forbid storage, WebSockets or cookies: playing is still possible."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import APIResponse, Browser, Route

from tavola.web.requests.limits import UNHURRIED
from tests.helpers.browser import BrowserGuest, Visit, script_page
from tests.helpers.site import Site, site_at

STORAGES = {
    "full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
    "denied": """for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } })""",
    "null": """for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, { get: () => null })""",
}
PAGE = "<!doctype html><script type=module src=/begin.js></script>"
SOCKETS = {
    "not constructed": "throw new DOMException('forbidden', 'SecurityError')",
    "refused": "return new Real(url.replace('/socket', '/no-socket'))",
    "silent": "const silent = new EventTarget(); silent.readyState = 0;"
    "silent.close = () => console.error('closed before it was open'); return silent",
}
"""How WebSockets fail in networks that forbid them."""


def forbid_sockets(how: str) -> str:
    """Return a script that makes WebSockets fail in this way until `window.allowed` is set."""
    return f"""const Real = WebSocket;
    window.WebSocket = function (url) {{ if (window.allowed) return new Real(url); {SOCKETS[how]}; }};"""


@pytest.mark.parametrize("storage", STORAGES)
def test_what_cannot_be_stored_is_kept_while_the_page_is_open(chromium: Browser, storage: str):
    begin = f"""{STORAGES[storage]};
      const {{ device, tab }} = await import("/site/storage.js");
      window.found = [device, tab].map((each) => {{
        const before = each.read("talk"), kept = each.keep("talk", "[1]"), told = each.parsed("talk");
        each.forget("talk");
        return [before, kept, told, each.read("talk"), each.lasts()];
      }});
      window.ready = true;"""
    with script_page(chromium, {"/": PAGE, "/begin.js": begin}) as opened:
        assert opened().evaluate("found") == [[None, False, [1], None, False]] * 2


def test_without_storage_one_plays_and_is_not_sent_back_to_the_first_minute(visit: Visit):
    ada = visit(lessons=True)
    ada.context.add_init_script(STORAGES["denied"])
    page, code = ada.page, ada.start()
    ada.press(ada.wait_for_choices()["codes"][0])
    page.goto(f"/r/{code}/minute")
    page.click(".skip-minute")
    page.wait_for_url(f"**/r/{code}")
    ada.wait_for_choices()
    ada.open_panel("notes")
    page.fill("#pad-words", "They vote red")
    page.wait_for_selector("#pad [role=status]:has-text('Saved')")


@pytest.mark.parametrize("how", SOCKETS)
def test_without_sockets_the_table_is_asked_for_changes_and_goes_on(site: Site, visit: Visit, how: str):
    ada = visit()
    ada.context.add_init_script(forbid_sockets(how))
    page, code = ada.page, ada.start()
    ada.press(ada.wait_for_choices()["codes"][0])
    page.wait_for_selector("#polled:not([hidden])")
    assert not page.locator("#banner").is_visible()
    with site.guest() as bruno:
        bruno.post(f"/r/{code}/say", data={"text": "All hands on deck!"})
    page.wait_for_selector("text=All hands on deck!", state="attached")
    assert site.room(code).presence.people == [site.room(code).state.host.id]
    ada.press(ada.wait_for_choices()["codes"][0])
    ada.console_errors[:] = [error for error in ada.console_errors if "WebSocket connection" not in error]
    page.evaluate("window.allowed = true; dispatchEvent(new Event('online'))")
    page.wait_for_selector("#polled", state="hidden")
    ada.press(ada.wait_for_choices()["codes"][0])


def test_a_late_answer_to_a_request_does_not_cover_what_a_socket_has_shown(visit: Visit):
    ada = visit()
    ada.context.add_init_script(forbid_sockets("not constructed"))
    page, answers = ada.page, list[tuple[Route, APIResponse]]()
    ada.start()
    page.wait_for_selector("#polled:not([hidden])")
    choices = ada.wait_for_choices()

    def keep_acknowledgement(route: Route) -> None:
        played = '"type":"play"' in (route.request.post_data or "")
        answers.append((route, route.fetch())) if played and not answers else route.continue_()

    page.route("**/exchange", keep_acknowledgement)
    ada.press(choices["codes"][0])
    ada.wait(lambda: answers)
    page.evaluate("window.allowed = true; dispatchEvent(new Event('online'))")
    page.wait_for_selector("#polled", state="hidden")
    shown = ada.wait_for_choices()
    ((route, response),) = answers
    with page.expect_response("**/exchange") as late:
        route.fulfill(response=response)
    late.value.finished()
    assert ada.wait_for_choices() == shown
    ada.press(shown["codes"][0])
    ada.wait_for_choices()


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        ({"sockets_an_address": 0}, "Too many pages are open from your network for live updates."),
        (
            {"sockets_an_address": 0, "posts_an_address": (0.0, 5)},
            "There’s too much traffic from your network",
        ),
    ],
)
def test_a_page_tells_a_limit_from_a_broken_line(tmp_path: Path, chromium: Browser, limits, sentence):
    """Opening the room counts for five posts; all later ones are refused."""
    with site_at(tmp_path / "t.sqlite", replace(UNHURRIED, **limits)) as site, site.guest() as bruno:
        code = bruno.create()
        ada = BrowserGuest(chromium, site.url)
        ada.page.goto(f"/r/{code}")
        ada.page.wait_for_selector(f"text={sentence}")
        assert not ada.page.locator("text=Connection lost").count()
        assert not ada.page.locator("text=This network blocks").is_visible()
        ada.console_errors[:] = [error for error in ada.console_errors if "429" not in error]
        ada.close()


def test_without_sockets_the_page_turns_when_the_match_begins(site: Site, visit: Visit):
    ada = visit()
    ada.context.add_init_script(forbid_sockets("not constructed"))
    page = ada.page
    with site.guest() as bruno:
        code = bruno.create(name="Bea")
        page.goto(f"/r/{code}")
        page.fill("#join-name", "Ada")
        page.click("#join-form button")
        page.wait_for_selector("#polled:not([hidden])")
        bruno.post(f"/r/{code}/fill", data={"level": "random"})
        page.wait_for_selector(".room.playing")
        assert page.locator("#polled").is_visible(), "it says so on the next page, too"
