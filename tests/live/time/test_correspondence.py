"""Correspondence matches: due times in the log, players' hours, reminders, bots, restarts; late players."""

import asyncio
import gc
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from joust import GAME

from tavola.live import Hub, Person, Room, Settings
from tavola.live.commands.require import require_time_for_races
from tavola.live.correspondence.agenda import OwedDecision
from tavola.live.correspondence.hours import DAY, Hours, due_at, warn_at
from tavola.live.log.state import State
from tavola.live.protocol import ComeBack, GoOn, Nudge
from tavola.live.responses import state_message
from tavola.live.room_refusals import BadSetting, NotLate, TooMuch
from tavola.live.state_sentences import bot_decision_lines
from tavola.show.speech import Say
from tavola.store import Retention
from tests.helpers.days import HOUR, NOON, SiteClock
from tests.helpers.rooms import (
    ADA,
    BRUNO,
    PEOPLE,
    matches_log,
    open_hub,
    play_legal,
    refused,
    send,
    start_room,
    wait_until,
)

pytestmark = pytest.mark.usefixtures("clock")
SIX = (*PEOPLE, Person("E", "Elsa"), Person("F", "Fritz"))
MISSES = ((PEOPLE[:2], 3), (PEOPLE, 1), (PEOPLE, 2), (SIX, 3))
"""People, two of them with a bot, and how many missed decisions cost the seat."""


def listen(hub: Hub) -> list[tuple[str, int, int, float | None]]:
    """Return a list of what watchers of decisions hear: kind, seat, number, and when it is due or was nudged."""
    heard: list[tuple[str, int, int, float | None]] = []

    def hear(decision: OwedDecision, news: str, at: float) -> None:
        heard.append((news, decision.seat, decision.number, at if news == "nudged" else decision.due))

    hub.watch_decisions(cast(Any, SimpleNamespace(hear=hear)))
    return heard


def kinds(hub: Hub, code: str) -> list[str]:
    return [event.kind for event in hub.store.events(code)]


async def travel(hub: Hub, person: Person, until: float, since: float = NOON) -> None:
    hours = Hours(away_from=since, away_until=until)

    async def told(persons):
        return {person.id: hours} if person.id in persons else {}

    hub.desk.hours_of = told
    await hub.persons.look_at_hours(person.id)


def is_settled(state: State) -> bool:
    """Return whether the match waits only for people, and each of them has a deadline."""
    owed = {seat for seat in state.open_decisions if not state.occupants[seat].bot_decides}
    return state.phase == "over" or owed == set(state.open_decisions) == set(state.dues) != set()


async def begin(hub: Hub, people: tuple[Person, ...] = PEOPLE, days: int = 3, **settings: int) -> tuple[Room, int]:
    """Return a match of days in which a person is awaited, and their seat."""
    room = await start_room(hub, people, days=days, patience=0, **settings)
    await wait_until(lambda: is_settled(room.state))
    return room, next(iter(room.state.open_decisions))


def test_a_time_ends_after_the_days_and_the_holiday_and_never_at_night():
    rome = Hours(zone="Europe/Rome")
    assert due_at(NOON, 3 * DAY, Hours()) == due_at(NOON, 3 * DAY, rome) == NOON + 3 * DAY
    evening = NOON + 10 * 3600  # 23:00 in Rome, in the night from 22 to 8
    assert due_at(evening, DAY, rome) == evening + DAY + 9 * 3600
    before_dawn = NOON + 14 * 3600  # 3:00
    assert due_at(before_dawn, DAY, rome) == before_dawn + DAY + 5 * 3600
    assert due_at(evening, DAY, Hours(zone="Europe/Rome", night=(8, 8))) == evening + DAY
    away = Hours(away_from=NOON + DAY, away_until=NOON + 8 * DAY)
    for day, ends in ((0, 10), (2, 11), (8, 11), (-3, 0)):
        assert due_at(NOON + day * DAY, 3 * DAY, away) == NOON + ends * DAY


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
    async with open_hub(path, clock=clock) as hub:
        room, seat = await begin(hub)
        code, due = room.id, room.state.dues[seat]
    clock.at += 2 * DAY
    async with open_hub(path, clock=clock) as hub:
        heard = listen(hub)
        room = await hub.room(code)
        assert (room.state.dues[seat], heard) == (due, [("opened", seat, 0, due.until)])
        await play_legal(room, PEOPLE[seat])
        assert heard[1][:3] == ("closed", seat, 0)
        await wait_until(lambda: room.state.dues.keys() == room.state.open_decisions.keys())
        assert {due.until for due in room.state.dues.values()} == {clock.at + 3 * DAY}


