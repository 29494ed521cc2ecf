"""Answers given ahead: played when their seat is asked, dropped for a reason, secret until then, kept in the log."""

import pytest

from tavola.club.export import room_export
from tavola.core import IllegalAction
from tavola.games import load
from tavola.live import Hub, Person, Room
from tavola.live.commands.ahead import common_answers
from tavola.live.log.erasure import erase_people
from tavola.live.log.fold import apply_event, fold
from tavola.live.protocol import AnswerAhead, Enough, Leave, Play
from tavola.live.responses import state_message, state_text
from tavola.live.room_refusals import DecideFirst, NotAhead, NotSeated
from tavola.store import Event
from tavola.talk import BadPattern
from tavola.web.table.screen import RoomScreens
from tests.helpers.rooms import PEOPLE, matches_log, open_hub, play_legal, refused, send, start_room, wait_until

VOTES = [f"vote {boat}" for boat in ("black", "red", "green", "violet", "yellow")]


async def waiting(hub: Hub, **settings) -> tuple[Room, int, int]:
    """Return a match at its crew placement, the seat that is asked, and the seat that is asked next."""
    room = await start_room(hub, **{"patience": 0, **settings})
    (asked,) = room.state.open_decisions
    while not room.state.game.actions.code(room.view(asked).legal[0]).startswith("crew"):
        await play_legal(room, PEOPLE[asked])
        (asked,) = room.state.open_decisions
    return room, asked, (asked + 1) % len(PEOPLE)


async def leave_answer(room: Room, seat: int, *codes: str, **more) -> None:
    await send(room, PEOPLE[seat], AnswerAhead, codes, **more)


def last_played(hub: Hub, room: Room) -> tuple[dict, str | None]:
    event = [event for event in hub.store.events(room.id) if event.kind == "played"][-1]
    return event.body, event.command_id


async def test_the_first_choice_that_is_allowed_is_played_when_its_seat_is_asked(hub: Hub):
    room, asked, following = await waiting(hub)
    await leave_answer(room, following, "vote red", "crew sailor green", "crew officer red")
    assert state_message(room, PEOPLE[following].id)["ahead"]["answers"][0]["codes"][1] == "crew sailor green"
    await play_legal(room, PEOPLE[asked])
    await wait_until(lambda: following not in room.state.open_decisions)
    assert last_played(hub, room) == ({"seat": following, "code": "crew sailor green", "ahead": 1}, None)
    assert state_message(room, PEOPLE[following].id)["ahead"] == {"answers": [], "ended": "played"}
    assert matches_log(hub, room)


async def test_it_survives_a_restart_and_waits_through_decisions_of_other_kinds(path):
    """Of two that wait for one ballot, both are given."""
    async with open_hub(path) as hub:
        room, asked, following = await waiting(hub)
        code, another = room.id, (following + 1) % len(PEOPLE)
        await leave_answer(room, following, "vote red", "vote black")
        await leave_answer(room, another, *VOTES)
    async with open_hub(path) as hub:
        room = await hub.room(code)
        kept = room.state.ahead[following]
        assert kept[1].codes == ("vote red", "vote black")
        while len(room.state.match.to_act) < 2:
            (asked,) = room.state.match.to_act
            assert room.state.ahead[following] == kept, "men are seated by their person"
            await play_legal(room, PEOPLE[asked])
        await wait_until(lambda: not {following, another} & set(room.state.open_decisions))
        given = {event.body["seat"]: event.body["code"] for event in hub.store.events(code) if event.body.get("ahead")}
        assert given.keys() == {following, another}
        assert given[following] in ("vote red", "vote black")
        assert matches_log(hub, room)


async def test_it_comes_to_nothing_where_what_it_names_has_happened_since(hub: Hub):
    room, asked, following = await waiting(hub)
    await leave_answer(room, following, "crew sailor green", unless=("crew * *",))
    await play_legal(room, PEOPLE[asked])
    await wait_until(lambda: following in room.state.ahead_ended)
    assert room.state.ahead_ended == {following: "happened"}
    assert room.prompt_id(following) is not None, "its person is asked"
    after = (following + 1) % len(PEOPLE)
    await leave_answer(room, after, "crew sailor green", unless=("vote *", "choose red"))
    await play_legal(room, PEOPLE[following])
    await wait_until(lambda: after not in room.state.open_decisions or after in room.state.ahead_ended)
    assert room.state.ahead_ended[after] == "played", "others have done nothing of what it names"
    assert matches_log(hub, room)


