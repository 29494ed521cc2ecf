"""Correspondence matches: due times in the log, players' hours, reminders, bots, restarts; watchers."""

import asyncio
import gc
from dataclasses import replace

import pytest
from joust import GAME

from tavola.live import Hub, Room, Settings
from tavola.live.commands.require import require_time_for_races
from tavola.live.correspondence.agenda import OwedDecision
from tavola.live.correspondence.hours import DAY, Hours, due_at
from tavola.live.room_refusals import BadSetting
from tavola.store import Retention
from tests.helpers.days import NOON, SiteClock
from tests.helpers.rooms import ADA, BRUNO, PEOPLE, open_hub, play_legal, wait_until
from tests.helpers.rooms import start_room as start


@pytest.fixture
def hub_settings(clock: SiteClock):
    return {"clock": clock}


class Listener:
    def __init__(self) -> None:
        self.heard: list[tuple[str, int, int, float | None]] = []

    def hear(self, decision: OwedDecision, news: str, at: float) -> None:
        self.heard.append((news, decision.seat, decision.number, at if news == "nudged" else decision.due))


def kinds(hub: Hub, room: Room) -> list[str]:
    return [event.kind for event in hub.store.events(room.id)]


async def room_of_days(hub: Hub, days: int = 3) -> tuple[Room, int]:
    """Return a match by correspondence once its first decision has a due time, and the seat that owes it."""
    room = await start(hub, days=days, patience=0)
    await wait_until(lambda: room.state.dues.keys() == room.state.open_decisions.keys() != set())
    return room, next(iter(room.state.open_decisions))


def test_a_time_ends_after_the_days_and_the_holiday_and_never_at_night():
    rome = Hours(zone="Europe/Rome")
    assert due_at(NOON, 3 * DAY, Hours()) == NOON + 3 * DAY
    assert due_at(NOON, 3 * DAY, rome) == NOON + 3 * DAY
    evening = NOON + 10 * 3600  # 23:00 in Rome, in the night from 22 to 8
    assert due_at(evening, DAY, rome) == evening + DAY + 9 * 3600
    before_dawn = NOON + 14 * 3600  # 3:00
    assert due_at(before_dawn, DAY, rome) == before_dawn + DAY + 5 * 3600
    assert due_at(evening, DAY, Hours(zone="Europe/Rome", night=(8, 8))) == evening + DAY
    away = Hours(away_from=NOON + DAY, away_until=NOON + 8 * DAY)
    assert due_at(NOON, 3 * DAY, away) == NOON + 10 * DAY
    assert due_at(NOON + 2 * DAY, 3 * DAY, away) == NOON + 11 * DAY
    assert due_at(NOON + 8 * DAY, 3 * DAY, away) == NOON + 11 * DAY
    assert due_at(NOON - 3 * DAY, 3 * DAY, away) == NOON


def test_a_night_ends_at_the_same_hour_where_clocks_are_changed():
    # In the night of 28 March 2027 clocks in Rome leap from 2:00 to 3:00; 23:00 there is 22:00 UTC.
    evening = 1_806_184_800.0
    assert Hours(zone="Europe/Rome").morning(evening) - evening == 8 * 3600


def test_where_speed_decides_at_once_a_match_goes_by_no_post():
    quick = replace(GAME, suspense=())
    with pytest.raises(BadSetting, match="is a game of speed"):
        require_time_for_races(quick, Settings(patience=0, days=3))
    require_time_for_races(quick, Settings())


async def test_a_restart_restores_deadlines_and_reports_open_decisions(path, clock: SiteClock):
    listener = Listener()
    async with open_hub(path, clock=clock) as hub:
        room, seat = await room_of_days(hub)
        code, due = room.id, room.state.dues[seat]
    clock.at += 2 * DAY
    async with open_hub(path, clock=clock) as hub:
        hub.watch_decisions(listener)
        room = await hub.room(code)
        assert room.state.dues[seat] == due
        assert listener.heard == [("opened", seat, 0, due.until)]
        await play_legal(room, PEOPLE[seat])
        assert listener.heard[1][:3] == ("closed", seat, 0)
        await wait_until(lambda: room.state.dues.keys() == room.state.open_decisions.keys())
        assert {due.until for due in room.state.dues.values()} == {clock.at + 3 * DAY}


async def test_a_match_at_rest_is_woken_when_a_time_ends(hub: Hub, clock: SiteClock):
    room, _ = await room_of_days(hub)
    code = room.id
    hub.residents.sweep(linger=0.0)
    del room
    await wait_until(lambda: gc.collect() and hub.residents.get(code) is None)
    await clock.turn(hub, 3 * DAY)
    await wait_until(lambda: "reminded" in [event.kind for event in hub.store.events(code)])


async def test_holidays_extend_deadlines_and_announced_deadlines_are_never_shortened(hub: Hub, clock: SiteClock):
    hours: dict[str, Hours] = {}

    async def told(persons):
        return {person: hours[person] for person in persons if person in hours}

    hub.desk.hours_of = told
    room, seat = await room_of_days(hub, days=1)
    person = PEOPLE[seat]
    hours[person.id] = Hours(away_from=NOON, away_until=NOON + 5 * DAY)
    await hub.persons.look_at_hours(person.id)
    await wait_until(lambda: room.state.dues[seat].until == NOON + 6 * DAY)
    hours[person.id] = Hours(away_from=NOON, away_until=NOON + DAY)
    await hub.persons.look_at_hours(person.id)
    await asyncio.sleep(0.05)
    assert room.state.dues[seat].until == NOON + 6 * DAY


async def test_hours_that_change_while_times_are_looked_at_are_looked_at_too(hub: Hub, clock: SiteClock):
    answer = asyncio.Event()
    hours = dict[str, Hours]()
    asked = list[int]()

    async def told_late(persons):
        known = {person: hours[person] for person in persons if person in hours}
        asked.append(len(known))
        if len(asked) == 1:
            await answer.wait()
        return known

    room, seat = await room_of_days(hub, days=1)
    hub.desk.hours_of = told_late
    await hub.persons.look_at_hours(PEOPLE[seat].id)
    await wait_until(lambda: asked == [0])
    hours[PEOPLE[seat].id] = Hours(away_from=NOON, away_until=NOON + 5 * DAY)
    await hub.persons.look_at_hours(PEOPLE[seat].id)
    answer.set()
    await wait_until(lambda: room.state.dues[seat].until == NOON + 6 * DAY)
    assert asked == [0, 1]


async def test_bots_answer_without_connections(path, clock: SiteClock):
    async with open_hub(path, clock=clock, nap=0.0) as hub:
        room = await start(hub, (ADA, BRUNO), players=4, days=1, patience=0)
        people = dict(enumerate((ADA, BRUNO)))
        for _ in range(6):
            await wait_until(lambda: room.state.dues.keys() == set(room.state.open_decisions) & {0, 1} != set())
            for seat in list(room.state.dues):
                await play_legal(room, people[seat])
        assert room.state.phase == "playing"


async def test_a_match_of_days_is_not_deleted_for_its_age(hub: Hub, clock: SiteClock):
    room, _ = await room_of_days(hub)
    live = await start(hub, PEOPLE)
    kept = Retention(unfinished=DAY, waiting=DAY)
    found = hub.store.prunable_rooms(kept, NOON + 90 * DAY)
    assert [old.line.id for old in found] == [live.id]
    assert room.id != live.id
