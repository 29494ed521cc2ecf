"""Statements on the page: in the reader's language, answered with one touch, whispers between two only."""

import re

from markupsafe import escape

from tavola.live import Person
from tavola.live.bots.voices import VOICES
from tavola.live.protocol import Speak
from tests.helpers.site import Guest, Site, code_of
from tests.helpers.staged import Staged, random_match


def rooms_of_two(site: Site, ada: Guest, bruno: Guest, **fields: str) -> str:
    """Return the code of a match of two guests and a bot who place their boats; no bot is ever called Zita."""
    code = ada.create(**{"option-players": "3", "bots": "1", "level": "random", **fields})
    bruno.sit(code, "Zita")
    ada.post(f"/r/{code}/start")
    return code


def seat_of(site: Site, code: str, name: str) -> int:
    return site.room(code).names.index(name)


def chat_of(page: str) -> str:
    return re.search(r'<ol class="chat".*?</ol>', page, re.DOTALL)[0]


def say(site: Site, code: str, name: str, command_id: str, act: str, **said) -> None:
    room = site.room(code)
    person: Person = room.state.occupants[seat_of(site, code, name)].person
    site.run(room.execute(person, Speak(command_id, act, **said)))


def test_a_promise_is_read_in_the_language_of_the_reader(site: Site, ada: Guest):
    with site.guest("de") as bruno:
        code = rooms_of_two(site, ada, bruno)
        say(site, code, "Ada", "s1", "promise", deed="leave * red next")
        english, german = (re.sub(r"<[^>]+>", "", chat_of(guest.get(f"/r/{code}").text)) for guest in (ada, bruno))
        assert "promises everyone: “I’ll take a man off the red boat next time.”" in english
        assert "verspricht allen: „Ich lasse einen Mann aus dem roten Boot aussteigen, beim nächsten Mal.“" in german


def test_a_request_is_answered_by_a_button_and_taken_back_by_another(site: Site, ada: Guest, bruno: Guest):
    code = rooms_of_two(site, ada, bruno)
    other = seat_of(site, code, "Zita")
    say(site, code, "Ada", "s1", "request", to=other, aloud=True, deed="crew * green next")
    say(site, code, "Ada", "s2", "request", to=other, aloud=True, deed="crew * red next")
    seen = chat_of(bruno.get(f"/r/{code}").text)
    assert seen.count(">Agree<") == seen.count(">Decline<") == 2
    mine = chat_of(ada.get(f"/r/{code}").text)
    assert (mine.count(">Withdraw<"), mine.count(">Agree<")) == (2, 0)
    bruno.post(f"/r/{code}/speak", data={"act": "accept", "answers": "1"})
    ada.post(f"/r/{code}/speak", data={"act": "withdraw", "answers": "2"})
    seen = chat_of(bruno.get(f"/r/{code}").text)
    assert "agreed" in seen
    assert "withdrawn" in seen
    assert ">Agree<" not in seen


def test_a_whisper_is_read_by_two(site: Site, ada: Guest, bruno: Guest):
    code = rooms_of_two(site, ada, bruno)
    say(site, code, "Ada", "s1", "promise", to=seat_of(site, code, "Zita"), deed="vote not red next")
    with site.guest() as carla:
        watched = chat_of(carla.get(f"/r/{code}").text)
    assert "whispers to" in watched
    assert "vote" not in watched
    for guest in (ada, bruno):
        assert "I won’t vote red next time" in chat_of(guest.get(f"/r/{code}").text)


def test_a_table_without_talk_says_so(site: Site, ada: Guest, bruno: Guest):
    code = rooms_of_two(site, ada, bruno, talk="silent")
    said = ada.post(f"/r/{code}/say", data={"text": "Hello"})
    assert said.status_code == 409
    assert "No one talks at this table during a match" in said.text
    spoken = ada.post(f"/r/{code}/speak", data={"act": "promise", "deed": "vote red next"})
    assert spoken.status_code == 409


