"""Words in the log, in the replay and on the last screen."""

import re

from tests.helpers.site import Guest, Site
from tests.helpers.staged import Staged, random_match
from tests.web.test_composing import staged_before
from tests.web.test_words_given import decide_all, speak


def text(markup: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", markup))


def log_of(page: str) -> str:
    return text(re.search(r'<ol class="log.*?</ol>', page, re.DOTALL)[0])


def promise_both(staged: Staged) -> None:
    """Ada promises what she is going to do, and whispers that she will not."""
    own = staged.match.game.actions.code(staged.match.history[staged.at][1])
    speak(staged, 0, act="promise", deed=f"{own} now")
    speak(staged, 0, act="promise", deed=f"not {own} now")
    speak(staged, 0, act="promise", to=1, deed="not vote blue next")
    decide_all(staged)


def test_the_log_has_what_was_said_and_what_it_came_to_under_its_round(site: Site, ada: Guest):
    staged = staged_before(site, ada, "vote")
    promise_both(staged)
    log = log_of(ada.get(f"/r/{staged.code}").text)
    assert "promises all:" in log
    assert "✓ Ada keeps the word given" in log
    assert "✕ Ada breaks the word given" in log
    assert "whispers" not in log
    assert log.index("Round 1") < log.index("✓ Ada")


def over(site: Site, ada: Guest) -> Staged:
    staged = staged_before(site, ada, "vote")
    promise_both(staged)
    staged.advance_to(len(staged.match.history))
    return staged


def test_the_last_screen_tells_who_promised_and_who_kept(site: Site, ada: Guest):
    page = ada.get(f"/r/{over(site, ada).code}").text
    trust = re.search(r'<section class="trust".*?</section>', page, re.DOTALL)[0]
    assert "Ada promised most: 3 in all." in text(trust)
    assert "Ada kept best:" in text(trust)
    assert trust.count('class="tag ') == 3
    assert "kept 1 of 2" in text(trust) or "kept 2 of 3" in text(trust)


def test_a_match_without_words_has_no_such_part(site: Site, ada: Guest):
    staged = Staged(site, random_match("lifeboats", 4, 8), ada)
    staged.advance_to(len(staged.match.history))
    assert 'class="trust"' not in ada.get(f"/r/{staged.code}").text


def test_the_replay_tells_words_to_whom_they_were_said(site: Site, ada: Guest):
    code = over(site, ada).code
    as_all, as_bot, as_other = (log_of(ada.get(f"/r/{code}/replay?at=3{eyes}").text) for eyes in ("", "&as=1", "&as=2"))
    for log in (as_all, as_bot, as_other):
        assert "✓ Ada keeps the word given" in log
        assert "✕ Ada breaks the word given" in log
    assert ("Whispered:" in as_all, "Whispered:" in as_bot, "Whispered:" in as_other) == (False, True, False)
