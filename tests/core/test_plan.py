"""Plans: several steps of a seat, tried on its own view, played all or not at all."""

from itertools import cycle

import pytest
from bazaar import GAME

from tavola.core import IllegalAction, Match, NotYourTurn, make_plan, plan
from tavola.games import load
from tests.core.test_open_decisions import bazaar

STEPS = ("lay wool", "offer salt", "withdraw", "lay silk")


def test_a_plan_shows_what_would_be_and_nothing_happens():
    match = bazaar()
    before = match.state_bytes()
    planned = match.plan(0, STEPS)
    assert (planned.stop, planned.view.hand.laid, planned.view.table.offered[0]) == ("", (0, 0, 1), 1)
    assert (match.state_bytes(), len(match.history)) == (before, 9)
    match.play_all(STEPS, 0)
    assert match.view(0) == planned.view
    assert [match.game.actions.code(number) for _, number in match.history[-4:]] == list(STEPS)


def test_a_plan_may_be_made_of_numbers_and_of_no_step():
    match = bazaar()
    assert match.plan(0, [GAME.actions.number(code) for code in STEPS]) == match.plan(0, STEPS)
    assert match.plan(1, ()).view == match.view(1)


def test_a_plan_is_made_of_what_is_seen():
    one, two = bazaar((1, "lay wool")), bazaar((2, "lay silk"), (2, "lay silk"))
    assert one.view(0) == two.view(0)
    assert one.plan(0, STEPS) == two.plan(0, STEPS)
    assert make_plan(one.view(0), STEPS).view == one.plan(0, STEPS).view


def test_a_step_of_a_plan_that_is_not_allowed_is_refused_and_nothing_is_played():
    match = bazaar()
    before = match.state_bytes()
    for steps, refusal in (
        (("lay wool", "offer wool"), "'offer wool' would not be allowed at that point: expected a legal action"),
        (("lay wool", "done"), "'done' cannot be planned: expected one of the verbs lay, offer, accept, withdraw"),
        (("lay wool", "fly"), "'fly' is not an action of this game"),
        (("lay wool", 999), "999 would not be allowed at that point"),
        (("lay wool", None), "None is not an action: expected a code such as 'deal wool'"),
        ((), "no steps: expected at least one action"),
    ):
        with pytest.raises(IllegalAction, match=refusal):
            match.play_all(steps, 0)
        assert (match.state_bytes(), len(match.history)) == (before, 9)


def test_only_seats_that_owe_a_decision_plan():
    match = bazaar((0, "done"))
    with pytest.raises(NotYourTurn, match="seat 0 has no decision to make"):
        match.plan(0, STEPS)
    with pytest.raises(NotYourTurn, match="seat None has no decision to make"):
        make_plan(match.view(), STEPS)
    with pytest.raises(NotYourTurn, match="seat 31 is not at this table"):
        match.play_all(STEPS, 31)


def test_a_single_step_is_a_play_even_if_it_cannot_be_planned():
    match = bazaar()
    match.play_all(["done"], 0)
    assert match.to_act == (1, 2)


def test_a_plan_that_fails_when_it_is_played_is_taken_back_whole(monkeypatch: pytest.MonkeyPatch):
    """The rules promise too much here: they refuse the plan half way."""
    match = bazaar()
    play, before = match._play_at, match.state_bytes()

    def grudging(states, *action):
        return -1 if states["hand"]["laid"][0, 0].sum() else play(states, *action)

    monkeypatch.setattr(match, "_play_at", grudging)
    with pytest.raises(IllegalAction, match="'offer salt' is no longer allowed: expected another plan"):
        match.play_all(STEPS, 0)
    assert (match.state_bytes(), len(match.history), match.to_act) == (before, 9, (0, 1, 2))


def test_a_plan_stops_where_a_step_shows_something_hidden(monkeypatch: pytest.MonkeyPatch):
    """A step that turns up a card leads to another view for each card that it may be."""
    match, shown = bazaar(), cycle([bazaar((0, "lay wool")).view(0), bazaar((0, "lay silk")).view(0)])
    monkeypatch.setattr(plan, "_view_after", lambda *_: next(shown))
    planned = match.plan(0, ["lay wool"])
    assert (planned.stop, planned.view) == ("unseen", match.view(0))
    with pytest.raises(IllegalAction, match="after the last step: expected none, since its outcome cannot be"):
        match.plan(0, ["lay wool", "offer salt"])


def test_a_plan_stops_where_chance_decides_and_where_another_seat_does():
    match, stops = Match(load("expedition"), players=3, seed=1), set()
    for number in range(60):
        seat = match.to_act[0]
        legal = match.legal_numbers(seat)
        stops |= {match.plan(seat, [step]).stop for step in legal if match.game.actions.verb(step).planned}
        match.play(legal[number % len(legal)], seat)
    assert stops == {"", "chance", "seat"}
