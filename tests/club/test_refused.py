"""Refusals by carriers: after a few, sending stops, and the owner is notified and can try again."""

import contextlib
import json
from functools import partial

import httpx
import pytest

from tavola.club import refused
from tavola.club.subscriptions import stop_other_keys
from tavola.store import open_store
from tests.club.test_accounts import keep
from tests.club.test_push import NAMES, rows, subscribe
from tests.club.test_turn_notifications import all_done, begin, club_of, decide
from tests.helpers import wait_for
from tests.helpers.site import site_at

MAIL_TOLD, PUSH_TOLD = "refused our last e-mails", "refused our last notifications"


@pytest.fixture
def site(database, mail, service):
    with site_at(database, mail=mail[1], reach=service.reach, names=NAMES) as running:
        club_of(running).notices.pause = 0.0
        yield running


def wait_refused(site, kind, count):
    failed = "SELECT count(*) FROM outbox WHERE kind = ? AND ended = 'failed'"
    wait_for(lambda: site.hub.store.rows(failed, (kind,)) == [(count,)])


def told(guest):
    pages = [guest.get(path).text for path in ("/account", "/mine")]
    return [[words for words in (MAIL_TOLD, PUSH_TOLD) if words in page] for page in pages]


def test_after_three_refused_emails_an_address_gets_none_until_its_owner_tries_again(site, ada, box):
    keep(ada, box)
    room = begin(site, ada)
    box.wait(2)
    box.unknown.add("ada@example.org")
    for count in range(1, refused.MOST + 1):
        assert told(ada) == [[], []]
        decide(site, room)
        wait_refused(site, "turn", count)
    assert told(ada) == [[MAIL_TOLD], [MAIL_TOLD]]
    assert "ada@example.org" in ada.get("/mine").text
    assert f"refused by mail: {refused.MOST}" in httpx.get(f"{site.url}/health").text
    assert json.loads(ada.get("/account/export").text)["refused"][0]["way"] == "mail"
    decide(site, room)
    decide(site, room)
    box.unknown.clear()
    assert ada.post("/account/notices/again").url.path == "/account"
    assert told(ada) == [[], []]
    decide(site, room)
    box.wait(3)
    assert len(rows(site, "topic", "kind = 'turn'")) == refused.MOST + 2, "none was put in meanwhile"


def test_refusals_that_are_not_in_a_row_stop_nothing(site, ada, box):
    keep(ada, box)
    box.refusals = ["550 no"] * (refused.MOST - 1)
    room = begin(site, ada)
    for count in range(1, refused.MOST):
        wait_refused(site, "turn", count)
        decide(site, room)
    box.wait(2)
    wait_for(lambda: site.hub.store.rows("SELECT * FROM refused") == [])
    assert told(ada) == [[], []]


@pytest.mark.parametrize("status", [400, 403])
def test_a_browser_that_refuses_three_notifications_is_off_until_it_is_turned_on_again(site, ada, box, service, status):
    keep(ada, box)
    browser = subscribe(site, ada, service)
    service.answers[:] = [(status, {})] * refused.MOST
    room = begin(site, ada)
    for count in range(1, refused.MOST):
        wait_refused(site, "push", count)
        decide(site, room)
    wait_refused(site, "push", refused.MOST)
    assert told(ada) == [[PUSH_TOLD], [PUSH_TOLD]]
    assert 'data-known=""' in ada.get("/account").text, "the switch shows that it is off"
    assert browser.endpoint not in ada.get("/account/export").text
    decide(site, room)
    subscribe(site, ada, service)
    assert told(ada) == [[], []]
    decide(site, room)
    service.wait(1)
    all_done(site)
    assert service.asked == refused.MOST + 1


def test_when_the_site_has_another_key_browsers_that_know_the_old_one_are_off(path, mail, service):
    way = {"mail": mail[1], "reach": service.reach, "names": NAMES}
    with site_at(path, **way) as site, site.guest() as ada:
        keep(ada, mail[0])
        subscribe(site, ada, service)
    with site_at(path, **way) as site:
        assert len(site.hub.store.rows("SELECT * FROM subscription")) == 1, "the same key again"
    secret = path.with_name(f"{path.name}.secret")
    secret.write_bytes(secret.read_bytes()[::-1])
    with site_at(path, **way) as site, site.guest() as ada:
        wait_for(lambda: site.hub.store.rows("SELECT * FROM subscription") == [])
        keep(ada, mail[0])
        assert told(ada) == [[PUSH_TOLD], [PUSH_TOLD]]
        subscribe(site, ada, service)
        assert told(ada) == [[], []]
        ada.post("/account/delete")
        assert site.hub.store.rows("SELECT * FROM refused") == []


async def test_an_unreadable_subscription_does_not_affect_others(database):
    with contextlib.closing(open_store(database)) as store:
        for keys in ("", "[]", "{}", '{"p256dh": "xx", "auth": 7, "session": "s"}'):
            await store.transact(partial(_subscribe, keys))
        await store.transact(lambda execute: stop_other_keys(execute, "key", 0.0))
        assert refused.of_account(store.rows, "a") == []


def _subscribe(keys, execute):
    execute("INSERT INTO subscription VALUES (?, 'a', ?, 0)", (f"https://push/{keys}", keys))