async def test_it_comes_to_nothing_where_none_of_it_is_allowed(hub: Hub):
    room, asked, following = await waiting(hub)
    crews = [code for code in room.state.game.actions.codes if code.startswith("crew ")]
    await play_legal(room, PEOPLE[asked])
    legal = [room.state.game.actions.code(number) for number in room.view(following).legal]
    illegal = next(code for code in crews if code not in legal)
    await play_legal(room, PEOPLE[following])
    (asked,) = room.state.open_decisions
    last = (asked + 1) % len(PEOPLE)
    await leave_answer(room, last, illegal)
    await play_legal(room, PEOPLE[asked])
    await wait_until(lambda: last in room.state.ahead_ended)
    assert room.state.ahead_ended[last] == "illegal"
    assert room.prompt_id(last) is not None
    assert matches_log(hub, room)


@pytest.mark.parametrize(
    ("condition", "second", "played", "left"),
    [
        pytest.param({"when": ("vote *",)}, 2, 2, [1], id="waits"),
        pytest.param({"when": ("vote *", "crew * *")}, 2, 1, [2], id="has happened"),
        pytest.param({"unless": ("crew * *",)}, 3, 3, [], id="comes to nothing"),
    ],
)
async def test_the_first_answer_that_fits_is_played_and_the_others_wait(hub: Hub, condition, second, played, left):
    room, asked, following = await waiting(hub)
    await leave_answer(room, following, "crew sailor green", "crew officer red", **condition)
    await leave_answer(room, following, "crew sailor red", "crew officer green", place=second)
    await play_legal(room, PEOPLE[asked])
    await wait_until(lambda: following not in room.state.open_decisions)
    assert (last_played(hub, room)[0]["ahead"], list(room.state.ahead.get(following, {}))) == (played, left)
    assert room.state.ahead_ended == {following: "played"}
    assert matches_log(hub, room)


async def test_a_run_of_decisions_is_answered_at_once_and_played_one_by_one(hub: Hub):
    room, asked, following = await waiting(hub)
    await leave_answer(room, following, "vote black", place=3)
    run = ("crew sailor black", "crew officer black", "vote red")
    await leave_answer(room, following, "crew sailor violet", then=run)
    answers = sorted((place, *answer.codes) for place, answer in room.state.ahead[following].items())
    assert answers[:3] == [(1, "crew sailor violet"), (2, "crew sailor black"), (3, "vote black")]
    assert answers[3:] == [(4, "crew officer black"), (5, "vote red")]
    for left in ([2, 3, 4, 5], [3, 4, 5], [3, 5]):
        while sorted(room.state.ahead[following]) != left:
            (asked,) = room.state.open_decisions
            if asked != following:
                await play_legal(room, PEOPLE[asked])
            await wait_until(lambda: following not in room.state.open_decisions)
    assert matches_log(hub, room)
    too_many = leave_answer(room, following, "vote red", place=3, then=("vote red",) * 4)
    await refused(NotAhead, too_many, "up to 7 answers ahead")
    assert sorted(room.state.ahead[following]) == [3, 5]


async def test_a_decision_by_hand_uses_up_the_first_answer_without_a_condition(hub: Hub):
    room, asked, following = await waiting(hub)
    for place, when in ((1, ("vote *",)), (2, ()), (3, ())):
        await leave_answer(room, following, "crew sailor green", when=when, place=place)
    state, code = fold(hub.store.events(room.id)), room.state.game.actions.code
    for seat in (asked, following):
        apply_event(state, Event(state.seq + 1, "played", {"seat": seat, "code": code(state.view(seat).legal[0])}))
    assert sorted(state.ahead[following]) == [1, 3]


