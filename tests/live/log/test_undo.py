"""Which decisions can be taken back: after an undo no seat knows more than the position shows, in any game."""

import random
from itertools import chain, islice

import pytest

from tavola.contract.samples import redealt
from tavola.core import CHANCE, Match, View, kernels
from tavola.core.rng import stream
from tavola.core.view import Buffers
from tavola.live import Settings
from tavola.live.log.events import number_events
from tavola.live.log.fold import apply_event, fold
from tavola.live.log.state import State
from tavola.live.log.undo import undoable
from tests.helpers.rooms import PEOPLE, differing_parts
from tests.live.log.test_decide import opened

GAMES = ("expedition", "fairies", "lifeboats", "tournament", "voyage")
MATCHES, ACTIONS, WORLDS = 6, 90, 60


class Course:
    """The log of a match of four, which grows by their decisions, and its state."""

    def __init__(self, game: str) -> None:
        self.log = opened(game, Settings(), PEOPLE, at=0.0, players=4)
        self.state: State = fold(self.log)
        self.add("started", {})

    def add(self, kind: str, body: dict, key: str | None = None) -> None:
        (event,) = number_events([(kind, body)], len(self.log) + 1, key, float(len(self.log)))
        self.log.append(event)
        apply_event(self.state, event)

    def play(self, seat: int, number: int) -> None:
        code = self.state.game.actions.code(number)
        self.add("played", {"seat": seat, "code": code}, None if seat == CHANCE else f"{seat}/c{len(self.log)}")

    def play_codes(self, *codes: str) -> None:
        """Play codes, each by the lowest seat for which it is legal."""
        for number in map(self.state.game.actions.number, codes):
            match = self.state.match
            self.play(next(seat for seat in match.to_act if number in match.legal_numbers(seat)), number)

    def play_randomly(self, draw: random.Random) -> None:
        match = self.state.match
        seat = draw.choice(match.to_act)
        self.play(seat, draw.choice(match.legal_numbers(seat)))

    def undo(self, seat: int) -> None:
        self.add("undone", {"seat": seat, "to": undoable(self.state, seat).place}, f"{seat}/u{len(self.log)}")


def random_course(game: str, seed: int):
    """Yield a random course of a game after each of its actions."""
    course, draw = Course(game), random.Random(f"{game} {seed}")
    while course.state.phase != "over" and course.state.moment.actions < ACTIONS:
        course.play_randomly(draw)
        yield course


def excluded_worlds(match: Match, place: int, until: int, seat: int) -> int:
    """Return how many positions that a seat reckoned with after `place` actions its views up to `until` rule out."""
    first, *seen = (View(match.game, match.states_at(at), seat) for at in range(place, until + 1))
    worlds = dict[bytes, bool]()
    for number in range(WORLDS):
        world = redealt(first, stream(10_000 + number))
        if (key := world.tobytes()) not in worlds:
            worlds[key] = is_possible(match, place, seen, world)
    return list(worlds.values()).count(False)


def is_possible(match: Match, place: int, seen: list[View], world) -> bool:
    """Return whether the match could have gone on from a position so that a seat has `seen` these views."""
    if not seen:
        return True
    game, buffers, (actor, number) = match.game, Buffers(match.game), match.history[place]
    count = kernels.legal_at(world, 0, actor, buffers.actions, buffers.weights)
    possible = buffers.actions[:count].tolist()
    if game.observe_action(actor, number, seen[0].seat) is not None:
        possible = [one for one in possible if one == number]
    for one in possible:
        after = game.copy_states(world)
        kernels.apply_at(after, 0, actor, one)
        if View(game, after, seen[0].seat) == seen[0] and is_possible(match, place + 1, seen[1:], after):
            return True
    return False


@pytest.mark.parametrize("game", GAMES)
def test_nothing_that_can_be_undone_has_told_a_seat_anything(game: str):
    """Every position that a seat reckoned with before is still possible after all that it has seen since.

    Each decision is tried when it can be undone for the last time: what was possible then was possible until then.
    """
    found = 0
    for seed in range(MATCHES):
        last = dict[int, int]()  # by place of a decision: actions after which it can still be undone
        for course in random_course(game, seed):
            made = filter(None, (undoable(course.state, seat) for seat in range(4)))
            last |= {each.place: course.state.moment.actions for each in made}
        found += len(last)
        match = course.state.match
        for place, until in last.items():
            assert not any(seat == CHANCE for seat, _ in match.history[place:until])
            assert [excluded_worlds(match, place, until, seat) for seat in range(4)] == [0] * 4
    assert found, "no decision of this game can ever be undone"