async def test_a_match_at_rest_is_woken_when_a_time_ends(hub: Hub, clock: SiteClock):
    code = (await begin(hub))[0].id
    hub.residents.sweep(linger=0.0)
    await wait_until(lambda: gc.collect() and hub.residents.get(code) is None)
    await clock.turn(hub, 3 * DAY)
    await wait_until(lambda: "reminded" in kinds(hub, code))


async def test_holidays_extend_deadlines_and_announced_deadlines_are_never_shortened(hub: Hub, clock: SiteClock):
    room, seat = await begin(hub, days=1)
    await travel(hub, PEOPLE[seat], NOON + 5 * DAY)
    await wait_until(lambda: room.state.dues[seat].until == NOON + 6 * DAY)
    await travel(hub, PEOPLE[seat], NOON + DAY)
    await wait_until(lambda: not room.caretaker.correspondence._looking)
    assert room.state.dues[seat].until == NOON + 6 * DAY


async def test_hours_that_change_while_times_are_looked_at_are_looked_at_too(hub: Hub, clock: SiteClock):
    answer, hours, asked = asyncio.Event(), dict[str, Hours](), list[int]()

    async def told_late(persons):
        known = {person: hours[person] for person in persons if person in hours}
        asked.append(len(known))
        if len(asked) == 1:
            await answer.wait()
        return known

    room, seat = await begin(hub, days=1)
    hub.desk.hours_of = told_late
    await hub.persons.look_at_hours(PEOPLE[seat].id)
    await wait_until(lambda: asked == [0])
    hours[PEOPLE[seat].id] = Hours(away_from=NOON, away_until=NOON + 5 * DAY)
    await hub.persons.look_at_hours(PEOPLE[seat].id)
    answer.set()
    await wait_until(lambda: room.state.dues[seat].until == NOON + 6 * DAY)
    assert asked == [0, 1]


@pytest.mark.hub(nap=0.0)
async def test_bots_answer_without_connections(hub: Hub, clock: SiteClock):
    room = await start_room(hub, (ADA, BRUNO), players=4, days=1, patience=0)
    for _ in range(6):
        await wait_until(lambda: room.state.dues.keys() == set(room.state.open_decisions) & {0, 1} != set())
        for seat in list(room.state.dues):
            await play_legal(room, PEOPLE[seat])
    assert room.state.phase == "playing"


async def test_a_match_of_days_is_not_deleted_for_its_age(hub: Hub, clock: SiteClock):
    room, _ = await begin(hub)
    live = await start_room(hub, PEOPLE)
    found = hub.store.prunable_rooms(Retention(unfinished=DAY, waiting=DAY), NOON + 90 * DAY)
    assert [old.line.id for old in found] == [live.id] != [room.id]


async def await_only(room: Room, late: int, people: tuple[Person, ...]) -> None:
    """Let everyone else decide until only one seat is awaited."""
    while set(room.state.open_decisions) != {late}:
        await play_legal(room, people[next(seat for seat in room.state.open_decisions if seat != late)])
        await wait_until(lambda: is_settled(room.state))


async def miss(hub: Hub, clock: SiteClock, room: Room, late: int) -> None:
    """Let the time of a seat pass until a bot has decided."""
    count, place = room.state.decision_counts[late], room.state.occupants[late]
    await clock.turn(hub, room.state.dues[late].until - clock.at)
    await wait_until(lambda: room.state.dues[late].reminded)
    await clock.turn(hub, room.state.dues[late].until - clock.at)
    await wait_until(lambda: room.state.decision_counts[late] > count)
    await wait_until(lambda: place.taken_over or is_settled(room.state))


def test_a_warning_comes_with_a_quarter_left_and_never_at_night():
    rome = Hours(zone="Europe/Rome")  # one hour ahead of UTC
    assert warn_at(NOON, NOON + 4 * DAY, 4 * DAY, Hours()) == NOON + 3 * DAY
    late = NOON + DAY + 4 * HOUR  # 17:00, a quarter before is 11:00
    assert warn_at(NOON, late, DAY, rome) == late - 6 * HOUR
    noon = NOON + DAY - HOUR  # 12:00, a quarter before is 6:00
    assert warn_at(NOON, noon, DAY, rome) == noon - 4 * HOUR, "in the morning"
    morning = NOON + DAY - 5 * HOUR  # 8:00, a quarter before is 2:00
    assert warn_at(NOON - 5 * HOUR, morning, DAY, rome) == morning - 11 * HOUR, "an hour before the night"
    away = Hours(away_from=NOON, away_until=NOON + 3 * DAY)
    assert warn_at(NOON, NOON + 4 * DAY, DAY, away) == NOON + 4 * DAY - 6 * HOUR


