"""Measures of the site's operator: bans, the state of reports, an announcement, a drain before a restart.

The database keeps them for all workers. A ban's subject is the id of a person, the mark of an address, or a network.
"""

import ipaddress
from collections.abc import Iterable
from typing import NamedTuple

from tavola.store import Execute

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
BAN, DONE, ANNOUNCEMENT, DRAIN = "ban", "done", "announcement", "drain"
"""Kinds of measures. The subject of `DONE` is a report, `ROOM/NUMBER`; announcement and drain have none."""
FOREVER = 253_402_300_799.0
"""End of a measure that does not end by itself: the last second of the year 9999."""
IN_FORCE = "SELECT kind, subject, words, made_at, ends_at FROM measure WHERE kind <> 'done' ORDER BY made_at, subject"
STORE = """
INSERT INTO measure VALUES (?, ?, ?, ?, ?) ON CONFLICT (kind, subject)
DO UPDATE SET words = excluded.words, made_at = excluded.made_at, ends_at = excluded.ends_at
"""


class Measure(NamedTuple):
    """One measure; `words` name its subject to the operator. Times are in seconds since 1970."""

    kind: str
    subject: str
    words: str
    made_at: float
    ends_at: float


class Measures:
    """All measures but those about reports, as they were read; some may have ended since."""

    def __init__(self, measures: Iterable[Measure]) -> None:
        self.all = tuple(measures)
        self._bans = {each.subject: each for each in self.all if each.kind == BAN}
        self._networks = [(network, ban) for ban in self._bans.values() if (network := network_in(ban.subject))]

    def ban_on(self, subjects: Iterable[str], network: str, now: float) -> Measure | None:
        """Return a ban in force on one of these subjects, or on a network around `network`; None if there is none."""
        found = [self._bans[subject] for subject in subjects if subject in self._bans]
        if self._networks and (own := network_in(network)) is not None:
            found += [ban for around, ban in self._networks if around.version == own.version and own.subnet_of(around)]  # type: ignore[arg-type]
        return next((ban for ban in found if ban.ends_at > now), None)

    def one(self, kind: str, now: float) -> Measure | None:
        """Return the announcement or the drain in force, None if there is none."""
        return next((each for each in self.all if each.kind == kind and each.ends_at > now), None)


def network_in(text: str) -> Network | None:
    """Return the network that a text names, such as 203.0.113.7 or 2001:db8::/48; None if it names none."""
    try:
        return ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        return None


def in_force(execute: Execute) -> Measures:
    """Return the measures of a database."""
    return Measures(Measure(*row) for row in execute(IN_FORCE, ()))


def keep(execute: Execute, measure: Measure) -> None:
    """Store a measure in place of an earlier one on the same subject; delete those that have ended."""
    execute("DELETE FROM measure WHERE ends_at < ?", (measure.made_at,))
    execute(STORE, tuple(measure))


def lift(execute: Execute, kind: str, subject: str) -> None:
    """Delete a measure, if there is one."""
    execute("DELETE FROM measure WHERE kind = ? AND subject = ?", (kind, subject))
