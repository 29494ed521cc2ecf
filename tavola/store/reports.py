"""Data for operators from the logs of rooms: reports about people, and rules in use."""

import json
from collections import Counter
from typing import NamedTuple

from tavola.store.interface import Execute

REPORTED_EVENTS = "SELECT room, seq, body, at FROM event WHERE kind = 'reported' ORDER BY at DESC, room, seq LIMIT ?"
FIRST_EVENTS = """
SELECT e.body, r.awake FROM event e JOIN room r ON r.id = e.room WHERE e.seq = 1 AND e.kind = 'created' ORDER BY r.id
"""


class ReportedLine(NamedTuple):
    """One line of chat; `at` in seconds since 1970."""

    name: str
    text: str
    at: float


class StoredReport(NamedTuple):
    """A report about a person in a room, `at` in seconds since 1970, with their last lines.

    `number`: of its event in the room's log. `done`: the operator has handled it.
    """

    room: str
    number: int
    at: float
    lines: tuple[ReportedLine, ...]
    done: bool

    @property
    def about(self) -> str:
        """The last name of the reported person."""
        return self.lines[-1].name if self.lines else "?"


class RulesInUse(NamedTuple):
    """Rooms of one game and version of its rules: open ones, `by_days` of them by correspondence, and ended ones."""

    game: str
    version: int
    open: int
    by_days: int
    over: int


def rules_in_use(execute: Execute) -> list[RulesInUse]:
    """Count the rooms of a database by game and version, sorted; it may be in use."""
    waiting, days, over = Counter[tuple[str, int]](), Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for body, awake in execute(FIRST_EVENTS, ()):
        created = json.loads(body)
        rules = created["game"], created["version"]
        (waiting if awake else over)[rules] += 1
        days[rules] += bool(awake and created.get("days"))
    return [RulesInUse(*rules, waiting[rules], days[rules], over[rules]) for rules in sorted({*waiting, *over})]
