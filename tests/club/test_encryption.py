"""E-mails are sent encrypted, to a server that proves its identity, or not at all."""

import asyncio
import gc
from dataclasses import replace
from email.message import EmailMessage
from typing import Any, cast

import pytest

from tavola.club.mail import MailServer
from tavola.club.outbox import NotNow
from tests.helpers.mail import ELSEWHERE, encrypted_mail_server, mail_server
from tests.helpers.rooms import wait_until


def email() -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "table@tavola.example", "ada@example.org", "A link"
    message.set_content("Come in.")
    return message


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_an_email_is_encrypted_by_starttls_or_from_the_start(tmp_path, scheme):
    with encrypted_mail_server(tmp_path, scheme) as (box, server):
        asyncio.run(_send(server))
        assert box.recipients == ["ada@example.org"]
        assert box.encrypted == [True]


# After a failed handshake asyncio leaves a socket to the garbage collector; here it may be collected.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_a_mail_server_without_a_valid_certificate_gets_nothing(tmp_path, scheme):
    with encrypted_mail_server(tmp_path, scheme) as (box, server):
        with pytest.raises(NotNow):
            asyncio.run(_send(replace(server, tls=None)))
        assert box.emails == []
    gc.collect()


def test_a_server_elsewhere_without_encryption_gets_nothing():
    with mail_server(ELSEWHERE) as (box, server):
        with pytest.raises(NotNow):
            asyncio.run(_send(server))
        assert box.emails == []


async def _send(server: MailServer) -> None:
    selector = cast(Any, asyncio.get_running_loop())._selector
    idle = set(selector.get_map())
    await server.send(email())
    # TLS is still closing: if the loop ended now, the connection would be left to the garbage collector.
    await wait_until(lambda: set(selector.get_map()) <= idle)
