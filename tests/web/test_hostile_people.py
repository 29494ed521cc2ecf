"""What strangers try on people: taking names and tables, unwanted talk; and their bots."""

import asyncio
import re
import time
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest
from httpx import Client, HTTPTransport

from tavola.club.names import is_reserved
from tavola.live import Hub, Person, Settings
from tavola.live.bots.thinking import LONGEST_WAIT, SHORTEST_BUDGET, budget
from tavola.live.log.people import clean_name
from tavola.live.presence import Presence
from tavola.live.protocol import Fill, Join, Leave, Mute, Remove, Report, Say, Start
from tavola.live.responses import state_message
from tavola.live.room_refusals import BadName, NotHost, NotSeated, NotWelcome, OneSeat
from tests.helpers import PATIENCE
from tests.helpers.days import HOUR
from tests.helpers.rooms import (
    ADA,
    BRUNO,
    CARLA,
    DARIO,
    create_room,
    new_command_id,
    open_hub,
    play_legal,
    refused,
    run_out,
    send,
    start_room,
    wait_until,
)
from tests.helpers.site import Guest, Site, check_answer, check_text, site_at
from tests.web.test_security import answer_to, socket

LIKE_ADA = ("Аda", "Аdа", "ADA", "A\u200bda", "Ａｄａ", "𝐀𝐝𝐚", "A\u0501a", "Ada\u2800", "Ada\u3164")


# 10: names


async def test_lookalike_names_of_spectators_and_players_get_a_number(hub: Hub):
    room = await create_room(hub, (ADA, BRUNO, CARLA))
    for name in LIKE_ADA:
        await send(room, Person(f"called {name}", name), Say, "I vote green")
        said = room.state.chat_log[-1]
        assert said.seat is None
        assert said.name.endswith(" 2"), name
    for one, other in (("Paul", "Рaul"), ("Modern", "Modem"), ("Bill", "Bi1l"), ("Zoé", "Zoe\u0301")):
        room = await create_room(hub, (Person("a", one), Person("b", other), CARLA))
        assert room.names[0] == one
        assert room.names[1].endswith(" 2"), other


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u2800", "\u115f", "\u1160\u3164", "\uffa0", " \u200b ", "\u034f"])
def test_a_name_of_blanks_is_none(name):
    with pytest.raises(BadName):
        clean_name(name)


def test_names_of_all_tongues_are_names():
    names = ["Ada", "Zoë", "李雷", "Ольга", "محمد", "Ivy 🎲", "O'Neill", "R2-D2"]
    assert [clean_name(name) for name in names] == names


@pytest.mark.parametrize(
    "name",
    [
        *("Tavola", "TAVOLA", "Tavol\u0430", "T.a.v.o.l.a", "Tavola Support", "\uff34avola!"),
        *("Host", "H0st", "The Host", "Host 2", "Site Admin", "Moderator", "Bot 3", "Gastgeber"),
        *("Mara", "\u041c\u0430r\u0430", "Bruno 2", "N. N."),
        *("evil.example", "https://x", "www.evil", "a@b.example", "evil\u3002example", "evil\u2024com", "192.168.1.1"),
        *("\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444", "bit.ly/x", "xn--e1afmkfd.xn--p1ai"),
    ],
)
def test_names_of_the_site_its_bots_and_addresses_are_reserved(name):
    assert is_reserved(name)


def test_names_of_people_are_not_reserved():
    names = ["Ada", "Guest 312", "J.R.R. Tolkien", "A. B.", "Maria", "Hostess", "Robot", "R2-D2", "7 of 9", "42", "🎲"]
    assert not list(filter(is_reserved, [*names, "李雷"]))


def test_a_reserved_name_is_refused_wherever_one_is_given(site: Site, ada: Guest, bruno: Guest):
    code = ada.create()
    for answer in (
        bruno.post("/settings", data={"name": "Tavola"}),
        bruno.post("/rooms", data={"game": "lifeboats", "name": "evil.example"}),
        bruno.sit(code, "Host"),
        ada.post(f"/r/{code}/program", data={"name": "Mara"}),
    ):
        check_answer(answer, 409, "reserved for the site")
    assert site.room(code).names[1:] == ["", "", ""]


