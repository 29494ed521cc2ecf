"""What tests of accounts share."""

from collections.abc import Iterator

import pytest

from tavola.club.mail import MailServer
from tests.helpers.mail import Postbox, mail_server


@pytest.fixture
def post() -> Iterator[tuple[Postbox, MailServer]]:
    """A mail server, and how a site finds it."""
    with mail_server() as made:
        yield made
