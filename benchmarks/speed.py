"""Speed of the rules, matches, search, engines and the first start, compared with OpenSpiel.

    python benchmarks/speed.py                       everything, seven rounds
    python benchmarks/speed.py playouts api          some parts: playouts, api, search, engines, start
    python benchmarks/speed.py engines --rounds 3 --seconds 1

Rates are per CPU second of this process. Those of engines are by wall time, once all workers have finished a chunk. If
other programs use the cores, wall time says little about an engine; so workers also measure the CPU time of a chunk,
and the share of their time that they spend on chunks. Rows of OpenSpiel are left out if it is missing: pip install -e
".[bench]".
"""

import argparse
import importlib.util
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count, islice, pairwise
from typing import Any, NamedTuple

import numpy as np
from measure import ROUNDS, SPREAD, Contender, rates, ratio, readable, run_parts, spread

import tavola
from tavola.bots.lookahead import Workspace, new_workspace, run_iterations, run_playouts, sample_redeals
from tavola.bots.tree import clear
from tavola.core import kernels
from tavola.core.match import Match
from tavola.core.rng import stream
from tavola.lab.engines import InProcessEngine, PoolEngine
from tavola.lab.simulation import SimulationWork, count_matches
from tavola.lab.work import Engine

GOOD = """playouts at least twice as fast as OpenSpiel's; `match.play` as fast as its state from Python; a search that \
keeps 0.9 of the speed of bare playouts; on free cores, a pool of two 1.9 times as fast as one process, and Ray as \
fast as the pool; a warm start within 1.5 s."""
HAS_PEER = importlib.util.find_spec("pyspiel") is not None
PEER = "OpenSpiel"

MATCHES = 3000
TABLES = [("lifeboats", players, "") for players in range(3, 7)]
TABLES += [("voyage", 5, layout) for layout in ("chart", "random")]
TABLES += [("expedition", players, "") for players in (3, 4)]
TABLES += [("fairies", players, "") for players in (2, 3, 4)]
TABLES += [("tournament", players, "") for players in (3, 4, 5, 6)]
ACTIONS = 4000
NUMBER = 3000
BALLOT = 60
"""Actions before the searched positions: about the fifth round of four players."""
ROLLOUTS, LENGTHS = 2000, 3000
CHUNKS = 8
"""Number of chunks over which the rate of an engine is measured."""
WARM_ROUNDS = 9
FIRST = "import tavola; print(len(Match(tavola.load('lifeboats'), seed=7).legal_codes()))"
BOT = """
import tavola
from tavola.bots import bot
match = Match(tavola.load("lifeboats"), seed=7)
print(bot("search", 1, iterations=10).choose(match.view(match.to_act[0])))
"""
Row = list[str]


# OpenSpiel, the peer


def root_of(name: str) -> tuple[Any, Any]:
    """Return a game and its state after chance's opening moves, drawn with a fixed seed."""
    import pyspiel

    game, draws = pyspiel.load_game(name), random.Random(1)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(draw_outcome(state, draws))
    return game, state


def draw_outcome(state: Any, draws: random.Random) -> int:
    """Return an outcome of chance, drawn by its probability."""
    outcomes = state.chance_outcomes()
    return int(draws.choices([outcome for outcome, _ in outcomes], [chance for _, chance in outcomes])[0])


def mean_length(state: Any) -> float:
    """Return the mean number of actions, including chance's, of a random playout of `state`."""
    draws, steps = random.Random(2), 0
    for _ in range(LENGTHS):
        played = state.clone()
        while not played.is_terminal():
            chance = played.is_chance_node()
            played.apply_action(draw_outcome(played, draws) if chance else draws.choice(played.legal_actions()))
            steps += 1
    return steps / LENGTHS


def rollouts(game: Any, state: Any) -> Contender:
    """Return work: rollouts of `state` in C++.

    A tree search of one simulation only evaluates its root with `RandomRolloutEvaluator`, which plays `ROLLOUTS`
    matches to their end by uniform legal actions.
    """
    import pyspiel

    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(ROLLOUTS, 3), 2.0, 1, 100, False, 4, False)

    def work() -> int:
        assert bot.mcts_search(state).explore_count == 1, "expected one simulation, only of the root"
        return ROLLOUTS

    return work


