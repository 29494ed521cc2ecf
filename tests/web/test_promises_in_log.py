"""Promises in the log, in the replay and on the last screen."""

import re

from tests.helpers.site import Guest, Site
from tests.helpers.staged import Staged, random_match
from tests.web.test_composing import staged_before
from tests.web.test_promise_tokens import decide_all, promise_both, speak


def text(markup: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", markup))


def log_of(page: str) -> str:
    return text(re.search(r'<ol class="log.*?</ol>', page, re.DOTALL)[0])


def decided(site: Site, ada: Guest) -> Staged:
    """Return a table where the viewer has kept a promise, broken one and whispered one."""
    staged = staged_before(site, ada)
    promise_both(staged)
    speak(staged, 0, act="promise", to=1, deed="not vote blue next")
    decide_all(staged)
    return staged


def test_the_log_has_what_was_said_and_what_it_came_to_under_its_round(site: Site, ada: Guest):
    staged = decided(site, ada)
    log = log_of(ada.get(f"/r/{staged.code}").text)
    assert "promises everyone:" in log
    assert "✓ Ada keeps a promise" in log
    assert "✕ Ada breaks a promise" in log
    assert "whispers" not in log
    assert log.index("Round 1") < log.index("✓ Ada")


def over(site: Site, ada: Guest) -> Staged:
    staged = decided(site, ada)
    staged.advance_to(len(staged.match.history))
    return staged


def test_the_last_screen_shows_made_and_kept_promises(site: Site, ada: Guest):
    page = ada.get(f"/r/{over(site, ada).code}").text
    trust = re.search(r'<section class="trust".*?</section>', page, re.DOTALL)[0]
    assert "Most promises: Ada (3)." in text(trust)
    assert "Most reliable: Ada" in text(trust)
    assert trust.count('class="tag ') == 3
    assert "1 of 2 kept" in text(trust) or "2 of 3 kept" in text(trust)


def test_a_match_without_words_has_no_such_part(site: Site, ada: Guest):
    staged = Staged(site, random_match("lifeboats", 4, 8), ada)
    staged.advance_to(len(staged.match.history))
    assert 'class="trust"' not in ada.get(f"/r/{staged.code}").text


def test_the_replay_shows_statements_only_to_their_hearers(site: Site, ada: Guest):
    code = over(site, ada).code
    as_all, as_bot, as_other = (log_of(ada.get(f"/r/{code}/replay?at=3{eyes}").text) for eyes in ("", "&as=1", "&as=2"))
    for log in (as_all, as_bot, as_other):
        assert "✓ Ada keeps a promise" in log
        assert "✕ Ada breaks a promise" in log
    assert ("Whispered:" in as_all, "Whispered:" in as_bot, "Whispered:" in as_other) == (False, True, False)
