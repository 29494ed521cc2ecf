"""Bots that negotiate in a room: they speak, answer, give people time, have voices, and a pace at a barter."""

import asyncio
import contextlib
import math
import random
import re
from pathlib import Path

import pytest

from tavola.bots import bot
from tavola.core import Match
from tavola.core.rng import stream
from tavola.games import load
from tavola.live import Hub, Room
from tavola.live.bots.bargaining import OFFERED, Bargaining
from tavola.live.bots.voices import Voiced, lines_in, remarks, voices
from tavola.live.commands.speak import SpeakForBot
from tavola.live.log.occasions import greetings, occasions_after, public_points
from tavola.live.log.occupants import CAST
from tavola.live.protocol import Speak
from tavola.live.responses import state_message
from tavola.live.room_refusals import Closing, StalePrompt
from tavola.live.time.delays import FIRST_GAP, HURRY, LONGEST_DELAY, LONGEST_GAP, LOOKS, SHORTEST_GAP, BarterPaces
from tavola.show.speech import LANGUAGES
from tavola.talk import StatementTexts
from tests.helpers import PATIENCE
from tests.helpers.days import HOUR
from tests.helpers.rooms import (
    ADA,
    matches_log,
    open_hub,
    play,
    play_legal,
    play_until,
    send,
    start_room,
    turn_back,
    wait_until,
)

pytestmark = pytest.mark.hub(level="search")
bartering = pytest.mark.hub(bot_pause=0.01, bot_stay=HOUR, level="greedy")
TALKATIVE = ("Orla", "Mara", "Kit")
"""Bots that make statements in every match; a table of others can be silent to the end."""


async def table(hub: Hub, talk: str = "free", level: str = "search") -> Room:
    return await start_room(hub, (ADA,), 4, level=level, cast=TALKATIVE, patience=0, talk=talk)


def ballot(room: Room) -> bool:
    return len(room.state.match.to_act) == 4


@pytest.mark.bulk
async def test_bots_speak_through_the_same_door_and_keep_a_voice(hub: Hub):
    room = await table(hub)

    def spoken() -> list[int]:
        return [number for number, each in voices(room.state).items() if each.said]

    await play_until(room, (ADA,), lambda: spoken() and len(room.state.talk.said) > 5)
    said, number = room.state.talk.said, spoken()[0]
    assert {each.statement.speaker for each in said} <= {1, 2, 3}
    await wait_until(lambda: matches_log(hub, room))  # they keep talking meanwhile
    face = room.state.occupants[said[number - 1].statement.speaker].member.face
    assert voices(room.state)[number].said.startswith(f"{face}.")
    heard = [line for line in state_message(room, ADA.id)["statements"] if line["act"] is None]
    assert not any(line["voice"] or line["verdict_voice"] for line in heard), "nobody hears the tone of a whisper"


async def test_stopping_the_server_while_bots_talk_is_not_a_failure(path: Path, caplog: pytest.LogCaptureFixture):
    async with open_hub(path, level="search") as hub:
        room, bargain = await table(hub), hub.bot_processes.bargain

        async def stops_meanwhile(*asked):
            said = await bargain(*asked)
            hub.tasks.closing = hub.tasks.closing or bool(said)
            return said

        hub.bot_processes.bargain = stops_meanwhile
        with contextlib.suppress(Closing):
            await play_until(room, (ADA,), lambda: hub.tasks.closing)
        await asyncio.sleep(0.05)
    assert caplog.text == ""


@pytest.mark.bulk
async def test_bots_do_not_speak_at_silent_tables_nor_whisper_at_aloud_ones(hub: Hub):
    silent = await table(hub, "silent")
    await play_until(silent, (ADA,), lambda: silent.state.moments > 30)
    assert silent.state.talk is None
    aloud = await table(hub, "aloud")
    await play_until(aloud, (ADA,), lambda: aloud.state.talk is not None and len(aloud.state.talk.said) > 5)
    assert not any(said.statement.is_whispered for said in aloud.state.talk.said)


