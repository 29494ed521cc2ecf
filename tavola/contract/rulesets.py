"""The promise of a game's earlier rules: `rulesets/vN.py`, and beside it a match that shows the difference."""

from dataclasses import replace

from tavola.contract.promises import (
    RULES_CHECKS,
    SampleSettings,
    old_positions_stay,
    plans_come_true,
    try_positions,
)
from tavola.contract.samples import expect
from tavola.contract.symmetry import policies_are_symmetric
from tavola.core.errors import Refusal
from tavola.core.game import Game
from tavola.core.match import Match
from tavola.core.matchfile import MatchRecord, read_record
from tavola.core.registry import RULESETS_FOLDER, earlier_version, versions
from tavola.core.view import Result

POSITIONS, SHARE = 12, 40
"""Positions of each earlier version, one in so many of a match: they are played as plain Python."""

End = tuple[bytes, Result]
"""The bytes of a match's last position, and what it is worth to each seat: a repaired rule may change either."""

CHECKS = [check for check in RULES_CHECKS if check not in (old_positions_stay, plans_come_true, policies_are_symmetric)]
"""The promises that are tried. Two of those left out play matches again and again; bots play by the present rules."""


def earlier_rules_keep_the_promises(game: Game) -> None:
    """Each earlier version keeps the promises of rules, and its match is another one under the present rules."""
    for version in versions(game)[:-1]:
        earlier = earlier_version(game, version)
        try_positions(earlier, POSITIONS, 1, CHECKS, SampleSettings(share=SHARE))
        _tell_apart(game, earlier)


def _tell_apart(game: Game, earlier: Game) -> None:
    """A kept match is played again under its own rules, and comes out otherwise under the present ones."""
    name = f"{RULESETS_FOLDER}/v{earlier.version}.txt"
    path = game.folder / name
    expect(path.exists(), f"no {name}: expected the record of a match which the present rules play otherwise")
    record = read_record(path.read_text(encoding="utf-8"))
    expect(record.version == earlier.version, f"{name} is of version {record.version}: expected {earlier.version}")
    now = _end_under(game, record)
    expect(now != _end_of(record.match()), f"{name} ends alike under version {game.version}: expected a difference")


def _end_under(game: Game, record: MatchRecord) -> End | None:
    """Return how the match ends under the present rules; None where they refuse it."""
    position = record.position and {**record.position, "version": game.version}
    try:
        return _end_of(replace(record, version=game.version, position=position).match())
    except Refusal:
        return None


def _end_of(match: Match) -> End:
    return match.state_bytes(), match.score()
