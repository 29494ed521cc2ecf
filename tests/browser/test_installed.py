"""The installed page offline: the shell and the last boards are available, and an old board never looks new."""

import hashlib
import re
import struct

import pytest
from playwright.sync_api import Error, expect

from tavola.web.requests.visitor import WEB_FOLDER
from tests.helpers import wait_for
from tests.helpers.browser import HIDE, PHONE, Visit, violations
from tests.helpers.site import Guest, Site, begin_correspondence

START = "import('/static/js/app/installed.js').then((installed) => installed.startWorker())"
KEPT = """(name) => caches.open(name).then((cache) => cache.keys())
  .then((kept) => kept.map((one) => new URL(one.url).pathname))"""
OTHER_LANGUAGE = "(path) => fetch(path, { headers: { 'Accept-Language': 'fr' } }).then((answer) => answer.text())"
TEXT = "(path) => caches.open('boards').then((cache) => cache.match(path)).then((kept) => kept.text())"
MANY = """async () => {
  const keep = (length, asked) => keepBoard(`/r/${"a".repeat(length)}`,
    new Response("", { headers: { "Content-Type": "text/html" } }), asked);
  for (let length = 1; length < 13; length++) await keep(length, length);
  for (const length of [2, 13]) await keep(length, 20);
  const kept = await (await caches.open(BOARDS)).keys();
  return kept.map((one) => new URL(one.url).pathname);
}"""
"""Saves a dozen boards, then the second again and a new one: the first is removed."""


def test_a_browser_learns_how_to_install_it(ada: Guest):
    """In the guest's language; every icon exists and has the size declared."""
    told = ada.get("/manifest.webmanifest", headers={"Accept-Language": "de"})
    assert told.headers["Content-Type"].startswith("application/manifest+json")
    manifest = told.json()
    assert (manifest["lang"], manifest["display"], manifest["start_url"]) == ("de", "standalone", "/start")
    assert "Brettspiele" in manifest["description"]
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    shortcuts = [(each["name"], each["url"]) for each in manifest["shortcuts"]]
    assert shortcuts == [("Meine Partien", "/mine"), ("Mit Code beitreten", "/#code")]
    for icon in manifest["icons"]:
        answer = ada.get(icon["src"])
        assert answer.headers["Content-Type"].startswith(icon["type"])
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", answer.content[16:24])
            assert icon["sizes"] == f"{width}x{height}"


def test_it_starts_where_a_match_waits_and_its_icon_counts_them(ada: Guest, bruno: Guest, site: Site):
    """Matches over days in which the guest has to decide."""
    assert (ada.get("/start").url.path, ada.get("/mine/waiting").json()) == ("/", {"count": 0, "rules": []})
    begin_correspondence(site, ada)
    told = {"count": 1, "rules": ["/games/lifeboats/rules"]}
    assert (ada.get("/start").url.path, ada.get("/mine/waiting").json()) == ("/mine", told)
    assert bruno.get("/start").url.path == "/"


def test_icons_are_those_that_were_drawn_from_the_sources_beside_them():
    folder = WEB_FOLDER / "static" / "icons"
    listed = [line.split() for line in (folder / "README.md").read_text().splitlines() if "  " in line]
    told = {name: digest for digest, name in listed}
    drawn = [path for path in folder.iterdir() if path.suffix in (".svg", ".png")]
    assert told == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in drawn}


def test_the_service_worker_is_served_at_the_root_and_never_cached(ada: Guest):
    answer = ada.get("/worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.text == (WEB_FOLDER / "static" / "js" / "app" / "worker.js").read_text(encoding="utf-8")


def test_without_network_the_last_board_is_shown_as_what_it_is(bruno: Guest, visit: Visit):
    ada = visit(width=360, height=740, drawn=True)
    code, page = ada.open_room(), ada.page
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    path = f"/r/{code}"
    page.evaluate(START)
    wait_for(lambda: path in page.evaluate(KEPT, "boards"))
    assert "Bea" not in page.evaluate(TEXT, path)
    bruno.sit(code, "Bea")
    page.evaluate(HIDE, True)
    page.evaluate(HIDE, False)
    wait_for(lambda: "Bea" in page.evaluate(TEXT, path))
    ada.context.set_offline(True)
    page.reload()
    old = page.locator(".old [role=status]")
    expect(old).to_contain_text(re.compile(r"^No connection\. This is how it looked on \d+ \w+ \d{4}, \d\d:\d\d\.$"))
    assert page.locator("main").get_attribute("inert") is not None
    expect(page.locator("main .chair").first).to_contain_text("Ada")
    assert page.evaluate("getComputedStyle(document.body).fontFamily").startswith("system-ui")
    ada.screenshot("installed-offline", full_page=False)
    assert violations(page, runOnly=["wcag2a", "wcag2aa"]) == []
    with pytest.raises(Error):
        ada.tab().goto("/games/voyage/rules")  # this page was never saved
    page.goto(path)
    expect(old).to_be_visible()
    ada.context.set_offline(False)
    expect(old).to_have_count(0)
    assert page.locator("main").get_attribute("inert") is None
    page.evaluate("fetch('/account/device', { method: 'POST' })")
    wait_for(lambda: page.evaluate(KEPT, "boards") == [])
    assert ada.context.service_workers[0].evaluate(MANY) == [f"/r/{'a' * length}" for length in (*range(3, 13), 2, 13)]
    expected = "Failed to load resource", "Failed to read the 'localStorage'"  # from the missing page
    ada.console_errors[:] = [told for told in ada.console_errors if not told.startswith(expected)]


def test_without_network_it_starts_at_my_games_and_opens_the_rules_of_their_matches(
    ada: Guest, site: Site, visit: Visit
):
    """In the language of the reader, who has never opened a page of rules."""
    begin_correspondence(site, ada)
    reader, rules = visit(**PHONE, drawn=True, locale="de-DE"), "/games/lifeboats/rules"
    reader.become(ada)
    page = reader.page
    page.goto("/mine")
    page.evaluate(START)
    wait_for(lambda: "/mine" in page.evaluate(KEPT, "boards") and rules in page.evaluate(KEPT, "rules"))
    reader.context.set_offline(True)
    page.goto("/start")
    expect(page.locator(".mine h1")).to_have_text("1 Partie wartet auf dich")
    reader.screenshot("installed-mine-offline", full_page=False)
    page.locator(".old").get_by_role("link", name="Regeln · Rettungsboote").click()
    expect(page.locator("#minute-title")).to_have_text("Die Regeln in einer Minute")
    assert "Die Regeln in einer Minute" in page.evaluate(OTHER_LANGUAGE, rules)
