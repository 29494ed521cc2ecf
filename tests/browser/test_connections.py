"""Connections that break, and browsers and networks that forbid storage or WebSockets: playing goes on."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import APIResponse, Browser, Route, expect

from tavola.web.render import environment
from tavola.web.requests.limits import UNHURRIED
from tests.helpers.browser import NEXT_PROMPT, BrowserGuest, Visit, script_page, sent_plays
from tests.helpers.site import Guest, Site, site_at

STORAGES = {
    "full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
    "denied": """for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } })""",
    "null": """for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, { get: () => null })""",
}
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
    files = {"/": "<!doctype html><script type=module src=/begin.js></script>", "/begin.js": begin}
    with script_page(chromium, files) as opened:
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
def test_without_sockets_the_table_is_asked_for_changes_and_goes_on(site: Site, visit: Visit, bruno: Guest, how: str):
    ada = visit()
    ada.context.add_init_script(forbid_sockets(how))
    page, code = ada.page, ada.start()
    ada.press(ada.wait_for_choices()["codes"][0])
    page.wait_for_selector("#polled:not([hidden])")
    expect(page.locator("#banner")).to_be_hidden()  # on a slow machine, a request may have taken too long before
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
    ada.context.add_init_script("AbortSignal.timeout = () => new AbortController().signal")  # the page gives up on none
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
        ({"sockets_an_address": 0, "posts_an_address": (0.0, 5)}, "There’s too much traffic from your network"),
    ],
)
def test_a_page_tells_a_limit_from_a_broken_line(tmp_path: Path, chromium: Browser, limits, sentence):
    """Opening the room counts for five posts; all later ones are refused."""
    with site_at(tmp_path / "t.sqlite", replace(UNHURRIED, **limits)) as site, site.guest() as bruno:
        code, ada = bruno.create(), BrowserGuest(chromium, site.url)
        ada.page.goto(f"/r/{code}")
        ada.page.wait_for_selector(f"text={sentence}")
        assert not ada.page.locator("text=Connection lost").count()
        assert not ada.page.locator("text=This network blocks").is_visible()
        ada.console_errors[:] = [error for error in ada.console_errors if "429" not in error]
        ada.close()


def test_without_sockets_the_page_turns_when_the_match_begins(visit: Visit, bruno: Guest):
    ada = visit()
    ada.context.add_init_script(forbid_sockets("not constructed"))
    page, code = ada.page, bruno.create(name="Bea")
    page.goto(f"/r/{code}")
    page.fill("#join-name", "Ada")
    page.click("#join-form button")
    page.wait_for_selector("#polled:not([hidden])")
    bruno.post(f"/r/{code}/fill", data={"level": "random"})
    page.wait_for_selector(".room.playing")
    assert page.locator("#polled").is_visible(), "it says so on the next page, too"


# Connections that break


def test_reload_second_tab_and_lost_line_keep_the_seat_and_the_exact_state(site: Site, visit: Visit):
    ada = visit()
    code = ada.start()
    room, page = site.room(code), ada.page
    ada.press(ada.wait_for_choices()["codes"][0])
    before = ada.wait_for_choices()
    while before["prompt"] != str(room.prompt_id(0)):
        before = ada.wait_for_choices()
    page.reload()
    assert ada.wait_for_choices() == before
    second = ada.tab()
    second.goto(f"/r/{code}")
    assert second.evaluate("document.getElementById('room').dataset.me") == "0"
    second.wait_for_selector("#offers:not(.inert) .choice")
    ada.page = second
    ada.press(before["codes"][0])
    ada.page = page
    page.wait_for_function(NEXT_PROMPT, arg=before["prompt"])
    second.close()
    held = ada.wait_for_choices()
    faults, sent = list(ada.console_errors), sent_plays(page)
    played = sum(seat == 0 for seat, _ in room.state.match.history)
    for clicked in (False, True):
        ada.context.set_offline(True)
        expect(page.locator("#banner")).to_contain_text("lost")
        if clicked:
            button = f'[data-place="actions"] button[value="{held["codes"][-1]}"]'
            page.evaluate("(button) => document.querySelector(button).click()", button)
            page.wait_for_timeout(300)
            assert sum(seat == 0 for seat, _ in room.state.match.history) == played
        ada.context.set_offline(False)
        expect(page.locator("#banner")).to_contain_text("Reconnected")
    page.wait_for_function(NEXT_PROMPT, arg=held["prompt"])
    assert sum(seat == 0 for seat, _ in room.state.match.history) == played + 1
    after = ada.wait_for_choices()
    assert page.locator("#boat-red").count() == 1
    ada.press(after["codes"][0])
    page.wait_for_function(NEXT_PROMPT, arg=after["prompt"])
    assert len(sent()) == 2, "each of the two was sent once"
    ada.console_errors[:] = faults  # the browser reports that it is offline


def test_what_happens_while_a_page_is_fetched_is_not_covered_by_it(visit: Visit):
    ada, bruno = visit(), visit()
    code = ada.open_room(bots="1")
    bruno.sit(code, "Bea")
    fetched = []
    bruno.page.route(f"**/r/{code}", lambda route: fetched.append((route, route.fetch())))
    ada.begin()
    bruno.wait(lambda: fetched)
    ada.open_panel("talk")
    ada.page.fill("#talk", "Ahoy!")
    ada.page.press("#talk", "Enter")
    expect(ada.page.locator(".chat li", has_text="Ahoy!")).to_have_count(1)
    bruno.page.wait_for_timeout(200)
    ((route, response),) = fetched
    route.fulfill(response=response)
    bruno.page.wait_for_selector(".room.playing")
    expect(bruno.page.locator(".chat li", has_text="Ahoy!")).to_have_count(1)


def test_a_page_that_cannot_be_had_is_asked_for_again(visit: Visit):
    ada = visit()
    code, refused = ada.open_room(bots="2"), []

    def busy_once(route):
        return route.continue_() if refused else refused.append(route.fulfill(status=503, body=""))

    ada.page.route(f"**/r/{code}", busy_once)
    ada.begin()
    assert refused
    assert all("503" in fault for fault in ada.console_errors)
    ada.console_errors.clear()  # the browser reports the answer


def test_a_line_that_is_refused_is_not_lost(visit: Visit):
    ada = visit()
    ada.open_room()
    for number in range(6):
        ada.page.fill("#talk", f"line {number}")
        ada.page.press("#talk", "Enter")
    expect(ada.page.locator("#banner")).to_be_visible()
    expect(ada.page.locator("#talk")).to_have_value("line 5")


def test_a_language_chosen_in_another_tab_is_never_mixed_with_the_old_one(visit: Visit):
    ada = visit()
    ada.open_room(bots="2")
    other = ada.tab()
    other.goto("/")
    other.click("text=Settings")
    other.click("text=Deutsch")
    ada.begin()
    expect(ada.page.locator("html")).to_have_attribute("lang", "de")
    ada.press(ada.wait_for_choices()["codes"][0])
    expect(ada.page.locator(".log")).to_contain_text("Bahn")


@pytest.mark.parametrize("updated", [False, True])
def test_a_server_that_comes_back_finds_its_players_again_and_gives_them_new_scripts(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, updated: bool
):
    database = tmp_path / "t.sqlite"
    with site_at(database) as first:
        port = int(first.url.rpartition(":")[2])
        ada = BrowserGuest(chromium, first.url)
        ada.start()
        before = ada.wait_for_choices()
    expect(ada.page.locator("#banner")).to_contain_text("lost")
    if updated:
        monkeypatch.setitem(environment.globals, "static", f"/static/{'0' * 16}")
    with site_at(database, port=port):
        if updated:
            ada.page.wait_for_selector(f"script[src='/static/{'0' * 16}/js/main.js']", state="attached")
        else:
            expect(ada.page.locator("#banner")).to_contain_text("Reconnected")
        assert ada.wait_for_choices() == before
        ada.press(before["codes"][0])
        ada.page.wait_for_function(NEXT_PROMPT, arg=before["prompt"])
        ada.console_errors.clear()  # the browser reports that there is no answer
        ada.close()
