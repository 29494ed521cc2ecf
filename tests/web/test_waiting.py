"""Friends of a player who does not decide see it, nudge them once a day, and vote for a bot when their time is up."""

from datetime import UTC, datetime

import pytest

from tavola.live.correspondence.hours import DAY
from tests.helpers import wait_for
from tests.helpers.days import NOON
from tests.helpers.site import site_at
from tests.web.test_days import until_others_are_asked


@pytest.fixture
def site(path, mail, clock):
    with site_at(path, mail=mail[1], clock=clock) as running:
        yield running


def begin_waiting(site, host, friend):
    """Return the room of a correspondence match in which everyone waits for the friend."""
    code = host.create(days="3", players="3")
    friend.sit(code, "Bea")
    host.post(f"/r/{code}/fill", data={"level": "random"})
    room = site.room(code)
    until_others_are_asked(site, room)
    return room


def pages(guest, room):
    """Return the room and *My games* as a guest sees them."""
    return guest.get(f"/r/{room.id}").text, guest.get("/mine").text


def press(guest, room, name, then=""):
    """Send the form of a button that a guest sees in the room and in *My games*; return the answer."""
    for page, ending in zip(pages(guest, room), ("", "?then=mine"), strict=True):
        assert f'action="/r/{room.id}/{name}{ending}"' in page
    return guest.post(f"/r/{room.id}/{name}{then}", data={"seat": "1"})


def test_a_player_who_keeps_others_waiting_is_nudged_once_a_day(site, clock):
    with site.guest() as ada, site.guest() as bea:
        room = begin_waiting(site, ada, bea)
        here, listed = pages(ada, room)
        assert 'data-ago="asked {ago}"' in here
        assert 'data-told="since {day}, {time}"' in listed
        assert "/nudge" not in here + listed, "Bea has only just been asked"
        assert ada.post(f"/r/{room.id}/nudge", data={"seat": "1"}).status_code == 409
        clock.at = NOON + DAY
        assert press(ada, room, "nudge", then="?then=mine").url.path == "/mine"
        for page in pages(ada, room):
            assert "Nudged" in page
            assert "/nudge" not in page
        assert room.state.nudges[1].by == 0
        assert "/nudge" not in "".join(pages(bea, room)), "no one nudges themselves"
        clock.at = NOON + 2 * DAY
        assert press(ada, room, "nudge").url.path == f"/r/{room.id}"


def test_after_the_time_the_others_vote_for_a_bot_and_the_player_comes_back_with_one_press(site, clock):
    with site.guest() as ada, site.guest() as bea:
        room = begin_waiting(site, ada, bea)
        clock.at = NOON + 4 * DAY
        site.run(site.hub.update_deadlines())
        wait_for(lambda: room.state.dues[1].reminded)
        here, listed = pages(ada, room)
        assert "Bea’s time is up. A bot decides in 12 hours." in here
        assert "12 hours until a bot decides" in listed
        bea.post("/settings", data={"language": "de", "back": "/"})
        assert "Deine Zeit ist um. In 12 Stunden entscheidet ein Bot." in bea.get(f"/r/{room.id}").text
        bea.post("/settings", data={"language": "en", "back": "/"})
        assert "/go-on" not in here + listed, "a nudge comes first"
        press(ada, room, "nudge")
        press(ada, room, "go-on")
        wait_for(lambda: room.state.occupants[1].taken_over)
        assert "Bot playing" in ada.get(f"/r/{room.id}").text
        row = bea.get("/mine").text.partition("A bot is playing for you.")[2]
        assert 'data-told="since {day}, {time}"' in row
        assert f'action="/r/{room.id}/back"' in row
        bea.post(f"/r/{room.id}/back")
        assert not room.state.occupants[1].taken_over


def test_friends_see_until_when_a_player_is_away_and_never_a_day_that_is_past(site, clock):
    with site.guest() as ada, site.guest() as bea:
        room = begin_waiting(site, ada, bea)
        ends = datetime.fromtimestamp(NOON + 4 * DAY, UTC).date()
        bea.post("/mine/away", data={"until": ends.isoformat(), "zone": "Pacific/Auckland"})
        wait_for(lambda: room.state.away_until(1, clock()) is not None)
        day = f"{ends.day} {ends:%B}"
        clock.at = NOON + 2 * DAY
        here, listed = pages(ada, room)
        assert f"Away until {day}" in here
        assert f"Away until {day}" in listed
        assert f"is away until {day}." in here
        assert "/nudge" not in here + listed
        clock.at = NOON + 5 * DAY
        assert room.state.away[1], "no one has looked at the deadlines since"
        for page in pages(ada, room):
            assert "way until" not in page
            assert "/nudge" in page
