"""Talk on the page: statements, what a draft may say, questions, promises at the seats and later, the time to talk."""

import json
import re

import pytest
from markupsafe import escape

import tavola
from tavola.live.bots.voices import lines_in
from tavola.live.protocol import Speak
from tavola.show import scene_length
from tavola.talk import Pattern, Slot, language_of, reveal_at
from tavola.web.table.screen import RoomScreens
from tavola.web.talk.tokens import sign_of
from tests.helpers import wait_for
from tests.helpers.days import HOUR
from tests.helpers.site import Guest, Site, check_answer, check_text, choices_in, code_of
from tests.helpers.staged import MY_SEAT, Staged, random_match, verb_of


def text(markup: str) -> str:
    """Return what players read who are not themselves named."""
    markup = re.sub(r'<span class="second[^>]*>[^<]*</span>', "", markup)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", markup)).strip()


def part(page: str, pattern: str) -> str:
    """Return the first part of a page that a pattern matches, or nothing."""
    found = re.search(pattern, page, re.DOTALL)
    return found[0] if found else ""


def chat_of(page: str) -> str:
    return part(page, r'<ol class="chat".*?</ol>')


def seat_markup(page: str, seat: int) -> str:
    return part(page, rf'<li id="player-{seat}".*?</li>')


def log_of(page: str) -> str:
    return text(part(page, r'<ol class="log.*?</ol>'))


# Statements in a match of two guests and a bot


def rooms_of_two(site: Site, ada: Guest, bruno: Guest, **fields: str) -> str:
    """Return the code of a match of two guests and a bot who place their boats; no bot is ever called Zita."""
    code = ada.create(**{"option-players": "3", "bots": "1", "level": "random", **fields})
    bruno.sit(code, "Zita")
    ada.post(f"/r/{code}/start")
    return code


def seat_of(site: Site, code: str, name: str) -> int:
    return site.room(code).names.index(name)


def say(site: Site, code: str, name: str, command_id: str, act: str, **said) -> None:
    room = site.room(code)
    site.run(room.execute(room.state.occupants[seat_of(site, code, name)].person, Speak(command_id, act, **said)))


def test_a_promise_is_read_in_the_language_of_the_reader(site: Site, ada: Guest):
    with site.guest("de") as bruno:
        code = rooms_of_two(site, ada, bruno)
        say(site, code, "Ada", "s1", "promise", deed="leave * red next")
        english, german = (text(chat_of(guest.get(f"/r/{code}").text)) for guest in (ada, bruno))
        assert "promises everyone: “I’ll take a man off the red boat next time.”" in english
        assert "verspricht allen: „Ich lasse einen Mann aus dem roten Boot aussteigen, beim nächsten Mal.“" in german


def test_a_request_is_answered_or_taken_back_by_a_button(site: Site, ada: Guest, bruno: Guest):
    code = rooms_of_two(site, ada, bruno)
    other = seat_of(site, code, "Zita")
    for number, boat in enumerate(("green", "red", "black"), 1):
        say(site, code, "Ada", f"s{number}", "request", to=other, aloud=True, deed=f"crew * {boat} next")
    seen = chat_of(bruno.get(f"/r/{code}").text)
    assert seen.count(">Agree<") == seen.count(">Decline<") == 3
    mine = chat_of(ada.get(f"/r/{code}").text)
    assert (mine.count(">Withdraw<"), mine.count(">Agree<")) == (3, 0)
    bruno.post(f"/r/{code}/speak", data={"act": "accept", "answers": "1"})
    ada.post(f"/r/{code}/speak", data={"act": "withdraw", "answers": "2"})
    bruno.post(f"/r/{code}/speak", data={"act": "decline", "answers": "3"})
    seen = chat_of(bruno.get(f"/r/{code}").text)
    check_text(seen, "agreed", "withdrawn", without=[">Agree<"])
    assert seen.count('data-gesture="refuses"') == 1


