"""Goldens: a game's behaviour when it was last reviewed, as readable text in `golden/` of its folder.

    actions.txt      one line for each verb: the number of its first action, how many it has, a hash of their codes
    perft.txt        the number of sequences by depth, from the start and from the middle of matches
    playthrough.txt  a whole match: after every action the changes on the table and in the hands, in one line, and the
                     log lines; at the end the breakdown of points, and the table as text
    BOARD.svg        the smallest board in the middle of that match, for the seat that acts there, one piece a line
    boards.txt       one line for each board at that moment: characters of its drawing, number of pieces, a hash

A change of the game moves them. `tavola check GAME --write-golden` writes them again, and the difference is reviewed,
that of boards by eye: `tavola check GAME --sheet FILE` draws them all on one page.

`records/` beside them has whole matches with their points and places in a comment. These are never rewritten: they must
always replay.
"""

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np

from tavola.contract.samples import pick
from tavola.core.errors import ForeignFile
from tavola.core.fields import Json
from tavola.core.game import CHANCE, Game
from tavola.core.match import Match, perft
from tavola.core.rng import stream
from tavola.core.view import View
from tavola.show.cards import picture_of, words_of
from tavola.show.pictures import all_pieces, drawing
from tavola.show.speech import Say

MOST_NODES = 2_000
"""Perft stops at the first depth with more sequences."""
DEEPEST = 6
HASH_DIGITS = 16
GOLDEN_BEGINNING = re.compile(rb'; |game: |<svg [^>]*class="picture \w+ board-')


def golden_text(game: Game, name: str) -> str:
    """Return a golden of a game as it is now, by its file name."""
    return "".join(f"{line}\n" for line in _goldens(game)[name](game))


def golden_names(game: Game) -> tuple[str, ...]:
    """Return the file names of a game's goldens."""
    return tuple(_goldens(game))


def write_goldens(game: Game) -> list[str]:
    """Write the goldens of a game; return the names of those that changed, including removed pictures.

    Raises `ForeignFile`, and writes nothing, if a file of such a name is not a golden.
    """
    folder = game.folder / "golden"
    folder.mkdir(exist_ok=True)
    for name in golden_names(game):
        if os.path.lexists(folder / name) and not _is_golden(folder / name):
            raise ForeignFile(f"{folder / name}: expected a golden file, found another one: move it elsewhere")
    old = [path for path in folder.glob("*.svg") if path.name not in golden_names(game) and _is_golden(path)]
    for path in old:
        path.unlink()
    changed = [path.name for path in old]
    for name in golden_names(game):
        path, text = folder / name, golden_text(game, name)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(name)
    return changed


def _is_golden(path: Path) -> bool:
    with path.open("rb") as stream:
        return GOLDEN_BEGINNING.match(stream.read(1000)) is not None


def _whole_match(game: Game, players: int) -> Match:
    """Return a random match, always the same, in which the lowest seat of a ballot acts first."""
    match, rng = Match(game, seed=7, players=players, rules="letter"), stream(7)
    while not match.over:
        seat = match.actor(rng)
        match.play(pick(rng, match.legal_numbers(seat)), seat)
    return match


def _actions(game: Game) -> Iterator[str]:
    yield "; verb, number of its first action, how many, hash of their codes"
    first = 0
    for verb, codes in groupby(game.actions.codes, lambda code: code.partition(" ")[0]):
        named = [*codes]
        yield f"{verb} {first} {len(named)} {_hash(named)}"
        first += len(named)


def _hash(lines: Sequence[str]) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()[:HASH_DIGITS]


def _perft(game: Game) -> Iterator[str]:
    yield "; players, actions played: ways to play 1, 2, 3 … actions on"
    few, many = game.players
    for players in range(few, many + 1):
        match = _whole_match(game, players)
        for part in range(4):
            played = len(match.history) * part // 4
            yield f"{players} {played}: {' '.join(map(str, _counts(game, match.states_at(played))))}"


