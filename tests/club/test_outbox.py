"""E-mails are queued in the database: each is sent once, also by another worker if one dies, or tried again later."""

import asyncio
import contextlib
import time
from email.message import EmailMessage

import pytest

from tavola.club.sending import outbox
from tavola.club.sending.mail import BadMailServer, MailServer, mail_carrier
from tavola.club.sending.mailer import Mailer
from tavola.club.sending.outbox import NotNow
from tavola.store import open_store
from tests.club.conftest import in_both
from tests.helpers.mail import mail_server
from tests.helpers.rooms import refused

AN_HOUR_AHEAD = "UPDATE outbox SET created_at = created_at + 3600, due_at = due_at + 3600"


def message(recipient="ada@example.org", subject="A link"):
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "table@tavola.example", recipient, subject
    made.set_content("It is your turn.")
    return made


async def write(email):
    return message(email.recipient, email.topic)


async def put(store, topic, recipient="ada@example.org", lasts=3600.0, **body):
    return await store.transact(lambda execute: outbox.put(execute, topic, "turn", recipient, "m", lasts, body))


def rows(store, columns):
    return store.rows(f"SELECT {columns} FROM outbox ORDER BY topic")


async def deliver_all(mailer):
    while await mailer.deliver_one():
        pass


@contextlib.contextmanager
def opened(database):
    with mail_server() as (box, server), contextlib.closing(open_store(database)) as store:
        yield box, store, Mailer(store, mail_carrier(server, write))


@in_both
async def test_an_email_is_sent_once_and_its_recipient_is_not_kept(database):
    with opened(database) as (box, store, mailer):
        assert await put(store, "turn/kabvin/2/7", move=3)
        assert not await put(store, "turn/kabvin/2/7", move=3)  # the same turn again
        assert await mailer.deliver_one()
        assert not await mailer.deliver_one()
        assert box.recipients == ["ada@example.org"]
        assert not await put(store, "turn/kabvin/2/7", move=3)  # already sent
        assert rows(store, "ended, recipient, body, attempts") == [("sent", "", "", 1)]


@in_both
async def test_what_cannot_be_sent_now_is_tried_again_later(database):
    with opened(database) as (box, store, mailer):
        box.refusals = ["451 later", "451 later"]
        await put(store, "a")
        for attempt in (1, 2):
            began = time.time()
            assert await mailer.deliver_one()
            assert not await mailer.deliver_one()
            ((ended, attempts, due),) = rows(store, "ended, attempts, due_at")
            assert (ended, attempts) == ("", attempt)
            assert began <= due - outbox.DELAYS[attempt - 1] <= time.time()
            await store.transact(lambda execute: execute("UPDATE outbox SET due_at = 0"))
        assert await mailer.deliver_one()
        assert rows(store, "ended") == [("sent",)]


@in_both
async def test_setting_the_clock_back_delays_no_notification(database):
    """A retry is due within minutes; an e-mail for the next morning is not sent before."""
    with opened(database) as (box, store, mailer):
        await put(store, "a")
        for topic, wait in (("b", 300.0), ("c", 12 * 3600.0)):
            await store.transact(lambda do, t=topic, w=wait: outbox.put(do, t, "turn", t, "m", 1e6, {}, None, w))
        await store.transact(lambda execute: execute(AN_HOUR_AHEAD))
        assert outbox.next_due(store.rows, outbox.MAIL) <= time.time()
        box.refusals = ["451 later"]
        await deliver_all(mailer)
        assert rows(store, "topic, ended") == [("a", ""), ("b", "sent"), ("c", "")], "a retry waits its seconds"
        assert outbox.count_since(store.rows, "m", time.time() - 3600) == 0, "nobody is kept from asking for a link"


@in_both
async def test_what_is_refused_for_good_or_of_no_use_any_more_is_let_be(database):
    with opened(database) as (box, store, mailer):
        box.refusals = ["550 nobody here"]
        await put(store, "a")
        await put(store, "b", lasts=-1.0)
        await deliver_all(mailer)
        assert box.emails == []
        assert rows(store, "topic, ended, recipient") == [("a", "failed", ""), ("b", "expired", "")]


@in_both
async def test_two_workers_share_the_emails(database):
    with opened(database) as (box, store, mailer), mail_server() as (other_box, other):
        for number in range(20):
            await put(store, f"turn {number:02}")
        await asyncio.gather(deliver_all(mailer), deliver_all(Mailer(store, mail_carrier(other, write))))
        subjects = sorted(email["Subject"] for email in box.emails + other_box.emails)
        assert subjects == [f"turn {number:02}" for number in range(20)]


@in_both
async def test_an_email_whose_worker_has_died_is_sent_by_another_and_the_dead_one_changes_nothing(database):
    """Sites that are killed while an e-mail is handed over: see `test_kills`."""
    with opened(database) as (box, store, mailer):
        await put(store, "a")
        taken = await store.transact(lambda execute: outbox.take(execute, "dead", outbox.MAIL))
        assert not await mailer.deliver_one(), "it is leased"
        await store.transact(lambda execute: execute("UPDATE outbox SET due_at = 0"))
        assert await mailer.deliver_one()
        await store.transact(lambda execute: outbox.end(execute, taken, "dead", "failed"))
        assert (rows(store, "ended, attempts"), box.recipients) == ([("sent", 2)], ["ada@example.org"])


async def test_a_mail_server_that_is_not_there_is_tried_again():
    await refused(NotNow, MailServer.parse("smtp://127.0.0.1:9", "table@tavola.example").send(message()))


@pytest.mark.parametrize("address", ["mail.example", "http://mail.example", "smtp://", "smtp://a:secret@mail.example"])
def test_a_bad_mail_server_is_refused_without_printing_the_password(address):
    with pytest.raises(BadMailServer) as refused:
        MailServer.parse(address, "table@tavola.example")
    assert "secret" not in str(refused.value)


def test_a_password_is_in_no_text_of_the_settings():
    assert "secret" not in repr(MailServer.parse("smtps://a@mail.example", "t@tavola.example", "secret"))
