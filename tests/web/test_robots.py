"""Search engines, link previews, and what browsers request by themselves: visitors without a cookie."""

import html
import re

import httpx
import pytest

from tests.helpers.site import Guest, Site, begin_correspondence

PREVIEW = re.compile(r'<meta property="([^"]+)" content="([^"]*)">')


def preview_in(page: str) -> dict[str, str]:
    return {name: html.unescape(content) for name, content in PREVIEW.findall(page)}


def stranger(site: Site, path: str) -> httpx.Response:
    return httpx.get(f"{site.url}{path}", headers={"User-Agent": "WhatsApp/2.23 A"})


def test_private_pages_are_not_listed_and_public_ones_are(site: Site, ada: Guest):
    code = ada.quick()
    seat = re.search(r'value="[^"]+(/seat/[^"]+)"', ada.post("/account/device").text)[1]
    quiet = f"/quiet/{site.app.state.site.visitors.seal_quiet('a', code)}"
    inside = [
        f"/r/{code}{page}" for page in ("", "/minute", "/people", "/why", "/words", "/program", "/replay", "/leave")
    ]
    own = ["/account", "/account/again", f"/account/link/{'x' * 43}", "/mine", "/mine/away", seat, quiet, "/nothing"]
    for path in [*inside, *own, "/r/zzzzzz", "/health"]:
        assert stranger(site, path).headers["x-robots-tag"] == "noindex", path
    assert ada.post("/join", data={"code": code}).headers["x-robots-tag"] == "noindex"
    for path in ("/", "/shelf", "/games/lifeboats/rules", "/games/lifeboats/new", "/robots.txt", "/favicon.ico"):
        answer = stranger(site, path)
        assert (answer.status_code, "x-robots-tag" in answer.headers) == (200, path == "/robots.txt"), path


def test_robots_may_read_that_pages_are_not_to_be_listed(site: Site):
    rules = [line for line in stranger(site, "/robots.txt").text.splitlines() if not line.startswith("#")]
    assert rules == ["User-agent: *", "Disallow:"]


@pytest.mark.parametrize("path", ["/favicon.ico", "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png"])
def test_icons_lie_where_browsers_look_for_them(site: Site, path: str):
    icon = stranger(site, path)
    assert (icon.status_code, icon.headers["content-type"], icon.content[:4]) == (200, "image/png", b"\x89PNG")
    assert "set-cookie" not in icon.headers


def test_a_link_preview_shows_only_the_game_and_the_inviting_host(site: Site, ada: Guest, bruno: Guest):
    code = ada.create(name='Ada "A" <b>', bots="1", level="random")
    bruno.sit(code, "Bea")
    shown = preview_in(stranger(site, f"/r/{code}").text)
    assert shown["og:title"] == 'Ada "A" <b> invites you to play Lifeboats'
    assert shown["og:url"] == f"{site.url}/r/{code}"
    assert shown["og:description"].endswith(".")
    picture = httpx.get(shown["og:image"])
    assert (picture.headers["content-type"], picture.headers["cross-origin-resource-policy"]) == (
        "image/jpeg",
        "cross-origin",
    )
    assert len(picture.content) < 300_000, "WhatsApp shows none that is larger"
    ada.post(f"/r/{code}/fill", data={"level": "random"})
    assert preview_in(stranger(site, f"/r/{code}").text) == shown, "nothing is said of the match"
    assert preview_in(bruno.get(f"/r/{code}").text) == shown
    german = preview_in(httpx.get(f"{site.url}/r/{code}", headers={"Accept-Language": "de"}).text)
    assert german["og:title"] == 'Ada "A" <b> lädt dich ein, „Rettungsboote“ zu spielen'
    assert preview_in(ada.get("/account").text) == {}


def test_a_robot_that_reads_a_room_is_not_a_visitor(site: Site, ada: Guest):
    live, by_post = ada.quick(), begin_correspondence(site, ada)
    seen = "SELECT count(*) FROM seen"
    before = site.run(site.hub.ask(seen, ())), dict(site.room(live).presence._seen_at)
    for code in (live, by_post):
        assert stranger(site, f"/r/{code}").status_code == 200
    assert (site.run(site.hub.ask(seen, ())), site.room(live).presence._seen_at) == before
