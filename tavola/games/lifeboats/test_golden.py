"""What Lifeboats did when it was last looked at, as text that a person can read, in `golden/`.

    ways.txt           how many ways there are to play on from the lot and from drawn positions
    views.txt          one whole match: at every decision the boats, what each seat holds, what it may do
    records/*.tavola   whole matches that replay for ever, their result in a comment on the first line

`python -m tavola.games.lifeboats.test_golden` writes the first two anew and adds records that are missing; it never
touches a record that is there. Read the difference before you keep it.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tavola.core import CHANCE, Match, kernels, read_record
from tavola.core.draws import below, stream
from tavola.core.view import Buffers
from tavola.games.lifeboats import GAME
from tavola.games.lifeboats.test_drawing import FULL, drawn, match_at

GOLDEN = Path(__file__).parent / "golden"
RECORDS = GOLDEN / "records"

CHANGING = """
    red    1:1  RRrr~.
    green  2:0  GGgg~.
    violet 3:0  VVvv..
    black  4:2  rrrgv~
"""
LATE = """
    red    1:3  ashore 1
    green  2:2  sunk
    violet 3:2  VVg~..
    yellow 4:2  gYyr~~
    blue   5:2  sunk
    black  6:1  RB~...
"""
POSITIONS: dict[str, dict[str, Any]] = {
    "all men aboard": {"drawing": FULL},
    "a third phase": {"drawing": CHANGING, "phase": "leaving", "starter": 1},
    "late": {
        "drawing": LATE,
        "phase": "move ballot",
        "starter": 3,
        "captains": (0, 1, 0, 2, 0),
        "ashore": {"left": "Rrr"},
    },
}


# Ways


def ways() -> Iterator[str]:
    """Perft of each position, the lowest seat that owes a decision acting first."""
    yield "; ways to play 1, 2, 3 … actions on"
    for players in range(3, 7):
        yield f"\n{players} players, from the lot:  {_counts(GAME.match(players=players), 4)}"
    for name, drawing in POSITIONS.items():
        match = match_at(**drawing)
        table = match.view().document()["table"]
        yield f"\n{name}, {table['phase']}, start player {table['starter']}:  {_counts(match, 6)}"
        yield from (f"    {boat}" for boat in drawn(match).splitlines())


def _counts(match: Match, deepest: int) -> str:
    return " ".join(str(perft(match, depth)) for depth in range(1, deepest + 1))


def perft(match: Match, depth: int) -> int:
    """The number of sequences of `depth` actions."""
    levels = GAME.states(depth + 1)
    levels[0:1] = np.frombuffer(match.state_bytes(), GAME.state.dtype)
    actions = np.zeros((depth + 1, len(GAME.actions)), np.int32)
    return int(kernels.perft(levels, 0, depth, actions, Buffers(GAME).weights))


def slow_perft(match: Match, depth: int) -> int:
    """The same by playing and taking back, as a person would count."""
    if depth == 0:
        return 1
    if match.over:
        return 0
    seat, total = match.to_act[0], 0
    for number in match.legal_numbers(seat):
        match.play(number, seat)
        total += slow_perft(match, depth - 1)
        match.undo()
    return total


# Views


def played(options: dict[str, Any], seed: int) -> Match:
    """A random match, chance's outcomes drawn too, the same every time."""
    match, rng = GAME.match(**options), stream(seed)
    while not match.over:
        seat = match.to_act[int(below(rng, len(match.to_act)))]
        numbers = match.legal_numbers(seat)
        match.play(numbers[int(below(rng, len(numbers)))], seat)
    return match


def views() -> Iterator[str]:
    """A match of four as every seat sees it at every decision, from the documents of the views."""
    yield "; R is a red officer, r a sailor, ~ a leak, . a free seat; what a seat holds was played face down"
    match = GAME.match(players=4)
    boats = ""
    for seat, number in played({"players": 4}, 7).history:
        table = match.view().document()["table"]
        counts = {name: " ".join(map(str, table[name][:4])) for name in ("captains", "behind")}
        yield (
            f"\n{len(match.history)}. round {table['rounds']}, {table['phase']}, marker {table['starter']}, "
            + ", ".join(f"{name} {count}" for name, count in counts.items() if set(count.split()) - {"none"})
        )
        if drawn(match) != boats:
            boats = drawn(match)
            yield from (f"    {boat}" for boat in boats.splitlines())
        yield from _seats(match)
        yield f"  {'*' if seat == CHANCE else seat} {GAME.actions.code(number)}"
        match.play(number, seat)
    yield f"\npoints {match.standing().points}, places {match.standing().places}"


