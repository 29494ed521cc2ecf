import json
import re
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from tavola.bots import bot
from tavola.bots.levels import BadBot
from tavola.cli import main
from tavola.cli.parameters import parse_entry
from tavola.core import BadOption, Match, UnknownGame
from tavola.lab import BadEntry, Entry, arena, matches
from tavola.lab.intervals import wilson_interval
from tavola.lab.matches import play_deals
from tavola.lab.results import BadResults
from tests.helpers.bots import Many
from tests.lab.test_outside import shown

pytestmark = pytest.mark.bulk


def outcome(report):
    return [(str(s.entry), s.seats, s.wins, s.wins_low, s.wins_high, s.rank, s.decisions) for s in report.standings]


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("random", Entry("random")),
        ("search", Entry("search")),
        ("search@50ms", Entry("search", milliseconds=50)),
        ("search@1000", Entry("search", iterations=1000)),
    ],
)
def test_an_entry_is_read_behind_either_sign_and_written(text, entry):
    assert Entry.parse(text) == Entry.parse(text.replace("@", ":")) == parse_entry(text.replace("@", ":")) == entry
    assert str(entry) == text


@pytest.mark.parametrize(
    ("kind", "said", "texts"),
    [
        (BadEntry, "expected a level, level:50ms or level:1000", " |Search|search@|search@ms|search@50s|search@-1|a b"),
        (BadBot, "expected", "genius|greedy@50ms|search@0"),
    ],
)
def test_bad_entries_are_refused(kind, said, texts):
    for text in texts.split("|"):
        with pytest.raises(kind, match=said):
            Entry.parse(text)


@pytest.mark.parametrize(
    ("game", "bots", "given", "kind", "said"),
    [
        ("ludo", 3, {}, UnknownGame, "unknown game"),
        ("lifeboats", 2, {}, BadOption, "option players"),
        ("lifeboats", 3, {"options": {"players": 4}}, BadOption, "expected 3, one for each entry, found 4"),
        ("lifeboats", 3, {"options": {"weather": "fog"}}, BadOption, "weather"),
        ("lifeboats", 3, {"matches": 0}, BadEntry, "expected at least 1"),
    ],
)
def test_bad_arenas_are_refused(game, bots, given, kind, said):
    with pytest.raises(kind, match=said):
        arena(game, ["random"] * bots, **{"matches": 1, **given})


def test_every_entry_plays_a_deal_from_every_seat():
    played = play_deals("lifeboats", [Entry("random"), Entry("greedy"), Entry("random")], 3, {"players": "3"}, [0])
    assert [one.entries for one in played] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    for one in played:
        assert sum(one.wins) == pytest.approx(1)
        assert all((win > 0) == (place == 1) for win, place in zip(one.wins, one.places, strict=True))
        assert min(one.decisions) > 10


def test_a_deal_is_the_same_for_every_seating(monkeypatch: pytest.MonkeyPatch):
    starters = []

    def spied(*arguments):
        match = Match(*arguments)
        starters.append(match.view().table.starter)
        return match

    monkeypatch.setattr(matches, "Match", spied)
    for deal in range(6):
        play_deals("lifeboats", [Entry("random")] * 4, 11, {"players": "4"}, [deal])
    fours = [starters[k : k + 4] for k in range(0, 24, 4)]
    assert all(len(set(four)) == 1 for four in fours)
    assert len({four[0] for four in fours}) > 1


def test_in_a_ballot_bots_are_asked_before_any_vote_is_played(monkeypatch: pytest.MonkeyPatch):
    seen = []

    class Spy:
        def choose(self, view):
            seen.append(view.table.voted)
            return bot("random").choose(view)

    monkeypatch.setattr(Entry, "bot", lambda self, seed: Spy())
    play_deals("lifeboats", [Entry("random")] * 3, 1, {"players": "3"}, [0])
    assert len(seen) > 100
    assert set(seen) == {0}


