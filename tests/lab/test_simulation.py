"""Simulations: the same figures wherever they are played, correct intervals, and when to stop."""

import json
import math
import re
from functools import partial, reduce
from operator import add
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from tavola.cli import main
from tavola.core import BadOption, kernels
from tavola.core.view import Buffers
from tavola.games import load, names
from tavola.lab import simulate
from tavola.lab.counts import Counts
from tavola.lab.intervals import anytime_mean, anytime_share, student_quantile, wilson_interval
from tavola.lab.report import json_document
from tavola.lab.results import BadResults
from tavola.lab.simulation import BadSimulation, count_matches

pytestmark = pytest.mark.bulk

GAME = load("lifeboats")
SHORT: dict[str, Any] = {"options": {"players": 3}, "chunk": 150}


def figures(found):
    return [(one.options, one.counts) for one in found.variants]


def test_at_random_they_are_the_matches_of_the_kernel():
    array, scratch = GAME.options.array({}), Buffers(GAME)
    points, places = (np.zeros((60, 4), np.int64) for _ in range(2))
    lengths = np.zeros(60, np.int64)
    kernels.play_batch(GAME.states(2), array, 5, 40, points, places, lengths, scratch.actions, scratch.weights)
    tally = count_matches(GAME, {}, "random", 5, 40, 60)
    assert tally.points == tuple(points.sum(axis=0))
    assert [tally.places[seat][0] for seat in range(4)] == [(places[:, seat] == 1).sum() for seat in range(4)]
    assert sum(length * times for length, times in tally.lengths.items()) == lengths.sum()
    assert tally.matches == sum(tally.ends.values()) == 60


@pytest.mark.parametrize("play", ["random", "prior"])
def test_any_match_can_be_played_by_itself_and_any_split_gives_the_same_sum(play):
    whole = count_matches(GAME, {}, play, 9, 0, 30)
    alone = [count_matches(GAME, {}, play, 9, number, 1) for number in range(30)]
    assert reduce(add, alone) == whole
    assert count_matches(GAME, {}, play, 9, 17, 13) + count_matches(GAME, {}, play, 9, 0, 17) == whole


@pytest.mark.parametrize("name", names())
def test_every_game_is_simulated_to_its_ends(name):
    for play in ("random", "prior"):
        tally = count_matches(load(name), {}, play, 2, 0, 10)
        assert sum(map(tally.wins, range(tally.players))) == pytest.approx(1)
        assert sum(tally.ends.values()) == sum(tally.lengths.values()) == tally.matches == 10


def test_prior_play_is_another_play_and_a_shorter_one():
    at_random, by_priors = (simulate("lifeboats", 600, play, processes=1).variants[0] for play in ("random", "prior"))
    assert by_priors.length()[1] < at_random.length()[0]


def test_tallies_against_the_same_counted_by_hand():
    points = np.array([[3, 5, 5], [2, 9, 1], [4, 4, 4]])
    places = np.array([[3, 1, 1], [2, 1, 3], [1, 1, 1]])
    verb = GAME.actions.verbs[0]
    tally = Counts.of(GAME, points, places, np.array([10, 12, 10]), np.array([0, 0, len(GAME.actions) - 1]))
    assert (tally.points, tally.places) == ((9, 18, 10), ((1, 1, 1), (3, 0, 0), (2, 0, 1)))
    assert [3 * tally.wins(seat) for seat in range(3)] == pytest.approx([1 / 3, 1 / 2 + 1 + 1 / 3, 1 / 2 + 1 / 3])
    assert tally.shared_wins() == pytest.approx(2 / 3)
    assert tally.lengths == {10: 2, 12: 1}
    assert tally.ends == {verb.name: 2, GAME.actions.verb(len(GAME.actions) - 1).name: 1}
    assert tally.mean_points(1) == pytest.approx((6, np.std([5, 9, 4], ddof=1)))
    assert [tally.quantile(part) for part in (0.05, 0.5, 0.95)] == [10, 10, 12]


