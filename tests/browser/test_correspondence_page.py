"""A whole correspondence match in two browsers: e-mails, a reminder, a bot that is dismissed, the next match."""

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tavola.live.correspondence.hours import DAY
from tavola.web.requests.guard import HostNames
from tests.helpers import PATIENCE, wait_for
from tests.helpers.browser import PHONE, STRAY_MILLISECONDS, BrowserGuest, Visit, play_unseen
from tests.helpers.days import SiteClock
from tests.helpers.mail import text_of
from tests.helpers.rooms import play_legal
from tests.helpers.site import Site, site_at

HOME = "http://127.0.0.1"


@pytest.fixture
def clock() -> SiteClock:
    """Today's noon in the browsers' time zone: whenever the test runs, no deadline moves to the end of a night."""
    return SiteClock(time.time() // DAY * DAY + DAY / 2)


@pytest.fixture
def site(tmp_path: Path, mail, clock: SiteClock):
    names = HostNames(frozenset({"127.0.0.1"}), home=HOME)
    with site_at(tmp_path / "tavola.sqlite", mail=mail[1], names=names, clock=clock) as running:
        running.app.state.site.club.notices.pause = 0.0
        yield running


def keep_by_mail(guest: BrowserGuest, box) -> None:
    page, count = guest.page, len(box.emails) + 1
    page.goto("/account")
    page.fill("#address", "ada@example.org")
    page.click(".bymail .button")
    page.goto(box.link(count))
    page.click("main form .button.primary")
    page.wait_for_url("**/account")


def leave(*guests: BrowserGuest) -> None:
    """Leave the pages of the match: drawing every decision is slow."""
    for guest in guests:
        guest.page.goto("/health")


def until_only_asked(site: Site, room, seat: int) -> None:
    """Decide for people, outside their pages, until only `seat` must decide."""
    end = time.monotonic() + PATIENCE
    while room.state.dues.keys() != {seat}:
        assert time.monotonic() < end
        site.run(decide_for_one(room, seat))
        time.sleep(0.02)


async def decide_for_one(room, last: int) -> None:
    """Decide for one person, for `last` only if no one else must decide."""
    for seat in sorted(room.state.dues, key=lambda other: other == last)[:1]:
        await play_legal(room, room.state.occupants[seat].person)


def turn(site: Site, clock: SiteClock, seconds: float) -> None:
    site.run(clock.turn(site.hub, seconds))


TILL = re.compile(r"until (today|tomorrow|\w+day|\d+ \w+), \d\d:\d\d")
"""A deadline by the clock of the browser."""


def test_two_play_a_whole_match_over_days(visit: Visit, site: Site, mail, clock: SiteClock):
    box, ada, bea = mail[0], visit(), visit(**PHONE, color_scheme="dark")
    keep_by_mail(ada, box)
    other = ada.open_room(bots="2", days="7")
    ada.begin()
    code = ada.open_room(bots="1", days="3", misses="1")
    bea.sit(code, "Bea")
    ada.begin()
    room, told = site.room(code), len(box.emails)
    late = room.names.index("Bea")
    expect(ada.page.locator(".by-post")).to_contain_text("Day 1")

    leave(ada, bea)
    until_only_asked(site, room, 0)
    wait_for(lambda: any(code in text_of(email) for email in box.emails[told - 1 :]))
    ada.page.goto(f"/r/{code}")
    decided = room.state.decision_counts[0]
    ada.press(ada.wait_for_choices()["codes"][0])
    wait_for(lambda: room.state.decision_counts[0] > decided)  # otherwise the test would decide for Ada, too
    leave(ada)
    until_only_asked(site, room, late)
    for guest in (ada, bea):
        guest.page.goto(f"/r/{code}")
    ada.page.click("a.tool[href^='/mine/next']")
    ada.page.wait_for_url(f"**/r/{other}")

    bea.wait_for_choices()
    bea.screenshot("by-post-360-dark")
    assert bea.overflow() <= 0
    times = [clock for clock in bea.page.locator("[data-until]").all() if clock.is_visible()]
    assert len(times) == 1, "the time left is told once"
    turn(site, clock, 3 * DAY)
    wait_for(lambda: room.state.dues[late].reminded)
    turn(site, clock, room.state.dues[late].until - clock.at)  # never at night
    wait_for(lambda: room.state.occupants[late].taken_over)
    bea.page.click("text=Resume playing")
    wait_for(lambda: not room.state.occupants[late].taken_over)
    expect(bea.page.locator("text=A bot is playing for you.")).to_have_count(0)

    site.run(decide_for_one(site.room(other), 0))
    leave(bea)
    until_only_asked(site, room, 0)
    emails = len(box.emails)
    turn(site, clock, 3 * DAY)
    wait_for(lambda: any("is up" in email["Subject"] for email in box.emails[emails:]))
    ada.page.goto("/mine")
    expect(ada.page.locator(".post.first").get_by_role("img", name="Day 7")).to_be_visible()
    expect(ada.page.locator(".post.first .till")).to_have_text(TILL)
    ada.screenshot("my-games-1280-light")
    ada.page.click(".post.first .button.primary")
    ada.page.wait_for_url(f"**/r/{code}")
    ada.press(ada.wait_for_choices()["codes"][0])

    play_unseen(site, room, [ada, bea])
    for guest in (ada, bea):
        expect(guest.page.locator(".ending .result").first).to_be_visible()
    ada.page.goto("/mine")
    expect(ada.page.get_by_role("region", name="Finished")).to_contain_text(re.compile("Your place|You won"))


def test_pages_of_matches_over_days_fit_and_axe_finds_nothing_serious(visit: Visit, mail):
    box, found = mail[0], dict[str, list[str]]()
    ada = visit(width=360, height=740, drawn=True)
    keep_by_mail(ada, box)
    for days in ("7", "3"):
        other = ada.create(bots="2", level="random", days=days, **{"option-players": "3"})
        ada.page.request.post(f"/r/{other}/start", form={"command_id": "begin"})
    code = ada.open_room(bots="2", days="1")
    ada.begin()
    ada.page.wait_for_timeout(STRAY_MILLISECONDS)
    ada.page.click("a.tool[href$='/leave']")
    expect(ada.page.locator("dialog .keep h1")).to_have_text("Your seat stays yours")
    ada.screenshot("leaving-360-sheet", full_page=False)
    quiet = box.wait(2)["List-Unsubscribe"].strip("<>").removeprefix(HOME)
    for path in ("/mine", "/mine/away", "/account", f"/r/{code}/leave", quiet):
        ada.page.goto(path)
        found |= ada.faults(f"by-post{path.replace('/', '-')}")
    assert found == {}