def test_the_seed_decides_whatever_the_engine_and_its_workers():
    entries = ["search@12", "greedy", "random"]
    here, three = (arena("lifeboats", entries, 6, seed=4, processes=count) for count in (1, 3))
    assert outcome(here) == outcome(three)
    assert outcome(arena("lifeboats", entries, 6, seed=5, on="process")) != outcome(here)
    assert (here.matches, here.options["players"]) == (6, "3")


def test_an_arena_is_taken_up_where_it_was_left_and_goes_on_to_more_matches(tmp_path: Path):
    entries, path, seen = ["search@12", "greedy", "random"], tmp_path / "results.jsonl", []
    arena("lifeboats", entries, 6, seed=4, on="process", results=path)
    path.write_bytes(path.read_bytes()[:-40])
    more = arena("lifeboats", entries, 12, 4, on="process", results=path, progress=lambda *now: seen.append(now))
    assert outcome(more) == outcome(arena("lifeboats", entries, 12, seed=4, on="process"))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert path.read_bytes().count(b"\n") == 5
    for seed, bots in ((5, entries), (4, ["search@13", *entries[1:]]), (4, ["search@12", "greedy", "greedy"])):
        with pytest.raises(BadResults, match="belongs to another run: expected"):
            arena("lifeboats", bots, 6, seed=seed, on="process", results=path)


def test_deals_of_bots_that_do_not_search_are_played_many_at_a_time(tmp_path: Path):
    path = tmp_path / "results.jsonl"
    play = partial(arena, "lifeboats", ["greedy", "random", "random"], on="process")
    assert play(153, results=path).matches == 153
    more = play(156, results=path)
    assert path.read_bytes().count(b"\n") == 1 + 2 + 1, "a chunk that was not whole is played again"
    assert outcome(more) == outcome(play(156))


def test_greedy_beats_random():
    greedy, random = arena("lifeboats", ["greedy", "random", "random", "random"], 40, seed=2, processes=1).standings
    assert (greedy.seats, random.seats) == (1, 3)
    assert greedy.wins_low > 0.5
    assert greedy.wins + 3 * random.wins == pytest.approx(1)
    assert greedy.rank < 1.5 < 2.5 < random.rank
    assert greedy.rank_low < greedy.rank < greedy.rank_high
    assert greedy.decisions_per_second > 0


def test_search_beats_greedy():
    assert arena("lifeboats", ["search@80", *["greedy"] * 3], 16, seed=6, processes=1).standings[0].wins_low > 0.25


MOST, AT_ONCE = 300, 12
"""Matches of a sequential test, and of one step of it: every deal is played from each seat."""
LEVELS = [
    ("expedition", 3, "greedy", "random"),
    ("tournament", 4, "greedy", "random"),
    pytest.param("expedition", 3, "search@200", "greedy", marks=pytest.mark.soak),
    pytest.param("tournament", 4, "search@400", "greedy", marks=pytest.mark.soak),
    pytest.param("fairies", 2, "search@120", "greedy", marks=pytest.mark.soak),
    pytest.param("fairies", 3, "greedy", "random", marks=pytest.mark.soak),
]


@pytest.mark.parametrize(("game", "players", "one", "other"), LEVELS)
def test_each_level_beats_the_one_below(game, players, one, other):
    """By a sequential test: its interval is clear of an equal share. `search` counts iterations."""
    assert interval_of_wins(game, [one, *[other] * (players - 1)])[0] > 1 / players


def interval_of_wins(game, entries):
    """Return the interval of the first entry's wins, as soon as it is clear of an equal share or after `MOST`."""
    played, wins, interval = 0, 0.0, (0.0, 1.0)
    while interval[0] <= 1 / len(entries) <= interval[1] and played < MOST:
        report = arena(game, entries, AT_ONCE, seed=2026 + played, processes=1)
        played += report.matches
        wins += report.standings[0].wins * report.matches
        interval = wilson_interval(wins / played, played)
    return interval


class Aloof(Entry):
    """A greedy bot that never trades."""

    def bot(self, seed):
        greedy = bot("greedy", seed)

        def choose(view):
            return view.game.actions.number("done") if view.open else greedy.choose(view)

        return SimpleNamespace(choose=choose)