def test_a_whisper_and_its_token_are_shown_only_to_its_two_players(site: Site, ada: Guest, bruno: Guest):
    code = rooms_of_two(site, ada, bruno)
    mine, other = seat_of(site, code, "Ada"), seat_of(site, code, "Zita")
    say(site, code, "Ada", "s1", "promise", to=other, deed="vote not red next")
    with site.guest() as carla:
        page = carla.get(f"/r/{code}").text
        check_text(chat_of(page), "are whispering", without=["vote"])
        assert "tag" not in seat_markup(page, mine)
    for guest in (ada, bruno):
        page = guest.get(f"/r/{code}").text
        assert "I won’t vote red next time" in chat_of(page)
        assert 'class="ear' in seat_markup(page, mine)
    say(site, code, "Ada", "s2", "promise", deed="not leave * red next")
    say(site, code, "Ada", "s3", "offer", to=other, aloud=True, deed="crew * red next", condition="crew * green next")
    say(site, code, "Ada", "s4", "request", to=other, deed="crew * green next")
    with site.guest() as carla:
        pages = [guest.get(f"/r/{code}").text for guest in (carla, bruno)]
    watched, whispered = ([part(page, rf'<li id="statement-{n}".*?</li>') for n in (2, 3, 4)] for page in pages)
    assert [line.count('class="tag"') for line in watched] == [1, 2, 0]
    assert ['class="ringed"' in line for line in watched] == [False, True, False]
    assert 'class="tag"' in whispered[2]


def test_whispers_of_others_that_follow_one_another_are_one_line(site: Site, ada: Guest, bruno: Guest):
    code = rooms_of_two(site, ada, bruno)
    zita = seat_of(site, code, "Zita")
    say(site, code, "Ada", "s1", "promise", to=zita, deed="vote not red next")
    say(site, code, "Zita", "s2", "promise", deed="vote not red next")
    for boat in ("green", "red", "black"):
        say(site, code, "Ada", boat, "request", to=zita, deed=f"crew * {boat} next")
    with site.guest() as carla:
        watched = chat_of(carla.get(f"/r/{code}").text)
    assert re.findall(r'id="(whisper|statement-\d+)"', watched) == ["statement-1", "statement-2", "statement-3"]
    assert text(watched).count("Ada and Zita are whispering.") == 2
    assert len(re.findall(r'id="statement-', chat_of(ada.get(f"/r/{code}").text))) == 5


def test_the_log_tells_the_cards_of_a_whispered_offer_only_to_its_seats(site: Site, ada: Guest):
    staged = Staged(site, random_match("tournament", 4, 8), ada, 70)
    room, public = staged.room, r"(?:whispers|whisper) to Amos: 1 card and 2 sous for 1 card\."
    maker, other = (RoomScreens(room) for _ in range(2))
    seen = {seat: maker.screen("en", seat) for seat in (0, 1, 2, None)}
    staged.advance_to(71)
    lines = {seat: text(other.screen("en", seat).children("log")[1]) for seat in seen}
    assert all(re.search(public, lines[seat]) for seat in (1, None))
    assert lines[0] == lines[2]
    assert re.search(r"whispers to Amos: [^:]* and 2 sous for ", lines[0])
    assert "card" not in lines[0]
    after = maker.screen("en", 0)
    assert text(after.children("log")[1]) == lines[0] == text(f"<p>{after.shared.slots['ticker']}</p>")
    assert after.public is not None
    assert after.public.lists["log"] == other.screen("en", None).shared.lists["log"]


def test_at_a_silent_table_no_one_talks_and_spectators_compose_nowhere(site: Site, ada: Guest, bruno: Guest):
    staged = staged_before(site, ada)
    assert bruno.get(f"/r/{staged.code}/speech").status_code == 403
    assert 'data-act="promise"' not in bruno.get(f"/r/{staged.code}").text
    code = rooms_of_two(site, ada, bruno, talk="silent")
    check_answer(ada.post(f"/r/{code}/say", data={"text": "Hello"}), 409, "No one talks at this table during a match")
    spoken = ada.post(f"/r/{code}/speak", data={"act": "promise", "deed": "vote red next"})
    assert (spoken.status_code, ada.get(f"/r/{code}/speech").status_code) == (409, 409)
    unwanted = ['data-act="promise"', 'name="text"']
    check_text(ada.get(f"/r/{code}").text, "No talking at this table during the match.", without=unwanted)


