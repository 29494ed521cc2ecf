"""Turn notifications by push, with a real push service that reads them; and what follows when carriers refuse."""

import contextlib
import json
import re
import time
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from tavola.club.sending.outbox import MOST_REFUSALS, stopped_of
from tavola.club.sending.push import MOST_BROWSERS, PushKey, stop_other_keys
from tavola.live.correspondence.hours import DAY
from tavola.store import open_store
from tavola.store.club_tables import COPY_TABLES
from tests.club.conftest import in_both
from tests.club.test_accounts import keep
from tests.club.test_turn_notifications import all_done, begin, club_of, decide, try_again
from tests.helpers import wait_for
from tests.helpers.days import HOUR
from tests.helpers.push import base64
from tests.helpers.site import site_at

MAIL_TOLD, PUSH_TOLD = "refused our last e-mails", "refused our last notifications"


@pytest.fixture
def site(site):
    """The site, which sends notifications as soon as they are queued."""
    club_of(site).notices.pause = 0.0
    return site


@pytest.fixture
def ada(ada, box):
    """Ada, who has an account."""
    keep(ada, box)
    return ada


def subscribe(site, guest, service):
    browser = service.browser(club_of(site).pusher.key.public)
    answer = guest.post("/push", json=browser.document)
    assert answer.status_code == 200, answer.text
    return browser


def rows(site, columns, where="kind = 'push'"):
    return site.hub.store.rows(f"SELECT {columns} FROM outbox WHERE {where} ORDER BY created_at, topic")


@in_both
def test_each_turn_is_pushed_once_to_each_browser_with_nothing_secret_in_it(site, ada, box, service):
    browsers = [subscribe(site, ada, service) for _ in range(2)]
    assert f'data-push="{browsers[0].site_key}"' in ada.get("/account").text
    room = begin(site, ada)
    service.wait(2)
    assert {notice.browser for notice in service.notifications} == {browser.name for browser in browsers}
    for notice in service.notifications:
        body = notice.content.pop("body").split("\n")
        assert all(name in body[0] for name in room.names[1:3])
        assert "Before the first round" in body[0]
        assert body[-1] == "2 days 23 hours left"
        told = {"title": "Your turn in Lifeboats", "language": "en", "tag": room.id, "path": f"/r/{room.id}"}
        assert notice.content == told
        assert 2.9 * DAY < int(notice.headers["ttl"]) <= 3 * DAY
        assert room.id not in repr(notice.headers)
        assert len(notice.headers["topic"]) == 24
    topics = {notice.headers["topic"] for notice in service.notifications}
    decide(site, room)
    assert {service.wait(4).headers["topic"]} == topics, "a later turn takes the place of an earlier one"
    box.wait(3)  # e-mails are sent, too
    all_done(site)
    assert (len(service.notifications), service.refusals) == (4, [])
    assert rows(site, "ended, recipient, body, attempts") == [("sent", "", "", 1)] * 4


def test_made_decisions_are_not_told_by_mail_or_push(site, box, service):
    with site.guest("it") as ada:
        ada.post("/account/mail", data={"address": "ada@example.org"})
        ada.post(box.link())
        subscribe(site, ada, service)
        club_of(site).notices.pause = HOUR
        room = begin(site, ada)
        club_of(site).notices.pause = 0.0
        decide(site, room)
        service.wait(1)  # of the second decision
        box.wait(2)
        try_again(site)
        all_done(site)
        for kind in ("push", "turn"):
            assert [ended for (ended,) in rows(site, "ended", f"kind = '{kind}'")] == ["expired", "sent"]
        assert (len(box.emails), service.notifications[0].content["language"]) == (2, "it")


def test_what_a_push_service_cannot_take_now_is_tried_again_and_when_it_asks_for_that(site, ada, service):
    subscribe(site, ada, service)
    service.answers[:] = [(429, {"Retry-After": "3000"}), (503, {})]
    began = time.time()
    begin(site, ada)
    for count, delay in ((1, 3000), (2, 120)):
        wait_for(lambda: rows(site, "attempts, taken_by") == [(count, "")])  # noqa: B023 - called at once
        assert began <= rows(site, "due_at")[0][0] - delay <= time.time()
        began = time.time()
        try_again(site)
    service.wait(1)
    all_done(site)
    assert service.asked == 3


@pytest.mark.parametrize(("status", "left"), [(410, 0), (404, 0), (400, 1), (301, 1), (403, 1)])
def test_a_browser_that_has_gone_is_forgotten_and_what_is_refused_is_let_be(site, ada, service, status, left):
    browser = subscribe(site, ada, service)
    service.answers[:] = [(status, {"Location": browser.endpoint})]
    begin(site, ada)
    wait_for(lambda: rows(site, "ended, attempts") == [("failed", 1)])
    assert len(site.hub.store.rows("SELECT endpoint FROM subscription")) == left
    assert service.asked == 1, "no redirect is followed"


