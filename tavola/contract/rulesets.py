"""The promise of a game on its earlier rules: `rulesets/vN.py`, and a match that shows the difference.

`rulesets/vN.txt` is the record of that match, with its points and sentences under version N in comments. It is never
rewritten: it must always replay to the same result. `rulesets/vN.md` and `vN.LANGUAGE.md` are the rulebook of that
version; if missing, that of the next version applies.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from tavola.contract.folder import PARAGRAPH
from tavola.contract.promises import RULES_CHECKS, SampleSettings, old_positions_stay, plans_come_true, try_positions
from tavola.contract.samples import Breach, draw_samples, expect
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
"""Number of positions of each earlier version, and one in how many of a match: they are played as plain Python."""
MATCHES = 60
"""Number of random matches searched for one that two versions play differently."""

End = tuple[bytes, Result]
"""The bytes of a match's last position, and its result: a repaired rule may change either."""

LEFT_OUT = (old_positions_stay, plans_come_true, policies_are_symmetric)
CHECKS = [*(check for check in RULES_CHECKS if check not in LEFT_OUT), sentences_can_be_said]
"""Promises tested on earlier versions. Two of those left out replay matches repeatedly; bots play by the current
rules."""


def earlier_rules_keep_the_promises(game: Game) -> None:
    """Earlier versions keep the promises of rules and words, and their matches end differently under current rules."""
    for version in versions(game)[:-1]:
        earlier = earlier_version(game, version)
        try_positions(earlier, POSITIONS, 1, CHECKS, SampleSettings(share=SHARE))
        the_rulebook_is_of_the_version(earlier)
        the_kept_match_stays(game, earlier)


def the_rulebook_is_of_the_version(earlier: Game) -> None:
    """The rulebook of an earlier version has every paragraph that its file cites."""
    found, missed = earlier.rulebook(), f"version {earlier.version} has no rules in English"
    expect(found, f"{missed}: expected RULES.md or a file in {RULESETS_FOLDER}/")
    text = found[0].read_text(encoding="utf-8") if found else ""
    assert earlier.ruleset is not None
    cited = set(re.findall(r"\bR(\d+)\b", earlier.ruleset.path.read_text(encoding="utf-8")))
    missing = cited - set(re.findall(PARAGRAPH, text, re.MULTILINE))
    expect(not missing, f"{earlier.ruleset.path.name} cites R{min(missing, default='')}: expected it in that version")


def the_kept_match_stays(game: Game, earlier: Game) -> None:
    """A kept match ends as it did, with the same sentences, and ends differently under the current rules."""
    path = kept_file(game, earlier.version)
    name = f"{RULESETS_FOLDER}/{path.name}"
    expect(path.exists(), f"no {name}: expected the record of a match that ends differently under the current rules")
    text = path.read_text(encoding="utf-8")
    record = read_record(text)
    expect(record.version == earlier.version, f"{name} is of version {record.version}: expected {earlier.version}")
    told = kept_text(record.match(), record.names).splitlines()
    for then, now in zip(text.splitlines()[-len(told) :], told, strict=True):  # authors' notes come first
        expect(then == now, f"{name}: version {earlier.version} now gives {now!r}: expected {then!r}")
    expect(
        not ends_alike(game, earlier.version),
        f"{name} ends the same under version {game.version}: expected a difference; if a rule has already been fixed, "
        f"`tavola check {game.name} --write-golden` looks for a match that shows the difference",
    )


def kept_file(game: Game, version: int) -> Path:
    """Return the file of the match that shows an earlier version's difference."""
    return game.folder / RULESETS_FOLDER / f"v{version}.txt"


def ends_alike(game: Game, version: int) -> bool:
    """Return whether the match kept for a version ends the same under the current rules: no difference shows."""
    record = read_record(kept_file(game, version).read_text(encoding="utf-8"))
    return _end_under(game, record) == _end_of(record.match())


def write_kept_matches(game: Game) -> list[str]:
    """Find a match for each earlier version without one that now ends differently; return the files written."""
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
    rules = f"versions {earlier.version} and {game.version} of {game.name}"
    expected = f"expected a changed rule; if the change is rare, write {kept_file(game, earlier.version)} by hand"
    raise Breach(f"{MATCHES} random matches end the same under {rules}: {expected}")


def whole_match(game: Game, number: int) -> Match:
    """Return a random match, always the same for a `number`."""
    *_, last = draw_samples(game, 1, number)
    return last.match


def kept_text(match: Match, names: tuple[str, ...] = ()) -> str:
    """Return the record of a match with its points, their breakdown and the coach's advice in comments."""
    head, actions = str(match.record(names)).split("\n\n", 1)
    result = match.score()
    listed = ("points", result.points), ("places", result.ranks)
    comments = [f"; {word} {' '.join(map(str, numbers))}" for word, numbers in listed]
    advice = [""] * len(match.history)
    if find_spec(f"{match.game.package}.words"):
        say, view = Say.of(match.game, "en"), match.view()
        for seat in range(match.players):
            told = words_of(match.game).scoring(view, seat, say)
            comments += [f"; {say.name(seat)}: {sentence} {points}" for sentence, points in told]
        advice = [*_advice(match)]
    lines = (f"{line}{f'  ; {told}' if told else ''}" for line, told in zip(actions.splitlines(), advice, strict=True))
    return "\n".join([*comments, head, "", *lines, ""])


def _advice(match: Match) -> Iterator[str]:
    """Yield the coach's advice to each seat before its action; empty if it repeats the last."""
    say, last = Say.of(match.game, "en"), ""
    for place, (seat, _) in enumerate(match.history):
        seen = None if seat == CHANCE else View(match.game, match.states_at(place), seat)
        told = words_of(match.game).coach(seen, say) if seen else ""
        yield told if told != last else ""
        last = told or last


def _end_under(game: Game, record: MatchRecord) -> End | None:
    """Return None if the current rules refuse the match."""
    position = record.position and {**record.position, "version": game.version}
    try:
        return _end_of(replace(record, version=game.version, position=position).match())
    except Refusal:
        return None


def _end_of(match: Match) -> End:
    return match.state_bytes(), match.score()
