"""Nobody learns from the site what others whisper, try, note or lay ready: two worlds, compared to the byte."""

import random

import pytest

import tavola
from tavola.web.serve import sockets
from tests.helpers.days import SiteClock
from tests.helpers.site import site_at
from tests.helpers.worlds import NotedConnection, two_worlds

LANGUAGES = ("de", "fr", "it")


@pytest.fixture(scope="module")
def clock():
    return SiteClock()


@pytest.fixture(scope="module")
def site(tmp_path_factory, clock):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sockets, "Connection", NotedConnection)
        with site_at(tmp_path_factory.mktemp("worlds") / "tavola.sqlite", clock=clock) as running:
            yield running


@pytest.mark.parametrize("game", tavola.names())
def test_two_worlds(site, clock, game, steps=40, seed=5):
    with two_worlds(site, clock, tavola.load(game), seed) as pair:
        pair.begin()
        for number in range(steps):
            if pair.step():
                pair.compare(pages=number % 4 == 0)
        for language in LANGUAGES:
            pair.compare(newcomer=language)
        print(pair.received.positions, sum(pair.received.bytes.values()), [len(w.match.history) for w in pair.worlds])