def test_spectators_are_marked_in_the_talk(site: Site, ada: Guest, bruno: Guest):
    code = ada.create(name="Ada")
    bruno.post("/settings", data={"name": "Bea"})
    for guest, where in ((bruno, "from the side"), (ada, "from the table")):
        guest.post(f"/r/{code}/say", data={"text": f"hello {where}"})
    page = ada.get(f"/r/{code}").text
    before = [page[: page.index(text)].rpartition("<li")[2] for text in ("from the side", "from the table")]
    assert ["watching" in line for line in before] == [True, False]


# 11: hosts who vanish, people who were removed, unwanted talk


async def test_a_host_that_vanishes_before_the_match_is_replaced_by_the_next_person_present(path: Path, monkeypatch):
    async with open_hub(path) as hub:
        room = await create_room(hub, (ADA, BRUNO, CARLA), players=4)
        leave = room.subscribe(ADA, lambda seq: None)
        room.subscribe(CARLA, lambda seq: None)
        for away in (0.0, HOUR):  # present; only just gone
            monkeypatch.setattr("tavola.live.room.HOST_AWAY", away)
            hub.residents.sweep()
            await refused(NotHost, send(room, CARLA, Fill))  # a room's commands are serial: the sweep has run before
            leave()
        monkeypatch.setattr("tavola.live.room.HOST_AWAY", 0.0)
        hub.residents.sweep()
        await wait_until(lambda: room.state.host == CARLA)
        await refused(NotHost, send(room, ADA, Fill))
        await send(room, CARLA, Fill)
        assert room.state.phase == "playing"
    async with open_hub(path) as hub:
        assert (await hub.room(room.id)).state.host == CARLA


async def test_while_others_look_one_address_has_one_seat_at_public_tables(path: Path):
    async def join(table, person, origin, *seat):
        await table.execute(person, Join(new_command_id(), *seat), origin=origin)

    async with open_hub(path) as hub:
        tables = [await open_table(hub, host, maker) for host, maker in ((ADA, "a"), (BRUNO, "b"))]
        private = await open_table(hub, CARLA, "c", public=False)
        guests = [Person(str(number), f"Guest {number}") for number in range(4)]
        for table, guest in zip(tables, guests, strict=False):
            await join(table, guest, "x")
        hub.lobby.note_seeker("x")
        await join(tables[0], guests[2], "x")
        hub.lobby.note_seeker("y")
        for origin in ("x", "a"):
            await refused(OneSeat, join(tables[0], guests[3], origin), match="others are looking for a seat")
        await join(private, guests[3], "x")
        await join(tables[0], guests[0], "x", 3)
        assert tables[0].state.seat_of(guests[0].id) == 3, "who has a seat may take another"
        await join(tables[1], Person("y", "Ylenia"), "y")
    async with open_hub(path) as hub:
        table = await hub.room(tables[0].id)
        assert not hub.is_crowding("x"), "nobody looks"
        hub.lobby.note_seeker("y")
        assert hub.is_crowding("x"), "who sits where is in the log"
        for guest in (guests[0], guests[2]):
            await send(table, guest, Leave)
        assert not hub.is_crowding("x")


async def open_table(hub, host, maker, *, public=True):
    return await hub.create(host, "lifeboats", {"players": 5}, Settings(public=public, patience=0), maker=maker)


