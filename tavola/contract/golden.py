"""Goldens: what a game did when it was last looked at, as text that a person can read, in `golden/` of its folder.

    actions.txt      every action in the order of its number
    perft.txt        the number of ways to play on, by depth, from the start and from the middle of matches
    playthrough.txt  one whole match, and after every action, in a line, what changed on the table and in the hands

A change of the rules moves them; `tavola check GAME --write-golden` writes them again, and the difference is reviewed.
Beside them lie `picture.svg`, a position that the game's own tests draw and compare, and `records/`, whole matches with
their points and places in a comment: nobody writes these anew, they must replay for ever.
"""

from collections.abc import Callable, Iterator

import numpy as np

from tavola.contract.promises import states_of
from tavola.core.draws import below, stream
from tavola.core.fields import Json
from tavola.core.game import CHANCE, Game
from tavola.core.match import Match, perft

MOST_NODES = 2_000
"""Perft stops at the first depth that counts more."""
DEEPEST = 6


def golden(game: Game, name: str) -> str:
    """One golden of a game as it is now, by its file name."""
    return "".join(f"{line}\n" for line in GOLDENS[name](game))


def write_goldens(game: Game) -> list[str]:
    """Write them into the folder of the game; the names of those that changed."""
    folder = game.folder / "golden"
    folder.mkdir(exist_ok=True)
    changed = []
    for name in GOLDENS:
        path, text = folder / name, golden(game, name)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(name)
    return changed


def _whole_match(game: Game, players: int) -> Match:
    """A random match, the same every time, the lowest seat of a ballot first."""
    match, rng = game.match(seed=7, players=players, rules="letter"), stream(7)
    while not match.over:
        seat = match.actor(rng)
        numbers = match.legal_numbers(seat)
        match.play(numbers[int(below(rng, len(numbers)))], seat)
    return match


def _again(game: Game, match: Match, count: int) -> Match:
    """The first `count` actions of a match."""
    again = Match(game, game.options.words(match.options))
    for seat, number in match.history[:count]:
        again.play(number, seat)
    return again


def _actions(game: Game) -> Iterator[str]:
    return (f"{number} {code}" for number, code in enumerate(game.actions.codes))


def _perft(game: Game) -> Iterator[str]:
    yield "; players, actions played: ways to play 1, 2, 3 … actions on"
    few, many = game.players
    for players in range(few, many + 1):
        match = _whole_match(game, players)
        for part in range(4):
            played = len(match.history) * part // 4
            states = states_of(game, _again(game, match, played).state_bytes())
            counts = [perft(game, states, depth) for depth in _depths(game, states)]
            yield f"{players} {played}: {' '.join(map(str, counts))}"


def _depths(game: Game, states: np.ndarray) -> Iterator[int]:
    for depth in range(1, DEEPEST + 1):
        yield depth
        if perft(game, states, depth) > MOST_NODES:
            return


def _playthrough(game: Game) -> Iterator[str]:
    match = _whole_match(game, game.options.all[0].default)
    again = Match(game, game.options.words(match.options))
    yield from (line for line in str(match.record()).split("\n\n", 1)[0].splitlines())
    before: dict[str, str] = {}
    for place, (seat, number) in enumerate([*match.history, (None, None)]):
        document = again.document()
        now = dict(_leaves("", {key: document[key] for key in game.table.fields}))
        now |= {key: value for p, hand in enumerate(document["hands"]) for key, value in _leaves(f"seat {p}", hand)}
        changes = [f"{key} {value}" for key, value in now.items() if before.get(key) != value]
        yield f"    {'; '.join(changes)}" if place else f"    {len(now)} values as laid"
        before = now
        if seat is not None and number is not None:
            yield f"{place + 1}. {'*' if seat == CHANCE else seat} {game.actions.code(number)}"
            again.play(number, seat)
    result = match.standing()
    yield f"points {result.points}, places {result.places}"


def _leaves(path: str, document: Json) -> Iterator[tuple[str, str]]:
    """Every value of a document with its path."""
    if isinstance(document, dict):
        for key, part in document.items():
            yield from _leaves(f"{path}.{key}" if path else key, part)
    elif isinstance(document, list) and any(isinstance(part, dict | list) for part in document):
        for place, part in enumerate(document):
            yield from _leaves(f"{path}.{place}", part)
    else:
        yield path, str(document)


GOLDENS: dict[str, Callable[[Game], Iterator[str]]] = {
    "actions.txt": _actions,
    "perft.txt": _perft,
    "playthrough.txt": _playthrough,
}
