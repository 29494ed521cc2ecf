"""Fixtures of the account tests."""

from collections.abc import Iterator

import pytest

from tavola.club.mail import MailServer
from tests.helpers.mail import Mailbox, mail_server


@pytest.fixture
def mail() -> Iterator[tuple[Mailbox, MailServer]]:
    """Yield a mail server's postbox, and the settings with which a site reaches the server."""
    with mail_server() as made:
        yield made
