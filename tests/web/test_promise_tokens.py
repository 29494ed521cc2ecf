"""Promises as tokens at the seats: public ones for all, whispers for two."""

import json
import re

import pytest

from tavola.show import scene_length
from tavola.talk import reveal_at
from tavola.web.table.screen import RoomScreens
from tests.helpers.site import Guest, Site
from tests.helpers.staged import Staged
from tests.web.test_composing import staged_before
from tests.web.test_statements import rooms_of_two, say, seat_of


def seat_markup(page: str, seat: int) -> str:
    return re.search(rf'<li id="player-{seat}".*?</li>', page, re.DOTALL)[0]


def speak(staged: Staged, seat: int, **said: object) -> None:
    staged.write([("spoke", {"seat": seat, **said})])


def promise_both(staged: Staged) -> None:
    """Promise to do what the viewer does next, and not to do it."""
    own = staged.match.game.actions.code(staged.match.history[staged.at][1])
    speak(staged, 0, act="promise", deed=f"{own} now")
    speak(staged, 0, act="promise", deed=f"not {own} now")


def decide_all(staged: Staged) -> None:
    staged.advance_to(staged.at + 1)


def test_a_word_lies_at_its_seat_and_is_kept_or_broken_when_the_cards_turn(site: Site, ada: Guest):
    staged = staged_before(site, ada)
    promise_both(staged)
    before = seat_markup(ada.get(f"/r/{staged.code}").text, 0)
    assert (before.count('class="tag due"'), "promise kept" in before) == (2, False)
    decide_all(staged)
    after = seat_markup(ada.get(f"/r/{staged.code}").text, 0)
    assert (after.count('class="tag kept"'), after.count('class="tag broken"')) == (1, 1)
    assert "1 promise kept" in after
    assert "1 promise broken" in after


def test_a_word_about_the_next_decision_is_not_due_yet(site: Site, ada: Guest):
    staged = staged_before(site, ada)
    speak(staged, 0, act="promise", deed="not vote red next")
    assert 'class="tag"' in seat_markup(ada.get(f"/r/{staged.code}").text, 0)


def test_a_whispered_promise_is_shown_at_the_seat_only_to_its_two_players(site: Site, ada: Guest, bruno: Guest):
    code = rooms_of_two(site, ada, bruno)
    mine = seat_of(site, code, "Ada")
    say(site, code, "Ada", "s1", "promise", to=seat_of(site, code, "Zita"), deed="vote not red next")
    for guest in (ada, bruno):
        assert 'class="ear' in seat_markup(guest.get(f"/r/{code}").text, mine)
    with site.guest() as carla:
        assert "tag" not in seat_markup(carla.get(f"/r/{code}").text, mine)


def frames_of(staged: Staged, seat: int | None) -> list[dict]:
    screens = RoomScreens(staged.room)
    before = screens.screen("en", seat)
    decide_all(staged)
    scene = screens.scene("en", before)
    return json.loads(scene.message())["frames"] if scene is not None else []


@pytest.mark.parametrize("seat", [None, 0])
def test_the_reveal_shows_votes_first_then_seals_then_cracks(site: Site, ada: Guest, seat: int | None):
    """The speaker sees it like the others, although only the speaker could take a word back."""
    staged = staged_before(site, ada)
    promise_both(staged)
    frames = frames_of(staged, seat)
    told = [frame["told"] for frame in frames]
    kept = next(at for at, line in enumerate(told) if "keeps a promise" in line)
    assert "breaks a promise" in told[kept + 1]
    opened = max(at for at, frame in enumerate(frames) if frame["closed"]) + 1
    assert opened < kept
    seats = [frame["fragments"].get("players:player-0", "") for frame in frames]
    assert (seats[kept].count("tag kept"), seats[kept].count("tag due")) == (1, 1)
    assert seats[kept + 1].count("tag broken") == 1
    assert not any("tag kept" in shown or "tag broken" in shown for shown in seats[:kept])
    gestures = [re.findall("#gesture-[a-z]+", shown) for shown in seats]
    assert gestures[kept : kept + 2] == [["#gesture-kept"], ["#gesture-broke"]]
    assert not any(gestures[:kept] + gestures[kept + 2 :]), "each while its picture is shown"


def test_a_whisper_and_no_word_at_all_take_no_time(site: Site, ada: Guest):
    lengths = {}
    for name in ("silence", "whisper", "word"):
        staged = staged_before(site, ada)
        if name != "silence":
            to = {"to": 1} if name == "whisper" else {}
            speak(staged, 0, act="promise", deed="not vote * now", **to)
        lengths[name] = sum(frame["milliseconds"] for frame in frames_of(staged, None))
        room, moment = staged.room, staged.room.moments
        step = room.view(None, moment - 1), room.view(None, moment), room.state.heard_action(moment, None)
        reveal = reveal_at(room.state.talk, room.state.moment)
        assert lengths[name] == scene_length(*step, "calm") + sum(reveal.milliseconds("calm"))
    assert lengths["silence"] == lengths["whisper"] == lengths["word"] - 1400