def test_visitors_of_the_lobby_keep_public_seats_from_second_players_of_an_address(tmp_path: Path):
    with (
        site_at(tmp_path / "t.sqlite") as site,
        site.guest() as host,
        site.guest() as second,
        Client(base_url=site.url, transport=HTTPTransport(local_address="127.0.0.2"), timeout=PATIENCE) as other,
    ):
        code = host.create(public="yes", **{"option-players": "5"})
        other.get("/static/js/main.js")
        assert not site.hub.is_crowding(site.room(code).state.occupants[0].origin)
        other.get("/")
        check_answer(second.sit(code, "Bea"), 409, "private room")
        with socket(site, second, code) as line:
            assert answer_to(line, {"type": "join", "command_id": "x"})["kind"] == "OneSeat"
        assert second.sit(host.create(**{"option-players": "5"}), "Bea").status_code == 200


async def test_removed_players_cannot_rejoin_at_once(path: Path, monkeypatch: pytest.MonkeyPatch):
    async with open_hub(path) as hub:
        room = await create_room(hub, (ADA, BRUNO), players=4)
        await send(room, ADA, Remove, 1)
        await refused(NotWelcome, send(room, BRUNO, Join), match="10 min")
    async with open_hub(path) as hub:
        room = await hub.room(room.id)
        await refused(NotWelcome, send(room, BRUNO, Join))
        monkeypatch.setattr("tavola.live.commands.require.REMOVED_FOR", 0.0)
        await send(room, BRUNO, Join)


async def test_mute_is_the_readers_own_and_a_report_is_mentioned_in_the_log(path: Path, caplog, monkeypatch):
    monkeypatch.setattr("tavola.live.presence.SETTLING", HOUR)  # only chat is sent
    async with open_hub(path) as hub:
        room, told = await create_room(hub, (ADA, BRUNO, CARLA)), []
        room.subscribe(BRUNO, told.append)
        await send(room, CARLA, Say, "nonsense")
        before, seen = room.state.public_seq, len(told)
        (speaker,) = {line.speaker for line in room.state.chat_log}
        await send(room, ADA, Mute, speaker)
        assert (room.state.muted_by(ADA.id), room.state.muted_by(BRUNO.id)) == ({speaker}, frozenset())
        assert [len(state_message(room, reader.id)["chat"]) for reader in (ADA, BRUNO)] == [0, 1]
        assert (room.state.public_seq, len(told)) == (before, seen), "nobody else hears of it"
        await send(room, ADA, Mute, speaker, muted=False)
        assert room.state.muted_by(ADA.id) == frozenset()
        await send(room, BRUNO, Report, speaker)
        assert room.state.muted_by(BRUNO.id) == {speaker}
        check_text(caplog.text, "a speaker was reported", without=["nonsense"])
        await refused(NotSeated, send(room, ADA, Mute, 9))
    async with open_hub(path) as hub:
        assert (await hub.room(room.id)).state.muted_by(BRUNO.id) == {speaker}


# 2: thinking


class Slow:
    given: ClassVar[list[int]] = []

    def __init__(self, level, seed, milliseconds=50):
        self.milliseconds = milliseconds

    def choose(self, view):
        Slow.given.append(self.milliseconds)
        time.sleep(0.02)
        return view.legal[0]


async def crowd(hub: Hub, count):
    rooms = [await create_room(hub, (DARIO,), 4, level="search", public=False, patience=0) for _ in range(count)]
    await asyncio.gather(*(send(room, DARIO, Start) for room in rooms))


def thoughts_before(hub: Hub, maker: str) -> list[int]:
    """Record, for each of the maker's thoughts from now on, how many others begin between its request and its start."""
    begun, before, work = list[str](), list[int](), hub.bot_processes.thinkers.work

    def noted(asked_by: str, room_id: str, thought, *more: int):
        asked = len(begun)

        def started(milliseconds: int):
            if asked_by == maker:
                before.append(len(begun) - asked)
            begun.append(asked_by)
            return thought(milliseconds)

        return work(asked_by, room_id, started, *more)

    hub.bot_processes.thinkers.work = noted  # type: ignore[assignment]
    return before


