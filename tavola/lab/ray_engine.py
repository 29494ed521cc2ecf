"""The engine for several machines: Ray, an extra (`pip install tavola[ray]`).

`ray` starts a session on this machine, which listens only on 127.0.0.1 and uses a temporary folder. `ray://HOST:PORT`
connects to a running cluster. Its machines need the same Tavola, which is checked before a match is played.
"""

import contextlib
import os
import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import Any, TypeVar

from tavola.core.compilation import count_processors
from tavola.lab.work import CHUNKS_PER_WORKER, LOSSES, EngineLost, NoEngine, Work, hand_out, workers_lost

T = TypeVar("T")
VITAL = frozenset({"raylet", "gcs_server"})
"""Processes that a session cannot live without."""
OBJECT_STORE_BYTES = 80_000_000
"""Bytes of a session's object store, about the minimum: results are small."""
LOOK_INTERVAL = 1.0
"""Seconds without a result before the session is checked: Ray itself would wait for ever."""


class RayEngine:
    """A Ray cluster, or a session on this machine."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self.address, self.workers = address, workers

    def run(self, work: Work[T], chunks: Iterable[int]) -> Iterator[tuple[int, T]]:
        """Yield the chunks as they are ready; Ray repeats those of a process or machine that died.

        Raise `EngineLost` if Ray itself dies.
        """
        sources = work.warm()
        with session(self.address, self.workers) as ray:
            _warm_machines(ray, work, sources)
            submit = partial(ray.remote(num_cpus=1, max_retries=LOSSES - 1)(_run_chunk).remote, ray.put(work))
            workers = self.workers or int(ray.cluster_resources()["CPU"])
            most = CHUNKS_PER_WORKER * workers if workers > 1 else 1
            ready, drop = partial(_wait_ready, ray), partial(_cancel, ray)
            with closing(hand_out(submit, ready, drop, iter(chunks), most)) as handed:
                for chunk, reference in handed:
                    yield chunk, _result(ray, chunk, reference)


def _wait_ready(ray: Any, references: list[Any], count: int = 1) -> list[Any]:
    while True:
        ready = _ask(ray, lambda: ray.wait(references, num_returns=count, timeout=LOOK_INTERVAL)[0])
        if len(ready) >= count:
            return list(ready)
        _require_session(ray)


def _cancel(ray: Any, references: list[Any]) -> None:
    """Cancel queued work and wait for running work, unless the session is lost."""
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
        except ray.exceptions.GetTimeoutError:  # ready, but lost with the process that stored it
            _require_session(ray)
        except ray.exceptions.RayTaskError:  # an error of the work itself
            raise
        except ray.exceptions.RayError as error:
            _require_session(ray)
            raise workers_lost(chunk) from error


def _ask(ray: Any, question: Callable[[], T]) -> T:
    try:
        return question()
    except (ConnectionError, ray.exceptions.RaySystemError) as error:
        raise session_lost("the connection was lost") from error


def _require_session(ray: Any) -> None:
    """Raise `EngineLost` if a process of this machine's session has died."""
    node = ray._private.worker._global_node  # there is no public API for it
    dead = sorted({name for name, _ in node.dead_processes()} & VITAL) if node is not None else []
    if dead:
        raise session_lost(f"{' and '.join(dead)} died")


def session_lost(why: str) -> EngineLost:
    """Return the error for a lost session."""
    kept = "completed chunks are in the results file, if one was given"
    return EngineLost(f"Ray ended during the run, {why}: expected a session that stays alive; {kept}")


@contextmanager
def session(address: str | None = None, workers: int | None = None) -> Iterator[Any]:
    """Yield Ray, connected to a cluster or a new session on this machine; an existing connection is kept.

    Raise `NoEngine` if Ray is not installed or the cluster does not answer.
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
    """Return Ray's module, whose own session is restricted to this machine unless the environment says more."""
    own_session = {
        "RAY_USAGE_STATS_ENABLED": "0",
        # Disables clusters of several machines: Ray then listens on 127.0.0.1, on Linux too.
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
    }
    for name, value in own_session.items() if address is None else ():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError as error:
        raise NoEngine("Ray is not installed: run pip install 'tavola[ray]'") from error
    return ray


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
    """Compile everything once per machine before its workers begin; raise `NoEngine` if sources differ."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
    warm, held = ray.remote(num_cpus=0)(_warm), ray.put(work)
    places = [NodeAffinitySchedulingStrategy(node, soft=False) for node in nodes]
    try:
        found = ray.get([warm.options(scheduling_strategy=place).remote(held) for place in places])
    except ray.exceptions.RayError as error:
        told = f"a machine of the cluster cannot play matches, {str(error).strip().splitlines()[-1]}"
        raise NoEngine(f"{told}: expected the same Tavola on all") from error
    for node, theirs in zip(nodes, found, strict=True):
        if theirs != sources:
            raise NoEngine(f"machine {node}: expected the sources {sources} of rules and bots, found {theirs}")


def _run_chunk(work: Work[T], chunk: int) -> T:
    return work(chunk)


def _warm(work: Work[Any]) -> str:
    return work.warm()