@pytest.mark.hub(reading=HOUR)
async def test_a_bot_waits_for_players_who_may_speak_and_answers_them(hub: Hub, monkeypatch: pytest.MonkeyPatch):
    left, looks = Bargaining._left, list[object]()
    monkeypatch.setattr(Bargaining, "_left", lambda *given: looks.append(given) or left(*given))
    room = await table(hub)
    await play_until(room, (ADA,), lambda: ballot(room))
    await wait_until(lambda: room.bargaining._task.done())
    waits = len(looks)
    await asyncio.sleep(0.5)
    assert ballot(room), "no bot has chosen: Ada may still say something"
    assert len(looks) < waits + 4, "who waits for a time looks when it is over, or something has changed"
    await send(room, ADA, Speak, "request", to=1, aloud=True, deed="vote not red now")
    number = len(room.state.talk.said)
    await wait_until(lambda: any(said.statement.answers == number for said in room.state.talk.said))
    assert ballot(room), "it was asked, and had not chosen"
    chosen = room.moments
    await play_legal(room, ADA)
    await wait_until(lambda: room.moments >= chosen + 4)  # all people have chosen, so the hour ends early


@pytest.mark.hub(reading=HOUR)
async def test_an_offer_to_a_person_stands_until_they_answer(hub: Hub, monkeypatch: pytest.MonkeyPatch):
    room = await table(hub)
    await play_until(room, (ADA,), lambda: ballot(room))
    await wait_until(lambda: room.bargaining._task.done())
    monkeypatch.setattr(room.bargaining, "update", lambda: None)  # no bot answers with an offer of its own
    offer = StatementTexts("offer", to=0, aloud=True, deed="vote not red now", condition="vote not green now")
    await room.execute_internal(SpeakForBot(1, offer))
    people = room.bargaining._people()
    assert room.bargaining._offered_left([1], people) > OFFERED / 2
    while asked := next(room.bargaining._open_to(people), None):  # bots may have asked for something before
        await send(room, ADA, Speak, "decline", answers=asked[0].number)
    assert room.bargaining._offered_left([1], people) == 0