# Playouts, and actions through Python


def random_matches(name: str, players: int, layout: str) -> Contender:
    """Return work: random matches by the printed rules; its amount is their actions, including chance's."""
    game = tavola.load(name)
    options = game.options.array({"players": players, **({"layout": layout} if layout else {})}, "letter")
    states = game.states(2)
    points, places = (np.zeros((MATCHES, players), np.int64) for _ in range(2))
    lengths = np.zeros(MATCHES, np.int64)
    actions, weights = np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions), np.int64)

    def work() -> int:
        kernels.play_batch(states, options, 1, 0, points, places, lengths, actions, weights)
        return int(lengths.sum())

    return work


def measure_playouts(asked: argparse.Namespace) -> Iterator[Row]:
    """Measure random playouts on one core, beside OpenSpiel's C++ loop on its own game of secret roles."""
    contenders = {
        f"{name}, {players} players" + (f", layout {layout}" if layout else ""): random_matches(name, players, layout)
        for name, players, layout in TABLES
    }
    if HAS_PEER:
        game, state = root_of("social_deduction")
        length, work = mean_length(state), rollouts(game, state)
        contenders[PEER] = lambda: round(work() * length)
    found = rates(contenders, asked.rounds)
    yield from rows_of(found, "actions/s")
    if HAS_PEER:
        yield from (ratio(found, name, PEER) for name in found if name != PEER)


def tavola_match(*, views: bool) -> int:
    """Play actions of seats with `match.play` and seeded chance; with `views`, each action is chosen from a view."""
    draws, game, played = random.Random(1), tavola.load("lifeboats"), 0
    while played < ACTIONS:
        match = Match(game, players=4, seed=played)
        while match.to_act:
            seat = match.to_act[0]
            match.play(draws.choice(match.view(seat).legal if views else match.legal_numbers(seat)), seat)
            played += 1
    return played


def openspiel_match() -> int:
    """Play actions with `state.apply_action`, after `state.legal_actions`; draw chance by `chance_outcomes`."""
    draws, played = random.Random(1), 0
    while played < ACTIONS:
        _, state = root_of("social_deduction")
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(draw_outcome(state, draws))
            else:
                state.apply_action_with_legality_check(draws.choice(state.legal_actions()))
                played += 1
    return played


def measure_api(asked: argparse.Namespace) -> Iterator[Row]:
    """Measure a match from Python, action by action, with legality checks and positions kept for undo."""
    ours, peer = "match.play", f"{PEER} from Python, social_deduction"
    contenders: dict[str, Contender] = {
        ours: partial(tavola_match, views=False),
        "match.play, from views": partial(tavola_match, views=True),
    }
    if HAS_PEER:
        contenders[peer] = openspiel_match
    found = rates(contenders, asked.rounds)
    yield from rows_of(found, "actions/s")
    if HAS_PEER:
        yield ratio(found, ours, peer)


# Search


def position(voted: int) -> tuple[Workspace, int]:
    """Return a workspace with a view of a ballot in Lifeboats after `voted` seats have voted, and the view's seat."""
    match, draws = Match(tavola.load("lifeboats"), players=4, seed=7), random.Random(1)
    while len(match.history) < BALLOT or len(match.to_act) != 4:
        match.play(draws.choice(match.legal_numbers(match.to_act[0])), match.to_act[0])
    for _ in range(voted):
        match.play(match.legal_codes(match.to_act[0])[0], match.to_act[0])
    desk, seat = new_workspace(match.game), match.to_act[0]
    desk.state[:] = match.view(seat).states
    sample_redeals(desk, seat, 1, stream(1))
    return desk, seat


def searching(desk: Workspace, seat: int) -> Contender:
    """Return work: iterations of a new search."""
    view, rng = desk.pool[:1].copy(), stream(2)

    def work() -> int:
        clear(desk.tree)
        desk.bounds[0].fill(np.inf)
        desk.bounds[1].fill(-np.inf)
        desk.state[:] = view
        sample_redeals(desk, seat, 1, rng)
        run_iterations(desk, seat, 1, NUMBER, rng)
        return NUMBER

    return work


