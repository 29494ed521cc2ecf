"""Engines: each chunk is returned once, and computed again when its worker dies. The file of streamed results."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from contextlib import closing
from itertools import count, islice
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from tavola.lab.engines import InProcessEngine, PoolEngine, engine
from tavola.lab.results import BadResults, Results, run_chunks
from tavola.lab.work import CHUNKS_PER_WORKER, LOSSES, NoEngine, WorkersLost
from tests.helpers import PATIENCE, wait_for
from tests.helpers.bots import Squares

pytestmark = pytest.mark.process

ENGINES: dict[str, Any] = {"process": InProcessEngine(), "pool of 1": PoolEngine(1), "pool of 3": PoolEngine(3)}


@pytest.mark.parametrize("name", ENGINES)
def test_every_chunk_is_done_once_and_only_as_many_are_drawn_as_can_start(name, tmp_path: Path):
    others = set(multiprocessing.active_children())
    asked, found, most = [], [], CHUNKS_PER_WORKER * getattr(ENGINES[name], "workers", 1)
    running = ENGINES[name].run(Squares(tmp_path), (asked.append(n) or n for n in count()))
    for chunk, result in islice(running, 20):
        found.append(chunk)
        assert result == chunk * chunk
        assert len(asked) <= len(found) + most
    running.close()
    assert len(set(found)) == 20
    assert set(multiprocessing.active_children()) <= others
    assert (tmp_path / "warmed").read_text() == f"{os.getpid()}\n", "once, before there are workers"


def test_chunks_of_a_worker_that_is_killed_are_done_again(tmp_path: Path):
    work = Squares(tmp_path, deadly=(0, 7), times=2)
    assert dict(PoolEngine(2).run(work, range(12))) == {n: n * n for n in range(12)}
    assert len(list(tmp_path.glob("*-*"))) == 4


def test_a_chunk_that_kills_its_workers_ends_the_run(tmp_path: Path):
    others = set(multiprocessing.active_children())
    with pytest.raises(WorkersLost, match=f"chunk 3: expected a process that completes it, {LOSSES} died"):
        list(PoolEngine(1).run(Squares(tmp_path, deadly=(3,), times=LOSSES), [3]))
    assert set(multiprocessing.active_children()) <= others


ENDLESS = ("simulate", "lifeboats", "--matches", "1000000000", "--on", "pool", "--processes", "2")


@pytest.mark.parametrize(("killed", "status"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
def test_workers_end_with_the_process_that_hands_out_chunks(killed, status, tmp_path: Path):
    """With kill -9, and with Ctrl-C, which all of them get; without error messages."""
    path = tmp_path / "results.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-m", "tavola", *ENDLESS, "--results", str(path)],
        text=True,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # A shell that runs the tests in the background makes its children ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    wait_for(lambda: path.exists() and path.read_bytes().count(b"\n") > 2)
    workers = [int(name) for name in os.listdir("/proc") if name.isdigit() and parent(int(name)) == process.pid]
    assert len(workers) >= 2
    (os.killpg if killed == signal.SIGINT else os.kill)(process.pid, killed)
    complaints = process.communicate(timeout=PATIENCE)[1].strip()
    assert complaints == "" or (killed == signal.SIGKILL and "Traceback" not in complaints)
    assert process.returncode == status
    wait_for(lambda: all(parent(worker) is None for worker in workers))


def parent(process):
    try:
        state, of, *_ = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return None
    return None if state == "Z" else int(of)


def test_what_goes_wrong_in_a_worker_goes_wrong_here(tmp_path: Path):
    for one in (InProcessEngine(), PoolEngine(2)):
        with pytest.raises(ArithmeticError, match="2 has no square"):
            list(one.run(Squares(tmp_path, wrong=(2,)), range(4)))


def test_engines_by_name():
    for here in (engine("process", 8), engine(None, 1)):
        assert isinstance(here, InProcessEngine)
    assert [cast(PoolEngine, engine(name, count)).workers for name, count in (("pool", 1), (None, 5))] == [1, 5]
    with pytest.raises(NoEngine, match="expected process, pool, ray or ray://HOST:PORT"):
        engine("cloud")


HEAD = {"results": "squares", "seed": 3}


def results(path):
    return closing(Results(path, HEAD, int))


def test_a_run_is_taken_up_where_it_was_left(tmp_path: Path):
    path = tmp_path / "results.jsonl"
    with results(path) as file:
        assert dict(run_chunks(InProcessEngine(), Squares(tmp_path), range(5), file)) == {n: n * n for n in range(5)}
    lines = [HEAD, *({"chunk": n, "result": n * n} for n in range(5))]
    assert [json.loads(line) for line in path.read_text().splitlines()] == lines
    with results(path) as file:
        again = run_chunks(PoolEngine(2), Squares(tmp_path, wrong=tuple(range(5))), range(8), file)
        assert dict(again) == {n: n * n for n in range(8)}
    assert len(path.read_text().splitlines()) == 9
    (tmp_path / "warmed").unlink()
    with results(path) as file:
        assert len(list(run_chunks(PoolEngine(2), Squares(tmp_path), range(8), file))) == 8
        assert not (tmp_path / "warmed").exists(), "nothing is left to do: no engine is started"
        again = run_chunks(InProcessEngine(), Squares(tmp_path), range(2), file, lambda chunk, _: chunk == 0)
        assert dict(again) == {0: 0, 1: 1}


@pytest.mark.parametrize("bytes_lost", range(1, 24))
def test_a_torn_last_line_is_dropped(tmp_path: Path, bytes_lost):
    path = tmp_path / "results.jsonl"
    with results(path) as file:
        file.add(0, 0)
        file.add(17, 289)
    path.write_bytes((whole := path.read_bytes())[:-bytes_lost])
    with results(path) as file:
        assert file.finished == {0: 0}
        file.add(17, 289)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("kept", range(1, len(msgspec.json.encode(HEAD)) + 1))
def test_a_torn_head_is_written_again(tmp_path: Path, kept):
    path = tmp_path / "results.jsonl"
    path.write_bytes(msgspec.json.encode(HEAD)[:kept])
    with results(path):
        pass
    assert path.read_bytes() == msgspec.json.encode(HEAD) + b"\n"


FOREIGN = {
    "of another run": (b'{"results":"squares","seed":4}\n', "belongs to another run: expected seed 3, found 4"),
    "of another kind": (b'{"results":"cubes","seed":3}\n', "expected results 'squares', found 'cubes'"),
    "empty": (b"", "expected a file of results, or none"),
    "a list": (b"[1]\n", "expected a file of results, or none"),
    "a picture": (b"\x89PNG\xff\xfe\x00\n", "expected a file of results, or none"),
    "one line of text": (b"Dear diary", "expected a file of results, or none"),
    "of results that are none": (
        msgspec.json.encode(HEAD) + b'\n{"chunk":1,"result":"one"}\n{"chunk":2,"result":4}\n',
        "line 2: expected a chunk and its result",
    ),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_foreign_file_is_refused_and_left_as_it_is(tmp_path: Path, name):
    path, (text, said) = tmp_path / "results.jsonl", FOREIGN[name]
    path.write_bytes(text)
    with pytest.raises(BadResults, match=said), results(path):
        pass
    assert path.read_bytes() == text


def test_a_file_that_cannot_be_written_or_is_being_written_is_refused(tmp_path: Path):
    with pytest.raises(BadResults, match="expected a file of results, or none"), results(tmp_path):
        pass
    path, refusal = tmp_path / "results.jsonl", "expected a file that no other run is writing"
    with results(path), pytest.raises(BadResults, match=refusal), results(path):
        pass