async def test_an_answer_ahead_is_the_choice_of_a_talk_window_until_it_is_changed(hub: Hub):
    room, asked, _ = await waiting(hub, window=60)
    first, second = [seat for seat in range(len(PEOPLE)) if seat != asked][:2]
    for seat, place in ((first, 1), (first, 2), (second, 1), (second, 2)):
        await leave_answer(room, seat, *VOTES, place=place)
    while len(room.state.match.to_act) < 2:
        await play_legal(room, PEOPLE[room.state.match.to_act[0]])
    await wait_until(lambda: room.state.window is not None and {first, second} <= set(room.state.window.chosen))
    legal = [room.state.game.actions.code(number) for number in room.view(second).legal]
    other = next(code for code in legal if code != room.state.window.chosen[second])
    await send(room, PEOPLE[second], Play, room.prompt_id(second), other)
    for seat, person in enumerate(PEOPLE):
        if seat not in room.state.window.chosen:
            await play_legal(room, person)
    for person in PEOPLE:
        await send(room, person, Enough)
    assert room.state.window is None
    assert {seat: list(answers) for seat, answers in room.state.ahead.items()} == {first: [2], second: [2]}
    assert room.state.ahead_ended == {first: "played"}
    assert matches_log(hub, room)


async def test_an_answer_ahead_is_invisible_to_others_before_it_is_played(hub: Hub):
    """Not even that there is an answer shows: not in states, screens or message numbers."""
    room, asked, following = await waiting(hub)
    screens, others = RoomScreens(room), [None, *(seat for seat in range(len(PEOPLE)) if seat != following)]

    def told() -> list[object]:
        ids = [None if seat is None else PEOPLE[seat].id for seat in others]
        return [(state_text(room, ids[at]), screens.screen("en", seat).digest) for at, seat in enumerate(others)]

    heard: list[int] = []
    leave = room.subscribe(PEOPLE[asked], heard.append)
    before, own = told(), screens.screen("en", following).digest
    await leave_answer(room, following, "crew sailor green", unless=("vote red",))
    assert (told(), heard) == (before, [])
    await leave_answer(room, following)
    assert (told(), heard, own) == (before, [], screens.screen("en", following).digest)
    leave()


async def test_what_cannot_be_answered_ahead_is_refused(hub: Hub):
    room, asked, following = await waiting(hub)
    await refused(DecideFirst, leave_answer(room, asked, "crew sailor green"))
    await refused(IllegalAction, leave_answer(room, following, "fly red"))
    await refused(BadPattern, leave_answer(room, following, "vote red", unless=("fly *",)))
    negated = leave_answer(room, following, "vote red", unless=("not vote red",))
    await refused(NotAhead, negated, "leave out “not” before vote")
    await refused(NotAhead, leave_answer(room, following, *["vote red"] * 9), "up to 8 choices")
    await refused(NotSeated, send(room, Person("Z", "Zita"), AnswerAhead, ("vote red",)))
    voyage = await start_room(hub, game="voyage", patience=0)
    idle = next(seat for seat in range(len(PEOPLE)) if seat not in voyage.state.open_decisions)
    with pytest.raises(NotAhead, match=r"courses can’t be answered ahead \(possible here: "):
        await leave_answer(voyage, idle, next(c for c in voyage.state.game.actions.codes if c.startswith("courses")))
    assert room.state.ahead == {}


async def test_it_is_part_of_one_s_export_and_gone_with_its_person(hub: Hub):
    room, _, following = await waiting(hub)
    await leave_answer(room, following, "vote red", unless=("vote black",))
    person, events = PEOPLE[following].id, hub.store.events(room.id)
    did = [done for done in room_export(room.id, events, [person])["did"] if done["kind"] == "ahead"]
    assert [(done["codes"], done["unless"]) for done in did] == [(["vote red"], ["vote black"])]
    assert "ahead" not in {done["kind"] for done in room_export(room.id, events, [PEOPLE[following - 1].id])["did"]}
    await send(room, PEOPLE[following], Leave)
    await hub.persons.erase([person])
    kept = [event.body for event in hub.store.events(room.id) if event.kind == "ahead"]
    assert kept == [{"seat": following, "place": 1, "codes": [], "unless": [], "when": []}]
    assert (room.state.ahead, fold(erase_people(events, [person])).ahead) == ({}, {})


def test_what_seats_are_asked_is_found_by_playing():
    game = load("lifeboats")
    found = {game.actions.code(number).split()[0] for number in common_answers(game, {"players": "4"})}
    assert {"crew", "vote", "choose"} <= found
    assert "start" not in found, "chance is nobody's seat"