def prior_playouts(desk: Workspace) -> Contender:
    """Return work: playouts of the same position by priors, without a tree."""
    rng = stream(5)

    def work() -> int:
        run_playouts(desk, NUMBER, rng)
        return NUMBER

    return work


def random_playouts(desk: Workspace) -> Contender:
    """Return work: uniform playouts of the same position, which show the price of the priors."""
    rng, actions, weights = stream(3), desk.actions.copy(), desk.weights.copy()
    states = desk.pool[:2].copy()

    def work() -> int:
        for _ in range(NUMBER):
            states[0] = desk.pool[0]
            kernels.playout(states, 0, rng, actions, weights)
        return NUMBER

    return work


def redealing() -> Contender:
    """Return work: redeals of a ballot with three cards face down, their likelihood included."""
    desk, seat = position(voted=3)
    rng, view = stream(4), desk.state.copy()

    def work() -> int:
        for _ in range(NUMBER // len(desk.pool) + 1):
            desk.state[:] = view
            sample_redeals(desk, seat, len(desk.pool), rng)
        return (NUMBER // len(desk.pool) + 1) * len(desk.pool)

    return work


def peer_search() -> tuple[Contender, Contender, Contender]:
    """Return OpenSpiel's ISMCTS on `oh_hell`, bare playouts of the same position, and its redeals from Python."""
    import pyspiel

    game, state = root_of("oh_hell")
    most = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    ismcts = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 3), 2.0, NUMBER, -1, most, False, False)

    def searching() -> int:
        ismcts.step(state)
        return NUMBER

    def resampling() -> int:
        for _ in range(NUMBER):
            state.resample_from_infostate(state.current_player(), random.random)
        return NUMBER

    return searching, rollouts(game, state), resampling


def measure_search(asked: argparse.Namespace) -> Iterator[Row]:
    """Measure how much of a bare playout's speed remains inside a search, and redeals.

    The games differ, so compare the ratios: iterations over bare playouts of the same policy.
    """
    desk, seat = position(voted=0)
    inside, bare, uniform = (f"lifeboats, {what}" for what in ("search", "bare playouts by priors", "random playouts"))
    ismcts, theirs = "oh_hell, ISMCTS", "oh_hell, random playouts"
    contenders = {inside: searching(desk, seat), bare: prior_playouts(desk), uniform: random_playouts(desk)}
    redeals = {"lifeboats, redeals": redealing()}
    if HAS_PEER:
        contenders[ismcts], contenders[theirs], redeals["oh_hell, redeals from Python"] = peer_search()
    found = rates(contenders, asked.rounds)
    yield from rows_of(found, "per second")
    yield ratio(found, inside, bare)
    yield ratio(found, inside, uniform)
    if HAS_PEER:
        yield ratio(found, ismcts, theirs)
    yield from rows_of(rates(redeals, asked.rounds), "redeals/s")


# Engines


class Done(NamedTuple):
    """A chunk: its worker, its start and end, and its CPU seconds."""

    worker: int
    begun: float
    ended: float
    cpu: float


@dataclass(frozen=True)
class Timed:
    """Chunks that measure themselves."""

    work: SimulationWork

    def warm(self) -> str:
        return self.work.warm()

    def __call__(self, chunk: int) -> Done:
        begun, cpu = time.perf_counter(), time.process_time()
        self.work(chunk)
        return Done(os.getpid(), begun, time.perf_counter(), time.process_time() - cpu)


