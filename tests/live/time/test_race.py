"""Races decided by a room's clocks: what is measured, what is subtracted, and that lying gains nothing."""

import random
import statistics

import pytest
from joust import GAME

from tavola.bots import LEVELS
from tavola.live.time.delays import Suspense, human_reflexes
from tavola.live.time.race import (
    ECHOES_KEPT,
    MOST_JITTER,
    MOST_TRIP,
    RESOLUTION,
    SHORTEST_REACTION,
    Arrival,
    Echoes,
    Reaction,
    first_outcomes,
)

FIRST = [GAME.actions.number(code) for code in ("first 0", "first 1", "first none")]


def winners(reactions, outcomes=FIRST):
    return [GAME.actions.code(number).partition(" ")[2] for number in first_outcomes(GAME, outcomes, reactions)]


@pytest.mark.parametrize(
    ("ada", "bruno", "first", "if_a_seat_must_be_first"),
    [
        pytest.param(Reaction(0.5), Reaction(0.6), "0", "0", id="the quicker one"),
        pytest.param(Reaction(0.7), Reaction(0.6), "1", "1", id="the other one"),
        pytest.param(Reaction(0.5), Reaction(0.9), "0", "0", id="the quicker one by far"),
        pytest.param(Reaction(0.7, 0.15), Reaction(0.6, 0.01), "0", "0", id="the trip is taken out"),
        pytest.param(Reaction(0.5), Reaction(0.5), "none", "0 1", id="a tie"),
        pytest.param(Reaction(0.5), Reaction(0.5 + RESOLUTION / 2), "none", "0 1", id="too close to measure"),
        pytest.param(Reaction(0.5, 0.1, 0.01), Reaction(0.415, 0, 0.01), "none", "0 1", id="within the jitter"),
        pytest.param(Reaction(0.5, 0.1, 0.005), Reaction(0.415, 0, 0.005), "0", "0", id="beyond the jitter"),
        pytest.param(None, None, "none", "0 1", id="both times unknown"),
        pytest.param(Reaction(0.5), None, "none", "0 1", id="one time unknown"),
        pytest.param(None, Reaction(0.1), "none", "0 1", id="the other time unknown"),
        # Even after both were wrong three times, when times decide.
        pytest.param(Reaction(0.005), Reaction(0.9), "1", "1", id="a guess is slower than any answer"),
        pytest.param(Reaction(0.9), Reaction(0.099), "0", "0", id="the other's guess, too"),
        pytest.param(Reaction(0.005), Reaction(0.09), "none", "0 1", id="two guesses"),
    ],
)
def test_who_was_first(ada, bruno, first, if_a_seat_must_be_first):
    known = {seat: reaction for seat, reaction in ((0, ada), (1, bruno)) if reaction is not None}
    assert (winners(known), winners(known, FIRST[:2])) == ([first], if_a_seat_must_be_first.split())


def test_impossibly_fast_answers_are_too_soon():
    arrivals = (Arrival(10.09), Arrival(9.99), Arrival(10.1), Arrival(10.2, 0.11))
    assert [Reaction.of(arrival, 10.0).too_soon for arrival in arrivals] == [True, True, False, True]


def line(way, delays=(0.0,), rounds=40):
    """Return a measured connection: `way` seconds there and back, plus `delays` of its client in turn."""
    echoes = Echoes()
    for number in range(rounds):
        assert echoes.accept(echoes.new_token(number), number + way + delays[number % len(delays)])
    return echoes


def test_the_way_is_the_shortest_echo_and_its_jitter_what_most_take_longer():
    arrival = line(0.04, (0.0, 0.01, 0.02)).arrival(7.0)
    assert (arrival.at, arrival.trip, arrival.jitter) == (7.0, pytest.approx(0.04), pytest.approx(0.01))


def test_at_most_the_round_trip_measured_by_the_kernel_is_subtracted():
    """Delaying echoes on a connection of 2 ms gains nothing; answering at once loses nothing."""
    assert line(0.002, (0.078,)).arrival(7.0, 0.002).trip == 0.002
    assert line(0.05).arrival(7.0, 0.06).trip == pytest.approx(0.05)
    assert line(0.5).arrival(7.0, 0.4).trip == MOST_TRIP
    assert Echoes().arrival(7.0) == Echoes().arrival(7.0, 0.05) == Arrival(7.0), "nothing if there was no echo"


