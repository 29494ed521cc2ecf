"""The compiler's cache: its three silent traps and their cures; kernels and streams."""

import os
import pickle
import runpy
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np
import pytest

import tavola
from tavola.cli.new_game import new_game
from tavola.contract.samples import draw_samples, random_options
from tavola.core import CHANCE, Game, compilation, kernels, random_below, stream
from tavola.core.compilation import cache_folder, compiled_sources, source_folder_of, sources_hash
from tavola.core.match import Match, perft
from tavola.core.matchfile import replay_history
from tavola.core.view import Buffers
from tavola.games._template import GAME, rules
from tests.helpers import ROOT, run_python


def test_two_games_with_equal_states_are_refused_before_they_share_compiled_code():
    other = Game.__new__(Game)
    declared = {"name": "twin", "title": "Twin", "version": 1, "rules": rules, "suspense": (), "races": {}}
    for key, value in declared.items():
        object.__setattr__(other, key, value)
    assert other.state.dtype == GAME.state.dtype
    with pytest.raises(TypeError, match="twin and template declare identical states"):
        other.__post_init__()


COMPILED = "from tavola.core import compiled\n\n@compiled\n"
PRICE = f"{COMPILED}def price(x):\n    return 2 * x\n"
CALLER = f"from price import price\n{COMPILED}def paid(x):\n    return price(x) + 1\n"


def run_in(folder: Path, code: str, *arguments: str, **more: str) -> str:
    """Return what `code` prints in a process that imports modules of a folder and caches there."""
    given = {"PYTHONPATH": f"{folder}:{ROOT}", "TAVOLA_CACHE": str(folder / "cache"), **more}
    return run_python(code, *arguments, **given)


@pytest.mark.process
def test_an_edited_callee_is_noticed_because_the_cache_is_named_by_the_hash_of_the_sources(tmp_path: Path):
    (tmp_path / "caller.py").write_text(CALLER)
    for price, paid in ((PRICE, "9"), (PRICE.replace("2 * x", "30 * x"), "121")):
        (tmp_path / "price.py").write_text(price)
        assert run_in(tmp_path, "from caller import paid; print(paid(4))") == paid


def test_editing_one_game_leaves_the_others_compiled(tmp_path: Path):
    one, two = (source_folder_of(new_game(name, tmp_path) / "rules.py") for name in ("one", "two"))
    assert (one, two) == (tmp_path / "one", tmp_path / "two")
    before = [sources_hash(compiled_sources(home)) for home in (one, two, None)]
    assert len(set(before)) == 3
    with (one / "rules.py").open("a") as file:
        file.write("# edited\n")
    after = [sources_hash(compiled_sources(home)) for home in (one, two, None)]
    assert [old == new for old, new in zip(before, after, strict=True)] == [False, True, True]
    (two / "words_edited.py").write_text("WORD = 1\n")
    (two / "faults.py").write_text("FAULT = 1\n")
    assert [sources_hash(compiled_sources(home)) for home in (one, two, None)] == after


def test_what_is_compiled_for_a_game_lies_in_its_folder_and_the_rest_in_the_common_one():
    lifeboats = tavola.load("lifeboats")
    for game in (GAME, lifeboats):
        kernels.to_act_at(game.states(1), 0)
    stream(1)
    folders = {cache_folder(GAME.source_folder), cache_folder(lifeboats.source_folder), cache_folder()}
    assert len(folders) == 3
    kept = [folder for folder in folders if list(folder.rglob("kernels.to_act_at-*.nbc"))]
    assert set(kept) == {cache_folder(GAME.source_folder), cache_folder(lifeboats.source_folder)}
    assert list(cache_folder().rglob("rng.seed_stream-*.nbc"))


@pytest.mark.parametrize("uncompiled", [False, True])
@pytest.mark.parametrize("file", ["words_price.py", "words/price.py", "test_a.py", "faults.py"])
def test_a_compiled_function_whose_edits_would_go_unnoticed_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file, uncompiled
):
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(PRICE)
    monkeypatch.setattr(compilation, "UNCOMPILED", uncompiled)
    with pytest.raises(TypeError, match="expected no compiled functions in files like words"):
        runpy.run_path(str(path))


@pytest.mark.parametrize("folder", ["web", "show", "games"])
def test_nothing_is_compiled_beside_the_core_the_bots_and_the_games(folder):
    with pytest.raises(TypeError, match="expected compiled functions only in core, bots, rl and the folders of games"):
        source_folder_of(compilation.PACKAGE / folder / "made.py")


def test_sources_hash_depends_on_contents_and_places(tmp_path: Path):
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("a = 1\n")
    two.write_text("a = 1\n")
    before = sources_hash([one])
    assert before == sources_hash([one]) != sources_hash([two])
    one.write_text("a = 2\n")
    assert sources_hash([one]) != before


def test_a_cache_without_a_name_is_the_users(tmp_path: Path):
    """In a process of its own: the folder is found once for each."""
    code = "from tavola.core.compilation import cache_folder; print(cache_folder().parent)"
    found = run_python(code, TAVOLA_CACHE="", XDG_CACHE_HOME=str(tmp_path))
    assert Path(found) == tmp_path / "tavola"


