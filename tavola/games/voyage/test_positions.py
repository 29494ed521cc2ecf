"""Refused positions, and records of matches played by hand."""

from pathlib import Path
from typing import Any

import pytest

from tavola.core import BadPosition, BadRecord, Match, read_record
from tavola.games.voyage.fixtures import GAME, ISLANDS, SIX, first_turn, offer, sail
from tavola.show.testing import change_fields

RECORDS = sorted(Path(__file__).with_name("golden").joinpath("records").glob("*.txt"))
CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "another captain": ({"captain": 2}, "captain: expected the captain of the turn"),
    "a captain who is not there": ({"captain": 4}, "captain: expected a seat from 0 to 3"),
    "an end without the end": ({"ending": "avalon"}, "ending: expected a reason"),
    "a turn before the first": ({"turn": 0}, "turn: expected 0 before"),
    "islands laid on the chart": ({"laid": 3}, "laid: expected 0"),
    "no start": ({"explored": ["h3", "h4", "g4"]}, "explored: expected the start tile"),
    "a ship on the dark": ({"ship": "a1"}, "ship: expected a face-up tile"),
    "a tile that is not explored": ({"crosses": ["h4", "d2"]}, "distinct face-up tiles"),
    "two faces": ({"plains": ["h4"]}, "distinct face-up tiles"),
    "another chart": (
        {"crosses": [], "plains": ["h4"], "piles__sea__cross": 5, "piles__sea__plain": 4},
        "the revealed islands of the recommended layout",
    ),
    "a tile too many": ({"piles__sea__open": 36}, "piles.sea.open: expected 35, found 36"),
    "Avalon at sea": ({"avalon": ["g4"]}, "avalon: expected the fog tile"),
    "islands in the box": ({"box__islands": ["a1"]}, "box.islands: expected none"),
    "a role too many": ({"box__roles__sailor": 1}, "box.roles.sailor: expected 2 cards"),
    "roles turned up": ({"roles": ["admiral"]}, "roles: expected the roles in the hands at the end"),
    "no role": ({"hands__0__role": "none"}, "hands.0.role: expected a role"),
    "a role missing": ({"dealt": 3}, "dealt: expected a role for each of 4 seats"),
    "a vote without a card": ({"voted": ["0", "1"]}, "hands.1.card: expected a card"),
    "all have voted": ({"voted": ["0", "1", "2", "3"]}, "voted: expected only voters, and not all of them"),
    "no courses": ({"turns__0__courses": ["north"]}, "turns.0: expected the courses that the map left open"),
    "no loss": ({"turns__0__losing": ["north"]}, "turns.0: expected the courses that the map left open"),
    "another course": ({"turns__0__sailed": "east"}, "turns.0.sailed: expected the course that the majority chose"),
    "another cell": ({"turns__0__reached": "g2"}, "turns.0.reached: expected the first unexplored cell"),
    "a turn to come": ({"turns__9__preferred": "west"}, "turns.9: expected nothing"),
    "another majority": (
        {"turns__0__black": ["0", "1", "2"]},
        "turns.0.sailed: expected the course that the majority chose",
    ),
    "votes to come": ({"turns__3__black": ["1"]}, "turns.3.black: expected only seats that voted"),
    "nothing preferred": ({"turns__3__preferred": "none"}, "turns.3.preferred: expected a course"),
    "barred": ({"turns__0__captain": 1}, "turns.0: expected a different captain after it"),
    "nobody's alternative": ({"hands__0__alternatives": ["none"]}, "hands.0.alternatives.0: expected a course"),
    "the same course twice": ({"hands__0__alternatives": ["south"]}, "hands.0.alternatives.0: expected a different"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_impossible_positions_are_refused(name):
    match, (change, message) = offer(sail(first_turn(*SIX[:4]), "ssw"), "south", "west"), CHANGES[name]
    match.play("vote white", 0)
    with pytest.raises(BadPosition, match=message.replace("(", r"\(")):
        Match(GAME, position=change_fields(match.document(), change))


def test_impossible_random_maps_are_refused():
    document = first_turn(*SIX[:3], islands=ISLANDS).document()
    touching = [*document["box"]["islands"][1:], "b2"]
    told = {("b1",): "expected 10 cells", (*"abcdefghi",): "box.islands", (*touching,): "no two adjacent islands"}
    for islands, message in told.items():
        with pytest.raises(BadPosition, match=message):
            Match(GAME, position=change_fields(document, {"box__islands": [*islands]}))


def test_records_replay_to_the_ends_that_they_tell():
    """The contract of games compares their points and places."""
    endings = []
    for path in RECORDS:
        text = path.read_text(encoding="utf-8")
        told = dict(line[2:].split(": ", 1) for line in text.splitlines() if line.startswith("; ") and ": " in line)
        document = read_record(text).match().document()
        found = (document["ending"], str(document["turn"]), " ".join(document["explored"]))
        assert found == (told["ending"], told["turn"], told["explored"])
        endings.append(document["ending"])
    assert endings == ["avalon", "route lost", "turn 20"]


def test_a_record_breaks_where_the_rules_forbid_it():
    text = RECORDS[0].read_text(encoding="utf-8").replace("* tile avalon", "* tile cross")
    with pytest.raises(BadRecord, match="'tile cross' is not allowed now for chance: expected tile open, tile avalon"):
        read_record(text).match()
