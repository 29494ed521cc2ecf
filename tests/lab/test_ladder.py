"""Ladders: known odds give the right ratings, all bots are compared, bots from outside climb too, refusals."""

import json
import os
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from tavola.bots.outside import player
from tavola.bots.outside.player import end_programs
from tavola.cli import main
from tavola.lab import BadEntry, Entry, ladder
from tavola.lab.ladder import LadderWork
from tavola.lab.ratings import rate, rate_with_intervals
from tavola.lab.results import BadResults
from tests.helpers import ROOT


def outcome(found):
    return [(str(rung.entry), rung.rating, rung.low, rung.high, rung.matches, rung.wins) for rung in found.rungs]


def test_ratings_are_those_of_the_odds():
    strength = np.array([1.0, 2.0, 10.0, 100.0])
    won = 1e6 * strength[:, None] / (strength[:, None] + strength[None, :]) * (1 - np.eye(4))
    ratings = rate(won)
    assert ratings.mean() == pytest.approx(0, abs=1e-6)
    assert np.diff(ratings) == pytest.approx(400 * np.log10(strength[1:] / strength[:-1]), abs=0.1)
    assert rate(np.stack([won, won]))[1] == pytest.approx(ratings)


def test_a_bot_that_always_wins_has_a_rating():
    ratings = rate(np.array([[0.0, 20.0], [0.0, 0.0]]))
    assert np.isfinite(ratings).all()
    assert 300 < ratings[0] - ratings[1] < 1500


def test_an_interval_of_few_deals_is_wide():
    """Twelve deals that one bot won have no spread of their own."""
    widths = []
    for deals in (1, 4, 12, 100):
        won = np.zeros((deals, 2, 2))
        won[:, 0, 1] = 2
        rating, low, high = rate_with_intervals(won, 3, 1)
        assert ((low < rating) & (rating < high)).all()
        widths.append(high[0] - low[0])
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 600
    assert widths[2] > 300


@pytest.mark.bulk
def test_intervals_of_95_per_cent_hold_about_as_often():
    strength, rng, missed = np.array([-0.8, -0.3, 1.1]), np.random.default_rng(1), 0
    for _ in range(20):
        won = np.zeros((12, 3, 3))
        for deal, _turn in product(range(12), range(3)):
            for better, worse in combinations(np.argsort(-(strength + rng.gumbel(size=3))), 2):
                won[deal, better, worse] += 1
        _, low, high = rate_with_intervals(won, 3, 1)
        true = strength * 400 / np.log(10)
        missed += int(((true < low) | (true > high)).sum())
    assert missed < 0.08 * 60


def test_a_ladder_is_json_and_reports_every_seat():
    arguments = ["ladder", "lifeboats", "greedy", "random", "--players", "3", "--matches", "6", "--on", "process"]
    document = json.loads(CliRunner().invoke(main, [*arguments, "--json"]).stdout)
    best, _ = document["bots"]
    assert best["bot"] == "greedy"
    assert best["rating_95"][1] - best["rating_95"][0] > 200
    assert [one["seat"] for one in document["by_seat"]] == [0, 1, 2]
    assert sum(one["matches"] for one in best["by_seat"]) == best["matches"]
    assert "seat" in CliRunner().invoke(main, arguments).output


def test_at_every_table_sit_others_and_all_equally_often():
    entries = tuple(Entry("search", iterations=number) for number in range(1, 6))
    work = LadderWork("lifeboats", entries, 3, {"players": "3"}, 200)
    tables = [work.company(deal) for deal in range(200)]
    assert all(len(set(table)) == 3 for table in tables)
    assert all(90 < sum(bot in table for table in tables) < 150 for bot in range(5))
    few = LadderWork("lifeboats", entries[:2], 3, {"players": "5"}, 1)
    assert sorted(few.company(0)) in ([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])


@pytest.mark.bulk
def test_the_better_stand_higher_and_the_seed_decides(tmp_path: Path):
    given: dict[str, Any] = {"seed": 2, "options": {"players": 3}, "on": "process"}
    bots, path, seen = ["random", "greedy", "search@10"], tmp_path / "ladder.jsonl", []
    found = ladder("lifeboats", bots, 30, **given)
    best, middle, last = found.rungs
    assert str(last.entry) == "random"
    assert last.high < middle.low <= middle.rating <= best.rating <= best.high
    assert [rung.matches for rung in found.rungs] == [30, 30, 30]
    assert sum(rung.wins for rung in found.rungs) == pytest.approx(1)
    ladder("lifeboats", bots, 6, results=path, **given)
    again = ladder("lifeboats", bots, 9, results=path, progress=lambda *now: seen.append(now), **given)
    assert (seen[-1], path.read_bytes().count(b"\n")) == ((3, 3), 4)
    assert outcome(again) == outcome(ladder("lifeboats", bots, 9, **given))
    with pytest.raises(BadResults, match="belongs to another run"):
        ladder("lifeboats", bots[:2], 3, results=path, **given)


@pytest.mark.process
def test_bots_from_outside_are_rated_in_processes_of_a_pool(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(Path(player.__file__).parents[3]), str(ROOT))))
    bots = ["random", "greedy", "python:tests.helpers.bots:Last"]
    given: dict[str, Any] = {"seed": 5, "options": {"players": 3}}
    try:
        here = ladder("lifeboats", bots, 9, on="process", **given)
        assert outcome(ladder("lifeboats", bots, 9, on="pool", processes=2, **given)) == outcome(here)
        arguments = ["lifeboats", *bots, "--players", "3", "--matches", "3", "--on", "process"]
        done = CliRunner().invoke(main, ["ladder", *arguments], env={"COLUMNS": "160"})
    finally:
        end_programs()
    rows = [line.split("│")[1:-1] for line in done.output.splitlines() if "python:" in line]
    assert len(rows) == 1, done.output
    assert rows[0][2].strip() == "3" or rows[0][3].strip() == "3"
    assert rows[0][-1].strip() == "0", "nothing was replaced"


@pytest.mark.parametrize("bots", [[], ["greedy"], ["greedy", "random", "greedy"]])
def test_fewer_than_two_bots_or_one_twice_are_refused(bots):
    with pytest.raises(BadEntry, match="expected two or more different bots"):
        ladder("lifeboats", bots, 3, on="process")
    with pytest.raises(BadEntry, match="expected at least 1"):
        ladder("lifeboats", ["greedy", "random"], 0, on="process")
