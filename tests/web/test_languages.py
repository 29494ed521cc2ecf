"""The language of a visitor: what the browser accepts, what was chosen, and drafts on request."""

import pytest

from tavola import games
from tavola.show.speech import DRAFTS
from tavola.web.requests.visitor import asked_language
from tests.helpers.site import Site


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("de ; q=0.9 , it ; q=0.95", "it"),
        ("de\t;\tQ = 0.9, it;q=0.95", "it"),
        ("en;q=0.1, fr;q=0.2", "fr"),
        ("pt-BR, pt;q=0.9, fr;q=0.5", "fr"),
        ("zh-Hans-CN, it-IT;q=0.7", "it"),
        ("*", "en"),
        ("*;q=0.5, de", "de"),
        ("de;q=0.3, *;q=0.5", "en"),
        ("de;q=0, *", "en"),
        ("en;q=0, *", "it"),
        ("en;q=0.0, it;q=0, *;q=0.1", "fr"),
        ("en;q=0", "it"),
        ("en;q=0, it;q=0, fr;q=0, de;q=0", "en"),
        ("de-CH;q=0, de;q=0.5", "de"),
        ("it;q=nan, de;q=0.2", "de"),
        ("it;q=1e9, de;q=0.2", "de"),
        ("fr;q=1.000,de;q=1", "fr"),
        (",,;q=1,it;;q=2,de;q=0.4", "de"),
        ("xx," * 20 + "de;q=0.9", "de"),
    ],
)
def test_the_language_is_the_best_that_a_browser_accepts(accepted, language):
    assert asked_language("", accepted) == language


def test_a_language_that_was_chosen_comes_first():
    assert asked_language("a=b; language=fr", "de") == "fr"


def test_a_draft_opens_rooms_of_every_game_and_is_in_no_menu(site: Site, monkeypatch):
    monkeypatch.setitem(DRAFTS, "es", "Español")
    with site.guest("es") as guest:
        offered = guest.get("/").text
        assert '<html lang="en"' in offered
        assert "Español" not in offered
        assert guest.get("/language/eo").status_code == 404
        chosen = guest.get("/language/es").text
        assert '<html lang="es"' in chosen
        assert "Español" in chosen, "the menu shows what was chosen"
        for name in games.names():
            code = guest.create(game=name)
            guest.post(f"/r/{code}/fill", data={"level": "random"})
            page = guest.get(f"/r/{code}")
            assert page.status_code == 200, name
            assert '<html lang="es"' in page.text
            assert guest.get(f"/games/{name}/rules").status_code == 200
    with site.guest("en") as guest:
        assert "Español" not in guest.get("/").text