def test_the_preferences_none_daily_and_no_emails_apply_to_notifications(site, ada, box, service):
    assert "no e-mails" not in ada.get("/account").text
    subscribe(site, ada, service)
    assert "no e-mails" in ada.get("/account").text
    ada.post("/account/notices", data={"manner": "push"})
    room = begin(site, ada)
    service.wait(1)
    ada.post("/account/notices", data={"manner": "none"})
    decide(site, room)
    ada.post("/account/notices", data={"manner": "day"})
    decide(site, room)
    wait_for(lambda: rows(site, "kind, ended", "ended = ''") == [("day", ""), ("push", "")])
    times = [datetime.fromtimestamp(due_at, UTC) for (due_at,) in rows(site, "due_at", "ended = ''")]
    assert {(at + timedelta(seconds=30)).hour for at in times} == {8}
    for _ in range(3):
        begin(site, ada, game="voyage")
    try_again(site)
    notice = service.wait(2)
    assert notice.content["title"] == "4 matches are waiting for you"
    assert re.match(r"Lifeboats with [^·]+ · [^·]+ · 2 days 23 hours\n[^·]+[.?]\n", notice.content["body"])
    assert notice.content["body"].endswith("\nand 1 more match")
    assert (notice.content["path"], notice.content["tag"]) == ("/mine", "day")
    box.wait(2)
    all_done(site)
    assert (len(box.emails), len(service.notifications)) == (2, 2)


def test_stopping_emails_keeps_notifications_and_a_new_subscription_ends_silence(site, ada, service):
    account = site.hub.store.rows("SELECT id FROM account")[0][0]
    word = site.app.state.site.visitors.seal_quiet(account, "")
    subscribe(site, ada, service)
    for asked, kept in (("none", "push"), ("turn", "turn"), ("day", "day")):
        ada.post(f"/quiet/{word}", data={"choice": asked})
        assert site.run(club_of(site).preference(account)) == kept
    ada.post("/account/notices", data={"manner": "none"})
    subscribe(site, ada, service)
    assert site.run(club_of(site).preference(account)) == "push"


def test_notices_end_with_the_session_and_go_on_when_one_comes_in_once_more(site, ada, phone, box, service):
    keep(phone, box)
    first, second = subscribe(site, ada, service), subscribe(site, phone, service)
    ada.post("/account/again")
    ada.post(box.link(3))  # the same browser, another session
    phone.post("/account/sessions", data={"session": "this"})
    begin(site, ada)
    assert service.wait(1).browser == first.name
    all_done(site)
    assert [notice.browser for notice in service.notifications] == [first.name]
    told = ada.get("/account/export").text
    assert json.loads(told)["pushes"][0]["service"] == service.url
    assert not {first.name, second.name} & set(told.replace("/", '"').split('"')), "an address is as good as a key"


@in_both
def test_a_browser_is_one_person_s_and_one_person_has_so_many(site, ada, bea, box, service):
    keep(bea, box, "bea@example.org")
    browser = subscribe(site, ada, service)
    assert bea.post("/push/off", json={"endpoint": browser.endpoint}).status_code == 200
    stranger = service.browser(browser.site_key)
    for replaces in (browser.endpoint, ""):  # the browser whose address changes must have subscribed before
        bea.post("/push", json={**stranger.document, "replaces": replaces})
    assert site.hub.store.rows("SELECT endpoint FROM subscription") == [(browser.endpoint,)]
    assert ada.post("/push", json={**stranger.document, "replaces": browser.endpoint}).status_code == 200
    assert site.hub.store.rows("SELECT endpoint FROM subscription") == [(stranger.endpoint,)]
    assert bea.post("/push", json=stranger.document).status_code == 200  # the same browser, where Bea has signed in
    for _ in range(MOST_BROWSERS + 2):
        last = subscribe(site, bea, service)
    known = {endpoint for endpoint, *_ in site.hub.store.rows(COPY_TABLES["subscription"])}
    assert len(known) == MOST_BROWSERS
    assert {last.endpoint, stranger.endpoint} & known == {last.endpoint}
    bea.post("/push/off", json={"endpoint": last.endpoint})
    bea.post("/account/delete")
    assert site.hub.store.rows("SELECT endpoint FROM subscription") == []