@pytest.mark.parametrize("game", GAMES)
def test_an_undo_leads_to_the_position_before_the_decision(game: str):
    """The state is that of the log without what was undone, apart from the numbers of decisions and lines of chat."""
    courses = chain.from_iterable(random_course(game, seed) for seed in range(MATCHES))
    for course in islice(courses, 0, None, 7):
        for seat in range(4):
            if (made := undoable(course.state, seat)) is None:
                continue
            places = [at for at, event in enumerate(course.log) if event.kind == "played"]
            before, after = fold(course.log[: places[made.place]]), fold(course.log)
            (event,) = number_events([("undone", {"seat": seat, "to": made.place})], after.seq + 1, None, 0.0)
            apply_event(after, event)
            changed = {"seq", "public_seq", "updated_at", "undone", "chat_log", "decision_counts"}
            beside = {"command_ids", "open_since", "open_decisions", "decided_at", "beside"}
            assert set(differing_parts(after, before)) <= changed | beside
            assert [after.view(one) for one in range(4)] == [before.view(one) for one in range(4)]
            assert sorted(after.open_decisions) == sorted(before.open_decisions)
            owing = after.open_decisions.keys() | course.state.open_decisions.keys()
            assert all(after.decision_counts[one] > course.state.decision_counts[one] for one in owing)


def in_ballot() -> Course:
    """Return a match of Lifeboats at its first ballot."""
    course, draw = Course("lifeboats"), random.Random(3)
    while len(course.state.match.to_act) < 2:
        course.play_randomly(draw)
    return course


def test_public_decisions_of_others_can_be_undone_but_no_chance():
    course = Course("lifeboats")
    course.play_codes("start 1")
    assert all(undoable(course.state, seat) is None for seat in range(4))
    course.play_codes("lane 3", "lane 4", "lane 5")
    assert [bool(undoable(course.state, seat)) for seat in range(4)] == [False, True, True, True]
    course.undo(1)
    assert (course.state.match.to_act, len(course.state.match.history)) == ((1,), 1)


def test_a_card_face_down_can_be_taken_back_until_the_ballot_is_revealed():
    course = in_ballot()
    course.play_codes("vote green", "vote red", "vote green")
    assert all(undoable(course.state, seat) for seat in range(3))
    course.play_codes("vote black")
    assert not any(undoable(course.state, seat) for seat in range(4))


def test_an_answer_to_a_prompt_before_the_undo_is_stale():
    course = Course("lifeboats")
    course.play_codes("start 0", "lane 1", "lane 2")
    asked = [course.state.prompt_id(seat) for seat in (0, 1, 2)]
    course.undo(0)
    assert course.state.prompt_id(0) not in (asked[0], 0)
    course.play_codes("lane 1", "lane 2")
    assert course.state.prompt_id(2) != asked[2]


def test_what_was_said_since_does_not_count_and_what_was_said_before_does():
    course = in_ballot()
    course.add("spoke", {"seat": 1, "act": "promise", "deed": "vote not red now"})
    course.play_codes("vote green")
    course.add("spoke", {"seat": 2, "act": "promise", "deed": "vote not green now"})
    course.play_codes("vote green")
    course.undo(0)
    assert [said.statement.speaker for said in course.state.talk.said] == [1]
    assert len(course.state.statement_times) == 1
    course.play_codes("vote black", "vote black", "vote black", "vote black")
    assert [str(said.status) for said in course.state.talk.said] == ["kept"]


def test_a_program_is_told_from_where_the_match_goes_on():
    course = Course("lifeboats")
    course.play_codes("start 0", "lane 1", "lane 2")
    told = course.state.told
    course.undo(1)
    course.play_codes("lane 5", "lane 6")
    assert course.state.known_until(told).actions == 2
    assert course.state.known_until(course.state.told) == course.state.moment


def test_the_record_has_only_what_counts():
    course = Course("lifeboats")
    course.play_codes("start 0", "lane 1", "lane 2")
    course.undo(1)
    course.play_codes("lane 5")
    assert [code for _, code in course.state.match.record().actions] == ["start 0", "lane 1", "lane 5"]