def test_the_seed_decides_whatever_the_engine_and_its_workers(tmp_path: Path):
    vary = partial(simulate, "lifeboats", 1000, "prior", vary="moves=2,4", **SHORT)
    here = vary(seed=4, on="process")
    assert figures(vary(seed=4, on="pool", processes=3)) == figures(here)
    assert [one.value for one in here.variants] == ["2", "4"]
    assert here.variants[0].options == {**here.variants[1].options, "moves": "2"}
    assert figures(vary(seed=5, on="process")) != figures(here)


def test_the_stopping_point_does_not_depend_on_the_order_of_workers():
    here = simulate("lifeboats", until=0.05, on="process", **SHORT)
    assert figures(simulate("lifeboats", until=0.05, on="pool", processes=2, **SHORT)) == figures(here)
    found = here.variants[0]
    assert found.half_width <= 0.05
    assert found.counts.matches % 150 == 0
    before = simulate("lifeboats", found.counts.matches - 150, until=0.05, on="process", **SHORT).variants[0]
    assert before.half_width > 0.05, "it stopped as soon as it could"


def test_a_simulation_is_taken_up_and_goes_on_to_more_matches(tmp_path: Path):
    path, seen = tmp_path / "results.jsonl", []
    simulate("lifeboats", 400, results=path, on="process", **SHORT)
    path.write_bytes(path.read_bytes()[:-30])
    more = simulate("lifeboats", 700, results=path, on="process", progress=lambda *now: seen.append(now), **SHORT)
    assert figures(more) == figures(simulate("lifeboats", 700, on="process", **SHORT))
    assert seen[0] == (150, 700)
    assert path.read_bytes().count(b'"chunk":') == 1 + 2 + 3, "the head, two that were whole, three that were not"
    for other in ({"seed": 1}, {"play": "prior"}, {"options": {"players": 4}}, {"chunk": 100}, {"vary": "moves"}):
        with pytest.raises(BadResults, match="belongs to another run: expected"):
            simulate("lifeboats", 400, results=path, on="process", **{**SHORT, **other})


def test_progress_knows_what_is_left():
    seen = []
    simulate("lifeboats", 400, on="process", progress=lambda *now: seen.append(now), **SHORT)
    assert seen == [(150, 400), (300, 400), (400, 400)]
    seen.clear()
    simulate("lifeboats", until=0.04, on="process", progress=lambda *now: seen.append(now), **SHORT)
    played, expected = zip(*seen, strict=True)
    assert played[-1] == expected[-1]
    assert expected[0] > played[0]
    assert abs(expected[1] / expected[-1] - 1) < 0.5, "what is left is guessed from how narrow the interval is"


