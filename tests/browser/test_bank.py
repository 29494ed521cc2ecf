"""The time bank of a seat on a phone: it runs when the time per move has ended, and then a bot decides."""

from playwright.sync_api import expect

from tests.helpers.browser import PHONE, Visit
from tests.helpers.rooms import run_out
from tests.helpers.site import Site


def test_the_bank_runs_visibly_for_its_player_and_spectators_until_a_bot_decides(site: Site, visit: Visit):
    ada, zita = visit(**PHONE, hurried=True), visit(**PHONE)
    ada.page.goto("/games/lifeboats/new")
    ada.page.click("#house-rules summary")
    expect(ada.page.locator("#bank option")).to_have_count(4)
    code = ada.create(bots="2", level="random", patience="1", bank="3600", **{"option-players": "3"})
    ada.page.request.post(f"/r/{code}/start", form={"command_id": "begin"})
    room = site.room(code)
    ada.page.goto(f"/r/{code}")
    ada.wait_for_choices()
    zita.page.goto(f"/r/{code}")
    running = "#player-0 .owe.bank"
    expect(ada.page.locator(running)).to_be_visible()
    place = ada.page.locator("#player-0").bounding_box()
    ada.page.clock.fast_forward(3_590_000)  # only this page believes that an hour has passed
    expect(ada.page.locator(f"{running}.short")).to_be_visible()
    expect(ada.page.locator(".prompt .clock.bank.short")).to_be_visible()
    expect(zita.page.locator(f"{running}:not(.short)")).to_be_visible()
    assert ada.page.locator("#player-0").bounding_box() == place
    assert ada.overflow() <= 0
    ada.screenshot("bank-360")
    site.call(run_out, room, 0)
    expect(ada.page.locator('form[action$="/back"]')).to_be_visible()
    assert room.state.bank_left(0) == 0
