"""Fixtures of the browser tests."""

from collections.abc import Iterator

import pytest

from tavola.club.mail import MailServer
from tests.helpers.mail import Mailbox, mail_server


@pytest.fixture
def mail() -> Iterator[tuple[Mailbox, MailServer]]:
    """Yield the mailbox of a mail server, and how a site reaches it."""
    with mail_server() as made:
        yield made
