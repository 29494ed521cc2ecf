"""The time bank of a correspondence match: it runs after a decision's time, and what is left of it is kept."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavola.core import Refusal
from tavola.live import Hub, Person, Settings, protocol
from tavola.live.commands.commands import BotAnswer, Given
from tavola.live.commands.decide import decide
from tavola.live.commands.server_commands import DecideForBots
from tavola.live.correspondence.due_dates import UpdateDeadlines
from tavola.live.correspondence.hours import DAY, GRACE, Hours
from tavola.live.log.dice import Dice
from tavola.live.log.events import NewEvent, number_events
from tavola.live.log.fold import apply_event, fold
from tavola.live.protocol import GoOn, Leave, Nudge
from tavola.live.responses import state_message
from tavola.live.room_refusals import NotLate
from tavola.live.state_sentences import decision_time
from tests.helpers.days import HOUR, NOON, SiteClock
from tests.helpers.rooms import (
    ADA,
    PEOPLE,
    THREE,
    differing_parts,
    matches_log,
    open_hub,
    play_legal,
    refused,
    send,
    wait_until,
)
from tests.live.log.test_decide import opened
from tests.live.time.test_correspondence import await_only, begin, kinds, listen, miss, travel

pytestmark = pytest.mark.usefixtures("clock")


def spent(hub: Hub, room: Any) -> list[tuple[str, int, float]]:
    """Return kind, seat and seconds of each logged use of a bank."""
    logged = (event for event in hub.store.events(room.id) if "spent" in event.body)
    return [(event.kind, event.body["seat"], event.body["spent"]) for event in logged]


async def pass_time(hub: Hub, clock: SiteClock, room: Any, seat: int, stage: str) -> None:
    """Let time pass until what runs now for a seat ends, and `stage` begins."""
    await clock.turn(hub, room.state.dues[seat].until - clock.at)
    await wait_until(lambda: seat in room.state.dues and room.state.dues[seat].stage == stage)


async def test_after_its_time_a_decision_uses_the_bank_and_what_is_left_is_kept(hub: Hub, clock: SiteClock):
    heard = listen(hub)
    room, late = await begin(hub, days=1, bank_days=2)
    assert decision_time(state_message(room, None)["settings"]) == "1 day per decision, plus a time bank of 2 days"
    friend = next(person for seat, person in enumerate(PEOPLE) if seat != late)
    await pass_time(hub, clock, room, late, "banked")
    assert room.state.dues[late].until == NOON + 3 * DAY
    assert heard[-1] == ("banked", late, 0, NOON + 3 * DAY)
    await send(room, friend, Nudge, late)
    await refused(NotLate, send(room, friend, GoOn, late), "still has time")
    clock.at += 5 * HOUR
    await play_legal(room, PEOPLE[late])
    assert spent(hub, room) == [("played", late, 5 * HOUR)]
    banks = [seat["bank"] for seat in state_message(room, None)["seats"]]
    assert banks == [2 * DAY - 5 * HOUR * (seat == late) for seat in range(4)]
    await await_only(room, late, PEOPLE)
    await pass_time(hub, clock, room, late, "banked")
    assert room.state.dues[late].until == clock.at + 2 * DAY - 5 * HOUR
    assert matches_log(hub, room)


async def test_after_the_bank_a_bot_decides_once_and_the_next_decision_has_none(hub: Hub, clock: SiteClock):
    room, late = await begin(hub, days=1, bank_days=1)
    await pass_time(hub, clock, room, late, "banked")
    await miss(hub, clock, room, late)
    assert (spent(hub, room), clock.at) == ([("reminded", late, DAY)], NOON + 2 * DAY + GRACE)
    await await_only(room, late, PEOPLE)
    await miss(hub, clock, room, late)
    assert (room.state.occupants[late].misses, kinds(hub, room.id).count("banked")) == (2, 1)
    assert matches_log(hub, room)


async def test_a_restart_and_a_player_who_leaves_use_what_the_log_says(path, clock: SiteClock):
    async with open_hub(path, clock=clock) as hub:
        room, late = await begin(hub, days=1, bank_days=1)
        await pass_time(hub, clock, room, late, "banked")
        clock.at += 2 * HOUR
    async with open_hub(path, clock=clock) as hub:
        room = await hub.room(room.id)
        assert room.state.dues[late].banked
        clock.at += HOUR
        await send(room, PEOPLE[late], Leave)
        assert spent(hub, room) == [("left", late, 3 * HOUR)]
        assert matches_log(hub, room)


async def test_a_holiday_postpones_its_end_and_does_not_use_it(hub: Hub, clock: SiteClock):
    room, late = await begin(hub, days=1, bank_days=2)
    await pass_time(hub, clock, room, late, "banked")
    await travel(hub, PEOPLE[late], clock.at + 5 * DAY, since=clock.at)
    await wait_until(lambda: room.state.dues[late].until == NOON + 8 * DAY)
    clock.at += 5 * DAY + HOUR
    await play_legal(room, PEOPLE[late])
    assert spent(hub, room) == [("played", late, HOUR)]
    assert matches_log(hub, room)


class Course:
    """A match of three people over days, by decisions and the log only, with the time that banks should have used."""

    def __init__(self, bank_days: int, zone: str) -> None:
        settings = Settings(days=1, patience=0, misses=5, bank_days=bank_days)
        self.log, self.now, self.whole = opened("lifeboats", settings, THREE, NOON), NOON, bank_days * DAY
        self.state = fold(self.log)
        self.hours = {person.id: Hours(zone=zone) for person in THREE}
        self.postponed = bool(zone)
        self.give(protocol.Start("c"), ADA)
        self.look()

    def give(self, command: Any, who: Person | None = None) -> list[NewEvent]:
        """Carry out a command as a room does, and check each of its events."""
        dice = Dice(random.Random(len(self.log)))
        told = Given(now=self.now, dice=dice, level="random", scene_end=self.now, next_room="talvin")
        try:
            new_events = decide(self.state, command, who, told)
        except Refusal:
            return []
        key = f"{who.id}/{len(self.log)}" if who is not None else None
        for event in number_events(new_events, self.state.seq + 1, key, self.now):
            self.apply(event)
        return new_events

    def apply(self, event: Any) -> None:
        state, seat = self.state, event.body.get("seat", -1)
        before, left = state.dues.get(seat), state.bank_left(seat)
        apply_event(state, event)
        self.log.append(event)
        used, after = left - state.bank_left(seat), state.dues.get(seat)
        if before is None or not before.banked:
            assert used == 0
        elif after is None or not after.banked:  # its use of the bank has ended
            ran = min(left, self.now - before.since)
            assert -0.001 <= used <= ran + 0.001
            assert self.postponed or used == pytest.approx(ran, abs=0.001)
        if before is not None and after is not None and before.number == after.number:
            assert after.until >= before.until
        if event.kind == "banked":
            assert after.until >= after.since + left

    def look(self) -> None:
        """Do what the server does, until nothing is due."""
        while self.give(UpdateDeadlines(self.hours)) or self.give(DecideForBots(dict(self.answers()))):
            pass

    def answers(self):
        for seat in self.state.open_decisions:
            if self.state.occupants[seat].bot_decides:
                yield seat, BotAnswer(self.state.prompt_id(seat), [self.state.view(seat).legal[0]], None)

    def wait(self, hours: float) -> None:
        self.now += hours * HOUR

    def play(self, choice: float) -> None:
        for seat in list(self.state.open_decisions)[:1]:
            legal = self.state.view(seat).legal
            code = self.state.game.actions.code(legal[int(choice) % len(legal)])
            self.give(protocol.Play("c", self.state.prompt_id(seat), code), THREE[seat])

    def leave(self, choice: float) -> None:
        who = THREE[int(choice) % 3]
        self.give(protocol.Leave("c"), who)
        self.give(protocol.ComeBack("c"), who)

    def travel(self, choice: float) -> None:
        who, self.postponed = THREE[int(choice) % 3], True
        zone = self.hours[who.id].zone
        self.hours[who.id] = Hours(away_from=self.now, away_until=self.now + choice * HOUR, zone=zone)


deeds = st.sampled_from([Course.wait, Course.wait, Course.play, Course.play, Course.leave, Course.travel])


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([0, 1, 2]),
    st.sampled_from(["", "", "Europe/Rome"]),
    st.lists(st.tuples(deeds, st.floats(0, 40)), max_size=40),
)
def test_no_seat_uses_more_than_it_has_and_the_log_says_the_same(bank_days: int, zone: str, course: list):
    match = Course(bank_days, zone)
    for deed, amount in course:
        if match.state.phase == "playing":
            deed(match, amount)
            match.look()
    assert all(0 <= used <= match.whole + 0.001 for used in match.state.bank_spent.values())
    assert differing_parts(fold(match.log), match.state) == []
