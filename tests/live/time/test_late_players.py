"""Late players of correspondence matches: warned, reminded, decided for once, and after several times replaced."""

import pytest

from tavola.live import Hub, Person, Room
from tavola.live.correspondence.hours import DAY, Hours, warn_at
from tavola.live.log.state import State
from tavola.live.protocol import ComeBack, GoOn, Nudge
from tavola.live.responses import state_message
from tavola.live.room_refusals import NotLate, TooMuch
from tavola.live.state_sentences import bot_decision_lines
from tavola.show.speech import Say
from tests.helpers.days import HOUR, NOON, SiteClock
from tests.helpers.rooms import PEOPLE, matches_log, play_legal, refused, send, start_room, wait_until
from tests.live.time.test_correspondence import Listener, kinds

SIX = (*PEOPLE, Person("E", "Elsa"), Person("F", "Fritz"))
TABLES = (PEOPLE[:2], SIX)
"""Two people with a bot, and six people."""


@pytest.fixture
def hub_settings(clock: SiteClock):
    return {"clock": clock}


def is_settled(state: State) -> bool:
    """Return whether the match waits only for people, and each of them has a deadline."""
    owed = {seat for seat in state.open_decisions if not state.occupants[seat].bot_decides}
    return state.phase == "over" or owed == set(state.open_decisions) == set(state.dues) != set()


async def begin(hub: Hub, people: tuple[Person, ...], **settings: int) -> tuple[Room, int]:
    """Return a match of days in which a person is awaited, and their seat."""
    room = await start_room(hub, people, days=3, patience=0, **settings)
    await wait_until(lambda: is_settled(room.state))
    return room, next(iter(room.state.open_decisions))


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


@pytest.mark.parametrize("people", TABLES, ids=("two", "six"))
async def test_a_missed_deadline_costs_one_decision_and_three_in_a_row_the_seat(hub: Hub, clock: SiteClock, people):
    listener = Listener()
    hub.watch_decisions(listener)
    room, late = await begin(hub, people)
    place = room.state.occupants[late]
    await clock.turn(hub, 2.25 * DAY)
    await wait_until(lambda: room.state.dues[late].warned)
    for missed in (1, 2, 3):
        await await_only(room, late, people)
        number = room.state.dues[late].number
        assert not place.taken_over, "the next decision is asked again"
        await miss(hub, clock, room, late)
        assert (place.misses, place.taken_over) == (missed, missed == 3)
        await wait_until(lambda: ("missed", late, number) in [heard[:3] for heard in listener.heard])  # noqa: B023
    first = [kind for kind, seat, number, _ in listener.heard if (seat, number) == (late, 0)]
    assert [kind for kind in first if kind != "closed"] == ["opened", "warned", "reminded", "missed"]
    assert kinds(hub, room).count("missed") == 3
    assert bot_decision_lines(room.state, late, late, Say.of(room.state.game, "en", room.names))
    gestures = [line.gesture for line in room.state.chat_log if line.seat == late]
    assert gestures == ["missed", "missed", "missed", "kept"], "everybody sees it"
    seat = state_message(room, None)["seats"][late]
    assert (seat["taken_over"], seat["misses"], seat["bot_since"]) == (True, 3, place.bot_since)
    await send(room, people[late], ComeBack)
    assert (place.taken_over, place.misses, place.bot_since) == (False, 0, 0.0)
    assert room.state.chat_log[-1].gesture == "back"
    assert matches_log(hub, room)


@pytest.mark.parametrize("misses", [1, 2])
async def test_the_room_says_how_many_missed_decisions_cost_the_seat(hub: Hub, clock: SiteClock, misses: int):
    room, late = await begin(hub, PEOPLE, misses=misses)
    for missed in range(1, misses + 1):
        await await_only(room, late, PEOPLE)
        await miss(hub, clock, room, late)
        assert room.state.occupants[late].taken_over == (missed == misses)


async def test_a_decision_of_one_s_own_ends_the_row_of_missed_ones(hub: Hub, clock: SiteClock):
    room, late = await begin(hub, PEOPLE)
    place = room.state.occupants[late]
    await miss(hub, clock, room, late)
    assert (place.misses, late in room.state.bot_decisions) == (1, True)
    await await_only(room, late, PEOPLE)
    await play_legal(room, PEOPLE[late])
    assert (place.misses, late in room.state.bot_decisions) == (0, False)
    assert matches_log(hub, room)


async def test_a_late_player_can_be_nudged_once_a_day(hub: Hub, clock: SiteClock):
    listener = Listener()
    hub.watch_decisions(listener)
    room, late = await begin(hub, PEOPLE)
    friend, other, _ = (person for seat, person in enumerate(PEOPLE) if seat != late)
    assert state_message(room, None)["seats"][late]["asked_at"] == NOON
    await refused(NotLate, send(room, friend, Nudge, late), "only just been asked")
    await refused(NotLate, send(room, PEOPLE[late], Nudge, late))
    clock.at += 0.75 * DAY
    await send(room, friend, Nudge, late)
    assert listener.heard[-1] == ("nudged", late, 0, clock.at)
    await refused(TooMuch, send(room, other, Nudge, late), "nudged today")
    clock.at += DAY
    await send(room, other, Nudge, late)
    assert [heard[0] for heard in listener.heard].count("nudged") == 2
    assert matches_log(hub, room)


async def test_after_the_time_all_others_together_let_a_bot_go_on(hub: Hub, clock: SiteClock):
    room, late = await begin(hub, PEOPLE)
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
    hours: dict[str, Hours] = {}

    async def told(persons):
        return {person: hours[person] for person in persons if person in hours}

    hub.desk.hours_of = told
    room, late = await begin(hub, PEOPLE)
    other = next(seat for seat in range(4) if seat != late)
    for until, shown in ((NOON + 5 * DAY, NOON + 5 * DAY), (NOON, None)):
        hours[PEOPLE[other].id] = Hours(away_from=NOON, away_until=until)
        await hub.persons.look_at_hours(PEOPLE[other].id)
        await wait_until(lambda: state_message(room, None)["seats"][other]["away_until"] == shown)  # noqa: B023
    assert matches_log(hub, room)
