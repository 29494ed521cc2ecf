"""Correspondence matches on the pages: forms, days, one's own matches, and what friends of a late player can do."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from markupsafe import escape

from tavola.live.correspondence.hours import DAY
from tavola.live.log.occupants import Member
from tavola.live.log.people import ChatLine
from tavola.show.cards import words_of
from tavola.web.render import game_say
from tavola.web.requests.visitor import site_say
from tavola.web.table.brief import last_event, named_people
from tests.club.test_accounts import keep
from tests.helpers import wait_for
from tests.helpers.days import HOUR, NOON
from tests.helpers.rooms import play_legal, play_to_end
from tests.helpers.site import begin_correspondence, check_answer, check_text, site_at


@pytest.fixture
def site(path, mail, clock):
    with site_at(path, mail=mail[1], clock=clock) as running:
        yield running


def in_days(count):
    """Return the date `count` days after `NOON`."""
    return datetime.fromtimestamp(NOON + count * DAY, UTC).date().isoformat()


def test_the_form_of_a_room_offers_days_and_its_header_counts_them(site, ada):
    page = ada.get("/games/lifeboats/new?when=days").text
    assert re.search(r'name="when" value="days" checked.*?A long match: about 41 turns each', page)
    shorter = "Shorter over days: “Moves to the islands: 2”, about 35 turns"
    check_text(page, 'name="days" value="3" checked><strong>3 days</strong>', shorter)
    assert re.search(r'class="unfit".*?About 121 turns each: too many', ada.get("/games/tournament/new").text)
    live = site.room(ada.create(when="live", days="3", misses="1", bank_days="2", patience="60")).state.settings
    chosen = (live.days, live.misses, live.bank_days, live.patience)
    assert chosen == (0, 3, 0, 60), "what the other choice has hidden does not count"
    code = begin_correspondence(site, ada)
    settings = site.room(code).state.settings
    assert (settings.days, settings.patience) == (3, 0)
    (header,) = re.findall(r'<p class="by-post">(.*?)</p>', ada.get(f"/r/{code}").text)
    assert ">Day 1<" in header
    assert "2 days 23 hours" in header or "3 days" in header


def test_a_room_shows_its_time_limits_before_the_match_and_decision_times_in_it(site, ada):
    code = ada.create(patience="30", bank="300", players="4")
    assert "<dd>30 s per decision, plus a 5 min time bank</dd>" in ada.get(f"/r/{code}").text
    code = ada.create(days="3", bank_days="2", players="4")
    assert "<dd>3 days per decision, plus a time bank of 2 days, correspondence</dd>" in ada.get(f"/r/{code}").text
    code = ada.create(days="3", players="4")
    assert "<dd>3 days per decision, correspondence</dd>" in ada.get(f"/r/{code}").text
    ada.post(f"/r/{code}/fill", data={"level": "random"})
    room = site.room(code)
    wait_for(lambda: 0 in room.state.dues)
    prompt, (code_word, *_) = room.prompt_id(0), map(room.state.game.actions.code, room.view(0).legal)
    ada.play(code, prompt, code_word)
    wait_for(lambda: room.prompt_id(0) not in (None, prompt))
    people = re.split(r'<li id="player-', ada.get(f"/r/{code}").text)[1:]
    decided = [seat in room.state.decided_at and seat not in room.state.open_decisions for seat in range(4)]
    assert ['data-ago="decided' in each for each in people] == decided
    at = datetime.fromtimestamp(max(room.state.decided_at.values()), UTC)
    assert f'<time class="full" datetime="{at.isoformat(timespec="seconds")}"' in "".join(people)
    assert f">decided {at:%Y-%m-%d %H:%M} UTC</time>" in "".join(people)


def test_one_s_own_matches_are_the_first_page_least_time_first_and_lead_from_one_to_the_next(site, ada, bruno):
    assert "No correspondence games yet" in ada.get("/mine").text
    slow, quick = begin_correspondence(site, ada, days="7"), begin_correspondence(site, ada, days="1")
    page = ada.get("/").text
    assert "2 matches are waiting for you" in page
    assert page.index(f'href="/r/{quick}"') < page.index(f'href="/r/{slow}"')
    assert page.count('class="small-board"') == 1, "only the match that needs one first is a card"
    assert page.count('class="match due') == 1
    names = re.findall(r'\sid="([^"]+)"', page)
    assert len(names) == len(set(names))
    assert ada.get("/mine/next").url.path == f"/r/{quick}"
    assert ada.get(f"/mine/next?after={quick}").url.path == f"/r/{slow}"
    for here in (quick, slow):
        assert f'href="/mine/next?after={here}"><span class="stripes"' in ada.get(f"/r/{here}").text
    assert "small-board" not in ada.get("/shelf").text
    bruno.get(f"/r/{slow}")
    assert f'href="/r/{slow}"' in bruno.get("/mine").text.split("You are watching")[1]
    assert "small-board" not in bruno.get("/").text


def test_my_games_name_people_round_question_and_last_event_in_every_state(site, ada, bruno):
    codes = [begin_correspondence(site, ada, days=days) for days in ("7", "3", "1")]
    bruno.sit(ada.create(days="3", players="4"), "Bea")
    page = ada.get("/mine").text
    assert "3 matches are waiting for you" in page
    waiting, _, gathering = page.partition('id="gathering-title"')
    places = [waiting.index(f'href="/r/{code}"') for code in codes]
    assert places == sorted(places, reverse=True), "the first is the one whose time ends first"
    for code in codes:
        room = site.room(code)
        say, words = game_say(room.state.game, "en", tuple(room.names)), words_of(room.state.game)
        for fact in (words.chapter(room.view(0), say), escape(words.prompt(room.view(0), say)), room.names[1]):
            assert fact in waiting
        assert escape(last_event(room, 0, say.to_reader(0))) in waiting
    check_text(gathering, "Bea", "2 of 4 seats taken")
    site.room(codes[0]).state.occupants[0].taken_over = True
    page = ada.get("/mine").text
    assert "2 matches are waiting for you" in page
    assert f'action="/r/{codes[0]}/back"' in page[page.index("A bot is playing for you.") :]
    ada.post(f"/r/{codes[0]}/back")
    wait_for(lambda: 0 in site.room(codes[0]).state.dues)
    assert "3 matches are waiting for you" in ada.get("/mine").text


def test_twenty_matches_are_one_card_and_rows_of_which_those_of_others_fold(site, ada, bruno):
    for _ in range(6):
        begin_waiting(site, ada, bruno)
    page = ada.get("/mine").text
    assert page.count("Waiting for Bea") == 6
    check_text(page, "No matches are waiting for you.", "2 more matches")


def test_a_rematch_that_somebody_wants_is_in_my_games_and_on_the_last_page(site, ada, bruno):
    code = ada.create(name="Ada", days="3", players="3")
    bruno.sit(code, "Bea")
    ada.post(f"/r/{code}/fill", data={"level": "random"})
    room = site.room(code)
    site.run(play_to_end(room, [place.person for place in room.state.occupants if place.person is not None]))
    assert "would like" not in bruno.get("/mine").text
    ada.post(f"/r/{code}/rematch")
    again = room.state.next_room
    assert "A rematch is waiting for you." in bruno.get(f"/r/{code}").text
    finished = bruno.get("/mine").text.partition('id="over-title"')[2]
    check_text(finished, "Ada would like a rematch", f'href="/r/{again}"')
    assert f'href="/r/{code}"' in ada.get("/mine").text.partition('id="over-title"')[2], "she is ready"
    bruno.post(f"/r/{again}/ready")
    assert f'href="/r/{code}"' in bruno.get("/mine").text.partition('id="over-title"')[2]


def test_people_are_named_before_bots_and_many_by_their_number():
    say = site_say("en")
    assert named_people(["Ben", "Kit", "Ines"], say) == "Ben, Kit and Ines"
    assert named_people(["Ben", "Kit", "Ines", "Pia"], say) == "Ben, Kit and 2 more"


def test_a_guest_s_zone_is_stored_with_the_first_seat_and_the_form_shows_the_night(site, mail, ada):
    assert "unknown: no quiet hours" in ada.get("/mine/away").text
    code = begin_correspondence(site, ada, zone="Europe/Rome", days="1")
    begin_correspondence(site, ada, zone="Asia/Tokyo")
    selected = "<option selected>Europe/Rome</option>", '<option value="22" selected>'
    check_text(ada.get("/mine/away").text, *selected)
    assert 8 <= datetime.fromtimestamp(site.room(code).state.dues[0].until, ZoneInfo("Europe/Rome")).hour < 22
    keep(ada, mail[0])
    check_text(ada.get("/mine/away").text, selected[0])  # an account keeps it


def test_a_holiday_of_a_registered_player_postpones_deadlines_until_it_ends(site, mail, ada):
    code = begin_correspondence(site, ada)
    keep(ada, mail[0])
    before, day = site.room(code).state.dues[0].until, in_days(10)
    assert ada.post("/mine/away", data={"until": day}).url.path == "/mine"
    wait_for(lambda: site.room(code).state.dues[0].until >= before + 8 * DAY)
    assert f'value="{day}"' in ada.get("/mine/away").text
    assert "On holiday until" in ada.get("/mine").text
    refused = ada.post("/mine/away", data={"until": in_days(30)})
    assert refused.status_code >= 400
    assert "21 days of holiday" in refused.text
    assert ada.post("/mine/away", data={"until": "soon"}).status_code == 400
    ada.post("/mine/away", data={"until": day, "zone": "Pacific/Auckland"})
    ((until,),) = site.hub.store.rows("SELECT away_until FROM hours")
    assert f"{datetime.fromtimestamp(until, ZoneInfo('Pacific/Auckland')):%Y-%m-%d %H:%M}" == f"{day} 00:00"
    assert f'value="{day}"' in ada.get("/mine/away").text


def test_the_hours_of_one_s_night_have_a_form_and_a_time_ends_in_the_morning(site, mail, ada):
    code = begin_correspondence(site, ada)
    keep(ada, mail[0])
    before = site.room(code).state.dues[0].until
    ends = datetime.fromtimestamp(before, UTC)
    night = {"begins": str(ends.hour), "ends": str((ends.hour + 3) % 24), "zone": "UTC"}
    page = ada.post("/mine/night", data=night)
    assert page.url.path == "/mine/away"
    check_text(page.text, f'<option value="{ends.hour}" selected>', "<option selected>UTC</option>")
    wait_for(lambda: site.room(code).state.dues[0].until > before + 2 * 3600)
    assert datetime.fromtimestamp(site.room(code).state.dues[0].until, UTC).hour == (ends.hour + 3) % 24
    for wrong in ({"begins": "24"}, {"zone": "Nowhere/Never"}):
        refused = ada.post("/mine/night", data=night | wrong)
        check_answer(refused, 400, "Choose a start time, an end time and a time zone")
    ada.post("/mine/away", data={"until": in_days(5)})
    page = ada.get("/mine/away")
    assert f'<option value="{ends.hour}" selected>' in page.text, "a holiday leaves the night alone"


@pytest.mark.parametrize(
    "row",
    [
        "zone = 'Mars/Olympus'",
        "zone = '../etc/passwd', night_begins = 77, night_ends = -3",
        "away_from = 1e300, away_until = 1e301",
        "away_from = -1e300, away_until = 1e11, zone = ''",
    ],
)
def test_hours_that_make_no_sense_here_stop_neither_a_table_nor_a_page(site, mail, row, ada):
    code = begin_correspondence(site, ada)
    keep(ada, mail[0])
    ada.post("/mine/night", data={"begins": "22", "ends": "8", "zone": "America/Buenos_Aires"})
    store, room = site.hub.store, site.room(code)
    pigeon = "INSERT INTO notice SELECT id, '', 'pigeon' FROM account"
    for statement in (f"UPDATE hours SET {row}", "UPDATE account SET language = 'xx'", pigeon):
        site.run(store.transact(lambda execute, each=statement: execute(each)))
    before = room.state.dues[0].number
    site.run(play_legal(room, room.state.occupants[0].person))
    wait_for(lambda: 0 in room.state.dues and room.state.dues[0].number != before)
    wait_for(lambda: [row for row in store.rows("SELECT topic FROM outbox") if row[0].startswith("turn/")])
    for path in ("/", "/mine", "/mine/away", "/account", "/account/export", f"/r/{code}"):
        assert ada.get(path).status_code == 200, path


def test_a_seat_whose_bot_or_gesture_is_of_another_version_is_shown(site, ada):
    code = ada.create(patience="0")
    ada.post(f"/r/{code}/bot", data={"level": "random"})
    room = site.room(code)
    room.state.occupants[1] = replace(room.state.occupants[1], level="oracle", member=Member("Zed", "zed", "moody"))
    room.state.chat_log.append(ChatLine("Ada", 0, "", 1.0, 1, "bow"))
    room.presence.changes += 1  # so that the page is drawn again
    for path in (f"/r/{code}", "/"):
        assert ada.get(path).status_code == 200
    assert "oracle" in ada.get(f"/r/{code}").text


def test_the_leave_page_of_a_correspondence_game_explains_how_to_return(site, mail, ada):
    code = begin_correspondence(site, ada)
    assert f'href="/r/{code}/leave" data-sheet' in ada.get(f"/r/{code}").text
    by_mail = 'action="/account/mail"'
    check_text(ada.get(f"/r/{code}/leave").text, "How can we reach you?", by_mail)
    keep(ada, mail[0])
    check_text(ada.get(f"/r/{code}/leave").text, "Your seat stays yours", without=[by_mail])
    site.hub.settings = replace(site.hub.settings, bot_pause=HOUR)  # else it may have played to the end by then
    assert "A bot is playing for you." in ada.post(f"/r/{code}/leave").text


# Friends of a player who does not decide see it, nudge them once a day, and vote for a bot when their time is up


def begin_waiting(site, host, friend, **fields):
    """Return the room of a correspondence match in which everyone waits for the friend."""
    code = host.create(days="3", players="3", **fields)
    friend.sit(code, "Bea")
    host.post(f"/r/{code}/fill", data={"level": "random"})
    room = site.room(code)
    wait_for(lambda: room.state.dues)
    while 0 in room.state.dues or not room.state.dues:
        if 0 in room.state.dues:
            site.run(play_legal(room, room.state.occupants[0].person))
        wait_for(lambda: room.state.dues)
    return room


def pages(guest, room):
    """Return the room and *My games* as a guest sees them."""
    return guest.get(f"/r/{room.id}").text, guest.get("/mine").text


def press(guest, room, name, then=""):
    """Send the form of a button that a guest sees in the room and in *My games*; return the answer."""
    for page, ending in zip(pages(guest, room), ("", "?then=mine"), strict=True):
        assert f'action="/r/{room.id}/{name}{ending}"' in page
    return guest.post(f"/r/{room.id}/{name}{then}", data={"seat": "1"})


def test_a_player_who_keeps_others_waiting_is_nudged_once_a_day(site, clock, ada, bruno):
    room = begin_waiting(site, ada, bruno)
    here, listed = pages(ada, room)
    assert 'data-ago="asked {ago}"' in here
    assert 'data-told="since {day}, {time}"' in listed
    assert "/nudge" not in here + listed, "Bea has only just been asked"
    assert ada.post(f"/r/{room.id}/nudge", data={"seat": "1"}).status_code == 409
    clock.at = NOON + DAY
    assert press(ada, room, "nudge", then="?then=mine").url.path == "/mine"
    for page in pages(ada, room):
        check_text(page, "Nudged", without=["/nudge"])
    assert room.state.nudges[1].by == 0
    assert "/nudge" not in "".join(pages(bruno, room)), "no one nudges themselves"
    clock.at = NOON + 2 * DAY
    assert press(ada, room, "nudge").url.path == f"/r/{room.id}"


def test_the_time_bank_is_shown_to_its_player_and_to_those_who_wait(site, clock, ada, bruno):
    room = begin_waiting(site, ada, bruno, bank_days="2")
    clock.at = NOON + 3 * DAY
    site.run(site.hub.update_deadlines())
    wait_for(lambda: room.state.dues[1].banked)
    clock.at += 5 * HOUR
    here, listed = pages(ada, room)
    ending = "Bea’s time is up. Their time bank ends in 1 day 19 hours."
    check_text(here, ending, "Using time bank", without=["Time is up"])
    assert ">1 day 19 hours left<" in listed
    for page in (here, listed):
        check_text(page, "/nudge", without=["/go-on"])
    for page in pages(bruno, room):
        assert "Your time is up. Your time bank ends in 1 day 19 hours." in page
    site.run(play_legal(room, room.state.occupants[1].person))
    assert 'title="Time bank: 43 hours left"' in ada.get(f"/r/{room.id}").text


def test_after_the_time_the_others_vote_for_a_bot_and_the_player_comes_back_with_one_press(site, clock, ada, bruno):
    room = begin_waiting(site, ada, bruno)
    clock.at = NOON + 4 * DAY
    site.run(site.hub.update_deadlines())
    wait_for(lambda: room.state.dues[1].reminded)
    here, listed = pages(ada, room)
    assert "Bea’s time is up. A bot decides in 12 hours." in here
    assert "12 hours until a bot decides" in listed
    bruno.post("/settings", data={"language": "de", "back": "/"})
    assert "Deine Zeit ist um. In 12 Stunden entscheidet ein Bot." in bruno.get(f"/r/{room.id}").text
    bruno.post("/settings", data={"language": "en", "back": "/"})
    assert "/go-on" not in here + listed, "a nudge comes first"
    press(ada, room, "nudge")
    press(ada, room, "go-on")
    wait_for(lambda: room.state.occupants[1].taken_over)
    assert "Bot playing" in ada.get(f"/r/{room.id}").text
    row = bruno.get("/mine").text.partition("A bot is playing for you.")[2]
    check_text(row, 'data-told="since {day}, {time}"', f'action="/r/{room.id}/back"')
    bruno.post(f"/r/{room.id}/back")
    assert not room.state.occupants[1].taken_over


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_friends_see_until_when_a_player_is_away_and_never_a_day_that_is_past(site, clock, zone, ada, bruno):
    room = begin_waiting(site, ada, bruno)
    ends = date.fromisoformat(in_days(4))
    bruno.post("/mine/away", data={"until": in_days(4), "zone": zone})
    wait_for(lambda: room.state.away_until(1, clock()) is not None)
    day = f"{ends.day} {ends:%B}"
    clock.at = NOON + 2 * DAY
    here, listed = pages(ada, room)
    check_text(here, f"Away until {day}", f"is away until {day}.")
    assert f"Away until {day}" in listed
    assert "/nudge" not in here + listed
    clock.at = NOON + 5 * DAY
    assert room.state.away[1], "no one has looked at the deadlines since"
    for page in pages(ada, room):
        check_text(page, "/nudge", without=["way until"])
