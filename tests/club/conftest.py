"""Fixtures of the account tests: a site that sends e-mails and notifications, and its guests."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from tavola.club.sending.mail import MailServer
from tests.helpers.days import RunningClock
from tests.helpers.mail import Mailbox
from tests.helpers.push import PushService
from tests.helpers.site import Site, site_at

in_both = pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)
"""For tests of a site that run statements no other test of accounts runs in PostgreSQL."""


@pytest.fixture
def database(request: pytest.FixtureRequest, path: Path) -> Path | str:
    """An empty database, by default a file."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return path
    return cast(str, request.getfixturevalue("postgres").new_database())


@pytest.fixture
def box(mail: tuple[Mailbox, MailServer]) -> Mailbox:
    return mail[0]


@pytest.fixture
def site(
    database: Path | str, mail: tuple[Mailbox, MailServer], service: PushService, clock: RunningClock
) -> Iterator[Site]:
    with site_at(database, mail=mail[1], reach=service.reach, clock=clock) as running:
        yield running


@pytest.fixture
def clock() -> RunningClock:
    return RunningClock()


@pytest.fixture
def service(service: PushService) -> PushService:
    service.notifications.clear()
    service.refusals.clear()
    service.answers.clear()
    service.asked = 0
    return service
