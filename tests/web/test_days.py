"""Matches by correspondence on the pages: made by a form, their days in the header, one's own in one place."""

import re
import time

import pytest

from tests.helpers.site import site_at

HEADER = re.compile(r'<p class="by-post">(.*?)</p>')


@pytest.fixture
def site(tmp_path):
    with site_at(tmp_path / "tavola.sqlite") as running:
        yield running


def begin(site, guest, name="Ada", **fields):
    """Open a match of three days with bots, in which the guest is asked; return its code."""
    code = guest.create(name=name, **{"days": "3", "patience": "60", **fields})
    guest.post(f"/r/{code}/fill", data={"level": "random"})
    end = time.monotonic() + 20
    while 0 not in site.room(code).state.dues:
        assert time.monotonic() < end, "nobody asks"
        time.sleep(0.02)
    return code


def test_the_form_of_a_room_offers_days_and_its_header_counts_them(site):
    with site.guest() as ada:
        assert 'name="days" value="7"' in ada.get("/games/lifeboats/new").text
        code = begin(site, ada)
        settings = site.room(code).state.settings
        assert (settings.days, settings.patience) == (3, 0)
        (header,) = HEADER.findall(ada.get(f"/r/{code}").text)
        assert ">Day 1<" in header
        assert "2 days 23 hours" in header or "3 days" in header


def test_one_s_own_matches_are_the_first_page_least_time_first_and_lead_from_one_to_the_next(site):
    with site.guest() as ada, site.guest() as zita:
        assert "No match over days yet" in ada.get("/mine").text
        slow, quick = begin(site, ada, days="7"), begin(site, ada, days="1")
        page = ada.get("/").text
        assert "2 matches wait for you" in page
        assert page.index(f'href="/r/{quick}"') < page.index(f'href="/r/{slow}"')
        assert page.count('class="small-board"') == 2
        names = re.findall(r'\sid="([^"]+)"', page)
        assert len(names) == len(set(names))
        assert ada.get("/mine/next").url.path == f"/r/{quick}"
        assert ada.get(f"/mine/next?after={quick}").url.path == f"/r/{slow}"
        assert "small-board" not in ada.get("/shelf").text
        zita.get(f"/r/{slow}")
        assert f'href="/r/{slow}"' in zita.get("/mine").text.split("You are watching")[1]
        assert "small-board" not in zita.get("/").text


def test_a_guest_has_no_holidays(site):
    with site.guest() as ada:
        assert ada.get("/mine/away").status_code in (401, 403)
