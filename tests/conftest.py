"""One site for all tests that look at pages."""

import pytest
from web_site import site_at

import tavola
from tavola.web.server import warm_up


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The real site on a port of this machine; bots play at random and at once."""
    warm_up(tavola.names())
    with site_at(tmp_path_factory.mktemp("site") / "tavola.sqlite") as running:
        yield running


@pytest.fixture
def ada(site):
    """A guest."""
    with site.guest() as guest:
        yield guest


@pytest.fixture
def bruno(site):
    """Another guest."""
    with site.guest() as guest:
        yield guest
