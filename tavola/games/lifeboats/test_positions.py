"""Positions and invariants: random matches from lot to end, and documents that no match could reach."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavola.core import BadPosition, Match, read_record
from tavola.games.lifeboats import GAME
from tavola.games.lifeboats.components import FIRST_LANES, At, Phase
from tavola.games.lifeboats.fixtures import boats_placed, drawing_of, lost_men, match_at, phase_of
from tavola.show.testing import change_fields, play

OPTIONS = st.fixed_dictionaries(
    {
        "players": st.integers(3, 6),
        "seats": st.sampled_from([6, 6, 6, 7, 8]),
        "moves": st.sampled_from([2, 3, 3, 3, 4, 5]),
        "islands": st.sampled_from(["2-2-3", "2-3-2", "3-2-2"]),
        "last_boat_stays": st.sampled_from(["off", "on"]),
    }
)


# Invariants


@pytest.mark.bulk
@settings(max_examples=40, deadline=None)
@given(OPTIONS, st.integers(0, 2**32 - 1))
def test_what_no_choice_of_the_players_can_change(options: dict[str, Any], seed: int) -> None:
    """R24, rulings F10 and F11: the length of a match, where men land, and which man drowns in a third phase."""
    match, draw = Match(GAME, **options), random.Random(seed)
    before, left, drowned = match.view().table, list[int](), 0
    while not match.over:
        seat = draw.choice(match.to_act)
        match.play(draw.choice(match.legal_numbers(seat)), seat)
        table = match.view().table
        assert table.rounds <= options["moves"] * (options["players"] + 1)
        check_landings(before, table)
        if before.phase in (Phase.LEAVING, Phase.BOARDING):
            left.append(seat)
            lost = _newly_drowned(before, table, seat)
            drowned += len(lost)
            assert lost in ([], left[:1])
            assert drowned <= 1
        else:
            left, drowned = [], 0
        before = table


def check_landings(before: Any, after: Any) -> None:
    """Exactly the men in a boat go ashore, on the island of its lane."""
    for boat, was in zip(after.boats, before.boats, strict=True):
        if boat.at == At.ASHORE and was.at == At.SEA:
            island = sum(was.lane >= int(first) for first in FIRST_LANES[after.islands])
            for seat, crew in enumerate(was.crew):
                landed = zip(after.ashore[seat][island], before.ashore[seat][island], strict=True)
                assert tuple(now - then for now, then in landed) == crew


def _newly_drowned(before: Any, after: Any, seat: int) -> list[int]:
    """The seats whose men were behind a boat, or left one with this action, and are in no boat now."""
    leaving = before.phase == Phase.LEAVING
    waiting = {other for other, boat in enumerate(before.behind) if boat} | ({seat} if leaving else set())
    still = {other for other, boat in enumerate(after.behind) if boat}
    return sorted(waiting - still - (set() if leaving else {seat}))


# Faults by name

AFLOAT = """
    red    1:3  ashore 1
    green  2:1  GGgrr.
    violet 3:0  sunk
    black  7:2  rVVv~~