def test_an_echo_counts_once_and_only_if_it_was_sent():
    echoes = Echoes()
    token = echoes.new_token(1.0)
    assert not echoes.accept("x", 1.0)
    assert echoes.arrival(2.0) == Arrival(2.0)
    assert echoes.accept(token, 1.05)
    assert not echoes.accept(token, 1.001)
    assert echoes.arrival(2.0).trip == pytest.approx(0.05)


def test_echoes_that_are_never_answered_are_forgotten():
    echoes = Echoes()
    tokens = [echoes.new_token(number) for number in range(ECHOES_KEPT + 5)]
    assert len(set(tokens)) == len(tokens)
    assert [echoes.accept(token, 99.0) for token in tokens] == [False] * 5 + [True] * ECHOES_KEPT


@pytest.mark.parametrize("delays", [(0.05,), (0.3,), (0.0, 0.3), (9.0,), (0.1, 0.2, 0.3, 5.0)])
@pytest.mark.parametrize("way", [0.001, 0.04, 0.2])
def test_delaying_echoes_gains_at_most_the_bound(way, delays):
    """A player seems quicker by at most `MOST_TRIP` less their true trip, and never by the jitter as well."""
    shown, thought = 100.0, 0.6
    arrival = line(way, delays).arrival(shown + way + thought)
    reaction = Reaction.of(arrival, shown)
    honest = Reaction.of(line(way).arrival(shown + way + thought), shown)
    assert honest.seconds == pytest.approx(thought + max(0.0, way - MOST_TRIP))
    assert honest.seconds - reaction.seconds <= max(0.0, MOST_TRIP - way) + 1e-6
    assert reaction.jitter <= MOST_JITTER
    # A player slower by the bound and by all possible jitter loses, however they delay echoes.
    slower = thought - max(0.0, MOST_TRIP - way) - 2 * MOST_JITTER - RESOLUTION - 0.001
    assert winners({0: reaction, 1: Reaction(slower)}) == ["1"]


def test_jitter_serves_both_alike():
    """A player who adds jitter voids a race lost by little, and also one won by as little."""
    jittery = line(0.0, (0.0, 0.3, 0.3)).arrival(0.0)
    for margin in (MOST_JITTER / 2, -MOST_JITTER / 2):
        assert winners({0: Reaction(0.5, jittery.trip, jittery.jitter), 1: Reaction(0.5 + margin)}) == ["none"]


@pytest.mark.parametrize("answers", [2, 4])
def test_bots_react_as_people_do(answers):
    """Quicker at higher levels and with fewer answers, never sooner than a person can, with a tail to the right."""
    means = []
    for level in LEVELS:
        reflexes = human_reflexes(random.Random(1))
        drawn = [reflexes(level, answers) for _ in range(4000)]
        assert min(drawn) >= SHORTEST_REACTION
        assert statistics.mean(drawn) > 1.015 * statistics.median(drawn)
        means.append(statistics.mean(drawn))
    assert means == sorted(means, reverse=True)
    strongest = list(LEVELS.values())[-1]
    assert 0.2 + 0.155 * (strongest.reading_bits + answers / 2) == pytest.approx(means[-1], rel=0.02)


def test_reflexes_with_dice_are_the_same_again():
    one, other = human_reflexes(random.Random(7)), human_reflexes(random.Random(7))
    assert [one("greedy", 4) for _ in range(9)] == [other("greedy", 4) for _ in range(9)]


def test_the_fall_of_the_toss_is_unpredictable():
    """Waiting in vain teaches nothing: half of the remaining tosses fall in the same time again and again."""
    hold = Suspense(1.0, 2.0, 60.0)
    drawn = sorted(hold.draw() for _ in range(8000))
    assert drawn[0] >= 1.0
    halves = [drawn[4000] - 1.0, drawn[6000] - drawn[4000], drawn[7000] - drawn[6000]]
    assert all(abs(half / (2.0 * 0.693) - 1) < 0.15 for half in halves)
    assert Suspense(1.0, 2.0, 3.0).longest >= max(Suspense(1.0, 2.0, 3.0).draw() for _ in range(500))
    assert Suspense(0.5, 0.0).draw() == 0.5