@pytest.mark.hub(bots=Slow)
async def test_bots_in_many_rooms_of_one_person_do_not_delay_other_rooms(hub: Hub):
    Slow.given.clear()
    waits = thoughts_before(hub, ADA.id)
    await crowd(hub, 30)
    for _ in range(3):
        room = await start_room(hub, (ADA,), 3)
        for _ in range(3):  # whoever begins decides twice: then bots have decided before her third decision
            await wait_until(lambda room=room: room.prompt_id(0) is not None)
            await play_legal(room, ADA)
    assert waits
    assert max(waits) <= 4, "two of hers may wait, and one of the crowd's has its turn before each"
    assert min(Slow.given) < 50, "before waits get long, budgets shrink"


def test_a_budget_is_whole_where_few_wait_and_never_nothing():
    assert budget(1, 1, most=50) == budget(3, 2, most=50) == 50
    assert budget(300, 2, most=50) == SHORTEST_BUDGET
    for waiting in range(1, 200):
        assert budget(waiting, 2, most=50) * waiting <= LONGEST_WAIT + waiting * SHORTEST_BUDGET


# 6: sleeping


@pytest.mark.hub(nap=0.15, bot_pause=0.03)
async def test_rooms_without_connections_sleep_and_continue_on_the_next_connection(hub: Hub):
    """A match of bots only pauses when no one watches, and continues from where it was."""
    at_rest = len(hub.tasks._background)
    room = await start_room(hub, (ADA,), 3)
    await send(room, ADA, Leave)
    await wait_until(lambda: room.is_idle)
    await wait_until(lambda: len(hub.tasks._background) == at_rest)  # a bot that was thinking may still answer
    asleep = room.moments
    assert room.state.phase == "playing"
    await wait_until(lambda: hub.residents.sweep(linger=0.0) or room.id not in hub.residents._kept)
    assert room.moments == asleep
    code, room = room.id, None
    room = await hub.room(code)
    assert room.moments == asleep
    room.subscribe(ADA, lambda seq: None)
    await wait_until(lambda: room.state.phase == "over")


@pytest.mark.hub(nap=0.05)
async def test_a_clock_that_runs_keeps_its_room_awake(hub: Hub):
    room = await start_room(hub, (ADA, BRUNO, CARLA), patience=HOUR)
    await wait_until(lambda: room.is_idle)
    hub.residents.sweep(linger=0.0)
    assert room.id in hub.residents._kept
    run_out(room, *room.state.match.to_act)
    await wait_until(lambda: any(seat.taken_over for seat in room.seats))


async def test_presence_measures_how_long_a_person_has_been_away(monkeypatch: pytest.MonkeyPatch):
    now = [1000.0]
    monkeypatch.setattr("tavola.live.presence.time", SimpleNamespace(monotonic=lambda: now[0]))
    presence = Presence(lambda: None)
    leave = presence.connect(ADA, lambda seq: None)
    now[0] += 5
    assert presence.seconds_away(ADA.id) == 0.0
    leave()
    now[0] += 7
    assert presence.seconds_away(ADA.id) == 7.0
    presence.close()


DANA = "דנה"


def test_a_name_from_right_to_left_turns_no_words_around_it(site: Site, ada: Guest, bruno: Guest):
    """Within other text, a name is inside an element or characters that isolate its direction."""
    code = ada.create(name=DANA)
    bruno.post("/settings", data={"name": "Bea"})
    pages = [bruno.get(f"/r/{code}").text]
    ada.post(f"/r/{code}/fill", data={"level": "random"})
    for text in ("3 or 4?", "שלום!"):
        ada.post(f"/r/{code}/say", data={"text": text})
    paths = f"/r/{code}", "/account", f"/r/{code}/people"
    pages += [guest.get(path).text for guest in (ada, bruno) for path in paths]
    assert f"<bdi>{DANA}</bdi></span></span> 3 or 4?</li>" in pages[1], "the words follow the name"
    assert "\u2068שלום!\u2069" in pages[1]
    isolated = rf'<bdi[^>]*>{DANA}</bdi>|\u2068{DANA}\u2069|>{DANA}</text>|(?:value|title)="{DANA}"'
    for page in pages:
        assert DANA not in re.sub(isolated, "", page)
