"""Turn notifications by e-mail: a real correspondence match, one e-mail a decision, fewer with one press.

What each e-mail says, and at which hours, is in the lists of `test_messages_over_days`.
"""

import re
import time
from datetime import UTC, datetime

import httpx
import pytest

from tavola.club.notices import next_morning, queue_notification
from tavola.store import WriteFailed
from tavola.web.requests.visitor import site_say
from tavola.web.table.brief import named_people
from tests.club.conftest import in_both
from tests.club.test_accounts import keep
from tests.helpers import wait_for
from tests.helpers.days import HOUR
from tests.helpers.mail import page_of, text_of
from tests.helpers.rooms import play_legal, play_to_end
from tests.helpers.site import MAIL_HOME, TLS, begin_correspondence, open_socket


@pytest.fixture
def site(site):
    """The site, which sends notifications as soon as they are queued."""
    club_of(site).notices.pause = 0.0
    return site


def club_of(site):
    return site.app.state.site.club


def begin(site, guest, **fields):
    return site.room(begin_correspondence(site, guest, **fields))


def decide(site, room):
    number = room.state.dues[0].number
    site.run(play_legal(room, room.state.occupants[0].person))
    wait_for(lambda: 0 in room.state.dues and room.state.dues[0].number != number)


def try_again(site):
    site.run(site.hub.store.transact(lambda execute: execute("UPDATE outbox SET due_at = 0")))
    site.call(club_of(site).ring)


def named_others(room):
    return named_people([name for name in room.names if name != "Ada"], site_say("en"))


def all_done(site):
    wait_for(lambda: site.hub.store.rows("SELECT count(*) FROM outbox WHERE ended = ''") == [(0,)])


def wait_put_off(site, seconds):
    """Wait until the only message that waits is due in more than `seconds`, and is not being sent."""
    query = "SELECT attempts, taken_by, due_at > ? FROM outbox WHERE ended = ''"
    wait_for(lambda: site.hub.store.rows(query, (time.time() + seconds,)) == [(0, "", 1)])