def test_invalid_push_subscriptions_are_refused(site, eve, box, service):
    browser = service.browser(club_of(site).pusher.key.public)
    assert eve.post("/push", json=browser.document).status_code in (401, 403)
    assert "data-push=" not in eve.get("/mine").text
    keep(eve, box)
    keys = browser.document["keys"]
    wrong = [
        {},
        {"endpoint": browser.endpoint},
        {**browser.document, "endpoint": 7},
        {**browser.document, "endpoint": browser.endpoint.replace("https", "http")},
        {**browser.document, "endpoint": browser.endpoint + "x" * 1000},
        {**browser.document, "endpoint": "https://8.8.8.8/push"},  # in tests only loopback addresses are public
        {**browser.document, "keys": {**keys, "auth": "AAAA"}},
        {**browser.document, "keys": {**keys, "auth": "§"}},
        {**browser.document, "keys": {**keys, "p256dh": base64(b"\4" + b"\1" * 64)}},
    ]
    for document in wrong:
        refused = eve.post("/push", json=document, headers={"Accept": "application/json"})
        assert (refused.status_code, refused.json()["refused"]) == (400, "BadEndpoint")
    for body in ("[]", "{", "[" * 20_000):
        assert eve.post("/push", content=body).status_code == 400
    assert eve.post("/push/off", json={"endpoint": 7}).status_code == 400
    assert site.hub.store.rows("SELECT endpoint FROM subscription") == []


def test_the_site_s_key_is_made_of_its_secret(tmp_path):
    first, again, other = PushKey(b"a" * 32), PushKey(b"a" * 32), PushKey(b"b" * 32)
    assert first.public == again.public != other.public
    assert first.topic("a", "b") == again.topic("a", "b") != other.topic("a", "b")
    assert "a" * 8 not in first.public


# Refusals by carriers: after a few, sending stops, and the owner is notified and can try again


def wait_refused(site, kind, count):
    failed = "SELECT count(*) FROM outbox WHERE kind = ? AND ended = 'failed'"
    wait_for(lambda: site.hub.store.rows(failed, (kind,)) == [(count,)])


def told(guest):
    pages = [guest.get(path).text for path in ("/account", "/mine")]
    return [[words for words in (MAIL_TOLD, PUSH_TOLD) if words in page] for page in pages]


@in_both
def test_after_three_refused_emails_an_address_gets_none_until_its_owner_tries_again(site, ada, box):
    room = begin(site, ada)
    box.wait(2)
    box.unknown.add("ada@example.org")
    for count in range(1, MOST_REFUSALS + 1):
        assert told(ada) == [[], []]
        decide(site, room)
        wait_refused(site, "turn", count)
    assert told(ada) == [[MAIL_TOLD], [MAIL_TOLD]]
    assert "ada@example.org" in ada.get("/mine").text
    assert f"refused by mail: {MOST_REFUSALS}" in httpx.get(f"{site.url}/health").text
    assert json.loads(ada.get("/account/export").text)["refused"][0]["way"] == "mail"
    decide(site, room)
    decide(site, room)
    box.unknown.clear()
    assert ada.post("/account/notices/again").url.path == "/account"
    assert told(ada) == [[], []]
    decide(site, room)
    box.wait(3)
    assert len(rows(site, "topic", "kind = 'turn'")) == MOST_REFUSALS + 2, "none was put in meanwhile"


def test_refusals_that_are_not_in_a_row_stop_nothing(site, ada, box):
    box.refusals = ["550 no"] * (MOST_REFUSALS - 1)
    room = begin(site, ada)
    for count in range(1, MOST_REFUSALS):
        wait_refused(site, "turn", count)
        decide(site, room)
    box.wait(2)
    wait_for(lambda: site.hub.store.rows("SELECT * FROM refused") == [])
    assert told(ada) == [[], []]


@in_both
def test_a_browser_that_refuses_three_notifications_is_off_until_it_is_turned_on_again(site, ada, service):
    browser = subscribe(site, ada, service)
    service.answers[:] = [(400, {})] * MOST_REFUSALS
    room = begin(site, ada)
    for count in range(1, MOST_REFUSALS):
        wait_refused(site, "push", count)
        decide(site, room)
    wait_refused(site, "push", MOST_REFUSALS)
    assert told(ada) == [[PUSH_TOLD], [PUSH_TOLD]]
    assert 'data-known=""' in ada.get("/account").text, "the switch shows that it is off"
    assert browser.endpoint not in ada.get("/account/export").text
    decide(site, room)
    subscribe(site, ada, service)
    assert told(ada) == [[], []]
    decide(site, room)
    service.wait(1)
    all_done(site)
    assert service.asked == MOST_REFUSALS + 1


def test_when_the_site_has_another_key_browsers_that_know_the_old_one_are_off(path, mail, service):
    way = {"mail": mail[1], "reach": service.reach}
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


@in_both
async def test_an_unreadable_subscription_does_not_affect_others(database):
    with contextlib.closing(open_store(database)) as store:
        add = "INSERT INTO subscription VALUES (?, 'a', ?, 0)"
        unreadable = ("", "[]", "{}", '{"p256dh": "xx", "auth": 7, "session": "s"}')
        await store.transact(lambda execute: [execute(add, (f"https://push/{keys}", keys)) for keys in unreadable])
        await store.transact(lambda execute: stop_other_keys(execute, "key"))
        assert stopped_of(store.rows, "a") == []
