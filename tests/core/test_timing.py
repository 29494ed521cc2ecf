"""How games declare time: what runs out, what chance delays, who was first. Tested with a drill, the joust."""

from typing import Any, cast

import pytest
from joust import GAME, rules
from joust.clock import clock

from tavola.bots import bot
from tavola.core import CHANCE, Game, IllegalAction, Match, TimeOut, read_record
from tavola.lab import arena
from tests.helpers.drills import register_drills
from tests.helpers.matches import played


def joust(*plays):
    """Both have taken no wares; then `plays` are played."""
    return played(GAME, (0, "done"), (1, "done"), *plays)


BOTH_RIGHT = ((CHANCE, "toss globe"), (0, "point globe"), (1, "point globe"))
BOTH_WRONG = ((CHANCE, "toss globe"), (0, "point star"), (1, "point crown"))


def test_the_clock_plays_done_and_a_wrong_corner():
    match = joust()
    assert clock(Match(GAME).view(0)) == TimeOut("done", 2, 0)
    match.play("toss star", CHANCE)
    assert clock(match.view(1)) == TimeOut("point crown", 0.5)
    for code in ("point star", "point crown"):
        match.play(code, match.to_act[0])
    assert match.to_act == (0,)
    assert clock(match.view(0)) is None


def test_the_first_seat_is_drawn_evenly_and_never_none():
    """Two standard errors of 4000 even draws are 63."""
    match = joust(*BOTH_RIGHT)
    assert match.chance_weights() == {"first 0": 1, "first 1": 1, "first none": 0}
    position = match.document()
    firsts = [Match(GAME, position=position, seed=seed).view().table.winner for seed in range(4000)]
    assert set(firsts) == {1, 2}
    assert abs(firsts.count(1) - 2000) < 130


def test_a_tie_in_time_throws_again_and_is_kept_in_the_record(monkeypatch: pytest.MonkeyPatch):
    register_drills(monkeypatch, "joust")
    match = joust(*BOTH_RIGHT, (CHANCE, "first none"))
    assert match.view().table.phase == rules.Phase.TOSS
    assert read_record(str(match.record())).match().state_bytes() == match.state_bytes()


def test_after_three_throws_a_seat_is_first():
    match = joust(*BOTH_WRONG * 3)
    assert list(match.chance_weights()) == ["first 0", "first 1"]
    with pytest.raises(IllegalAction, match="'first none' is not allowed now for chance"):
        match.play("first none", CHANCE)


def test_a_card_names_its_own_verbs_and_what_it_races():
    for timing, said in (
        ({"suspense": ("throw",)}, "'throw' is in suspense, races or brief: expected one of its verbs"),
        ({"races": {"first": "aim"}}, "'aim' is in suspense, races or brief: expected one of its verbs"),
        ({"races": {"toss": "point"}}, "'toss' is a race outcome: expected one argument, a seat's number or 'none'"),
        ({"races": {"first": "point"}, "clock": None}, "races need a clock"),
    ):
        with pytest.raises(TypeError, match=said):
            Game(name="joust", title="Joust", version=1, rules=rules, **cast(Any, {"clock": clock, **timing}))


def test_a_card_knows_held_raced_and_racing_actions():
    number = GAME.actions.number
    kinds = [(GAME.is_suspense, "toss star"), (GAME.is_race_outcome, "first 1"), (GAME.is_race_answer, "point star")]
    for kind, code in kinds:
        assert [kind(number(other)) for _, other in kinds] == [other == code for _, other in kinds]
    assert [GAME.race_winner(number(f"first {who}")) for who in ("0", "1", "none")] == [0, 1, None]


@pytest.mark.bulk
def test_search_points_right_and_takes_while_it_can():
    match = joust((CHANCE, "toss globe"))
    for seed in range(3):
        assert match.game.actions.code(bot("search", seed, iterations=400).choose(match.view(1))) == "point globe"
    match = Match(GAME)
    assert match.game.actions.code(bot("search", 1, iterations=800).choose(match.view(0))) == "take"


def test_an_arena_is_held(monkeypatch: pytest.MonkeyPatch):
    register_drills(monkeypatch, "joust")
    search, chance = arena("joust", ["search@60", "random"], 20, 1, processes=1).standings
    assert search.wins > chance.wins
