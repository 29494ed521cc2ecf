"""E-mails are queued in the database: each is sent, none is lost when a worker dies, and few are doubled.

`python -m tests.club.test_outbox DATABASE PORT` is the nursery of workers that send e-mails to a mail server.
"""

import asyncio
import contextlib
import sys
import time
from collections import Counter
from email.message import EmailMessage

import pytest

from tavola.club import outbox
from tavola.club.mail import BadMailServer, MailServer, mail_carrier
from tavola.club.mailer import Mailer
from tavola.club.outbox import NotNow
from tavola.store import open_store
from tests.helpers import wait_for
from tests.helpers.mail import mail_server
from tests.helpers.nursery import Nursery, run_nursery

in_both = pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)
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
        assert sorted(str(email["Subject"]) for email in box.emails + other_box.emails) == [
            f"turn {number:02}" for number in range(20)
        ]


@in_both
@pytest.mark.process
def test_a_killed_worker_loses_no_email_and_repeats_at_most_one(database):
    """Each death is between sending an e-mail and recording it."""
    with contextlib.closing(open_store(database)) as store:

        async def fill():
            for number in range(12):
                await put(store, f"turn {number:02}")

        asyncio.run(fill())
    with mail_server() as (box, server):
        worker, starts, kills = Nursery("tests.club.test_outbox", str(database), str(server.port)), [0], [0]

        def start():
            worker.begin()
            starts[0] += 1

        def kill_after_some():
            if len(box.emails) in (3, 8):  # an e-mail was accepted, but its sender does not know yet
                wait_for(lambda: starts[0] > kills[0])  # only then is it known which process to kill
                worker.kill()
                kills[0] += 1

        def all_sent():
            if kills[0] == starts[0]:
                worker.await_death()
                start()
            return len({str(email["Subject"]) for email in list(box.emails)}) == 12

        box.taken = kill_after_some
        start()
        wait_for(all_sent, lambda: len(box.emails))
        time.sleep(1.0)  # what is recorded as sent is not sent again
        worker.kill()
        worker.await_death()
        worker.close()
        sent = Counter(str(email["Subject"]) for email in box.emails)
    assert kills[0] == 2
    assert len(sent) == 12
    assert max(sent.values()) == 2
    assert sum(sent.values()) - 12 <= kills[0]


async def test_a_mail_server_that_is_not_there_is_tried_again():
    server = MailServer.parse("smtp://127.0.0.1:9", "table@tavola.example")
    with pytest.raises(NotNow):
        await server.send(message())


@pytest.mark.parametrize("address", ["mail.example", "http://mail.example", "smtp://", "smtp://a:secret@mail.example"])
def test_a_bad_mail_server_is_refused_without_printing_the_password(address):
    with pytest.raises(BadMailServer) as refused:
        MailServer.parse(address, "table@tavola.example")
    assert "secret" not in str(refused.value)


def test_a_password_is_in_no_text_of_the_settings():
    assert "secret" not in repr(MailServer.parse("smtps://a@mail.example", "t@tavola.example", "secret"))


def deliver(database: str, port: str) -> None:
    server = MailServer.parse(f"smtp://127.0.0.1:{port}", "table@tavola.example")
    asyncio.run(Mailer(open_store(database), mail_carrier(server, write), seconds=0.4).run())


if __name__ == "__main__":
    run_nursery(lambda order: deliver(*sys.argv[1:]))