def test_what_was_compiled_long_ago_is_forgotten(tmp_path: Path):
    names = old, used, other = "0" * 20, "1" * 20, "matches"
    foreign = "2" * 20
    for name in names:
        (tmp_path / name / "rules").mkdir(parents=True)
        (tmp_path / name / "rules" / "apply.nbi").touch()
    (tmp_path / foreign).mkdir()
    (tmp_path / foreign / "letters.txt").write_text("not ours")
    for name in (old, other, foreign):
        os.utime(tmp_path / name, (time.time() - 40 * 24 * 3600,) * 2)
    compilation.forget_old(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [used, foreign, other]


PRICES = """
import json, sys
from price import price
print(*(price(json.loads(value)) for value in sys.argv[1:]), sum(price.stats.cache_hits.values()))
"""
SLOWLY = """
import pathlib, sys, time
import numba.core.caching as caching

save = caching.IndexDataCacheFile._save_index
def slowly(self, overloads):
    # Without the lock, both would have read the index and come here.
    pathlib.Path(f"{sys.argv[1]}.waiting").touch()
    until = time.monotonic() + 2
    while len(list(pathlib.Path().glob("*.waiting"))) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    save(self, overloads)
caching.IndexDataCacheFile._save_index = slowly
"""


@pytest.mark.process
def test_two_processes_that_compile_at_once_do_not_mix_their_code_up(tmp_path: Path):
    (tmp_path / "price.py").write_text(PRICE)
    code = f"import os; os.chdir({str(tmp_path)!r}){SLOWLY}{PRICES}"
    with ThreadPoolExecutor(2) as pool:
        first = list(pool.map(lambda value: run_in(tmp_path, code, value), ["3", "1.5"]))
    assert first == ["6 0", "3.0 0"]
    assert run_in(tmp_path, PRICES, "3", "1.5") == "6 3.0 2", "both are in the cache"


DRAWS = """
import numpy as np
from cards import Card
from tavola.core import legal_draws
found = legal_draws(np.ones(3, np.uint8), Card.FIRST, np.zeros(3, np.int32), np.zeros(3, np.int64))
print(found, sum(legal_draws.stats.cache_hits.values()))
"""


@pytest.mark.process
def test_a_removed_game_leaves_nothing_in_the_cache_of_the_core(tmp_path: Path):
    """What kernels of the core compile for its enumerations is in its own folder."""
    (tmp_path / "cards.py").write_text("from enum import IntEnum\nclass Card(IntEnum):\n    FIRST = 1\n")
    assert [run_in(tmp_path, DRAWS) for _ in range(2)] == ["3 0", "3 1"]
    (index,) = tmp_path.rglob("*.legal_draws-*.nbi")
    assert index.relative_to(tmp_path / "cache").parts[0] == sources_hash(compiled_sources(tmp_path))


@pytest.mark.process
def test_a_damaged_index_is_compiled_anew(tmp_path: Path):
    (tmp_path / "price.py").write_text(PRICE)
    assert run_in(tmp_path, PRICES, "3") == "6 0"
    (index,) = tmp_path.rglob("price.*.nbi")
    for damage in (b"", b"c", b"cgone\nCard\n."):
        index.write_bytes(pickle.dumps(numba.__version__) + damage)
        assert [run_in(tmp_path, PRICES, "3") for _ in range(2)] == ["6 0", "6 1"]


def batch(seed: int, first: int, count: int) -> bytes:
    scratch, options = Buffers(GAME), GAME.options.array({})
    points, places = (np.zeros((count, int(options[0])), np.int64) for _ in range(2))
    lengths = np.zeros(count, np.int64)
    kernels.play_batch(GAME.states(2), options, seed, first, points, places, lengths, scratch.actions, scratch.weights)
    return np.column_stack((points, places, lengths)).tobytes()


def test_a_match_of_a_batch_can_be_played_by_itself():
    for number in (0, 17, 239):
        row = np.frombuffer(batch(1, number, 1), np.int64)
        match, rng = Match(GAME, {}), stream(1, number)
        while not match.over:
            seat, scratch = match.to_act[0], Buffers(GAME)
            states = np.frombuffer(bytearray(match.state_bytes()), GAME.state.dtype)
            states = compilation.as_records(states) if compilation.UNCOMPILED else states
            count = kernels.legal_at(states, 0, seat, scratch.actions, scratch.weights)
            place = kernels.weighted_index(rng, scratch.weights, count) if seat == CHANCE else random_below(rng, count)
            match.play(int(scratch.actions[place]), seat)
        assert (*match.result().points, *match.result().ranks, len(match.history)) == tuple(row)


SUMMED = """
import numpy as np
from tavola.core import compiled, Record, each, layout, number
from tavola.core.compilation import UNCOMPILED, as_records


class Purse(Record):
    coins: int = number(0, 9)
    piles: tuple[int, ...] = each(2, number(0, 99))


class Sums(Record):
    purse: tuple[Purse, ...] = each(2, Purse)


@compiled
def worth(s):
    p = s.purse[1]
    total = p.coins * 25 + p.piles[0] * p.piles[1]
    for pile in p.piles:
        total += 3 * pile
    p.piles[0] += 1
    return total


states = np.zeros(1, layout(Sums).dtype)
states["purse"]["coins"][0, 1] = 6
states["purse"]["piles"][0, 1] = 90, 99
states = as_records(states) if UNCOMPILED else states
print(worth(states[0]), states["purse"]["piles"].tolist())
"""


@pytest.mark.process
@pytest.mark.parametrize("uncompiled", ["0", "1"])
def test_sums_of_small_fields_are_as_wide_uncompiled_as_compiled(uncompiled, tmp_path: Path):
    """Six in a field of one byte times 25 is 150, and no warning reports the overflow."""
    (tmp_path / "sums.py").write_text(SUMMED, encoding="utf-8")
    told = run_in(tmp_path, "import sums", PYTHONWARNINGS="error", NUMBA_DISABLE_JIT=uncompiled)
    assert told == f"{150 + 90 * 99 + 3 * (90 + 99)} [[[0, 0], [91, 99]]]"


def ways(match: Match, depth: int) -> int:
    """Count by perft: play and undo."""
    if depth == 0 or match.over:
        return int(depth == 0)
    total = 0
    for number in match.legal_numbers(match.to_act[0]):
        match.play(number, match.to_act[0])
        total += ways(match, depth - 1)
        match.undo()
    return total


@pytest.mark.parametrize("played", [0, 5, 11])
def test_perft_counts_what_playing_and_taking_back_counts(played):
    match = list(draw_samples(GAME, 3, played))[played].match
    match = Match(GAME, GAME.options.to_words(match.options))
    for _ in range(played):
        match.play(match.legal_numbers(match.to_act[0])[0], match.to_act[0])
    states = replay_history(GAME, match.options, match.history)
    assert [perft(GAME, states, depth) for depth in (0, 1, 2)] == [ways(match, depth) for depth in (0, 1, 2)]


def signature(seed: int, first: int, count: int, **options: object) -> int:
    scratch = Buffers(GAME)
    array = GAME.options.array(options)
    return int(kernels.signature(GAME.states(2), array, seed, first, count, scratch.actions, scratch.weights))


def test_a_signature_adds_up_over_matches_and_moves_with_seed_and_options():
    assert (signature(1, 0, 60) + signature(1, 60, 40)) % 2147483647 == signature(1, 0, 100)
    different = {signature(1, 0, 100), signature(2, 0, 100), signature(1, 0, 100, players=3), signature(1, 1, 100)}
    assert len(different) == 4


def test_streams_depend_only_on_seed_and_number():
    draws = {
        (seed, number): tuple(random_below(rng, 1000) for _ in range(4))
        for seed in range(-2, 3)
        for number in range(5)
        for rng in [stream(seed, number)]
    }
    assert len(set(draws.values())) == len(draws)
    assert tuple(random_below(rng, 1000) for rng in [stream(1, 3)] for _ in range(4)) == draws[1, 3]


@pytest.mark.parametrize("n", [2, 3, 7, 60, 1000])
def test_draws_are_uniform_within_a_stream_and_across_streams(n):
    samples = 200 * n if n < 100 else 40 * n
    one = stream(5)
    for counts in (
        np.bincount([random_below(one, n) for _ in range(samples)], minlength=n),
        np.bincount([random_below(stream(9, number), n) for number in range(samples)], minlength=n),
    ):
        expected = samples / n
        chi = float(((counts - expected) ** 2 / expected).sum())
        # Five standard deviations of a chi-square of n - 1 degrees; the seeds are fixed, so this cannot flicker.
        assert abs(chi - (n - 1)) < 5 * (2 * (n - 1)) ** 0.5


def test_draws_are_not_biased_where_a_remainder_would_show():
    n = 3 * 2**29
    rng = stream(11)
    low = sum(random_below(rng, n) < n // 2 for _ in range(20_000))
    assert abs(low - 10_000) < 5 * (20_000 / 4) ** 0.5


def test_neighbouring_streams_do_not_follow_each_other():
    draws = [float(random_below(stream(1, k), 2**20)) for k in range(4001)]
    assert abs(np.corrcoef(draws[:-1], draws[1:])[0, 1]) < 5 / 4000**0.5


def test_chance_is_drawn_by_weight():
    rng, weights = stream(3), np.array([3, 2, 1])
    counts = np.bincount([kernels.weighted_index(rng, weights, 3) for _ in range(6000)], minlength=3)
    expected = np.array([3000, 2000, 1000])
    assert (abs(counts - expected) < 5 * expected**0.5).all()


def test_some_options_try_every_value():
    drawn = [random_options(GAME, stream(1, number)) for number in range(200)]
    assert {o["players"] for o in drawn} == {2, 3, 4}
    assert {o.get("low_wins", "default") for o in drawn} == {"default", "off", "on"}
