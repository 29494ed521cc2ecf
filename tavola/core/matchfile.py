"""The match record: a text file that a person can read and write by hand.

    game: lifeboats
    version: 1
    names: Ada, Bruno, Carla, Dario
    option players: 4
    option seats: 6

    * start 2
    2 lane 3
    …

A header, an empty line, then a line an action: the seat (`*` is chance) and the code. `;` begins a comment. A match
that began elsewhere has a line `position: {…}`.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from tavola.core import kernels
from tavola.core.errors import BadRecord, Refusal
from tavola.core.fields import Json
from tavola.core.game import CHANCE, Game
from tavola.core.match import Match
from tavola.core.view import Buffers

MOST_ACTIONS = 100_000


@dataclass(frozen=True)
class Record:
    """A match written down: enough to play it again exactly, chance included."""

    game: str
    version: int
    options: dict[str, str]
    actions: tuple[tuple[int, str], ...]
    names: tuple[str, ...] = ()
    position: Json = field(default=None)

    @classmethod
    def of(cls, match: Match, names: Sequence[str] = ()) -> "Record":
        """The record of a match as far as it was played."""
        code = match.game.actions.code
        actions = tuple((seat, code(number)) for seat, number in match.history)
        words = match.game.options.words(match.options)
        return cls(match.game.name, match.game.version, words, actions, tuple(names), match.position)

    def match(self) -> Match:
        """Play the record again; `BadRecord` names the first line that the rules do not allow."""
        from tavola.games import load

        game = load(self.game)
        if self.version != game.version:
            raise BadRecord(f"version {self.version} of {self.game}: expected version {game.version}")
        match = Match(game, self.options, None, self.position)
        for line, (seat, code) in enumerate(self.actions, 1):
            try:
                match.play(code, seat)
            except Refusal as refusal:
                raise BadRecord(f"action {line}: {refusal}") from refusal
        return match

    def __str__(self) -> str:
        return "\n".join([*self._header(), "", *(f"{_seat(seat)} {code}" for seat, code in self.actions), ""])

    def _header(self) -> Iterable[str]:
        yield f"game: {self.game}"
        yield f"version: {self.version}"
        if self.names:
            yield f"names: {', '.join(name.replace(',', ' ') for name in self.names)}"
        yield from (f"option {name}: {value}" for name, value in self.options.items())
        if self.position is not None:
            yield f"position: {json.dumps(self.position, ensure_ascii=False)}"


def _seat(seat: int) -> str:
    return "*" if seat == CHANCE else str(seat)


def read_record(text: str) -> Record:
    """Read a record's text; `BadRecord` says which line is wrong and what was expected. Nothing is played yet."""
    header: dict[str, str] = {}
    options: dict[str, str] = {}
    actions: list[tuple[int, str]] = []
    for place, line in enumerate(text.splitlines(), 1):
        words = line if line.startswith("position:") else line.partition(";")[0]
        key, colon, value = (part.strip() for part in words.partition(":"))
        if not words.strip():
            continue
        if colon and not actions:
            (options if key.startswith("option ") else header)[key.removeprefix("option ")] = value
        else:
            actions.append(_action(words, place))
        if len(actions) > MOST_ACTIONS:
            raise BadRecord(f"line {place}: expected at most {MOST_ACTIONS} actions")
    return _record(header, options, tuple(actions))


def _action(line: str, place: int) -> tuple[int, str]:
    seat, _, code = line.strip().partition(" ")
    if not (seat == "*" or (seat.isascii() and seat.isdecimal() and len(seat) == 1)) or not code.strip():
        raise BadRecord(f"line {place}: expected a seat (or *) and an action, found {line.strip()[:60]!r}")
    return CHANCE if seat == "*" else int(seat), " ".join(code.lower().split())


def _record(header: dict[str, str], options: dict[str, str], actions: tuple[tuple[int, str], ...]) -> Record:
    unknown = header.keys() - {"game", "version", "names", "position"}
    if unknown or "game" not in header:
        raise BadRecord(f"header: expected game, version, names and options, found {min(unknown, default='no game')!r}")
    if not header.get("version", "").isdecimal():
        raise BadRecord(f"version: expected a whole number, found {header.get('version', 'nothing')!r}")
    names = tuple(name.strip() for name in header["names"].split(",")) if "names" in header else ()
    try:
        position = json.loads(header["position"]) if "position" in header else None
    except json.JSONDecodeError as error:
        raise BadRecord(f"position: expected a JSON document, {error}") from error
    return Record(header["game"], int(header["version"]), options, actions, names, position)


def replayed(game: Game, options: np.ndarray, history: Sequence[tuple[int, int]]) -> np.ndarray:
    """The state after `history` (pairs of seat and action), in one compiled pass; `BadRecord` if it is not legal."""
    states, scratch = game.states(1), Buffers(game)
    kernels.start_at(states, 0, options)
    seats, played = (np.array([pair[k] for pair in history], np.int64) for k in (0, 1))
    done = kernels.replay(states, 0, seats, played, scratch.actions, scratch.weights)
    if done < len(history):
        seat, number = history[done]
        raise BadRecord(f"action {done + 1}: {game.actions.code(number)!r} is not allowed for seat {_seat(seat)}")
    return states
