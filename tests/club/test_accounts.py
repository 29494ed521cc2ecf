"""A guest registers with a link in a real e-mail, and is recognised elsewhere."""

import contextlib
import json
import re

import pytest
from websockets.exceptions import ConnectionClosed

from tavola.store.sqlite.schema import ROOMS_NAMING
from tavola.web.requests.limits import Limits
from tests.club.conftest import in_both
from tests.helpers import PATIENCE, wait_for
from tests.helpers.mail import text_of
from tests.helpers.site import MAIL_HOME, open_socket, site_at


def keep(guest, box, address="ada@example.org", seats="bring"):
    count = len(box.emails) + 1
    assert "a link is on its way" in guest.post("/account/mail", data={"address": address}).text
    path = box.link(count)
    assert "If you didn’t ask for this link" in guest.get(path).text
    page = guest.post(path, data={"seats": seats})
    assert page.url.path == "/account", page.text
    return page


def sits(guest, code):
    page = guest.get(f"/r/{code}").text
    return any(f'action="/r/{code}/{way}"' in page for way in ("leave", "sit-out"))


def forget_answers(site):
    site.loop.call_soon_threadsafe(site.app.state.site.club.directory._known.clear)


def seat_path(guest):
    """Return the path of a new link to another device."""
    return "/seat/" + guest.post("/account/device").text.partition("/seat/")[2].partition('"')[0]