def _seats(match: Match) -> Iterator[str]:
    for seat in range(4):
        view = match.view(seat)
        card = view.document()["hand"]["card"]
        holds = "" if card == "none" else f" holds {card}"
        codes = [GAME.actions.code(number).rpartition(" ") for number in view.legal]
        verbs = {verb: " ".join(last for first, _, last in codes if first == verb) for verb, _, _ in codes}
        legal = ", ".join(f"{verb} {lasts}" for verb, lasts in verbs.items())
        if holds or legal:
            yield f"  seat {seat}{holds}{f' may {legal}' if legal else ''}"


# Records

CORPUS: dict[str, tuple[dict[str, Any], int]] = {
    "three": ({"players": 3}, 1),
    "four": ({"players": 4}, 2),
    "five-seven-seats": ({"players": 5, "seats": 7}, 3),
    "six-two-moves": ({"players": 6, "moves": 2}, 4),
    "four-last-boat-stays": ({"players": 4, "last_boat_stays": "on", "islands": "3-2-2"}, 5),
    "six-long": ({"players": 6, "moves": 5, "seats": 8, "islands": "2-3-2", "last_boat_stays": "on"}, 6),
    "from-a-position": ({"position": "late"}, 8),
}


def record_of(name: str) -> str:
    """A whole match as text, its result first, as a comment."""
    options, seed = CORPUS[name]
    if "position" in options:
        options = {"position": match_at(**POSITIONS[options["position"]]).document()}
    match = played(options, seed)
    names = [
        ("Ada", "Bruno", "Carla", "Dario, il nonno", "Émile", "Fritz; der Kapitän")[seat]
        for seat in range(match.players)
    ]
    return f"; {ending(match)}\n{match.record(names)}"


def ending(match: Match) -> str:
    """Points and places in a line."""
    standing = match.standing()
    return f"points {' '.join(map(str, standing.points))}, places {' '.join(map(str, standing.places))}"


def texts() -> dict[Path, str]:
    """Every golden that is written anew."""
    return {GOLDEN / name: "\n".join(lines()) + "\n" for name, lines in (("ways.txt", ways), ("views.txt", views))}


def write() -> None:
    """Write the goldens as the game is now, and the records that are missing."""
    RECORDS.mkdir(parents=True, exist_ok=True)
    missing = {path: record_of(name) for name in CORPUS if not (path := RECORDS / f"{name}.tavola").exists()}
    for path, text in {**texts(), **missing}.items():
        path.write_text(text, encoding="utf-8")


# Tests


@pytest.mark.parametrize("path", [GOLDEN / "ways.txt", GOLDEN / "views.txt"], ids=lambda path: path.name)
def test_nothing_has_changed(path: Path) -> None:
    """`python -m tavola.games.lifeboats.test_golden` writes them anew."""
    assert path.read_text(encoding="utf-8").splitlines() == texts()[path].splitlines()


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.tavola")), ids=lambda path: path.stem)
def test_old_records_replay(path: Path) -> None:
    """To the same end, through the text, and they are written as they were read."""
    text = path.read_text(encoding="utf-8")
    first, _, rest = text.partition("\n")
    record = read_record(text)
    match = record.match()
    assert match.over
    assert f"; {ending(match)}" == first
    assert str(match.record(record.names)) == rest


def test_every_record_is_there() -> None:
    """The corpus lists them; a complete match of each number of players is among them."""
    records = {path.stem: read_record(path.read_text(encoding="utf-8")) for path in RECORDS.glob("*.tavola")}
    assert records.keys() >= CORPUS.keys()
    assert {record.options["players"] for record in records.values()} == {"3", "4", "5", "6"}


@pytest.mark.parametrize("name", POSITIONS)
def test_ways_are_counted_in_two_ways(name: str) -> None:
    """The kernel counts as a person does."""
    match = match_at(**POSITIONS[name])
    before = match.state_bytes()
    assert [slow_perft(match, depth) for depth in range(4)] == [1, *(perft(match, depth) for depth in range(1, 4))]
    assert match.state_bytes() == before


def test_no_card_is_seen_before_it_is_revealed() -> None:
    """Of seats that hold a card, each sees its own alone: the golden shows it, line by line."""
    text = (GOLDEN / "views.txt").read_text(encoding="utf-8")
    for step in text.split("\n\n")[1:-1]:
        held = re.findall(r"seat (\d) holds (\w+)", step)
        assert len({seat for seat, _ in held}) == len(held) <= 3
        assert not held or "ballot" in step.splitlines()[0]


if __name__ == "__main__":
    write()
