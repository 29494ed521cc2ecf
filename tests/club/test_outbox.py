"""E-mails wait in the database: each is sent, none is lost when a worker dies, and few are doubled.

`python -m tests.club.test_outbox DATABASE PORT` is the nursery of workers that send letters to a mail server.
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
from tavola.club.postman import NotNow, Postman
from tavola.store import open_store
from tests.helpers import wait_for
from tests.helpers.mail import mail_server
from tests.helpers.nursery import Nursery, run_nursery
from tests.helpers.rooms import run_in_loop

AN_HOUR_AHEAD = "UPDATE outbox SET created_at = created_at + 3600, due_at = due_at + 3600"


async def write(letter):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "table@tavola.example", letter.recipient, letter.topic
    message.set_content("It is your turn.")
    return message


async def put(store, topic, recipient="ada@example.org", lasts=3600.0, **body):
    return await store.transact(lambda execute: outbox.put(execute, topic, "turn", recipient, "m", lasts, body))


def rows(store, columns):
    return store.rows(f"SELECT {columns} FROM outbox ORDER BY topic")


@contextlib.contextmanager
def opened(database):
    with mail_server() as (box, server), contextlib.closing(open_store(database)) as store:
        yield box, store, Postman(store, mail_carrier(server, write))


@run_in_loop
async def test_a_letter_is_sent_once_and_leaves_nothing_of_its_recipient(database):
    with opened(database) as (box, store, postman):
        assert await put(store, "turn/kabvin/2/7", move=3)
        assert not await put(store, "turn/kabvin/2/7", move=3)  # the same turn again
        assert await postman.deliver_one()
        assert not await postman.deliver_one()
        assert box.recipients == ["ada@example.org"]
        assert not await put(store, "turn/kabvin/2/7", move=3)  # it has been told of already
        assert rows(store, "ended, recipient, body, attempts") == [("sent", "", "", 1)]


@run_in_loop
async def test_what_cannot_be_sent_now_is_tried_again_later(database):
    with opened(database) as (box, store, postman):
        box.refusals = ["451 later", "451 later"]
        await put(store, "a")
        for attempt in (1, 2):
            began = time.time()
            assert await postman.deliver_one()
            assert not await postman.deliver_one()
            ((ended, attempts, due),) = rows(store, "ended, attempts, due_at")
            assert (ended, attempts) == ("", attempt)
            assert began <= due - outbox.DELAYS[attempt - 1] <= time.time()
            await store.transact(lambda execute: execute("UPDATE outbox SET due_at = 0"))
        assert await postman.deliver_one()
        assert rows(store, "ended") == [("sent",)]


@run_in_loop
async def test_a_clock_that_is_set_back_keeps_no_word_of_a_turn_waiting(database):
    """The first wait of a letter is of minutes; one for the next morning waits for the morning."""
    with opened(database) as (box, store, postman):
        await put(store, "a")
        for topic, wait in (("b", 300.0), ("c", 12 * 3600.0)):
            await store.transact(lambda do, t=topic, w=wait: outbox.put(do, t, "turn", t, "m", 1e6, {}, None, w))
        await store.transact(lambda execute: execute(AN_HOUR_AHEAD))
        assert outbox.next_due(store.rows, outbox.MAIL) <= time.time()
        box.refusals = ["451 later"]
        while await postman.deliver_one():
            pass
        assert rows(store, "topic, ended") == [("a", ""), ("b", "sent"), ("c", "")], "a retry waits its seconds"
        assert outbox.count_since(store.rows, "m", time.time() - 3600) == 0, "nobody is kept from asking for a link"


@run_in_loop
async def test_what_is_refused_for_good_or_of_no_use_any_more_is_let_be(database):
    with opened(database) as (box, store, postman):
        box.refusals = ["550 nobody here"]
        await put(store, "a")
        await put(store, "b", lasts=-1.0)
        while await postman.deliver_one():
            pass
        assert box.letters == []
        assert rows(store, "topic, ended, recipient") == [("a", "failed", ""), ("b", "expired", "")]


@run_in_loop
async def test_two_workers_share_the_letters(database):
    with opened(database) as (box, store, postman), mail_server() as (other_box, other):
        for number in range(20):
            await put(store, f"turn {number:02}")
        second = Postman(store, mail_carrier(other, write))

        async def work(worker):
            while await worker.deliver_one():
                pass

        await asyncio.gather(work(postman), work(second))
        assert sorted(str(letter["Subject"]) for letter in box.letters + other_box.letters) == [
            f"turn {number:02}" for number in range(20)
        ]


@pytest.mark.process
def test_a_worker_that_is_killed_loses_no_letter_and_doubles_one_at_most(database):
    """Half the deaths are between sending and noting it, the others at any time."""
    with contextlib.closing(open_store(database)) as store:

        async def fill():
            for number in range(24):
                await put(store, f"turn {number:02}")

        asyncio.run(fill())
    with mail_server() as (box, server):
        worker, starts, kills = Nursery("tests.club.test_outbox", str(database), str(server.port)), [0], [0]

        def start():
            worker.begin()
            starts[0] += 1

        def kill_after_some():
            if len(box.letters) in (3, 4, 9, 15):  # a letter has been taken, and its sender does not know
                wait_for(lambda: starts[0] > kills[0])  # only then it is known whom to kill
                worker.kill()
                kills[0] += 1

        def all_sent():
            if kills[0] == starts[0]:
                worker.await_death()
                start()
            return len({str(letter["Subject"]) for letter in list(box.letters)}) == 24

        box.taken = kill_after_some
        start()
        wait_for(all_sent, lambda: len(box.letters))
        time.sleep(1.0)  # what is noted as sent is not sent again
        worker.kill()
        worker.await_death()
        worker.close()
        sent = Counter(str(letter["Subject"]) for letter in box.letters)
    assert kills[0] == 4
    assert len(sent) == 24
    assert max(sent.values()) == 2
    assert sum(sent.values()) - 24 <= kills[0]


@run_in_loop
async def test_a_mail_server_that_is_not_there_is_tried_again():
    server = MailServer.parse("smtp://127.0.0.1:9", "table@tavola.example")
    message = EmailMessage()
    message["To"], message["From"] = "ada@example.org", "table@tavola.example"
    with pytest.raises(NotNow):
        await server.send(message)


@pytest.mark.parametrize("address", ["mail.example", "http://mail.example", "smtp://", "smtp://a:secret@mail.example"])
def test_what_is_no_mail_server_is_refused_and_no_password_is_told(address):
    with pytest.raises(BadMailServer) as refused:
        MailServer.parse(address, "table@tavola.example")
    assert "secret" not in str(refused.value)


def test_a_password_is_in_no_text_of_the_settings():
    assert "secret" not in repr(MailServer.parse("smtps://a@mail.example", "t@tavola.example", "secret"))


def deliver(database: str, port: str) -> None:
    """Send what waits, until the process is killed."""
    server = MailServer.parse(f"smtp://127.0.0.1:{port}", "table@tavola.example")
    asyncio.run(Postman(open_store(database), mail_carrier(server, write), seconds=0.4).run())


if __name__ == "__main__":
    run_nursery(lambda order: deliver(*sys.argv[1:]))