@pytest.mark.parametrize(("people", "misses"), MISSES)
async def test_a_missed_deadline_costs_one_decision_and_some_in_a_row_the_seat(hub: Hub, clock, people, misses):
    heard = listen(hub)
    room, late = await begin(hub, people, misses=misses)
    place = room.state.occupants[late]
    await clock.turn(hub, 2.25 * DAY)
    await wait_until(lambda: room.state.dues[late].warned)
    for missed in range(1, misses + 1):
        await await_only(room, late, people)
        number = room.state.dues[late].number
        assert not place.taken_over, "the next decision is asked again"
        await miss(hub, clock, room, late)
        assert (place.misses, place.taken_over) == (missed, missed == misses)
        await wait_until(lambda: ("missed", late, number) in [told[:3] for told in heard])  # noqa: B023
    first = [kind for kind, seat, number, _ in heard if (seat, number) == (late, 0)]
    assert [kind for kind in first if kind != "closed"] == ["opened", "warned", "reminded", "missed"]
    assert kinds(hub, room.id).count("missed") == misses
    assert bot_decision_lines(room.state, late, late, Say.of(room.state.game, "en", room.names))
    gestures = [line.gesture for line in room.state.chat_log if line.seat == late]
    assert gestures == [*["missed"] * misses, "kept"], "everyone sees it"
    seat = state_message(room, None)["seats"][late]
    assert (seat["taken_over"], seat["misses"], seat["bot_since"]) == (True, misses, place.bot_since)
    await send(room, people[late], ComeBack)
    assert (place.taken_over, place.misses, place.bot_since) == (False, 0, 0.0)
    assert room.state.chat_log[-1].gesture == "back"
    assert matches_log(hub, room)


async def test_a_decision_of_one_s_own_ends_the_row_of_missed_ones(hub: Hub, clock: SiteClock):
    room, late = await begin(hub)
    place = room.state.occupants[late]
    await miss(hub, clock, room, late)
    assert (place.misses, late in room.state.bot_decisions) == (1, True)
    await await_only(room, late, PEOPLE)
    await play_legal(room, PEOPLE[late])
    assert (place.misses, late in room.state.bot_decisions) == (0, False)
    assert matches_log(hub, room)


async def test_a_late_player_can_be_nudged_once_a_day(hub: Hub, clock: SiteClock):
    heard = listen(hub)
    room, late = await begin(hub)
    friend, other, _ = (person for seat, person in enumerate(PEOPLE) if seat != late)
    assert state_message(room, None)["seats"][late]["asked_at"] == NOON
    await refused(NotLate, send(room, friend, Nudge, late), "only just been asked")
    await refused(NotLate, send(room, PEOPLE[late], Nudge, late))
    clock.at += 0.75 * DAY
    await send(room, friend, Nudge, late)
    assert heard[-1] == ("nudged", late, 0, clock.at)
    await refused(TooMuch, send(room, other, Nudge, late), "nudged today")
    clock.at += DAY
    await send(room, other, Nudge, late)
    assert [told[0] for told in heard].count("nudged") == 2
    assert matches_log(hub, room)


async def test_after_the_time_all_others_together_let_a_bot_go_on(hub: Hub, clock: SiteClock):
    room, late = await begin(hub)
    first, *others = (person for seat, person in enumerate(PEOPLE) if seat != late)
    await refused(NotLate, send(room, first, GoOn, late), "still has time")
    await clock.turn(hub, 3 * DAY)
    await wait_until(lambda: room.state.dues[late].reminded)
    for person in (first, *others):
        assert not room.state.occupants[late].taken_over
        await send(room, person, GoOn, late)
    assert room.state.occupants[late].taken_over
    await send(room, PEOPLE[late], ComeBack)
    assert not room.state.occupants[late].taken_over
    assert matches_log(hub, room)


async def test_everybody_sees_until_when_a_player_is_away(hub: Hub, clock: SiteClock):
    room, late = await begin(hub)
    other = next(seat for seat in range(4) if seat != late)
    for until, shown in ((NOON + 5 * DAY, NOON + 5 * DAY), (NOON, None)):
        await travel(hub, PEOPLE[other], until)
        await wait_until(lambda: state_message(room, None)["seats"][other]["away_until"] == shown)  # noqa: B023
    assert matches_log(hub, room)
