"""The talk window on the page: a clock for all, and stored choices only for their owners."""

import re
import time

from tests.helpers import PATIENCE
from tests.helpers.days import HOUR
from tests.helpers.site import Guest, Site, choices_in
from tests.web.test_statements import rooms_of_two


def notice_of(page: str) -> str:
    found = re.search(r"<form[^>]*talk-window.*?</form>", page, re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", found[0])).strip() if found else ""


def until_window(site: Site, code: str, *guests: Guest) -> None:
    room = site.room(code)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if (window := room.state.window) is not None:
            window.until += HOUR
            return
        for guest in guests:
            prompt_id, codes = choices_in(guest.get(f"/r/{code}").text)
            if codes and not codes[0].startswith("vote"):
                guest.play(code, prompt_id, codes[0])
    raise AssertionError("no ballot has opened")


def test_a_pending_choice_is_shown_to_its_player_and_can_be_changed(site: Site, ada: Guest, bruno: Guest):
    code = rooms_of_two(site, ada, bruno, window="60")
    until_window(site, code, ada, bruno)
    page = ada.get(f"/r/{code}").text
    assert notice_of(page) == "Time to talk. Done talking"
    assert "windowed" in page
    prompt_id, codes = choices_in(page)
    for chosen in codes[:2]:
        page = ada.play(code, prompt_id, chosen).text
        assert "Ready to play:" in notice_of(page)
        assert choices_in(page) == (prompt_id, codes)
    assert "Ready to play:" not in notice_of(bruno.get(f"/r/{code}").text)
    assert "Waiting for the others" in notice_of(ada.post(f"/r/{code}/enough").text)
    bruno.post(f"/r/{code}/enough")
    room = site.room(code)
    seat = room.names.index("Ada")
    cast = [room.state.game.actions.code(number) for actor, number in room.state.match.history if actor == seat]
    assert cast[-1] == codes[1]
    assert choices_in(bruno.get(f"/r/{code}").text)[1]


def test_a_quick_match_has_no_window_and_others_only_where_it_is_chosen(site: Site, ada: Guest):
    assert site.room(ada.quick()).state.settings.window == 0
    assert site.room(ada.create()).state.settings.window == 0
    assert site.room(ada.create(window="30")).state.settings.window == 30
    assert ada.post("/rooms", data={"game": "lifeboats", "name": "Ada", "window": "20"}).status_code == 400
    assert 'name="window"' in ada.get("/games/lifeboats/new").text