def _counts(game: Game, states: np.ndarray) -> Iterator[int]:
    for depth in range(1, DEEPEST + 1):
        yield (nodes := perft(game, states, depth))
        if nodes > MOST_NODES:
            return


def _playthrough(game: Game) -> Iterator[str]:
    match, say = _whole_match(game, game.options.all[0].default), Say.of(game, "en")
    again = Match(game, game.options.to_words(match.options))
    yield from str(match.record()).split("\n\n", 1)[0].splitlines()
    before = _values(again)
    yield f"    {len(before)} values as laid"
    for place, (seat, number) in enumerate(match.history):
        yield f"{place + 1}. {'*' if seat == CHANCE else seat} {game.actions.code(number)}"
        view = again.view()
        again.play(number, seat)
        now = _values(again)
        yield f"    {'; '.join(f'{key} {value}' for key, value in now.items() if before.get(key) != value)}"
        yield from (f"  | {line}" for line in words_of(game).events(view, again.view(), again.last_action(), say))
        before = now
    result = match.score()
    yield f"points {result.points}, places {result.ranks}"
    yield from _scoring_lines(again.view(), say)


def _values(match: Match) -> dict[str, str]:
    document = match.document()
    values = dict(_leaves("", {key: document[key] for key in match.game.table.fields}))
    hands = enumerate(document["hands"])
    return values | {key: value for p, hand in hands for key, value in _leaves(f"seat {p}", hand)}


def _scoring_lines(view: View, say: Say) -> Iterator[str]:
    for seat in range(view.table.players):
        yield f"  | {say.name(seat)}"
        yield from (f"  |   {line}: {points}" for line, points in words_of(view.game).scoring(view, seat, say))
    yield from (f"  | {line}".rstrip() for line in words_of(view.game).table(view, say))


def middle_view(game: Game) -> View:
    """Return the view of the seat to act in the middle of the match of the goldens."""
    match = _whole_match(game, game.options.all[0].default)
    states = match.states_at(len(match.history) // 2)
    seats = (seat for seat in View(game, states, None).to_act if seat != CHANCE)
    return View(game, states, next(seats, None))


def _boards(game: Game) -> Iterator[str]:
    yield "; board, characters of its drawing, pieces on it, hash of the drawing"
    view = middle_view(game)
    pieces = all_pieces(view, Say.of(game, "en"))
    names = re.compile(rf"\b(?:{re.escape(game.name)}|{re.escape(game.title)})\b")
    for name in picture_of(game).boards:
        lines = [names.sub("", line) for line in _board_lines(view, name)]  # a renamed copy has the same goldens
        yield f"{name} {sum(map(len, lines))} {len(pieces[name])} {_hash(lines)}"


def _board_lines(view: View, name: str) -> Iterator[str]:
    scenery = picture_of(view.game).boards[name].backdrop
    drawn = drawing(view, Say.of(view.game, "en"), name, f"../picture/{scenery}")
    yield from re.sub(r'(?=<g id="[^"]*" class="piece)', "\n", str(drawn)).splitlines()


def _leaves(path: str, document: Json) -> Iterator[tuple[str, str]]:
    if isinstance(document, dict):
        for key, part in document.items():
            yield from _leaves(f"{path}.{key}" if path else key, part)
    elif isinstance(document, list) and any(isinstance(part, dict | list) for part in document):
        for place, part in enumerate(document):
            yield from _leaves(f"{path}.{place}", part)
    else:
        yield path, str(document)


def _goldens(game: Game) -> dict[str, Callable[[Game], Iterator[str]]]:
    boards = picture_of(game).boards
    smallest = min(boards, key=lambda name: (boards[name].size[0] * boards[name].size[1], name))
    return {
        "actions.txt": _actions,
        "playthrough.txt": _playthrough,
        f"{smallest}.svg": lambda game: _board_lines(middle_view(game), smallest),
        "boards.txt": _boards,
        "perft.txt": _perft,
    }