def test_barter_is_worth_more_than_none():
    assert interval_of_wins("tournament", [Aloof("greedy"), *["greedy"] * 3])[1] < 1 / 4


def test_equal_bots_have_intervals_and_every_seat_is_reported():
    report = arena("lifeboats", ["greedy"] * 3, 30, seed=2, on="process")
    (equals,) = report.standings
    assert equals.wins == pytest.approx(1 / 3)
    assert equals.wins_high - equals.wins_low > 0.2
    assert equals.rank_low < equals.rank < equals.rank_high
    assert [seat.seat for seat in report.seats] == [0, 1, 2]
    assert sum(seat.wins for seat in report.seats) == pytest.approx(1)
    assert all(seat.wins_low < seat.wins < seat.wins_high for seat in report.seats)
    greedy, random = arena("lifeboats", ["greedy", "random", "random"], 6, seed=2, on="process").standings
    assert [[seat.matches for seat in one.by_seat] for one in (greedy, random)] == [[2, 2, 2], [4, 4, 4]]
    assert greedy.rank_high - greedy.rank_low > 0.2, "few matches, all alike, are little evidence"


MANY = "batch:tests.helpers.bots:Many"


def test_bots_that_answer_many_views_at_once_play_the_same_with_few_calls():
    Many.asked.clear()
    together = arena("lifeboats", [MANY, "random", "random"], 60, seed=2, on="process")
    alone = play_deals("lifeboats", [Entry.parse(MANY), *[Entry("random")] * 2], 2, {"players": "3"}, [0, 19])
    places = [one.places[one.entries.index(0)] for one in alone]
    again = arena("lifeboats", [MANY, "random", "random"], 60, seed=2, on="process", processes=1)
    assert (outcome(again), len(places)) == (outcome(together), 6)
    assert max(Many.asked) > 30
    assert str(Entry.parse(MANY)) == MANY


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("batch:tests.helpers.bots:Last", "expected a class with methods choose"),
        ("batch:tests.helpers.nothing:Last", "expected batch:module:Class"),
        ("batch:nothing", "expected batch:module:Class"),
        ("batch:tests.helpers.bots:Wrong", "expected one of .* found -1"),
    ],
)
def test_bots_for_many_that_cannot_play_are_refused(bot, said):
    with pytest.raises(BadEntry, match=said):
        arena("lifeboats", [bot, "random", "random"], 3, on="process")


def test_names_are_whole_on_any_terminal_and_figures_are_json():
    arguments = ["arena", "lifeboats", MANY, "random", "random", "--matches", "3", "--on", "process"]
    done = CliRunner().invoke(main, arguments, env={"COLUMNS": "80"})
    assert done.output.count(MANY) == 1, done.output
    assert done.output.count("seat 2") == 3, "each of the two, and all bots"
    document = json.loads(CliRunner().invoke(main, [*arguments, "--json"]).stdout)
    assert [one["entry"] for one in document["standings"]] == [MANY, "random"]
    assert [one["seat"] for one in document["by_seat"]] == [0, 1, 2]
    low, high = document["standings"][0]["wins_95"]
    assert low < document["standings"][0]["wins"] < high or document["standings"][0]["wins"] in (low, high)


@pytest.mark.parametrize(
    ("share", "trials", "low", "high"),
    [(0.5, 10, 0.2366, 0.7634), (0.0, 10, 0.0, 0.2775), (1.0, 10, 0.7225, 1.0), (0.25, 400, 0.2101, 0.2947)],
)
def test_wilson_against_published_values(share, trials, low, high):
    assert wilson_interval(share, trials) == pytest.approx((low, high), abs=5e-4)


def test_the_table_shows_every_entry():
    report = arena("lifeboats", ["greedy", "random", "random"], 6, seed=2, processes=1)
    text = shown(report)
    assert re.search(rf"greedy +│ +1 │ +{report.standings[0].wins:.1%}", text)
    assert "lifeboats, recommended rules: 6 matches, seed 2" in text
    assert "Wilson" in text
