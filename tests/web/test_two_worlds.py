"""The site shows no one what others whisper, try, note or choose early: two worlds, compared byte by byte."""

from collections import Counter

import pytest

import tavola
from tavola.contract.catalogues import TRANSLATIONS
from tavola.live import presence
from tavola.web.requests.guard import HostNames
from tavola.web.serve import sockets
from tests.helpers.days import SiteClock
from tests.helpers.site import site_at
from tests.helpers.worlds import CARLA, NotedConnection, Pair, Received, two_worlds

LANGUAGES = TRANSLATIONS[::-1]


@pytest.fixture(scope="module")
def clock():
    return SiteClock()


@pytest.fixture(scope="module")
def site(tmp_path_factory, clock, shared_mail, service):
    names = HostNames(frozenset({"127.0.0.1"}), home="https://127.0.0.1")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sockets, "Connection", NotedConnection)
        patch.setattr(presence, "SETTLING", 0.05)  # no page is reloaded here
        path = tmp_path_factory.mktemp("worlds") / "tavola.sqlite"
        with site_at(path, clock=clock, mail=shared_mail[1], reach=service.reach, names=names) as running:
            running.app.state.site.club.notices.pause = 0.0
            yield running


def walk(pair: Pair, steps: int, newcomers: tuple[str, ...] = LANGUAGES) -> Received:
    """Continue in both worlds; compare after every step, pages after some, and newcomers' screens at the end."""
    pair.begin()
    for number in range(steps):
        if pair.step():
            pair.compare(pages=number % 5 == 0)
    for language in newcomers:
        pair.compare(newcomer=language)
    return pair.received


@pytest.mark.bulk
@pytest.mark.parametrize("game", tavola.game_names())
def test_others_receive_the_same_whatever_is_whispered_tried_noted_or_laid_ready(site, clock, game):
    steps = 16 if game == "tournament" else 8
    with two_worlds(site, clock, tavola.load(game), seed=21, window="30") as pair:
        assert walk(pair, steps, LANGUAGES[:1]).positions > steps / 2
        one, other = ({event.kind for event in site.hub.store.events(world.code)} for world in pair.worlds)
        assert {"spoke", "played"} < one & other
        assert pair.own_pages_differ(), "what is hidden from others is there"
        fates = [[said.status for said in world.talk.said] for world in pair.worlds]
        assert fates[0] != fates[1], "what became of whispers is not the same"
        lengths = {len(world.match.history) for world in pair.worlds}
        assert len(lengths) == (2 if game == "tournament" else 1), "where there are drafts, one has more steps"


@pytest.mark.bulk
@pytest.mark.parametrize("game", tavola.game_names())
def test_emails_exports_and_lists_of_a_correspondence_game_are_the_same(site, clock, shared_mail, service, game):
    with two_worlds(site, clock, tavola.load(game), 7, (shared_mail[0], service), days="3") as pair:
        received = walk(pair, 5 if game == "tournament" else 2, ("",))
        assert received.answers["seat /account/export"] > 1
        asked = any(world.room.state.decision_counts[CARLA] or CARLA in world.room.state.dues for world in pair.worlds)
        assert any(name.startswith("letter") for name in received.answers) == asked


@pytest.mark.soak
@pytest.mark.parametrize("game", tavola.game_names())
def test_two_thousand_pairs_of_worlds_of_each_game(site, clock, shared_mail, service, game):
    positions, seed, received = 0, 0, Counter[str]()
    while positions < 2_000:
        seed += 1
        days = {"days": "3"} if seed % 4 == 0 else {"window": "30"}
        post = (shared_mail[0], service) if seed % 4 == 0 else None
        with two_worlds(site, clock, tavola.load(game), seed, post, **days) as pair:
            found = walk(pair, 60)
        positions, received = positions + found.positions, received + found.bytes
    print(f"{game}: {positions} pairs of positions, {seed} pairs of matches, {sum(received.values())} bytes")
