"""Figures of a running site for Prometheus. `docs/grafana.json` shows them all.

Counting one takes 1 to 5 microseconds, and twice as long with several workers. They share theirs through files in
`PROMETHEUS_MULTIPROC_DIR`, set by their supervisor, so each can answer for all.
"""

import os

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
"""Upper bounds of the ranges in which times are counted."""

ROOMS = Gauge("tavola_rooms", "Rooms in memory.", multiprocess_mode="livesum")
SOCKETS = Gauge("tavola_sockets", "Open sockets of pages and programs.", multiprocess_mode="livesum")
THOUGHTS = Gauge("tavola_thoughts_waiting", "Thoughts of bots that wait for a thread.", multiprocess_mode="livesum")
COMPILING = Gauge("tavola_games_compiling", "Games that still run as plain Python.", multiprocess_mode="livemax")
MOVES = Counter("tavola_moves", "Actions in matches, of people, bots and open chance.", ["game"])
ANSWERS = Histogram(
    "tavola_answer_seconds", "Seconds from a message on a socket to its answer, by kind.", ["kind"], buckets=SECONDS
)
COMMITS = Histogram("tavola_commit_seconds", "Seconds in which the database wrote a group of events.", buckets=SECONDS)
MESSAGES = Counter("tavola_messages", "E-mails and notifications, by outcome.", ["way", "outcome"])
REFUSALS = Counter("tavola_refusals", "Requests and commands that were refused, by kind.", ["kind"])
LIMITS = Counter("tavola_limited", "Requests that a limit refused, by its name.", ["limit"])


def exposition() -> bytes:
    """Return all figures, those of all workers together, in the text format of Prometheus."""
    if FOLDER not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return generate_latest(registry)