def test_free_text_can_be_muted_and_statements_stay(site: Site, ada: Guest, bruno: Guest):
    code = rooms_of_two(site, ada, bruno)
    ada.post(f"/r/{code}/say", data={"text": "Red, please"})
    say(site, code, "Ada", "s1", "promise", deed="vote not red next")
    bruno.post(f"/r/{code}/mute", data={"speaker": "0", "muted": "true"})
    seen = chat_of(bruno.get(f"/r/{code}").text)
    assert "Red, please" not in seen
    assert "I won’t vote red" in seen
    assert "Unmute" in bruno.get(f"/r/{code}/people").text
    assert "Red, please" in chat_of(ada.get(f"/r/{code}").text)


def test_a_gesture_is_in_each_readers_language_and_shown_even_if_free_text_is_muted(
    site: Site, ada: Guest, bruno: Guest
):
    code = rooms_of_two(site, ada, bruno)
    bruno.post(f"/r/{code}/mute", data={"speaker": "0", "muted": "true"})
    assert ada.post(f"/r/{code}/gesture", data={"gesture": "thanks"}).status_code == 200
    bruno.post("/settings", data={"language": "it"})
    assert re.search(r'data-gesture="thanks"[^\n]*Grazie</li>', chat_of(bruno.get(f"/r/{code}").text))
    bruno.post(f"/r/{code}/mute", data={"speaker": "1", "muted": "true"})
    assert "Grazie</li>" not in chat_of(bruno.get(f"/r/{code}").text)
    assert ada.post(f"/r/{code}/gesture", data={"gesture": "thanks"}).status_code == 429


def test_what_is_declined_shows_a_hand(site: Site, ada: Guest, bruno: Guest):
    code = rooms_of_two(site, ada, bruno)
    say(site, code, "Ada", "s1", "request", to=seat_of(site, code, "Zita"), deed="vote not red next", aloud=True)
    say(site, code, "Zita", "s2", "decline", answers=1)
    assert chat_of(ada.get(f"/r/{code}").text).count('data-gesture="refuses"') == 1


def test_the_record_has_the_talk_and_can_be_brought_back(site: Site, ada: Guest, bruno: Guest):
    code = rooms_of_two(site, ada, bruno)
    say(site, code, "Ada", "s1", "promise", deed="vote not red round")
    bruno.post(f"/r/{code}/leave")
    site.finish(code)
    text = ada.get(f"/r/{code}/record").text
    assert ";> 0 promise vote not red round" in text
    brought = code_of(ada.post("/import", data={"text": text}))
    assert brought != code
    assert ada.get(f"/r/{brought}/record").text == text


def test_statements_of_bots_have_their_voice_line(site: Site, ada: Guest):
    staged = Staged(site, random_match("lifeboats", 4, 8), ada)
    staged.advance_to(40)
    face = staged.room.state.occupants[3].member.face
    staged.write([("spoke", {"seat": 3, "act": "promise", "to": None, "deed": "vote red next"})])
    assert f'<em class="voice">{escape(VOICES[face].promise)}</em>' in chat_of(ada.get(f"/r/{staged.code}").text)


def test_a_statement_shows_its_token_only_to_its_hearers(site: Site, ada: Guest, bruno: Guest):
    code = rooms_of_two(site, ada, bruno)
    other = seat_of(site, code, "Zita")
    say(site, code, "Ada", "s1", "promise", deed="not leave * red next")
    say(site, code, "Ada", "s2", "offer", to=other, aloud=True, deed="crew * red next", condition="crew * green next")
    say(site, code, "Ada", "s3", "request", to=other, deed="crew * green next")
    with site.guest("en") as spectator:
        lines = [
            re.search(rf'<li id="statement-{number}".*?</li>', spectator.get(f"/r/{code}").text, re.DOTALL)[0]
            for number in (1, 2, 3)
        ]
    assert [line.count('class="tag"') for line in lines] == [1, 2, 0]
    assert ['class="ringed"' in line for line in lines] == [False, True, False]
    whispered = re.search(r'<li id="statement-3".*?</li>', bruno.get(f"/r/{code}").text, re.DOTALL)[0]
    assert 'class="tag"' in whispered
