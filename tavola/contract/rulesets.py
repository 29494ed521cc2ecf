"""The promise of a game's earlier rules: `rulesets/vN.py`, and beside it a match that shows the difference.

`rulesets/vN.txt` is the record of that match, with what it was worth and what was said of it under version N in
comments. Nobody writes that anew: it must come out so for ever. `rulesets/vN.md`, and `vN.LANGUAGE.md`, are the rules
as they were written; where they are missing, the version after it has the same.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from tavola.contract.folder import PARAGRAPH
from tavola.contract.promises import (
    RULES_CHECKS,
    SampleSettings,
    old_positions_stay,
    plans_come_true,
    try_positions,
)
from tavola.contract.samples import draw_samples, expect
from tavola.contract.symmetry import policies_are_symmetric
from tavola.contract.words import sentences_can_be_said
from tavola.core.errors import Refusal
from tavola.core.game import CHANCE, Game
from tavola.core.match import Match, MatchRecord, read_record
from tavola.core.registry import earlier_version, versions
from tavola.core.rulesets import RULESETS_FOLDER
from tavola.core.view import Result, View
from tavola.show.cards import words_of
from tavola.show.speech import Say

POSITIONS, SHARE = 12, 40
"""Positions of each earlier version, one in so many of a match: they are played as plain Python."""
MATCHES = 60
"""Random matches among which one is looked for that two versions play differently."""

End = tuple[bytes, Result]
"""The bytes of a match's last position, and what it is worth to each seat: a repaired rule may change either."""

LEFT_OUT = (old_positions_stay, plans_come_true, policies_are_symmetric)
CHECKS = [*(check for check in RULES_CHECKS if check not in LEFT_OUT), sentences_can_be_said]
"""The promises that are tried. Two of those left out play matches again and again; bots play by the present rules."""


def earlier_rules_keep_the_promises(game: Game) -> None:
    """Each earlier version keeps the promises of rules and words, and its match ends otherwise under the present."""
    for version in versions(game)[:-1]:
        earlier = earlier_version(game, version)
        try_positions(earlier, POSITIONS, 1, CHECKS, SampleSettings(share=SHARE))
        the_rulebook_is_of_the_version(earlier)
        the_kept_match_stays(game, earlier)


def the_rulebook_is_of_the_version(earlier: Game) -> None:
    """The rules as they were written hold every paragraph that the kept file cites."""
    found = earlier.rulebook()
    expect(found, f"version {earlier.version} has no rules in English: expected RULES.md or one of {RULESETS_FOLDER}/")
    text = found[0].read_text(encoding="utf-8") if found else ""
    assert earlier.ruleset is not None
    cited = set(re.findall(r"\bR(\d+)\b", earlier.ruleset.path.read_text(encoding="utf-8")))
    missing = cited - set(re.findall(PARAGRAPH, text, re.MULTILINE))
    expect(not missing, f"{earlier.ruleset.path.name} cites R{min(missing, default='')}: expected it in the rules then")


def the_kept_match_stays(game: Game, earlier: Game) -> None:
    """A kept match ends as it did, told in the words it had, and comes out otherwise under the present rules."""
    path = kept_file(game, earlier.version)
    name = f"{RULESETS_FOLDER}/{path.name}"
    expect(path.exists(), f"no {name}: expected the record of a match which the present rules play otherwise")
    text = path.read_text(encoding="utf-8")
    record = read_record(text)
    expect(record.version == earlier.version, f"{name} is of version {record.version}: expected {earlier.version}")
    told = kept_text(record.match(), record.names).splitlines()
    for then, now in zip(text.splitlines()[-len(told) :], told, strict=True):  # what an author notes stands before
        expect(then == now, f"{name}: version {earlier.version} gives {now!r} now: expected {then!r}")
    expect(
        not ends_alike(game, earlier.version),
        f"{name} ends alike under version {game.version}: expected a difference; where a rule is repaired already, "
        f"`tavola check {game.name} --write-golden` looks for a match that shows it",
    )


def kept_file(game: Game, version: int) -> Path:
    """The file of the match that shows what a version had otherwise."""
    return game.folder / RULESETS_FOLDER / f"v{version}.txt"


def ends_alike(game: Game, version: int) -> bool:
    """True when the match that a version keeps ends under the present rules as it did: no difference shows yet."""
    record = read_record(kept_file(game, version).read_text(encoding="utf-8"))
    return _end_under(game, record) == _end_of(record.match())


def write_kept_matches(game: Game) -> list[str]:
    """Look for a match wherever an earlier version has none that ends otherwise now; return the files written."""
    written = []
    for version in versions(game)[:-1]:
        earlier, path = earlier_version(game, version), kept_file(game, version)
        if not path.exists() or ends_alike(game, version):
            path.write_text(kept_text(_find_difference(game, earlier)), encoding="utf-8")
            written.append(f"{RULESETS_FOLDER}/{path.name}")
    return written


def _find_difference(game: Game, earlier: Game) -> Match:
    for number in range(MATCHES):
        match = whole_match(earlier, number)
        if _end_under(game, match.record()) != _end_of(match):
            return match
    message = f"{MATCHES} random matches end alike under versions {earlier.version} and {game.version} of {game.name}"
    expect(False, f"{message}: expected a repaired rule, or write {kept_file(game, earlier.version)} by hand")
    raise AssertionError


def whole_match(game: Game, number: int) -> Match:
    """Return a random match, the same every time."""
    *_, last = draw_samples(game, 1, number)
    return last.match


def kept_text(match: Match, names: tuple[str, ...] = ()) -> str:
    """The record of a match, with its points, their breakdown and what seats were advised in comments."""
    head, actions = str(match.record(names)).split("\n\n", 1)
    result = match.score()
    comments = [f"; points {_listed(result.points)}", f"; places {_listed(result.ranks)}"]
    advice = [""] * len(match.history)
    if find_spec(f"{match.game.package}.words"):
        comments += _breakdown(match)
        advice = [*_advice(match)]
    lines = (f"{line}{f'  ; {told}' if told else ''}" for line, told in zip(actions.splitlines(), advice, strict=True))
    return "\n".join([*comments, head, "", *lines, ""])


def _listed(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def _breakdown(match: Match) -> Iterator[str]:
    say, view = Say.of(match.game, "en"), match.view()
    for seat in range(match.players):
        for sentence, points in words_of(match.game).scoring(view, seat, say):
            yield f"; {say.name(seat)}: {sentence} {points}"


def _advice(match: Match) -> Iterator[str]:
    """Yield what the coach tells each seat before its action, where that is not what was told last."""
    say, last = Say.of(match.game, "en"), ""
    for place, (seat, _) in enumerate(match.history):
        seen = None if seat == CHANCE else View(match.game, match.states_at(place), seat)
        told = words_of(match.game).coach(seen, say) if seen else ""
        yield told if told != last else ""
        last = told or last


def _end_under(game: Game, record: MatchRecord) -> End | None:
    """Return how the match ends under the present rules; None where they refuse it."""
    position = record.position and {**record.position, "version": game.version}
    try:
        return _end_of(replace(record, version=game.version, position=position).match())
    except Refusal:
        return None


def _end_of(match: Match) -> End:
    return match.state_bytes(), match.score()
