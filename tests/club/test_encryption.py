"""Letters cross a network encrypted, to a server that shows who it is, or not at all."""

import asyncio
import gc
from dataclasses import replace
from email.message import EmailMessage
from typing import Any, cast

import pytest

from tavola.club.mail import MailServer
from tavola.club.postman import NotNow
from tests.helpers.mail import ELSEWHERE, encrypted_mail_server, mail_server
from tests.helpers.rooms import run_in_loop, wait_until


def letter() -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "table@tavola.example", "ada@example.org", "A link"
    message.set_content("Come in.")
    return message


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_a_letter_goes_encrypted_by_starttls_or_from_the_start(tmp_path, scheme):
    with encrypted_mail_server(tmp_path, scheme) as (box, server):
        _send(server)
        assert box.recipients == ["ada@example.org"]
        assert box.encrypted == [True]


# Of a handshake that fails asyncio leaves a socket to the collector: it is collected here, where that is allowed.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_a_server_that_cannot_show_who_it_is_gets_nothing(tmp_path, scheme):
    with encrypted_mail_server(tmp_path, scheme) as (box, server):
        with pytest.raises(NotNow):
            _send(replace(server, tls=None))
        assert box.letters == []
    gc.collect()


def test_a_server_elsewhere_without_encryption_gets_nothing():
    with mail_server(ELSEWHERE) as (box, server):
        with pytest.raises(NotNow):
            _send(server)
        assert box.letters == []


@run_in_loop
async def _send(server: MailServer) -> None:
    selector = cast(Any, asyncio.get_running_loop())._selector
    idle = set(selector.get_map())
    await server.send(letter())
    # The farewell of TLS is still on its way: a loop that ended now would leave the connection to the collector.
    await wait_until(lambda: set(selector.get_map()) <= idle)
