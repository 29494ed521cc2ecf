"""The engine for more than one machine: Ray, an extra (`pip install tavola[ray]`).

`ray` starts a session of its own on this machine, that listens on 127.0.0.1 alone, in a folder that goes with it;
`ray://HOST:PORT` asks a cluster that runs. Its machines need the same Tavola; they are asked before anything is played.
"""

import contextlib
import os
import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from typing import Any, TypeVar

from tavola.core.compilation import count_processors
from tavola.lab.engines import CHUNKS_PER_WORKER, LOSSES, EngineLost, NoEngine, Work, hand_out, workers_lost

T = TypeVar("T")
VITAL = frozenset({"raylet", "gcs_server"})
"""The processes without which a session is none."""
OBJECT_STORE_BYTES = 80_000_000
"""Bytes of a session's store of objects, about the least there may be: results are small."""
LOOK_INTERVAL = 1.0
"""Seconds without anything new after which is looked whether the session lives: Ray itself would wait for ever."""


class RayEngine:
    """A Ray cluster, or a session of its own on this machine."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self.address, self.workers = address, workers

    def run(self, work: Work[T], chunks: Iterable[int]) -> Iterator[tuple[int, T]]:
        """Yield the chunks as they are ready; Ray does those of a process or a machine that died again.

        `EngineLost` when Ray itself dies.
        """
        sources = work.warm()
        with session(self.address, self.workers) as ray:
            _warm_machines(ray, work, sources)
            submit = partial(ray.remote(num_cpus=1, max_retries=LOSSES - 1)(_run_chunk).remote, ray.put(work))
            workers = self.workers or int(ray.cluster_resources()["CPU"])
            most = CHUNKS_PER_WORKER * workers if workers > 1 else 1
            with closing(
                hand_out(submit, partial(_wait_ready, ray), partial(_cancel, ray), iter(chunks), most)
            ) as handed:
                for chunk, reference in handed:
                    yield chunk, _result(ray, chunk, reference)


def _wait_ready(ray: Any, references: list[Any], count: int = 1) -> list[Any]:
    while True:
        ready = _ask(ray, lambda: ray.wait(references, num_returns=count, timeout=LOOK_INTERVAL)[0])
        if len(ready) >= count:
            return list(ready)
        _require_session(ray)


def _cancel(ray: Any, references: list[Any]) -> None:
    """Let nothing more be begun, and wait for the work under way; where the session is lost there is none."""
    with contextlib.suppress(EngineLost):
        _require_session(ray)
        for reference in references:
            _ask(ray, partial(ray.cancel, reference))
        if references:
            _wait_ready(ray, references, len(references))


def _result(ray: Any, chunk: int, reference: Any) -> Any:
    while True:
        try:
            return _ask(ray, lambda: ray.get(reference, timeout=LOOK_INTERVAL))
        except ray.exceptions.GetTimeoutError:  # ready, and lost with what kept it
            _require_session(ray)
        except ray.exceptions.RayTaskError:  # what went wrong in the work itself
            raise
        except ray.exceptions.RayError as error:
            _require_session(ray)
            raise workers_lost(chunk) from error


def _ask(ray: Any, question: Callable[[], T]) -> T:
    try:
        return question()
    except (ConnectionError, ray.exceptions.RaySystemError) as error:
        raise session_lost("the connection broke") from error


def _require_session(ray: Any) -> None:
    """Refuse to go on in a session of this machine of which a process has died."""
    node = ray._private.worker._global_node  # there is no public word for it
    dead = sorted({name for name, _ in node.dead_processes()} & VITAL) if node is not None else []
    if dead:
        raise session_lost(f"{' and '.join(dead)} died")


def session_lost(why: str) -> EngineLost:
    """Return the refusal to go on without Ray."""
    kept = "what was played is kept where results were asked for"
    return EngineLost(f"Ray ended in the middle of the run, {why}: expected a session that lives; {kept}")


@contextmanager
def session(address: str | None = None, workers: int | None = None) -> Iterator[Any]:
    """Yield Ray, connected to a cluster or to a session of this machine; one that is connected already stays as it is.

    `NoEngine` when Ray is not installed or the cluster does not answer.
    """
    ray = _import_ray(address)
    if ray.is_initialized():
        yield ray
        return
    with tempfile.TemporaryDirectory(prefix="tavola-", ignore_cleanup_errors=True) as folder:
        try:
            _connect(ray, address, workers, folder)
            yield ray
        finally:
            ray.shutdown()


def _import_ray(address: str | None) -> Any:
    """Return Ray's module, told beforehand to keep its own session on this machine, unless the user said more."""
    for name, value in (_environment() if address is None else {}).items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError as error:
        raise NoEngine("Ray is not installed: expected pip install 'tavola[ray]'") from error
    return ray


def _environment() -> Mapping[str, str]:
    return {
        "RAY_USAGE_STATS_ENABLED": "0",
        # Ray's word for "no cluster of several machines": it then listens on 127.0.0.1, on Linux too.
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
    }


def _connect(ray: Any, address: str | None, workers: int | None, folder: str) -> None:
    if address is None:
        ray.init(
            "local",
            num_cpus=workers or count_processors(),
            include_dashboard=False,
            log_to_driver=False,
            configure_logging=False,
            object_store_memory=OBJECT_STORE_BYTES,
            _temp_dir=folder,
        )
        return
    try:
        ray.init(address)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise NoEngine(f"{address}: expected a Ray cluster that answers: {error}") from error


def _warm_machines(ray: Any, work: Work[Any], sources: str) -> None:
    """Have everything compiled once on each machine, before its workers begin; `NoEngine` if one plays otherwise."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
    warm, held = ray.remote(num_cpus=0)(_warm), ray.put(work)
    places = [NodeAffinitySchedulingStrategy(node, soft=False) for node in nodes]
    try:
        found = ray.get([warm.options(scheduling_strategy=place).remote(held) for place in places])
    except ray.exceptions.RayError as error:
        why = str(error).strip().splitlines()[-1]
        raise NoEngine(f"a machine of the cluster cannot play, {why}: expected the same Tavola on all") from error
    for node, theirs in zip(nodes, found, strict=True):
        if theirs != sources:
            raise NoEngine(f"machine {node}: expected the sources {sources} of rules and bots, found {theirs}")


def _run_chunk(work: Work[T], chunk: int) -> T:
    return work(chunk)


def _warm(work: Work[Any]) -> str:
    return work.warm()