BAD: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "play": ({"play": "clever"}, BadSimulation, "play 'clever': expected random or prior"),
    "matches": ({"matches": 0}, BadSimulation, "0 matches: expected at least 1"),
    "until": ({"until": 0.5}, BadSimulation, "expected more than 0 % and less than 50 %"),
    "option": ({"vary": "weather"}, BadSimulation, "vary 'weather': expected one of players, "),
    "value": ({"vary": "moves=2,many"}, BadOption, "option moves: expected"),
    "options": ({"options": {"weather": "fog"}}, BadOption, "'weather': expected"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_simulations_are_refused(case):
    given, refusal, said = BAD[case]
    with pytest.raises(refusal, match=said):
        simulate("lifeboats", **given)


def test_the_anytime_interval_is_where_the_mixed_likelihood_ratio_stays_below_twenty():
    """Against a numerical integral over all shares."""
    share, trials = 0.3, 40
    grid = (np.arange(200_000) + 0.5) / 200_000
    mixed = np.mean(np.exp(share * trials * np.log(grid) + (1 - share) * trials * np.log1p(-grid)))
    for edge in anytime_share(share, trials):
        under = edge ** (share * trials) * (1 - edge) ** ((1 - share) * trials)
        assert mixed / under == pytest.approx(20, rel=1e-4)


@pytest.mark.parametrize("trials", [1, 10, 1000])
def test_a_share_of_nothing_or_all_has_an_end_of_its_own(trials):
    low, high = anytime_share(0.0, trials)
    assert low == 0 < high < 1
    assert anytime_share(1.0, trials) == pytest.approx((1 - high, 1))


def looks(most):
    return np.unique(np.geomspace(10, most, 30).astype(int)).tolist()


RUNS, MOST = 100, 3000


@pytest.mark.parametrize(("share", "halves"), [(0.25, 0.0), (0.3, 0.5), (0.02, 0.0)])
def test_an_interval_that_is_looked_at_all_the_time_misses_as_seldom_as_it_says(share, halves):
    """Wins with the chance `share`, some of them halves; the interval is read thirty times in each run."""
    rng = np.random.default_rng(8)
    won = rng.random((RUNS, MOST)) < share
    seen = np.where(won & (rng.random((RUNS, MOST)) < halves), 0.5, won).cumsum(axis=1)
    true = share * (1 - halves / 2)

    def missing(interval):
        missed = 0
        for run in seen:
            between = (interval(run[n - 1] / n, n) for n in looks(MOST))
            missed += any(not low <= true <= high for low, high in between)
        return missed / RUNS

    assert missing(anytime_share) <= 0.05
    if not halves:
        assert missing(wilson_interval) > 0.15, "what it is for: 5 % at each look are far more at all of them"


def test_an_interval_of_a_mean_that_is_looked_at_all_the_time_misses_as_seldom_as_it_says():
    rng, missed = np.random.default_rng(10), 0
    for _ in range(RUNS):
        points = rng.exponential(3, MOST)
        sums, squares = points.cumsum(), (points**2).cumsum()
        for n in looks(MOST)[10:]:
            mean = sums[n - 1] / n
            low, high = anytime_mean(mean, math.sqrt(squares[n - 1] / n - mean**2), n)
            if not low <= 3 <= high:
                missed += 1
                break
    assert missed / RUNS <= 0.05


def run(*given, **settings):
    arguments = ["simulate", "lifeboats", *given, "--on", "process"]
    return CliRunner().invoke(main, arguments, catch_exceptions=False, **settings)


def test_the_command_prints_tables_or_a_document():
    given = ["--players", "3", "--matches", "300", "--vary", "moves=2,3"]
    shown = run(*given)
    assert (shown.exit_code, "lifeboats, random play, seed 0" in shown.output) == (0, True), shown.output
    assert "95 % intervals: Wilson's for wins" in " ".join(shown.output.split())
    written = json.loads(run(*given, "--json").stdout)
    assert [one["options"]["moves"] for one in written["variants"]] == ["2", "3"]
    one = written["variants"][0]
    assert one["matches"] == 300
    assert sum(seat["wins"] for seat in one["seats"]) == pytest.approx(1)
    for seat in one["seats"]:
        assert seat["wins_95"][0] < seat["wins"] < seat["wins_95"][1]
        assert seat["points_95"][0] < seat["points"] < seat["points_95"][1]
        assert sum(seat["places"]) == 300
    assert one["length"]["least"] < one["length"]["median"] < one["length"]["most"]
    assert sum(one["ends"].values()) == pytest.approx(1)


def test_the_command_stops_when_enough_is_known():
    assert json.loads(run("--until", "2%", "--json").stdout)["variants"][0]["half_width"] <= 0.02
    assert "95 % intervals, valid at any time" in " ".join(run("--until", "2%").output.split())


def test_on_a_terminal_a_bar_shows_progress_and_remaining_time():
    shown = run("--matches", "40000", env={"FORCE_COLOR": "1", "COLUMNS": "100"})
    assert re.search(r"matches.*20000/40000.*left.*0:0", shown.stderr)
    assert "left" not in shown.stdout


def test_one_option_is_varied_at_a_time():
    done = run("--vary", "moves", "--vary", "seats")
    assert (done.exit_code, "expected one option, found moves and seats" in done.output) == (2, True), done.output


@pytest.mark.parametrize(("freedom", "published"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (30, 2.042)])
def test_student_against_published_values(freedom, published):
    assert student_quantile(freedom) == pytest.approx(published, abs=5e-3)


def test_a_single_match_says_nothing_of_means():
    (one,) = json_document(simulate("lifeboats", 1, options={"players": 3}))["variants"]
    assert [seat["points_95"] for seat in one["seats"]] == [(None, None)] * 3
    assert one["length"]["mean_95"] == (None, None)
    low, high = one["seats"][0]["wins_95"]
    assert high - low > 0.5
