"""The card with a question: one at a time, until it is answered or the player has decided."""

import re

from tests.helpers.site import Guest, Site
from tests.web.test_composing import staged_before
from tests.web.test_promise_tokens import decide_all, speak


def card_of(page: str) -> str:
    found = re.search(r'<section class="asked-card.*?</section>', page, re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", found[0])) if found else ""


def answer(ada: Guest, code: str, act: str, number: int) -> str:
    return ada.post(f"/r/{code}/speak", data={"act": act, "answers": str(number)}).text


def test_questions_come_one_after_the_other_and_go_when_they_are_answered(site: Site, ada: Guest):
    staged = staged_before(site, ada)
    speak(staged, 3, act="offer", to=0, deed="not vote yellow next", condition="vote black now")
    speak(staged, 1, act="request", deed="not vote green now", to=0, aloud=True)
    page = ada.get(f"/r/{staged.code}").text
    assert "Vote black, and I won’t vote yellow next time." in card_of(page)
    counter = re.search(r"<button[^>]*data-counter[^>]*>", page)[0]
    assert 'data-counter="3" data-code="vote black"' in counter
    assert "Don’t vote green!" in card_of(answer(ada, staged.code, "accept", 1))
    assert card_of(answer(ada, staged.code, "decline", 2)) == ""


def test_it_goes_when_one_has_decided(site: Site, ada: Guest):
    staged = staged_before(site, ada)
    speak(staged, 1, act="request", deed="not vote green now")
    assert "Don’t vote green!" in card_of(ada.get(f"/r/{staged.code}").text)
    decide_all(staged)
    assert card_of(ada.get(f"/r/{staged.code}").text) == ""


def test_a_question_is_answered_by_a_promise_or_declined(site: Site, ada: Guest):
    staged = staged_before(site, ada)
    speak(staged, 1, act="ask", deed="vote * now")
    page = ada.get(f"/r/{staged.code}").text
    assert "Answer" in card_of(page)
    assert "Counter" not in card_of(page)
    assert card_of(answer(ada, staged.code, "decline", 1)) == ""


def test_all_are_asked_how_they_decide_only_while_others_do(site: Site, ada: Guest):
    """A viewer who decides last has no one left to ask; earlier, all who have not voted are asked."""
    staged = staged_before(site, ada)
    assert "data-deed" not in ada.get(f"/r/{staged.code}").text
    first = staged_before(site, ada, moments_before=2)
    assert '<i hidden data-deed="vote * now">' in ada.get(f"/r/{first.code}").text
    assert ada.post(f"/r/{first.code}/speak", data={"act": "ask", "deed": "vote * now"}).status_code == 200
    assert "data-deed" not in ada.get(f"/r/{first.code}").text