def test_free_text_can_be_muted_or_reported_and_statements_stay(site: Site, ada: Guest, bruno: Guest):
    code = rooms_of_two(site, ada, bruno)
    ada.post(f"/r/{code}/say", data={"text": "Red, please"})
    say(site, code, "Ada", "s1", "promise", deed="vote not red next")

    def seen_after(act: str, speaker: str, **data: str) -> str:
        bruno.post(f"/r/{code}/{act}", data={"speaker": speaker, **data})
        return chat_of(bruno.get(f"/r/{code}").text)

    check_text(seen_after("mute", "0", muted="true"), "I won’t vote red", without=["Red, please"])
    assert "Unmute" in bruno.get(f"/r/{code}/people").text
    assert "Red, please" in chat_of(ada.get(f"/r/{code}").text)
    bruno.post(f"/r/{code}/mute", data={"speaker": "0", "muted": "false"})
    assert "Red, please" not in seen_after("mute", "1", muted="true")
    assert "Red, please" in seen_after("mute", "1", muted="false")
    assert "Red, please" not in seen_after("report", "1")


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


def test_the_record_has_the_talk_and_can_be_brought_back(site: Site, ada: Guest, bruno: Guest):
    code = rooms_of_two(site, ada, bruno)
    say(site, code, "Ada", "s1", "promise", deed="vote not red round")
    bruno.post(f"/r/{code}/leave")
    site.finish(code)
    record = ada.get(f"/r/{code}/record").text
    assert ";> 0 promise vote not red round" in record
    brought = code_of(ada.post("/import", data={"text": record}))
    assert brought != code
    assert ada.get(f"/r/{brought}/record").text == record


# Composing, and questions, where the viewer owes a vote


def staged_before(site: Site, ada: Guest, moments_before: int = 0) -> Staged:
    """Return a table where the viewer owes a vote without a choice after it, as the last, or some moments earlier."""
    match = random_match("lifeboats", 4, 8)
    verbs = [verb_of(match, number) for _, number in match.history]
    mine = [at for at, (seat, _) in enumerate(match.history) if seat == MY_SEAT]
    owed = next(at for at in mine if verbs[at] == "vote" and verbs[at + 1] != "choose")
    return Staged(site, match, ada, owed - moments_before)


def speak(staged: Staged, seat: int, **said: object) -> None:
    staged.write([("spoke", {"seat": seat, **said})])


def decide_all(staged: Staged) -> None:
    staged.advance_to(staged.at + 1)


def test_statements_of_bots_have_their_voice_line_and_a_word_about_a_later_decision_is_not_due(site: Site, ada: Guest):
    staged = staged_before(site, ada)
    face = staged.room.state.occupants[3].member.face
    speak(staged, 3, act="promise", to=None, deed="vote red next")
    page = ada.get(f"/r/{staged.code}").text
    assert any(f'<em class="voice">{escape(told)}</em>' in chat_of(page) for told in lines_in("en")[face]["promise"])
    assert 'class="tag"' in seat_markup(page, 3)


def test_what_is_decided_now_may_be_spoken_of_and_everything_else_but_boats_that_have_gone(site: Site, ada: Guest):
    """The blue and the white boat are not in a match of four."""
    staged = staged_before(site, ada)
    document = ada.get(f"/r/{staged.code}/speech").json()
    assert document["mine"] == ["vote"]
    spoken = dict(document["doors"]["vote"])
    assert {"vote red", "vote captain"} < spoken.keys()
    assert not {"vote blue", "vote white"} & spoken.keys()
    assert spoken["vote red"] == "Vote …|Red"
    assert document["doors"].keys() == language_of(staged.match.game).deeds.keys()
    assert [hearer["seat"] for hearer in document["hearers"]] == [1, 2, 3]


