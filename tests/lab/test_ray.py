"""Ray: the same results as without it, whatever dies. All in one test, since a session is started only once."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tavola.lab import arena, ladder, simulate
from tavola.lab.engines import engine
from tavola.lab.ray_engine import RayEngine, session
from tavola.lab.work import LOSSES, EngineLost, NoEngine, WorkersLost
from tests.helpers import PATIENCE, free_port
from tests.helpers.bots import Squares
from tests.lab.test_arena import outcome
from tests.lab.test_engines import parent
from tests.lab.test_ladder import outcome as standings
from tests.lab.test_simulation import figures

pytestmark = pytest.mark.process
needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is missing: make ray")

ENTRIES = ["search@4", "greedy", "python:tests.helpers.bots:Last"]


@needs_ray
def test_on_ray_everything_is_as_it_is_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # workers import this file
    with session(workers=2) as ray:
        assert [node["NodeManagerAddress"] for node in ray.nodes()] == ["127.0.0.1"], "only this machine listens"
        every_chunk_is_done_once(tmp_path)
        chunks_of_a_worker_that_is_killed_are_done_again(tmp_path)
        what_ends_a_run_is_said(tmp_path)
        arenas_and_simulations_come_to_the_same(tmp_path)
        a_session_that_dies_is_told(tmp_path)
    assert not ray.is_initialized()


def every_chunk_is_done_once(folder):
    for workers in (1, 2):
        found = list(RayEngine(workers=workers).run(Squares(folder), range(12)))
        assert sorted(found) == [(n, n * n) for n in range(12)]
    warmers = (folder / "warmed").read_text().split()
    assert warmers[::2] == [str(os.getpid())] * 2, "here first"
    assert len(set(warmers[1::2]) - set(warmers[::2])) >= 1, "then, before chunks are, a process of the machine"


def chunks_of_a_worker_that_is_killed_are_done_again(folder):
    work = Squares(folder, deadly=(0, 7))
    assert dict(RayEngine(workers=2).run(work, range(12))) == {n: n * n for n in range(12)}
    assert len(list(folder.glob("[07]-0"))) == 2


class Elsewhere(Squares):
    """A run whose sources differ in every process."""

    def warm(self):
        return f"sources of {os.getpid()}"


def what_ends_a_run_is_said(folder):
    """A chunk that kills every worker, an error in one, and workers with other sources."""
    deadly = Squares(folder, deadly=(3,), times=LOSSES)
    for workers, work, chunks, error, said in (
        (1, deadly, [3], WorkersLost, "chunk 3: expected a process that completes it"),
        (2, Squares(folder, wrong=(2,)), range(4), ArithmeticError, "2 has no square"),
        (2, Elsewhere(folder), range(4), NoEngine, "expected the sources sources of"),
    ):
        with pytest.raises(error, match=said):
            list(RayEngine(workers=workers).run(work, chunks))


def arenas_and_simulations_come_to_the_same(folder):
    """Half of the arena's results are then lost, and its matches are played again here."""
    here, path = outcome(arena("lifeboats", ENTRIES, 9, seed=4, on="process")), folder / "results.jsonl"
    assert outcome(arena("lifeboats", ENTRIES, 9, seed=4, on="ray", results=path)) == here
    text = path.read_bytes()
    path.write_bytes(text[: len(text) // 2])
    assert outcome(arena("lifeboats", ENTRIES, 9, seed=4, on="process", results=path)) == here
    rated = [ladder("lifeboats", ENTRIES, 3, seed=5, options={"players": 3}, on=on) for on in ("process", "ray")]
    assert standings(rated[0]) == standings(rated[1])
    given: dict[str, Any] = {"options": {"players": 3}, "chunk": 150, "until": 0.05}
    found = [figures(simulate("lifeboats", on=on, **given)) for on in ("process", "ray")]
    assert found[0] == found[1]


def a_session_that_dies_is_told(folder):
    with pytest.raises(EngineLost, match="Ray ended during the run, raylet died: expected a session"):  # noqa: PT012
        for chunk, _ in RayEngine(workers=2).run(Squares(folder), range(100_000)):
            if chunk == 3:
                os.kill(raylet_of(os.getpid()), signal.SIGKILL)


def raylet_of(driver: int) -> int:
    programs = {int(folder.name): program_of(folder) for folder in Path("/proc").glob("[0-9]*")}
    return next(process for process, name in programs.items() if name == b"raylet" and parent(process) == driver)


def program_of(folder: Path) -> bytes:
    try:
        return (folder / "cmdline").read_bytes().partition(b"\0")[0].rpartition(b"/")[2]
    except OSError:  # it has ended
        return b""


@pytest.mark.soak
@needs_ray
def test_a_cluster_that_runs_gives_the_same(tmp_path: Path):
    """A real head with its client server on 127.0.0.1, and the command in separate processes."""
    port, folder = free_port(), tempfile.mkdtemp(prefix="ray-")
    environment = os.environ | {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "0123456789" * 4}
    environment |= {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_CLIENT_RECONNECT_GRACE_PERIOD": "2"}
    ports = f"--port={free_port()}", f"--ray-client-server-port={port}", "--node-ip-address=127.0.0.1"
    options = "--num-cpus=2", "--include-dashboard=false", "--disable-usage-stats", f"--temp-dir={folder}"
    command = [str(Path(sys.executable).parent / "ray"), "start", "--head", "--block", *ports, *options]
    head = subprocess.Popen(
        command, env=environment, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )

    def simulated(*more, matches=40000):
        given = ["simulate", "lifeboats", "--matches", str(matches), "--vary", "moves=2,3", "--json", *more]
        command = [sys.executable, "-m", "tavola", *given]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
        return done.stdout or done.stderr

    try:
        here = simulated("--on", "process")
        assert json.loads(here)["variants"][1]["matches"] == 40000
        while "expected a Ray cluster that answers" in (there := simulated("--on", f"ray://127.0.0.1:{port}")):
            assert head.poll() is None
        assert there == here
        threading.Timer(20, partial(os.killpg, head.pid, signal.SIGKILL)).start()
        told = simulated("--on", f"ray://127.0.0.1:{port}", matches=100_000_000)
        assert "Ray ended during the run, the connection was lost" in told
    finally:
        head.terminate()
        head.wait(PATIENCE)
        shutil.rmtree(folder, ignore_errors=True)


def test_without_ray_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(NoEngine, match=r"pip install 'tavola\[ray\]'"):
        list(engine("ray").run(Squares(Path("/tmp")), [1]))
