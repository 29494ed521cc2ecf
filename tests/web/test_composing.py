"""The page while a player composes a statement: what can be touched, and how the draft reads."""

import pytest

import tavola
from tavola.talk import Pattern, Slot, language_of
from tavola.web.talk.tokens import sign_of
from tests.helpers.site import Guest, Site
from tests.helpers.staged import MY_SEAT, Staged, random_match


def staged_before(site: Site, ada: Guest, moments_before: int = 0) -> Staged:
    """Return a table where the viewer owes a vote, after the others, or `moments_before` earlier."""
    staged = Staged(site, random_match("lifeboats", 4, 8), ada)
    history, actions = staged.match.history, staged.match.game.actions
    owed = (at for at, (seat, number) in enumerate(history) if seat == MY_SEAT and actions.verb(number).name == "vote")
    staged.advance_to(next(owed) - moments_before)
    return staged


def draft(ada: Guest, code: str, **said: str) -> dict[str, str]:
    return ada.get(f"/r/{code}/draft", params=said, headers={"Accept": "application/json"}).json()


def test_what_is_decided_now_may_be_spoken_of_and_everything_else(site: Site, ada: Guest):
    staged = staged_before(site, ada)
    document = ada.get(f"/r/{staged.code}/speech").json()
    assert document["mine"] == ["vote"]
    spoken = dict(document["doors"]["vote"])
    assert {"vote red", "vote captain"} < spoken.keys()
    assert spoken["vote red"] == "Vote …|Red"
    assert document["doors"].keys() == language_of(staged.match.game).deeds.keys()
    assert [hearer["seat"] for hearer in document["hearers"]] == [1, 2, 3]


def test_a_boat_that_has_gone_cannot_be_spoken_of(site: Site, ada: Guest):
    """The blue and the white boat are not in a match of four."""
    document = ada.get(f"/r/{staged_before(site, ada).code}/speech").json()
    assert not {"vote blue", "vote white"} & {code for code, _ in document["doors"]["vote"]}


@pytest.mark.parametrize("game", ["lifeboats", "voyage", "fairies", "expedition", "tournament"])
def test_all_that_may_be_spoken_of_has_a_sign(game):
    """The bubble is only a fallback."""
    language = language_of(tavola.load(game))
    verbs = {**language.deeds, **language.facts}
    for name, verb in verbs.items():
        places = tuple(Slot(0) for _ in verb.arguments)
        assert "i-talk" not in sign_of(language, Pattern(name, places)), name


def test_a_draft_reads_as_direct_speech_in_the_readers_language(site: Site, ada: Guest):
    staged = staged_before(site, ada)
    said = draft(ada, staged.code, act="promise", deed="not vote red now")
    assert (said["sentence"], said["refused"]) == ("I won’t vote red.", "")
    assert "seal-red" in said["tag"]
    said = draft(ada, staged.code, act="offer", to="1", deed="not vote red now", condition="vote black next")
    assert said["sentence"] == "Vote black next time, and I won’t vote red."
    said = draft(ada, staged.code, act="request", to="1", deed="vote black now")
    assert said["refused"].startswith("Nothing is being decided there right now")


def test_a_draft_changes_nothing(site: Site, ada: Guest):
    staged = staged_before(site, ada)
    before = staged.room.state.seq
    draft(ada, staged.code, act="promise", deed="not vote red now")
    assert (staged.room.state.seq, staged.room.state.talk) == (before, None)


def test_spectators_and_players_at_silent_tables_cannot_compose(site: Site, ada: Guest, bruno: Guest):
    staged = staged_before(site, ada)
    assert bruno.get(f"/r/{staged.code}/speech").status_code == 403
    assert 'data-act="promise"' not in bruno.get(f"/r/{staged.code}").text
    code = ada.create(**{"option-players": "3", "bots": "2", "level": "random", "talk": "silent"})
    ada.post(f"/r/{code}/start")
    assert ada.get(f"/r/{code}/speech").status_code == 409
    page = ada.get(f"/r/{code}").text
    assert 'data-act="promise"' not in page
    assert "No talking at this table during the match." in page
    assert 'name="text"' not in page
