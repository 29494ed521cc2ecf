"""A site below a path of its host: whatever a page asks for is below that path, and everything is found there."""

import re
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Page, expect

from tavola.web.requests.guard import HostNames
from tavola.web.requests.subpath import LINKED
from tests.helpers import ROOT, wait_for
from tests.helpers.browser import Visit
from tests.helpers.site import begin_correspondence, open_socket, site_at

BELOW = "/play/games"
"""Also the beginning of addresses of the site itself: it must be removed only once."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    names = HostNames.parse([f"http://127.0.0.1{BELOW}/"])
    with site_at(tmp_path_factory.mktemp("site") / "tavola.sqlite", names=names) as running:
        yield running


LINKS = """
() => ["href", "src", "action"].flatMap(name =>
    [...document.querySelectorAll(`[${name}]`)].map(part => part.getAttribute(name)))
"""


def watch(page: Page) -> list[str]:
    """Return the list to which each request outside the path, and each unsuccessful answer, will be added."""
    wrong: list[str] = []

    def note(response) -> None:
        path = urlsplit(response.url).path
        if not path.startswith(f"{BELOW}/") or response.status >= 400:
            wrong.append(f"{response.status} {path}")

    page.on("response", note)
    return wrong


def test_a_match_is_played_below_a_path(site, visit: Visit):
    with site.guest() as guest:
        code, ada = guest.quick(), visit(width=1280, height=800)
        ada.become(guest)
        wrong = watch(ada.page)
        with ada.page.expect_websocket(lambda socket: f"{BELOW}/r/{code}/socket" in socket.url):
            ada.page.goto(f"{site.url}/r/{code}")
        room = site.room(code)
        for _ in range(3):
            prompt = room.prompt_id(0)
            ada.press(ada.wait_for_choices()["codes"][0])
            ada.wait(lambda prompt=prompt: room.prompt_id(0) not in (None, prompt))
        assert {link for link in ada.page.evaluate(LINKS) if not link.startswith((f"{BELOW}/", "#", "http"))} == set()
        site.finish(code)
        ada.page.reload()
        ada.page.click("text=Replay")
        ada.page.wait_for_url(f"**{BELOW}/r/{code}/replay*")
        ada.page.click(f"a[href='{BELOW}/r/{code}']")
        ada.page.click("text=Play again")
        ada.page.wait_for_url(re.compile(rf"{BELOW}/r/(?!{code})\w+$"))
        assert wrong == []


def test_pages_below_a_path_lead_to_each_other_and_work_without_the_site(site, visit: Visit):
    with site.guest() as guest:
        code, ada = begin_correspondence(site, guest), visit(width=360, height=740)
        ada.become(guest)
        page, wrong = ada.page, watch(ada.page)
        for path in ("/shelf", "/games/lifeboats/new", "/games/fairies/rules", "/account", "/mine/away", "/mine"):
            page.goto(f"{site.url}{path}")
            linked = page.evaluate(LINKS)
            assert {link for link in linked if not link.startswith((f"{BELOW}/", "#", "http"))} == set(), path
        assert guest.get("/manifest.webmanifest").json()["start_url"] == f"{BELOW}/start"
        page.click(".post.first .button.primary")
        page.wait_for_url(f"**{BELOW}/r/{code}")
        page.evaluate("path => import(path).then(it => it.startWorker())", f"{BELOW}/static/js/app/installed.js")
        kept = "async (name) => (await (await caches.open(name)).keys()).map((each) => new URL(each.url).pathname)"
        wait_for(lambda: f"{BELOW}/mine" in page.evaluate(kept, "boards"))
        wait_for(lambda: f"{BELOW}/games/lifeboats/rules" in page.evaluate(kept, "rules"))
        assert wrong == []
        ada.context.set_offline(True)
        page.goto(f"{site.url}/start")
        expect(page.locator(".old [role=status]")).to_be_visible()
        page.click(".old a")
        expect(page.get_by_role("heading", name="Lifeboats: rules")).to_be_visible()


def test_addresses_outside_the_path_are_refused_and_programs_get_whole_ones(site):
    host = site.url.removesuffix(BELOW)
    with site.guest() as guest, httpx.Client() as stranger:
        assert stranger.get(f"{host}{BELOW}").headers["location"] == f"{BELOW}/"
        assert stranger.get(f"{host}/health").text.startswith("ok")
        answer = stranger.get(f"{host}/mine")
        refusal = f"Expected an address below {BELOW}/: the proxy must pass paths unchanged.\n"
        assert (answer.status_code, answer.text) == (404, refusal)
        assert guest.head("/shelf").status_code == 200
        code, asked = guest.create(), {"Accept": "application/json"}
        program = guest.post(f"/r/{code}/program", data={"name": "Robot"}, headers=asked).json()
        assert program["socket"].startswith(f"{site.url.replace('http', 'ws')}/r/{code}/socket?form=json&token=")
        with open_socket(site.url, guest, code, "json") as socket:
            assert f'"room":"{code}"' in str(socket.recv())


@pytest.mark.parametrize("addresses", [["https://a.example/x", "b.example/y"], ["https://a.example/x?y"], ["a/ä"]])
def test_addresses_with_different_or_unusual_paths_are_refused(addresses):
    with pytest.raises(ValueError, match="expected"):
        HostNames.parse(addresses)


def test_pages_and_fragments_get_the_path_in_the_same_attributes():
    script = (ROOT / "tavola/web/static/js/site/morph.js").read_text(encoding="utf-8")
    (listed,) = re.findall(r"^const LINKED = (.*)$", script, re.MULTILINE)
    assert listed.replace(r"\/", "/") == f"/{LINKED.pattern.decode()}/g;"