def measure_engines(asked: argparse.Namespace) -> Iterator[Row]:
    """Measure the same chunks, random matches of Lifeboats, in this process, in a pool and on Ray."""
    from tavola.lab.ray_engine import RayEngine, session

    work = Timed(chunks_of(asked.seconds))
    engines: tuple[Engine, ...] = InProcessEngine(), PoolEngine(), RayEngine()
    contenders = dict(zip(("process", "pool", "Ray"), engines, strict=True))
    starts, found, cpus, busy = ({name: list[float]() for name in contenders} for _ in range(4))
    workers = PoolEngine().workers
    with session(workers=workers):
        for _, (name, engine) in ((number, pair) for number in range(asked.rounds) for pair in contenders.items()):
            started, done = steady(engine, work, 2 * workers)
            starts[name].append(started)
            found[name].append(work.work.size * (len(done) - 1) / (done[-1].ended - done[0].ended))
            cpus[name].append(statistics.median(one.cpu for one in done))
            busy[name].append(share_at_chunks(done))
    yield from rows_of(found, f"matches/s, {workers} workers, {work.work.size:,} per chunk")
    yield from rows_of(cpus, "CPU seconds per chunk")
    yield from rows_of(busy, "share of a worker's time spent on chunks")
    yield from rows_of(starts, "seconds from the start to the first chunk")
    yield ratio(found, "pool", "process")
    yield ratio(found, "Ray", "pool")
    alone, pooled, rayed = (statistics.median(busy[name]) / statistics.median(cpus[name]) for name in contenders)
    yield ["pool / process, on free cores", "ratio", readable(workers * pooled / alone), "", ""]
    yield ["Ray / pool, on free cores", "ratio", readable(rayed / pooled), "", ""]


def chunks_of(seconds: float) -> SimulationWork:
    """Return chunks that take `seconds` of this process's CPU time."""
    game, number = tavola.load("lifeboats"), 5000
    options = game.options.to_words(game.options.array({}))
    for _ in range(2):  # the first compiles
        begun = time.process_time()
        count_matches(game, options, "random", 1, 0, number)
    size = int(number * seconds / (time.process_time() - begun))
    return SimulationWork(game.name, "random", 1, (options,), size, None)


def steady(engine: Engine, work: Timed, first: int) -> tuple[float, list[Done]]:
    """Return the seconds to the first chunk, and the chunks after the first few, in order of completion."""
    begun = time.perf_counter()
    results = engine.run(work, count())
    next(results)
    started = time.perf_counter() - begun
    done = [found for _, found in islice(results, first - 1, first + CHUNKS)]
    results.close()  # type: ignore[attr-defined]  # engines return generators
    return started, sorted(done, key=lambda one: one.ended)


def share_at_chunks(done: list[Done]) -> float:
    """Return the share of the time between their first and last chunks that workers spent on chunks."""
    by_worker = defaultdict[int, list[Done]](list)
    for one in done:
        by_worker[one.worker].append(one)
    waited = sum(after.begun - before.ended for mine in by_worker.values() for before, after in pairwise(mine))
    return 1 - waited / sum(mine[-1].ended - mine[0].begun for mine in by_worker.values())


# The first start


def seconds_of(program: str, cache: str) -> tuple[float, float]:
    """Return the time that a new process takes to run `program`: wall time and CPU time, in seconds."""
    environment = {**os.environ, "TAVOLA_CACHE": cache}
    begun, used = time.perf_counter(), child_seconds()
    subprocess.run([sys.executable, "-c", program], check=True, env=environment, stdout=subprocess.DEVNULL)  # noqa: S603
    return time.perf_counter() - begun, child_seconds() - used


def child_seconds() -> float:
    """Return the CPU seconds of all finished child processes."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure_start(asked: argparse.Namespace) -> Iterator[Row]:
    """Measure the time from the start of a process to the first legal actions, cold (rules are compiled) and warm."""
    for name, program in (("first legal actions", FIRST), ("first decision of search", BOT)):
        with tempfile.TemporaryDirectory() as cache:
            cold = seconds_of(program, cache)
            warm = [seconds_of(program, cache) for _ in range(WARM_ROUNDS)]
        yield [f"{name}, cold", f"seconds, CPU {cold[1]:.1f}", f"{cold[0]:.1f}", "", ""]
        yield [f"{name}, warm", "seconds", *spread([by_clock for by_clock, _ in warm])]
        yield [f"{name}, warm", "CPU seconds", *spread([cpu for _, cpu in warm])]


def rows_of(found: dict[str, list[float]], unit: str) -> Iterator[Row]:
    """Yield a row for each contender."""
    for name, figures in found.items():
        yield [name, unit, *spread(figures)]


MEASURES = (measure_playouts, measure_api, measure_search, measure_engines, measure_start)


if __name__ == "__main__":
    parts = {measure.__name__.removeprefix("measure_"): measure for measure in MEASURES}
    run_parts(__doc__, parts, ("", "unit", *SPREAD), GOOD, {"rounds": ROUNDS, "seconds": 1.0})