@pytest.mark.parametrize("game", tavola.game_names())
def test_all_that_may_be_spoken_of_has_a_sign(game):
    """The bubble is only a fallback."""
    language = language_of(tavola.load(game))
    for name, verb in {**language.deeds, **language.facts}.items():
        assert "i-talk" not in sign_of(language, Pattern(name, tuple(Slot(0) for _ in verb.arguments))), name


def test_a_draft_reads_as_direct_speech_in_the_readers_language_and_changes_nothing(site: Site, ada: Guest):
    staged = staged_before(site, ada)
    before = staged.room.state.seq

    def draft(**said: str) -> dict[str, str]:
        return ada.get(f"/r/{staged.code}/draft", params=said, headers={"Accept": "application/json"}).json()

    said = draft(act="promise", deed="not vote red now")
    assert (said["sentence"], said["refused"]) == ("I won’t vote red.", "")
    assert "seal-red" in said["tag"]
    said = draft(act="offer", to="1", deed="not vote red now", condition="vote black next")
    assert said["sentence"] == "Vote black next time, and I won’t vote red."
    said = draft(act="request", to="1", deed="vote black now")
    assert said["refused"].startswith("Nothing is being decided there right now")
    assert (staged.room.state.seq, staged.room.state.talk) == (before, None)


def card_of(page: str) -> str:
    """Return the card with a question: one at a time, until it is answered or the player has decided."""
    return text(part(page, r'<section class="asked-card.*?</section>'))


def test_questions_come_one_after_the_other_until_they_are_answered_or_one_has_decided(site: Site, ada: Guest):
    staged = staged_before(site, ada)

    def answer(act: str, number: int) -> str:
        return card_of(ada.post(f"/r/{staged.code}/speak", data={"act": act, "answers": str(number)}).text)

    speak(staged, 3, act="offer", to=0, deed="not vote yellow next", condition="vote black now")
    speak(staged, 1, act="request", deed="not vote green now", to=0, aloud=True)
    page = ada.get(f"/r/{staged.code}").text
    assert "Vote black, and I won’t vote yellow next time." in card_of(page)
    assert 'data-counter="3" data-code="vote black"' in part(page, r"<button[^>]*data-counter[^>]*>")
    assert "Don’t vote green!" in answer("accept", 1)
    assert answer("decline", 2) == ""
    speak(staged, 1, act="ask", deed="vote * now")
    card = card_of(ada.get(f"/r/{staged.code}").text)
    assert "Answer" in card
    assert "Counter" not in card, "it is answered by a promise"
    assert answer("decline", staged.room.state.talk.said[-1].number) == ""
    speak(staged, 2, act="request", deed="not vote green now")
    assert "Don’t vote green!" in card_of(ada.get(f"/r/{staged.code}").text)
    decide_all(staged)
    assert card_of(ada.get(f"/r/{staged.code}").text) == ""


def test_all_are_asked_how_they_decide_only_while_others_do(site: Site, ada: Guest):
    """A viewer who decides last has no one left to ask; earlier, all who have not voted are asked."""
    assert "data-deed" not in ada.get(f"/r/{staged_before(site, ada).code}").text
    first = staged_before(site, ada, moments_before=2)
    assert '<i hidden data-deed="vote * now">' in ada.get(f"/r/{first.code}").text
    assert ada.post(f"/r/{first.code}/speak", data={"act": "ask", "deed": "vote * now"}).status_code == 200
    assert "data-deed" not in ada.get(f"/r/{first.code}").text


# What becomes of promises


def promise_both(staged: Staged) -> None:
    """Promise to do what the viewer does next, and not to do it."""
    own = staged.match.game.actions.code(staged.match.history[staged.at][1])
    speak(staged, 0, act="promise", deed=f"{own} now")
    speak(staged, 0, act="promise", deed=f"not {own} now")