def read_to_the_end(line):
    """Read until a line is closed; raise `TimeoutError` if it stays open."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            line.recv(PATIENCE)


@in_both
def test_a_guest_registers_and_has_the_seat_on_another_device(site, box, ada, phone, thief):
    """The cookie that they had as a guest is of no use any more."""
    code = ada.create(name="Ada", bots="2")
    thief.cookies.update(ada.cookies)
    assert sits(thief, code)
    with open_socket(site.url, ada, code, "json") as as_guest, open_socket(site.url, phone, code, "json") as watching:
        page = keep(ada, box)
        read_to_the_end(as_guest)
        watching.send(json.dumps({"type": "say", "command_id": "s", "text": "still here"}))
        while json.loads(watching.recv(PATIENCE))["type"] != "acknowledged":
            pass
    assert (sits(ada, code), sits(thief, code)) == (True, False)
    assert "<h1>Ada</h1>" in page.text
    assert "ada@example.org" in page.text
    seat = site.room(code).state.occupants[0].person
    assert seat.name == "Ada"
    keep(phone, box, "ADA@example.org")
    assert sits(phone, code)
    assert "Where you’re signed in" in phone.get("/account").text
    assert site.room(code).state.occupants[0].person == seat
    assert phone.get("/account").text.count('name="session"') == 3
    with open_socket(site.url, ada, code, "json") as line:
        phone.post("/account/sessions", data={"session": "others"})
        read_to_the_end(line)
    assert "Sign up" in ada.get("/account").text
    assert not sits(ada, code)


@in_both
def test_a_link_is_good_once_and_lies_nowhere_in_clear(site, box, ada, bea):
    ada.post("/account/mail", data={"address": "ada@example.org"})
    path = box.link()
    secret = path.rpartition("/")[2]
    wait_for(lambda: site.hub.store.rows("SELECT ended FROM outbox") == [("sent",)])
    for table in ("ticket", "outbox", "session", "account"):
        rows = site.hub.store.rows(f"SELECT * FROM {table}")
        assert secret not in repr(rows)
        assert "ada@example.org" not in repr(rows) or table == "ticket"
    assert ada.get(path).status_code == 200
    assert ada.post(path).url.path == "/account"
    assert bea.get(path).status_code == 400
    refused = bea.post(path)
    assert refused.status_code == 400
    assert "already been used" in refused.text


@in_both
def test_nothing_reveals_if_an_address_has_an_account(box, ada, eve):
    ada.create(name="Ada")
    keep(ada, box)
    known, unknown = (eve.post("/account/mail", data={"address": f"{name}@example.org"}) for name in ("ada", "bea"))
    assert (known.status_code, known.text) == (unknown.status_code, unknown.text)
    box.wait(3)
    first, second = (re.sub(r"/link/\S+", "", text_of(email)) for email in box.emails[1:])
    assert first == second


SPELLINGS = (
    *("ada@exämple.org", "ADA@EXÄMPLE.ORG", "ada@xn--exmple-cua.org", "ada@exa\u0308mple.org", " Ada@eｘämple.org "),
)


@pytest.mark.parametrize(
    ("spellings", "address"), [(["ada@example.org"] * 5, "ada@example.org"), (SPELLINGS, "ada@xn--exmple-cua.org")]
)
def test_an_address_gets_at_most_three_emails_an_hour(box, ada, spellings, address):
    for spelling in spellings:
        assert "a link is on its way" in ada.post("/account/mail", data={"address": spelling}).text
    ada.post("/account/mail", data={"address": "last@example.org"})
    box.wait(4)
    assert sorted(box.recipients) == [address] * 3 + ["last@example.org"]


def test_an_email_is_in_the_language_of_its_requester_and_from_this_site(site, box):
    with site.guest("de") as ada:
        ada.post("/account/mail", data={"address": "ada@example.org"})
    email = box.wait()
    assert (email["From"], email["Auto-Submitted"]) == ("table@tavola.example", "auto-generated")
    assert text_of(email).startswith("Hallo,")
    assert f"{MAIL_HOME}/account/link/" in text_of(email)


def test_one_network_can_request_few_emails(path, mail):
    with site_at(path, Limits(emails_an_address=(0.001, 2)), mail=mail[1]) as site, site.guest() as ada:
        codes = [ada.post("/account/mail", data={"address": f"a{n}@example.org"}).status_code for n in range(3)]
        assert codes == [200, 200, 429]


def test_invalid_addresses_are_refused(box, ada):
    for address in ("ada", "a@b", "a@b.c, d@e.f", "a@b.c\nBcc: d@e.f", "<a@b.c>", "a b@c.d", "@c.de"):
        assert ada.post("/account/mail", data={"address": address}).status_code == 400, address
    assert box.emails == []


@in_both
def test_kept_names_are_held_against_whatever_looks_like_them(site, box, ada, eve, phone):
    phone.create(name="Аda")  # with a Cyrillic A, before the name was registered
    ada.create(name="Ada")
    keep(ada, box)
    for name in ("Ada", "ada", "Аda", "A\u0301da".replace("\u0301", "\u200b")):
        assert eve.post("/settings", data={"name": name}).status_code == 409, name
        assert eve.post("/rooms", data={"game": "lifeboats", "name": name}).status_code == 409
    assert eve.post("/settings", data={"name": "Bea"}).status_code == 200
    forget_answers(site)
    assert 'value="Guest ' in phone.get("/games/lifeboats/new").text
    keep(eve, box, "bea@example.org")
    assert eve.post("/settings", data={"name": "АDA"}).status_code == 409
    assert ada.post("/settings", data={"name": "Ada B"}).status_code == 200
    assert eve.post("/settings", data={"name": "ada"}).status_code == 200
    assert eve.post("/settings", data={"name": "Bruno"}).status_code == 409  # one of the cast
    assert "<h1>ada</h1>" in eve.get("/account").text


@in_both
def test_the_last_way_in_stays(site, box, ada):
    keep(ada, box)
    refused = ada.post("/account/ways", data={"address": "remove"})
    assert refused.status_code == 409
    assert "only way to sign in" in refused.text
    keep(ada, box, "new@example.org")
    page = ada.get("/account").text
    assert "new@example.org" in page
    assert "ada@example.org" not in page
    assert site.hub.store.rows("SELECT count(*) FROM account") == [(1,)]


@in_both
def test_an_address_in_use_signs_in_only_its_owner_and_cannot_be_moved(site, box, ada, bea):
    ada.create(name="Ada")
    keep(ada, box)
    keep(bea, box, "bea@example.org")
    ada.post("/account/mail", data={"address": "bea@example.org"})
    assert bea.get(box.link(3)).status_code == 403
    refused = ada.post(box.link(3))
    assert refused.status_code == 409
    assert "another account" in refused.text
    assert sorted(site.hub.store.rows("SELECT address FROM account")) == [("ada@example.org",), ("bea@example.org",)]


@in_both
def test_changes_to_an_account_need_a_recent_sign_in(site, box, ada):
    keep(ada, box)
    site.run(site.hub.store.transact(lambda execute: execute("UPDATE session SET proved_at = 0")))
    forget_answers(site)
    for path, data in (
        ("ways", {"address": "remove"}),
        ("ways", {"passkey": "any"}),
        ("delete", {}),
        ("mail", {"address": "b@example.org"}),
        ("mail", {"address": "b@example.org", "again": "yes"}),
        ("device", {}),
        ("sessions", {"session": "others"}),
        ("sessions", {"session": "0" * 64}),
    ):
        refused = ada.post(f"/account/{path}", data=data)
        assert refused.status_code == 403, (path, data)
        assert "sign in again" in refused.text
    assert ada.get("/account/export").status_code == 403
    page = ada.get("/account").text
    assert "Sign in again" in page
    assert 'value="others"' not in page
    assert "a…@example.org" in ada.get("/account/again").text
    ada.post("/account/again", data={"address": "b@example.org"})
    assert "Delete account" in ada.post(box.link(2)).text
    assert box.recipients == ["ada@example.org"] * 2, "to the address of the account and to no other"
    assert site.hub.store.rows("SELECT count(*) FROM session") == [(1,)]


def test_a_guest_moves_their_seat_to_another_device_by_a_signed_link(ada, phone, thief):
    code = ada.create(name="Ada", bots="2")
    path = seat_path(ada)
    assert thief.get(path[:-2] + ("a" if path[-2] != "a" else "b") + path[-1]).status_code == 400
    assert "Play as “Ada” on this device" in phone.get(path).text
    phone.post(path)
    assert sits(phone, code)
    assert thief.post(path).status_code == 400
    assert sits(ada, code)


def test_a_site_without_mail_asks_for_no_address(path):
    with site_at(path) as site, site.guest() as ada:
        assert 'name="address"' not in ada.get("/account").text
        assert ada.post("/account/mail", data={"address": "ada@example.org"}).status_code == 404


def test_forms_of_other_sites_change_nothing(site, box, ada):
    keep(ada, box)
    for way in ("sessions", "ways", "delete", "device", "mail", "passkey/enter", "passkey/make/options"):
        refused = ada.post(f"/account/{way}", data={}, headers={"Origin": "https://evil.example"})
        assert refused.status_code == 403, way
    assert ada.get("/account").text.count("<h1>") == 1
    assert site.hub.store.rows("SELECT count(*) FROM session") == [(1,)]


def test_no_cookie_more_is_set_and_a_session_is_no_guest(box, ada):
    ada.get("/")
    before = set(ada.cookies.keys())
    keep(ada, box)
    assert set(ada.cookies.keys()) == before
    ada.post("/account/sessions", data={"session": "this"})
    assert "Sign up" in ada.get("/account").text


def test_the_index_answers_which_rooms_name_a_person(site, ada, bea):
    code = ada.create(name="Ada", bots="2")
    bea.post(f"/r/{code}/say", data={"text": "hello"})
    host, speaker = site.room(code).state.host.id, next(iter(site.room(code).state.speakers))
    assert site.hub.store.rooms_naming(host) == site.hub.store.rooms_naming(speaker) == [code]
    assert "person_of_event" in repr(site.hub.store.rows(f"EXPLAIN QUERY PLAN {ROOMS_NAMING}", ("x",)))


@in_both
def test_the_address_that_an_account_has_is_notified_of_changed_sign_in_methods(site, box, ada):
    """The old address is notified, without the new one."""
    ada.create(name="Ada")
    keep(ada, box)
    ada.post("/account/mail", data={"address": "new@example.org"})
    ada.post(box.link(2))
    told = box.wait(3)
    assert (told["To"], told["Subject"]) == ("ada@example.org", "Your Tavola account was changed")
    assert f"{MAIL_HOME}/account" in text_of(told)
    assert "new@example.org" not in text_of(told)
    assert "new@example.org" in ada.get("/account").text
    site.run(site.hub.store.transact(add_two_passkeys))
    for gone, sentence in (({"passkey": "key 0"}, "passkey was removed"), ({"address": "remove"}, "was removed")):
        count = len(box.emails)
        ada.post("/account/ways", data=gone)
        told = box.wait(count + 1)
        assert told["To"] == "new@example.org"
        assert sentence in text_of(told)


def add_two_passkeys(execute):
    ((account,),) = execute("SELECT id FROM account")
    for number in range(2):
        execute("INSERT INTO passkey VALUES (?, ?, '', 0, 'Phone', 0, 0)", (f"key {number}", account))
