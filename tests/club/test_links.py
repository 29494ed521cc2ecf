"""Links: each has one purpose, describes it, and takes no seat without asking; no seat is left without a player."""

import pytest

from tavola.live.log.erasure import erase_people
from tavola.live.log.fold import fold
from tavola.live.log.people import Person
from tests.club.conftest import in_both
from tests.club.test_accounts import keep, read_to_the_end, seat_path, sits
from tests.helpers import wait_for
from tests.helpers.mail import text_of
from tests.helpers.rooms import ADA, BRUNO, CARLA, open_hub, start_room
from tests.helpers.site import code_of, open_socket


def begin(site, guest, name="Eve", **fields):
    code = guest.create(name=name, **fields)
    guest.post(f"/r/{code}/fill", data={"level": "random"})
    assert site.room(code).state.phase == "playing"
    return code


def place(site, code, seat=0):
    return site.room(code).state.occupants[seat]


def test_a_link_opened_in_another_browser_does_not_transfer_the_requesters_seat(site, box, eve, ada):
    code, hers = begin(site, eve), begin(site, ada, "Ada")
    eve.post("/account/mail", data={"address": "ada@example.org"})
    page = ada.get(box.link()).text
    assert "Create an account" in page
    assert "a…@example.org" in page
    assert "Eve" not in page
    assert ada.post(box.link()).url.path == box.link(), "it asks what becomes of the seats first"
    ada.post(box.link(), data={"seats": "bring"})
    assert "ada@example.org" in ada.get("/account").text
    assert (sits(ada, code), sits(ada, hers), sits(eve, code)) == (False, True, True)


@in_both
def test_a_change_of_address_counts_in_the_session_that_asked_and_nowhere_else(site, box, eve, ada, phone):
    keep(eve, box, "eve@example.org")
    keep(phone, box, "eve@example.org")
    code = begin(site, ada, "Ada")
    eve.post("/account/mail", data={"address": "ada@example.org"})
    assert "the Tavola account that asked for it" in text_of(box.wait(3))
    for other in (ada, phone):
        for refused in (other.get(box.link(3)), other.post(box.link(3), data={"seats": "bring"})):
            assert refused.status_code == 403
            assert "the browser you requested it from" in refused.text
    assert sits(ada, code)
    assert "Sign up" in ada.get("/account").text
    assert "Confirm address" in eve.get(box.link(3)).text
    assert "ada@example.org" in eve.post(box.link(3)).text
    assert site.hub.store.rows("SELECT address FROM account") == [("ada@example.org",)]


@in_both
@pytest.mark.parametrize("seats", ["bring", "leave"])
def test_seats_come_along_only_where_their_guest_says_so(site, box, ada, phone, seats):
    ada.post("/settings", data={"name": "Ada"})
    keep(ada, box)
    code, waiting = begin(site, phone, "Phone"), phone.create(name="Phone")
    with open_socket(site.url, phone, code, "json") as line:
        phone.post("/account/mail", data={"address": "ada@example.org"})
        assert "the account for a…@example.org" in phone.get(box.link(2)).text
        phone.post(box.link(2))
        assert sits(phone, code), "nothing is done before that is said"
        phone.post(box.link(2), data={"seats": seats})
        read_to_the_end(line)
    assert "ada@example.org" in phone.get("/account").text
    assert (sits(phone, code), place(site, code).bot_decides) == (seats == "bring", seats == "leave")
    if seats == "bring":
        person, room = place(site, code).person, site.room(code).state
        assert (person.name, room.host.id, room.phase) == ("Ada", person.id, "playing")
    wait_for(lambda: sits(phone, waiting) == (seats == "bring"))
    rooms = {room["room"] for room in phone.get("/account/export").json()["rooms"]}
    assert rooms == ({code, waiting} if seats == "bring" else set())


def test_the_second_seat_of_one_person_goes_to_a_bot_and_the_match_to_its_end(site, box, ada, phone):
    keep(ada, box)
    code = ada.create(name="Ada", **{"option-players": "3"})
    phone.sit(code, "Phone")
    ada.post(f"/r/{code}/fill", data={"level": "random"})
    keep(phone, box)
    assert (place(site, code, 0).bot_decides, place(site, code, 1).bot_decides) == (False, True)
    wait_for(lambda: phone.choices(code)[1])
    prompt, choices = phone.choices(code)
    assert phone.play(code, prompt, choices[0]).status_code == 200
    site.finish(code)
    assert site.room(code).state.phase == "over"


def test_of_two_seats_before_a_match_one_is_free_again(site, box, ada, phone):
    keep(ada, box)
    code = phone.create(name="Phone", **{"option-players": "3"})
    ada.sit(code, "Ada")
    keep(phone, box)
    wait_for(lambda: site.room(code).state.free_seats == [0, 2])
    assert site.room(code).state.host == place(site, code, 1).person


def test_a_guest_without_a_name_brings_seats_to_an_account_without_one(site, box, ada, phone):
    keep(ada, box)
    code = code_of(phone.post("/quick", data={"game": "lifeboats"}))
    name = place(site, code).person.name
    keep(phone, box)
    assert sits(phone, code)
    assert place(site, code).person.name == name


@in_both
def test_a_link_to_another_device_asks_before_it_takes_a_guests_seats(site, box, eve, ada, bea):
    keep(eve, box, "eve@example.org")
    code, hers = begin(site, ada, "Ada"), begin(site, bea, "Bea")
    path = seat_path(eve)
    assert "the account for e…@example.org" in ada.get(path).text
    assert ada.post(path).url.path == path
    ada.post(path, data={"seats": "leave"})
    assert "eve@example.org" in ada.get("/account").text
    assert (sits(eve, code), place(site, code).bot_decides) == (False, True)
    with site.guest() as guest:
        begin(site, guest, "Gil")
        path = seat_path(guest)
        assert "Bots will take over those seats" in bea.get(path).text
        bea.post(path, data={"seats": "bring"})
        assert sits(bea, hers), "a guest gives no seat to another guest"
        bea.post(path, data={"seats": "leave"})
        assert place(site, hers).bot_decides


def test_a_link_to_another_device_that_its_own_guest_opens_changes_nothing(site, ada):
    code = begin(site, ada, "Ada")
    ada.post(seat_path(ada))
    assert (sits(ada, code), place(site, code).bot_decides) == (True, False)


def test_links_in_mail_lead_to_the_public_address_whatever_was_asked_for(box, ada):
    elsewhere = {"Host": "localhost:1", "Origin": "http://localhost:1"}
    assert ada.post("/account/mail", data={"address": "ada@example.org"}, headers=elsewhere).status_code == 200
    text = text_of(box.wait())
    assert "signs you in to Tavola" in text
    assert "localhost" not in text


async def test_the_seat_of_an_erased_person_goes_to_a_bot(path):
    """Even if the seat became theirs after they had been removed from it."""
    async with open_hub(path) as hub:
        room = await start_room(hub, (ADA, BRUNO, CARLA))
        events = hub.store.read(room.id).events
        before = next(place for place, event in enumerate(events) if event.kind == "started")
        assert fold(erase_people(events[:before], [BRUNO.id])).free_seats == [1]
        state = fold(erase_people(events, [BRUNO.id]))
        assert (state.occupants[1].bot_decides, state.occupants[0].bot_decides) == (True, False)
        await hub.persons.erase([BRUNO.id])
        assert room.state.occupants[1].bot_decides
        await hub.persons.adopt(CARLA.id, Person("guest who turned out to be Carla", "Carla"))
        await hub.persons.leave_seats("guest who turned out to be Carla")
        assert room.state.occupants[2].bot_decides
