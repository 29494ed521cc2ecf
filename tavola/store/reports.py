"""What operators read in the logs of rooms: reports about people, and the rules that matches began with."""

import json
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tavola.store.interface import StoreReader

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
    """Somebody was reported in a room, `at` in seconds since 1970, with the last lines that they had written."""

    room: str
    at: float
    lines: tuple[ReportedLine, ...]

    @property
    def about(self) -> str:
        """The name of who was reported, as they last bore it."""
        return self.lines[-1].name if self.lines else "?"


class RulesInUse(NamedTuple):
    """Rooms of one game and version of its rules: that await something, by correspondence among them; that are over."""

    game: str
    version: int
    open: int
    by_days: int
    over: int


def rules_in_use(reader: "StoreReader") -> list[RulesInUse]:
    """Count the rooms of a database by game and version, sorted; it may be served meanwhile."""
    waiting, days, over = Counter[tuple[str, int]](), Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for body, awake in reader.rows(FIRST_EVENTS):
        created = json.loads(body)
        rules = created["game"], created["version"]
        (waiting if awake else over)[rules] += 1
        days[rules] += bool(awake and created.get("days"))
    return [RulesInUse(*rules, waiting[rules], days[rules], over[rules]) for rules in sorted({*waiting, *over})]
