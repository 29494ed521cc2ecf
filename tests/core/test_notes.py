"""Knowledge shared by some seats is kept in the hand of each, tested with a drill, the magpie."""

from typing import Any

import pytest
from magpie import GAME

from tavola.bots import bot
from tavola.core import CHANCE, BadPosition, BadRecord, IllegalAction, Match, kernels, read_record, stream
from tests.helpers.matches import played

DEALS = ("hide key", "deal ring", "deal coin", "deal coin", "deal spoon", "deal spoon", "deal ring")


def magpie(*plays):
    """Seat 0 has a ring and a spoon, seat 1 a coin and a spoon, seat 2 a coin and a ring; then `plays` are played."""
    return played(GAME, *((CHANCE, code) for code in DEALS), *plays, players=3)


STOLEN = ((0, "steal 1"), (CHANCE, "draw coin"))


def test_only_thief_and_victim_know_the_card():
    coin, spoon = magpie(*STOLEN), magpie((0, "steal 1"), (CHANCE, "draw spoon"))
    assert coin.view(1).hand.knows[0] == (0, 0, 1, 0)
    assert coin.view(0).hand.cards == (1, 1, 1, 0)
    assert coin.view(2) == spoon.view(2)
    assert coin.view() == spoon.view()
    assert coin.last_action(0) is coin.last_action(1) is coin.last_action(2) is None


def test_what_is_known_may_be_lost_to_another():
    match = magpie(*STOLEN, (1, "steal 0"), (CHANCE, "draw coin"))
    assert match.view(1).hand.knows[0] == (0, 0, 0, 0)
    assert match.view(0).hand.knows[1] == (0, 0, 1, 0)
    match = magpie(*STOLEN, (1, "steal 2"), (CHANCE, "draw ring"), (2, "steal 0"), (CHANCE, "draw ring"))
    assert match.view(1).hand.knows[0] == (0, 0, 0, 0)


def test_every_redeal_holds_what_is_known():
    match = magpie(*STOLEN)
    for number in range(50):
        states = match.view(1).states.copy()
        kernels.redeal_at(states, 0, 1, stream(number))
        assert states["hand"]["cards"][0, 0, 2] >= 1


LAST_THEFT: dict[str, Any] = {
    "options": {"players": "3"},
    "phase": "turn",
    "dealt": 6,
    "played": 8,
    "held": [2, 2, 2],
    "nest": "key",
    "hands": [
        {"cards": {"coin": 2}},
        {"cards": {"ring": 1, "spoon": 1}},
        {"cards": {"coin": 1, "key": 1}, "knows": [{"coin": 2}]},
    ],
    "box": {"cards": {"ring": 2, "spoon": 2, "coin": 0, "key": 1}, "nest": 4},
}


@pytest.mark.bulk
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 5))])
def test_search_steals_the_card_that_it_knows_of(seed):
    """Seat 2 needs a coin, and knows that seat 0 has two: the theft breaks a pair and makes another."""
    match = Match(GAME, position=LAST_THEFT)
    assert match.game.actions.code(bot("search", seed, iterations=300).choose(match.view(2))) == "steal 0"


def test_a_position_whose_notes_contradict_the_hands_is_refused():
    hands = [LAST_THEFT["hands"][1], LAST_THEFT["hands"][0], LAST_THEFT["hands"][2]]
    with pytest.raises(BadPosition, match=r"hands\.2\.knows\.0: expected only cards that seat 0 holds"):
        Match(GAME, position=LAST_THEFT | {"hands": hands})


def test_a_sketch_for_study_need_not_have_come_about():
    sketch = LAST_THEFT | {"played": 2}
    early = LAST_THEFT | {"played": 0}
    assert Match(GAME, position=sketch).document()["played"] == 2
    with pytest.raises(BadPosition, match="expected no known cards before the first theft"):
        Match(GAME, position=early)
    match = Match(GAME, position=early, check="pieces")
    match.play("steal 1", 0)
    match.play("draw ring", CHANCE)
    record = read_record(str(match.record()))
    assert "check: pieces" in str(record)
    again = Match(GAME, record.options, None, record.position, check=record.check)
    for seat, code in record.actions:
        again.play(code, seat)
    assert again.state_bytes() == match.state_bytes()


@pytest.mark.parametrize("check", ["pieces", "strict"])
def test_the_pieces_of_a_sketch_must_be_sound(check):
    with pytest.raises(BadPosition, match="coin: expected 3 cards, found 4"):
        Match(
            GAME,
            position=LAST_THEFT | {"box": {"cards": {**LAST_THEFT["box"]["cards"], "coin": 1}, "nest": 4}},
            check=check,
        )


def test_an_unknown_check_is_refused():
    with pytest.raises(BadPosition, match="check: expected strict or pieces, found 'none'"):
        Match(GAME, position=LAST_THEFT, check="none")
    with pytest.raises(BadRecord, match="line 3: check: expected strict or pieces, found 'none'"):
        read_record("game: magpie\nversion: 1\ncheck: none\n")


def test_a_plan_stops_where_the_nest_shows_its_card():
    match = magpie()
    planned = match.plan(0, ["turn"])
    assert planned.stop == "unseen"
    assert planned.view == match.view(0)
    with pytest.raises(
        IllegalAction, match="'steal 1' after the last step: expected none, since its outcome cannot be"
    ):
        match.plan(0, ["turn", "steal 1"])
    match.play_all(["turn"], 0)
    assert match.view().table.nest == 4
    assert match.plan(0, ["steal 1"]).stop == "chance"
