"""What rooms there are by the rules they began with, read from the first event of each."""

import json
from collections import Counter
from typing import NamedTuple

from tavola.store.interface import StoreReader

FIRST_EVENTS = """
SELECT e.body, r.awake FROM event e JOIN room r ON r.id = e.room WHERE e.seq = 1 AND e.kind = 'created' ORDER BY r.id
"""


class RulesInUse(NamedTuple):
    """Rooms of one game and version of its rules: that await something, by correspondence among them; that are over."""

    game: str
    version: int
    open: int
    by_days: int
    over: int


def rules_in_use(reader: StoreReader) -> list[RulesInUse]:
    """Count the rooms of a database by game and version, sorted; it may be served meanwhile."""
    waiting, days, over = Counter[tuple[str, int]](), Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for body, awake in reader.rows(FIRST_EVENTS):
        created = json.loads(body)
        rules = created["game"], created["version"]
        (waiting if awake else over)[rules] += 1
        days[rules] += bool(awake and created.get("days"))
    return [RulesInUse(*rules, waiting[rules], days[rules], over[rules]) for rules in sorted({*waiting, *over})]