"""
LANDED = {"left": "RRrr"}
POSITIONS: dict[str, Callable[[], Match]] = {
    "at sea": lambda: match_at(AFLOAT, starter=1, captains=(2, 3, 3), ashore=LANDED),
    "leaving": lambda: play(match_at(AFLOAT, "leaving", starter=1, ashore=LANDED), "leave officer green"),
    "placing": lambda: play(Match(GAME, players=3), "start 0", "lane 4"),
    "seating": lambda: play(boats_placed(players=3), "crew officer red"),
}
A_ROW = "expected 3 for a boat ashore, 0 for one aside, less than 3 for others"
FAULTS: dict[str, list[tuple[dict[str, Any], str]]] = {
    "at sea": [
        ({"boats__green__crew__0__sailor": 3}, "boats: expected 5 sailors of seat 0 in all, found 6"),
        ({"boats__blue__at": "sea"}, "boats.blue.at: expected aside, since it belongs to no seat"),
        ({"boats__violet__leaks": 1}, "boats.violet: expected no men or leaks in a boat that is not at sea"),
        ({"boats__black__leaks": 3}, "boats.black: expected at most 6 men and leaks in all, found 7"),
        ({"boats__green__row": 3}, f"boats.green.row: {A_ROW}"),
        ({"boats__red__row": 2}, f"boats.red.row: {A_ROW}"),
        ({"boats__red__arrival": 0}, "boats.red.arrival: expected a number for a boat ashore, and none otherwise"),
        ({"boats__red__arrival": 2}, "arrived: expected the arrivals 1 to 1, each once"),
        ({"boats__green__lane": 7}, "boats: expected a different lane for each boat"),
        ({"boats__green__lane": 0}, "boats.green.lane: expected a lane for a boat on the board, and none otherwise"),
        ({"boats__red__lane": 4}, "ashore: expected at most 0 men on the left island, the capacity of its boats"),
        ({"starter": 3}, "starter: expected a seat from 0 to 2"),
        ({"captains__4": 1}, "captains.4: expected nothing for a seat that is not at the table"),
        ({"phase": "boats"}, "voters: expected none without a ballot"),
        ({"voters": ["0", "1"]}, "voters: expected every seat"),
        ({"voted": ["0"]}, "hands.0.card: expected a card if the seat has voted, and none otherwise"),
        ({"voted": ["0", "1", "2"]}, "voted: expected only voters, and not all of them"),
        ({"voted": ["0"], "hands__0__card": "red"}, "hands.0.card: expected a colour that can be voted for"),
        ({"target": "black"}, "target: expected a boat in an overboard ballot, and none otherwise"),
        ({"behind__1": "green"}, "boats: expected 2 officers of seat 1 in all, found 3"),
        ({"rounds": 8}, "rounds: expected one move per finished round, found 6 moves in round 8"),
        ({"ballots": 11}, "ballots: expected 2 or 3 per finished round, found 11 in round 7"),
        ({"ballots": 19}, "ballots: expected 2 or 3 per finished round, found 19 in round 7"),
        ({"captains": [3, 3, 3, 3, 0, 0]}, "captains.3: expected nothing"),
        ({"ballot__boat": "black"}, "ballot.boat: expected the full boat of an overboard ballot, and none otherwise"),
        ({"ballot__weights__1": 0}, "ballot.weights.1: expected the votes of a card that was played, found 0"),
        ({"ballot__weights__4": 1}, "ballot.weights.4: expected the votes of a card that was played, found 1"),
        ({"ballot__decider": 1}, "ballot.candidates: expected the possible choices if a seat has to choose"),
        ({"ballot__candidates": ["red"]}, "ballot.candidates: expected the possible choices if a seat has to choose"),
        ({"ballot__chosen": "none"}, "ballot.chosen: expected a colour once the ballot is decided, and none before"),
    ],
    "leaving": [
        ({"turn": 1}, "turn: expected a seat that can still leave a boat"),
        ({"starter": 0}, "behind: expected a man of each seat that could have left a boat"),
        ({"phase": "move ballot"}, "voters: expected every seat"),
        ({"last_boat_stays": True}, "last_boat_stays: expected 0, as in the options"),
    ],
    "placing": [
        ({"starter": 1}, "boats.red.at: expected aside in the phase boats"),
        ({"turn": 0}, "boats.red.at: expected aside in the phase boats"),
        ({"rounds": 1}, "rounds: expected no round, ballot, move, leak, loss or used captain"),
        ({"captains": [2, 3, 3]}, "rounds: expected no round, ballot, move, leak, loss or used captain"),
        ({"phase": "lot"}, "starter: expected 0 before the lot"),
        ({"phase": "black boat"}, "turn: expected the start player to place the black boat"),
        ({"phase": "over"}, "boats: expected every boat on the board once men are seated"),
        ({"ballot": {"chosen": "red"}}, "ballot.chosen: expected a colour once the ballot is decided"),
    ],
    "seating": [({"turn": 0}, "unseated: expected men to be seated in turn from the start player")],
}
"""Changes of documents, and how each is refused; `a__b` is the field b of a."""


@pytest.mark.parametrize(
    ("position", "changes", "expected"), [(position, *row) for position, rows in FAULTS.items() for row in rows]
)
def test_a_fault_is_named(position: str, changes: dict[str, Any], expected: str) -> None:
    with pytest.raises(BadPosition) as refused:
        Match(GAME, position=change_fields(POSITIONS[position]().document(), changes))
    assert str(refused.value).startswith(expected)


def test_what_is_left_out_is_as_laid() -> None:
    assert Match(GAME, position={}, players=5).state_bytes() == Match(GAME, players=5).state_bytes()
    assert Match(GAME, position={"options": {"players": "3"}}).players == 3


def test_a_drawing_is_read_and_drawn() -> None:
    drawing = AFLOAT.replace("GGgrr.", "rrGGg.")
    match = match_at(drawing, starter=1, ashore=LANDED)
    assert drawing_of(match).split() == drawing.split()
    assert (phase_of(match), match.view().table.rounds, lost_men(match)) == ("leak ballot", 7, "ggggvvvv")
    assert match.score().points == (28, 0, 0)


def test_a_drawing_that_no_match_reaches_is_refused() -> None:
    with pytest.raises(BadPosition, match="no more leaks than men"):
        match_at("red 1:0 R~~...\ngreen 2:0 GGgggg\nviolet 3:0 VVvvvv\nblack 4:0 rrrrr.")


def test_every_record_is_there() -> None:
    """Complete matches of each number of players with every option, and one from a position."""
    records = [
        read_record(path.read_text(encoding="utf-8")) for path in (GAME.folder / "golden/records").glob("*.tavola")
    ]
    assert {record.options["players"] for record in records} == {"3", "4", "5", "6"}
    assert {record.options["last_boat_stays"] for record in records} == {"off", "on"}
    assert any(record.position for record in records)