LEAST_LINES = 30
WANTED = {"greeting", "gain", "loss", "betrayed", "thanks", "tension", "won", "lost", "amends", "threat", "warn"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_member_of_the_cast_has_thirty_lines_of_its_own_in_every_language(language):
    told, shape = lines_in(language), lines_in("en")
    assert set(told) == {member.face for member in CAST}
    for face, parts in told.items():
        assert set(parts) >= WANTED
        counts, expected = ({part: len(lines) for part, lines in each.items()} for each in (parts, shape[face]))
        assert counts == expected
        own = [line for lines in parts.values() for line in lines]
        assert len(own) == len(set(own)) >= LEAST_LINES
        assert all("{name}" in line for line in parts["warn"])
        assert not any("{" in line.replace("{name}", "") for line in own)
    everyone = [line for parts in told.values() for lines in parts.values() for line in lines]
    assert len(everyone) == len(set(everyone)), "two voices say the same"
    english = {line for parts in shape.values() for lines in parts.values() for line in lines if len(line) > 4}
    assert language == "en" or not english & set(everyone)


PLAIN = r" [!?;:,.]"
SPACES = {"fr": r"[^\u202f\u00a0!?][;!?»]|«[^\u202f]|[^\u00a0]:", "de": PLAIN, "it": PLAIN, "en": PLAIN}


@pytest.mark.parametrize("language", LANGUAGES)
def test_lines_are_short_and_set_as_the_language_is_printed(language):
    for parts in lines_in(language).values():
        for line in (line for lines in parts.values() for line in lines):
            assert len(line) <= 90, line
            assert not re.search(r"['\"]|  |\.\.\.", line), line
            assert not re.search(SPACES[language], line), line


@pytest.mark.bulk
async def test_no_voice_says_a_line_twice_to_the_same_hearer(hub: Hub):
    room = await table(hub, level="greedy")
    await play_until(room, (ADA,), lambda: len(remarks(room.state)) > 2 and len(voices(room.state)) > 8)
    state = room.state
    beside = [voices(state).get(said.number, Voiced()) for said in state.talk.said if said.is_heard_by(0)]
    keys = [remark.key for remark in remarks(state)]
    keys += [key for each in beside for key in (each.said, each.judged, each.reply and each.reply.key) if key]
    assert len(keys) == len(set(keys)) > 2
    assert [remark.key.split(".")[1] for remark in remarks(state)][:2] == ["greeting", "greeting"]


@pytest.mark.parametrize("game", ["lifeboats", "expedition", "fairies", "tournament"])
def test_bots_notice_gains_and_the_end_and_nothing_of_what_is_secret(game):
    match, greedy = Match(load(game), seed=3, players=3), bot("greedy", 1)
    found, bots = greetings([1, 2], 7.0), [1, 2]
    assert sorted(each.seat for each in found) == bots
    while not match.over:
        seat, before = match.actor(stream(1, len(match.history))), public_points(match)
        match.play(greedy.choose(match.view(seat)), seat)
        found += occasions_after(before, match, bots, len(match.history), 8.0)
    parts = {each.part for each in found}
    assert "gain" in parts
    assert parts & {"won", "lost"}
    assert {each.seat for each in found} <= set(bots)
    assert public_points(Match(load("voyage"), seed=3, players=4)) == ()


def paces(seed: int = 1) -> BarterPaces:
    made = BarterPaces(random.Random(seed))
    made.begin(100.0)
    return made


def due(made: BarterPaces, seat: int, now: float, left: float = math.inf) -> float:
    return made.due(seat, now, pause=1.0, gap=5.0, left=left)


def test_each_bot_has_its_own_pace_within_bounds():
    dues = [due(made, seat, 100.0) - 100 for made in map(paces, range(50)) for seat in range(3)]
    assert len(set(dues)) == len(dues)
    assert min(dues) >= 5 * FIRST_GAP * SHORTEST_GAP
    assert max(dues) <= max(5 * FIRST_GAP * LONGEST_GAP, LOOKS[1])
    made = paces()
    made.note_act(0, 110.0)
    assert 110 + 5 * SHORTEST_GAP <= due(made, 0, 110.0) <= 110 + 5 * LONGEST_GAP


def test_what_is_new_is_looked_at_first():
    """Even by a bot that has not acted for a long time."""
    made = paces()
    made.note_act(0, 110.0)
    now = 110 + 5 * LONGEST_GAP
    assert now <= due(made, 0, now) <= now + LOOKS[1]
    assert any(due(paces(seed), 0, 104.0) >= 104 + LOOKS[0] for seed in range(9))


def test_news_without_end_does_not_keep_a_bot_from_its_turn():
    made, now = paces(), 100.0
    latest = 100 + (1 + LONGEST_DELAY) * 5 * FIRST_GAP * LONGEST_GAP
    while now < latest and due(made, 0, now) > now:
        now += 0.1
    assert now < latest


def test_bots_hurry_when_the_time_is_nearly_over():
    made = paces()
    unhurried, hurried = due(made, 0, 100.0), due(made, 0, 100.0, left=10.0)
    assert hurried - 100 <= max(HURRY * (unhurried - 100), HURRY * LOOKS[1]) + 1e-6


async def market(hub: Hub) -> Room:
    room = await start_room(hub, (ADA,), game="tournament", level="greedy", patience=0)
    await wait_until(lambda: room.state.match is not None and room.state.match.open)
    return room


def others(room: Room) -> list[int]:
    return [seat for seat in range(3) if seat != room.state.seat_of(ADA.id)]


@bartering
async def test_no_bot_leaves_before_its_time_while_a_person_trades(hub: Hub):
    room = await market(hub)
    seats = others(room)
    await wait_until(lambda: room.moments > 27)  # they have offered something
    await wait_until(lambda: all(room.passes(seat) for seat in seats))  # and would leave
    await asyncio.sleep(0.1)
    assert not room.view(None).table.done
    for seat in range(3):
        turn_back(room, seat, HOUR)
    await wait_until(lambda: room.view(None).table.done & 0b111 == sum(1 << seat for seat in seats))


@bartering
async def test_a_bot_that_wants_nothing_of_what_there_is_shakes_its_head_at_once(hub: Hub):
    """It stays, and looks again when something new is offered, so that whispers are answered at once."""
    room = await market(hub)
    bots = others(room)
    await wait_until(lambda: all(room.passes(seat) for seat in bots))
    assert not room.view(None).table.done
    assert not room.passes(room.state.seat_of(ADA.id))
    changes = room.presence.changes
    richest = max(bots, key=lambda seat: room.view(None).table.purse[seat])  # bots have traded among themselves
    await play(room, ADA, f"offer {richest}", "ask joker", "charge 10", "publish")
    await wait_until(lambda: all(room.passes(seat) for seat in bots))
    assert room.presence.changes > changes


@bartering
async def test_where_no_person_trades_any_more_bots_do_not_wait(hub: Hub):
    room = await market(hub)
    await asyncio.sleep(0.3)
    async with asyncio.timeout(PATIENCE):
        while room.state.match.open:
            if room.prompt_id(room.state.seat_of(ADA.id)) is not None:
                with contextlib.suppress(StalePrompt):  # a bot has whispered to her meanwhile
                    await play(room, ADA, "done")
            await asyncio.sleep(0.05)