def test_each_turn_is_notified_once_without_secrets(site, ada, box):
    keep(ada, box)
    room = begin(site, ada)
    email = box.wait(2)
    with_people = named_others(room)
    assert email["Subject"] == f"Your turn: Lifeboats with {with_people}"
    assert room.id in email["References"]
    assert email["Auto-Submitted"] == "auto-generated"
    assert email["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    quiet = email["List-Unsubscribe"].strip("<>")
    assert f"{MAIL_HOME}/r/{room.id}" in text_of(email)
    page = page_of(email)
    assert set(re.findall(r'(?:href|src)="([^"]*)"', page)) == {f"{MAIL_HOME}/r/{room.id}", quiet}, "nothing is fetched"
    shown = re.sub(r"\s+", " ", re.sub(r"<style>.*</style>|<[^>]*>", " ", page, flags=re.DOTALL))
    assert f"Day 1 Your turn in Lifeboats With: {with_people} Round: Before the first round Now: " in shown
    decide(site, room)
    assert room.id in text_of(box.wait(3))
    assert box.recipients[1:] == ["ada@example.org"] * 2


@in_both
def test_decisions_that_open_while_a_message_waits_are_one_message_that_tells_them_apart(site, ada, box):
    keep(ada, box)
    club_of(site).notices.pause = HOUR
    rooms = [begin(site, ada) for _ in range(8)]
    rows = "SELECT count(*), count(nullif(ended, 'joined')) FROM outbox WHERE substr(topic, 1, 5) = 'turn/'"
    wait_for(lambda: site.hub.store.rows(rows) == [(8, 1)])
    decide(site, rooms[1])
    wait_for(lambda: site.hub.store.rows(rows) == [(9, 1)])
    club_of(site).notices.pause = 0.0
    try_again(site)
    email = box.wait(2)
    text = text_of(email).replace("\r\n", "\n")
    assert email["Subject"] == "8 matches are waiting for you"
    assert f"{MAIL_HOME}/mine" in text
    paragraphs, count = [], 0
    for room in rooms:
        people = [name for name in room.names if name != "Ada"]
        (paragraph,) = (each for each in text.split("\n\n") if room.id in each)
        if paragraph.startswith("Lifeboats with") and "\n  Now: " in paragraph:
            assert people[0] in paragraph.splitlines()[0], "each match is named with its people"
            assert "Time left: 2 days 23 hours" in paragraph
            count += 1
        else:
            paragraphs.append(paragraph)
    assert (count, len({*paragraphs})) == (6, 1), "from the seventh, a line each"
    assert all(re.match(r"Lifeboats with .+ · 2 days 23 hours · http", line) for line in paragraphs[0].splitlines())
    assert len(paragraphs[0].splitlines()) == 2
    all_done(site)
    assert len(box.emails) == 2


def test_a_player_who_is_at_the_table_or_was_just_asked_is_not_told_yet(site, ada, box, clock):
    keep(ada, box)
    club_of(site).notices.pause = HOUR / 6
    room = begin(site, ada)
    wait_put_off(site, HOUR / 12)
    try_again(site)
    wait_put_off(site, HOUR / 12)
    clock.ahead = HOUR / 2
    with open_socket(site.url, ada, room.id, "json"):
        wait_for(lambda: room.state.host.id in room.presence)
        try_again(site)
        wait_put_off(site, HOUR / 12)
    wait_for(lambda: room.state.host.id not in room.presence)
    assert len(box.emails) == 1
    try_again(site)
    assert room.id in text_of(box.wait(2))


def test_a_message_that_was_late_waits_for_the_morning(site, ada, box):
    keep(ada, box)
    hour = datetime.now(UTC).hour
    room = begin(site, ada)
    assert room.id in text_of(box.wait(2))
    club_of(site).notices.pause = HOUR
    decide(site, room)
    ada.post("/mine/night", data={"begins": str((hour - 2) % 24), "ends": str((hour + 4) % 24), "zone": "UTC"})
    club_of(site).notices.pause = 0.0
    try_again(site)
    wait_put_off(site, 2 * HOUR)
    ada.post("/mine/night", data={"begins": str((hour + 4) % 24), "ends": str((hour + 6) % 24), "zone": "UTC"})
    try_again(site)
    until = datetime.fromtimestamp(room.state.dues[0].until, UTC)
    assert f"until {until:%A, %-d %B, %H:%M}" in text_of(box.wait(3))


def test_a_notification_waits_for_a_database_that_cannot_be_reached(site, ada, box, monkeypatch):
    keep(ada, box)
    store, failures = club_of(site).store, [WriteFailed("the disk is full")] * 2
    transact = store.transact

    async def failing(work):
        if failures and getattr(work, "func", None) is queue_notification:
            raise failures.pop()
        return await transact(work)

    monkeypatch.setattr(store, "transact", failing)
    begin(site, ada)
    assert "Your turn: Lifeboats with " in box.wait(2)["Subject"]
    assert not failures


@in_both
def test_emails_can_be_reduced_by_one_press_without_signing_in(site, box, ada, eve):
    keep(ada, box)
    room = begin(site, ada)
    path = box.wait(2)["List-Unsubscribe"].strip("<>").removeprefix(MAIL_HOME)
    named = f"Lifeboats with {named_others(room)}"
    page = eve.get(path).text
    assert "Not for this match" in page
    assert f"The e-mail was about {named}." in page
    decide(site, room)
    box.wait(3)  # looking changes nothing
    page = eve.post(path, data={"choice": "match"}).text
    assert f"You won’t get e-mails about {named} any more." in page
    decide(site, room)
    other = begin(site, ada)
    assert other.id in text_of(box.wait(4))
    for name in ("Origin", "Sec-Fetch-Site"):
        del eve.headers[name]
    assert eve.post(path, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    decide(site, other)
    decide(site, room)
    all_done(site)
    assert len(box.emails) == 4
    assert '<option value="none" selected' in ada.get("/account").text
    ada.post("/account/notices", data={"manner": "turn"})
    decide(site, other)
    box.wait(5)
    assert eve.get(f"{path}x").status_code == 404
    assert ada.post("/account/notices", data={"manner": "hourly"}).status_code == 400


FORM = {"Content-Type": "application/x-www-form-urlencoded"}
ONE_CLICK = b"List-Unsubscribe=One-Click"
PART = b'--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
MAIL_PROGRAMS = (
    (FORM, ONE_CLICK),
    ({**FORM, "Origin": "null"}, ONE_CLICK),
    ({**FORM, "Origin": "https://mail.google.com", "Sec-Fetch-Site": "cross-site"}, ONE_CLICK),
    ({"Content-Type": "multipart/form-data; boundary=x"}, PART),
    ({}, ONE_CLICK),
    ({}, b""),
    (FORM, b""),
    (FORM, b"x=1"),
)


def test_any_mail_program_ends_e_mails_by_one_click(site, box, ada):
    preference = "SELECT manner FROM notice"
    with httpx.Client(base_url=site.url, verify=TLS) as program:
        keep(ada, box)
        begin(site, ada)
        path = box.wait(2)["List-Unsubscribe"].strip("<>").removeprefix(MAIL_HOME)
        for method in ("GET", "HEAD", "OPTIONS"):
            program.request(method, path)
        assert site.hub.store.rows(preference) == [], "looking changes nothing"
        for headers, body in MAIL_PROGRAMS:
            ada.post("/account/notices", data={"manner": "turn"})
            assert site.hub.store.rows(preference) == [("turn",)]
            assert program.post(f"{path}?utm=1", content=body, headers=headers).status_code == 200, (headers, body)
            assert site.hub.store.rows(preference) == [("none",)], (headers, body)
        assert program.post("/account/notices", headers={"Origin": "null"}).status_code == 403, "only that may be asked"


@pytest.mark.parametrize(("hour", "day"), [(3, 2), (12, 3)])
def test_the_next_morning_is_that_of_the_same_day_or_of_the_next(hour: int, day: int):
    now = datetime(2026, 3, 2, hour, tzinfo=UTC).timestamp()
    assert next_morning(lambda *_: [], "nobody", now) == datetime(2026, 3, day, 8, tzinfo=UTC)


@in_both
def test_one_daily_email_lists_all_pending_decisions(site, ada, box):
    keep(ada, box)
    ada.post("/account/notices", data={"manner": "day"})
    rooms = [begin(site, ada), begin(site, ada, game="voyage")]
    query = "SELECT kind, due_at FROM outbox WHERE ended = ''"
    wait_for(lambda: site.hub.store.rows(query))
    ((kind, due_at),) = site.hub.store.rows(query)
    assert (kind, datetime.fromtimestamp(due_at, UTC).hour) == ("day", 8)
    try_again(site)
    text = text_of(box.wait(2))
    assert all(room.id in text for room in rooms)
    assert len(box.emails) == 2


def test_the_end_of_a_match_is_told_to_those_who_have_not_seen_it(site, ada, bea, box):
    keep(ada, box)
    keep(bea, box, address="bea@example.org")
    club_of(site).notices.pause = HOUR
    code = ada.create(days="3", patience="60", name="Ada", players="3")
    bea.sit(code, "Bea")
    ada.post(f"/r/{code}/fill", data={"level": "random"})
    room = site.room(code)
    people = [place.person for place in room.state.occupants if place.person is not None]
    site.run(play_to_end(room, people))
    site.run(club_of(site).memory.note_seen(people[0].id, code, room.moments, live=False))
    told = "SELECT count(*) FROM outbox WHERE topic || '/' LIKE 'turn/%/0/ended/%'"
    wait_for(lambda: site.hub.store.rows(told) == [(2,)])
    try_again(site)
    text = text_of(box.wait(3))
    all_done(site)
    assert box.recipients[2:] == [f"{people[1].name.lower()}@example.org"], "the other one has seen it"
    assert room.id in text