def test_promises_are_at_their_seat_in_the_log_on_the_last_screen_and_in_the_replay(site: Site, ada: Guest):
    staged = staged_before(site, ada)
    promise_both(staged)
    before = seat_markup(ada.get(f"/r/{staged.code}").text, 0)
    assert (before.count('class="tag due"'), "promise kept" in before) == (2, False)
    decide_all(staged)
    after = seat_markup(ada.get(f"/r/{staged.code}").text, 0)
    assert (after.count('class="tag kept"'), after.count('class="tag broken"')) == (1, 1)
    check_text(after, "1 promise kept", "1 promise broken")
    speak(staged, 0, act="promise", to=1, deed="not vote blue next")
    log = log_of(ada.get(f"/r/{staged.code}").text)
    told = "promises everyone:", "✓ Ada keeps a promise", "✕ Ada breaks a promise"
    check_text(log, *told, without=["whispers"])
    assert re.search(r"Round \d", log).start() < log.index("✓ Ada")
    staged.advance_to(len(staged.match.history))
    check_last_screen_and_replay(ada, staged.code)


def check_last_screen_and_replay(ada: Guest, code: str) -> None:
    """Check made and kept promises, of which one was whispered to seat 1."""
    trust = part(ada.get(f"/r/{code}").text, r'<section class="trust".*?</section>')
    check_text(text(trust), "Most promises: Ada (3).", "Most reliable: Ada")
    assert trust.count('class="tag ') == 3
    assert "1 of 2 kept" in text(trust) or "2 of 3 kept" in text(trust)
    as_all, as_bot, as_other = (log_of(ada.get(f"/r/{code}/replay?at=3{eyes}").text) for eyes in ("", "&as=1", "&as=2"))
    for log in (as_all, as_bot, as_other):
        check_text(log, "✓ Ada keeps a promise", "✕ Ada breaks a promise")
    assert ("Whispered:" in as_all, "Whispered:" in as_bot, "Whispered:" in as_other) == (False, True, False)


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
    told = [text(frame.get("told", "")) for frame in frames]
    kept = next(at for at, line in enumerate(told) if "keeps a promise" in line)
    assert "breaks a promise" in told[kept + 1]
    opened = max(at for at, frame in enumerate(frames) if frame.get("closed")) + 1
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


# The time to talk


def notice_of(page: str) -> str:
    return text(part(page, r"<form[^>]*talk-window.*?</form>"))


def until_window(site: Site, code: str, *guests: Guest) -> None:
    room = site.room(code)

    def opens() -> bool:
        for guest in guests:
            prompt_id, codes = choices_in(guest.get(f"/r/{code}").text)
            if codes and not codes[0].startswith("vote"):
                guest.play(code, prompt_id, codes[0])
        return room.state.window is not None

    wait_for(opens)
    room.state.window.until += HOUR


def test_a_pending_choice_is_shown_to_its_player_and_can_be_changed(site: Site, ada: Guest, bruno: Guest):
    code = rooms_of_two(site, ada, bruno, window="60")
    until_window(site, code, ada, bruno)
    page = ada.get(f"/r/{code}").text
    assert notice_of(page) == "Time to talk. Done talking"
    assert "windowed" in page
    prompt_id, codes = choices_in(page)
    for chosen in codes[:2]:
        page = ada.play(code, prompt_id, chosen).text
        assert "Ready to play:" in notice_of(page)
        assert choices_in(page) == (prompt_id, codes)
    assert "Ready to play:" not in notice_of(bruno.get(f"/r/{code}").text)
    assert "Waiting for the others" in notice_of(ada.post(f"/r/{code}/enough").text)
    bruno.post(f"/r/{code}/enough")
    room = site.room(code)
    seat = room.names.index("Ada")
    cast = [room.state.game.actions.code(number) for actor, number in room.state.match.history if actor == seat]
    assert cast[-1] == codes[1]
    assert choices_in(bruno.get(f"/r/{code}").text)[1]


def test_a_quick_match_has_no_window_and_others_only_where_it_is_chosen(site: Site, ada: Guest):
    codes = ada.quick(), ada.create(), ada.create(window="30")
    assert [site.room(code).state.settings.window for code in codes] == [0, 0, 30]
    assert ada.post("/rooms", data={"game": "lifeboats", "name": "Ada", "window": "20"}).status_code == 400
    assert 'name="window"' in ada.get("/games/lifeboats/new").text
