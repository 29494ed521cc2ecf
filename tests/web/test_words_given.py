"""Words given lie at the seats as tokens: what all heard for all, a whisper for two."""

import re

from tests.helpers.site import Guest, Site
from tests.helpers.staged import Staged
from tests.web.test_composing import staged_before
from tests.web.test_statements import rooms_of_two, say, seat_of


def seat_markup(page: str, seat: int) -> str:
    """What stands at a seat."""
    return re.search(rf'<li id="player-{seat}".*?</li>', page, re.DOTALL)[0]


def speak(staged: Staged, seat: int, **said: object) -> None:
    staged._write([("spoke", {"seat": seat, **said})])


def decide_all(staged: Staged) -> None:
    """Play until the cards of the ballot have been turned up."""
    staged.advance_to(staged.at + 1)


def test_a_word_lies_at_its_seat_and_is_kept_or_broken_when_the_cards_turn(site: Site, ada: Guest):
    staged = staged_before(site, ada, "vote")
    (_, number) = staged.match.history[staged.at]
    own = staged.match.game.actions.code(number)
    speak(staged, 0, act="promise", deed=f"{own} now")
    speak(staged, 0, act="promise", deed=f"not {own} now")
    before = seat_markup(ada.get(f"/r/{staged.code}").text, 0)
    assert (before.count('class="tag due"'), "word kept" in before) == (2, False)
    decide_all(staged)
    after = seat_markup(ada.get(f"/r/{staged.code}").text, 0)
    assert (after.count('class="tag kept"'), after.count('class="tag broken"')) == (1, 1)
    assert "1 word kept" in after
    assert "1 word broken" in after


def test_a_word_about_the_next_decision_is_not_due_yet(site: Site, ada: Guest):
    staged = staged_before(site, ada, "vote")
    speak(staged, 0, act="promise", deed="not vote red next")
    assert 'class="tag"' in seat_markup(ada.get(f"/r/{staged.code}").text, 0)


def test_a_whisper_lies_at_the_seat_for_two_alone(site: Site, ada: Guest, bruno: Guest):
    code = rooms_of_two(site, ada, bruno)
    mine = seat_of(site, code, "Ada")
    say(site, code, "Ada", "s1", "promise", to=seat_of(site, code, "Zita"), deed="vote not red next")
    for guest in (ada, bruno):
        assert 'class="ear' in seat_markup(guest.get(f"/r/{code}").text, mine)
    with site.guest() as carla:
        assert "tag" not in seat_markup(carla.get(f"/r/{code}").text, mine)
