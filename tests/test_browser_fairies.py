"""A game of hands and attacks in the browser: two guests, one of them on a phone, and a bot play to the end."""

import time

import pytest
from playwright.sync_api import expect
from test_browser import chromium, open_room, sit, visit  # noqa: F401

from tavola.bots import bot
from tavola.games.fairies.components import PHASES

pytestmark = pytest.mark.browser
SECONDS = 150


def test_two_guests_and_a_bot_play_to_the_end(site, visit):  # noqa: F811
    ada = visit()
    bruno = visit(width=360, height=740, color_scheme="dark", locale="it-IT", has_touch=True)
    code = open_room(ada, players="3", bots="1", game="fairies")
    sit(bruno, code, "Bruno")
    ada.page.click("text=Start the match")
    room = site.room(code)
    expect(ada.page.locator("#room.playing")).to_be_visible()
    seats = {seat.person.name: number for number, seat in enumerate(room.seats) if seat.person}
    guests = {seats["Ada"]: ada, seats["Bruno"]: bruno}
    assert {"empower", "energy", "heal"} <= _play(room, guests)
    assert room.phase == "over"
    for guest in guests.values():
        guest.asked()
        _light_and_dark(guest, "over")
        expect(guest.page.locator(".ending .result")).to_have_count(3)
        assert guest.overflow() <= 0


def _play(room, guests):
    """Both do what looks good until the end; the phases in which they were asked, each kept as a picture."""
    seen, minds, end = set(), {seat: bot("greedy", seat) for seat in guests}, time.monotonic() + SECONDS
    while not all(guest.state()["over"] for guest in guests.values()):
        assert time.monotonic() < end, "nobody is asked anything, and it is not over"
        for seat, guest in guests.items():
            codes = guest.state()["codes"]
            if not codes or seat not in room.match.to_act:
                continue
            view = room.match.view(seat)
            phase = PHASES[view.table.phase]
            if (phase, seat) not in seen:
                seen.add((phase, seat))
                _light_and_dark(guest, phase)
                assert guest.overflow() <= 0
            chosen = room.match.game.actions.code(minds[seat].choose(view))
            assert chosen in codes
            guest.press(chosen)
        next(iter(guests.values())).page.wait_for_timeout(10)
    return {phase for phase, _ in seen}


def _light_and_dark(guest, name):
    for scheme in ("light", "dark"):
        guest.page.emulate_media(color_scheme=scheme)
        guest.shot(f"fairies-{name}-{guest.page.viewport_size['width']}-{scheme}")
